"""Inverses, solutions, determinants and powers of matrices."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from functools import partial, reduce
from itertools import pairwise
from typing import Any, NamedTuple

import numpy
import torch
from numpy.linalg import LinAlgError
from torch import Tensor

from xp_torch._kernels import linalg

from .._array.ndarray import AnyArray, ndarray, wrap
from .._convert.arguments import ArrayLike, as_tensor, finish, operands, promoted
from .._convert.host_dtypes import hosted
from .._core import error_checks, errstate
from .._core.axes import normalize_axes
from .._kernels import products
from ._decompositions import epsilon, singular_values, svd_of
from ._matrices import (
    DECOMPOSED,
    adjoint,
    as_double,
    attempt,
    decomposable,
    square,
    stacked,
    together,
)

__all__ = [
    "det", "inv", "lstsq", "matrix_power", "matrix_rank", "multi_dot", "pinv", "slogdet", "solve",
    "tensorinv", "tensorsolve",
]  # fmt: skip

_NO_VALUE: Any = numpy._NoValue

_det = as_double(torch.linalg.det)
_inv = as_double(linalg.inv)
_slogdet = as_double(torch.linalg.slogdet)
_solve = as_double(linalg.solve)


class SlogdetResult(NamedTuple):
    """The result of ``slogdet``."""

    sign: ndarray
    logabsdet: ndarray


@hosted
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

    Raises
    ------
    LinAlgError
        For a singular matrix, or one that is not square.
    ValueError
        For sizes that do not fit.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [2.0, 4.0])
    array([1., 1.])
    """
    s, t = together("solve", a, b, arguments=("a", "b"))
    _check_square("solve", s)
    axis = 0 if t.dim() == 1 else -2
    if t.dim() == 0 or t.shape[axis] != s.shape[-1]:
        raise ValueError(f"solve: shapes {tuple(s.shape)} and {tuple(t.shape)} do not fit together")
    if t.dim() == 1:
        columns = attempt("solve", "Singular matrix", _solve, s, t.unsqueeze(-1))
        return wrap(columns.squeeze(-1))
    return wrap(attempt("solve", "Singular matrix", _solve, s, t))


def _check_square(name: str, x: Tensor, argument: str = "a") -> None:
    if x.dim() < 2:
        raise LinAlgError(
            f"{name}: {x.dim()}-dimensional array given for {argument}. Array must be at least "
            "two-dimensional"
        )
    if x.shape[-1] != x.shape[-2]:
        raise LinAlgError(f"{name}: last 2 dimensions of {argument} must be square")


@hosted
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

    Raises
    ------
    LinAlgError
        For a matrix that is singular or not square.
    TypeError
        For float16.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.inv([[2.0, 0.0], [0.0, 4.0]])
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    return wrap(attempt("inv", "Singular matrix", _inv, square("inv", a)))


@hosted
def det(a: ArrayLike) -> ndarray:
    """The determinant of square matrices, shape (...).

    Parameters
    ----------
    a : (..., M, M) array_like
        Any numeric dtype but float16.

    Returns
    -------
    ndarray or scalar
        Shape (...); float64 for integers, else in the dtype of ``a``.

    Raises
    ------
    LinAlgError
        For a matrix that is not square.
    TypeError
        For float16.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.det([[2.0, 0.0], [0.0, 4.0]])
    np.float64(8.0)
    """
    x = square("det", a)
    result = _det(x)
    if errstate.active:
        _look_at_determinant(x, result)
    return wrap(result)


@hosted
def slogdet(a: ArrayLike) -> SlogdetResult:
    """The sign and the logarithm of the absolute value of the determinant, without overflow.

    Parameters
    ----------
    a : (..., M, M) array_like
        Any numeric dtype but float16.

    Returns
    -------
    SlogdetResult
        ``sign``, shape (...), of absolute value 1 or 0, and ``logabsdet``, shape (...), real,
        -inf for a singular matrix.

    Raises
    ------
    LinAlgError
        For a matrix that is not square.
    TypeError
        For float16.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.slogdet([[0.0, 1.0], [1.0, 0.0]]).sign
    np.float64(-1.0)
    """
    sign, size = _slogdet(square("slogdet", a))
    if errstate.active and bool(torch.isnan(size).any()):
        errstate.report({"invalid"}, "slogdet")
    return SlogdetResult(wrap(sign), wrap(size))


def _look_at_determinant(x: Tensor, result: Tensor) -> None:
    """Check determinants for errors: NaN, and values out of range."""
    x, result = x.detach(), result.detach()
    single = result.dtype in (torch.float32, torch.complex64)
    kinds = {"invalid"} if bool(torch.isnan(result).any()) else set()
    errstate.report(kinds, "det")
    beyond = ~torch.isfinite(result) & torch.isfinite(x).all(-1).all(-1)
    tiny = (torch.abs(result) < torch.finfo(result.dtype).tiny) & torch.ne(_slogdet(x)[0], 0)
    met = {kind for kind, where in (("over", beyond), ("under", tiny)) if bool(where.any())}
    errstate.report(met, "cast" if single else "det")  # NumPy casts from double precision


def _cutoff(rtol: Any, x: Tensor) -> Tensor | float:
    """A relative tolerance per matrix, shaped to compare with its singular values."""
    if isinstance(rtol, (int, float)):
        return rtol
    return as_tensor("rtol", rtol, "rtol", x.device).unsqueeze(-1)


