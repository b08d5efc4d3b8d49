"""Inverses, exact and pseudo, solutions of systems, and the rank."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy
import torch
from numpy.linalg import LinAlgError
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._core import box as _box
from xp_torch._kernels import linalg

from .._array.ndarray import AnyArray, ndarray, wrap
from .._base import error_checks
from .._base import error_states as errstate
from .._base.axes import normalize_axes
from .._base.fast_tables import fast_table
from .._convert.arguments import ArrayLike, as_tensor
from ._decompositions import epsilon, singular_values, svd_of
from ._matrices import adjoint, as_double, attempt, by_rows, decomposable, square, stacked, together

__all__ = ["inv", "lstsq", "matrix_rank", "pinv", "solve", "tensorinv", "tensorsolve"]

_NO_VALUE: Any = numpy._NoValue
inverted = as_double(linalg.inv)
_solve = as_double(linalg.solve)
_SOLVED = fast_table({torch.float64: torch.float64, torch.complex128: torch.complex128})


def solve(a: ArrayLike, b: ArrayLike) -> ndarray:
    """The solution ``x`` of ``a @ x = b``.

    Parameters
    ----------
    a : (..., M, M) array_like
        Square, of full rank.
    b : (M,) or (..., M, K) array_like
        A 1-D array is one right-hand side; otherwise each column is one.

    Returns
    -------
    ndarray
        The shape of ``b``, with the stacks of both arguments broadcast.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [2.0, 4.0])
    array([1., 1.])
    """
    if type(a) is ndarray and type(b) is ndarray and a._flat_dtype in _SOLVED:
        # NumPy's rule for vectors is that of torch, where there is one matrix.
        s, t = a._tensor, b._tensor
        fits = s.dim() == 2 and 1 <= t.dim() <= 2 and s.shape[0] == s.shape[1] == t.shape[0]
        apart = _box.several_devices and s.device != t.device
        if fits and a._flat_dtype is b._flat_dtype and not apart:
            return wrap(attempt("solve", "Singular matrix", torch.linalg.solve, s, t).contiguous())
    s, t = together("solve", a, b, arguments=("a", "b"))
    check_square("solve", s)
    axis = 0 if t.dim() == 1 else -2
    if t.dim() == 0 or t.shape[axis] != s.shape[-1]:
        raise ValueError(f"solve: shapes {tuple(s.shape)} and {tuple(t.shape)} do not fit together")
    if t.dim() == 1:
        columns = attempt("solve", "Singular matrix", _solve, s, t.unsqueeze(-1))
        return wrap(by_rows(columns.squeeze(-1), s, core=1))
    return wrap(by_rows(attempt("solve", "Singular matrix", _solve, s, t), s, t))


def check_square(name: str, x: Tensor, argument: str = "a") -> None:
    if x.dim() < 2:
        raise LinAlgError(
            f"{name}: {x.dim()}-dimensional array given for {argument}. Array must be at least "
            "two-dimensional"
        )
    if x.shape[-1] != x.shape[-2]:
        raise LinAlgError(f"{name}: last 2 dimensions of {argument} must be square")


def inv(a: ArrayLike) -> ndarray:
    """The inverse of square matrices.

    Parameters
    ----------
    a : (..., M, M) array_like
        Any numeric dtype but float16.

    Returns
    -------
    ndarray
        Shape (..., M, M); float64 for integers, else in the dtype of ``a``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.inv([[2.0, 0.0], [0.0, 4.0]])
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    x = square("inv", a)
    return wrap(by_rows(attempt("inv", "Singular matrix", inverted, x), x))


def _cutoff(rtol: Any, x: Tensor) -> Tensor | float:
    """A relative tolerance per matrix, shaped to compare with its singular values."""
    if isinstance(rtol, (int, float)) and not isinstance(rtol, AnyArray):
        return rtol
    return as_tensor("rtol", rtol, "rtol", x.device).unsqueeze(-1)


