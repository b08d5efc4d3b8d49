"""Reductions and accumulations for every dtype, from torch's.

``axes`` are distinct, non-negative and all of them reduced: an empty tuple reduces nothing,
and the result is then a new array all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod as product

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._core.dtypes import SIGNED_TWIN
from .._torch.internals import is_certain
from . import blocks
from .blocks import Axes, is_large
from .unsigned import as_signed, from_ordered, to_ordered


def _over(x: Tensor, axes: Axes, keepdims: bool) -> tuple[Tensor, Axes, bool]:
    """Adapt the axes of a reduction to torch.

    torch reads ``dim=()`` as all axes (https://github.com/pytorch/pytorch/issues/29137): to
    reduce none is to reduce a new last axis of one element.
    """
    if axes:
        return x, axes, keepdims
    return x.unsqueeze(-1), (x.ndim,), False


def count(x: Tensor, axes: Axes) -> int:
    """How many elements go into each element of a reduction's result."""
    shape = x.shape
    return product([shape[a] for a in axes])


def _accumulator(x: Tensor, dtype: torch.dtype) -> Tensor:
    """Cast ``x`` to ``dtype``, or to the signed dtype with the same sums and products."""
    if x.dtype is not dtype:
        x = x.to(dtype)
    return x.view(SIGNED_TWIN[dtype]) if dtype in SIGNED_TWIN else x


def _finish(result: Tensor, dtype: torch.dtype) -> Tensor:
    return result if result.dtype is dtype else result.view(dtype)


_COUNTS = frozenset({torch.int64, torch.float64})  # every number of elements is exact in them


def sum(x: Tensor, axes: Axes, keepdims: bool, dtype: torch.dtype) -> Tensor:
    """The sum in ``dtype``: integers wrap around, the sum of booleans is their disjunction."""
    if x.dtype is torch.bool and dtype in _COUNTS and axes and is_large(x):
        return blocks.count_nonzero(x, axes, keepdims).to(dtype)
    x, axes, keepdims = _over(x, axes, keepdims)
    if dtype is torch.bool:
        return torch.any(x.to(dtype), axes, keepdims)
    if x.dtype is dtype and dtype not in SIGNED_TWIN:
        return torch.sum(x, axes, keepdims, dtype=dtype)
    if x.dtype is not dtype and is_large(x) and not x.requires_grad:
        total = blocks.sum_cast(x, axes, keepdims, SIGNED_TWIN.get(dtype, dtype))
        if total is not None:
            return _finish(total, dtype)
    a = _accumulator(x, dtype)
    return _finish(torch.sum(a, axes, keepdims, dtype=a.dtype), dtype)


def prod(x: Tensor, axes: Axes, keepdims: bool, dtype: torch.dtype) -> Tensor:
    """The product in ``dtype``: integers wrap around, that of booleans is their conjunction."""
    x, axes, keepdims = _over(x, axes, keepdims)
    if dtype is torch.bool:
        return torch.all(x.to(dtype), axes, keepdims)
    a = _accumulator(x, dtype)
    # torch.prod takes one axis only. Start with the last one, so that the other axes keep their
    # numbers.
    for axis in sorted(axes, reverse=True):
        a = torch.prod(a, axis, keepdims, dtype=a.dtype)
    return _finish(a, dtype)


def _extremum(torchs: Callable[..., Tensor]) -> Callable[[Tensor, Axes, bool], Tensor]:
    def extremum(x: Tensor, axes: Axes, keepdims: bool) -> Tensor:
        return from_ordered(torchs(*_over(to_ordered(x), axes, keepdims)), x.dtype)

    return extremum


max = _extremum(torch.amax)
"""The largest element; no reduced axis is empty."""
min = _extremum(torch.amin)
"""The smallest element; no reduced axis is empty."""


def mean(x: Tensor, axes: Axes, keepdims: bool) -> Tensor:
    """The arithmetic mean; NaN for no elements."""
    return torch.mean(*_over(x, axes, keepdims))


def _spread(torchs: Callable[..., Tensor]) -> Callable[[Tensor, Axes, bool, float], Tensor]:
    def spread(x: Tensor, axes: Axes, keepdims: bool, correction: float) -> Tensor:
        divisor = count(x, axes) - correction
        x, axes, keepdims = _over(x, axes, keepdims)
        if divisor > 0 and x.numel():
            return torchs(x, axes, correction=correction, keepdim=keepdims)
        return _undefined(x, axes, keepdims, divisor)

    return spread


var = _spread(torch.var)
"""The variance, NaN unless there are more elements than ``correction``."""
std = _spread(torch.std)
"""The standard deviation, NaN unless there are more elements than ``correction``."""


def _undefined(x: Tensor, axes: Axes, keepdims: bool, divisor: float) -> Tensor:
    """The variance of too few elements. torch warns about it, and for empty results too.

    torch divides by max(0, divisor) where the standard asks for NaN. For no elements and a negative
    correction torch gives NaN, although the divisor is positive and the sum is zero.
    """
    nothing = torch.sum(x, axes, keepdims)
    return nothing if divisor > 0 else nothing * float("nan")


def _truth(x: Tensor) -> Tensor:
    """Convert ``x`` to a dtype for which torch's ``all`` and ``any`` return booleans.

    For uint8 they return uint8, as before torch had a boolean dtype
    (https://github.com/pytorch/pytorch/issues/20302). They do not support the wide unsigned dtypes.
    """
    twin = SIGNED_TWIN.get(x.dtype)
    return x if twin is None else x.view(twin)


def all(x: Tensor, axes: Axes, keepdims: bool) -> Tensor:
    """Whether every element is true."""
    x = _truth(x)
    if axes and is_large(x):
        return blocks.all_nonzero(x, axes, keepdims)
    return torch.all(*_over(x, axes, keepdims))


def any(x: Tensor, axes: Axes, keepdims: bool) -> Tensor:
    """Whether some element is true."""
    x = _truth(x)
    if axes and is_large(x):
        return blocks.any_nonzero(x, axes, keepdims)
    return torch.any(*_over(x, axes, keepdims))


def count_nonzero(x: Tensor, axes: Axes, keepdims: bool) -> Tensor:
    """How many elements are not zero, as int64."""
    if axes and is_large(x):
        return blocks.count_nonzero(as_signed(x), axes, keepdims)
    y, axes, keepdims = _over(as_signed(x), axes, keepdims)
    if not keepdims:
        return torch.count_nonzero(y, axes)
    return torch.sum(torch.ne(y, 0), axes, keepdims)


def _with_initial(a: Tensor, axis: int, initial: int) -> Tensor:
    shape = list(a.shape)
    shape[axis] = 1
    return torch.cat([a.new_full(shape, initial), a], axis)


def _accumulation(
    torchs: Callable[..., Tensor], initial: int
) -> Callable[[Tensor, int, torch.dtype, bool], Tensor]:
    def accumulation(x: Tensor, axis: int, dtype: torch.dtype, include_initial: bool) -> Tensor:
        a = x.to(dtype).to(torch.int8) if dtype is torch.bool else _accumulator(x, dtype)
        if include_initial:
            a = _with_initial(a, axis, initial)
        if dtype is torch.bool:
            return torchs(a, axis, dtype=torch.int64).to(dtype)
        return _finish(torchs(a, axis, dtype=a.dtype), dtype)

    return accumulation


cumulative_sum = _accumulation(torch.cumsum, 0)
"""The running sums in ``dtype``, after a zero if ``include_initial``."""
cumulative_prod = _accumulation(torch.cumprod, 1)
"""The running products in ``dtype``, after a one if ``include_initial``."""


def diff(x: Tensor, axis: int, n: int) -> Tensor:
    """The n-th differences; integers wrap around."""
    if x.dtype.is_complex:
        # torch multiplies the second number by a complex one, which turns an infinity into a NaN.
        parts = torch.diff(torch.view_as_real(x.resolve_conj()), n, axis)
        return torch.view_as_complex(parts)
    bits = as_signed(x)
    if is_certain(x.shape[axis] > n) or not is_dynamo_compiling():
        return _finish(torch.diff(bits, n, axis), x.dtype)
    for _ in range(n):  # torch.diff must know the size
        along = bits.movedim(axis, 0)
        bits = (along[1:] - along[:-1]).movedim(0, axis)
    return _finish(bits, x.dtype)