@hosted
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

    Raises
    ------
    ValueError
        For both tolerances at once.

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


@hosted
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

    Raises
    ------
    LinAlgError
        For fewer than two axes, or if the iteration does not converge.
    TypeError
        For float16.
    ValueError
        For both ``rcond`` and ``rtol``.

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
    return wrap(torch.matmul(adjoint(vh) * inverse.unsqueeze(-2), adjoint(u)))


@as_double
def _least_squares(
    a: Tensor, b: Tensor, rcond: float | None
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


@hosted
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

    Raises
    ------
    LinAlgError
        For arrays of other dimensions, or sizes that do not fit.

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
    x, residuals, rank, values = _least_squares(s, right, rcond)
    if residuals.shape[0] and int(rank) < s.shape[1]:
        residuals = residuals[:0]
    solution = x.squeeze(-1) if t.dim() == 1 else x
    return wrap(solution), wrap(residuals), wrap(rank), wrap(values)


@hosted
def matrix_power(a: ArrayLike, n: int) -> ndarray:
    """An integer power of square matrices; a negative power is a power of the inverse.

    Parameters
    ----------
    a : (..., M, M) array_like
        Any numeric dtype or boolean.
    n : int
        The exponent.

    Returns
    -------
    ndarray
        Shape (..., M, M), in the dtype of ``a``; float64 for a negative power of integers.

    Raises
    ------
    LinAlgError
        For a matrix that is not square, or that is singular and must be inverted.
    TypeError
        If ``n`` is not an integer.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.matrix_power([[1, 1], [0, 1]], 3)
    array([[1, 3],
           [0, 1]])
    """
    x = as_tensor("matrix_power", a)
    _check_square("matrix_power", x)
    try:
        n = operator.index(n)
    except TypeError:
        raise TypeError("matrix_power: exponent must be an integer") from None
    if n == 1:
        return a if isinstance(a, AnyArray) else wrap(x)  # the matrix itself, as in NumPy
    if n < 0:
        x = attempt("matrix_power", "Singular matrix", _inv, decomposable("matrix_power", x))
        n = -n
    if x.dtype in DECOMPOSED and not errstate.active and n < 2**63:  # torch's exponent has 64 bits
        return wrap(linalg.matrix_power(x, n))
    if n == 0:
        eye = torch.eye(x.shape[-1], dtype=torch.int64, device=x.device).to(x.dtype)
        return wrap(eye.expand(x.shape).clone())
    result: Tensor | None = None
    while n:
        n, bit = divmod(n, 2)
        if bit:
            result = x if result is None else _product("matmul", result, x)
        if n:
            x = _product("matmul", x, x)
    assert result is not None
    return wrap(result)


def _product(operation: str, a: Tensor, b: Tensor) -> Tensor:
    result = products.matmul(a, b)
    if errstate.active:
        error_checks.check_product(operation, products.matmul, a, b, result)
    return result


@hosted
def multi_dot(arrays: Sequence[ArrayLike], *, out: ndarray | None = None) -> ndarray:
    """The product of several matrices, in the order that takes the fewest multiplications.

    Parameters
    ----------
    arrays : sequence of array_like
        At least two arrays of two axes; the first and the last one may be 1-D.
    out : ndarray, optional
        Where the result is written; it is returned.

    Returns
    -------
    ndarray or scalar
        Of the promoted dtype.

    Raises
    ------
    LinAlgError
        If an array has another number of axes.
    ValueError
        For fewer than two arrays, shapes that do not fit, or an ``out`` of another shape.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.multi_dot([np.ones((2, 3)), np.ones((3, 4)), np.ones(4)])
    array([12., 12.])
    """
    given = list(arrays)
    if len(given) < 2:
        raise ValueError("multi_dot: Expecting at least two arrays.")
    names = tuple(f"arrays[{i}]" for i in range(len(given)))
    tensors = promoted("multi_dot", operands("multi_dot", *given, arguments=names))
    for i, tensor in enumerate(tensors):
        vector = tensor.dim() == 1 and i in (0, len(tensors) - 1)
        if tensor.dim() != 2 and not vector:
            raise LinAlgError(f"multi_dot: {tensor.dim()}-dimensional array given; it must be 2-D")
    for s, t in pairwise(tensors):
        if s.shape[-1] != t.shape[0]:
            raise ValueError(f"multi_dot: shapes {tuple(s.shape)} and {tuple(t.shape)} not aligned")
    if tensors[0].dtype in DECOMPOSED and not errstate.active:
        return finish("multi_dot", torch.linalg.multi_dot(tensors), out)
    return finish("multi_dot", reduce(partial(_product, "dot"), tensors), out)


@hosted
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

    Raises
    ------
    LinAlgError
        For an ``a`` that is singular, or whose two products differ.
    ValueError
        For a ``b`` whose size differs from that of ``x``.

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


@hosted
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

    Raises
    ------
    LinAlgError
        For an ``a`` that is singular, or whose two products differ.
    ValueError
        For an ``ind`` below 1.

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
    _check_square("tensorinv", matrix)
    inverse = attempt("tensorinv", "Singular matrix", _inv, matrix)
    return wrap(inverse.reshape(right + left))
