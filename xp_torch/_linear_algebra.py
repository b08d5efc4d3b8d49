"""The chapter *Linear algebra functions*, the part in the main namespace."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from . import _flags
from ._array import Array
from ._core import box as _box
from ._core.axes import broadcast_shapes, integer, normalize_axes, normalize_axis
from ._core.dtypes import ALL, FLOATING, NUMERIC
from ._core.errors import AxisError, shown, translate
from ._dispatch import arrays_of, check_category, tensor_of, wrap
from ._kernels import linalg as kernels

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]

_FLOATING = FLOATING.dtypes


def matmul(x1: Array, x2: Array, /) -> Array:
    """The matrix product.

    Parameters
    ----------
    x1, x2 : Array
        Numeric dtypes that promote to a common one. Shapes ``(..., M, K)`` and ``(..., K, N)``,
        the ``...`` broadcastable; a 1-D ``x1`` of shape ``(K,)`` is a row and a 1-D ``x2`` a
        column.

    Returns
    -------
    Array
        The promoted dtype; shape ``(..., M, N)`` without the axis of a row or column that was a
        1-D argument.

    Raises
    ------
    TypeError
        For a boolean dtype, dtypes that do not promote to a common one, or anything but
        ``xp_torch`` arrays.
    ValueError
        For a 0-D array, sizes that do not match, or arrays on two devices.

    Notes
    -----
    Integers wrap around. Complex values are not conjugated.

    Source: the array API standard, ``matmul``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.matmul(xp.asarray([[1, 2], [3, 4]]), xp.asarray([1, 1]))
    Array([3, 7], dtype=int64)
    """
    if type(x1) is Array and type(x2) is Array:
        a = x1._tensor
        b = x2._tensor
        d = a.dtype
        if d is b.dtype and d in _FLOATING and not (_box.several_devices and a.device != b.device):
            try:
                out = Array()
                out._tensor = torch.matmul(a, b)
                return out
            except RuntimeError:
                pass  # the general twin raises the error
    return matmul_general("matmul", x1, x2)


def matmul_general(name: str, x1: Array, x2: Array) -> Array:
    """Every matrix product that a fast path does not handle, also of the operator."""
    a, b = arrays_of(name, x1, x2, NUMERIC)
    if a.ndim == 0 or b.ndim == 0:
        raise ValueError(
            f"{name}: x{1 if a.ndim == 0 else 2} must have at least 1 dimension, not 0"
        )
    if a.shape[-1] != b.shape[-2 if b.ndim > 1 else 0]:
        raise ValueError(
            f"{name}: the last axis of x1 and the {'second to last' if b.ndim > 1 else 'only'} "
            f"axis of x2 must have the same size; the shapes are {tuple(a.shape)} and "
            f"{tuple(b.shape)}"
        )
    broadcast_shapes(name, a.shape[:-2], b.shape[:-2])
    try:
        return wrap(kernels.matmul(a, b))
    except RuntimeError as error:
        translate(name, error)


def matrix_transpose(x: Array, /) -> Array:
    """The transpose of a matrix, or of each matrix of a stack.

    Parameters
    ----------
    x : Array
        Any dtype, shape ``(..., M, N)``.

    Returns
    -------
    Array
        The same dtype, shape ``(..., N, M)``: a view of ``x``.

    Raises
    ------
    TypeError
        For anything but an ``xp_torch`` array.
    ValueError
        For fewer than two dimensions.

    Notes
    -----
    Source: the array API standard, ``matrix_transpose``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.matrix_transpose(xp.asarray([[1, 2, 3]])).shape
    (3, 1)
    """
    if type(x) is Array:
        t = x._tensor
        if t.ndim >= 2:
            out = Array()
            out._tensor = t.mT
            return out
    t = tensor_of("matrix_transpose", "x", x)
    check_category("matrix_transpose", "x", t.dtype, ALL)
    if t.ndim < 2:
        raise ValueError(f"matrix_transpose: x must have at least 2 dimensions, not {t.ndim}")
    return wrap(t.mT)


def tensordot(
    x1: Array,
    x2: Array,
    /,
    *,
    axes: int | tuple[Sequence[int], Sequence[int]] = 2,
) -> Array:
    """The contraction of two arrays: products summed over pairs of axes.

    Parameters
    ----------
    x1, x2 : Array
        Numeric dtypes that promote to a common one; any shapes.
    axes : int or tuple of two sequences of ints
        The axes of ``x1`` and of ``x2`` to contract, pair by pair, each pair of one size; an
        integer ``N`` stands for the last ``N`` axes of ``x1`` and the first ``N`` of ``x2``, in
        order. Default: 2.

    Returns
    -------
    Array
        The promoted dtype; the other axes of ``x1``, then those of ``x2``.

    Raises
    ------
    TypeError
        For a boolean dtype, dtypes that do not promote to a common one, anything but
        ``xp_torch`` arrays, or ``axes`` that are not integers.
    ValueError
        For a negative number of axes, an axis that an array does not have or that comes twice,
        sequences of two lengths, sizes that differ, or arrays on two devices.

    Notes
    -----
    Integers wrap around. Complex values are not conjugated.

    Source: the array API standard, ``tensordot``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> a = xp.ones((2, 3, 4))
    >>> xp.tensordot(a, a, axes=((0, 1), (0, 1))).shape
    (4, 4)
    """
    name = "tensordot"
    a, b = arrays_of(name, x1, x2, NUMERIC)
    first, second = _contracted(a, b, axes)
    for i, j in zip(first, second, strict=True):
        if a.shape[i] != b.shape[j]:
            raise ValueError(
                f"{name}: axis {i} of x1 and axis {j} of x2 must have the same size; the shapes "
                f"are {tuple(a.shape)} and {tuple(b.shape)}"
            )
    try:
        return wrap(kernels.tensordot(a, b, first, second))
    except RuntimeError as error:
        translate(name, error)


def _contracted(a: Tensor, b: Tensor, axes: object) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes of each operand that ``tensordot`` contracts."""
    name = "tensordot"
    if isinstance(axes, (tuple, list)):
        if len(axes) != 2:
            raise ValueError(
                f"{name}: axes must be an integer or two sequences of integers, not "
                f"{len(axes)} of them"
            )
        first = normalize_axes(name, axes[0], a.ndim, "the axis of x1")
        second = normalize_axes(name, axes[1], b.ndim, "the axis of x2")
        if len(first) != len(second):
            raise ValueError(
                f"{name}: axes must name as many axes of x1 as of x2, not {len(first)} and "
                f"{len(second)}"
            )
        return first, second
    count = integer(name, "axes", axes)
    if count < 0:
        raise ValueError(f"{name}: axes must not be negative, and is {count}")
    if count > min(a.ndim, b.ndim):
        raise AxisError(
            f"{name}: axes is {shown(count)}, and the arrays have {a.ndim} and {b.ndim} dimensions"
        )
    return tuple(range(a.ndim - count, a.ndim)), tuple(range(count))


