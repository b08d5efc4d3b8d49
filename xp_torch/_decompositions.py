"""The extension ``linalg``: decompositions of matrices, and their named results."""

from __future__ import annotations

from typing import Literal, NamedTuple

import torch

from ._array import Array
from ._core.errors import check_choice, translate
from ._core.scalars import truth
from ._dispatch import wrap
from ._kernels import linalg as kernels
from ._matrix import matrix, square

__all__ = ["cholesky", "eig", "eigh", "eigvals", "eigvalsh", "qr", "svd", "svdvals"]


class EigResult(NamedTuple):
    """What ``eig`` returns."""

    eigenvalues: Array
    eigenvectors: Array


class EighResult(NamedTuple):
    """What ``eigh`` returns."""

    eigenvalues: Array
    eigenvectors: Array


class QRResult(NamedTuple):
    """What ``qr`` returns."""

    Q: Array
    R: Array


class SVDResult(NamedTuple):
    """What ``svd`` returns."""

    U: Array
    S: Array
    Vh: Array


def cholesky(x: Array, /, *, upper: bool = False) -> Array:
    """The Cholesky factor of a Hermitian positive-definite matrix, or of each of a stack.

    Parameters
    ----------
    x : Array
        Floating-point dtype, shape ``(..., M, M)``. Only the lower triangle is read.
    upper : bool
        Whether to return the upper factor ``U`` with ``x = U^H U`` instead of the lower factor
        ``L`` with ``x = L L^H``. Default: False.

    Returns
    -------
    Array
        The same dtype and shape, triangular.

    Raises
    ------
    TypeError
        For any other dtype, or anything but an ``xp_torch`` array.
    LinAlgError
        For a matrix that is not positive-definite, matrices that are not square, or fewer than
        two dimensions. A ``ValueError``.

    Notes
    -----
    On an accelerator the call waits for the result of the check.

    Source: the array API standard, ``linalg.cholesky``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.cholesky(xp.asarray([[4.0, 2.0], [2.0, 5.0]]))
    Array([[2., 0.],
           [1., 2.]], dtype=float64)
    """
    t = square("cholesky", x)
    try:
        factor = kernels.cholesky(t)
    except RuntimeError as error:
        translate("cholesky", error)
    return wrap(kernels.adjoint(factor) if upper else factor)


def eig(x: Array, /) -> EigResult:
    """Eigenvalues and eigenvectors of a square matrix, or of each of a stack.

    Parameters
    ----------
    x : Array
        Floating-point dtype, shape ``(..., M, M)``.

    Returns
    -------
    EigResult
        A named tuple: ``eigenvalues`` of shape ``(..., M)``, in no particular order, and
        ``eigenvectors`` of shape ``(..., M, M)``, the columns of each matrix. Both of the complex
        dtype of the precision of ``x``.

    Raises
    ------
    TypeError
        For any other dtype, or anything but an ``xp_torch`` array.
    LinAlgError
        For NaN or infinite values, matrices that are not square, fewer than two dimensions, or
        where the algorithm does not converge. A ``ValueError``.

    Notes
    -----
    On an accelerator the call waits for the result. Use ``eigh`` for Hermitian matrices.

    Source: the array API standard, ``linalg.eig``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.eig(xp.asarray([[2.0, 0.0], [0.0, 3.0]])).eigenvalues
    Array([2.+0.j, 3.+0.j], dtype=complex128)
    """
    t = square("eig", x)
    try:
        values, vectors = kernels.eig(t)
    except RuntimeError as error:
        translate("eig", error)
    return EigResult(wrap(values), wrap(vectors))


def eigh(x: Array, /) -> EighResult:
    """Eigenvalues and eigenvectors of a Hermitian matrix, or of each of a stack.

    Parameters
    ----------
    x : Array
        Floating-point dtype, shape ``(..., M, M)``. Only the lower triangle is read.

    Returns
    -------
    EighResult
        A named tuple: ``eigenvalues`` of shape ``(..., M)``, ascending, of the real dtype of the
        precision of ``x``, and ``eigenvectors`` of shape ``(..., M, M)`` and the dtype of ``x``,
        the orthonormal columns of each matrix.

    Raises
    ------
    TypeError
        For any other dtype, or anything but an ``xp_torch`` array.
    LinAlgError
        For matrices that are not square, fewer than two dimensions, or where the algorithm does
        not converge. A ``ValueError``.

    Notes
    -----
    On an accelerator the call waits for the result.

    Source: the array API standard, ``linalg.eigh``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.eigh(xp.asarray([[3.0, 0.0], [0.0, 2.0]])).eigenvalues
    Array([2., 3.], dtype=float64)
    """
    t = square("eigh", x)
    try:
        values, vectors = torch.linalg.eigh(t)
    except RuntimeError as error:
        translate("eigh", error)
    return EighResult(wrap(values), wrap(vectors))


def eigvals(x: Array, /) -> Array:
    """Eigenvalues of a square matrix, or of each of a stack.

    Parameters
    ----------
    x : Array
        Floating-point dtype, shape ``(..., M, M)``.

    Returns
    -------
    Array
        Shape ``(..., M)``, in no particular order, of the complex dtype of the precision of
        ``x``.

    Raises
    ------
    TypeError
        For any other dtype, or anything but an ``xp_torch`` array.
    LinAlgError
        For NaN or infinite values, matrices that are not square, fewer than two dimensions, or
        where the algorithm does not converge. A ``ValueError``.

    Notes
    -----
    On an accelerator the call waits for the result.

    Source: the array API standard, ``linalg.eigvals``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.eigvals(xp.asarray([[2.0, 0.0], [0.0, 3.0]]))
    Array([2.+0.j, 3.+0.j], dtype=complex128)
    """
    t = square("eigvals", x)
    try:
        return wrap(kernels.eigvals(t))
    except RuntimeError as error:
        translate("eigvals", error)


