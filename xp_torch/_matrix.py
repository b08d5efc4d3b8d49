"""Checks of matrix arguments, for the functions of linear algebra."""

from __future__ import annotations

from torch import Tensor

from ._core.dtypes import FLOATING, Category
from ._core.errors import LinAlgError
from ._dispatch import check_category, tensor_of


def matrix(name: str, x: object, category: Category = FLOATING, argument: str = "x") -> Tensor:
    """The tensor of a matrix, or of a stack of them: the last two axes."""
    t = tensor_of(name, argument, x)
    check_category(name, argument, t.dtype, category)
    if t.ndim < 2:
        raise LinAlgError(
            f"{name}: {argument} must have at least 2 dimensions, not {t.ndim}: a matrix or a "
            "stack of matrices"
        )
    return t


def square(name: str, x: object, argument: str = "x") -> Tensor:
    """The tensor of a square matrix, or of a stack of them."""
    t = matrix(name, x, FLOATING, argument)
    if t.size(-1) != t.size(-2):
        raise LinAlgError(
            f"{name}: the matrices of {argument} must be square, not {t.size(-2)} x {t.size(-1)}"
        )
    return t
