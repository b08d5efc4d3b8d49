"""Eigenvalues, singular values and factors of matrices."""

from __future__ import annotations

import warnings
from typing import Literal, NamedTuple, overload

import torch
from torch import Tensor

from xp_torch._core.dtypes import REAL_OF
from xp_torch._kernels import linalg

from .._array.layout import in_axes, like, outermost_first
from .._array.ndarray import ndarray, wrap
from .._base.release import EIGENVALUES_ARE_COMPLEX
from .._base.tracing import caller
from .._base.typing import No, Yes
from .._convert.arguments import ArrayLike
from ._matrices import adjoint, as_double, attempt, by_rows, lower, matrices, square

__all__ = ["cholesky", "eig", "eigh", "eigvals", "eigvalsh", "qr", "svd", "svdvals"]

_cholesky = as_double(linalg.cholesky)
_eig = as_double(linalg.eig)
_eigh = as_double(torch.linalg.eigh)
_eigvals = as_double(linalg.eigvals)
_eigvalsh = as_double(torch.linalg.eigvalsh)
_geqrf = as_double(torch.geqrf)
_qr = as_double(torch.linalg.qr)
_svd = as_double(torch.linalg.svd)
_svdvals = as_double(torch.linalg.svdvals)


class EigResult(NamedTuple):
    """The result of ``eig``."""

    eigenvalues: ndarray
    eigenvectors: ndarray


class EighResult(NamedTuple):
    """The result of ``eigh``."""

    eigenvalues: ndarray
    eigenvectors: ndarray


class QRResult(NamedTuple):
    """The result of ``qr``."""

    Q: ndarray
    R: ndarray


class SVDResult(NamedTuple):
    """The result of ``svd``."""

    U: ndarray
    S: ndarray
    Vh: ndarray


def cholesky(a: ArrayLike, /, *, upper: bool = False) -> ndarray:
    """The Cholesky factor ``L`` of ``a = L @ L.conj().T``, or the upper one.

    Parameters
    ----------
    a : (..., M, M) array_like
        Hermitian positive-definite; only one triangle is read.
    upper : bool
        Whether to read the upper triangle and return ``U`` of ``a = U.conj().T @ U``.

    Returns
    -------
    ndarray
        The factor, shape (..., M, M); float64 for integers, else in the dtype of ``a``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]])
    array([[2., 0.],
           [1., 2.]])
    """
    x = square("cholesky", a)
    factor = attempt(
        "cholesky", "Matrix is not positive definite", _cholesky, adjoint(x) if upper else x
    )
    return wrap(by_rows(adjoint(factor) if upper else factor, x))


def real_if_all_real(*tensors: Tensor) -> tuple[Tensor, ...]:
    """The real parts if all eigenvalues (the first tensor) of a real matrix are real.

    NumPy's dtype depends on the values. A trace has no values, so its result stays complex.
    """
    if torch.compiler.is_compiling() or tensors[0].is_meta or bool(tensors[0].imag.any()):
        return tensors
    # NumPy's single precision is a copy, its double precision a view of the complex values.
    single = tensors[0].dtype is torch.complex64
    return tuple(t.real.clone() if single else t.real for t in tensors)


def eig(a: ArrayLike) -> EigResult:
    """Eigenvalues and right eigenvectors of square matrices.

    Parameters
    ----------
    a : (..., M, M) array_like
        Any numeric dtype.

    Returns
    -------
    EigResult
        ``eigenvalues``, shape (..., M), and ``eigenvectors``, shape (..., M, M), with columns
        of norm 1. Complex; with NumPy before 2.5 real for a real ``a`` whose eigenvalues are
        all real. That check waits for the values (a trace skips it).

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.eig([[0.0, -1.0], [1.0, 0.0]]).eigenvalues
    array([0.+1.j, 0.-1.j])
    """
    x = square("eig", a)
    values, vectors = attempt("eig", "Array must not contain infs or NaNs", _eig, x)
    values, vectors = by_rows(values, x, core=1), by_rows(vectors, x)
    if not EIGENVALUES_ARE_COMPLEX and not x.is_complex():
        values, vectors = real_if_all_real(values, vectors)
    return EigResult(wrap(values), wrap(vectors))


