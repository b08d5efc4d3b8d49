"""One declaration per ufunc: NumPy's name, the kernel, and how NumPy differs from it.

The kernels are right for the standard's dtypes; NumPy also adds booleans (a disjunction),
orders complex numbers (by real, then imaginary part) and computes in 16-bit floats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from xp_torch._core.dtypes import NATIVE_INTEGER, REAL_FLOATING, SIGNED_TWIN
from xp_torch._kernels import arithmetic, bitwise, comparison, division, floating, transcendental
from xp_torch._kernels.kernel import Kernel, Numbers
from xp_torch._kernels.unsigned import as_signed, in_order

from .._base.dtypes import COMPLEXES, FLOATS, HALVES, INTEGERS
from .._kernels import elementwise, in_blocks
from .elementwise import binary_ufunc, extremum_ufunc, two_result_ufunc, unary_ufunc
from .spec import Functions, functions_of, make_spec

__all__ = [
    "abs", "absolute", "acos", "acosh", "add", "arccos", "arccosh", "arcsin", "arcsinh", "arctan",
    "arctan2", "arctanh", "asin", "asinh", "atan", "atan2", "atanh", "bitwise_and",
    "bitwise_count", "bitwise_invert", "bitwise_left_shift", "bitwise_not", "bitwise_or",
    "bitwise_right_shift", "bitwise_xor", "cbrt", "ceil", "conj", "conjugate", "copysign", "cos",
    "cosh", "deg2rad", "degrees", "divide", "divmod", "equal", "exp", "exp2", "expm1", "fabs",
    "float_power", "floor", "floor_divide", "fmax", "fmin", "fmod", "frexp", "gcd", "greater",
    "greater_equal", "heaviside", "hypot", "invert", "isfinite", "isinf", "isnan", "isnat", "lcm",
    "ldexp", "left_shift", "less", "less_equal", "log", "log1p", "log2", "log10", "logaddexp",
    "logaddexp2", "logical_and", "logical_not", "logical_or", "logical_xor", "maximum", "minimum",
    "mod", "modf", "multiply", "negative", "nextafter", "not_equal", "positive", "pow", "power",
    "rad2deg", "radians", "reciprocal", "remainder", "right_shift", "rint", "sign", "signbit",
    "sin", "sinh", "spacing", "sqrt", "square", "subtract", "tan", "tanh", "true_divide", "trunc",
]  # fmt: skip


def _unary(
    name: str, kernel: Kernel, special: Functions | None = None, *, halves: bool = False
) -> unary_ufunc:
    return unary_ufunc(make_spec(name, functions_of(kernel, special, halves)))


def _binary(
    name: str,
    kernel: Kernel,
    special: Functions | None = None,
    *,
    halves: bool = False,
    compares: bool = False,
    kind: type[binary_ufunc] = binary_ufunc,
) -> binary_ufunc:
    functions = functions_of(kernel, special, halves)
    return kind(make_spec(name, functions, kernel.numbers, compares=compares))


def _own(
    name: str,
    function: Callable[..., Any],
    native: Callable[..., Any] | None = None,
    dtypes: frozenset[torch.dtype] = REAL_FLOATING.dtypes,
    numbers: Numbers | None = None,
) -> Kernel:
    """A kernel that only NumPy needs; ``native`` is torch's function for ``dtypes``."""
    if native is None:
        return Kernel(name, function, frozenset(), function, numbers)
    return Kernel(name, native, dtypes, function, numbers)


def _bool(function: Callable[..., Any]) -> Functions:
    return {torch.bool: function}


_REAL = NATIVE_INTEGER | REAL_FLOATING.dtypes

# --- arithmetic ---

add = _binary("add", arithmetic.add, _bool(torch.logical_or), halves=True)
subtract = _binary("subtract", arithmetic.subtract, halves=True)
multiply = _binary("multiply", arithmetic.multiply, _bool(torch.logical_and), halves=True)
divide = _binary("divide", arithmetic.divide, halves=True)
# NumPy's floor division is Python's, which differs from the standard's for infinities.
floor_divide = _binary(
    "floor_divide",
    _own(
        "floor_divide",
        elementwise.floor_divide,
        elementwise.floor_divide_floating,
        numbers=Numbers(_REAL, elementwise.floor_divide_by),
    ),
)
remainder = _binary("remainder", division.remainder)
divmod = two_result_ufunc(make_spec("divmod", functions_of(_own("divmod", elementwise.divmod))))
fmod = _binary("fmod", _own("fmod", elementwise.fmod))
_power = division.pow._replace(
    general=elementwise.power,
    numbers=Numbers(
        _REAL | {torch.complex64, torch.complex128}, elementwise.power_by, elementwise.power_of
    ),
)
_signed_power = dict.fromkeys(SIGNED_TWIN.values(), elementwise.power_of_signed)
power = _binary("power", _power, _signed_power)
float_power = _binary("float_power", _power)
negative = _unary("negative", arithmetic.negative, halves=True)
positive = _unary("positive", arithmetic.positive, halves=True)
absolute = _unary(
    "absolute",
    arithmetic.abs,
    _bool(torch.clone) | dict.fromkeys(COMPLEXES, in_blocks.size_of_complex),
    halves=True,
)
fabs = _unary("fabs", arithmetic.abs, halves=True)
sign = _unary("sign", arithmetic.sign, dict.fromkeys(COMPLEXES, elementwise.sign_complex))
square = _unary("square", arithmetic.square, halves=True)
conjugate = _unary("conjugate", arithmetic.conj, dict.fromkeys(HALVES, torch.clone))


