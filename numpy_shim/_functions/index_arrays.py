"""Arrays of indices: grids and coordinates; and their iterator."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, SupportsIndex, overload

import numpy
import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._core.devices import default_is_cpu
from xp_torch._kernels import searching

from .._array import views
from .._array.ndarray import AnyArray, array_of, ndarray, wrap
from .._base.axes import broadcast_shapes, normalize_shape
from .._base.dtypes import torch_dtype
from .._base.host_setting import unless_host
from .._base.typing import ArrayLike, Device, DTypeLike, IndexMode, No, OrderCF, ShapeLike, Yes
from .._convert.arguments import as_array, check_devices, device_of
from .._host.loop_reads import elements
from .._indexing.arguments import known_outside, mode_of, only_integers
from .._indexing.fast import HOST_INTEGERS
from .._kernels import coordinates
from .._kernels.casting import cast
from .diagonal_indices import Indices

__all__ = ["indices", "ix_", "ndenumerate", "ndindex", "ravel_multi_index", "unravel_index"]


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
        x = as_array("ix_", arg, f"argument {k + 1}", device, beside=args)
        if not isinstance(arg, (AnyArray, Tensor, numpy.ndarray)) and not x.size:
            x = array_of(x._tensor.to(torch.int64))
        if x.ndim != 1:
            raise ValueError(f"ix_: Cross index must be 1 dimensional, not {x.ndim}-D")
        if x._tensor.dtype is torch.bool:
            x = array_of(searching.nonzero(x._tensor)[0])
        out.append(views.expanded(x, [axis for axis in range(len(args)) if axis != k]))
    return tuple(out)


def _by_columns(name: str, order: object) -> bool:
    if order not in ("C", "F"):
        raise ValueError(f"{name}: only 'C' or 'F' order is permitted (got {order!r})")
    return bool(order == "F")


def _check_size(name: str, shape: tuple[int, ...]) -> None:
    if prod(shape) >= 2**63:
        raise ValueError(
            f"{name}: invalid dims: an array of shape {shape} is larger than the maximum possible "
            "size"
        )


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

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.unravel_index([22, 41], (7, 6))
    (array([3, 6]), array([4, 5]))
    """
    name = "unravel_index"
    sizes = normalize_shape(name, shape)
    by_columns = _by_columns(name, order)
    if type(indices) in HOST_INTEGERS and sizes and default_is_cpu():
        index = int(indices)  # type: ignore[arg-type]
        if 0 <= index < prod(sizes) < 2**63:
            return tuple(map(numpy.int64, coordinates.unravel_one(index, sizes, by_columns)))  # type: ignore[arg-type]
    t = only_integers(name, indices, "indices", None)
    _check_size(name, sizes)
    size = prod(sizes)
    if known_outside(t, 0, size):
        raise ValueError(f"{name}: an index is out of bounds for array with size {size}")
    if not sizes and t.dim():
        raise ValueError(f"{name}: multiple indices are not supported for 0d arrays")
    return tuple([wrap(x) for x in coordinates.unravel(t, sizes, by_columns)])


class ndindex:
    """An iterator over the indices of an array of a given shape, the last axis fastest.

    Parameters
    ----------
    *shape : ints, or one tuple of ints
        The shape.

    Examples
    --------
    >>> import numpy_shim as np
    >>> list(np.ndindex(2, 2))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """

    def __init__(self, *shape: SupportsIndex | Sequence[SupportsIndex]) -> None:
        if len(shape) == 1 and isinstance(shape[0], tuple):
            (shape,) = shape  # type: ignore[assignment]
        sizes = normalize_shape("ndindex", shape)
        self._indices = itertools.product(*[range(n) for n in sizes])

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        # Dynamo cannot trace a StopIteration that passes through __next__.
        return self._indices if is_dynamo_compiling() else self

    def __next__(self) -> tuple[int, ...]:
        """The next index."""
        return next(self._indices)


class ndenumerate:
    """An iterator over the indices and elements of an array.

    Parameters
    ----------
    arr : array_like
        The array.

    Examples
    --------
    >>> import numpy_shim as np
    >>> [(i, int(x)) for i, x in np.ndenumerate([[1, 2], [3, 4]])]
    [((0, 0), 1), ((0, 1), 2), ((1, 0), 3), ((1, 1), 4)]
    """

    def __init__(self, arr: ArrayLike) -> None:
        self._pairs: Iterator[tuple[tuple[int, ...], Any]]
        a = unless_host(as_array, "ndenumerate", arr, "arr")
        if a is None:
            self._pairs = numpy.ndenumerate(arr)
        else:
            values = elements(a) or a.flat
            self._pairs = zip(ndindex(tuple(a._tensor.shape)), values, strict=True)

    def __iter__(self) -> Iterator[tuple[tuple[int, ...], Any]]:
        return self._pairs if is_dynamo_compiling() else self  # as for ndindex

    def __next__(self) -> tuple[tuple[int, ...], ndarray]:
        """The next index and element."""
        return next(self._pairs)
