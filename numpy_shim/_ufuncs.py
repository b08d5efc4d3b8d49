"""One declaration per ufunc: NumPy's name, the kernel, and where NumPy differs from it.

The kernels are right for the standard's dtypes; NumPy also adds booleans (a disjunction),
orders complex numbers (by real, then imaginary part) and computes in 16-bit floats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from xp_torch._kernels import (
    arithmetic,
    bitwise,
    comparison,
    division,
    floating,
    transcendental,
)
from xp_torch._kernels.kernel import Kernel
from xp_torch._kernels.unsigned import as_signed

from ._dtypes import COMPLEXES, INTEGERS
from ._spec import functions_of, make_spec
from ._ufunc import binary_ufunc, unary_ufunc

__all__ = [
    "absolute",
    "add",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "ceil",
    "conjugate",
    "copysign",
    "cos",
    "cosh",
    "divide",
    "equal",
    "exp",
    "expm1",
    "fabs",
    "float_power",
    "floor",
    "floor_divide",
    "greater",
    "greater_equal",
    "hypot",
    "invert",
    "isfinite",
    "isinf",
    "isnan",
    "left_shift",
    "less",
    "less_equal",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "power",
    "reciprocal",
    "remainder",
    "right_shift",
    "rint",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "trunc",
]  # fmt: skip

Special = dict[torch.dtype, Callable[..., Any]]


def _unary(
    name: str, kernel: Kernel, special: Special | None = None, *, halves: bool = False
) -> unary_ufunc:
    return unary_ufunc(make_spec(name, functions_of(kernel, special, halves)))


def _binary(
    name: str,
    kernel: Kernel,
    special: Special | None = None,
    *,
    halves: bool = False,
    compares: bool = False,
) -> binary_ufunc:
    functions = functions_of(kernel, special, halves)
    return binary_ufunc(
        make_spec(name, functions, kernel.numbers, natural=kernel.natural, compares=compares)
    )


def _bool(function: Callable[..., Any]) -> Special:
    return {torch.bool: function}


# --- arithmetic ---

add = _binary("add", arithmetic.add, _bool(torch.logical_or), halves=True)
subtract = _binary("subtract", arithmetic.subtract, halves=True)
multiply = _binary("multiply", arithmetic.multiply, _bool(torch.logical_and), halves=True)
divide = _binary("divide", arithmetic.divide, halves=True)
floor_divide = _binary("floor_divide", division.floor_divide)
remainder = _binary("remainder", division.remainder)
power = _binary("power", division.pow)
float_power = _binary("float_power", division.pow)
negative = _unary("negative", arithmetic.negative, halves=True)
positive = _unary("positive", arithmetic.positive, halves=True)
absolute = _unary("absolute", arithmetic.abs, _bool(torch.clone), halves=True)
fabs = _unary("fabs", arithmetic.abs, halves=True)
sign = _unary("sign", arithmetic.sign)
square = _unary("square", arithmetic.square, halves=True)
conjugate = _unary("conjugate", arithmetic.conj, halves=True)


def _reciprocal_integer(x: Tensor) -> Tensor:
    """Toward zero; of 0 the smallest signed integer and 0, which NumPy leaves to the processor."""
    signed = as_signed(x)
    result = torch.where(signed.abs() == 1, signed, torch.zeros_like(signed))
    if x.dtype is signed.dtype and x.dtype is not torch.uint8:
        result = torch.where(signed == 0, torch.iinfo(x.dtype).min, result)
    else:
        result = torch.where(signed == 1, signed, torch.zeros_like(signed))
    return result.view(x.dtype)


reciprocal = _unary(
    "reciprocal", arithmetic.reciprocal, dict.fromkeys(INTEGERS, _reciprocal_integer), halves=True
)

# --- comparison and logic ---


def _lexicographic(strict: Callable[..., Tensor], final: Callable[..., Tensor]) -> Special:
    """Complex numbers compare by their real parts, and by the imaginary ones where those tie."""

    def compare(a: Tensor, b: Tensor) -> Tensor:
        either = torch.isnan(a.imag) | torch.isnan(b.imag)
        by_real = strict(a.real, b.real) & ~either
        return by_real | (torch.eq(a.real, b.real) & final(a.imag, b.imag))

    return dict.fromkeys(COMPLEXES, compare)


def _extremum(keeps_first: Callable[..., Tensor]) -> Special:
    def choose(a: Tensor, b: Tensor) -> Tensor:
        real = keeps_first(a.real, b.real)
        tie = torch.eq(a.real, b.real) & keeps_first(a.imag, b.imag)
        first = real & torch.ne(a.real, b.real) | tie | torch.isnan(a)
        return torch.where(first & ~(torch.isnan(b) & ~torch.isnan(a)), a, b)

    return dict.fromkeys(COMPLEXES, choose)


equal = _binary("equal", comparison.equal, halves=True, compares=True)
not_equal = _binary("not_equal", comparison.not_equal, halves=True, compares=True)
less = _binary(
    "less", comparison.less, _lexicographic(torch.lt, torch.lt), halves=True, compares=True
)
less_equal = _binary(
    "less_equal", comparison.less_equal, _lexicographic(torch.lt, torch.le),
    halves=True, compares=True,
)  # fmt: skip
greater = _binary(
    "greater", comparison.greater, _lexicographic(torch.gt, torch.gt), halves=True, compares=True
)
greater_equal = _binary(
    "greater_equal", comparison.greater_equal, _lexicographic(torch.gt, torch.ge),
    halves=True, compares=True,
)  # fmt: skip
maximum = _binary(
    "maximum", comparison.maximum, _bool(torch.logical_or) | _extremum(torch.ge), halves=True
)
minimum = _binary(
    "minimum", comparison.minimum, _bool(torch.logical_and) | _extremum(torch.le), halves=True
)


def _truth(function: Callable[..., Tensor]) -> Special:
    """A logical function of every dtype: what is not zero is true."""

    def general(*operands: Tensor) -> Tensor:
        return function(*[as_signed(t) for t in operands])

    return {dtype: general for dtype in INTEGERS if as_signed_needed(dtype)}


def as_signed_needed(dtype: torch.dtype) -> bool:
    """Whether torch's logical functions lack this dtype."""
    return dtype in (torch.uint16, torch.uint32, torch.uint64)