def vecdot(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """The dot product of vectors along an axis, the first operand conjugated.

    Parameters
    ----------
    x1, x2 : Array
        Numeric dtypes that promote to a common one. The axis has the same size in both; the
        other axes are broadcastable.
    axis : int
        The axis of the vectors, counted from the last: negative, and an axis of both arrays.
        Default: -1.

    Returns
    -------
    Array
        The promoted dtype, and the broadcast shape without the axis.

    Raises
    ------
    TypeError
        For a boolean dtype, dtypes that do not promote to a common one, or anything but
        ``xp_torch`` arrays.
    ValueError
        For an axis that is not negative or that an array does not have, sizes that differ,
        shapes that do not broadcast, or arrays on two devices.

    Notes
    -----
    Integers wrap around. Before version 2023.12 of the standard the axis may be positive; it
    then counts in the broadcast shape.

    Source: the array API standard, ``vecdot``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.vecdot(xp.asarray([1, 2, 3]), xp.asarray([[1, 1, 1], [2, 2, 2]]))
    Array([ 6, 12], dtype=int64)
    """
    if type(x1) is Array and type(x2) is Array and type(axis) is int and axis == -1:
        a = x1._tensor
        b = x2._tensor
        d = a.dtype
        if (
            d is b.dtype
            and d in _FLOATING
            and a.shape == b.shape != ()
            and not (_box.several_devices and a.device != b.device)
        ):
            out = Array()
            out._tensor = torch.linalg.vecdot(a, b)
            return out
    return _vecdot_general(x1, x2, axis)


def _vecdot_general(x1: Array, x2: Array, axis: int) -> Array:
    name = "vecdot"
    a, b = arrays_of(name, x1, x2, NUMERIC)
    index = integer(name, "axis", axis)
    if index >= 0:
        if _flags.api_version >= "2023.12":
            raise ValueError(f"{name}: axis must be negative, and is {shown(index)}")
        index = normalize_axis(name, index, max(a.ndim, b.ndim)) - max(a.ndim, b.ndim)
    normalize_axis(name, index, min(a.ndim, b.ndim))
    if a.shape[index] != b.shape[index]:
        raise ValueError(
            f"{name}: axis {index} must have the same size in x1 and x2; the shapes are "
            f"{tuple(a.shape)} and {tuple(b.shape)}"
        )
    broadcast_shapes(name, a.shape, b.shape)
    try:
        return wrap(kernels.vecdot(a, b, index))
    except RuntimeError as error:
        translate(name, error)
