"""The chapter *Element-wise functions*: exponentials, logarithms and the square root."""

from __future__ import annotations

from ._core.dtypes import FLOATING
from ._dispatch import unary
from ._kernels import transcendental as kernels

__all__ = ["exp", "expm1", "log", "log1p", "log2", "log10", "sqrt"]

exp = unary(
    kernels.exp,
    FLOATING,
    "The exponential of each element: ``e`` to its power.",
    notes="""
    Infinity for positive infinity, 0 for negative infinity. A complex result is
    ``exp(real) * cis(imag)``, and NaN in both parts for an infinite imaginary part beside a
    finite real one.
    """,
    example="""
    >>> xp.exp(xp.asarray([0.0, 1.0]))
    Array([1.        , 2.71828183], dtype=float64)
    """,
)

expm1 = unary(
    kernels.expm1,
    FLOATING,
    "``exp(x) - 1`` of each element, exact to the last digits where ``x`` is close to 0.",
    notes="""
    Infinity for positive infinity, -1 for negative infinity; zeros keep their sign.
    """,
    example="""
    >>> xp.expm1(xp.asarray([0.0, 1e-10]))
    Array([0.e+00, 1.e-10], dtype=float64)
    """,
)

log = unary(
    kernels.log,
    FLOATING,
    "The natural logarithm of each element.",
    notes="""
    Negative infinity for zeros, NaN for negative real elements. The complex logarithm has its
    branch cut on the negative real axis, where the sign of the imaginary zero says which side
    is meant: the imaginary part of the result is in ``[-pi, pi]``.
    """,
    example="""
    >>> xp.log(xp.asarray([1.0, 10.0]))
    Array([0.        , 2.30258509], dtype=float64)
    """,
)

log1p = unary(
    kernels.log1p,
    FLOATING,
    "``log(1 + x)`` of each element, exact to the last digits where ``x`` is close to 0.",
    notes="""
    Negative infinity for -1, NaN for real elements below -1; zeros keep their sign. The
    complex function has its branch cut on the real axis below -1.
    """,
    example="""
    >>> xp.log1p(xp.asarray([0.0, 1e-10]))
    Array([0.e+00, 1.e-10], dtype=float64)
    """,
)

log2 = unary(
    kernels.log2,
    FLOATING,
    "The base 2 logarithm of each element.",
    notes="""
    Negative infinity for zeros, NaN for negative real elements; complex elements as
    ``log(x) / log(2)``.
    """,
    example="""
    >>> xp.log2(xp.asarray([1.0, 8.0]))
    Array([0., 3.], dtype=float64)
    """,
)

log10 = unary(
    kernels.log10,
    FLOATING,
    "The base 10 logarithm of each element.",
    notes="""
    Negative infinity for zeros, NaN for negative real elements; complex elements as
    ``log(x) / log(10)``.
    """,
    example="""
    >>> xp.log10(xp.asarray([1.0, 1000.0]))
    Array([0., 3.], dtype=float64)
    """,
)

sqrt = unary(
    kernels.sqrt,
    FLOATING,
    "The principal square root of each element.",
    notes="""
    NaN for negative real elements; zeros keep their sign. The complex function has its branch
    cut on the negative real axis, where the sign of the imaginary zero says which side is
    meant: the real part of the result is never negative.
    """,
    example="""
    >>> xp.sqrt(xp.asarray([4.0, 9.0]))
    Array([2., 3.], dtype=float64)
    """,
)