logical_and = _binary("logical_and", comparison.logical_and, _truth(torch.logical_and), halves=True)
logical_or = _binary("logical_or", comparison.logical_or, _truth(torch.logical_or), halves=True)
logical_xor = _binary("logical_xor", comparison.logical_xor, _truth(torch.logical_xor), halves=True)
logical_not = _unary("logical_not", comparison.logical_not, _truth(torch.logical_not), halves=True)
isfinite = _unary("isfinite", comparison.isfinite, halves=True)
isinf = _unary("isinf", comparison.isinf, halves=True)
isnan = _unary("isnan", comparison.isnan, halves=True)

# --- bits ---

bitwise_and = _binary("bitwise_and", bitwise.bitwise_and)
bitwise_or = _binary("bitwise_or", bitwise.bitwise_or)
bitwise_xor = _binary("bitwise_xor", bitwise.bitwise_xor)
invert = _unary("invert", bitwise.bitwise_invert)
left_shift = _binary("left_shift", bitwise.bitwise_left_shift)
right_shift = _binary("right_shift", bitwise.bitwise_right_shift)

# --- floating point ---

copysign = _binary("copysign", floating.copysign)
hypot = _binary("hypot", floating.hypot)
arctan2 = _binary("arctan2", floating.atan2)
logaddexp = _binary("logaddexp", floating.logaddexp)
nextafter = _binary("nextafter", floating.nextafter)
signbit = _unary("signbit", floating.signbit, halves=True)
ceil = _unary("ceil", floating.ceil, _bool(torch.clone), halves=True)
floor = _unary("floor", floating.floor, _bool(torch.clone), halves=True)
trunc = _unary("trunc", floating.trunc, _bool(torch.clone), halves=True)
rint = _unary("rint", floating.round, halves=True)

# --- exponential and trigonometric ---

exp = _unary("exp", transcendental.exp)
expm1 = _unary("expm1", transcendental.expm1)
log = _unary("log", transcendental.log)
log1p = _unary("log1p", transcendental.log1p)
log2 = _unary("log2", transcendental.log2)
log10 = _unary("log10", transcendental.log10)
sqrt = _unary("sqrt", transcendental.sqrt)
sin = _unary("sin", transcendental.sin)
cos = _unary("cos", transcendental.cos)
tan = _unary("tan", transcendental.tan)
sinh = _unary("sinh", transcendental.sinh)
cosh = _unary("cosh", transcendental.cosh)
tanh = _unary("tanh", transcendental.tanh)
arcsin = _unary("arcsin", transcendental.asin)
arccos = _unary("arccos", transcendental.acos)
arctan = _unary("arctan", transcendental.atan)
arcsinh = _unary("arcsinh", transcendental.asinh)
arccosh = _unary("arccosh", transcendental.acosh)
arctanh = _unary("arctanh", transcendental.atanh)
