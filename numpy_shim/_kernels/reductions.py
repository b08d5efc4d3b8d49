"""Reductions of NumPy that the shared kernels lack: 16-bit floats, complex order, ``where``.

``axes`` are as in ``xp_torch._kernels.reductions``: distinct, non-negative, all reduced.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from xp_torch._kernels import reductions as shared
from xp_torch._kernels.blocks import Axes, is_large
from xp_torch._kernels.reductions import count
from xp_torch._kernels.searching import where as choose

from .casting import narrowed
from .host_kernels import or_numpys

HALVES = frozenset({torch.float16, torch.bfloat16})


def sum(x: Tensor, axes: Axes, keepdims: bool, dtype: torch.dtype) -> Tensor:
    """The sum of ``x`` cast to ``dtype``; 16-bit floats are summed in float32."""
    if dtype in HALVES:
        return shared.sum(_halved(x, dtype), axes, keepdims, torch.float32).to(dtype)
    return shared.sum(_castable(x, dtype), axes, keepdims, dtype)


def prod(x: Tensor, axes: Axes, keepdims: bool, dtype: torch.dtype) -> Tensor:
    """The product of ``x`` cast to ``dtype``; 16-bit floats are multiplied in float32."""
    if dtype in HALVES:
        return shared.prod(_halved(x, dtype), axes, keepdims, torch.float32).to(dtype)
    return shared.prod(_castable(x, dtype), axes, keepdims, dtype)


def sum_of_booleans(x: Tensor, axis: int | Axes | None = None, keepdims: bool = False) -> Tensor:
    """``torch.sum``, or a faster count of many booleans; ``IndexError`` for a wrong axis."""
    if is_large(x):
        numbers = range(x.dim())
        given = numbers if axis is None else axis if isinstance(axis, tuple) else (axis,)
        axes = tuple([numbers[i] for i in given])
        if len(set(axes)) == len(axes):  # torch refuses a repeated axis
            return shared.sum(x, axes, keepdims, torch.int64)
    return torch.sum(x) if axis is None else torch.sum(x, axis, keepdims)


def _castable(x: Tensor, dtype: torch.dtype) -> Tensor:
    """The real part where ``dtype`` is real: torch would warn of the lost part."""
    return x.real if x.dtype.is_complex and not dtype.is_complex else x


def _halved(x: Tensor, dtype: torch.dtype) -> Tensor:
    """``x`` in a 16-bit dtype, each element rounded once."""
    x = _castable(x, dtype)
    return narrowed(x, dtype) if x.dtype is torch.float64 else x.to(dtype)


def max(x: Tensor, axes: Axes, keepdims: bool, dtype: torch.dtype | None = None) -> Tensor:
    """The largest element; complex numbers by real part, then imaginary part, NaN first."""
    if x.dtype.is_complex:
        return _complex_extremum(x, axes, keepdims, shared.max, float("-inf"))
    return shared.max(x, axes, keepdims)


def min(x: Tensor, axes: Axes, keepdims: bool, dtype: torch.dtype | None = None) -> Tensor:
    """The smallest element; complex numbers by real part, then imaginary part, NaN first."""
    if x.dtype.is_complex:
        return _complex_extremum(x, axes, keepdims, shared.min, float("inf"))
    return shared.min(x, axes, keepdims)


min_of_int64 = or_numpys("min")(torch.amin)
"""torch's loop for the smallest of int64 is not vectorised; that for the largest is."""


def any(x: Tensor, axes: Axes, keepdims: bool, dtype: torch.dtype | None = None) -> Tensor:
    """Whether some element is true."""
    return shared.any(x, axes, keepdims)


def all(x: Tensor, axes: Axes, keepdims: bool, dtype: torch.dtype | None = None) -> Tensor:
    """Whether every element is true."""
    return shared.all(x, axes, keepdims)


def _complex_extremum(
    x: Tensor,
    axes: Axes,
    keepdims: bool,
    extremum: Callable[[Tensor, Axes, bool], Tensor],
    never: float,
) -> Tensor:
    """The element itself, found by its index, so that a NaN keeps its other part."""
    rows = last(x, axes)
    real, imag = rows.real, rows.imag
    nan = torch.isnan(real) | torch.isnan(imag)
    end = (rows.dim() - 1,)
    candidates = torch.where(nan, never, real)
    best = candidates == extremum(candidates, end, True)
    best = best & ~nan
    imag = torch.where(best, imag, never)
    best = best & (imag == extremum(imag, end, True))
    chosen = torch.where(torch.any(nan, -1, True), nan, best)
    index = torch.argmax(chosen.to(torch.int8), -1, keepdim=True)
    result = rows.gather(-1, index).squeeze(-1)
    return result.reshape(reduced_shape(x, axes, True)) if keepdims else result


def last(x: Tensor, axes: Axes) -> Tensor:
    """``x`` with ``axes`` merged into one last axis; a view where possible."""
    if len(axes) == 1:
        return x.movedim(axes[0], -1)
    kept = [a for a in range(x.dim()) if a not in axes]
    moved = x.permute([*kept, *sorted(axes)])
    return moved.reshape([x.shape[a] for a in kept] + [count(x, axes)])


def reduced_shape(x: Tensor, axes: Axes, keepdims: bool) -> list[int]:
    """The shape of a reduction's result."""
    if keepdims:
        return [1 if a in axes else n for a, n in enumerate(x.shape)]
    return [n for a, n in enumerate(x.shape) if a not in axes]


def masked(x: Tensor, mask: Tensor, identity: float) -> Tensor:
    """``x`` where ``mask`` is true, ``identity`` elsewhere."""
    if not x.dtype.is_floating_point and not x.dtype.is_complex:
        # A Python float would promote integers.
        identity = bool(identity) if x.dtype is torch.bool else int(identity)
    return choose(mask, x, x.new_full((), identity))


def mean(x: Tensor, axes: Axes, keepdims: bool, dtype: torch.dtype) -> Tensor:
    """The mean, computed in ``dtype`` (integer dtypes round each step toward zero)."""
    if x.dtype is dtype and (dtype.is_floating_point or dtype.is_complex) and dtype not in HALVES:
        return shared.mean(x, axes, keepdims)
    return divided(sum(x, axes, keepdims, dtype), count(x, axes))


def divided(x: Tensor, divisor: Tensor | float) -> Tensor:
    """``x / divisor`` in the dtype of ``x``, as C casts it."""
    dtype = x.dtype
    if dtype in HALVES:
        return (x.float() / divisor).to(dtype)
    if dtype.is_floating_point or dtype.is_complex:
        return torch.div(x, divisor).to(dtype)
    return torch.div(x.to(torch.float64), divisor).to(dtype)