reciprocal = _unary(
    "reciprocal",
    arithmetic.reciprocal,
    dict.fromkeys(INTEGERS, elementwise.reciprocal_integer)
    | dict.fromkeys(COMPLEXES, elementwise.reciprocal_complex),
    halves=True,
)
cbrt = _unary("cbrt", _own("cbrt", in_blocks.cbrt))
gcd = _binary("gcd", _own("gcd", elementwise.gcd))
lcm = _binary("lcm", _own("lcm", elementwise.lcm))

# --- comparison and logic ---


def _lexicographic(strict: Callable[..., Tensor], final: Callable[..., Tensor]) -> Functions:
    """Compare complex numbers by their real parts, then by their imaginary parts."""

    def compare(a: Tensor, b: Tensor) -> Tensor:
        either = torch.isnan(a.imag) | torch.isnan(b.imag)
        by_real = strict(a.real, b.real) & ~either
        return by_real | (torch.eq(a.real, b.real) & final(a.imag, b.imag))

    return dict.fromkeys(COMPLEXES, compare)


def _extremum(keeps_first: Callable[..., Tensor]) -> Functions:
    def choose(a: Tensor, b: Tensor) -> Tensor:
        real = keeps_first(a.real, b.real)
        tie = torch.eq(a.real, b.real) & keeps_first(a.imag, b.imag)
        first = real & torch.ne(a.real, b.real) | tie | torch.isnan(a)
        return torch.where(first & ~(torch.isnan(b) & ~torch.isnan(a)), a, b)

    return dict.fromkeys(COMPLEXES, choose)


_MIXED = torch.int64, torch.uint64


def _mixed(of_signed: Callable[..., Tensor], of_unsigned: Callable[..., Tensor]) -> Functions:
    """Comparisons of int64 with uint64, which have no common dtype, in either order."""
    return {_MIXED: of_signed, _MIXED[::-1]: of_unsigned}


def _compares(
    name: str, kernel: Kernel, mixed: Functions, special: Functions | None = None
) -> binary_ufunc:
    return _binary(name, kernel, mixed | (special or {}), halves=True, compares=True)


