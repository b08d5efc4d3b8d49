"""Arithmetic kernels: sums, products, quotients, signs and the parts of complex numbers."""

from __future__ import annotations

import torch
from torch import Tensor

from .._core.dtypes import (
    FLOATING,
    NATIVE_INTEGER,
    NUMERIC,
    REAL_FLOATING,
    WIDE_UNSIGNED,
)
from .complex_parts import by_parts
from .kernel import Kernel, Numbers
from .unsigned import as_signed, same_bits

_REAL = NATIVE_INTEGER | REAL_FLOATING.dtypes
_NUMERIC = NATIVE_INTEGER | FLOATING.dtypes

_add_bits = same_bits(torch.add)
_subtract_bits = same_bits(torch.sub)
# torch computes a + alpha * b with a complex alpha of 1, which turns an infinite part of b
# into NaN in the other part.
_add_parts = by_parts(torch.add)
_subtract_parts = by_parts(torch.sub)


def _add(a: Tensor, b: Tensor) -> Tensor:
    return _add_parts(a, b) if a.dtype.is_complex else _add_bits(a, b)


def _subtract(a: Tensor, b: Tensor) -> Tensor:
    return _subtract_parts(a, b) if a.dtype.is_complex else _subtract_bits(a, b)


def _divide_by(x: Tensor, number: float) -> Tensor:
    # On CUDA torch multiplies by the reciprocal of a number, which rounds twice.
    return torch.div(x, number if x.get_device() < 0 else x.new_full((), number))


add = Kernel("add", torch.add, _REAL, _add, Numbers(_REAL, torch.add, torch.add))
subtract = Kernel("subtract", torch.sub, _REAL, _subtract, Numbers(_REAL, torch.sub, torch.rsub))
multiply = Kernel(
    "multiply", torch.mul, _NUMERIC, same_bits(torch.mul), Numbers(_REAL, torch.mul, torch.mul)
)
divide = Kernel(
    "divide", torch.div, FLOATING.dtypes, torch.div, Numbers(REAL_FLOATING.dtypes, _divide_by)
)

_negative_bits = same_bits(torch.neg)
_negative_parts = by_parts(torch.neg)


def _negative(x: Tensor) -> Tensor:
    # torch subtracts complex numbers from zero, which loses the sign of their zeros.
    return _negative_parts(x) if x.dtype.is_complex else _negative_bits(x)


negative = Kernel("negative", torch.neg, _REAL, _negative)
# torch.positive returns its argument: what is written to the result would reach the operand.
positive = Kernel("positive", torch.clone, NUMERIC.dtypes, torch.clone)


def _abs(x: Tensor) -> Tensor:
    return x.clone() if x.dtype in WIDE_UNSIGNED else torch.abs(x)


abs = Kernel("abs", torch.abs, _NUMERIC, _abs)


def _square(x: Tensor) -> Tensor:
    if x.dtype.is_complex:
        return torch.mul(x, x)
    return same_bits(torch.square)(x)


square = Kernel("square", torch.square, _REAL, _square)


reciprocal = Kernel("reciprocal", torch.reciprocal, FLOATING.dtypes, torch.reciprocal)


def _sign_floating(x: Tensor) -> Tensor:
    """The sign of real numbers: torch.sign gives 0 for NaN, and clamping brings that back."""
    result = torch.sign(x)
    # Of the magnitude, so that no zero has a sign, and without a gradient, which clamping
    # would pass on where the element is its own sign.
    return torch.clamp(torch.abs(x.detach() if x.requires_grad else x), result, result)


def _sign(x: Tensor) -> Tensor:
    dtype = x.dtype
    if dtype.is_floating_point:
        return _sign_floating(x)
    if dtype.is_complex:
        # x / abs(x) is NaN in both parts for an infinity too, and torch has NaN in one.
        nan = complex("nan+nanj")
        return torch.where(torch.isfinite(x), torch.sgn(x), nan)
    return torch.ne(as_signed(x), 0).to(dtype) if dtype in WIDE_UNSIGNED else torch.sign(x)


sign = Kernel("sign", _sign_floating, REAL_FLOATING.dtypes, _sign)


def _conj(x: Tensor) -> Tensor:
    # Not torch.conj, whose lazy result many of torch's functions refuse or resolve again.
    return torch.conj_physical(x) if x.dtype.is_complex else x.clone()


def _real(x: Tensor) -> Tensor:
    return torch.real(x)


conj = Kernel("conj", torch.conj_physical, FLOATING.dtypes - REAL_FLOATING.dtypes, _conj)
real = Kernel("real", torch.real, NUMERIC.dtypes, _real)
imag = Kernel("imag", torch.imag, FLOATING.dtypes - REAL_FLOATING.dtypes, torch.imag)
