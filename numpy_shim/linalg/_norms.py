"""Norms of vectors and matrices, and the condition number."""

from __future__ import annotations

import math
from contextlib import nullcontext
from typing import Any

import torch
from numpy.linalg import LinAlgError
from torch import Tensor

from xp_torch._core.dtypes import REAL_OF

from .._array.ndarray import ndarray, scalar, wrap
from .._base import error_checks
from .._base import error_states as errstate
from .._base.axes import normalize_axes, normalize_axis
from .._base.dtypes import COMPLEXES, FLOATS, HALVES
from .._base.fast_tables import fast_table
from .._base.release import COND_OF_NAN
from .._base.typing import AxisLike, MatrixNorm
from .._convert.arguments import ArrayLike, as_tensor
from .._host.hand_over import call_beside
from .._host.numpy_calls import is_beside
from .._kernels import products
from ._decompositions import singular_values
from ._matrices import as_double, attempt, decomposable, matrices, stacked

__all__ = ["cond", "matrix_norm", "norm", "vector_norm"]

_INFINITIES = (math.inf, -math.inf)
_NATIVE = fast_table({dtype: dtype for dtype in (torch.float32, torch.float64)})

_inv_ex = as_double(torch.linalg.inv_ex)


def _inexact(x: Tensor) -> Tensor:
    return x if x.dtype in FLOATS or x.dtype in COMPLEXES else x.to(torch.float64)


def norm(
    x: ArrayLike, ord: MatrixNorm = None, axis: AxisLike = None, keepdims: bool = False
) -> ndarray:
    """The norm of vectors or matrices.

    Parameters
    ----------
    x : array_like
        1-D or 2-D unless ``axis`` is given or ``ord`` is ``None``, which then is the 2-norm
        of all elements.
    ord : int, float, "fro" or "nuc", optional
        For vectors any number (0 counts the elements that are not zero); for matrices 1, -1,
        2, -2, inf, -inf, "fro" or "nuc".
    axis : int or tuple of two ints, optional
        The axis of vectors, or the two of matrices.
    keepdims : bool
        Whether the axes stay, with size 1.

    Returns
    -------
    ndarray or scalar
        Real, of the precision of ``x`` (float64 for integers).

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.norm([3.0, 4.0])
    np.float64(5.0)
    """
    if type(x) is ndarray and ord is None and axis is None and keepdims is False:
        t = x._tensor
        d = t.dtype
        if d in _NATIVE:
            return scalar(torch.linalg.vector_norm(t), d)
    elif ord is None and axis is None and keepdims is False and is_beside(x):
        result = call_beside("linalg.norm", (x,))
        if result is not NotImplemented:
            return result  # type: ignore[no-any-return]
    return _general_norm(x, ord, axis, keepdims)


def _general_norm(x: ArrayLike, ord: MatrixNorm, axis: AxisLike, keepdims: bool) -> ndarray:
    t = _inexact(as_tensor("norm", x, "x"))
    if axis is None:
        if _is_of_all(ord, t.dim()):
            flat = _sqrt_of_squares(t.reshape(-1), (0,), dot=True)
            return wrap(flat.reshape((1,) * t.dim()) if keepdims else flat)
        axes = tuple(range(t.dim()))
    elif isinstance(axis, tuple):
        axes = axis  # type: ignore[assignment]
    else:
        try:
            axes = (int(axis),)
        except (TypeError, ValueError):
            raise TypeError(
                "norm: 'axis' must be None, an integer or a tuple of integers"
            ) from None
    if len(axes) == 1:
        dims = normalize_axes("norm", axes, t.dim())
        return wrap(_vector_norm(t, ord, dims, keepdims))
    if len(axes) == 2:
        rows, columns = normalize_axes("norm", axes, t.dim())
        return wrap(_matrix_norm("norm", t, ord, rows, columns, keepdims))
    raise ValueError("norm: Improper number of dimensions to norm.")


def _is_of_all(ord: object, ndim: int) -> bool:
    """Whether the norm is the 2-norm of all elements, for any shape."""
    return ord is None or (ord in ("f", "fro") and ndim == 2) or (ord == 2 and ndim == 1)