def matrix_rank(
    A: ArrayLike,
    tol: ArrayLike | None = None,
    hermitian: bool = False,
    *,
    rtol: ArrayLike | None = None,
) -> ndarray | int:
    """The number of singular values above a tolerance.

    Parameters
    ----------
    A : (M,) or (..., M, N) array_like
        A vector has rank 1 unless it is all zeros.
    tol : (...) array_like, optional
        The absolute tolerance.
    hermitian : bool
        Whether the matrices are Hermitian, which is faster.
    rtol : (...) array_like, optional
        The tolerance relative to the largest singular value; by default
        ``max(M, N)`` times the dtype's rounding error.

    Returns
    -------
    ndarray, scalar or int
        int64, shape (...); an int for a vector, which waits for its values.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.matrix_rank(np.eye(3))
    np.int64(3)
    """
    if rtol is not None and tol is not None:
        raise ValueError("matrix_rank: `tol` and `rtol` can't be both set.")
    x = as_tensor("matrix_rank", A, "A")
    if x.dim() < 2:
        return int(torch.any(torch.ne(x, 0)))
    x = decomposable("matrix_rank", x, "A")
    values = singular_values("matrix_rank", x, hermitian)
    if tol is not None:
        bound: Any = _cutoff(tol, x)
    else:
        relative = max(x.shape[-2:]) * epsilon(x) if rtol is None else _cutoff(rtol, x)
        largest = values[..., :1] if values.shape[-1] else values.sum(-1, keepdim=True)
        bound = relative * largest
    return wrap(torch.sum(values > bound, -1))


def pinv(
    a: ArrayLike,
    rcond: ArrayLike | None = None,
    hermitian: bool = False,
    *,
    rtol: ArrayLike | None = _NO_VALUE,
) -> ndarray:
    """The Moore-Penrose pseudo-inverse.

    Parameters
    ----------
    a : (..., M, N) array_like
        Any numeric dtype but float16.
    rcond : (...) array_like of float, optional
        Singular values up to ``rcond`` times the largest one count as zero; by default 1e-15.
    hermitian : bool
        Whether ``a`` is Hermitian, which is quicker.
    rtol : (...) array_like of float, optional
        The same as ``rcond``; ``None`` is ``max(M, N)`` times the rounding error.

    Returns
    -------
    ndarray
        Shape (..., N, M).

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.pinv([[2.0, 0.0]])
    array([[0.5],
           [0. ]])
    """
    given = stacked("pinv", a, "a")
    if rcond is None:
        rcond = 1e-15 if rtol is _NO_VALUE else rtol
    elif rtol is not _NO_VALUE:
        raise ValueError("pinv: `rtol` and `rcond` can't be both set.")
    if 0 in given.shape[-2:]:  # an empty result keeps its dtype, even an integer one
        return wrap(given.mT.clone())
    x = decomposable("pinv", given)
    if rcond is None:
        rcond = max(x.shape[-2:]) * epsilon(x)
    relative = _cutoff(rcond, x)
    u, s, vh = svd_of("pinv", x, False, hermitian)
    largest = torch.amax(s, -1, keepdim=True)
    bound = relative * largest
    kept = s > bound
    divisor = torch.where(kept, s, 1.0)
    inverse = torch.where(kept, 1 / divisor, 0.0).to(s.dtype)
    if errstate.active:
        error_checks.check("multiply", [torch.ones_like(bound) * relative, largest], (bound,))
        error_checks.check("divide", [torch.ones_like(divisor), divisor], (inverse,), kept)
    result = torch.matmul(adjoint(vh) * inverse.unsqueeze(-2), adjoint(u))
    return wrap(result if hermitian else by_rows(result, x))


