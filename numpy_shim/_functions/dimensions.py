"""Axes of one element, removed and added."""

from __future__ import annotations

from functools import partial
from typing import overload

import torch
from torch import Tensor

from .._array import views
from .._array.ndarray import array_of, ndarray, new, view_of
from .._array.scalars import TensorScalar
from .._base.axes import normalize_axes
from .._base.scalar_types import STORED
from .._base.typing import ArrayLike, AxesLike, AxisLike
from .._convert.arguments import as_array
from .._convert.sequences import quick_number

__all__ = ["atleast_1d", "atleast_2d", "atleast_3d", "expand_dims", "squeeze"]


def squeeze(a: ArrayLike, axis: AxisLike = None) -> ndarray:
    """The view without axes of size 1.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to remove, by default all of size 1.

    Returns
    -------
    ndarray or scalar
        A view of ``a`` with its dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.squeeze([[[1, 2]]], axis=0).shape
    (1, 2)
    """
    if type(a) is ndarray and axis is None and type(a._tensor) is Tensor:
        t = a._tensor
        return view_of(a, t.squeeze()) if 1 in t.shape else a
    if type(a) is ndarray and type(axis) is int and type(a._tensor) is Tensor:
        t = a._tensor
        if -t.dim() <= axis < t.dim() and t.shape[axis] == 1:
            return view_of(a, t.squeeze(axis))
    if axis is None and (type(a) in STORED or isinstance(a, TensorScalar)):
        return a  # type: ignore[return-value]
    return _general_squeeze(a, axis)


def _general_squeeze(a: ArrayLike, axis: AxisLike) -> ndarray:
    x = as_array("squeeze", a)
    sizes = x._tensor.shape
    if axis is None:
        return views.squeezed(x, [i for i, n in enumerate(sizes) if n == 1]) if 1 in sizes else x
    if isinstance(axis, list):
        raise TypeError("squeeze: axis must be an integer or a tuple of integers, not a list")
    if not sizes and type(axis) is int and axis in (0, -1):
        axis = ()
    axes = normalize_axes("squeeze", axis, len(sizes))
    if any(sizes[i] != 1 for i in axes):
        raise ValueError(
            "squeeze: cannot select an axis to squeeze out which has size not equal to one"
        )
    if type(a) in STORED and not sizes:
        return a  # type: ignore[return-value]
    return views.squeezed(x, axes) if axes else x


def expand_dims(a: ArrayLike, axis: AxesLike) -> ndarray:
    """The view with new axes of size 1.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int
        The positions of the new axes in the result.

    Returns
    -------
    ndarray
        A view of ``a`` with its dtype and ``a.ndim + len(axis)`` axes.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.expand_dims([1, 2], axis=0)
    array([[1, 2]])
    """
    if type(a) is ndarray and type(axis) is int and type(t := a._tensor) is Tensor:
        try:
            view = torch.unsqueeze(t, axis)
        except (IndexError, ValueError):
            pass  # the general call says what is wrong
        else:
            out = new(ndarray)  # view_of, written out
            out._tensor = view
            out._flat_dtype = a._flat_dtype or t.dtype
            out._base = a if t._base is None else getattr(a, "_base", a)
            return out
    return _general_expand_dims(a, axis)


def _general_expand_dims(a: ArrayLike, axis: AxesLike) -> ndarray:
    x = as_array("expand_dims", a)
    wanted = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    count = len(wanted) + x.ndim
    axes = normalize_axes("expand_dims", wanted, count)
    return views.expanded(x, axes)


def atleast(tensor: Tensor, count: int) -> Tensor:
    """The tensor with the new axes of ``atleast_1d``, ``atleast_2d`` or ``atleast_3d``."""
    missing = count - tensor.dim()
    if missing <= 0:
        return tensor
    if count == 3 and missing < 3:
        return tensor.unsqueeze(-1) if missing == 1 else tensor[None, :, None]
    return tensor[(None,) * missing]


