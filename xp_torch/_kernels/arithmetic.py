"""Arithmetic kernels: sums, products, quotients, signs and the parts of complex numbers."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._core import box as _box
from .._core.dtypes import FLOATING, NATIVE_INTEGER, NUMERIC, REAL_FLOATING, WIDE_UNSIGNED
from .complex_parts import by_parts
from .creation import complex_nan
from .host_reads import no_nan
from .kernel import Kernel, Numbers
from .unsigned import as_signed, same_bits

_REAL = NATIVE_INTEGER | REAL_FLOATING.dtypes
_NUMERIC = NATIVE_INTEGER | FLOATING.dtypes


def _sum(torchs: Callable[..., Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    """A sum or a difference of every dtype.

    torch computes a + alpha * b with a complex alpha of 1, which turns an infinite part of b into a
    NaN in the other part, and changes the sign of zeros of b.
    """
    of_bits, of_parts = same_bits(torchs), by_parts(torchs)

    def general(a: Tensor, b: Tensor) -> Tensor:
        if not a.dtype.is_complex:
            return of_bits(a, b)
        if not is_dynamo_compiling():
            try:
                return torch.view_as_complex(torchs(torch.view_as_real(a), torch.view_as_real(b)))
            except RuntimeError:  # of what is conjugated
                pass
        return of_parts(a, b)

    return general


_add, _subtract = _sum(torch.add), _sum(torch.sub)


def _divide_by(x: Tensor, number: float) -> Tensor:
    # On CUDA torch multiplies by the reciprocal of a number, which rounds twice if it rounds.
    if x.get_device() < 0 or (not is_dynamo_compiling() and _has_exact_reciprocal(number)):
        return torch.div(x, number)
    return torch.div(x, x.new_full((), number))


def _has_exact_reciprocal(number: float) -> bool:
    """Whether a number is a power of two whose reciprocal every dtype of floats has."""
    return 2**-14 <= math.fabs(number) <= 2**14 and math.fabs(math.frexp(number)[0]) == 0.5


def _divide_number(x: Tensor, number: float) -> Tensor:
    # For other numbers than 1, torch multiplies the reciprocal, which rounds twice.
    if not is_dynamo_compiling() and number == 1:
        return torch.reciprocal(x)
    return torch.div(torch.full((), number, dtype=x.dtype, device=x.device), x)


add = Kernel("add", torch.add, _REAL, _add, Numbers(_REAL, torch.add, torch.add))
subtract = Kernel("subtract", torch.sub, _REAL, _subtract, Numbers(_REAL, torch.sub, torch.rsub))
multiply = Kernel(
    "multiply", torch.mul, _NUMERIC, same_bits(torch.mul), Numbers(_NUMERIC, torch.mul, torch.mul)
)
divide = Kernel(
    "divide", torch.div, FLOATING.dtypes, torch.div,
    Numbers(REAL_FLOATING.dtypes, _divide_by, _divide_number),
)  # fmt: skip

_negative_bits = same_bits(torch.neg)
_negative_parts = by_parts(torch.neg)


def _negative(x: Tensor) -> Tensor:
    # torch subtracts complex numbers from zero, which loses the sign of their zeros.
    if not x.dtype.is_complex:
        return _negative_bits(x)
    if not is_dynamo_compiling():
        try:
            return torch.view_as_complex(torch.neg(torch.view_as_real(x)))
        except RuntimeError:  # of what is conjugated
            pass
    return _negative_parts(x)


negative = Kernel("negative", torch.neg, _REAL, _negative)
# torch.positive returns its argument, so a write to the result would change the operand.
positive = Kernel("positive", torch.clone, NUMERIC.dtypes, torch.clone)


def _abs(x: Tensor) -> Tensor:
    return x.clone() if x.dtype in WIDE_UNSIGNED else torch.abs(x)


abs = Kernel("abs", torch.abs, _NUMERIC, _abs)


# torch.square takes integers one by one.
_square = same_bits(lambda x: torch.mul(x, x))
square = Kernel("square", torch.square, REAL_FLOATING.dtypes, _square)


reciprocal = Kernel("reciprocal", torch.reciprocal, FLOATING.dtypes, torch.reciprocal)


def _sign_floating(x: Tensor) -> Tensor:
    """The sign of real numbers: torch.sign gives 0 for NaN."""
    result = x.sign()
    if (  # no_nan, inlined
        not is_dynamo_compiling() and type(x) is Tensor and (not _box.several_devices or x.is_cpu)
    ):
        try:
            if x.equal(x):
                return result
        except RuntimeError:  # under vmap and similar transforms
            pass
    # Clamping restores NaN. It clamps the magnitude, so that no zero has a sign, and it is
    # detached, because clamping would pass a gradient where the element equals its own sign.
    return torch.clamp(torch.abs(x.detach() if x.requires_grad else x), result, result)


def _sign_complex(x: Tensor) -> Tensor:
    # For an infinity x / abs(x) also is NaN in both parts; torch's sgn has NaN in one part.
    result = torch.sgn(x)
    if no_nan(result):
        return result
    return torch.where(torch.isfinite(x), result, complex_nan(result))


def _sign(x: Tensor) -> Tensor:
    dtype = x.dtype
    if dtype.is_floating_point:
        return _sign_floating(x)
    if dtype.is_complex:
        return _sign_complex(x)
    return torch.ne(as_signed(x), 0).to(dtype) if dtype in WIDE_UNSIGNED else torch.sign(x)


sign = Kernel("sign", _sign_floating, REAL_FLOATING.dtypes, _sign)


def _conj(x: Tensor) -> Tensor:
    # torch.conj is lazy: many torch functions refuse its result or resolve it again.
    return torch.conj_physical(x) if x.dtype.is_complex else x.clone()


def _real(x: Tensor) -> Tensor:
    return torch.real(x)


conj = Kernel("conj", torch.conj_physical, FLOATING.dtypes - REAL_FLOATING.dtypes, _conj)
real = Kernel("real", torch.real, NUMERIC.dtypes, _real)
imag = Kernel("imag", torch.imag, FLOATING.dtypes - REAL_FLOATING.dtypes, torch.imag)
