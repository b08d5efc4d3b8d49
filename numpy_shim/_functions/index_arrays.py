"""Arrays of indices: diagonals, triangles, grids and coordinates."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, SupportsIndex, overload

import torch
from torch import Tensor

from xp_torch._core.docs import documented_like
from xp_torch._core.errors import sized
from xp_torch._kernels import searching

from .._array.ndarray import AnyArray, array_of, ndarray, wrap
from .._convert.arguments import as_tensor, check_devices, device_of
from .._convert.host_dtypes import hosted
from .._core.axes import broadcast_shapes, normalize_shape
from .._core.dtypes import torch_dtype
from .._core.typing import ArrayLike, Device, DTypeLike, IndexMode, No, OrderCF, ShapeLike, Yes
from .._indexing.arguments import known_outside, mode_of, only_integers
from .._kernels import coordinates
from .._kernels.casting import cast

__all__ = [
    "diag_indices", "diag_indices_from", "indices", "ix_", "mask_indices", "ravel_multi_index",
    "tril_indices", "tril_indices_from", "triu_indices", "triu_indices_from", "unravel_index",
]  # fmt: skip

Indices = tuple[ndarray, ...]


@hosted
@sized
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

    Raises
    ------
    TypeError
        For an ``n`` or ``ndim`` that is not an integer.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.diag_indices(3)
    (array([0, 1, 2]), array([0, 1, 2]))
    """
    index = array_of(torch.arange(max(operator.index(n), 0), device=device))
    return (index,) * ndim


@hosted
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

    Raises
    ------
    ValueError
        For fewer axes, or axes of different sizes.

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


@hosted
@sized
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


@hosted
@documented_like(
    tril_indices,
    "The indices of the upper triangle of an ``(n, m)`` array.",
    """
    >>> import numpy_shim as np
    >>> np.triu_indices(2)
    (array([0, 0, 1]), array([0, 1, 1]))
    """,
)
@sized
def triu_indices(n: int, k: int = 0, m: int | None = None, *, device: Device = None) -> Indices:
    return _triangle("triu_indices", torch.triu_indices, n, k, m, device)


def _triangle(
    name: str, function: Callable[..., Tensor], n: Any, k: Any, m: Any, device: Any
) -> Indices:
    try:
        rows, offset = max(operator.index(n), 0), operator.index(k)
        columns = rows if m is None else max(operator.index(m), 0)
    except TypeError:
        raise TypeError(f"{name}: n, k and m must be integers, not {(n, k, m)}") from None
    offset = max(min(offset, columns), -rows)
    pair = function(rows, columns, offset=offset, dtype=torch.int64, device=device)
    return array_of(pair[0]), array_of(pair[1])