def _swapped(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    return lambda a, b: function(b, a)


def _negated(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    return lambda a, b: torch.logical_not(function(a, b))


_eq, _lt, _le = elementwise.equal_mixed, elementwise.less_mixed, elementwise.less_equal_mixed
equal = _compares("equal", comparison.equal, _mixed(_eq, _swapped(_eq)))
not_equal = _compares(
    "not_equal", comparison.not_equal, _mixed(_negated(_eq), _negated(_swapped(_eq)))
)
less = _compares(
    "less",
    comparison.less,
    _mixed(_lt, _negated(_swapped(_le))),
    _lexicographic(torch.lt, torch.lt),
)
less_equal = _compares(
    "less_equal", comparison.less_equal, _mixed(_le, _negated(_swapped(_lt))),
    _lexicographic(torch.lt, torch.le),
)  # fmt: skip
greater = _compares(
    "greater", comparison.greater, _mixed(_negated(_le), _swapped(_lt)),
    _lexicographic(torch.gt, torch.gt),
)  # fmt: skip
greater_equal = _compares(
    "greater_equal", comparison.greater_equal, _mixed(_negated(_lt), _swapped(_le)),
    _lexicographic(torch.gt, torch.ge),
)  # fmt: skip
maximum = _binary(
    "maximum", comparison.maximum, _bool(torch.logical_or) | _extremum(torch.ge), halves=True,
    kind=extremum_ufunc,
)  # fmt: skip
minimum = _binary(
    "minimum", comparison.minimum, _bool(torch.logical_and) | _extremum(torch.le), halves=True,
    kind=extremum_ufunc,
)  # fmt: skip


def _not_nan(keeps_first: Callable[..., Tensor]) -> Functions:
    """The larger or smaller of two complex numbers; a NaN is ignored."""

    def choose(a: Tensor, b: Tensor) -> Tensor:
        tie = torch.eq(a.real, b.real) & keeps_first(a.imag, b.imag)
        first = keeps_first(a.real, b.real) & torch.ne(a.real, b.real) | tie
        return torch.where(first & ~torch.isnan(a) | torch.isnan(b), a, b)

    return dict.fromkeys(COMPLEXES, choose)


fmax = _binary(
    "fmax", _own("fmax", in_order(torch.fmax), torch.fmax, _REAL),
    _bool(torch.logical_or) | _not_nan(torch.ge), halves=True,
)  # fmt: skip
fmin = _binary(
    "fmin", _own("fmin", in_order(torch.fmin), torch.fmin, _REAL),
    _bool(torch.logical_and) | _not_nan(torch.le), halves=True,
)  # fmt: skip


def _truth(function: Callable[..., Tensor]) -> Functions:
    """A logical function of every dtype: every element but zero is true."""

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
left_shift = _binary(
    "left_shift",
    bitwise.bitwise_left_shift._replace(numbers=Numbers(NATIVE_INTEGER, elementwise.left_shift_by)),
)
right_shift = _binary(
    "right_shift",
    bitwise.bitwise_right_shift._replace(
        numbers=Numbers(NATIVE_INTEGER, elementwise.right_shift_by)
    ),
)
bitwise_count = _unary("bitwise_count", _own("bitwise_count", elementwise.bitwise_count))

# --- floating point ---

copysign = _binary("copysign", floating.copysign)
hypot = _binary("hypot", floating.hypot)
arctan2 = _binary("arctan2", floating.atan2)
logaddexp = _binary("logaddexp", floating.logaddexp)
logaddexp2 = _binary("logaddexp2", _own("logaddexp2", torch.logaddexp2, torch.logaddexp2))
heaviside = _binary("heaviside", _own("heaviside", in_blocks.heaviside))
ldexp = binary_ufunc(make_spec("ldexp", dict.fromkeys(FLOATS, elementwise.ldexp)))
frexp = two_result_ufunc(make_spec("frexp", functions_of(_own("frexp", elementwise.frexp))))
modf = two_result_ufunc(make_spec("modf", functions_of(_own("modf", elementwise.modf))))
nextafter = _binary("nextafter", floating.nextafter, dict.fromkeys(HALVES, elementwise.nextafter))
spacing = _unary(
    "spacing", _own("spacing", elementwise.spacing), dict.fromkeys(HALVES, elementwise.spacing)
)
isnat = _unary("isnat", _own("isnat", torch.isnan))
signbit = _unary("signbit", floating.signbit, halves=True)
ceil = _unary("ceil", floating.ceil, _bool(torch.clone), halves=True)
floor = _unary("floor", floating.floor, _bool(torch.clone), halves=True)
trunc = _unary("trunc", floating.trunc, _bool(torch.clone), halves=True)
rint = _unary("rint", floating.round, halves=True)

# --- exponential and trigonometric ---

# torch rounds the exponential of 16-bit floats once, as through float32.
exp = _unary("exp", transcendental.exp, dict.fromkeys(HALVES, torch.exp))
exp2 = _unary("exp2", _own("exp2", elementwise.exp2, torch.exp2))
expm1 = _unary("expm1", transcendental.expm1)
log = _unary("log", transcendental.log)
log1p = _unary("log1p", transcendental.log1p)
log2 = _unary("log2", transcendental.log2)
log10 = _unary("log10", transcendental.log10)
sqrt = _unary("sqrt", transcendental.sqrt)
sin = _unary("sin", transcendental.sin)
cos = _unary("cos", transcendental.cos)
tan = _unary("tan", transcendental.tan)
sinh = _unary("sinh", transcendental.sinh, {torch.float32: in_blocks.sinh_of_float32})
cosh = _unary("cosh", transcendental.cosh, {torch.float32: in_blocks.cosh_of_float32})
tanh = _unary("tanh", transcendental.tanh)
arcsin = _unary("arcsin", transcendental.asin)
arccos = _unary("arccos", transcendental.acos)
arctan = _unary("arctan", transcendental.atan)
arcsinh = _unary(
    "arcsinh", transcendental.asinh, dict.fromkeys(REAL_FLOATING.dtypes, in_blocks.arcsinh)
)
arccosh = _unary("arccosh", transcendental.acosh)
arctanh = _unary("arctanh", transcendental.atanh)
degrees = _unary("degrees", _own("degrees", torch.rad2deg, torch.rad2deg))
radians = _unary("radians", _own("radians", torch.deg2rad, torch.deg2rad))
rad2deg = _unary("rad2deg", _own("rad2deg", torch.rad2deg, torch.rad2deg))
deg2rad = _unary("deg2rad", _own("deg2rad", torch.deg2rad, torch.deg2rad))

# --- NumPy's second names ---

abs = absolute
acos, acosh, asin, asinh = arccos, arccosh, arcsin, arcsinh
atan, atanh, atan2 = arctan, arctanh, arctan2
bitwise_invert = bitwise_not = invert
bitwise_left_shift, bitwise_right_shift = left_shift, right_shift
conj = conjugate
mod = remainder
pow = power
true_divide = divide
