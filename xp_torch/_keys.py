"""Keys of ``x[key]`` and ``x[key] = value``: which there are, and what is wrong with the others.

Allowed is what the standard's chapter *Indexing* specifies and nothing else: one index for
each axis or an ellipsis, slices within bounds, a boolean mask as the sole index, integer
arrays among integers only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from . import _flags
from ._array import Array
from ._core.axes import broadcast_shapes
from ._core.dtypes import INTEGER, name_of
from ._core.errors import shown, type_name
from ._dispatch import check_devices, hint

GET = "__getitem__"
SET = "__setitem__"


def is_plain_tuple(key: tuple[Any, ...], shape: Sequence[int]) -> bool:
    """Whether a key is of ints, plain slices, ``None`` and an ellipsis, and within bounds."""
    axis = 0
    ndim = len(shape)
    has_ellipsis = False
    for i, item in enumerate(key):
        kind = type(item)
        if kind is int:
            if axis >= ndim or not -shape[axis] <= item < shape[axis]:
                return False
            axis += 1
        elif kind is slice:
            if axis >= ndim or not is_plain(item, shape[axis]):
                return False
            axis += 1
        elif item is Ellipsis:
            hidden = ndim - axis - len([rest for rest in key[i + 1 :] if rest is not None])
            if has_ellipsis or hidden < 0:
                return False
            has_ellipsis = True
            axis += hidden
        elif item is not None:
            return False
    return axis == ndim


def is_plain(key: slice, size: int) -> bool:
    """Whether a slice is one that torch takes and the standard specifies: the common ones.

    torch computes strides out of the range of 64 bits for large steps.
    """
    start, stop, step = key.start, key.stop, key.step
    return (
        (start is None or (type(start) is int and -size <= start <= size))
        and (stop is None or (type(stop) is int and -size <= stop <= size))
        and (step is None or (type(step) is int and 0 < step <= size))
    )


class Parsed(NamedTuple):
    """A checked key: a mask, or items that are ints, slices, ``None``, ellipsis and tensors."""

    items: list[Any]
    mask: Tensor | None
    has_array: bool


def parse(name: str, t: Tensor, key: object) -> Parsed:
    """Check a key against the standard's rules, as far as its values need not be read."""
    items: list[Any] = []
    has_array = has_slice = has_ellipsis = False
    mask = None
    count = 0
    for item in key if isinstance(key, tuple) else (key,):
        kind = type(item)
        if kind is int:
            count += 1
        elif kind is slice:
            has_slice = True
            count += 1
        elif item is Ellipsis:
            if has_ellipsis:
                raise IndexError(f"{name}: an index may have only one ellipsis")
            has_ellipsis = True
        elif item is None:
            if name == SET:
                raise IndexError(f"{name}: None is not allowed in the index of an assignment")
        elif isinstance(item, Array):
            item = item._tensor
            if item.dtype is torch.bool:
                mask = item
            elif item.dtype in INTEGER.dtypes:
                has_array = True
                count += 1
            else:
                raise IndexError(
                    f"{name}: an index array must have an integer or boolean dtype, not "
                    f"{name_of(item.dtype)}"
                )
            check_devices(name, t, item)
        else:
            item = _integer_index(name, item)
            count += 1
        items.append(item)
    if mask is not None:
        if len(items) != 1:
            raise IndexError(f"{name}: a boolean mask must be the sole index")
        if not _flags.boolean_indexing:
            raise RuntimeError(
                f"{name}: a boolean mask is the index, and the flag boolean_indexing is off"
            )
        return Parsed(items, mask, False)
    if has_array and (has_slice or has_ellipsis):
        raise IndexError(
            f"{name}: index arrays can be combined with integers and index arrays only, not "
            "with slices or an ellipsis"
        )
    if count > t.ndim:
        raise IndexError(f"{name}: {count} indices for an array of {t.ndim} dimensions")
    if count < t.ndim and not has_ellipsis:
        raise IndexError(
            f"{name}: {count} indices for an array of {t.ndim} dimensions; index every axis, "
            "or add an ellipsis (...) for the others"
        )
    _check_bounds(name, items, t.shape, t.ndim - count)
    return Parsed(items, None, has_array)


