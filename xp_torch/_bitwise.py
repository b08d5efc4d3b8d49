"""The chapter *Element-wise functions*: bits and shifts."""

from __future__ import annotations

from ._core.dtypes import INTEGER, INTEGER_OR_BOOLEAN
from ._dispatch import binary, unary
from ._kernels import bitwise as kernels

__all__ = [
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
]

bitwise_and = binary(
    kernels.bitwise_and,
    INTEGER_OR_BOOLEAN,
    "The bits set in both of the respective elements.",
    example="""
    >>> xp.bitwise_and(xp.asarray([5, 6]), 3)
    Array([1, 2], dtype=int64)
    """,
)

bitwise_or = binary(
    kernels.bitwise_or,
    INTEGER_OR_BOOLEAN,
    "The bits set in at least one of the respective elements.",
    example="""
    >>> xp.bitwise_or(xp.asarray([5, 6]), 3)
    Array([7, 7], dtype=int64)
    """,
)

bitwise_xor = binary(
    kernels.bitwise_xor,
    INTEGER_OR_BOOLEAN,
    "The bits set in exactly one of the respective elements.",
    example="""
    >>> xp.bitwise_xor(xp.asarray([5, 6]), 3)
    Array([6, 5], dtype=int64)
    """,
)

bitwise_invert = unary(
    kernels.bitwise_invert,
    INTEGER_OR_BOOLEAN,
    "Each element with every bit flipped.",
    example="""
    >>> xp.bitwise_invert(xp.asarray([0, 5]))
    Array([-1, -6], dtype=int64)
    """,
)

bitwise_left_shift = binary(
    kernels.bitwise_left_shift,
    INTEGER,
    "The bits of each element of ``x1`` shifted left by that of ``x2``, zeros appended.",
    notes="""
    0 for a shift by the number of bits or more. A negative shift is unspecified, and the
    values are not looked at.
    """,
    example="""
    >>> xp.bitwise_left_shift(xp.asarray([1, 2]), 3)
    Array([ 8, 16], dtype=int64)
    """,
)

bitwise_right_shift = binary(
    kernels.bitwise_right_shift,
    INTEGER,
    "The bits of each element of ``x1`` shifted right by that of ``x2``, sign kept.",
    notes="""
    For a shift by the number of bits or more: 0, and -1 for a negative element. A negative
    shift is unspecified, and the values are not looked at.
    """,
    example="""
    >>> xp.bitwise_right_shift(xp.asarray([8, -8]), 2)
    Array([ 2, -2], dtype=int64)
    """,
)
