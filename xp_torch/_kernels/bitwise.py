"""Bits: and, or, exclusive or, inversion and shifts."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from .._core.dtypes import BOOLEAN, BOUNDS, NATIVE_INTEGER, SIGNED_TWIN, WIDE_UNSIGNED
from .kernel import Kernel, Numbers
from .unsigned import same_bits

_BITS = BOOLEAN.dtypes | NATIVE_INTEGER


def _bitwise_right_shift(a: Tensor, b: Tensor) -> Tensor:
    dtype = a.dtype
    if dtype not in WIDE_UNSIGNED:
        return torch.bitwise_right_shift(a, b)
    # Shift by one and clear the sign bit, then shift by the rest: the signed shift copies the sign.
    # torch gives 0 for a shift out of range, and a shift of 2**(bits-1) or more reads as negative.
    twin = SIGNED_TWIN[dtype]
    x, n = a.view(twin), b.view(twin)
    shifted = torch.bitwise_right_shift((x >> 1) & BOUNDS[twin][1], n - 1)
    return torch.where(n == 0, x, shifted).view(dtype)


def _bits(name: str, function: Callable[..., Tensor]) -> Kernel:
    """A commutative operation on bits: the same for signed and unsigned integers."""
    return Kernel(name, function, _BITS, same_bits(function), Numbers(_BITS, function, function))


bitwise_and = _bits("bitwise_and", torch.bitwise_and)
bitwise_or = _bits("bitwise_or", torch.bitwise_or)
bitwise_xor = _bits("bitwise_xor", torch.bitwise_xor)
bitwise_invert = Kernel("bitwise_invert", torch.bitwise_not, _BITS, same_bits(torch.bitwise_not))
bitwise_left_shift = Kernel(
    "bitwise_left_shift",
    torch.bitwise_left_shift,
    NATIVE_INTEGER,
    same_bits(torch.bitwise_left_shift),
    Numbers(NATIVE_INTEGER, torch.bitwise_left_shift),
    natural=True,
)
bitwise_right_shift = Kernel(
    "bitwise_right_shift",
    torch.bitwise_right_shift,
    NATIVE_INTEGER,
    _bitwise_right_shift,
    Numbers(NATIVE_INTEGER, torch.bitwise_right_shift),
    natural=True,
)