def eigvals(a: ArrayLike) -> ndarray:
    """Eigenvalues of square matrices; see ``eig``.

    Parameters
    ----------
    a : (..., M, M) array_like
        Any numeric dtype but float16.

    Returns
    -------
    ndarray
        Shape (..., M). Complex; with NumPy before 2.5 real for a real ``a`` whose eigenvalues
        are all real.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.eigvals([[0.0, -1.0], [1.0, 0.0]])
    array([0.+1.j, 0.-1.j])
    """
    x = square("eigvals", a)
    values = attempt("eigvals", "Array must not contain infs or NaNs", _eigvals, x)
    values = by_rows(values, x, core=1)
    if not EIGENVALUES_ARE_COMPLEX and not x.is_complex():
        (values,) = real_if_all_real(values)
    return wrap(values)


def eigh(a: ArrayLike, UPLO: str = "L") -> EighResult:
    """Eigenvalues in ascending order and eigenvectors of Hermitian matrices.

    Parameters
    ----------
    a : (..., M, M) array_like
        Any numeric dtype but float16; only one triangle is read.
    UPLO : {'L', 'U'}
        The triangle to read: lower or upper.

    Returns
    -------
    EighResult
        ``eigenvalues``, shape (..., M), real, and ``eigenvectors``, shape (..., M, M), with
        columns of norm 1.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.eigh([[2.0, 0.0], [0.0, 1.0]]).eigenvalues
    array([1., 2.])
    """
    letter = "L" if lower("eigh", UPLO) else "U"
    x = square("eigh", a)
    values, vectors = attempt("eigh", "Eigenvalues did not converge", _eigh, x, letter)
    return EighResult(wrap(by_rows(values, x, core=1)), wrap(by_rows(vectors, x)))


def eigvalsh(a: ArrayLike, UPLO: str = "L") -> ndarray:
    """Eigenvalues of Hermitian matrices in ascending order; see ``eigh``.

    Parameters
    ----------
    a : (..., M, M) array_like
        Any numeric dtype but float16; only one triangle is read.
    UPLO : {'L', 'U'}
        The triangle to read: lower or upper.

    Returns
    -------
    ndarray
        Real, shape (..., M).

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.eigvalsh([[2.0, 0.0], [0.0, 1.0]])
    array([1., 2.])
    """
    letter = "L" if lower("eigvalsh", UPLO) else "U"
    x = square("eigvalsh", a)
    values = attempt("eigvalsh", "Eigenvalues did not converge", _eigvalsh, x, letter)
    return wrap(by_rows(values, x, core=1))


@overload
def qr(a: ArrayLike, mode: Literal["reduced", "complete"] = ...) -> QRResult: ...
@overload
def qr(a: ArrayLike, mode: Literal["r"]) -> ndarray: ...
@overload
def qr(a: ArrayLike, mode: Literal["raw"]) -> tuple[ndarray, ndarray]: ...
@overload
def qr(a: ArrayLike, mode: str) -> QRResult | tuple[ndarray, ndarray] | ndarray: ...
def qr(a: ArrayLike, mode: str = "reduced") -> QRResult | tuple[ndarray, ndarray] | ndarray:
    """The QR factorization: orthonormal columns times an upper triangular matrix.

    Parameters
    ----------
    a : (..., M, N) array_like
        Any numeric dtype.
    mode : {"reduced", "complete", "r", "raw"}
        ``Q`` with K = min(M, N) columns, or M; only ``R``; or LAPACK's ``(h, tau)``.
        "full" (now "reduced") and "economic" (the transpose of ``h``) are deprecated.

    Returns
    -------
    QRResult, ndarray or tuple
        ``Q`` and ``R``; ``R`` alone; or ``h`` (..., N, M) and ``tau`` (..., K).

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.qr(np.eye(2)).R.shape
    (2, 2)
    """
    if mode in ("f", "full", "e", "economic"):
        warnings.warn(
            f"qr: mode={mode!r} is deprecated: use 'reduced' or 'raw'",
            DeprecationWarning,
            stacklevel=caller(),
        )
        mode = "economic" if mode[0] == "e" else "reduced"
    elif mode not in ("reduced", "complete", "r", "raw"):
        raise ValueError(f"qr: Unrecognized mode {mode!r}")
    x = matrices("qr", a)
    if mode in ("raw", "economic"):
        h, tau = _geqrf(x)
        h = like(h, x)
        return wrap(h) if mode == "economic" else (wrap(h.mT), wrap(by_rows(tau, x, core=1)))
    if mode == "r":
        return wrap(_upper(_qr(x, "r")[1], x))
    q, r = _qr(x, mode)
    return QRResult(wrap(by_rows(q, x)), wrap(_upper(r, x)))