def _at_least(count: int, *arrays: ArrayLike) -> ndarray | tuple[ndarray, ...]:
    if len(arrays) == 1:
        given = arrays[0]
        if type(given) is ndarray:
            t = given._tensor
            if type(t) is Tensor and count == 2 and t.dim() == 1:
                return view_of(given, t.unsqueeze(0))
        number = quick_number(given)
        if number is not None:
            return view_of(array_of(number), number.view((1,) * count))
    made = []
    for a in arrays:
        x = as_array(f"atleast_{count}d", a, "arys", beside=arrays)
        missing = count - x.ndim
        if missing > 0:
            if count == 3 and missing < 3:
                x = views.expanded(x, (2,) if missing == 1 else (0, 2))
            else:
                x = views.expanded(x, range(missing))
        made.append(x)
    return made[0] if len(made) == 1 else tuple(made)


@overload
def atleast_1d(a: ArrayLike, /) -> ndarray: ...
@overload
def atleast_1d(a: ArrayLike, b: ArrayLike, /, *arys: ArrayLike) -> tuple[ndarray, ...]: ...
@overload
def atleast_1d(*arys: ArrayLike) -> ndarray | tuple[ndarray, ...]: ...
def atleast_1d(*arys: ArrayLike) -> ndarray | tuple[ndarray, ...]:
    """Arrays with at least one axis; a 0-D array gets one.

    Parameters
    ----------
    *arys : array_like
        The arrays.

    Returns
    -------
    ndarray or tuple of ndarray
        One for one argument, a tuple for several.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.atleast_1d(3)
    array([3])
    """
    if len(arys) == 1 and type(arys[0]) is ndarray and arys[0]._tensor.dim() >= 1:
        return arys[0]
    return _general_atleast_1d(*arys)


_general_atleast_1d = partial(_at_least, 1)


@overload
def atleast_2d(a: ArrayLike, /) -> ndarray: ...
@overload
def atleast_2d(a: ArrayLike, b: ArrayLike, /, *arys: ArrayLike) -> tuple[ndarray, ...]: ...
@overload
def atleast_2d(*arys: ArrayLike) -> ndarray | tuple[ndarray, ...]: ...
def atleast_2d(*arys: ArrayLike) -> ndarray | tuple[ndarray, ...]:
    """Arrays with at least two axes; new ones go in front.

    Parameters
    ----------
    *arys : array_like
        The arrays.

    Returns
    -------
    ndarray or tuple of ndarray
        One for one argument, a tuple for several; of an array a view, or the array itself.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.atleast_2d([1, 2])
    array([[1, 2]])
    """
    if len(arys) == 1 and type(arys[0]) is ndarray and arys[0]._tensor.dim() >= 2:
        return arys[0]
    return _general_atleast_2d(*arys)


_general_atleast_2d = partial(_at_least, 2)


@overload
def atleast_3d(a: ArrayLike, /) -> ndarray: ...
@overload
def atleast_3d(a: ArrayLike, b: ArrayLike, /, *arys: ArrayLike) -> tuple[ndarray, ...]: ...
@overload
def atleast_3d(*arys: ArrayLike) -> ndarray | tuple[ndarray, ...]: ...
def atleast_3d(*arys: ArrayLike) -> ndarray | tuple[ndarray, ...]:
    """Arrays with at least three axes.

    The axis of a 1-D array becomes the second of three; the axes of a 2-D array the first two.

    Parameters
    ----------
    *arys : array_like
        The arrays.

    Returns
    -------
    ndarray or tuple of ndarray
        One for one argument, a tuple for several; of an array a view, or the array itself.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.atleast_3d([1, 2]).shape
    (1, 2, 1)
    """
    if len(arys) == 1 and type(arys[0]) is ndarray and arys[0]._tensor.dim() >= 3:
        return arys[0]
    return _general_atleast_3d(*arys)


_general_atleast_3d = partial(_at_least, 3)
