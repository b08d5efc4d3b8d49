"""The extension ``linalg``: cross and outer products, diagonals and traces."""

from __future__ import annotations

import torch

from . import _flags
from ._array import Array
from ._core import box as _box
from ._core.axes import broadcast_shapes, integer, normalize_axis
from ._core.dtypes import ALL, FLOATING, NUMERIC
from ._core.errors import translate
from ._dispatch import arrays_of, check_category, tensor_of, wrap
from ._kernels import linalg as kernels
from ._kernels import reductions
from ._reduce import result_dtype

__all__ = ["cross", "diagonal", "outer", "trace"]

_FLOATING = FLOATING.dtypes

# The dtypes that sums keep in every version of the standard.
_KEPT = frozenset({torch.int64, torch.float64, torch.complex128})


def cross(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """The cross product of vectors of three elements.

    Parameters
    ----------
    x1, x2 : Array
        Numeric dtypes that promote to a common one. The axis has size 3 in both; the other axes
        are broadcastable.
    axis : int
        The axis of the vectors, counted from the last: negative, and an axis of both arrays.
        Default: -1.

    Returns
    -------
    Array
        The promoted dtype and the broadcast shape.

    Raises
    ------
    TypeError
        For a boolean dtype, dtypes that do not promote to a common one, or anything but
        ``xp_torch`` arrays.
    ValueError
        For an axis that is not negative, that an array does not have or whose size is not 3,
        shapes that do not broadcast, or arrays on two devices.

    Notes
    -----
    Integers wrap around. Before version 2023.12 of the standard the axis may be positive; it
    then counts in each array by itself.

    Source: the array API standard, ``linalg.cross``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.cross(xp.asarray([1, 0, 0]), xp.asarray([0, 1, 0]))
    Array([0, 0, 1], dtype=int64)
    """
    if type(x1) is Array and type(x2) is Array and type(axis) is int and axis == -1:
        a = x1._tensor
        b = x2._tensor
        d = a.dtype
        shape = a.shape
        if (
            d is b.dtype
            and d in _FLOATING
            and shape == b.shape
            and shape[-1:] == (3,)
            and not (_box.several_devices and a.device != b.device)
        ):
            out = Array()
            out._tensor = torch.linalg.cross(a, b)
            return out
    return _cross_general(x1, x2, axis)


def _cross_general(x1: Array, x2: Array, axis: int) -> Array:
    name = "cross"
    a, b = arrays_of(name, x1, x2, NUMERIC)
    first = normalize_axis(name, axis, a.ndim) - a.ndim
    second = normalize_axis(name, axis, b.ndim) - b.ndim
    if integer(name, "axis", axis) >= 0 and _flags.api_version >= "2023.12":
        raise ValueError(f"{name}: axis must be negative, and is {axis}")
    if a.shape[first] != 3 or b.shape[second] != 3:
        raise ValueError(
            f"{name}: axis {axis} must have size 3 in both arrays; the shapes are "
            f"{tuple(a.shape)} and {tuple(b.shape)}"
        )
    if first != second:
        a, b, first = a.movedim(first, -1), b.movedim(second, -1), -1
    broadcast_shapes(name, a.shape, b.shape)
    try:
        return wrap(kernels.cross(a, b, first))
    except RuntimeError as error:
        translate(name, error)


def diagonal(x: Array, /, *, offset: int = 0) -> Array:
    """A diagonal of a matrix, or of each matrix of a stack.

    Parameters
    ----------
    x : Array
        Any dtype, shape ``(..., M, N)``.
    offset : int
        Which diagonal: above the main one if positive, below it if negative. Default: 0.

    Returns
    -------
    Array
        The same dtype, shape ``(..., K)`` with the ``K`` elements of the diagonal, none where
        ``offset`` is beyond the matrix: a view of ``x``.

    Raises
    ------
    TypeError
        For anything but an ``xp_torch`` array, or an offset that is not an integer.
    ValueError
        For fewer than two dimensions.

    Notes
    -----
    Source: the array API standard, ``linalg.diagonal``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> x = xp.asarray([[1, 2, 3], [4, 5, 6]])
    >>> xp.linalg.diagonal(x), xp.linalg.diagonal(x, offset=1)
    (Array([1, 5], dtype=int64), Array([2, 6], dtype=int64))
    """
    if type(x) is Array and type(offset) is int and offset == 0:
        t = x._tensor
        if t.ndim >= 2:
            out = Array()
            out._tensor = torch.diagonal(t, 0, -2, -1)
            return out
    name = "diagonal"
    t = tensor_of(name, "x", x)
    check_category(name, "x", t.dtype, ALL)
    return wrap(torch.diagonal(t, _offset(name, t, offset), -2, -1))


def _offset(name: str, t: torch.Tensor, offset: object) -> int:
    """Limit the offset of a diagonal to the first empty one."""
    if t.ndim < 2:
        raise ValueError(f"{name}: x must have at least 2 dimensions, not {t.ndim}")
    return max(-t.size(-2), min(t.size(-1), integer(name, "offset", offset)))


def outer(x1: Array, x2: Array, /) -> Array:
    """The outer product of two vectors.

    Parameters
    ----------
    x1, x2 : Array
        Numeric dtypes that promote to a common one, shapes ``(N,)`` and ``(M,)``.

    Returns
    -------
    Array
        The promoted dtype, shape ``(N, M)``.

    Raises
    ------
    TypeError
        For a boolean dtype, dtypes that do not promote to a common one, or anything but
        ``xp_torch`` arrays.
    ValueError
        For arrays that are not 1-D, or arrays on two devices.

    Notes
    -----
    Integers wrap around.

    Source: the array API standard, ``linalg.outer``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.outer(xp.asarray([1, 2]), xp.asarray([3, 4]))
    Array([[3, 4],
           [6, 8]], dtype=int64)
    """
    if type(x1) is Array and type(x2) is Array:
        a = x1._tensor
        b = x2._tensor
        d = a.dtype
        if d is b.dtype and d in _FLOATING and not (_box.several_devices and a.device != b.device):
            try:
                out = Array()
                out._tensor = torch.outer(a, b)
                return out
            except RuntimeError:
                pass  # the general twin raises the error
    return _outer_general(x1, x2)


def _outer_general(x1: Array, x2: Array) -> Array:
    name = "outer"
    a, b = arrays_of(name, x1, x2, NUMERIC)
    if a.ndim != 1 or b.ndim != 1:
        raise ValueError(
            f"{name}: x1 and x2 must have 1 dimension; the shapes are {tuple(a.shape)} and "
            f"{tuple(b.shape)}"
        )
    try:
        return wrap(kernels.outer(a, b))
    except RuntimeError as error:
        translate(name, error)


def trace(x: Array, /, *, offset: int = 0, dtype: torch.dtype | None = None) -> Array:
    """The sum of a diagonal of a matrix, or of each matrix of a stack.

    Parameters
    ----------
    x : Array
        Numeric dtype, shape ``(..., M, N)``.
    offset : int
        Which diagonal: above the main one if positive, below it if negative. Default: 0.
    dtype : torch.dtype or None
        The dtype to compute in. By default that of ``x``, or int64 and uint64 for narrower
        signed and unsigned integers.

    Returns
    -------
    Array
        Shape ``(...)``; 0 where the diagonal has no elements.

    Raises
    ------
    TypeError
        For a boolean dtype, anything but an ``xp_torch`` array, an offset that is not an integer, a
        ``dtype`` that is none, or a complex array with a real one.
    ValueError
        For fewer than two dimensions.

    Notes
    -----
    Before version 2023.12 of the standard float32 and complex64 are summed in the default
    dtype of their kind.

    Source: the array API standard, ``linalg.trace``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linalg.trace(xp.asarray([[1, 2], [3, 4]], dtype=xp.uint8))
    Array(5, dtype=uint64)
    """
    if type(x) is Array and type(offset) is int and offset == 0 and dtype is None:
        t = x._tensor
        if t.ndim >= 2 and t.dtype in _KEPT:
            out = Array()
            out._tensor = (
                torch.trace(t) if t.ndim == 2 else torch.sum(torch.diagonal(t, 0, -2, -1), -1)
            )
            return out
    name = "trace"
    t = tensor_of(name, "x", x)
    check_category(name, "x", t.dtype, NUMERIC)
    diagonal = torch.diagonal(t, _offset(name, t, offset), -2, -1)
    result = result_dtype(name, t, dtype)
    try:
        return wrap(reductions.sum(diagonal, (-1,), False, result))
    except RuntimeError as error:
        translate(name, error)
