"""Diagonals, their sums, and matrices made of diagonals and triangles."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from xp_torch._core.axes import integer
from xp_torch._kernels import creation, manipulation

from .._array import views
from .._array.layout import in_columns, order_of
from .._array.ndarray import array_of, ndarray, scalar, view_of
from .._array.typing import OutArray
from .._base.axes import check_room, integer_of_64_bits, normalize_axis, normalize_shape
from .._base.dtypes import promote, torch_dtype
from .._base.fast_tables import fast_table
from .._base.typing import Device, DTypeLike, OrderCF
from .._convert.arguments import ArrayLike, as_array, as_tensor, finish
from .._convert.from_data import check_like
from .._kernels.casting import cast
from .._ufunc.folds import fold, reduction_loop
from .creation import checked_device
from .reductions import SUM

__all__ = [
    "diag", "diagflat", "diagonal", "eye", "identity", "trace", "tri", "tril", "triu", "vander",
]  # fmt: skip


_TRACED = fast_table({
    dtype: dtype
    for dtype in (torch.int64, torch.float32, torch.float64, torch.complex64, torch.complex128)
})  # fmt: skip
"""Dtypes whose traces torch computes in the dtype that NumPy's have."""


def eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: DTypeLike = float,
    order: OrderCF = "C",
    *,
    device: Device = None,
    like: ArrayLike | None = None,
) -> ndarray:
    """Ones on one diagonal, zeros elsewhere.

    Parameters
    ----------
    N, M : int
        Rows and columns; as many columns as rows by default.
    k : int
        The diagonal: 0 the main one, positive above it, negative below.
    dtype, order, device, like : optional
        As in ``zeros``.

    Returns
    -------
    ndarray
        Of shape ``(N, M)``, float64 by default.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.eye(2, 3, k=1)
    array([[0., 1., 0.],
           [0., 0., 1.]])
    """
    if M is None and type(k) is int and not k and order == "C" and device is None and like is None:
        try:
            return array_of(torch.eye(N, dtype=torch_dtype("eye", dtype)))
        except (RuntimeError, TypeError):
            pass  # the general call says what is wrong, or knows the dtype
    check_like("eye", like)
    letter = order_of("eye", order, "C", "CF")
    rows, columns = normalize_shape("eye", (N, N if M is None else M), "N, M")
    kind, target = torch_dtype("eye", dtype), checked_device("eye", device)
    made = creation.eye(rows, columns, integer("eye", "k", k), kind, target)
    return array_of(in_columns(made) if letter == "F" else made)


def identity(n: int, dtype: DTypeLike = None, *, like: ArrayLike | None = None) -> ndarray:
    """The identity matrix.

    Parameters
    ----------
    n : int
        The number of rows and of columns.
    dtype : dtype, optional
        By default the default float, float64 unless that is changed.
    like : ndarray, optional
        As in ``zeros``.

    Returns
    -------
    ndarray
        Of shape ``(n, n)``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.identity(2, dtype=int)
    array([[1, 0],
           [0, 1]])
    """
    check_like("identity", like)
    (size,) = normalize_shape("identity", (n,), "n")
    return array_of(creation.eye(size, size, 0, torch_dtype("identity", dtype), None))


_embed = manipulation.moving(torch.diag_embed)


def diag(v: ArrayLike, k: int = 0) -> ndarray:
    """A diagonal of a matrix, or the matrix with a diagonal.

    Parameters
    ----------
    v : array_like
        For a 2-D array, the result is a read-only view of its ``k``-th diagonal. For a 1-D
        array, the result is a matrix with these elements on its ``k``-th diagonal.
    k : int
        The diagonal: 0 the main one, positive above it, negative below.

    Returns
    -------
    ndarray
        With the dtype of ``v``: 1-D for a matrix; for ``n`` elements a matrix of ``n + abs(k)``
        rows and columns.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.diag([1, 2])
    array([[1, 0],
           [0, 2]])
    >>> np.diag(np.diag([1, 2]))
    array([1, 2])
    """
    tensor = as_tensor("diag", v, "v")
    offset = integer("diag", "k", k)
    if tensor.dim() == 1:
        return array_of(_embed(tensor, offset))
    if tensor.dim() != 2:
        raise ValueError("diag: input must be 1- or 2-d")
    return diagonal(v, offset)


