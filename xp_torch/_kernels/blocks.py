"""Faster algorithms for large CPU tensors, for which torch has no vectorised loop.

A block that fits the cache is computed from start to end before the next one, so that
intermediate results never reach the memory; a search ends with the block that has the answer.
Each function gives the same result as the plain torch call beside it. They are for tensors for
which ``is_large`` is true. It is false in a trace, which fuses calls by itself, and on
accelerators, whose loops are all parallel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isqrt
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._torch.internals import transform_level
from .host_reads import possible

Axes = tuple[int, ...]

BLOCK = 1 << 18
"""Bytes of a block: some of that size fit the second-level cache of a core together."""
LARGE = 1 << 15
"""From this number of elements on, the calls for the blocks save more than they cost."""
_OF_STEPS = 1 << 15
"""Elements of a block of which a function makes several intermediate results."""
_BYTE = frozenset({torch.bool, torch.uint8, torch.int8})
_INTEGER = frozenset({*_BYTE, torch.int16, torch.int32, torch.int64})
_MOST = 255  # the number of ones that a byte can sum


def is_large(x: Tensor) -> bool:
    """Whether blocks help: the tensor has many elements and its values can be read."""
    # A trace must not read sizes here, or it is compiled again for other sizes.
    return (
        not is_dynamo_compiling()
        and x.numel() >= LARGE
        and transform_level() is None
        and possible(x)
    )


def filled(
    write: Callable[..., object],
    general: Callable[..., Tensor],
    dtype: torch.dtype,
    x: Tensor,
    *others: Tensor,
) -> Tensor:
    """An element-wise function with results in ``dtype`` of large tensors, block by block.

    ``write(target, *blocks)`` gets contiguous rows, may read values, and fills the first of them.
    The others have the shape of ``x``, or no axes, and then each call gets them whole. ``general``
    computes the same for all tensors; gradients, ``vmap`` and similar transforms use it.
    """
    tensors = (x, *others)
    if any(t.requires_grad for t in tensors):
        return general(*tensors)
    out = torch.empty_like(x, dtype=dtype)  # the memory layout of x
    axes = tuple(range(x.dim()))
    results = _in_memory_order(out, axes)
    if results is None or any(t.dim() and t.stride() != out.stride() for t in tensors):
        out = torch.empty(x.shape, dtype=dtype, device=x.device)
        results = out.view(-1)
        tensors = tuple([t.contiguous() for t in tensors])
    size = BLOCK // max(t.itemsize for t in (out, *tensors)) * torch.get_num_threads()
    count = -(-x.numel() // size)
    rows = [
        torch.split(flat, size) if t.dim() and (flat := _in_memory_order(t, axes)) is not None
        else [t] * count
        for t in tensors
    ]  # fmt: skip
    try:
        for target, *parts in zip(torch.split(results, size), *rows, strict=True):
            write(target, *parts)
    except RuntimeError:  # under vmap and similar transforms
        return general(*tensors)
    return out


def mapped(
    function: Callable[[Tensor], Tensor],
    general: Callable[[Tensor], Tensor],
    x: Tensor,
    dtype: torch.dtype,
) -> Tensor:
    """``filled`` by a function that gives the results of a block."""
    return filled(lambda target, block: target.copy_(function(block)), general, dtype, x)


def elements_in_blocks(function: Callable[..., Any], operands: list[Tensor]) -> Any:
    """A function of the elements of large tensors of one shape, of many steps, block by block.

    It gives a tensor, or a tuple of them. Its intermediate results stay in the cache. Where the
    operands repeat one element, as the parameters of a distribution do, it is computed once.
    """
    shape = operands[0].shape
    flat = [t.reshape(-1) for t in operands]
    made: Any = None
    before: list[float | None] = []
    threads = torch.get_num_threads()
    size = _OF_STEPS if threads == 1 else 2 * _OF_STEPS * threads  # torch's least for each thread
    for begin in range(0, flat[0].numel(), size):
        block = [t[begin : begin + size] for t in flat]
        numbers = [repeated(t) for t in block]
        if not all(numbers):  # 0 may be -0
            part = function(*block)
        elif numbers != before:
            part = function(*[t[:1] for t in block])
        before = numbers
        parts = part if isinstance(part, tuple) else (part,)
        if made is None:
            made = [p.new_empty(flat[0].shape) for p in parts]
        for whole, values in zip(made, parts, strict=True):
            whole[begin : begin + size] = values  # one, or as many
    results = tuple([whole.reshape(shape) for whole in made])
    return results if isinstance(part, tuple) else results[0]


def repeated(x: Tensor) -> float | None:
    """The real number that all of at least 1000 elements are; ``None`` otherwise, and for NaN."""
    if x.numel() < 1000 or x.is_complex() or not possible(x) or transform_level() is not None:
        return None
    flat = x.detach().reshape(-1)
    if flat[0] != flat[-1]:
        return None
    least, most = torch.aminmax(flat if flat.stride(0) else flat[:1])
    return float(least) if least == most else None


def changed(method: Callable[[Tensor, Tensor], object], x: Tensor, other: Tensor) -> None:
    """``method(x, other)``, which changes ``x``, for contiguous tensors of one shape.

    A large ``other`` of another dtype is cast block by block; torch casts the whole tensor first.
    """
    if x.shape != other.shape or x.requires_grad or other.requires_grad or not is_large(x):
        method(x, other)
        return
    for part, by in _blocks(x.itemsize, x, other):
        method(part, by)


def sum_where(x: Tensor, mask: Tensor, dtype: torch.dtype) -> Tensor | None:
    """The sum of the elements where ``mask`` is true; ``None`` for other layouts in memory."""
    if not (x.is_contiguous() and mask.is_contiguous()) or x.requires_grad:
        return None
    parts = _blocks(dtype.itemsize, x, mask)
    return torch.sum(torch.stack([torch.sum(part[m], dtype=dtype) for part, m in parts]))


def _blocks(itemsize: int, *tensors: Tensor) -> Iterator[tuple[Tensor, ...]]:
    """The blocks of contiguous tensors of one shape, side by side."""
    size = BLOCK // itemsize * torch.get_num_threads()
    return zip(*[torch.split(x.view(-1), size) for x in tensors], strict=True)


def sum_cast(x: Tensor, axes: Axes, keepdims: bool, dtype: torch.dtype) -> Tensor | None:
    """The sum of all elements in another dtype, each block cast by itself; ``None`` over some axes.

    torch casts the whole tensor first.
    """
    flat = _in_memory_order(x, axes)
    if flat is None:
        return None
    size = BLOCK // dtype.itemsize
    space = torch.empty(size, dtype=dtype, device=x.device)  # one for all: the heap would grow
    sums = [torch.sum(space[: len(part)].copy_(part)) for part in torch.split(flat, size)]
    total = torch.sum(torch.stack(sums))
    return total.reshape([1] * x.dim()) if keepdims else total


def _cut(x: Tensor, axis: int, outer: int, inner: int) -> Tensor:
    """The first ``outer * inner`` elements of an axis as two axes."""
    shape = [*x.shape[:axis], outer, inner, *x.shape[axis + 1 :]]
    return x.narrow(axis, 0, outer * inner).view(shape)


def _growing(flat: Tensor) -> Iterator[Tensor]:
    """Split a 1-D tensor into parts of doubling length, up to half a million elements."""
    start, size = 0, LARGE // 4
    while start < flat.numel():
        yield flat[start : start + size]
        start += size
        size = min(start, BLOCK)


def _in_memory_order(x: Tensor, axes: Axes) -> Tensor | None:
    """All elements as one row in memory order, if all axes are reduced."""
    if len(axes) < x.dim():
        return None
    if not x.is_contiguous():
        x = x.permute(sorted(axes, key=x.stride, reverse=True))
    return x.view(-1) if x.is_contiguous() else None


def _ones(x: Tensor) -> Tensor:
    """Bytes that are 1 where elements are not 0.

    torch has a vectorised conversion to booleans, and no vectorised comparison that gives them.
    """
    if x.dtype is not torch.bool:
        if x.dtype is torch.uint8:
            x = x.view(torch.int8)
        x = torch.ne(x, 0) if x.dtype.is_complex else x.to(torch.bool)
    return x.view(torch.uint8)


def _bytes(x: Tensor) -> Tensor:
    """Bytes that are 0 where elements are."""
    return x.view(torch.uint8) if x.dtype in _BYTE else _ones(x)


def any_nonzero(x: Tensor, axes: Axes, keepdims: bool) -> Tensor:
    """``torch.any`` by the maximum, because ``torch.any`` has no vectorised loop."""
    flat = _in_memory_order(x, axes)
    if flat is None:
        return torch.ne(torch.amax(_bytes(x), axes, keepdims), 0)
    if flat.dtype in _INTEGER:
        flat = flat.view(torch.uint8)  # a number is nonzero if one of its bytes is
    try:
        found = any(bool(torch.amax(_bytes(part))) for part in _growing(flat))
    except RuntimeError:  # under vmap and similar transforms
        return torch.any(x, axes, keepdims)
    return torch.full([1] * (keepdims * x.dim()), found, device=x.device)


def all_nonzero(x: Tensor, axes: Axes, keepdims: bool) -> Tensor:
    """``torch.all`` by the minimum, because ``torch.all`` has no vectorised loop."""
    flat = _in_memory_order(x, axes)
    if flat is None:
        return torch.ne(torch.amin(_bytes(x), axes, keepdims), 0)
    try:
        missed = any(not torch.amin(_bytes(part)) for part in _growing(flat))
    except RuntimeError:  # under vmap and similar transforms
        return torch.all(x, axes, keepdims)
    return torch.full([1] * (keepdims * x.dim()), not missed, device=x.device)


def count_nonzero(x: Tensor, axes: Axes, keepdims: bool) -> Tensor:
    """The number of nonzero elements. torch sums bytes into bytes fastest."""
    flat = _in_memory_order(x, axes)
    if flat is not None:
        if flat.dtype.itemsize > 2:
            count = torch.count_nonzero(flat)
        else:
            count = _count(_ones(flat), (0,), 0).reshape(())
        return count.reshape([1] * x.dim()) if keepdims else count
    order = sorted(range(x.dim()), key=x.stride, reverse=True)
    moved = tuple([i for i, axis in enumerate(order) if axis in axes])
    ones = _ones(x.permute(order))
    count = _count(ones, moved, max(moved, key=lambda axis: ones.shape[axis]))
    count = count.permute([order.index(axis) for axis in range(x.dim())])
    return count if keepdims else count.reshape([n for i, n in enumerate(x.shape) if i not in axes])


def _count(ones: Tensor, axes: Axes, axis: int) -> Tensor:
    """The sum of zeros and ones over ``axes``, kept with size 1; ``axis`` is one of them."""
    size = ones.shape[axis]
    if size <= _MOST:
        return torch.sum(
            torch.sum(ones, axis, True, dtype=torch.uint8), axes, True, dtype=torch.int64
        )
    inner = -(-size // _MOST)
    if ones.stride(axis) == 1:
        inner = max(inner, 64)  # torch adds neighbours in one vector operation
    outer = size // inner
    whole = _cut(ones, axis, outer, inner)
    rest = ones.narrow(axis, outer * inner, size - outer * inner)
    counts = torch.sum(torch.sum(whole, axis, dtype=torch.uint8), axes, True, dtype=torch.int64)
    return counts + torch.sum(rest, axes, True, dtype=torch.int64)


def _first(x: Tensor, largest: bool) -> Tensor:
    """The first true element of a row of booleans (or the first false one); 0 if there is none."""
    start = 0
    for part in _growing(x):
        if bool(torch.amax(part)) if largest else not torch.amin(part):
            return (torch.argmax if largest else torch.argmin)(part) + start
        start += part.numel()
    return torch.zeros((), dtype=torch.int64, device=x.device)


def arg_extremum(x: Tensor, axis: int | None, keepdims: bool, largest: bool) -> Tensor:
    """``torch.argmax`` or ``argmin``: the extremum of each block first, which is vectorised.

    Then it searches the first block that has the overall extremum for the index.
    """
    search, extremum = (torch.argmax, torch.amax) if largest else (torch.argmin, torch.amin)
    x = x.detach()
    if axis is None:
        index = arg_extremum(x.reshape(-1), 0, False, largest)
        return index.reshape([1] * x.dim()) if keepdims else index
    if x.dtype is torch.bool:
        x = x.view(torch.uint8)
        if x.dim() == 1:
            index = _first(x, largest)
            return index.reshape(1) if keepdims else index
    size = x.shape[axis]
    inner = max(isqrt(size), 128 if x.stride(axis) == 1 else 16)
    outer = size // inner
    if outer < 2:
        return search(x, axis, keepdims)
    blocks = _cut(x, axis, outer, inner)
    best = extremum(blocks, axis + 1)
    rest = x.narrow(axis, outer * inner, size - outer * inner)
    if rest.numel():
        best = torch.cat([best, extremum(rest, axis, True)], axis)
    chosen = search(best, axis, True) * inner
    if x.dim() == 1:
        start = int(chosen)
        return search(x[start : start + inner], 0, keepdims) + start
    steps = torch.arange(inner, device=x.device)
    steps = steps.reshape([-1 if i == axis else 1 for i in range(x.dim())])
    # Past the end the last element is repeated; a search finds its first occurrence.
    indices = torch.clamp_max(chosen + steps, size - 1)
    index = search(x.gather(axis, indices), axis, True) + chosen
    return index if keepdims else index.squeeze(axis)
