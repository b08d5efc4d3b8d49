"""Checks of matrix arguments, for the functions of linear algebra."""

from __future__ import annotations

from torch import Tensor

from ._array import Array
from ._core.dtypes import FLOATING
from ._core.errors import LinAlgError
from ._dispatch import check_category, tensor_of

_FLOATING = FLOATING.dtypes


def matrix(name: str, x: object, argument: str = "x") -> Tensor:
    """The tensor of a floating-point matrix, or of a stack of them: the last two axes."""
    if type(x) is Array:
        t = x._tensor
        if t.dtype in _FLOATING and t.ndim >= 2:
            return t
    t = tensor_of(name, argument, x)
    check_category(name, argument, t.dtype, FLOATING)
    raise LinAlgError(
        f"{name}: {argument} must have at least 2 dimensions, not {t.ndim}: a matrix or a "
        "stack of matrices"
    )


def square(name: str, x: object, argument: str = "x") -> Tensor:
    """The tensor of a floating-point square matrix, or of a stack of them."""
    t = matrix(name, x, argument)
    if t.size(-1) != t.size(-2):
        raise LinAlgError(
            f"{name}: the matrices of {argument} must be square, not {t.size(-2)} x {t.size(-1)}"
        )
    return t