def eigvalsh(x: Array, /) -> Array:
    """Eigenvalues of a Hermitian matrix, or of each of a stack.

    Parameters
    ----------
    x : Array
        Floating-point dtype, shape ``(..., M, M)``. Only the lower triangle is read.

    Returns
    -------
    Array
        Shape ``(..., M)``, ascending, of the real dtype of the precision of ``x``.

    Raises
    ------
    TypeError
        For any other dtype, or anything but an ``xp_torch`` array.
    LinAlgError
        For matrices that are not square, fewer than two dimensions, or where the algorithm does
        not converge. A ``ValueError``.

    Notes
    -----
    On an accelerator the call waits for the result.

    Source: the array API standard, ``linalg.eigvalsh``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.eigvalsh(xp.asarray([[3.0, 0.0], [0.0, 2.0]]))
    Array([2., 3.], dtype=float64)
    """
    t = square("eigvalsh", x)
    try:
        return wrap(torch.linalg.eigvalsh(t))
    except RuntimeError as error:
        translate("eigvalsh", error)


def qr(x: Array, /, *, mode: Literal["reduced", "complete"] = "reduced") -> QRResult:
    """The QR decomposition of a matrix, or of each of a stack.

    Parameters
    ----------
    x : Array
        Floating-point dtype, shape ``(..., M, N)``.
    mode : {"reduced", "complete"}
        Whether ``Q`` has ``K = min(M, N)`` columns or ``M``. Default: ``"reduced"``.

    Returns
    -------
    QRResult
        A named tuple: ``Q`` with orthonormal columns and ``R``, upper triangular, of the dtype of
        ``x``. Shapes ``(..., M, K)`` and ``(..., K, N)``, or ``(..., M, M)`` and ``(..., M, N)``.

    Raises
    ------
    TypeError
        For any other dtype, or anything but an ``xp_torch`` array.
    ValueError
        For another mode, or fewer than two dimensions.

    Notes
    -----
    The signs of the diagonal of ``R`` are not fixed. The gradient exists for the mode
    ``"reduced"``, and for ``"complete"`` where ``M <= N``.

    Source: the array API standard, ``linalg.qr``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> q, r = xp.linalg.qr(xp.ones((3, 2)))
    >>> q.shape, r.shape
    ((3, 2), (2, 2))
    """
    t = matrix("qr", x)
    check_choice("qr", "mode", mode, ("reduced", "complete"))
    try:
        q, r = torch.linalg.qr(t, mode)
    except RuntimeError as error:
        translate("qr", error)
    return QRResult(wrap(q), wrap(r))


def svd(x: Array, /, *, full_matrices: bool = True) -> SVDResult:
    """The singular value decomposition of a matrix, or of each of a stack.

    Parameters
    ----------
    x : Array
        Floating-point dtype, shape ``(..., M, N)``.
    full_matrices : bool
        Whether ``U`` and ``Vh`` are square, or have only the ``K = min(M, N)`` columns and rows
        that belong to singular values. Default: True.

    Returns
    -------
    SVDResult
        A named tuple: ``U`` of shape ``(..., M, M)`` or ``(..., M, K)`` with orthonormal columns,
        ``S`` of shape ``(..., K)``, descending and real, and ``Vh`` of shape ``(..., N, N)`` or
        ``(..., K, N)`` with orthonormal rows.

    Raises
    ------
    TypeError
        For any other dtype, or anything but an ``xp_torch`` array.
    LinAlgError
        For fewer than two dimensions, or where the algorithm does not converge, as with NaN or
        infinite values. A ``ValueError``.

    Notes
    -----
    On an accelerator the call waits for the result.

    Source: the array API standard, ``linalg.svd``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.svd(xp.asarray([[0.0, 2.0], [3.0, 0.0]])).S
    Array([3., 2.], dtype=float64)
    """
    t = matrix("svd", x)
    try:
        u, s, vh = torch.linalg.svd(t, truth("svd", "full_matrices", full_matrices))
    except RuntimeError as error:
        translate("svd", error)
    return SVDResult(wrap(u), wrap(s), wrap(vh))


def svdvals(x: Array, /) -> Array:
    """The singular values of a matrix, or of each of a stack.

    Parameters
    ----------
    x : Array
        Floating-point dtype, shape ``(..., M, N)``.

    Returns
    -------
    Array
        Shape ``(..., min(M, N))``, descending, of the real dtype of the precision of ``x``.

    Raises
    ------
    TypeError
        For any other dtype, or anything but an ``xp_torch`` array.
    LinAlgError
        For fewer than two dimensions, or where the algorithm does not converge, as with NaN or
        infinite values. A ``ValueError``.

    Notes
    -----
    On an accelerator the call waits for the result.

    Source: the array API standard, ``linalg.svdvals``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.svdvals(xp.asarray([[0.0, 2.0], [3.0, 0.0]]))
    Array([3., 2.], dtype=float64)
    """
    t = matrix("svdvals", x)
    try:
        return wrap(torch.linalg.svdvals(t))
    except RuntimeError as error:
        translate("svdvals", error)
