"""The chapter *Element-wise functions*: arithmetic, powers, signs and complex parts."""

from __future__ import annotations

from ._core.dtypes import COMPLEX_FLOATING, FLOATING, NUMERIC, REAL_FLOATING, REAL_NUMERIC
from ._dispatch import binary, unary
from ._kernels import arithmetic, division, floating

__all__ = [
    "abs",
    "add",
    "atan2",
    "conj",
    "copysign",
    "divide",
    "floor_divide",
    "hypot",
    "imag",
    "logaddexp",
    "multiply",
    "negative",
    "nextafter",
    "positive",
    "pow",
    "real",
    "reciprocal",
    "remainder",
    "sign",
    "signbit",
    "square",
    "subtract",
]

_FLOATING_RESULT = "The promoted floating-point dtype and the broadcast shape."

add = binary(
    arithmetic.add,
    NUMERIC,
    "The sum of each element of ``x1`` with the respective element of ``x2``.",
    notes="Integers wrap around. The parts of complex numbers are summed independently.",
    example="""
    >>> xp.add(xp.asarray([1, 2]), 10)
    Array([11, 12], dtype=int64)
    """,
)

subtract = binary(
    arithmetic.subtract,
    NUMERIC,
    "The difference of each element of ``x1`` and the respective element of ``x2``.",
    notes="Integers wrap around. The parts of complex numbers are subtracted independently.",
    example="""
    >>> xp.subtract(xp.asarray([1, 2]), 10)
    Array([-9, -8], dtype=int64)
    """,
)

multiply = binary(
    arithmetic.multiply,
    NUMERIC,
    "The product of each element of ``x1`` with the respective element of ``x2``.",
    notes="""
    Integers wrap around. Complex numbers are multiplied by the textbook formula; what comes
    of it for infinite parts the standard leaves open.
    """,
    example="""
    >>> xp.multiply(xp.asarray([1, 2]), 10)
    Array([10, 20], dtype=int64)
    """,
)

divide = binary(
    arithmetic.divide,
    FLOATING,
    "The quotient of each element of ``x1`` and the respective element of ``x2``.",
    returns=_FLOATING_RESULT,
    notes="""
    A division by zero gives an infinity, or NaN for zero by zero. Integers are refused:
    ``astype`` says which floating-point dtype is meant.
    """,
    example="""
    >>> xp.divide(xp.asarray([1.0, 3.0]), 2.0)
    Array([0.5, 1.5], dtype=float64)
    """,
)

floor_divide = binary(
    division.floor_divide,
    REAL_NUMERIC,
    "The quotient of each element of ``x1`` and that of ``x2``, rounded down.",
    notes="""
    Rounds towards negative infinity, as Python's ``//`` does. For infinities, where the
    standard allows two results, it is the one of ``floor(x1 / x2)``: ``inf // 2.0`` is
    infinity and ``1.0 // -inf`` is -0, where Python and NumPy give NaN and -1. Integers by
    zero give 0.
    """,
    example="""
    >>> xp.floor_divide(xp.asarray([7, -7]), 2)
    Array([ 3, -4], dtype=int64)
    """,
)

remainder = binary(
    division.remainder,
    REAL_NUMERIC,
    "The remainder of dividing each element of ``x1`` by that of ``x2``.",
    notes="""
    The result has the sign of the divisor, zeros too, as with Python's ``%``. NaN for a
    floating-point divisor of zero, 0 for an integer one.
    """,
    example="""
    >>> xp.remainder(xp.asarray([7, -7]), 3)
    Array([1, 2], dtype=int64)
    """,
)

pow = binary(
    division.pow,
    NUMERIC,
    "Each element of ``x1`` to the power of the respective element of ``x2``.",
    notes="""
    Integers wrap around; what comes of a negative exponent of an integer is unspecified, and
    the values are not looked at. ``x ** 0.0`` and ``1.0 ** x`` are 1 even where ``x`` is NaN.
    Complex powers are ``exp(x2 * log(x1))``.
    """,
    example="""
    >>> xp.pow(xp.asarray([2, 3]), 2)
    Array([4, 9], dtype=int64)
    """,
)

copysign = binary(
    floating.copysign,
    REAL_FLOATING,
    "The magnitude of each element of ``x1`` with the sign of that of ``x2``.",
    returns=_FLOATING_RESULT,
    notes="The sign of a zero and of a NaN counts too.",
    example="""
    >>> xp.copysign(xp.asarray([1.0, 2.0]), -0.0)
    Array([-1., -2.], dtype=float64)
    """,
)

hypot = binary(
    floating.hypot,
    REAL_FLOATING,
    "The square root of the sum of squares of the elements, without undue overflow.",
    returns=_FLOATING_RESULT,
    notes="Infinity if either element is infinite, even beside a NaN.",
    example="""
    >>> xp.hypot(xp.asarray([3.0, 5.0]), xp.asarray([4.0, 12.0]))
    Array([ 5., 13.], dtype=float64)
    """,
)