@hosted
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

    Raises
    ------
    ValueError
        For an array that is not 2-D.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.tril_indices_from(np.zeros((2, 2)), k=-1)
    (array([1]), array([0]))
    """
    t = _matrix("tril_indices_from", arr)
    return tril_indices(t.shape[0], k, t.shape[1], device=t.device)


@hosted
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


@hosted
@sized
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

    Raises
    ------
    ValueError
        For a negative ``n``, or a ``mask_func`` that gives an array without axes.
    TypeError
        For an ``n`` that is not an integer, or a ``mask_func`` that cannot be called.

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


@overload
def indices(
    dimensions: Sequence[SupportsIndex],
    dtype: DTypeLike = ...,
    sparse: No = ...,
    *,
    device: Device = ...,
) -> ndarray: ...
@overload
def indices(
    dimensions: Sequence[SupportsIndex], dtype: DTypeLike, sparse: Yes, *, device: Device = ...
) -> tuple[ndarray, ...]: ...
@overload
def indices(
    dimensions: Sequence[SupportsIndex],
    dtype: DTypeLike = ...,
    *,
    sparse: Yes,
    device: Device = ...,
) -> tuple[ndarray, ...]: ...
@overload
def indices(
    dimensions: Sequence[SupportsIndex],
    dtype: DTypeLike = ...,
    sparse: bool = ...,
    *,
    device: Device = ...,
) -> ndarray | tuple[ndarray, ...]: ...
@hosted
@sized
def indices(
    dimensions: Sequence[SupportsIndex],
    dtype: DTypeLike = int,
    sparse: bool = False,
    *,
    device: Device = None,
) -> ndarray | tuple[ndarray, ...]:
    """Arrays whose elements are their own indices.

    Parameters
    ----------
    dimensions : sequence of int
        The shape of the grid.
    dtype : dtype
        The dtype of the result.
    sparse : bool
        Whether to give for each axis an array of size 1 along the others.
    device : device, optional
        The device of the result.

    Returns
    -------
    ndarray or tuple of ndarray
        An array for each axis: stacked along a new first axis, or a tuple if ``sparse``.

    Raises
    ------
    ValueError
        For a negative size.
    TypeError
        For dimensions that are not a sequence of integers, or an unknown dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.indices((2, 3))
    array([[[0, 0, 0],
            [1, 1, 1]],
    <BLANKLINE>
           [[0, 1, 2],
            [0, 1, 2]]])
    """
    name = "indices"
    try:
        sizes = normalize_shape(name, tuple(dimensions), "dimensions")
    except TypeError:
        raise TypeError(
            f"{name}: dimensions must be a sequence of integers, not {dimensions!r}"
        ) from None
    wanted = torch_dtype(name, dtype)
    axes = [
        cast(torch.arange(size, device=device), wanted).reshape(
            [size if j == i else 1 for j in range(len(sizes))]
        )
        for i, size in enumerate(sizes)
    ]
    if sparse:
        return tuple([array_of(x) for x in axes])
    return array_of(grid(axes, sizes, wanted, device))


def grid(axes: list[Tensor], sizes: Any, dtype: torch.dtype, device: Any) -> Tensor:
    """Tensors repeated to one shape, stacked along a new first axis."""
    result = torch.empty((len(sizes), *sizes), dtype=dtype, device=device)
    for i, x in enumerate(axes):
        result[i].copy_(x.expand(tuple(sizes)))
    return result


@hosted
def ix_(*args: ArrayLike) -> Indices:
    """Index arrays that select the elements in given rows *and* given columns.

    Parameters
    ----------
    *args : 1-D array_like of int or bool
        Indices along each axis; a boolean array stands for the indices of its true elements,
        which synchronises with the device.

    Returns
    -------
    tuple of ndarray
        Each of size 1 along all axes but its own.

    Raises
    ------
    ValueError
        For an argument that is not 1-D.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.arange(10).reshape(2, 5)[np.ix_([0, 1], [2, 4])]
    array([[2, 4],
           [7, 9]])
    """
    device = device_of(*args)
    out = []
    for k, arg in enumerate(args):
        t = as_tensor("ix_", arg, f"argument {k + 1}", device)
        if not isinstance(arg, (AnyArray, Tensor)) and not t.numel():
            t = t.to(torch.int64)
        if t.dim() != 1:
            raise ValueError(f"ix_: Cross index must be 1 dimensional, not {t.dim()}-D")
        if t.dtype is torch.bool:
            t = searching.nonzero(t)[0]
        out.append(array_of(t.reshape([1] * k + [t.shape[0]] + [1] * (len(args) - k - 1))))
    return tuple(out)


def _by_columns(name: str, order: Any) -> bool:
    if order not in ("C", "F"):
        raise ValueError(f"{name}: only 'C' or 'F' order is permitted (got {order!r})")
    return bool(order == "F")


def _check_size(name: str, shape: tuple[int, ...]) -> None:
    if prod(shape) >= 2**63:
        raise ValueError(
            f"{name}: invalid dims: an array of shape {shape} is larger than the maximum possible "
            "size"
        )


@hosted
def ravel_multi_index(
    multi_index: ArrayLike,
    dims: ShapeLike,
    mode: IndexMode | tuple[IndexMode, ...] = "raise",
    order: OrderCF = "C",
) -> ndarray:
    """The flat indices of coordinates.

    Parameters
    ----------
    multi_index : tuple of array_like of int
        For each axis the coordinates along it; they broadcast together.
    dims : tuple of int
        The shape of the array that they are coordinates in.
    mode : {'raise', 'wrap', 'clip'}, or a tuple of these
        How to handle coordinates out of bounds, for each axis. Values are checked on the CPU
        only.
    order : {'C', 'F'}
        Row by row, or column by column.

    Returns
    -------
    ndarray or scalar
        int64 indices.

    Raises
    ------
    ValueError
        For coordinates out of bounds, or a number of coordinates that is not that of the axes.
    TypeError
        For coordinates that are not integers.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.ravel_multi_index(([3, 6], [4, 5]), (7, 6))
    array([22, 41])
    """
    name = "ravel_multi_index"
    shape = normalize_shape(name, dims, "dims")
    by_columns = _by_columns(name, order)
    _check_size(name, shape)
    given = list(multi_index)  # type: ignore[arg-type]
    if len(given) != len(shape):
        raise ValueError(f"{name}: parameter multi_index must be a sequence of length {len(shape)}")
    modes = mode if isinstance(mode, tuple) else (mode,) * len(shape)
    if len(modes) != len(shape):
        raise ValueError(f"{name}: mode must be one, or a sequence of length {len(shape)}")
    if not shape:
        return wrap(torch.zeros((), dtype=torch.int64))
    device = device_of(*given)
    found = [only_integers(name, x, "multi_index", device) for x in given]
    check_devices(name, found)
    is_empty = 0 in broadcast_shapes(name, *[x.shape for x in found])
    if not is_empty and 0 in shape:
        raise ValueError(f"{name}: cannot unravel if shape has zero entries (is empty).")
    inside = []
    for x, size, wanted in zip(found, shape, modes, strict=True):
        way = mode_of(name, wanted)
        if way == "wrap":
            x = torch.remainder(x, max(size, 1))
        elif way == "clip":
            x = torch.clamp(x, 0, max(size - 1, 0))
        elif not is_empty and known_outside(x, 0, size):
            raise ValueError(f"{name}: invalid entry in coordinates array")
        inside.append(x)
    return wrap(coordinates.ravel(inside, shape, by_columns))


@hosted
def unravel_index(
    indices: ArrayLike, shape: ShapeLike, order: OrderCF = "C"
) -> tuple[ndarray, ...]:
    """The coordinates of flat indices.

    Parameters
    ----------
    indices : array_like of int
        Indices into the flattened array.
    shape : tuple of int
        The shape of the array.
    order : {'C', 'F'}
        Row by row, or column by column.

    Returns
    -------
    tuple of ndarray or scalars
        For each axis the coordinates along it.

    Raises
    ------
    ValueError
        For an index out of bounds; checked on the CPU only.
    TypeError
        For indices that are not integers.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.unravel_index([22, 41], (7, 6))
    (array([3, 6]), array([4, 5]))
    """
    name = "unravel_index"
    sizes = normalize_shape(name, shape)
    by_columns = _by_columns(name, order)
    t = only_integers(name, indices, "indices", None)
    _check_size(name, sizes)
    size = prod(sizes)
    if known_outside(t, 0, size):
        raise ValueError(f"{name}: an index is out of bounds for array with size {size}")
    if not sizes and t.dim():
        raise ValueError(f"{name}: multiple indices are not supported for 0d arrays")
    return tuple([wrap(x) for x in coordinates.unravel(t, sizes, by_columns)])
