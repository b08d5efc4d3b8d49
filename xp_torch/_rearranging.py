"""The chapter *Manipulation functions*: functions that move or copy elements.

``_manipulation.py`` has the others, which change only the shape.
"""

from __future__ import annotations

import torch
from torch import Tensor

from . import _flags
from ._array import Array
from ._core import box as _box
from ._core.axes import integer, normalize_axes, normalize_axis
from ._core.dtypes import INTEGER, promote
from ._core.errors import REFUSALS, shown, type_name
from ._dispatch import attempt, check_category, check_devices, tensor_of, wrap
from ._kernels import manipulation as kernels
from ._kernels.manipulation import NATIVE

__all__ = ["concat", "flip", "repeat", "roll", "stack", "tile", "unstack"]


def concat(arrays: tuple[Array, ...] | list[Array], /, *, axis: int | None = 0) -> Array:
    """Join arrays along an axis that they have.

    Parameters
    ----------
    arrays : tuple or list of Array
        At least one; dtypes that promote to a common one, and the same shape except along
        ``axis``.
    axis : int, optional
        The axis to join along; ``None`` flattens the arrays first.

    Returns
    -------
    Array
        The promoted dtype.

    Raises
    ------
    TypeError
        For anything but ``xp_torch`` arrays, or dtypes that do not promote to a common one.
    ValueError
        For no arrays, shapes that do not fit, or arrays on two devices.
    AxisError
        For an axis that the arrays do not have.

    Notes
    -----
    Source: the array API standard, ``concat``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.concat([xp.asarray([1, 2]), xp.asarray([3])])
    Array([1, 2, 3], dtype=int64)
    """
    if type(axis) is int and axis == 0 and (fast := _alike(arrays)):
        try:
            joined = torch.cat(fast)
            # torch.cat skips empty 1-D tensors: the sizes of the others tell it.
            if joined.ndim == 1 or all(t.ndim == joined.ndim for t in fast):
                out = Array()
                out._tensor = joined
                return out
        except REFUSALS:
            pass  # the checks below raise the error
    tensors = _tensors("concat", arrays)
    if axis is None:
        tensors = [t.reshape(-1) for t in tensors]
        axis = 0
    shape = tensors[0].shape
    index = normalize_axis("concat", axis, len(shape))
    for i, t in enumerate(tensors):
        # torch.cat would skip an empty 1-D tensor, whatever shape the others have:
        # https://github.com/pytorch/pytorch/issues/5332
        if t.ndim != len(shape) or any(
            t.shape[j] != shape[j] for j in range(len(shape)) if j != index
        ):
            raise ValueError(
                f"concat: arrays[{i}] of shape {tuple(t.shape)} does not fit arrays[0] of shape "
                f"{tuple(shape)} along axis {index}"
            )
    return attempt("concat", kernels.concat, tensors, index)


def _alike(arrays: object) -> list[Tensor]:
    """The arrays' tensors if torch can join them directly, else an empty list."""
    tensors = []
    dtype = None
    if not _box.several_devices and (type(arrays) is list or type(arrays) is tuple):
        for array in arrays:
            if type(array) is not Array:
                return []
            t = array._tensor
            if dtype is None:
                dtype = t.dtype
                if dtype not in NATIVE:
                    return []
            elif t.dtype is not dtype:
                return []
            tensors.append(t)
    return tensors


def _tensors(name: str, arrays: object) -> list[Tensor]:
    """The arrays' tensors in their common dtype, on one device."""
    if not isinstance(arrays, (tuple, list)):
        raise TypeError(
            f"{name}: arrays must be a tuple or list of arrays, not {type_name(arrays)}"
        )
    if not arrays:
        raise ValueError(f"{name}: arrays is empty; at least one array is needed")
    tensors = [tensor_of(name, f"arrays[{i}]", a) for i, a in enumerate(arrays)]
    dtype = promote(name, *[t.dtype for t in tensors])
    check_devices(name, *tensors)
    return [t if t.dtype is dtype else t.to(dtype) for t in tensors]


def flip(x: Array, /, *, axis: int | tuple[int, ...] | None = None) -> Array:
    """Reverse the order of the elements along axes.

    Parameters
    ----------
    x : Array
        Any dtype, any shape.
    axis : int or tuple of int, optional
        The axes to reverse; all of them by default.

    Returns
    -------
    Array
        The same dtype and shape.

    Raises
    ------
    TypeError
        For an ``x`` that is not an ``xp_torch`` array, or an ``axis`` of another type.
    AxisError
        For an axis that ``x`` does not have, or one given twice.

    Notes
    -----
    Source: the array API standard, ``flip``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.flip(xp.asarray([1, 2, 3]))
    Array([3, 2, 1], dtype=int64)
    """
    if type(x) is Array:
        t = x._tensor
        if t.dtype in NATIVE:
            if axis is None:
                out = Array()
                out._tensor = torch.flip(t, tuple(range(t.ndim)))
                return out
            if type(axis) is int and t.ndim:
                try:
                    out = Array()
                    out._tensor = torch.flip(t, (axis,))
                    return out
                except REFUSALS:
                    pass  # the check below raises the error
    t = tensor_of("flip", "x", x)
    return attempt("flip", kernels.flip, t, normalize_axes("flip", axis, t.ndim))


