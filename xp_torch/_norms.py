"""The extension ``linalg``: norms of matrices and vectors."""

from __future__ import annotations

import math
from typing import Literal, NoReturn

import torch
from torch import Tensor

from ._array import Array
from ._core.axes import normalize_axes
from ._core.dtypes import FLOATING
from ._core.errors import shown, translate, type_name
from ._core.scalars import truth
from ._dispatch import check_category, tensor_of, wrap
from ._kernels import linalg as kernels
from ._matrix import matrix

__all__ = ["matrix_norm", "vector_norm"]

_FLOATING = FLOATING.dtypes
_MATRIX_ORDERS = (1, -1, 2, -2, math.inf, -math.inf)


def matrix_norm(
    x: Array,
    /,
    *,
    keepdims: bool = False,
    ord: float | Literal["fro", "nuc"] | None = "fro",
) -> Array:
    """The norm of a matrix, or of each of a stack.

    Parameters
    ----------
    x : Array
        Floating-point dtype, shape ``(..., M, N)``.
    keepdims : bool
        Whether the last two axes stay, with size 1. Default: False.
    ord : {"fro", "nuc", 1, -1, 2, -2, inf, -inf} or None
        The norm: Frobenius (also ``None``), nuclear, the largest or smallest column sum (1, -1),
        singular value (2, -2) or row sum (inf, -inf) of absolute values. Default: ``"fro"``.

    Returns
    -------
    Array
        The real dtype of the precision of ``x``, shape ``(...)`` or ``(..., 1, 1)``.

    Raises
    ------
    TypeError
        For any other dtype, or anything but an ``xp_torch`` array.
    ValueError
        For another norm, fewer than two dimensions, or a minimum over an empty matrix (a maximum is
        0). As a ``LinAlgError`` where the singular values do not converge.

    Notes
    -----
    With ``ord`` 2, -2 or ``"nuc"`` the call waits for the result on an accelerator.

    Source: the array API standard, ``linalg.matrix_norm``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.matrix_norm(xp.asarray([[3.0, 0.0], [0.0, 4.0]]))
    Array(5., dtype=float64)
    >>> xp.linalg.matrix_norm(xp.asarray([[3.0, 0.0], [0.0, 4.0]]), ord="nuc")
    Array(7., dtype=float64)
    """
    name = "matrix_norm"
    t = matrix(name, x)
    if type(ord) is str and ord == "fro" and keepdims is False:
        out = Array()
        out._tensor = torch.linalg.matrix_norm(t)
        return out
    if ord is None:
        ord = "fro"
    elif not (
        ord in ("fro", "nuc")
        if isinstance(ord, str)
        else isinstance(ord, (int, float)) and ord in _MATRIX_ORDERS  # type: ignore[redundant-expr]
    ):
        raise ValueError(
            f"{name}: ord must be 'fro', 'nuc', 1, -1, 2, -2, inf, -inf or None, not {ord!r}"
        )
    try:
        return wrap(kernels.matrix_norm(t, ord, truth("matrix_norm", "keepdims", keepdims)))
    except RuntimeError as error:
        translate(name, error)
    except kernels.NoElementsError:
        _no_elements(name, ord, t)


def vector_norm(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: float = 2,
) -> Array:
    """The norm of vectors.

    Parameters
    ----------
    x : Array
        Floating-point dtype, any shape.
    axis : int, tuple of ints or None
        The axis or axes that hold the elements of a vector; all for ``None``, and each element
        is a vector for an empty tuple. Default: None.
    keepdims : bool
        Whether these axes stay, with size 1. Default: False.
    ord : int or float
        ``sum(abs(x) ** ord) ** (1 / ord)``; the largest or smallest absolute value for inf and
        -inf, the number of elements that are not 0 for 0. Default: 2.

    Returns
    -------
    Array
        The real dtype of the precision of ``x``.

    Raises
    ------
    TypeError
        For any other dtype, anything but an ``xp_torch`` array, or an order that is no number.
    ValueError
        For an axis that the array does not have or that is repeated, or ``ord=-inf`` without
        elements.

    Notes
    -----
    Source: the array API standard, ``linalg.vector_norm``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.vector_norm(xp.asarray([3.0, 4.0]))
    Array(5., dtype=float64)
    >>> xp.linalg.vector_norm(xp.asarray([[3.0, 4.0], [0.0, 1.0]]), axis=1, ord=1)
    Array([7., 1.], dtype=float64)
    """
    if type(x) is Array and type(ord) is int and ord == 2 and keepdims is False:
        t = x._tensor
        if t.dtype in _FLOATING:
            if axis is None:
                out = Array()
                out._tensor = torch.linalg.vector_norm(t)
                return out
            if type(axis) is int and -t.ndim <= axis < t.ndim:
                out = Array()
                out._tensor = torch.linalg.vector_norm(t, 2, axis)
                return out
    name = "vector_norm"
    t = tensor_of(name, "x", x)
    check_category(name, "x", t.dtype, FLOATING)
    axes = None if axis is None else normalize_axes(name, axis, t.ndim)
    if isinstance(ord, str):
        raise ValueError(f"{name}: ord must be a number, not {ord!r}")
    if not isinstance(ord, (int, float)):
        raise TypeError(f"{name}: ord must be an int or a float, not {type_name(ord)}")
    kept = truth(name, "keepdims", keepdims)
    try:
        return wrap(kernels.vector_norm(t, float(ord), axes, kept))
    except OverflowError:
        raise OverflowError(f"{name}: ord, {shown(ord)}, is out of range for a float") from None
    except RuntimeError as error:
        translate(name, error)
    except kernels.NoElementsError:
        _no_elements(name, ord, t)


def _no_elements(name: str, ord: object, t: Tensor) -> NoReturn:
    raise ValueError(
        f"{name}: with ord {ord} the result is the smallest of no values for shape {tuple(t.shape)}"
    ) from None
