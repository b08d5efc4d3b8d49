"""Selecting and replacing elements of a tensor by keys that the caller has checked.

A key is a tuple of ints, slices of any step, ``None`` and at most one ellipsis; index tensors
are int64 and masks boolean.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import EllipsisType
from typing import TypeAlias

import torch
from torch import Tensor

from .._core.dtypes import SIGNED_TWIN, WIDE_UNSIGNED
from .._torch.internals import assert_async
from .manipulation import flip, moving

Item: TypeAlias = "int | slice | EllipsisType | None"


_EVERYTHING = slice(None)


def forward(key: Sequence[Item], shape: Sequence[int]) -> tuple[tuple[Item, ...], tuple[int, ...]]:
    """Convert ``key`` to positive steps; also return the axes of the result to reverse.

    torch has no tensors of negative stride, and refuses negative steps:
    https://github.com/pytorch/pytorch/issues/59786
    """
    items: list[Item] = []
    reverse: list[int] = []
    axis = result_axis = 0
    for item in key:
        if item is None:
            result_axis += 1
        elif item is Ellipsis:
            hidden = len(shape) - sum(i is not None and i is not Ellipsis for i in key)
            axis += hidden
            result_axis += hidden
        elif isinstance(item, slice):
            if item.step is not None and item.step < 0:
                item = _forward_slice(item, shape[axis])
                reverse.append(result_axis)
            axis += 1
            result_axis += 1
        else:
            axis += 1
        items.append(item)
    return tuple(items), tuple(reverse)


def _forward_slice(item: slice, size: int) -> slice:
    """The slice with a positive step that has the elements of a slice with a negative step."""
    start, stop, step = item.start, item.stop, -item.step
    if start is None and stop is None and step == 1:
        return _EVERYTHING
    if start is None:
        start = size - 1
    elif start < 0:
        start += size
    elif start > size - 1:
        start = size - 1
    if stop is None:
        stop = -1
    elif stop < 0:
        stop = stop + size if stop >= -size else -1
    if stop >= start:
        return slice(0, 0)
    last = start - (start - stop - 1) // step * step
    return slice(last, start + 1, step)


def select(x: Tensor, key: Sequence[Item]) -> Tensor:
    """The elements at ``key``: a view, unless a step is negative."""
    items, reverse = forward(key, x.shape)
    whole = all(item is _EVERYTHING or item == _EVERYTHING for item in items)
    selected = x if whole and reverse else x[items]
    return flip(selected, reverse) if reverse else selected


def _gather(x: Tensor, indices: Sequence[Tensor]) -> Tensor:
    return x[tuple(indices)]


gather = moving(_gather)
"""The elements at the coordinates that index tensors of at least one dimension give."""


def _masked(x: Tensor, mask: Tensor) -> Tensor:
    return x[mask]


masked = moving(_masked)
"""The slices of ``x`` where ``mask``, of the shape of its leading axes, is true."""


def out_of_bounds(x: Tensor, indices: Sequence[Tensor]) -> bool:
    """Whether index tensors of an empty selection are out of bounds; torch does not check.

    The check runs on the CPU only, as torch's check of a nonempty selection.
    """
    if torch.compiler.is_compiling() or not x.is_cpu:
        return False
    return any(
        i.numel() and bool((i.min() < -size) | (i.max() >= size))
        for i, size in zip(indices, x.shape, strict=False)
    )


def put(x: Tensor, indices: Sequence[Tensor], value: Tensor) -> None:
    """Replace the elements at the coordinates that the index tensors give."""
    if x.dtype in WIDE_UNSIGNED:
        twin = SIGNED_TWIN[x.dtype]
        x, value = x.view(twin), value.view(twin)
    x.index_put_(tuple(indices), value)


def put_where(x: Tensor, mask: Tensor, value: Tensor) -> None:
    """Replace elements where ``mask`` is true by those of ``value`` at the same index."""
    if x.dtype in WIDE_UNSIGNED:
        twin = SIGNED_TWIN[x.dtype]
        x, value = x.view(twin), value.view(twin)
    # masked_fill_ on CUDA reads the value of a 0-D tensor into Python, and so waits.
    x.copy_(torch.where(mask, value, x))


def fill_in_trace(x: Tensor, mask: Tensor, number: complex) -> None:
    """Replace elements where ``mask`` is true by a number, in a trace.

    AOTAutograd lays the result of masked_fill_ out row by row: a later view of another array by
    columns would not fit, and what should be a copy would be a view.
    """
    if x.is_contiguous():
        x.masked_fill_(mask, number)
    else:
        x.copy_(torch.where(mask, number, x))


def put_in_order(x: Tensor, mask: Tensor, values: Tensor) -> None:
    """Replace elements where ``mask`` is true by those of 1-D ``values``, in order.

    For traces: nothing here has a size that depends on data. One value goes to every place; else
    the program that runs checks that there is a value for each place.
    """
    if x.dtype in WIDE_UNSIGNED:
        twin = SIGNED_TWIN[x.dtype]
        x, values = x.view(twin), values.view(twin)
    count = torch.count_nonzero(mask)
    given = torch.zeros_like(count) + values.shape[0]
    assert_async((count == given) | (given == 1), "as many values as places to assign them to")
    places = (mask.reshape(-1).cumsum(0) - 1).clamp(0, values.shape[0] - 1)
    taken = torch.cat([values, values.new_zeros(1)])[places]  # so that there may be no values
    x.copy_(torch.where(mask, taken.reshape(mask.shape), x))


def shares_memory(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors may share elements. It may be true for two that share none.

    In a trace, which has no addresses, it is always true.
    """
    if torch.compiler.is_compiling():
        return True
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()


def overlaps_itself(x: Tensor) -> bool:
    """Whether elements of ``x`` share memory, as those of a broadcast tensor do."""
    if x.is_contiguous():
        return False
    return any(s == 0 and n > 1 for s, n in zip(x.stride(), x.shape, strict=True))


def native_take(x: Tensor, indices: Tensor, axis: int) -> Tensor:
    """``take`` for the dtypes that torch can move."""
    # index_select does not support negative indices; on the CPU it raises.
    if x.ndim == 1:
        return torch.take(x, indices)
    if x.is_cpu and x.numel() and not torch.compiler.is_compiling():
        try:
            return torch.index_select(x, axis, indices)
        except (IndexError, RuntimeError):
            pass
    return x[(slice(None),) * axis + (indices,)]


take = moving(native_take)
"""The slices at int64 ``indices`` along an axis."""


def _take_along(x: Tensor, indices: Tensor, axis: int) -> Tensor:
    # torch's gather does not support negative indices. The shift makes them -1, the others 0.
    wrapped = torch.sub(indices, indices >> 63, alpha=x.shape[axis])
    return torch.gather(x, axis, wrapped)


take_along = moving(_take_along)
"""The elements at int64 ``indices`` along an axis; the other axes have equal sizes."""