def repeat(x: Array, repeats: int | Array, /, *, axis: int | None = None) -> Array:
    """Repeat each element, or each slice along an axis.

    Parameters
    ----------
    x : Array
        Any dtype, any shape.
    repeats : int or Array
        The number of repeats: one for all, or an array of integer dtype, 0-D or 1-D, that
        broadcasts to the size of the axis.
    axis : int, optional
        The axis to repeat along; by default ``x`` is flattened first.

    Returns
    -------
    Array
        The same dtype; the same shape except along ``axis``, or 1-D without one.

    Raises
    ------
    TypeError
        For an ``x`` that is not an ``xp_torch`` array, or ``repeats`` of another type or dtype.
    ValueError
        For a negative repeat, ``repeats`` that do not broadcast, or arrays on two devices.
    AxisError
        For an axis that ``x`` does not have.
    RuntimeError
        For an array ``repeats`` where the flag ``data_dependent_shapes`` is off.

    Notes
    -----
    With an array ``repeats`` the shape of the result depends on its values, which
    synchronises with the device.

    Source: the array API standard, ``repeat``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.repeat(xp.asarray([1, 2]), 2)
    Array([1, 1, 2, 2], dtype=int64)
    """
    if type(repeats) is int and repeats >= 0 and type(x) is Array:
        t = x._tensor
        if t.dtype in NATIVE and (axis is None or (type(axis) is int and t.ndim)):
            try:
                out = Array()
                out._tensor = torch.repeat_interleave(t, repeats, axis)
                return out
            except REFUSALS:
                pass  # the checks below raise the error
    t = tensor_of("repeat", "x", x)
    if axis is None:
        t = t.reshape(-1)
        axis = 0
    index = normalize_axis("repeat", axis, t.ndim)
    size = t.shape[index]
    if isinstance(repeats, Array):
        _flags.require_data_dependent_shapes("repeat")
        counts, total = _repeat_counts(repeats._tensor, t, size)
        return attempt("repeat", kernels.repeat, t, counts, index, total)
    count = integer("repeat", "repeats", repeats)
    if count < 0:
        raise ValueError(f"repeat: repeats {shown(count)} is negative")
    return attempt("repeat", kernels.repeat, t, count, index, count * size)


def _repeat_counts(repeats: Tensor, t: Tensor, size: int) -> tuple[Tensor | int, int]:
    """The number of repeats of each of ``size`` slices, and their sum."""
    check_category("repeat", "repeats", repeats.dtype, INTEGER)
    check_devices("repeat", t, repeats)
    if repeats.ndim > 1 or (repeats.ndim == 1 and repeats.shape[0] not in (1, size)):
        raise ValueError(
            f"repeat: repeats of shape {tuple(repeats.shape)} does not broadcast to ({size},)"
        )
    if size == 0:
        return 0, 0
    counts = repeats.to(torch.int64).reshape(-1)
    # One synchronisation for both numbers; torch would check the sign with a device-side
    # assertion, after which CUDA cannot be used any more.
    least, total = torch.stack([counts.min(), counts.sum()]).tolist()
    if least < 0:
        raise ValueError("repeat: repeats has negative elements")
    if counts.shape[0] == 1:
        return total, total * size
    return counts, total


