"""``numpy.lib.array_utils``: axes and memory bounds."""

from __future__ import annotations

from typing import SupportsIndex

from .._array.ndarray import ndarray
from .._base.axes import normalize_axes, normalize_axis
from .._base.typing import AxesLike
from .._functions.memory import memory_bounds

__all__ = ["byte_bounds", "normalize_axis_index", "normalize_axis_tuple"]


def byte_bounds(a: ndarray) -> tuple[int, int]:
    """The addresses of the first byte of an array and of the byte after its last.

    Parameters
    ----------
    a : ndarray
        An array of any dtype, with any strides.

    Returns
    -------
    tuple of int
        The two addresses; their difference is at least ``a.nbytes`` for an array without repeated
        elements.

    Examples
    --------
    >>> import numpy_shim as np
    >>> a = np.zeros((2, 3))
    >>> low, high = np.lib.array_utils.byte_bounds(a)
    >>> high - low == a.nbytes
    True
    """
    if not hasattr(a, "dtype"):
        raise AttributeError(f"byte_bounds: a must be an array, not {type(a).__name__}")
    return memory_bounds("byte_bounds", a)


def normalize_axis_index(axis: SupportsIndex, ndim: int, msg_prefix: str | None = None) -> int:
    """Convert a negative axis to one from 0.

    Parameters
    ----------
    axis : int
        The axis, from ``-ndim`` to ``ndim - 1``.
    ndim : int
        The number of axes.
    msg_prefix : str, optional
        What the error message starts with.

    Returns
    -------
    int
        The axis, from 0 to ``ndim - 1``.

    Examples
    --------
    >>> from numpy_shim.lib.array_utils import normalize_axis_index
    >>> normalize_axis_index(-1, ndim=3)
    2
    """
    return normalize_axis(msg_prefix or "normalize_axis_index", axis, ndim)


def normalize_axis_tuple(
    axis: AxesLike, ndim: int, argname: str | None = None, allow_duplicate: bool = False
) -> tuple[int, ...]:
    """Convert negative axes to axes from 0.

    Parameters
    ----------
    axis : int or sequence of int
        The axes, from ``-ndim`` to ``ndim - 1``.
    ndim : int
        The number of axes.
    argname : str, optional
        The name of the argument in the error message.
    allow_duplicate : bool
        Whether an axis may be repeated.

    Returns
    -------
    tuple of int
        The axes, from 0 to ``ndim - 1``.

    Examples
    --------
    >>> from numpy_shim.lib.array_utils import normalize_axis_tuple
    >>> normalize_axis_tuple((0, -1), ndim=3)
    (0, 2)
    """
    name = "normalize_axis_tuple"
    if allow_duplicate and isinstance(axis, (tuple, list)):
        return tuple(normalize_axis(name, a, ndim, argname or "axis") for a in axis)
    axes = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    return normalize_axes(name, axes, ndim, argname or "axis")
