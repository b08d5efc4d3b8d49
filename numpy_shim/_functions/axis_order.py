"""The order of axes: views with their axes in another order."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, SupportsIndex

import torch
from numpy.exceptions import AxisError
from torch import Tensor

from xp_torch._core.axes import integer

from .._array import views
from .._array.ndarray import ndarray, new, view_of
from .._base.axes import integer_or_none, normalize_axis
from .._base.scalar_types import STORED
from .._base.typing import ArrayLike, AxesLike
from .._convert.arguments import as_array

__all__ = [
    "matrix_transpose", "moveaxis", "permute_dims", "rollaxis", "swapaxes", "transpose",
]  # fmt: skip


def _backwards(ndim: int) -> tuple[int, ...]:
    return tuple(range(ndim))[::-1]


def turned(x: ndarray) -> ndarray:
    """The view with all axes in the other order."""
    return views.transposed(x, _backwards(x.ndim))


def _in_order(a: ArrayLike, x: ndarray, axes: Sequence[int]) -> ndarray:
    """The view of ``x``, which is ``a`` as an array; a scalar of NumPy's stays one."""
    return views.transposed(x, axes) if axes or type(a) not in STORED else a  # type: ignore[return-value]


def transpose(a: ArrayLike, axes: Sequence[SupportsIndex] | None = None) -> ndarray:
    """The view with the axes in another order, by default backwards.

    Parameters
    ----------
    a : array_like
        The array.
    axes : sequence of int, optional
        The order of the axes: axis ``i`` of the result is axis ``axes[i]`` of ``a``.

    Returns
    -------
    ndarray
        A view of ``a`` with its dtype: ``result.shape[i] == a.shape[axes[i]]``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.transpose([[1, 2], [3, 4]])
    array([[1, 3],
           [2, 4]])
    """
    if type(a) is ndarray and type(a._tensor) is Tensor and (axes is None or type(axes) is tuple):
        t = a._tensor
        if axes is None:
            if t.dim() == 2:
                return view_of(a, views.exchanged(t))
            return view_of(a, torch.permute(t, _backwards(t.dim())))
        try:  # the method needs twice as long to read a tuple
            result = torch.permute(t, axes)
        except (RuntimeError, IndexError, TypeError):
            pass  # the general call says what is wrong
        else:
            # For axes that are arrays of ours, torch calls this library again.
            if type(result) is Tensor:
                out = new(ndarray)  # view_of, written out
                out._tensor = result
                out._flat_dtype = a._flat_dtype
                out._base = a if t._base is None else getattr(a, "_base", a)
                return out
    return _general_transpose(a, axes)


def _general_transpose(a: ArrayLike, axes: Sequence[SupportsIndex] | None) -> ndarray:
    x = as_array("transpose", a)
    count = x.ndim
    if axes is None:
        return _in_order(a, x, _backwards(count))
    if not isinstance(axes, (tuple, list)):
        try:
            axes = (operator.index(axes),)  # type: ignore[arg-type]
        except TypeError:
            axes = tuple(axes)
    if len(axes) != count:
        raise ValueError(f"transpose: axes don't match array: {axes} for {count} axes")
    order = [normalize_axis("transpose", i, count, "axes") for i in axes]
    if len(set(order)) != count:
        raise ValueError(f"transpose: repeated axis in transpose: {tuple(axes)}")
    return _in_order(a, x, order)


permute_dims = transpose


def matrix_transpose(x: ArrayLike, /) -> ndarray:
    """The view with the last two axes exchanged.

    Parameters
    ----------
    x : array_like
        Two axes or more: a stack of matrices of shape ``(..., M, N)``.

    Returns
    -------
    ndarray
        A view of shape ``(..., N, M)`` with the dtype of ``x``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.matrix_transpose([[1, 2], [3, 4]])
    array([[1, 3],
           [2, 4]])
    """
    a = as_array("matrix_transpose", x, "x")
    if a.ndim < 2:
        raise ValueError(
            f"matrix_transpose: input array must be at least 2-dimensional, but it is {a.ndim}"
        )
    return _exchanged(a, a.ndim - 1, a.ndim - 2)


