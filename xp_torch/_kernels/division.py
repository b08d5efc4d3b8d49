"""Division with a remainder, and powers."""

from __future__ import annotations

import torch
from torch import Tensor

from .._core.dtypes import FLOATING, NATIVE_INTEGER, REAL_FLOATING, WIDE_UNSIGNED
from .kernel import Kernel

_TOP = 2**63 - 1


def _divmod_uint64(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Quotient and remainder of uint64; both 0 for a divisor of 0.

    The signed division of half the dividend, twice, is at most one too small (Hacker's
    Delight, 9-3); a divisor from 2**63 on goes at most once.
    """
    x, y = a.view(torch.int64), b.view(torch.int64)
    zero = y == 0
    large = y < 0
    half = (x >> 1) & _TOP
    divisor = torch.where(zero | large, 1, y)
    quotient = torch.where(large, 0, torch.div(half, divisor, rounding_mode="trunc") << 1)
    rest = x - quotient * y
    low = 2**63 - 1
    fits = (rest ^ ~low) >= (y ^ ~low)
    quotient = torch.where(fits, quotient + 1, quotient)
    rest = torch.where(fits, rest - y, rest)
    return (
        torch.where(zero, 0, quotient).view(torch.uint64),
        torch.where(zero, 0, rest).view(torch.uint64),
    )


def _nonzero(b: Tensor) -> Tensor:
    """``b`` without the divisors that stop the processor: 0, and -1 (for the smallest int)."""
    return b == 0 if b.dtype is torch.uint8 else (b == 0) | (b == -1)


def _floor_divide(a: Tensor, b: Tensor) -> Tensor:
    dtype = a.dtype
    if dtype.is_floating_point:
        return torch.floor_divide(a, b)
    if dtype is torch.uint64:
        return _divmod_uint64(a, b)[0]
    if dtype in WIDE_UNSIGNED:
        return _floor_divide(a.to(torch.int64), b.to(torch.int64)).to(dtype)
    # torch raises for a zero divisor on the CPU, and the smallest int by -1 is a trap of the
    # processor: there the product is the result wanted, 0 and the wrapped-around quotient.
    degenerate = _nonzero(b)
    safe = torch.where(degenerate, 1, b)
    return torch.where(degenerate, a * b, torch.floor_divide(a, safe))


def _remainder(a: Tensor, b: Tensor) -> Tensor:
    dtype = a.dtype
    if dtype.is_floating_point:
        # torch gives a zero remainder the sign of the dividend.
        return torch.copysign(torch.remainder(a, b), b)
    if dtype is torch.uint64:
        return _divmod_uint64(a, b)[1]
    if dtype in WIDE_UNSIGNED:
        return _remainder(a.to(torch.int64), b.to(torch.int64)).to(dtype)
    return torch.remainder(a, torch.where(_nonzero(b), 1, b))


def _pow(a: Tensor, b: Tensor) -> Tensor:
    dtype = a.dtype
    if dtype is torch.uint64:
        x, n = a.view(torch.int64), b.view(torch.int64)
        half = torch.pow(x, (n >> 1) & _TOP)
        return (half * half * torch.where((n & 1) == 1, x, 1)).view(dtype)
    if dtype in WIDE_UNSIGNED:
        # int64 wraps around modulo 2**64, and so keeps the low bits.
        return torch.pow(a.to(torch.int64), b.to(torch.int64)).to(dtype)
    return torch.pow(a, b)


_NONE: frozenset[torch.dtype] = frozenset()

floor_divide = Kernel("floor_divide", torch.floor_divide, REAL_FLOATING.dtypes, _floor_divide)
remainder = Kernel("remainder", torch.remainder, _NONE, _remainder)
pow = Kernel("pow", torch.pow, NATIVE_INTEGER | FLOATING.dtypes, _pow)