def _integer_index(name: str, item: Any) -> int:
    """An object with ``__index__`` as an int; arrays of other libraries are not taken."""
    kind = type(item)
    if kind is not bool and hasattr(kind, "__index__") and not hasattr(kind, "__len__"):
        try:
            return int(item.__index__())
        except TypeError:
            pass  # a NumPy boolean, for one, has the method
    raise IndexError(
        f"{name}: an index must be an integer, a slice, an ellipsis, None or an xp_torch array "
        f"of integers or booleans, not {type_name(item)}{hint(item)}"
    )


def _check_bounds(name: str, items: list[Any], shape: Sequence[int], hidden: int) -> None:
    """``IndexError`` for an integer or a slice that leaves its axis; slices become plain."""
    axis = 0
    for i, item in enumerate(items):
        kind = type(item)
        if kind is int:
            size = shape[axis]
            if not -size <= item < size:
                raise IndexError(
                    f"{name}: index {shown(item)} is out of bounds for axis {axis} of size {size}"
                )
        elif kind is slice:
            items[i] = _checked_slice(name, item, axis, shape[axis])
        elif item is Ellipsis:
            axis += hidden
            continue
        elif item is None:
            continue
        axis += 1


def _checked_slice(name: str, item: slice, axis: int, size: int) -> slice:
    """The slice with plain ints, if it is one that the standard specifies."""
    start = _bound(name, "start", item.start)
    stop = _bound(name, "stop", item.stop)
    step = _bound(name, "step", item.step)
    if step == 0:
        raise ValueError(f"{name}: the step of a slice must not be zero")
    lowest_stop = -size
    if step is not None:
        if step < 0:
            lowest_stop -= 1
        # A larger step selects the first element only, too, and is too large for torch.
        step = max(-size - 1, min(step, size + 1))
    if start is not None and not -size <= start <= size:
        raise IndexError(
            f"{name}: the start of the slice, {shown(start)}, is out of bounds for axis {axis} "
            f"of size {size}"
        )
    if stop is not None and not lowest_stop <= stop <= size:
        raise IndexError(
            f"{name}: the stop of the slice, {stop}, is out of bounds for axis {axis} of size "
            f"{size}"
        )
    return slice(start, stop, step)


def _bound(name: str, part: str, value: Any) -> int | None:
    if value is None or type(value) is int:
        return value
    try:
        return int(value.__index__())
    except (AttributeError, TypeError):
        raise TypeError(
            f"{name}: the {part} of a slice must be an integer or None, not {type_name(value)}"
        ) from None


def check_mask(name: str, t: Tensor, mask: Tensor) -> bool:
    """Check the shape of a mask; true if it is empty where ``t`` is not, and selects nothing."""
    if mask.ndim > t.ndim:
        raise IndexError(
            f"{name}: a mask of {mask.ndim} dimensions for an array of {t.ndim} dimensions"
        )
    leading = t.shape[: mask.ndim]
    if mask.shape == leading:
        return False
    for axis, (m, size) in enumerate(zip(mask.shape, leading, strict=True)):
        if m not in (0, size):
            raise IndexError(
                f"{name}: the mask has size {m} along axis {axis}, and the array {size}"
            )
    return True


def coordinates(name: str, t: Tensor, items: list[object]) -> tuple[Tensor, list[Tensor]]:
    """Integers among index arrays: ``t`` at the integers, and int64 indices for what is left.

    Each index tensor has at least one dimension: torch would read the value of a 0-D one,
    which waits for the device.
    """
    tensors = [i for i in items if isinstance(i, Tensor)]
    try:
        broadcast_shapes(name, *[i.shape for i in tensors])
    except ValueError as error:
        raise IndexError(f"{error} as index arrays") from None
    indices = [i if i.dtype is torch.int64 else i.to(torch.int64) for i in tensors]
    if len(tensors) < len(items):
        t = t[tuple([i if type(i) is int else slice(None) for i in items])]
    return t, [i if i.ndim else i.reshape(1) for i in indices]
