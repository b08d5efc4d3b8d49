"""The chapter *Element-wise functions*: one declaration each."""

from __future__ import annotations

from ._core.dtypes import NUMERIC
from ._dispatch import binary
from ._kernels import elementwise as kernels

__all__ = ["add"]

add = binary(
    kernels.add,
    NUMERIC,
    "The sum of each element of ``x1`` with the respective element of ``x2``.",
    notes="Integers wrap around.",
    example="""
    >>> xp.add(xp.asarray([1, 2]), 10)
    Array([11, 12], dtype=int64)
    """,
)
