"""``numpy.lib.array_utils``: axes and memory bounds."""

from __future__ import annotations

from typing import SupportsIndex

from .._array.ndarray import ndarray
from .._core.axes import normalize_axes, normalize_axis
from .._core.typing import AxesLike
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

    Raises
    ------
    AttributeError
        For a list or a number, which has no memory of its own.

    Examples
    --------
    >>> import numpy_shim as np
    >>> a = np.zeros((2, 3))
    >>> low, high = np.lib.array_utils.byte_bounds(a)
    >>> high - low == a.nbytes
    True
    """
    if isinstance(a, (list, tuple, int, float, complex)):
        raise AttributeError(f"byte_bounds: a must be an array, not {type(a).__name__}")
    return memory_bounds("byte_bounds", a)


def normalize_axis_index(axis: SupportsIndex, ndim: int, msg_prefix: str | None = None) -> int:
    """Convert a negative axis; ``AxisError`` for an axis out of bounds.

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
    """Convert negative axes; ``ValueError`` for a repeated axis."""
    name = "normalize_axis_tuple"
    if allow_duplicate and isinstance(axis, (tuple, list)):
        return tuple(normalize_axis(name, a, ndim, argname or "axis") for a in axis)
    axes = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    return normalize_axes(name, axes, ndim, argname or "axis")
