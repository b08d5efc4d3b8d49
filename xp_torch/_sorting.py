"""The chapter *Sorting functions*."""

from __future__ import annotations

import torch

from ._array import Array
from ._core.axes import normalize_axis
from ._core.dtypes import REAL_NUMERIC, WIDE_UNSIGNED
from ._core.errors import translate
from ._core.scalars import truth
from ._dispatch import check_category, tensor_of, wrap
from ._kernels import sorting as kernels

__all__ = ["argsort", "sort"]

_NATIVE = REAL_NUMERIC.dtypes - WIDE_UNSIGNED


def argsort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """The indices that sort an array along an axis.

    Parameters
    ----------
    x : Array
        Real numeric dtype, at least one dimension.
    axis : int
        The axis to sort along, the last by default.
    descending : bool
        Whether the largest comes first.
    stable : bool
        Whether elements that compare equal keep their order, also in descending order.

    Returns
    -------
    Array
        int64 indices along the axis, of the shape of ``x``.

    Raises
    ------
    TypeError
        For any other dtype, anything but an ``xp_torch`` array, or an axis that is not an integer.
    AxisError
        For an axis that ``x`` does not have.

    Notes
    -----
    NaN counts as greater than any number: it is last, or first in descending order. The two
    zeros are equal.

    Source: the array API standard, ``argsort``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.argsort(xp.asarray([5, 9, 5, 9]), descending=True)
    Array([1, 3, 0, 2], dtype=int64)
    """
    if type(x) is Array and type(axis) is int and descending is False and stable is True:
        t = x._tensor
        if t.dtype in _NATIVE and -t.ndim <= axis < t.ndim:
            out = Array()
            out._tensor = torch.argsort(t, dim=axis, stable=True)
            return out
    t = tensor_of("argsort", "x", x)
    check_category("argsort", "x", t.dtype, REAL_NUMERIC)
    dim = normalize_axis("argsort", axis, t.ndim)
    down, keeps = truth("argsort", "descending", descending), truth("argsort", "stable", stable)
    try:
        return wrap(kernels.argsort(t, dim, down, keeps))
    except RuntimeError as error:
        translate("argsort", error)


def sort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """A sorted copy of an array along an axis.

    Parameters
    ----------
    x : Array
        Real numeric dtype, at least one dimension.
    axis : int
        The axis to sort along, the last by default.
    descending : bool
        Whether the largest comes first.
    stable : bool
        Whether elements that compare equal keep their order, also in descending order.

    Returns
    -------
    Array
        The same dtype and shape.

    Raises
    ------
    TypeError
        For any other dtype, anything but an ``xp_torch`` array, or an axis that is not an integer.
    AxisError
        For an axis that ``x`` does not have.

    Notes
    -----
    NaN counts as greater than any number: it is last, or first in descending order. The two
    zeros are equal.

    Source: the array API standard, ``sort``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.sort(xp.asarray([5, 9, 1]), descending=True)
    Array([9, 5, 1], dtype=int64)
    """
    if type(x) is Array and type(axis) is int and descending is False and stable is True:
        t = x._tensor
        if t.dtype in _NATIVE and -t.ndim <= axis < t.ndim:
            out = Array()
            out._tensor = torch.sort(t, dim=axis, stable=True)[0]
            return out
    t = tensor_of("sort", "x", x)
    check_category("sort", "x", t.dtype, REAL_NUMERIC)
    dim = normalize_axis("sort", axis, t.ndim)
    down, keeps = truth("sort", "descending", descending), truth("sort", "stable", stable)
    try:
        return wrap(kernels.sort(t, dim, down, keeps))
    except RuntimeError as error:
        translate("sort", error)