def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> ndarray:
    """The diagonals of two axes, along a new last axis: a read-only view.

    Parameters
    ----------
    a : array_like
        At least two axes.
    offset : int
        Which diagonal: 0 the main one, positive above it, negative below.
    axis1, axis2 : int
        The axes.

    Returns
    -------
    ndarray
        A read-only view of shape ``(..., n)``, without ``axis1`` and ``axis2``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.diagonal([[1, 2], [3, 4]])
    array([1, 4])
    """
    if type(a) is ndarray and type(offset) is int and not (offset or axis1) and axis2 == 1:
        t = a._tensor
        if type(t) is Tensor and t.dim() == 2:
            return views.read_only(view_of(a, t.diagonal()))
    x = as_array("diagonal", a)
    count = x.ndim
    if count < 2:
        raise ValueError("diagonal: diag requires an array of at least two dimensions")
    first = normalize_axis("diagonal", axis1, count, "axis1")
    second = normalize_axis("diagonal", axis2, count, "axis2")
    if first == second:
        raise ValueError("diagonal: axis1 and axis2 cannot be the same")
    sizes = x._tensor.shape
    k = max(-sizes[first], min(integer("diagonal", "offset", offset), sizes[second]))
    return views.read_only(views.diagonal(x, k, first, second))


def diagflat(v: ArrayLike, k: int = 0) -> ndarray:
    """A matrix with all elements of ``v``, row by row, on its ``k``-th diagonal.

    Parameters
    ----------
    v : array_like
        The elements, of any shape.
    k : int
        The diagonal: 0 the main one, positive above it, negative below.

    Returns
    -------
    ndarray
        A matrix of ``v.size + abs(k)`` rows and columns, with the dtype of ``v``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.diagflat([[1, 2]], k=1)
    array([[0, 1, 0],
           [0, 0, 2],
           [0, 0, 0]])
    """
    tensor = as_tensor("diagflat", v, "v").reshape(-1)
    return array_of(_embed(tensor, integer("diagflat", "k", k)))


def tri(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: DTypeLike = float,
    *,
    like: ArrayLike | None = None,
) -> ndarray:
    """Ones on and below the ``k``-th diagonal, zeros above.

    Parameters
    ----------
    N, M : int
        Rows and columns; as many columns as rows by default. A negative size counts as 0.
    k : int
        The diagonal: 0 the main one, positive above it, negative below.
    dtype : dtype
        The dtype of the result.
    like : ndarray, optional
        As in ``zeros``.

    Returns
    -------
    ndarray
        Of shape ``(N, M)``.

    Raises
    ------
    TypeError
        For a size or ``k`` that is not an integer (NumPy rounds floats), or an unknown dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.tri(2, 3, dtype=int)
    array([[1, 0, 0],
           [1, 1, 0]])
    """
    check_like("tri", like)
    rows = max(integer("tri", "N", N), 0)
    columns = rows if M is None else max(integer("tri", "M", M), 0)
    ones = torch.ones((rows, columns), dtype=torch_dtype("tri", dtype))
    return array_of(creation.tril(ones, integer_of_64_bits("tri", "k", k)))


def tril(m: ArrayLike, k: int = 0) -> ndarray:
    """The lower triangles of an array's last two axes: zeros above the ``k``-th diagonal.

    A 1-D array is first repeated to a square matrix with equal rows.

    Parameters
    ----------
    m : array_like
        Of shape ``(..., M, N)``.
    k : int
        The diagonal: 0 the main one, positive above it, negative below.

    Returns
    -------
    ndarray
        A copy with the dtype of ``m``, of shape ``(..., M, N)``.

    Raises
    ------
    TypeError
        For an array of no axes, or a ``k`` that is not an integer (NumPy rounds floats).

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.tril([[1, 2], [3, 4]])
    array([[1, 0],
           [3, 4]])
    """
    return array_of(creation.tril(_matrices("tril", m), integer_of_64_bits("tril", "k", k)))


