"""The chapter *Indexing functions*."""

from __future__ import annotations

import torch

from ._array import Array
from ._core import box as _box
from ._core.axes import broadcast_shapes, normalize_axis
from ._core.dtypes import INTEGER, name_of
from ._core.errors import REFUSALS
from ._dispatch import check_category, check_devices, tensor_of, wrap
from ._kernels import indexing as kernels
from ._kernels.manipulation import NATIVE

__all__ = ["take", "take_along_axis"]


def take(x: Array, indices: Array, /, *, axis: int | None = None) -> Array:
    """The slices of an array at given indices along an axis.

    Parameters
    ----------
    x : Array
        Any dtype, at least one axis.
    indices : Array
        Integer dtype, 1-D; negative ones count from the end.
    axis : int, optional
        The axis to take along; required unless ``x`` is 1-D.

    Returns
    -------
    Array
        The dtype of ``x``; its shape, but along ``axis`` the size of ``indices``.

    Raises
    ------
    TypeError
        For anything but ``xp_torch`` arrays, or indices that are not integers.
    ValueError
        For indices that are not 1-D, no ``axis`` where it is required, or arrays on two
        devices.
    AxisError
        For an axis that ``x`` does not have.
    IndexError
        For an index out of bounds. The check runs on the CPU only: on an accelerator
        it would wait for the device.

    Notes
    -----
    Source: the array API standard, ``take``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.take(xp.asarray([10, 20, 30]), xp.asarray([2, -3]))
    Array([30, 10], dtype=int64)
    """
    if type(x) is Array and type(indices) is Array:
        t = x._tensor
        i = indices._tensor
        if (
            i.ndim == 1
            and i.dtype is torch.int64
            and t.dtype in NATIVE
            and (t.ndim == 1 if axis is None else type(axis) is int and 0 <= axis < t.ndim)
            and not (_box.several_devices and t.device != i.device)
        ):
            try:
                out = Array()
                out._tensor = torch.take(t, i) if axis is None else kernels.native_take(t, i, axis)
                return out
            except REFUSALS:
                pass  # the general twin raises the error
    return _take_general(x, indices, axis)


def _take_general(x: Array, indices: Array, axis: int | None) -> Array:
    t = tensor_of("take", "x", x)
    i = tensor_of("take", "indices", indices)
    if axis is None and t.ndim != 1:
        raise ValueError(f"take: axis is required for an array of {t.ndim} dimensions")
    check_category("take", "indices", i.dtype, INTEGER)
    if i.ndim != 1:
        raise ValueError(f"take: indices must be 1-D, not of shape {tuple(i.shape)}")
    check_devices("take", t, i)
    if t.ndim == 0:
        t = t.reshape(1)  # as in NumPy; the standard does not specify it
    index = 0 if axis is None else normalize_axis("take", axis, t.ndim)
    try:
        return wrap(kernels.take(t, i.to(torch.int64), index))
    except (IndexError, RuntimeError):
        if 0 in t.shape[:index]:
            # No line to take from: nothing is out of bounds, as in NumPy.
            return wrap(t.new_empty((*t.shape[:index], i.shape[0], *t.shape[index + 1 :])))
        raise IndexError(
            f"take: indices has a value that is out of bounds for axis {index} of size "
            f"{t.shape[index]}"
        ) from None


def take_along_axis(x: Array, indices: Array, /, *, axis: int = -1) -> Array:
    """For each line of an array along an axis, its elements at the indices of that line.

    Parameters
    ----------
    x : Array
        Any dtype, at least one axis.
    indices : Array
        Integer dtype, as many axes as ``x``, and except along ``axis`` a shape that broadcasts
        with that of ``x``; negative ones count from the end.
    axis : int
        The axis to take along.

    Returns
    -------
    Array
        The dtype of ``x``; the broadcast shape, but along ``axis`` the size of ``indices``.

    Raises
    ------
    TypeError
        For anything but ``xp_torch`` arrays.
    ValueError
        For a different number of axes, or arrays on two devices.
    AxisError
        For an axis that ``x`` does not have.
    IndexError
        For indices that are not integers, do not broadcast with ``x``, or are out of bounds. Bounds
        are checked on the CPU only: on an accelerator the check would wait for the device.

    Notes
    -----
    Source: the array API standard, ``take_along_axis``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> x = xp.asarray([[3, 1, 2], [6, 5, 4]])
    >>> xp.take_along_axis(x, xp.argsort(x, axis=1), axis=1)
    Array([[1, 2, 3],
           [4, 5, 6]], dtype=int64)
    """
    if type(x) is Array and type(indices) is Array and type(axis) is int and -1 <= axis <= 0:
        t = x._tensor
        i = indices._tensor
        if (
            t.ndim == 1
            and i.ndim == 1
            and i.dtype is torch.int64
            and t.dtype in NATIVE
            and not (_box.several_devices and t.device != i.device)
        ):
            try:
                out = Array()
                out._tensor = torch.take(t, i)
                return out
            except REFUSALS:
                pass  # the general twin raises the error
    return _take_along_axis_general(x, indices, axis)


def _take_along_axis_general(x: Array, indices: Array, axis: int) -> Array:
    name = "take_along_axis"
    t = tensor_of(name, "x", x)
    i = tensor_of(name, "indices", indices)
    if i.dtype not in INTEGER.dtypes:
        raise IndexError(f"{name}: indices must have an integer dtype, not {name_of(i.dtype)}")
    check_devices(name, t, i)
    index = normalize_axis(name, axis, t.ndim)
    if i.ndim != t.ndim:
        raise ValueError(f"{name}: indices must have {t.ndim} dimensions, as x has, not {i.ndim}")
    lines = list(t.shape), list(i.shape)
    for shape in lines:
        del shape[index]
    try:
        common = broadcast_shapes(name, *lines)
    except ValueError:
        raise IndexError(
            f"{name}: indices of shape {tuple(i.shape)} does not broadcast with x of shape "
            f"{tuple(t.shape)} except along axis {index}"
        ) from None
    i = i.to(torch.int64)
    before, after = common[:index], common[index:]
    if lines[0] != lines[1]:
        t = t.expand(*before, t.shape[index], *after)
        i = i.expand(*before, i.shape[index], *after)
    try:
        return wrap(kernels.take_along(t, i, index))
    except (IndexError, RuntimeError):
        raise IndexError(
            f"{name}: indices has a value that is out of bounds for axis {index} of size "
            f"{t.shape[index]}"
        ) from None