def roll(
    x: Array,
    /,
    shift: int | tuple[int, ...],
    *,
    axis: int | tuple[int, ...] | None = None,
) -> Array:
    """Shift elements along axes. Elements shifted out at one end enter at the other.

    Parameters
    ----------
    x : Array
        Any dtype, any shape.
    shift : int or tuple of int
        The number of elements to shift by, toward larger indices if positive: one number for all
        axes, or one for each.
    axis : int or tuple of int, optional
        The axes to shift along; by default ``x`` is flattened, shifted, and given its shape
        back.

    Returns
    -------
    Array
        The same dtype and shape.

    Raises
    ------
    TypeError
        For an ``x`` that is not an ``xp_torch`` array, or an ``axis`` of another type.
    ValueError
        For a ``shift`` that is not an integer or a tuple, or not as long as ``axis``.
    AxisError
        For an axis that ``x`` does not have.

    Notes
    -----
    Source: the array API standard, ``roll``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.roll(xp.asarray([1, 2, 3]), 1)
    Array([3, 1, 2], dtype=int64)
    """
    if type(shift) is int and type(x) is Array and -(2**62) < shift < 2**62:
        t = x._tensor
        if t.dtype in NATIVE and t.ndim:
            if axis is None:
                out = Array()
                out._tensor = torch.roll(t, shift)
                return out
            # torch does not check the axis of an empty tensor.
            if type(axis) is int and -t.ndim <= axis < t.ndim:
                out = Array()
                out._tensor = torch.roll(t, shift, axis)
                return out
    t = tensor_of("roll", "x", x)
    if not isinstance(shift, (int, tuple)):
        raise ValueError(
            f"roll: shift must be an integer or a tuple of them, not {type_name(shift)}"
        )
    shifts = shift if isinstance(shift, tuple) else (shift,)
    distances = [integer("roll", "shift", s) for s in shifts]
    if axis is None:
        size = t.numel()
        return attempt("roll", kernels.roll, t, sum(distances) % max(size, 1))
    along = axis if isinstance(axis, (tuple, list)) else (axis,)
    dims = [normalize_axis("roll", a, t.ndim) for a in along]
    if len(distances) == 1:
        distances = distances * len(dims)
    if len(dims) == 1:
        dims = dims * len(distances)
    if len(distances) != len(dims):
        raise ValueError(f"roll: shift {shift} and axis {axis} must have the same length")
    total = dict.fromkeys(dims, 0)
    for d, distance in zip(dims, distances, strict=True):
        total[d] += distance
    if not total:
        return wrap(t.clone())
    shifted = tuple(p % max(t.shape[d], 1) for d, p in total.items())
    return attempt("roll", kernels.roll, t, shifted, tuple(total))


def stack(arrays: tuple[Array, ...] | list[Array], /, *, axis: int = 0) -> Array:
    """Join arrays of one shape along a new axis.

    Parameters
    ----------
    arrays : tuple or list of Array
        At least one; the same shape, and dtypes that promote to a common one.
    axis : int
        The position of the new axis in the result.

    Returns
    -------
    Array
        The promoted dtype, one more axis than the arrays have.

    Raises
    ------
    TypeError
        For anything but ``xp_torch`` arrays, or dtypes that do not promote to a common one.
    ValueError
        For no arrays, arrays of different shapes, or arrays on two devices.
    AxisError
        For a position that the result does not have.

    Notes
    -----
    Source: the array API standard, ``stack``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.stack([xp.asarray([1, 2]), xp.asarray([3, 4])], axis=1)
    Array([[1, 3],
           [2, 4]], dtype=int64)
    """
    if type(axis) is int and (fast := _alike(arrays)):
        try:
            out = Array()
            out._tensor = torch.stack(fast, axis)
            return out
        except REFUSALS:
            pass  # the checks below raise the error
    tensors = _tensors("stack", arrays)
    shape = tensors[0].shape
    for i, t in enumerate(tensors):
        if t.shape != shape:
            raise ValueError(
                f"stack: arrays[{i}] has the shape {tuple(t.shape)}, and arrays[0] {tuple(shape)}"
            )
    return attempt("stack", kernels.stack, tensors, normalize_axis("stack", axis, len(shape) + 1))


def tile(x: Array, repetitions: tuple[int, ...], /) -> Array:
    """Repeat an array along its axes.

    Parameters
    ----------
    x : Array
        Any dtype, any shape.
    repetitions : tuple of int
        The number of copies along each axis, the last ones where it is shorter than the
        shape; where it is longer, ``x`` gets axes of size one in front.

    Returns
    -------
    Array
        The same dtype.

    Raises
    ------
    TypeError
        For an ``x`` that is not an ``xp_torch`` array, or ``repetitions`` that are not a tuple
        of integers.
    ValueError
        For a negative number.

    Notes
    -----
    Source: the array API standard, ``tile``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.tile(xp.asarray([1, 2]), (2,))
    Array([1, 2, 1, 2], dtype=int64)
    """
    t = tensor_of("tile", "x", x)
    if not isinstance(repetitions, tuple):
        raise TypeError(f"tile: repetitions must be a tuple, not {type_name(repetitions)}")
    counts = tuple(integer("tile", "repetitions", r) for r in repetitions)
    if any(c < 0 for c in counts):
        raise ValueError(f"tile: repetitions {counts} has a negative number")
    return attempt("tile", kernels.tile, t, counts)


def unstack(x: Array, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Split an array into its slices along an axis.

    Parameters
    ----------
    x : Array
        Any dtype, at least one axis.
    axis : int
        The axis to split along.

    Returns
    -------
    tuple of Array
        Views of ``x``, without that axis.

    Raises
    ------
    TypeError
        For an ``x`` that is not an ``xp_torch`` array, or an ``axis`` of another type.
    AxisError
        For an axis that ``x`` does not have.

    Notes
    -----
    Source: the array API standard, ``unstack``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.unstack(xp.asarray([[1, 2], [3, 4]]))[1]
    Array([3, 4], dtype=int64)
    """
    t = tensor_of("unstack", "x", x)
    return tuple([wrap(part) for part in t.unbind(normalize_axis("unstack", axis, t.ndim))])