def triu(m: ArrayLike, k: int = 0) -> ndarray:
    """The upper triangles of an array's last two axes: zeros below the ``k``-th diagonal.

    A 1-D array is first repeated to a square matrix with equal rows.

    Parameters
    ----------
    m : array_like
        Of shape ``(..., M, N)``.
    k : int
        The diagonal: 0 the main one, positive above it, negative below.

    Returns
    -------
    ndarray
        A copy with the dtype of ``m``, of shape ``(..., M, N)``.

    Raises
    ------
    TypeError
        For an array of no axes, or a ``k`` that is not an integer (NumPy rounds floats).

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.triu([[1, 2], [3, 4]])
    array([[1, 2],
           [0, 4]])
    """
    return array_of(creation.triu(_matrices("triu", m), integer_of_64_bits("triu", "k", k)))


def _matrices(name: str, m: Any) -> Tensor:
    tensor = as_tensor(name, m, "m")
    if tensor.dim() == 0:
        raise TypeError(f"{name}: m must have at least one axis")
    return tensor.expand(tensor.shape[0], -1) if tensor.dim() == 1 else tensor


def vander(x: ArrayLike, N: int | None = None, increasing: bool = False) -> ndarray:
    """The Vandermonde matrix: the powers of ``x``, one per column.

    Parameters
    ----------
    x : array_like
        1-D; computed in int64 or a wider dtype.
    N : int, optional
        The number of columns, as many as rows by default.
    increasing : bool
        Whether the powers grow from left to right.

    Returns
    -------
    ndarray
        Of shape ``(len(x), N)``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.vander([2, 3], 3)
    array([[4, 2, 1],
           [9, 3, 1]])
    """
    tensor = as_tensor("vander", x, "x")
    if tensor.dim() != 1:
        raise ValueError("vander: x must be a one-dimensional array or sequence")
    columns = tensor.shape[0] if N is None else normalize_shape("vander", N, "N")[0]
    factors = cast(tensor, promote("vander", tensor.dtype, torch.int64))[:, None]
    check_room(factors, (factors.shape[0], columns))
    if columns < 2 or not factors.shape[0]:
        return array_of(torch.ones_like(factors).expand(-1, columns).clone())
    parts = [torch.ones_like(factors), factors]
    while len(parts) < columns:  # torch.cumprod begins with 1 * x, which is NaN for 0+infj
        parts.append(parts[-1] * factors)
    powers = torch.cat(parts, 1)
    return array_of(powers if increasing else powers.flip(1))


def trace(
    a: ArrayLike,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    dtype: DTypeLike = None,
    out: OutArray = None,
) -> ndarray:
    """The sum along a diagonal of two axes.

    Parameters
    ----------
    a : array_like
        An array of two axes or more.
    offset : int
        The diagonal: 0 the main one, positive above it, negative below.
    axis1, axis2 : int
        The axes of the matrices.
    dtype : dtype, optional
        The dtype to sum in; by default that of ``a``, and int64 or uint64 for small integers.
    out : ndarray, optional
        Where the result is written; it is returned.

    Returns
    -------
    ndarray or scalar
        One sum per matrix.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.trace(np.array([[1, 2], [3, 4]]))
    np.int64(5)
    """
    if type(a) is ndarray and type(offset) is type(axis1) is type(axis2) is int:
        plain = offset == axis1 == 0 and axis2 == 1 and dtype is None and out is None
        t = a._tensor
        if plain and a._flat_dtype in _TRACED and t.dim() == 2 and type(t) is Tensor:
            return scalar(torch.trace(t), a._flat_dtype)
    x = as_tensor("trace", a, "a")
    if x.dim() < 2:
        raise ValueError(f"trace: a must have at least two axes, not {x.dim()}")
    first, second = (
        normalize_axis("trace", axis, x.dim(), argument)
        for axis, argument in ((axis1, "axis1"), (axis2, "axis2"))
    )
    if first == second:
        raise ValueError("trace: axis1 and axis2 cannot be the same")
    diagonal = torch.diagonal(x, integer_of_64_bits("trace", "offset", offset), first, second)
    wanted = None if dtype is None else torch_dtype("trace", dtype)
    loop = reduction_loop(SUM.spec, x.dtype, None, wanted)
    result = fold(SUM._replace(name="trace"), diagonal, (diagonal.dim() - 1,), loop)
    return finish("trace", result, out, "unsafe")
