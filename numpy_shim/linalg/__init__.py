"""``numpy.linalg`` on torch: products, decompositions, solutions, norms.

Matrices are the last two axes; integers are computed in float64. Errors are NumPy's
``LinAlgError``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex

from numpy.linalg import LinAlgError

from .._array import views
from .._array.ndarray import AnyArray, array_of, ndarray, wrap
from .._base.axes import normalize_axis
from .._base.typing import AxesLike, DTypeLike
from .._convert.arguments import ArrayLike, as_array, as_tensor, common, operands, promoted
from .._functions.axis_order import swapaxes as _swapaxes
from .._functions.diagonals import trace as _trace
from .._functions.products import cross as _cross
from .._functions.products import tensordot as _tensordot
from .._functions.products import times
from .._ufunc.gufuncs import matmul as _matmul
from .._ufunc.gufuncs import vecdot as _vecdot
from ._decompositions import cholesky, eig, eigh, eigvals, eigvalsh, qr, svd, svdvals
from ._determinants import det, slogdet
from ._norms import cond, matrix_norm, norm, vector_norm
from ._powers import matrix_power, multi_dot
from ._solvers import inv, lstsq, matrix_rank, pinv, solve, tensorinv, tensorsolve

__all__ = [
    "LinAlgError", "cholesky", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals",
    "eigvalsh", "inv", "lstsq", "matmul", "matrix_norm", "matrix_power", "matrix_rank",
    "matrix_transpose", "multi_dot", "norm", "outer", "pinv", "qr", "slogdet", "solve", "svd",
    "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace", "vecdot", "vector_norm",
]  # fmt: skip


def _matrices(name: str, x: ArrayLike) -> Any:
    tensor = as_tensor(name, x, "x")
    if tensor.dim() < 2:
        raise ValueError(
            f"{name}: x has {tensor.dim()} dimensions; the input array must be at least "
            "2-dimensional"
        )
    return tensor


def matmul(x1: ArrayLike, x2: ArrayLike, /) -> ndarray:
    """The matrix product; see ``numpy_shim.matmul``.

    Parameters
    ----------
    x1, x2 : array_like
        Any numeric dtype or boolean, at least one axis; matrices in the last two axes.

    Returns
    -------
    ndarray or scalar
        Shape ``(..., M, N)`` of ``(..., M, K)`` and ``(..., K, N)``, of the promoted dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.matmul([[1, 2]], [[3], [4]])
    array([[11]])
    """
    return _matmul(x1, x2)


def vecdot(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> ndarray:
    """The sum of ``conj(x1) * x2`` along an axis; see ``numpy_shim.vecdot``.

    Parameters
    ----------
    x1, x2 : array_like
        Any numeric dtype or boolean, at least one axis.
    axis : int
        The axis to sum along; the others broadcast.

    Returns
    -------
    ndarray or scalar
        The sums, of the promoted dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.vecdot([[1, 2], [3, 4]], [1, 10])
    array([21, 43])
    """
    return _vecdot(x1, x2, axis=axis)


def tensordot(
    x1: ArrayLike, x2: ArrayLike, /, *, axes: SupportsIndex | Sequence[AxesLike] = 2
) -> ndarray:
    """The sum of products over pairs of axes; see ``numpy_shim.tensordot``.

    Parameters
    ----------
    x1, x2 : array_like
        Any numeric dtype or boolean.
    axes : int or (2,) array_like
        The number of axes to sum over (the last of ``x1``, the first of ``x2``), or the axes of
        ``x1`` and those of ``x2``.

    Returns
    -------
    ndarray or scalar
        The remaining axes of ``x1``, then those of ``x2``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.tensordot(np.ones((2, 3)), np.ones((3, 4)), axes=1).shape
    (2, 4)
    """
    return _tensordot(x1, x2, axes)


def outer(x1: ArrayLike, x2: ArrayLike, /) -> ndarray:
    """The products of every element of one vector with every element of another.

    Parameters
    ----------
    x1, x2 : (M,), (N,) array_like
        Any numeric dtype or boolean.

    Returns
    -------
    ndarray
        Shape ``(M, N)``, of the promoted dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.outer([1, 2], [3, 4])
    array([[3, 4],
           [6, 8]])
    """
    s, t = promoted("outer", operands("outer", x1, x2))
    if s.dim() != 1 or t.dim() != 1:
        raise ValueError(
            "outer: Input arrays must be one-dimensional, but they are "
            f"x1.ndim={s.dim()} and x2.ndim={t.dim()}."
        )
    return wrap(times(s.unsqueeze(1), t.unsqueeze(0)))


def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> ndarray:
    """The cross product of vectors of three elements along an axis.

    Parameters
    ----------
    x1, x2 : array_like
        Any numeric dtype; three elements along the axis.
    axis : int
        The axis of the vectors; the others broadcast.

    Returns
    -------
    ndarray
        The vectors, of the promoted dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.cross([1, 0, 0], [0, 1, 0])
    array([0, 0, 1])
    """
    s, t = common("cross", x1, x2)
    for tensor in (s, t):
        if tensor.shape[normalize_axis("cross", axis, tensor.dim())] != 3:
            raise ValueError(
                "cross: Both input arrays must be (arrays of) 3-dimensional vectors, but they "
                f"have shapes {tuple(s.shape)} and {tuple(t.shape)}."
            )
    return _cross(wrap(s), wrap(t), axis=axis)


def matrix_transpose(x: ArrayLike, /) -> ndarray:
    """A view of the matrices with rows and columns exchanged.

    Parameters
    ----------
    x : (..., M, N) array_like
        Any dtype.

    Returns
    -------
    ndarray
        Shape ``(..., N, M)``; writing to it writes to ``x``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.matrix_transpose([[1, 2], [3, 4]])
    array([[1, 3],
           [2, 4]])
    """
    _matrices("matrix_transpose", x)
    return _swapaxes(x, -1, -2)


def diagonal(x: ArrayLike, /, *, offset: int = 0) -> ndarray:
    """The diagonals of the matrices, ``offset`` above the main one, in the last axis.

    Parameters
    ----------
    x : (..., M, N) array_like
        Any dtype.
    offset : int
        Which diagonal: 0 is the main one, a negative one is below it.

    Returns
    -------
    ndarray
        A read-only view; the diagonals are in its last axis.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.diagonal([[1, 2], [3, 4]])
    array([1, 4])
    """
    array = as_array("diagonal", x, "x")
    tensor = _matrices("diagonal", array)
    rows, columns = tensor.shape[-2:]
    offset = max(-rows, min(offset, columns))
    count = tensor.dim()
    return views.read_only(views.diagonal(array, offset, count - 2, count - 1))


def trace(x: ArrayLike, /, *, offset: int = 0, dtype: DTypeLike = None) -> ndarray:
    """The sums of the diagonals of the matrices.

    Parameters
    ----------
    x : (..., M, N) array_like
        Any numeric dtype or boolean.
    offset : int
        Which diagonal: 0 is the main one, a negative one is below it.
    dtype : dtype, optional
        What to compute in; by default that of ``x``, small integers and booleans as int64 or
        uint64.

    Returns
    -------
    ndarray or scalar
        The sums, shape ``(...)``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.trace([[1, 2], [3, 4]])
    np.int64(5)
    """
    return _trace(wrap(_matrices("trace", x)), offset, -2, -1, dtype)