def _sqrt_of_squares(
    t: Tensor, axes: tuple[int, ...], keepdims: bool = False, dot: bool = False
) -> Tensor:
    if errstate.active:
        _look_at_squares(t.detach(), axes, dot)
    if t.dtype in HALVES:  # in which the sum may overflow, and the squares but for dot
        squares = torch.square(t.float()) if dot else torch.square(t)
        return torch.sqrt(torch.sum(squares, axes, keepdims).to(t.dtype))
    parts, dims = t, axes
    if t.is_complex():  # torch's absolute value of inf+nanj is infinite, its square is NaN
        parts, dims = torch.view_as_real(t.resolve_conj()), (*axes, -1)
    result: Tensor = torch.linalg.vector_norm(parts, 2, dims, keepdims)
    return result.squeeze(-1) if keepdims and t.is_complex() else result


def _look_at_squares(t: Tensor, axes: tuple[int, ...], dot: bool) -> None:
    """Check a sum of squares for errors: a product of vectors, or two steps."""
    if dot:
        flat = torch.view_as_real(t.resolve_conj()).reshape(-1) if t.is_complex() else t
        error_checks.check_product("dot", products.dot, flat, flat, products.dot(flat, flat))
        return
    squares = products.multiply(t, t.conj())
    error_checks.check("multiply", [t, t], (squares,))
    _sum(squares.real if t.is_complex() else squares, axes, False)


