"""The chapter *Statistical functions*."""

from __future__ import annotations

import torch

from . import _flags
from ._array import Array
from ._core.axes import plain_axes
from ._core.dtypes import FLOATING, NUMERIC, REAL_FLOATING, REAL_NUMERIC, WIDE_UNSIGNED
from ._core.errors import type_name
from ._core.scalars import truth
from ._dispatch import wrap
from ._kernels import reductions as kernels
from ._reduce import check_not_empty, read, result_dtype

__all__ = [
    "max",
    "mean",
    "min",
    "prod",
    "std",
    "sum",
    "var",
]

_ORDERED = REAL_NUMERIC.dtypes - WIDE_UNSIGNED

# The dtypes that sums and products keep, in the standard and in torch.
_KEPT = frozenset({torch.int64, torch.float64, torch.complex128})
_NUMBERS = frozenset({int, float})


def max(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Array:
    """The largest element along the axes.

    Parameters
    ----------
    x : Array
        Real numeric dtype, any shape.
    axis : int, tuple of ints or None
        The axis or axes to reduce: all by default, none for an empty tuple.
    keepdims : bool
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array
        The same dtype.

    Raises
    ------
    TypeError
        For any other dtype, anything but an ``xp_torch`` array, or an axis that is not an integer.
    AxisError
        For an axis that ``x`` does not have, or one given twice.
    ValueError
        For an axis without elements.

    Notes
    -----
    NaN if any element is NaN. It is not specified which of the two zeros is larger.

    Source: the array API standard, ``max``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.max(xp.asarray([[1, 5], [7, 2]]), axis=1)
    Array([5, 7], dtype=int64)
    """
    if type(x) is Array and type(keepdims) is bool:
        t = x._tensor
        if t.dtype in _ORDERED and t.numel():
            if axis is None and not keepdims:
                out = Array()
                out._tensor = torch.max(t)
                return out
            if (
                -t.ndim <= axis < t.ndim
                if type(axis) is int
                else type(axis) is tuple and plain_axes(axis, t.ndim)
            ):
                out = Array()
                out._tensor = torch.amax(t, axis, keepdims)  # type: ignore[arg-type]
                return out
    t, axes = read("max", x, axis, REAL_NUMERIC)
    check_not_empty("max", t, axes)
    return wrap(kernels.max(t, axes, truth("max", "keepdims", keepdims)))


def mean(
    x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Array:
    """The arithmetic mean of the elements along the axes.

    Parameters
    ----------
    x : Array
        Floating-point dtype, any shape; complex since version 2024.12.
    axis : int, tuple of ints or None
        The axis or axes to reduce: all by default, none for an empty tuple.
    keepdims : bool
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array
        The same dtype; NaN where there are no elements.

    Raises
    ------
    TypeError
        For any other dtype, anything but an ``xp_torch`` array, or an axis that is not an integer.
    AxisError
        For an axis that ``x`` does not have, or one given twice.

    Notes
    -----
    Source: the array API standard, ``mean``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.mean(xp.asarray([[1.0, 2.0], [3.0, 4.0]]), axis=0)
    Array([2., 3.], dtype=float64)
    """
    if type(x) is Array and type(keepdims) is bool:
        t = x._tensor
        if t.dtype in REAL_FLOATING.dtypes:
            if axis is None and not keepdims:
                out = Array()
                out._tensor = torch.mean(t)
                return out
            if (
                -t.ndim <= axis < t.ndim
                if type(axis) is int
                else type(axis) is tuple and plain_axes(axis, t.ndim)
            ):
                out = Array()
                out._tensor = torch.mean(t, axis, keepdims)
                return out
    category = FLOATING if _flags.api_version >= "2024.12" else REAL_FLOATING
    t, axes = read("mean", x, axis, category)
    return wrap(kernels.mean(t, axes, truth("mean", "keepdims", keepdims)))


def min(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Array:
    """The smallest element along the axes.

    Parameters
    ----------
    x : Array
        Real numeric dtype, any shape.
    axis : int, tuple of ints or None
        The axis or axes to reduce: all by default, none for an empty tuple.
    keepdims : bool
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array
        The same dtype.

    Raises
    ------
    TypeError
        For any other dtype, anything but an ``xp_torch`` array, or an axis that is not an integer.
    AxisError
        For an axis that ``x`` does not have, or one given twice.
    ValueError
        For an axis without elements.

    Notes
    -----
    NaN if any element is NaN. It is not specified which of the two zeros is smaller.

    Source: the array API standard, ``min``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.min(xp.asarray([[1, 5], [7, 2]]), axis=1)
    Array([1, 2], dtype=int64)
    """
    if type(x) is Array and type(keepdims) is bool:
        t = x._tensor
        if t.dtype in _ORDERED and t.numel():
            if axis is None and not keepdims:
                out = Array()
                out._tensor = torch.min(t)
                return out
            if (
                -t.ndim <= axis < t.ndim
                if type(axis) is int
                else type(axis) is tuple and plain_axes(axis, t.ndim)
            ):
                out = Array()
                out._tensor = torch.amin(t, axis, keepdims)  # type: ignore[arg-type]
                return out
    t, axes = read("min", x, axis, REAL_NUMERIC)
    check_not_empty("min", t, axes)
    return wrap(kernels.min(t, axes, truth("min", "keepdims", keepdims)))


def prod(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: torch.dtype | None = None,
    keepdims: bool = False,
) -> Array:
    """The product of the elements along the axes.

    Parameters
    ----------
    x : Array
        Numeric dtype, any shape.
    axis : int, tuple of ints or None
        The axis or axes to reduce: all by default, none for an empty tuple.
    dtype : torch.dtype or None
        The dtype to compute in. By default that of ``x``, or int64 and uint64 for narrower
        signed and unsigned integers.
    keepdims : bool
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array
        One where there are no elements.

    Raises
    ------
    TypeError
        For any other dtype, a complex array with a real ``dtype``, anything but an
        ``xp_torch`` array, or an axis that is not an integer.
    AxisError
        For an axis that ``x`` does not have, or one given twice.

    Notes
    -----
    Integers wrap around. Before version 2023.12 the product of a floating-point array had at
    least the default precision.

    Source: the array API standard, ``prod``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.prod(xp.asarray([[1, 2], [3, 4]]), axis=0)
    Array([3, 8], dtype=int64)
    """
    if type(x) is Array and dtype is None and type(keepdims) is bool:
        t = x._tensor
        if t.dtype in _KEPT or (t.dtype is torch.float32 and _flags.api_version >= "2023.12"):
            if axis is None and not keepdims:
                out = Array()
                out._tensor = torch.prod(t)
                return out
            if type(axis) is int and -t.ndim <= axis < t.ndim:
                out = Array()
                out._tensor = torch.prod(t, axis, keepdims)
                return out
    t, axes = read("prod", x, axis, NUMERIC)
    result = result_dtype("prod", t.dtype, dtype)
    return wrap(kernels.prod(t, axes, truth("prod", "keepdims", keepdims), result))


def std(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: int | float = 0.0,
    keepdims: bool = False,
) -> Array:
    """The standard deviation of the elements along the axes.

    Parameters
    ----------
    x : Array
        Real floating-point dtype, any shape.
    axis : int, tuple of ints or None
        The axis or axes to reduce: all by default, none for an empty tuple.
    correction : int or float
        What is subtracted from the number of elements to give the divisor: 0 for the
        standard deviation of a population, 1 for that of a sample.
    keepdims : bool
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array
        The same dtype; NaN unless there are more elements than ``correction``.

    Raises
    ------
    TypeError
        For any other dtype, anything but an ``xp_torch`` array, a correction that is no
        number, or an axis that is not an integer.
    AxisError
        For an axis that ``x`` does not have, or one given twice.

    Notes
    -----
    Source: the array API standard, ``std``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.std(xp.asarray([1.0, 2.0, 3.0]), correction=1)
    Array(1., dtype=float64)
    """
    if type(x) is Array and type(keepdims) is bool and type(correction) in _NUMBERS:
        t = x._tensor
        size = t.numel()
        if t.dtype in REAL_FLOATING.dtypes and size:
            if axis is None and not keepdims and size - correction > 0:
                out = Array()
                out._tensor = torch.std(t, correction=correction)
                return out
            if type(axis) is int and -t.ndim <= axis < t.ndim and t.shape[axis] - correction > 0:
                out = Array()
                out._tensor = torch.std(t, axis, correction=correction, keepdim=keepdims)
                return out
    t, axes = read("std", x, axis, REAL_FLOATING)
    if not isinstance(correction, (int, float)):
        raise TypeError(f"std: correction must be an int or a float, not {type_name(correction)}")
    return wrap(kernels.std(t, axes, truth("std", "keepdims", keepdims), correction))


def sum(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: torch.dtype | None = None,
    keepdims: bool = False,
) -> Array:
    """The sum of the elements along the axes.

    Parameters
    ----------
    x : Array
        Numeric dtype, any shape.
    axis : int, tuple of ints or None
        The axis or axes to reduce: all by default, none for an empty tuple.
    dtype : torch.dtype or None
        The dtype to compute in. By default that of ``x``, or int64 and uint64 for narrower
        signed and unsigned integers.
    keepdims : bool
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array
        Zero where there are no elements.

    Raises
    ------
    TypeError
        For any other dtype, a complex array with a real ``dtype``, anything but an
        ``xp_torch`` array, or an axis that is not an integer.
    AxisError
        For an axis that ``x`` does not have, or one given twice.

    Notes
    -----
    Integers wrap around. Before version 2023.12 the sum of a floating-point array had at
    least the default precision.

    Source: the array API standard, ``sum``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.sum(xp.asarray([[1, 2], [3, 4]]), axis=0)
    Array([4, 6], dtype=int64)
    """
    if type(x) is Array and dtype is None and type(keepdims) is bool:
        t = x._tensor
        if t.dtype in _KEPT or (t.dtype is torch.float32 and _flags.api_version >= "2023.12"):
            if axis is None and not keepdims:
                out = Array()
                out._tensor = torch.sum(t)
                return out
            if (
                -t.ndim <= axis < t.ndim
                if type(axis) is int
                else type(axis) is tuple and plain_axes(axis, t.ndim)
            ):
                out = Array()
                out._tensor = torch.sum(t, axis, keepdims)
                return out
    t, axes = read("sum", x, axis, NUMERIC)
    result = result_dtype("sum", t.dtype, dtype)
    return wrap(kernels.sum(t, axes, truth("sum", "keepdims", keepdims), result))


def var(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: int | float = 0.0,
    keepdims: bool = False,
) -> Array:
    """The variance of the elements along the axes.

    Parameters
    ----------
    x : Array
        Real floating-point dtype, any shape.
    axis : int, tuple of ints or None
        The axis or axes to reduce: all by default, none for an empty tuple.
    correction : int or float
        What is subtracted from the number of elements to give the divisor: 0 for the
        variance of a population, 1 for that of a sample.
    keepdims : bool
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array
        The same dtype; NaN unless there are more elements than ``correction``.

    Raises
    ------
    TypeError
        For any other dtype, anything but an ``xp_torch`` array, a correction that is no
        number, or an axis that is not an integer.
    AxisError
        For an axis that ``x`` does not have, or one given twice.

    Notes
    -----
    Source: the array API standard, ``var``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.var(xp.asarray([1.0, 2.0, 3.0]), correction=1)
    Array(1., dtype=float64)
    """
    if type(x) is Array and type(keepdims) is bool and type(correction) in _NUMBERS:
        t = x._tensor
        size = t.numel()
        if t.dtype in REAL_FLOATING.dtypes and size:
            if axis is None and not keepdims and size - correction > 0:
                out = Array()
                out._tensor = torch.var(t, correction=correction)
                return out
            if type(axis) is int and -t.ndim <= axis < t.ndim and t.shape[axis] - correction > 0:
                out = Array()
                out._tensor = torch.var(t, axis, correction=correction, keepdim=keepdims)
                return out
    t, axes = read("var", x, axis, REAL_FLOATING)
    if not isinstance(correction, (int, float)):
        raise TypeError(f"var: correction must be an int or a float, not {type_name(correction)}")
    return wrap(kernels.var(t, axes, truth("var", "keepdims", keepdims), correction))
