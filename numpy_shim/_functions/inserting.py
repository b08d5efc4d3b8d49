"""Insert, delete and trim elements."""

from __future__ import annotations

from typing import Any, TypeVar, overload

import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._kernels import manipulation
from xp_torch._kernels.unsigned import as_signed

from .._array import views
from .._array.layout import in_columns, is_fortran
from .._array.ndarray import AnyArray, array_of, ndarray
from .._base.axes import normalize_axes, normalize_axis, without_leading_ones
from .._base.dtypes import INTEGERS
from .._base.typing import ArrayLike, AxisLike
from .._convert.arguments import as_array, as_tensor
from .._convert.from_data import loaded
from .._kernels.host_kernels import or_numpys

__all__ = ["delete", "insert", "trim_zeros"]


_FEW = 1000
"""Up to this number of elements, and in a trace, indices are Python's numbers."""
_Indices = list[int] | Tensor
"""Few indices, or an int64 tensor of many on the CPU."""

_pick = manipulation.moving(torch.index_select)


def _picked(tensor: Tensor, axis: int, indices: _Indices) -> Tensor:
    return _pick(tensor, axis, torch.as_tensor(indices, dtype=torch.int64, device=tensor.device))


@or_numpys("without")
def _without(tensor: Tensor, gone: _Indices, axis: int) -> Tensor:
    """The elements along an axis that are at other indices."""
    size = tensor.shape[axis]
    if isinstance(gone, list) and (is_compiling() or size <= _FEW):
        known = set(gone)
        return _picked(tensor, axis, [i for i in range(size) if i not in known])
    left = torch.ones(size, dtype=torch.bool)
    left[torch.as_tensor(gone)] = False
    return _picked(tensor, axis, torch.nonzero(left)[:, 0])


def _merged(indices: _Indices, size: int) -> _Indices:
    """The elements of a row of ``size``, and more behind it, with these before the given ones."""
    count = len(indices)
    if isinstance(indices, list) and (is_compiling() or size + count <= _FEW):
        merged = [*range(size)]
        for i in sorted(range(count), key=lambda i: (indices[i], i), reverse=True):
            merged.insert(indices[i], size + i)
        return merged
    before, order = torch.sort(torch.as_tensor(indices), stable=True)
    at = before + torch.arange(count)
    result = torch.empty(size + count, dtype=torch.int64)
    old = torch.ones(size + count, dtype=torch.bool)
    old[at] = False
    result[at] = order + size
    result[old] = torch.arange(size)
    return result


@or_numpys("inserted")
def _inserted(tensor: Tensor, new: Tensor, indices: _Indices, axis: int) -> Tensor:
    """Elements along an axis before the indices, which are as many."""
    joined = manipulation.concat([tensor, new], axis)
    return _picked(joined, axis, _merged(indices, tensor.shape[axis]))


def _along(name: str, arr: Any, axis: object) -> tuple[Tensor, int]:
    """The tensor and its normalized axis; for ``axis=None`` the flattened tensor and 0."""
    tensor = as_tensor(name, arr, "arr")
    if axis is None:
        return tensor.reshape(-1), 0
    return tensor, normalize_axis(name, axis, tensor.dim())


def _indices(name: str, obj: Any, size: int) -> tuple[_Indices, bool]:
    """The indices along an axis that ``obj`` selects, and whether it is a single integer."""
    if isinstance(obj, slice):
        chosen = range(size)[obj]
        if is_compiling() or len(chosen) <= _FEW:
            return list(chosen), False
        return torch.arange(chosen.start, chosen.stop, chosen.step), False
    if type(obj) is int:
        return [obj], True
    if isinstance(obj, (list, tuple)) and all(type(i) is int for i in obj):
        return list(obj), False  # they stay numbers in a trace
    indices = as_tensor(name, obj, "obj")
    if indices.dtype is torch.bool:
        if indices.dim() != 1 or (name == "delete" and indices.shape[0] != size):
            raise ValueError(
                f"{name}: boolean array argument obj must be one dimensional and match the axis "
                f"length of {size}"
            )
        if is_compiling() or indices.numel() <= _FEW:
            return [i for i, chosen in enumerate(indices.tolist()) if chosen], False
        return torch.nonzero(indices.cpu())[:, 0], False
    if not indices.numel() and not isinstance(obj, (AnyArray, Tensor)):
        return [], False
    if indices.dtype not in INTEGERS:
        raise IndexError(f"{name}: obj must be integers or booleans")
    if indices.dim() > 1 and name == "insert":
        raise ValueError(
            "insert: index array argument obj to insert must be one dimensional or scalar"
        )
    if is_compiling() or indices.numel() <= _FEW:
        return [int(i) for i in indices.reshape(-1).tolist()], indices.dim() == 0
    return indices.reshape(-1).to("cpu", torch.int64), False


def _bounded(name: str, indices: _Indices, size: int, last: int) -> _Indices:
    """Convert negative indices; ``IndexError`` for an index beyond ``last``."""
    if isinstance(indices, Tensor):
        wrong = indices[(indices < -size) | (indices > last)]
        if not wrong.numel():
            return torch.where(indices < 0, indices + size, indices)
        indices = wrong.tolist()
    for index in indices:
        if not -size <= index <= last:
            raise IndexError(f"{name}: index {index} is out of bounds for size {size}")
    return [p + size if p < 0 else p for p in indices]


