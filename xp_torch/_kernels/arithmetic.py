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
from .kernel import Kernel
from .unsigned import same_bits

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


add = Kernel("add", torch.add, _REAL, _add, scalar=True)
subtract = Kernel("subtract", torch.sub, _REAL, _subtract, scalar=True)
multiply = Kernel("multiply", torch.mul, _NUMERIC, same_bits(torch.mul), scalar=True)
divide = Kernel("divide", torch.div, FLOATING.dtypes, torch.div)

negative = Kernel("negative", torch.neg, _NUMERIC, same_bits(torch.neg))
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


def _reciprocal(x: Tensor) -> Tensor:
    if x.dtype.is_complex:
        return torch.div(torch.ones((), dtype=x.dtype, device=x.device), x)
    return torch.reciprocal(x)


reciprocal = Kernel("reciprocal", torch.reciprocal, REAL_FLOATING.dtypes, _reciprocal)


def _sign(x: Tensor) -> Tensor:
    dtype = x.dtype
    if dtype in WIDE_UNSIGNED:
        return x.ne(0).to(dtype)
    if dtype.is_complex:
        return torch.sgn(x)
    result = torch.sign(x)
    if dtype.is_floating_point:
        return torch.where(x == x, result, x)  # torch.sign(NaN) is 0
    return result


sign = Kernel("sign", torch.sign, NATIVE_INTEGER, _sign)


def _conj(x: Tensor) -> Tensor:
    # Not torch.conj, whose lazy result many of torch's functions refuse or resolve again.
    return torch.conj_physical(x) if x.dtype.is_complex else x.clone()


def _real(x: Tensor) -> Tensor:
    return torch.real(x)


conj = Kernel("conj", torch.conj_physical, FLOATING.dtypes - REAL_FLOATING.dtypes, _conj)
real = Kernel("real", torch.real, NUMERIC.dtypes, _real)
imag = Kernel("imag", torch.imag, FLOATING.dtypes - REAL_FLOATING.dtypes, torch.imag)