@as_double
def _least_squares(
    a: Tensor, b: Tensor, rcond: Tensor | float | None
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The solution, squared residuals (none where M <= N), the rank, and the singular values."""
    rows, columns = a.shape
    if rcond is None:
        rcond = max(rows, columns) * epsilon(a)
    elif rcond < 0:
        rcond = epsilon(a) / 2  # LAPACK's epsilon
    u, values, vh = svd_of("lstsq", a, False, False)
    kept = values > rcond * values[:1] if values.shape[0] else values > 0
    inverse = torch.where(kept, 1 / torch.where(kept, values, 1.0), 0.0).to(values.dtype)
    x = torch.matmul(adjoint(vh), inverse.unsqueeze(-1) * torch.matmul(adjoint(u), b))
    if rows > columns:
        residuals = torch.sum(torch.abs(torch.matmul(a, x) - b) ** 2, 0)
    else:
        residuals = values.new_zeros((0,))
    return x, residuals, torch.sum(kept, dtype=torch.int32), values


def lstsq(
    a: ArrayLike, b: ArrayLike, rcond: float | None = None
) -> tuple[ndarray, ndarray, ndarray, ndarray]:
    """The least-squares solution of ``a @ x = b``; of several the one with the least norm.

    Parameters
    ----------
    a : (M, N) array_like
    b : (M,) or (M, K) array_like
    rcond : float, optional
        Singular values up to ``rcond`` times the largest one count as zero. The default is
        ``max(M, N)`` times the rounding error of the dtype of computation: float64, or the own
        dtype on an accelerator. A negative value means that rounding error.

    Returns
    -------
    tuple
        The solution (N,) or (N, K); the sums of squared residuals (K,), empty where the rank
        is below N (which waits for the values) or M <= N; the rank; the singular values of
        ``a``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.lstsq([[1.0], [1.0]], [1.0, 3.0])[0]
    array([2.])
    """
    s, t = together("lstsq", a, b, arguments=("a", "b"))
    if s.dim() != 2:
        raise LinAlgError(f"lstsq: {s.dim()}-dimensional array given for a; it must be 2-D")
    if t.dim() not in (1, 2):
        raise LinAlgError(f"lstsq: {t.dim()}-dimensional array given for b; it must be 1-D or 2-D")
    if s.shape[0] != t.shape[0]:
        raise LinAlgError(f"lstsq: Incompatible dimensions {tuple(s.shape)} and {tuple(t.shape)}")
    right = t.unsqueeze(-1) if t.dim() == 1 else t
    relative = getattr(rcond, "_tensor", rcond)  # of a scalar on a device
    x, residuals, rank, values = _least_squares(s, right, relative)
    if residuals.shape[0]:
        if is_dynamo_compiling():  # which cannot branch on the rank, but can slice by it
            residuals = residuals[: int((rank == s.shape[1]) * residuals.shape[0])]
        elif int(rank) < s.shape[1]:
            residuals = residuals[:0]
    solution = x.squeeze(-1) if t.dim() == 1 else x
    return wrap(solution), wrap(residuals), wrap(rank), wrap(values)


def tensorsolve(a: ArrayLike, b: ArrayLike, axes: Iterable[int] | None = None) -> ndarray:
    """The ``x`` with ``tensordot(a, x, x.ndim) == b``.

    Parameters
    ----------
    a : array_like
        Shape ``b.shape + x.shape``; the products of both parts are equal.
    b : array_like
        The right-hand side.
    axes : sequence of int, optional
        The axes of ``a`` that move to the end before.

    Returns
    -------
    ndarray
        Shape ``a.shape[b.ndim:]``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.tensorsolve(np.eye(6).reshape(2, 3, 6), np.ones((2, 3))).shape
    (6,)
    """
    s, t = together("tensorsolve", a, b, arguments=("a", "b"))
    if axes is not None:
        moved = normalize_axes("tensorsolve", tuple(axes), s.dim(), "axes")
        s = s.permute([i for i in range(s.dim()) if i not in moved] + list(moved))
    shape = tuple(s.shape[t.dim() :])
    size = math.prod(shape)
    if s.numel() != size**2:
        raise LinAlgError(
            "tensorsolve: Input arrays must satisfy the requirement "
            "prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])"
        )
    x = attempt("tensorsolve", "Singular matrix", _solve, s.reshape(size, size), t.reshape(-1, 1))
    return wrap(x.reshape(shape))


def tensorinv(a: ArrayLike, ind: int = 2) -> ndarray:
    """The inverse of ``a`` for ``tensordot`` over ``ind`` axes.

    Parameters
    ----------
    a : array_like
        The product of the first ``ind`` sizes is that of the other sizes.
    ind : int
        The number of axes of a result of ``tensordot(a, x, ...)``.

    Returns
    -------
    ndarray
        Shape ``a.shape[ind:] + a.shape[:ind]``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.tensorinv(np.eye(6).reshape(6, 2, 3), ind=1).shape
    (2, 3, 6)
    """
    if ind <= 0:
        raise ValueError("tensorinv: Invalid ind argument.")
    x = decomposable("tensorinv", as_tensor("tensorinv", a))
    left, right = tuple(x.shape[:ind]), tuple(x.shape[ind:])
    matrix = x.reshape(-1, math.prod(right)) if x.numel() else x.reshape(math.prod(left), -1)
    check_square("tensorinv", matrix)
    inverse = attempt("tensorinv", "Singular matrix", inverted, matrix)
    return wrap(inverse.contiguous().reshape(right + left))
