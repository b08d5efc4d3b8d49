"""Creation kernels: filled, spaced and triangular tensors of every dtype."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from .._core.dtypes import BOUNDS, INTEGER, NATIVE_INTEGER, SIGNED_TWIN, WIDE_UNSIGNED

_FLOAT32_MAX = torch.finfo(torch.float32).max
# Halfway to the next power of two: where rounding to float32 gives infinity.
_FLOAT32_OVERFLOW = 2.0**128 - 2.0**103


def to_float32_range(value: float) -> float:
    """``value`` as float32 arithmetic takes it: beyond its range, the limit or infinity.

    torch refuses to fill a float32 tensor with a double out of its range, where a cast
    would round it.
    """
    if -_FLOAT32_MAX <= value <= _FLOAT32_MAX or value != value:
        return value
    return math.copysign(_FLOAT32_MAX if abs(value) < _FLOAT32_OVERFLOW else math.inf, value)


def full(shape: tuple[int, ...], value: Any, dtype: torch.dtype, device: Any) -> Tensor:
    """A tensor filled with a Python scalar that is already of the dtype's kind and range."""
    if dtype is torch.uint64 and value > BOUNDS[torch.int64][1]:
        # torch.full parses its fill value as a signed 64-bit integer.
        return torch.full(shape, value - 2**64, dtype=torch.int64, device=device).view(dtype)
    if dtype is torch.float32:
        value = to_float32_range(value)
    elif dtype is torch.complex64:
        value = complex(to_float32_range(value.real), to_float32_range(value.imag))
    return torch.full(shape, value, dtype=dtype, device=device)


def arange_int(start: int, step: int, count: int, dtype: torch.dtype, device: Any) -> Tensor:
    """``start + i * step`` for ``count`` integers, every one of them in the dtype's range."""
    if count == 0:
        return torch.empty(0, dtype=dtype, device=device)
    stop = start + count * step
    if dtype in NATIVE_INTEGER and -(2**53) <= start <= 2**53 and -(2**53) <= stop <= 2**53:
        return torch.arange(start, stop, step, dtype=dtype, device=device)
    # torch computes the length in doubles and overflows near the limits of int64, and it
    # has no arange for the wide unsigned dtypes: multiply and add, which wrap as they should.
    twin = SIGNED_TWIN.get(dtype, dtype)
    low, high = BOUNDS[torch.int64]
    step = (step - low) % 2**64 + low
    start = (start - low) % 2**64 + low
    spaced = torch.arange(count, dtype=torch.int64, device=device).mul_(step).add_(start)
    return spaced.to(twin).view(dtype)


def eye(rows: int, columns: int, k: int, dtype: torch.dtype, device: Any) -> Tensor:
    """Ones on the ``k``-th diagonal."""
    if k == 0 and dtype not in WIDE_UNSIGNED:
        return torch.eye(rows, columns, dtype=dtype, device=device)
    # torch.eye has no diagonal but the main one, and no kernel for the wide unsigned dtypes.
    k = max(-rows, min(k, columns))
    down = torch.arange(k, rows + k, device=device)[:, None]
    across = torch.arange(columns, device=device)
    return torch.eq(down, across).to(dtype)


def linspace(
    start: Any, stop: Any, num: int, dtype: torch.dtype, device: Any, endpoint: bool
) -> Tensor:
    """``num`` evenly spaced values of a floating-point dtype."""
    if not endpoint:
        return linspace(start, stop, num + 1, dtype, device, True)[:-1]
    return torch.linspace(start, stop, num, dtype=dtype, device=device)


def tril(x: Tensor, k: int) -> Tensor:
    """The lower triangles; what is above the ``k``-th diagonal is zero."""
    k = max(-x.shape[-2] - 1, min(k, x.shape[-1]))
    if x.dtype in WIDE_UNSIGNED:
        return torch.tril(x.view(SIGNED_TWIN[x.dtype]), k).view(x.dtype)
    return torch.tril(x, k)


def triu(x: Tensor, k: int) -> Tensor:
    """The upper triangles; what is below the ``k``-th diagonal is zero."""
    k = max(-x.shape[-2] - 1, min(k, x.shape[-1]))
    if x.dtype in WIDE_UNSIGNED:
        return torch.triu(x.view(SIGNED_TWIN[x.dtype]), k).view(x.dtype)
    return torch.triu(x, k)
