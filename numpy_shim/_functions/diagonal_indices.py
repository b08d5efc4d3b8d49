"""Arrays of the indices of diagonals and triangles."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from xp_torch._core.docs import documented_like
from xp_torch._kernels import searching

from .._array.ndarray import array_of, ndarray
from .._base.axes import normalize_shape
from .._base.typing import ArrayLike, Device
from .._convert.arguments import as_tensor

__all__ = [
    "diag_indices", "diag_indices_from", "mask_indices", "tril_indices", "tril_indices_from",
    "triu_indices", "triu_indices_from",
]  # fmt: skip


Indices = tuple[ndarray, ...]


def diag_indices(n: int, ndim: int = 2, *, device: Device = None) -> Indices:
    """The indices of the main diagonal of an array of ``ndim`` axes of size ``n``.

    Parameters
    ----------
    n : int
        The size of each axis.
    ndim : int
        The number of axes.
    device : device, optional
        The device of the indices.

    Returns
    -------
    tuple of ndarray
        For each axis the same array.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.diag_indices(3)
    (array([0, 1, 2]), array([0, 1, 2]))
    """
    index = array_of(torch.arange(max(operator.index(n), 0), device=device))
    return (index,) * ndim


def diag_indices_from(arr: ArrayLike) -> Indices:
    """The indices of the main diagonal of an array whose axes are of one size.

    Parameters
    ----------
    arr : array_like
        An array of two axes or more.

    Returns
    -------
    tuple of ndarray
        See ``diag_indices``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.diag_indices_from(np.zeros((2, 2)))
    (array([0, 1]), array([0, 1]))
    """
    t = as_tensor("diag_indices_from", arr, "arr")
    if t.dim() < 2:
        raise ValueError("diag_indices_from: input array must be at least 2-d")
    if any(size != t.shape[0] for size in t.shape):
        raise ValueError("diag_indices_from: All dimensions of input must be of equal length")
    return diag_indices(t.shape[0], t.dim(), device=t.device)


def tril_indices(n: int, k: int = 0, m: int | None = None, *, device: Device = None) -> Indices:
    """The indices of the lower triangle of an ``(n, m)`` array.

    Parameters
    ----------
    n : int
        The number of rows.
    k : int
        The diagonal that bounds the triangle: 0 the main one, positive above it.
    m : int, optional
        The number of columns; by default ``n``.
    device : device, optional
        The device of the indices.

    Returns
    -------
    tuple of two ndarrays
        Rows and columns, in the order of memory.

    Raises
    ------
    TypeError
        For arguments that are not integers (NumPy rounds floats).

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.tril_indices(2)
    (array([0, 1, 1]), array([0, 0, 1]))
    """
    return _triangle("tril_indices", torch.tril_indices, n, k, m, device)


@documented_like(
    tril_indices,
    "The indices of the upper triangle of an ``(n, m)`` array.",
    """
    >>> import numpy_shim as np
    >>> np.triu_indices(2)
    (array([0, 0, 1]), array([0, 1, 1]))
    """,
)
def triu_indices(n: int, k: int = 0, m: int | None = None, *, device: Device = None) -> Indices:
    return _triangle("triu_indices", torch.triu_indices, n, k, m, device)


def _triangle(
    name: str, function: Callable[..., Tensor], n: Any, k: Any, m: Any, device: object
) -> Indices:
    try:
        rows, offset = max(operator.index(n), 0), operator.index(k)
        columns = rows if m is None else max(operator.index(m), 0)
    except TypeError:
        raise TypeError(f"{name}: n, k and m must be integers, not {(n, k, m)}") from None
    offset = max(min(offset, columns), -rows)
    pair = function(rows, columns, offset=offset, dtype=torch.int64, device=device)
    return array_of(pair[0]), array_of(pair[1])


def tril_indices_from(arr: ArrayLike, k: int = 0) -> Indices:
    """The indices of the lower triangle of a 2-D array.

    Parameters
    ----------
    arr : array_like
        The array; only its shape matters.
    k : int
        The diagonal that bounds the triangle.

    Returns
    -------
    tuple of two ndarrays
        See ``tril_indices``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.tril_indices_from(np.zeros((2, 2)), k=-1)
    (array([1]), array([0]))
    """
    t = _matrix("tril_indices_from", arr)
    return tril_indices(t.shape[0], k, t.shape[1], device=t.device)


@documented_like(
    tril_indices_from,
    "The indices of the upper triangle of a 2-D array.",
    """
    >>> import numpy_shim as np
    >>> np.triu_indices_from(np.zeros((2, 2)), k=1)
    (array([0]), array([1]))
    """,
    {"``tril_indices``": "``triu_indices``"},
)
def triu_indices_from(arr: ArrayLike, k: int = 0) -> Indices:
    t = _matrix("triu_indices_from", arr)
    return triu_indices(t.shape[0], k, t.shape[1], device=t.device)


def _matrix(name: str, arr: Any) -> Tensor:
    t = as_tensor(name, arr, "arr")
    if t.dim() != 2:
        raise ValueError(f"{name}: input array must be 2-d, not {t.dim()}-d")
    return t


def mask_indices(
    n: int, mask_func: Callable[..., ArrayLike], k: object = 0, *, device: Device = None
) -> Indices:
    """The indices where ``mask_func(ones((n, n)), k)`` is not zero. Synchronises.

    Parameters
    ----------
    n : int
        The size of both axes.
    mask_func : callable
        A function of an array and an offset, such as ``triu``.
    k : int
        The offset.
    device : device, optional
        The device of the indices.

    Returns
    -------
    tuple of two ndarrays
        Rows and columns.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.mask_indices(2, np.triu)
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    (size,) = normalize_shape("mask_indices", n, "n")
    ones = array_of(torch.ones((size, size), dtype=torch.int64, device=device))
    found = as_tensor("mask_indices", mask_func(ones, k))
    if not found.dim():
        raise ValueError("mask_indices: mask_func gives an array without axes")
    return tuple([array_of(i) for i in searching.nonzero(found)])
