"""Division with a remainder, and powers."""

from __future__ import annotations

from math import isfinite, prod

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._core import box as _box
from .._core.dtypes import NATIVE_INTEGER, REAL_FLOATING, WIDE_UNSIGNED
from .creation import complex_nan
from .host_reads import LITTLE, few_values, finite, flat, no_nan
from .kernel import Kernel, Numbers
from .unsigned import to_ordered

_TOP = 2**63 - 1
_torch_remainder = torch.remainder  # a local name is faster than the module's


def _divmod_uint64(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Quotient and remainder of uint64; both 0 for a divisor of 0.

    Twice the signed quotient of half the dividend is at most one too small (Hacker's Delight, 9-3).
    A divisor of at least 2**63 has a quotient of 0 or 1.
    """
    x, y = a.view(torch.int64), b.view(torch.int64)
    zero = y == 0
    large = y < 0
    half = (x >> 1) & _TOP
    divisor = torch.where(zero | large, 1, y)
    quotient = torch.where(large, 0, torch.div(half, divisor, rounding_mode="trunc") << 1)
    rest = x - quotient * y
    fits = to_ordered(rest.view(torch.uint64)) >= to_ordered(b)
    quotient = torch.where(fits, quotient + 1, quotient)
    rest = torch.where(fits, rest - y, rest)
    return (
        torch.where(zero, 0, quotient).view(torch.uint64),
        torch.where(zero, 0, rest).view(torch.uint64),
    )


def _degenerate(b: Tensor) -> Tensor:
    """Where a divisor makes the processor trap: 0, and -1 (for the smallest integer)."""
    return b == 0 if b.dtype is torch.uint8 else (b == 0) | (b == -1)


def _harmless(b: Tensor) -> bool:
    """Whether the values were read and no integer divisor is degenerate."""
    divisors = few_values(b)
    return divisors is not None and 0 not in divisors and -1 not in divisors


def _floor_divide_floating(a: Tensor, b: Tensor) -> Tensor:
    # torch.floor_divide has no gradient; this one has a gradient of zeros. For infinities the
    # standard asks for floor(a / b), but torch gives Python's results: NaN, and -1 for -0.
    quotient = a.div(b, rounding_mode="floor")
    if (  # few_values and finite, inlined
        not is_dynamo_compiling()
        and type(quotient) is Tensor
        and (not _box.several_devices or quotient.is_cpu)
    ):
        try:
            if quotient.nbytes <= LITTLE:
                # torch's wrong quotients are NaN, or -1 for an infinite divisor.
                values = quotient.tolist()
                try:
                    found = sum(values, 0.0)
                except TypeError:  # more than one axis
                    values = flat(values)
                    found = sum(values, 0.0)
                if isfinite(found) and (-1.0 not in values or finite(b)):
                    return quotient
            elif finite(quotient) and finite(b):
                return quotient
        except RuntimeError:  # under vmap and similar transforms
            pass
    # Detached: the gradient of a step is zero, and through a divisor of zero it would be NaN.
    exact = torch.div(a.detach(), b.detach()) if quotient.requires_grad else torch.div(a, b)
    return torch.where(torch.isinf(a) | torch.isinf(b), exact, quotient)


def _floor_divide(a: Tensor, b: Tensor) -> Tensor:
    dtype = a.dtype
    if dtype.is_floating_point:
        return _floor_divide_floating(a, b)
    if dtype in WIDE_UNSIGNED:
        if dtype is torch.uint64:
            return _divmod_uint64(a, b)[0]
        return _floor_divide(a.to(torch.int64), b.to(torch.int64)).to(dtype)
    if _harmless(b):
        return torch.div(a, b, rounding_mode="floor")
    # torch raises for a zero divisor on the CPU, and the smallest integer by -1 traps: there the
    # product is the required result, 0 and the wrapped-around quotient.
    degenerate = _degenerate(b)
    quotient = torch.div(a, b.masked_fill(degenerate, 1), rounding_mode="floor")
    return torch.where(degenerate, a * b, quotient)


def _floor_divide_by(x: Tensor, number: float) -> Tensor:
    if x.get_device() >= 0:  # CUDA multiplies by the reciprocal of a number
        return _floor_divide(x, x.new_full((), number))
    if x.dtype.is_floating_point:
        if number - number != 0.0:
            return _floor_divide(x, x.new_full((), number))
        quotient = torch.div(x, number, rounding_mode="floor")
        if finite(x):
            return quotient
        exact = torch.div(x.detach() if x.requires_grad else x, number)
        return torch.where(torch.isinf(x), exact, quotient)
    if number in (0, -1):
        return x * number
    return torch.div(x, number, rounding_mode="floor")


_SCALE = {torch.float32: 2.0**120, torch.float64: 2.0**1000}


def _with_sign(remainder: Tensor, divisor: Tensor | float) -> Tensor:
    """``remainder`` with the divisor's sign, which changes only zeros.

    It keeps its own gradient: that of copysign is 0 for a zero and NaN for a NaN.
    """
    if not remainder.requires_grad:
        return remainder.copysign_(divisor)
    remainder.detach().copysign_(divisor.detach() if isinstance(divisor, Tensor) else divisor)
    return remainder


def _remainder_floating(a: Tensor, b: Tensor) -> Tensor:
    """torch's remainder, where a zero takes its sign from the dividend, with the divisor's."""
    if (  # few_values, inlined
        not is_dynamo_compiling() and type(a) is Tensor and (not _box.several_devices or a.is_cpu)
    ):
        result = _torch_remainder(a, b)
        try:
            if result.nbytes <= LITTLE:
                values = result.tolist()
                try:
                    product = prod(values, start=1.0)
                except TypeError:  # more than one axis
                    product = prod(flat(values), start=1.0)
                if product == product:  # no NaN, and no zero unless the product is 0
                    return result if product else _with_sign(result, b)
        except RuntimeError:  # under vmap and similar transforms
            pass
        if no_nan(result):
            return _with_sign(result, b)
    if a.get_device() < 0:
        # torch's vectorised fmod gives NaN where a / b overflows. Taking the remainder by a
        # multiple of the divisor first keeps each quotient in range and does not change the result.
        scale = _SCALE[a.dtype]
        multiple = b * scale
        a = torch.fmod(torch.fmod(a, multiple * scale), multiple)
    return _with_sign(torch.remainder(a, b), b)


def _remainder(a: Tensor, b: Tensor) -> Tensor:
    dtype = a.dtype
    if dtype.is_floating_point:
        return _remainder_floating(a, b)
    if dtype in WIDE_UNSIGNED:
        if dtype is torch.uint64:
            return _divmod_uint64(a, b)[1]
        return _remainder(a.to(torch.int64), b.to(torch.int64)).to(dtype)
    return torch.remainder(a, b if _harmless(b) else b.masked_fill(_degenerate(b), 1))


def _remainder_by(x: Tensor, number: float) -> Tensor:
    if x.dtype.is_floating_point:
        if not abs(number) >= 1.0:  # a quotient may overflow
            return _remainder_floating(x, x.new_full((), number))
        result = torch.remainder(x, number)
        values = few_values(result)
        return _with_sign(result, number) if values is None or 0.0 in values else result
    if number in (0, -1):
        return torch.zeros_like(x)
    return torch.remainder(x, number)


WHOLE = frozenset(range(1, 100))
"""The exponents of complex numbers for which NumPy multiplies."""


def power_by_whole(z: Tensor, n: int) -> Tensor:
    """``z`` to the power ``n``, a positive whole number, by multiplications."""
    result, square, left = None, z, n
    while True:
        if left & 1:
            result = square if result is None else result * square
        left >>= 1
        if not left:
            break
        square = square * square
    assert result is not None
    return result.clone() if result is z else result


def _pow_complex(a: Tensor, b: Tensor) -> Tensor:
    exponents = few_values(b)
    if (
        exponents is not None
        and len(exponents) == 1
        and exponents[0] in WHOLE
        and b.dim() <= a.dim()
        and not b.requires_grad
    ):
        # torch takes the logarithm, and the square of 2j is not real.
        return power_by_whole(a, int(exponents[0].real))
    # torch takes the logarithm of a zero base, and gives NaN where NumPy gives 0 or 1.
    bases = few_values(a)
    if bases is not None and exponents is not None and 0 not in bases and 0 not in exponents:
        return torch.pow(a, b)
    zero = a == 0
    power = torch.pow(torch.where(zero, 1.0, a), b)
    of_zero = torch.where(b.real > 0, 0.0, complex_nan(a))
    return torch.where(b == 0, 1.0, torch.where(zero, of_zero, power))


def _pow(a: Tensor, b: Tensor) -> Tensor:
    dtype = a.dtype
    if dtype.is_complex:
        return _pow_complex(a, b)
    if dtype is torch.uint64:
        x, n = a.view(torch.int64), b.view(torch.int64)
        half = torch.pow(x, (n >> 1) & _TOP)
        return (half * half * torch.where((n & 1) == 1, x, 1)).view(dtype)
    if dtype in WIDE_UNSIGNED:
        # int64 wraps around modulo 2**64, so the low bits are correct.
        return torch.pow(a.to(torch.int64), b.to(torch.int64)).to(dtype)
    return torch.pow(a, b)


def _pow_by(x: Tensor, number: float) -> Tensor:
    # torch replaces these powers by square roots and squares, which differ for -inf, -0.0 and
    # squares that overflow.
    if number in (0.5, -0.5, -2.0):
        return torch.pow(x, x.new_full((), number))
    return torch.pow(x, number)


def _pow_of(x: Tensor, number: float) -> Tensor:
    return torch.pow(number, x)


_REAL = NATIVE_INTEGER | REAL_FLOATING.dtypes

floor_divide = Kernel(
    "floor_divide",
    _floor_divide_floating,
    REAL_FLOATING.dtypes,
    _floor_divide,
    Numbers(_REAL, _floor_divide_by),
)
remainder = Kernel(
    "remainder",
    _remainder_floating,
    REAL_FLOATING.dtypes,
    _remainder,
    Numbers(_REAL, _remainder_by),
)
pow = Kernel("pow", torch.pow, _REAL, _pow, Numbers(_REAL, _pow_by, _pow_of), natural=True)