def _exchanged(x: ndarray, first: int, second: int) -> ndarray:
    order = list(range(x.ndim))
    order[first], order[second] = second, first
    return views.transposed(x, order)


def swapaxes(a: ArrayLike, axis1: int, axis2: int) -> ndarray:
    """The view with two axes exchanged.

    Parameters
    ----------
    a : array_like
        The array.
    axis1, axis2 : int
        The axes to exchange.

    Returns
    -------
    ndarray
        A view of ``a`` with its dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.swapaxes(np.zeros((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    if type(a) is ndarray and type(axis1) is int and type(axis2) is int:
        t = a._tensor
        try:
            if type(t) is Tensor and t.dim():
                return view_of(a, t.transpose(axis1, axis2))
        except (IndexError, ValueError):
            pass  # the general call says what is wrong
    return _general_swapaxes(a, axis1, axis2)


def _general_swapaxes(a: ArrayLike, axis1: int, axis2: int) -> ndarray:
    x = as_array("swapaxes", a)
    count = x.ndim
    return _exchanged(
        x,
        normalize_axis("swapaxes", axis1, count, "axis1"),
        normalize_axis("swapaxes", axis2, count, "axis2"),
    )


def moveaxis(a: ArrayLike, source: AxesLike, destination: AxesLike) -> ndarray:
    """The view with some axes moved to other positions; the others keep their order.

    Parameters
    ----------
    a : array_like
        The array.
    source, destination : int or sequence of int
        The axes to move, and their positions in the result.

    Returns
    -------
    ndarray
        A view of ``a`` with its dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.moveaxis(np.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    if type(a) is ndarray and type(source) is int and type(destination) is int:
        t = a._tensor
        try:
            if type(t) is Tensor and t.dim():
                return view_of(a, t.movedim(source, destination))
        except IndexError:
            pass  # the general call says what is wrong
    return _general_moveaxis(a, source, destination)


def _general_moveaxis(a: ArrayLike, source: AxesLike, destination: AxesLike) -> ndarray:
    x = as_array("moveaxis", a)
    count = x.ndim
    sources = _distinct_axes("source", source, count)
    destinations = _distinct_axes("destination", destination, count)
    if len(sources) != len(destinations):
        raise ValueError(
            "moveaxis: `source` and `destination` arguments must have the same number of elements"
        )
    order = [i for i in range(count) if i not in sources]
    for index, axis in sorted(zip(destinations, sources, strict=True)):
        order.insert(index, axis)
    return _in_order(a, x, order)


def _distinct_axes(argument: str, axes: Any, ndim: int) -> tuple[int, ...]:
    """Normalize one axis or an iterable of axes; ``ValueError`` for a repeated axis."""
    one = None if isinstance(axes, tuple | list) else integer_or_none(axes)
    wanted = list(axes) if one is None else [one]
    normalized = tuple([normalize_axis("moveaxis", i, ndim, argument) for i in wanted])
    if len(set(normalized)) != len(normalized):
        raise ValueError(f"moveaxis: repeated axis in `{argument}` argument")
    return normalized


def rollaxis(a: ArrayLike, axis: int, start: int = 0) -> ndarray:
    """The view with one axis moved before another; ``moveaxis`` is clearer.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int
        The axis to move.
    start : int
        The axis that it goes before; the number of axes for the last position.

    Returns
    -------
    ndarray
        A view of ``a`` with its dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.rollaxis(np.zeros((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    x = as_array("rollaxis", a)
    count = x.ndim
    index = normalize_axis("rollaxis", axis, count)
    position = integer("rollaxis", "start", start)
    position = position + count if position < 0 else position
    if not 0 <= position <= count:
        raise AxisError(f"rollaxis: start must be from {-count} to {count}, not {start}")
    order = [i for i in range(count) if i != index]
    order.insert(position - 1 if index < position else position, index)
    return views.transposed(x, order)