def _upper(r: Tensor, x: Tensor) -> Tensor:
    """The triangle ``r`` of ``x`` in NumPy's memory order, which is that of a choice by a mask."""
    if x.is_contiguous():
        return r.contiguous()
    sizes = r.shape
    rows, columns = sizes[-2:]
    mask = [0] * (len(sizes) - 2) + [columns if rows > 1 else 0, 1 if columns > 1 else 0]
    own = [s if n > 1 else 0 for s, n in zip(x.stride(), sizes, strict=True)]
    return in_axes(r, outermost_first([mask, own]))


def _hermitian_svd(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Singular values and vectors of Hermitian matrices, from their eigenvalues."""
    values, vectors = _eigh(x)
    signs = torch.where(values < 0, -1.0, 1.0).to(values.dtype)
    sizes, order = torch.sort(torch.abs(values), dim=-1, descending=True)
    signs = torch.gather(signs, -1, order)
    u = torch.gather(vectors, -1, order.unsqueeze(-2).expand(vectors.shape))
    return u, sizes, adjoint(u * signs.unsqueeze(-2))


def singular_values(name: str, x: Tensor, hermitian: bool = False) -> Tensor:
    """The singular values in descending order."""
    if hermitian:
        values = attempt(name, "Eigenvalues did not converge", _eigvalsh, x)
        return torch.sort(torch.abs(values), dim=-1, descending=True)[0]
    result: Tensor = attempt(name, "SVD did not converge", _svdvals, x)
    return result


def svd_of(name: str, x: Tensor, full: bool, hermitian: bool) -> tuple[Tensor, Tensor, Tensor]:
    """The singular value decomposition of tensors."""
    if hermitian:
        return _hermitian_svd(x)
    u, s, vh = attempt(name, "SVD did not converge", _svd, x, full)
    return u, s, vh


@overload
def svd(
    a: ArrayLike, full_matrices: bool = ..., compute_uv: Yes = ..., hermitian: bool = ...
) -> SVDResult: ...
@overload
def svd(
    a: ArrayLike, full_matrices: bool = ..., *, compute_uv: No, hermitian: bool = ...
) -> ndarray: ...
@overload
def svd(a: ArrayLike, full_matrices: bool, compute_uv: No, hermitian: bool = ...) -> ndarray: ...
@overload
def svd(
    a: ArrayLike, full_matrices: bool = ..., compute_uv: bool = ..., hermitian: bool = ...
) -> SVDResult | ndarray: ...
def svd(
    a: ArrayLike, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> SVDResult | ndarray:
    """The singular value decomposition ``a = (U * S) @ Vh``.

    Parameters
    ----------
    a : (..., M, N) array_like
        Any numeric dtype.
    full_matrices : bool
        Whether ``U`` and ``Vh`` are square; else they have K = min(M, N) columns and rows.
    compute_uv : bool
        Whether to return them; else only the singular values.
    hermitian : bool
        Whether ``a`` is Hermitian, which is faster.

    Returns
    -------
    SVDResult or ndarray
        ``U`` (..., M, M), ``S`` (..., K) descending and real, ``Vh`` (..., N, N).

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.svd([[3.0, 0.0], [0.0, 4.0]], compute_uv=False)
    array([4., 3.])
    """
    x = square("svd", a) if hermitian else matrices("svd", a)
    if not compute_uv:
        return wrap(by_rows(singular_values("svd", x, hermitian), x, core=1))
    u, s, vh = svd_of("svd", x, full_matrices, hermitian)
    if hermitian:
        return SVDResult(wrap(u), wrap(s), wrap(vh))
    return SVDResult(wrap(by_rows(u, x)), wrap(by_rows(s, x, core=1)), wrap(by_rows(vh, x)))


def svdvals(x: ArrayLike, /) -> ndarray:
    """The singular values in descending order; see ``svd``.

    Parameters
    ----------
    x : (..., M, N) array_like
        Any numeric dtype but float16.

    Returns
    -------
    ndarray
        Real, shape (..., min(M, N)).

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.svdvals([[3.0, 0.0], [0.0, 4.0]])
    array([4., 3.])
    """
    given = matrices("svdvals", x, "x")
    return wrap(by_rows(singular_values("svdvals", given), given, core=1))


def epsilon(x: Tensor) -> float:
    """The rounding error of the dtype of ``x``."""
    return torch.finfo(REAL_OF[x.dtype]).eps
