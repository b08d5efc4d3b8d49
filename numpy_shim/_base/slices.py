"""Convert slices to those that torch accepts."""

from __future__ import annotations

import operator
from typing import Any


def plain_slice(name: str, item: slice, size: int) -> slice:
    """A slice of ints and ``None`` whose step torch can multiply by a stride without overflow."""
    start, stop, step = item.start, item.stop, item.step
    if start is not None and type(start) is not int:
        start = _bound(name, start)
    if stop is not None and type(stop) is not int:
        stop = _bound(name, stop)
    if step is not None and type(step) is not int:
        step = _bound(name, step)
    if step is not None:
        if step == 0:
            raise ValueError(f"{name}: slice step cannot be zero")
        # Every step that is at least the size selects the first element only.
        limit = size if size > 1 else 1
        step = limit if step > limit else -limit if step < -limit else step
    return slice(start, stop, step)


def _bound(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(
            f"{name}: slice indices must be integers or None or have an __index__ method, not "
            f"{type(value).__name__}"
        ) from None