def _sum(x: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    result = torch.sum(x, axes, keepdims)
    if errstate.active:
        error_checks.check_sum(x, result, error_checks.over(axes, keepdims))
    return result


def _power(x: Tensor, exponent: float) -> Tensor:
    result = torch.pow(x, exponent)
    if errstate.active:
        name = _POWERS.get(exponent, "power")
        operands = [x, torch.full_like(x, exponent)] if name == "power" else [x]
        error_checks.check(name, operands, (result,))
    return result


_POWERS = {-1: "reciprocal", 0.5: "sqrt"}
"""The operation with which NumPy computes a power."""


def _root(x: Tensor, ord: float) -> Tensor:
    result = torch.pow(x, 1.0 / ord)
    if errstate.active:
        operation = "power" if x.dim() else f"{error_checks.SCALAR}power"
        error_checks.check(
            "power", [x, torch.full_like(x, 1.0 / ord)], (result,), operation=operation
        )
    return result


def _vector_norm(t: Tensor, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    if isinstance(ord, str):
        raise ValueError(f"norm: Invalid norm order '{ord}' for vectors")
    if ord is None or ord == 2:
        return _sqrt_of_squares(t, axes, keepdims)
    if ord in _INFINITIES:
        return _extreme(torch.abs(t), ord > 0, axes, keepdims)
    if ord == 0:
        real = REAL_OF.get(t.dtype, t.dtype)
        return torch.sum(torch.ne(t, 0).to(real), axes, keepdims)
    sizes = torch.abs(t)
    if ord == 1:
        return _sum(sizes, axes, keepdims)
    return _root(_sum(_power(sizes, ord), axes, keepdims), ord)


def _extreme(sizes: Tensor, largest: bool, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    if any(sizes.shape[a] == 0 for a in axes):
        if largest:  # absolute values are not negative, so the maximum of no elements is 0
            return torch.sum(sizes, axes, keepdims)
        raise ValueError("zero-size array to reduction operation minimum which has no identity")
    return (torch.amax if largest else torch.amin)(sizes, axes, keepdims)


def _matrix_norm(name: str, t: Tensor, ord: Any, rows: int, columns: int, keepdims: bool) -> Tensor:
    if ord in (None, "fro", "f"):
        return _sqrt_of_squares(t, (rows, columns), keepdims)
    if ord in (1, -1, *_INFINITIES):
        summed, other = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sums = _sum(torch.abs(t), (summed,), True)
        result = _extreme(sums, ord > 0, (other,), True)
    elif ord in (2, -2, "nuc"):
        values = singular_values(
            name, matrices(name, wrap(torch.movedim(t, (rows, columns), (-2, -1))))
        )
        if ord == "nuc":
            found = _sum(values, (values.dim() - 1,), False)
        else:
            found = _extreme(values, ord > 0, (values.dim() - 1,), False)
        if not keepdims:
            return found
        for axis in sorted((rows, columns)):
            found = found.unsqueeze(axis)
        return found
    else:
        raise ValueError(f"{name}: Invalid norm order for matrices.")
    return result if keepdims else result.squeeze((rows, columns))


def matrix_norm(x: ArrayLike, /, *, keepdims: bool = False, ord: MatrixNorm = "fro") -> ndarray:
    """The norm of matrices in the last two axes; see ``norm``.

    Parameters
    ----------
    x : (..., M, N) array_like
        Any numeric dtype.
    keepdims : bool
        Leave the last two axes in the result, with size one.
    ord : {'fro', 'nuc', inf, -inf, 1, -1, 2, -2}
        Which norm, by default the Frobenius norm; see ``norm``.

    Returns
    -------
    ndarray or scalar
        Real, shape (...).

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.matrix_norm(np.eye(4))
    np.float64(2.0)
    """
    t = _inexact(as_tensor("matrix_norm", x, "x"))
    rows = normalize_axis("matrix_norm", -2, t.dim())
    return wrap(_matrix_norm("matrix_norm", t, ord, rows, rows + 1, keepdims))


def vector_norm(
    x: ArrayLike, /, *, axis: AxisLike = None, keepdims: bool = False, ord: float | None = 2
) -> ndarray:
    """The norm of vectors along one axis, along several axes together, or of all elements.

    Parameters
    ----------
    x : array_like
        Any numeric dtype.
    axis : int, tuple of ints or None
        The axes of the vectors; ``None`` is all of them.
    keepdims : bool
        Leave the reduced axes in the result, with size one.
    ord : float
        The order: the sum of ``abs(x)**ord`` is raised to ``1 / ord``. inf is the largest absolute
        value, -inf the smallest, 0 the number of elements that are not zero.

    Returns
    -------
    ndarray or scalar
        Real.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.vector_norm([[3.0, 0.0], [0.0, 4.0]])
    np.float64(5.0)
    """
    t = _inexact(as_tensor("vector_norm", x, "x"))
    axes = normalize_axes("vector_norm", axis, t.dim())
    if not axes:
        # Every element is a vector of its own.
        return wrap(_vector_norm(t.unsqueeze(-1), ord, (t.dim(),), False))
    return wrap(_vector_norm(t, ord, axes, keepdims))


def _singular_values(x: Tensor) -> Tensor:
    """The singular values; NaN for a matrix that is not finite, if NumPy returns NaN."""
    if not COND_OF_NAN:
        return singular_values("cond", x)
    finite = torch.isfinite(x).all(-1).all(-1).unsqueeze(-1)
    values = singular_values("cond", torch.where(finite.unsqueeze(-1), x, 0))
    return torch.where(finite, values, math.nan)


def cond(x: ArrayLike, p: MatrixNorm = None) -> ndarray:
    """The condition number of matrices: the norm times the norm of the inverse.

    Parameters
    ----------
    x : (..., M, N) array_like
        Square unless ``p`` is ``None``, 2 or -2.
    p : optional
        The order, as for ``norm``; by default 2, from the singular values.

    Returns
    -------
    ndarray or scalar
        Shape (...); infinite for singular matrices.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.cond([[1.0, 0.0], [0.0, 2.0]])
    np.float64(2.0)
    """
    given = stacked("cond", x, "x")
    if 0 in given.shape[-2:]:
        raise LinAlgError("cond is not defined on empty arrays")
    t = decomposable("cond", given, "x")
    if p is None or p in (2, -2):
        values = _singular_values(t)
        if p == -2:
            result = values[..., -1] / values[..., 0]
        else:
            result = values[..., 0] / values[..., -1]
    else:
        if t.shape[-1] != t.shape[-2]:
            raise LinAlgError("cond: last 2 dimensions of x must be square")
        inverse, info = attempt("cond", "Singular matrix", _inv_ex, t)
        rows, columns = t.dim() - 2, t.dim() - 1
        with errstate.errstate(all="ignore") if errstate.active else nullcontext():
            if p == "nuc" and COND_OF_NAN:
                result = _singular_values(t).sum(-1) * _singular_values(inverse).sum(-1)
            else:
                result = _matrix_norm("cond", t, p, rows, columns, False) * _matrix_norm(
                    "cond", inverse, p, rows, columns, False
                )
        result = torch.where(torch.ne(info, 0), math.inf, result)
    unknown = torch.isnan(t).any(-1).any(-1)
    return wrap(torch.where(torch.isnan(result) & ~unknown, math.inf, result))
