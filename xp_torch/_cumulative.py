"""The cumulative functions of the chapter *Statistical functions*."""

from __future__ import annotations

import torch
from torch import Tensor

from ._array import Array
from ._core.axes import normalize_axis
from ._core.dtypes import NUMERIC
from ._core.errors import translate
from ._core.scalars import truth
from ._dispatch import check_category, tensor_of, wrap
from ._kernels import reductions as kernels
from ._reduce import result_dtype

__all__ = ["cumulative_prod", "cumulative_sum"]

# The dtypes that sums and products keep, in the standard and in torch.
_KEPT = frozenset({torch.int64, torch.float32, torch.float64, torch.complex64, torch.complex128})


def cumulative_prod(
    x: Array,
    /,
    *,
    axis: int | None = None,
    dtype: torch.dtype | None = None,
    include_initial: bool = False,
) -> Array:
    """The product of the elements up to each one along an axis.

    Parameters
    ----------
    x : Array
        Numeric dtype, at least one dimension.
    axis : int or None
        The axis; it may be left out for a 1-D array only.
    dtype : torch.dtype or None
        The dtype to compute in. By default that of ``x``, or int64 and uint64 for narrower
        signed and unsigned integers.
    include_initial : bool
        Whether the result starts with a one, and is one element longer.

    Returns
    -------
    Array
        The shape of ``x``, but for the initial one.

    Raises
    ------
    TypeError
        For any other dtype, a complex array with a real ``dtype``, anything but an
        ``xp_torch`` array, or an axis that is not an integer.
    AxisError
        For an axis that ``x`` does not have.
    ValueError
        For a 0-D array, or no axis and more than one dimension.

    Notes
    -----
    Integers wrap around.

    Source: the array API standard, ``cumulative_prod``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.cumulative_prod(xp.asarray([1, 2, 3]), include_initial=True)
    Array([1, 1, 2, 6], dtype=int64)
    """
    if type(x) is Array and dtype is None and include_initial is False:
        t = x._tensor
        if t.dtype in _KEPT:
            if axis is None and t.ndim == 1:
                out = Array()
                out._tensor = torch.cumprod(t, 0)
                return out
            if type(axis) is int and -t.ndim <= axis < t.ndim:
                out = Array()
                out._tensor = torch.cumprod(t, axis)
                return out
    t, dim = _accumulated("cumulative_prod", x, axis)
    result = result_dtype("cumulative_prod", t.dtype, dtype)
    first = truth("cumulative_prod", "include_initial", include_initial)
    try:
        return wrap(kernels.cumulative_prod(t, dim, result, first))
    except RuntimeError as error:
        translate("cumulative_prod", error)


def cumulative_sum(
    x: Array,
    /,
    *,
    axis: int | None = None,
    dtype: torch.dtype | None = None,
    include_initial: bool = False,
) -> Array:
    """The sum of the elements up to each one along an axis.

    Parameters
    ----------
    x : Array
        Numeric dtype, at least one dimension.
    axis : int or None
        The axis; it may be left out for a 1-D array only.
    dtype : torch.dtype or None
        The dtype to compute in. By default that of ``x``, or int64 and uint64 for narrower
        signed and unsigned integers.
    include_initial : bool
        Whether the result starts with a zero, and is one element longer.

    Returns
    -------
    Array
        The shape of ``x``, but for the initial zero.

    Raises
    ------
    TypeError
        For any other dtype, a complex array with a real ``dtype``, anything but an
        ``xp_torch`` array, or an axis that is not an integer.
    AxisError
        For an axis that ``x`` does not have.
    ValueError
        For a 0-D array, or no axis and more than one dimension.

    Notes
    -----
    Integers wrap around.

    Source: the array API standard, ``cumulative_sum``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.cumulative_sum(xp.asarray([1, 2, 3]), include_initial=True)
    Array([0, 1, 3, 6], dtype=int64)
    """
    if type(x) is Array and dtype is None and include_initial is False:
        t = x._tensor
        if t.dtype in _KEPT:
            if axis is None and t.ndim == 1:
                out = Array()
                out._tensor = torch.cumsum(t, 0)
                return out
            if type(axis) is int and -t.ndim <= axis < t.ndim:
                out = Array()
                out._tensor = torch.cumsum(t, axis)
                return out
    t, dim = _accumulated("cumulative_sum", x, axis)
    result = result_dtype("cumulative_sum", t.dtype, dtype)
    first = truth("cumulative_sum", "include_initial", include_initial)
    try:
        return wrap(kernels.cumulative_sum(t, dim, result, first))
    except RuntimeError as error:
        translate("cumulative_sum", error)


def _accumulated(name: str, x: Array, axis: int | None) -> tuple[Tensor, int]:
    """The tensor and the axis of a cumulative function."""
    t = tensor_of(name, "x", x)
    check_category(name, "x", t.dtype, NUMERIC)
    if t.ndim == 0:
        raise ValueError(f"{name}: x must have at least one dimension, not 0")
    if axis is not None:
        return t, normalize_axis(name, axis, t.ndim)
    if t.ndim > 1:
        raise ValueError(f"{name}: axis must be given for an array of {t.ndim} dimensions")
    return t, 0
