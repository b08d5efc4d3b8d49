"""The chapter *Element-wise functions*: comparisons, extrema, logic and tests of values."""

from __future__ import annotations

from ._core.dtypes import ALL, BOOLEAN, NUMERIC, REAL_NUMERIC
from ._dispatch import TRUTH, binary, unary
from ._kernels import comparison as kernels

__all__ = [
    "equal",
    "greater",
    "greater_equal",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "not_equal",
]

_TRUTH = "Boolean, of the same shape."

equal = binary(
    kernels.equal,
    ALL,
    "Whether each element of ``x1`` equals the respective element of ``x2``.",
    returns=TRUTH,
    notes="NaN equals nothing, and zeros of different signs are equal.",
    example="""
    >>> xp.equal(xp.asarray([1, 2]), 2)
    Array([False,  True], dtype=bool)
    """,
)

not_equal = binary(
    kernels.not_equal,
    ALL,
    "Whether each element of ``x1`` differs from the respective element of ``x2``.",
    returns=TRUTH,
    notes="NaN differs from everything, itself too.",
    example="""
    >>> xp.not_equal(xp.asarray([1, 2]), 2)
    Array([ True, False], dtype=bool)
    """,
)

less = binary(
    kernels.less,
    REAL_NUMERIC,
    "Whether each element of ``x1`` is less than the respective element of ``x2``.",
    returns=TRUTH,
    notes="False where either is NaN.",
    example="""
    >>> xp.less(xp.asarray([1, 2]), 2)
    Array([ True, False], dtype=bool)
    """,
)

less_equal = binary(
    kernels.less_equal,
    REAL_NUMERIC,
    "Whether each element of ``x1`` is at most the respective element of ``x2``.",
    returns=TRUTH,
    notes="False where either is NaN.",
    example="""
    >>> xp.less_equal(xp.asarray([1, 3]), 2)
    Array([ True, False], dtype=bool)
    """,
)

greater = binary(
    kernels.greater,
    REAL_NUMERIC,
    "Whether each element of ``x1`` is greater than the respective element of ``x2``.",
    returns=TRUTH,
    notes="False where either is NaN.",
    example="""
    >>> xp.greater(xp.asarray([2, 3]), 2)
    Array([False,  True], dtype=bool)
    """,
)

greater_equal = binary(
    kernels.greater_equal,
    REAL_NUMERIC,
    "Whether each element of ``x1`` is at least the respective element of ``x2``.",
    returns=TRUTH,
    notes="False where either is NaN.",
    example="""
    >>> xp.greater_equal(xp.asarray([1, 2]), 2)
    Array([False,  True], dtype=bool)
    """,
)

maximum = binary(
    kernels.maximum,
    REAL_NUMERIC,
    "The greater of each element of ``x1`` and the respective element of ``x2``.",
    notes="NaN where either is NaN. Which of two zeros of different signs is unspecified.",
    example="""
    >>> xp.maximum(xp.asarray([1, 3]), 2)
    Array([2, 3], dtype=int64)
    """,
)

minimum = binary(
    kernels.minimum,
    REAL_NUMERIC,
    "The smaller of each element of ``x1`` and the respective element of ``x2``.",
    notes="NaN where either is NaN. Which of two zeros of different signs is unspecified.",
    example="""
    >>> xp.minimum(xp.asarray([1, 3]), 2)
    Array([1, 2], dtype=int64)
    """,
)

logical_and = binary(
    kernels.logical_and,
    BOOLEAN,
    "Whether both of the respective elements are true.",
    returns=TRUTH,
    example="""
    >>> xp.logical_and(xp.asarray([True, False]), True)
    Array([ True, False], dtype=bool)
    """,
)

logical_or = binary(
    kernels.logical_or,
    BOOLEAN,
    "Whether at least one of the respective elements is true.",
    returns=TRUTH,
    example="""
    >>> xp.logical_or(xp.asarray([True, False]), False)
    Array([ True, False], dtype=bool)
    """,
)

logical_xor = binary(
    kernels.logical_xor,
    BOOLEAN,
    "Whether exactly one of the respective elements is true.",
    returns=TRUTH,
    example="""
    >>> xp.logical_xor(xp.asarray([True, False]), True)
    Array([False,  True], dtype=bool)
    """,
)

logical_not = unary(
    kernels.logical_not,
    BOOLEAN,
    "Whether each element is false.",
    returns=_TRUTH,
    example="""
    >>> xp.logical_not(xp.asarray([True, False]))
    Array([False,  True], dtype=bool)
    """,
)

isfinite = unary(
    kernels.isfinite,
    NUMERIC,
    "Whether each element is finite: neither NaN nor infinite, in either part.",
    returns=_TRUTH,
    example="""
    >>> xp.isfinite(xp.asarray([1.0, xp.inf, xp.nan]))
    Array([ True, False, False], dtype=bool)
    """,
)

isinf = unary(
    kernels.isinf,
    NUMERIC,
    "Whether each element is infinite: in at least one part, for a complex one.",
    returns=_TRUTH,
    example="""
    >>> xp.isinf(xp.asarray([1.0, xp.inf, xp.nan]))
    Array([False,  True, False], dtype=bool)
    """,
)

isnan = unary(
    kernels.isnan,
    NUMERIC,
    "Whether each element is NaN: in at least one part, for a complex one.",
    returns=_TRUTH,
    example="""
    >>> xp.isnan(xp.asarray([1.0, xp.inf, xp.nan]))
    Array([False, False,  True], dtype=bool)
    """,
)
