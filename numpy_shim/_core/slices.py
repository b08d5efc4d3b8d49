"""Slices as torch takes them."""

from __future__ import annotations

import operator
from typing import Any


def plain_slice(name: str, item: slice, size: int) -> slice:
    """A slice of ints and ``None`` whose step torch can multiply a stride with."""
    start, stop, step = (_bound(name, v) for v in (item.start, item.stop, item.step))
    if step is not None:
        if step == 0:
            raise ValueError(f"{name}: slice step cannot be zero")
        # From the size on, a larger step selects the first element as well.
        limit = size if size > 1 else 1
        step = limit if step > limit else -limit if step < -limit else step
    return slice(start, stop, step)


def _bound(name: str, value: Any) -> int | None:
    if value is None or type(value) is int:
        return value
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(
            f"{name}: slice indices must be integers or None or have an __index__ method, not "
            f"{type(value).__name__}"
        ) from None
