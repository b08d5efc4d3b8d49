"""The chapter *Element-wise functions*: trigonometric and hyperbolic functions."""

from __future__ import annotations

from ._core.dtypes import FLOATING
from ._dispatch import unary
from ._kernels import transcendental as kernels

__all__ = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cos",
    "cosh",
    "sin",
    "sinh",
    "tan",
    "tanh",
]

acos = unary(
    kernels.acos,
    FLOATING,
    "The inverse cosine of each element, in radians.",
    notes="""
    Real results are in ``[0, pi]``, and NaN for elements outside ``[-1, 1]``. The complex
    function has its branch cuts on the real axis beyond -1 and 1, where the sign of the
    imaginary zero says which side is meant.
    """,
    example="""
    >>> xp.acos(xp.asarray([1.0, 0.0]))
    Array([0.        , 1.57079633], dtype=float64)
    """,
)

acosh = unary(
    kernels.acosh,
    FLOATING,
    "The inverse hyperbolic cosine of each element.",
    notes="""
    NaN for real elements below 1. The complex function has its branch cut on the real axis
    below 1; the real part of its result is never negative.
    """,
    example="""
    >>> xp.acosh(xp.asarray([1.0, 2.0]))
    Array([0.       , 1.3169579], dtype=float64)
    """,
)

asin = unary(
    kernels.asin,
    FLOATING,
    "The inverse sine of each element, in radians.",
    notes="""
    Real results are in ``[-pi/2, pi/2]``, and NaN for elements outside ``[-1, 1]``; zeros keep
    their sign. The complex function has its branch cuts on the real axis beyond -1 and 1,
    where the sign of the imaginary zero says which side is meant.
    """,
    example="""
    >>> xp.asin(xp.asarray([0.0, 1.0]))
    Array([0.        , 1.57079633], dtype=float64)
    """,
)

asinh = unary(
    kernels.asinh,
    FLOATING,
    "The inverse hyperbolic sine of each element.",
    notes="""
    Zeros and infinities keep their sign. The complex function has its branch cuts on the
    imaginary axis beyond -1j and 1j, where the sign of the real zero says which side is meant.
    """,
    example="""
    >>> xp.asinh(xp.asarray([0.0, 1.0]))
    Array([0.        , 0.88137359], dtype=float64)
    """,
)

atan = unary(
    kernels.atan,
    FLOATING,
    "The inverse tangent of each element, in radians.",
    notes="""
    Real results are in ``[-pi/2, pi/2]``; zeros keep their sign. The complex function has its
    branch cuts on the imaginary axis beyond -1j and 1j, where the sign of the real zero says
    which side is meant.
    """,
    example="""
    >>> xp.atan(xp.asarray([0.0, 1.0]))
    Array([0.        , 0.78539816], dtype=float64)
    """,
)

atanh = unary(
    kernels.atanh,
    FLOATING,
    "The inverse hyperbolic tangent of each element.",
    notes="""
    An infinity for real elements -1 and 1, NaN beyond them; zeros keep their sign. The complex
    function has its branch cuts on the real axis beyond -1 and 1, where the sign of the
    imaginary zero says which side is meant.
    """,
    example="""
    >>> xp.atanh(xp.asarray([0.0, 0.5]))
    Array([0.        , 0.54930614], dtype=float64)
    """,
)

cos = unary(
    kernels.cos,
    FLOATING,
    "The cosine of each element, in radians.",
    notes="NaN for real infinities; complex elements as ``cosh(1j * x)``.",
    example="""
    >>> xp.cos(xp.asarray([0.0, 1.0]))
    Array([1.        , 0.54030231], dtype=float64)
    """,
)

cosh = unary(
    kernels.cosh,
    FLOATING,
    "The hyperbolic cosine of each element.",
    notes="Infinity for both real infinities.",
    example="""
    >>> xp.cosh(xp.asarray([0.0, 1.0]))
    Array([1.        , 1.54308063], dtype=float64)
    """,
)

sin = unary(
    kernels.sin,
    FLOATING,
    "The sine of each element, in radians.",
    notes="""
    NaN for real infinities; zeros keep their sign; complex elements as ``-1j * sinh(1j * x)``.
    """,
    example="""
    >>> xp.sin(xp.asarray([0.0, 1.0]))
    Array([0.        , 0.84147098], dtype=float64)
    """,
)

sinh = unary(
    kernels.sinh,
    FLOATING,
    "The hyperbolic sine of each element.",
    notes="Real infinities and zeros keep their sign.",
    example="""
    >>> xp.sinh(xp.asarray([0.0, 1.0]))
    Array([0.        , 1.17520119], dtype=float64)
    """,
)

tan = unary(
    kernels.tan,
    FLOATING,
    "The tangent of each element, in radians.",
    notes="""
    NaN for real infinities; zeros keep their sign; complex elements as ``-1j * tanh(1j * x)``.
    """,
    example="""
    >>> xp.tan(xp.asarray([0.0, 1.0]))
    Array([0.        , 1.55740772], dtype=float64)
    """,
)

tanh = unary(
    kernels.tanh,
    FLOATING,
    "The hyperbolic tangent of each element.",
    notes="-1 and 1 for the real infinities; zeros keep their sign.",
    example="""
    >>> xp.tanh(xp.asarray([0.0, 1.0]))
    Array([0.        , 0.76159416], dtype=float64)
    """,
)