atan2 = binary(
    floating.atan2,
    REAL_FLOATING,
    "The angle, in radians, of the point with ordinate ``x1`` and abscissa ``x2``.",
    returns=_FLOATING_RESULT,
    notes="The angle is in ``[-pi, pi]``; the signs of zeros choose the quadrant too.",
    example="""
    >>> xp.atan2(xp.asarray([0.0, 1.0]), xp.asarray([1.0, 0.0]))
    Array([0.        , 1.57079633], dtype=float64)
    """,
)

logaddexp = binary(
    floating.logaddexp,
    REAL_FLOATING,
    "``log(exp(x1) + exp(x2))``, without overflow.",
    returns=_FLOATING_RESULT,
    notes="Infinity if either element is, unless the other is NaN.",
    example="""
    >>> xp.logaddexp(xp.asarray([0.0, 1000.0]), xp.asarray([0.0, 1000.0]))
    Array([6.93147181e-01, 1.00069315e+03], dtype=float64)
    """,
)

nextafter = binary(
    floating.nextafter,
    REAL_FLOATING,
    "The next representable value after each element of ``x1`` towards that of ``x2``.",
    returns=_FLOATING_RESULT,
    notes="``x2`` where both are equal, so that a zero takes its sign; NaN if either is.",
    example="""
    >>> xp.nextafter(xp.asarray([1.0]), 2.0) > 1.0
    Array([ True], dtype=bool)
    """,
)

abs = unary(
    arithmetic.abs,
    NUMERIC,
    "The absolute value of each element: its magnitude, for a complex one.",
    returns="The same shape and dtype; the real dtype of the precision for a complex one.",
    notes="The smallest signed integer, which has no positive counterpart, stays as it is.",
    example="""
    >>> xp.abs(xp.asarray([-1, 2]))
    Array([1, 2], dtype=int64)
    """,
)

negative = unary(
    arithmetic.negative,
    NUMERIC,
    "Each element with its sign inverted.",
    notes="Integers wrap around: 1 of uint8 becomes 255.",
    example="""
    >>> xp.negative(xp.asarray([-1, 2]))
    Array([ 1, -2], dtype=int64)
    """,
)

positive = unary(
    arithmetic.positive,
    NUMERIC,
    "A copy of each element.",
    example="""
    >>> xp.positive(xp.asarray([-1, 2]))
    Array([-1,  2], dtype=int64)
    """,
)

sign = unary(
    arithmetic.sign,
    NUMERIC,
    "The sign of each element: -1, 0 or 1, and ``x / abs(x)`` for a complex one.",
    notes="0 for zeros of either sign, NaN for NaN.",
    example="""
    >>> xp.sign(xp.asarray([-3, 0, 3]))
    Array([-1,  0,  1], dtype=int64)
    """,
)

signbit = unary(
    floating.signbit,
    REAL_FLOATING,
    "Whether the sign bit of each element is set.",
    returns="Boolean, of the same shape.",
    notes="True for -0, and for a NaN whose sign bit is set.",
    example="""
    >>> xp.signbit(xp.asarray([-0.0, 0.0]))
    Array([ True, False], dtype=bool)
    """,
)

square = unary(
    arithmetic.square,
    NUMERIC,
    "The square of each element.",
    notes="Integers wrap around.",
    example="""
    >>> xp.square(xp.asarray([-3, 4]))
    Array([ 9, 16], dtype=int64)
    """,
)

reciprocal = unary(
    arithmetic.reciprocal,
    FLOATING,
    "The reciprocal of each element: ``1.0 / x``.",
    notes="An infinity with the sign of the zero, for a zero.",
    example="""
    >>> xp.reciprocal(xp.asarray([2.0, 4.0]))
    Array([0.5 , 0.25], dtype=float64)
    """,
)

conj = unary(
    arithmetic.conj,
    NUMERIC,
    "The complex conjugate of each element; a copy of real ones.",
    example="""
    >>> xp.conj(xp.asarray([1 + 2j]))
    Array([1.-2.j], dtype=complex128)
    """,
)

real = unary(
    arithmetic.real,
    NUMERIC,
    "The real part of each element; real ones as they are.",
    returns="The same shape; the real dtype of the precision for a complex one. It is a view.",
    example="""
    >>> xp.real(xp.asarray([1 + 2j]))
    Array([1.], dtype=float64)
    """,
)

imag = unary(
    arithmetic.imag,
    COMPLEX_FLOATING,
    "The imaginary part of each element.",
    returns="The same shape, the real dtype of the precision. It is a view.",
    example="""
    >>> xp.imag(xp.asarray([1 + 2j]))
    Array([2.], dtype=float64)
    """,
)
