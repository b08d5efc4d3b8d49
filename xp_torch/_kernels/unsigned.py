"""uint16, uint32 and uint64, for which torch lacks kernels, by the kernels it has.

Three ways, in order of preference:

- *same bits*: add, subtract, multiply, bitwise and equality give the same bits whether they
  are read as signed or unsigned: reinterpret (a view, no copy), compute, reinterpret back.
- *flipped order*: adding 2**(bits-1) (flipping the sign bit) maps unsigned order to signed
  order: comparisons, extrema, sorting and searching work on the flipped bits.
- *widened*: uint16 and uint32 fit in int64, where every kernel exists and is exact.

torch's own tracking issue for these dtypes: https://github.com/pytorch/pytorch/issues/58734
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from .._core.dtypes import BOUNDS, SIGNED_TWIN, WIDE_UNSIGNED

_SIGN_BIT: dict[torch.dtype, int] = {wide: BOUNDS[SIGNED_TWIN[wide]][0] for wide in WIDE_UNSIGNED}


def as_signed(x: Tensor) -> Tensor:
    """View the bits as the signed dtype of the same width; other dtypes are unchanged."""
    return x.view(SIGNED_TWIN[x.dtype]) if x.dtype in WIDE_UNSIGNED else x


def from_signed(signed: Tensor, dtype: torch.dtype) -> Tensor:
    """The inverse of ``as_signed``; a view of the same dtype would cut the gradient."""
    return signed.view(dtype) if dtype in WIDE_UNSIGNED else signed


def same_bits(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """A kernel for all integers from one whose result bits do not depend on signedness."""

    def general(*operands: Tensor) -> Tensor:
        dtype = operands[0].dtype
        if dtype not in WIDE_UNSIGNED:
            return function(*operands)
        twin = SIGNED_TWIN[dtype]
        return function(*[t.view(twin) for t in operands]).view(dtype)

    return general


def to_ordered(x: Tensor) -> Tensor:
    """Signed integers with the order of ``x``; other dtypes are unchanged."""
    dtype = x.dtype
    if dtype not in WIDE_UNSIGNED:
        return x
    return x.view(SIGNED_TWIN[dtype]) ^ _SIGN_BIT[dtype]


def from_ordered(ordered: Tensor, dtype: torch.dtype) -> Tensor:
    """The inverse of ``to_ordered``, for values taken from its result."""
    if dtype not in WIDE_UNSIGNED:
        return ordered
    return (ordered ^ _SIGN_BIT[dtype]).view(dtype)


def in_order(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Extend a kernel that compares operands and returns their values."""

    def general(*operands: Tensor) -> Tensor:
        dtype = operands[0].dtype
        if dtype not in WIDE_UNSIGNED:
            return function(*operands)
        return from_ordered(function(*[to_ordered(t) for t in operands]), dtype)

    return general


def comparison(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Extend a kernel that compares operands and returns booleans."""

    def general(*operands: Tensor) -> Tensor:
        return function(*[to_ordered(t) for t in operands])

    return general