def delete(arr: ArrayLike, obj: ArrayLike | slice, axis: int | None = None) -> ndarray:
    """A new array without some elements.

    Parameters
    ----------
    arr : array_like
        The array.
    obj : int, slice, or array_like of int or bool
        The indices along the axis to leave out; the values of an array are read.
    axis : int, optional
        The axis; by default the array is flattened.

    Returns
    -------
    ndarray
        A new array, shorter along the axis.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.delete([1, 2, 3, 4], [0, 2])
    array([2, 4])
    """
    tensor, dim = _along("delete", arr, axis)
    size = tensor.shape[dim]
    if type(obj) is slice and obj.step in (None, 1) and not is_fortran(tensor):
        gap = range(size)[obj]
        first, stop = gap.start, max(gap.start, gap.stop)
        rest = [tensor.narrow(dim, 0, first), tensor.narrow(dim, stop, size - stop)]
        return array_of(manipulation.concat(rest, dim))
    gone = _bounded("delete", _indices("delete", obj, size)[0], size, size - 1)
    left = _without(tensor, gone, dim) if len(gone) else tensor.clone()
    return array_of(in_columns(left) if is_fortran(tensor) else left)


def insert(
    arr: ArrayLike, obj: ArrayLike | slice, values: ArrayLike, axis: int | None = None
) -> ndarray:
    """A new array with values inserted before some indices.

    Parameters
    ----------
    arr : array_like
        The array.
    obj : int, slice, or array_like of int or bool
        The indices before which the values go; the values of an array are read.
    values : array_like
        The values to insert; they are cast to the dtype of ``arr`` and broadcast.
    axis : int, optional
        The axis; by default the array is flattened.

    Returns
    -------
    ndarray
        A new array in the dtype of ``arr``, longer along the axis.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.insert([1, 2, 3], [1, 3], [8, 9])
    array([1, 8, 2, 3, 9])
    """
    tensor, dim = _along("insert", arr, axis)
    size, ndim = tensor.shape[dim], tensor.dim()
    named, single = _indices("insert", obj, size)
    indices = _bounded("insert", named, size, size)
    new = loaded("insert", values, "values", tensor.dtype, None, tensor.device, True)._tensor
    if len(indices) == 1:
        new = new[(None,) * max(ndim - new.dim(), 0)]
        if single:
            new = new.movedim(0, dim)
        count = new.shape[dim]
        indices = indices * count
    else:
        count = len(indices)
    wanted = (*tensor.shape[:dim], count, *tensor.shape[dim + 1 :])
    try:
        new = without_leading_ones(new, ndim).expand(wanted)
    except RuntimeError:
        raise ValueError(
            f"insert: values of shape {tuple(new.shape)} do not broadcast to {wanted}"
        ) from None
    result = _inserted(tensor, new, indices, dim)
    return array_of(in_columns(result) if is_fortran(tensor) else result)


_T = TypeVar("_T")


@overload
def trim_zeros(filt: list[_T], trim: str = ..., axis: AxisLike = ...) -> list[_T]: ...  # type: ignore[overload-overlap]
@overload
def trim_zeros(filt: tuple[_T, ...], trim: str = ..., axis: AxisLike = ...) -> tuple[_T, ...]: ...  # type: ignore[overload-overlap]
@overload
def trim_zeros(filt: ArrayLike, trim: str = ..., axis: AxisLike = ...) -> ndarray: ...
def trim_zeros(
    filt: ArrayLike | list[Any] | tuple[Any, ...], trim: str = "fb", axis: AxisLike = None
) -> ndarray | list[Any] | tuple[Any, ...]:
    """Remove the zeros at the ends of an array. The values are read.

    Parameters
    ----------
    filt : array_like
        The array; a list or tuple gives a list or tuple.
    trim : str
        'f' for the front, 'b' for the back, 'fb' for both.
    axis : int or tuple of int, optional
        The axes; by default all of them.

    Returns
    -------
    ndarray, list or tuple
        A view of an array.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.trim_zeros(np.array([0, 0, 1, 2, 0]))
    array([1, 2])
    """
    ends = trim.lower()
    if ends not in ("fb", "bf", "f", "b"):
        raise ValueError(f"trim_zeros: unexpected character(s) in `trim`: {trim!r}")
    x = as_array("trim_zeros", filt, "filt")
    axes = normalize_axes("trim_zeros", axis, x.ndim)
    found = torch.nonzero(as_signed(x._tensor))
    items = [slice(None)] * x.ndim
    for i in axes:
        along = found[:, i]
        if not along.numel():
            items[i] = slice(0, 0)
            continue
        first = int(along.min()) if "f" in ends else None
        last = int(along.max()) + 1 if "b" in ends else None
        items[i] = slice(first, last)
    if isinstance(filt, (list, tuple)) and x.ndim == 1:
        return filt[items[0]]
    return views.select(x, items) if axes else filt  # type: ignore[return-value]
