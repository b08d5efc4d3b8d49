"""The chapter *Set functions*."""

from __future__ import annotations

from typing import NamedTuple

import torch

from . import _flags
from ._array import Array
from ._core import box as _box
from ._core.dtypes import INTEGER, NATIVE_INTEGER
from ._core.errors import translate
from ._core.scalars import plain_number, truth
from ._dispatch import arrays_or_scalar, tensor_of, wrap
from ._kernels import sets as kernels

__all__ = ["isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


class UniqueAllResult(NamedTuple):
    """What ``unique_all`` returns."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """What ``unique_counts`` returns."""

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """What ``unique_inverse`` returns."""

    values: Array
    inverse_indices: Array


def isin(x1: Array | int, x2: Array | int, /, *, invert: bool = False) -> Array:
    """Whether each element of ``x1`` is among the elements of ``x2``.

    Parameters
    ----------
    x1, x2 : Array or int
        Integer dtype, any two shapes, promoted to a common dtype; at most one of them is a
        Python int, which takes the array's dtype.
    invert : bool
        Whether to test that it is not in ``x2``.

    Returns
    -------
    Array
        Boolean, of the shape of ``x1``, 0-D for a Python int.

    Raises
    ------
    TypeError
        For any other dtype, dtypes that do not promote to a common one, or an argument of
        another type.
    OverflowError
        For a Python int out of the range of the array's dtype.
    ValueError
        For arrays on two devices.

    Notes
    -----
    Source: the array API standard, ``isin``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.isin(xp.asarray([1, 2, 3]), xp.asarray([3, 1]))
    Array([ True, False,  True], dtype=bool)
    """
    if type(x1) is Array and type(x2) is Array:
        a = x1._tensor
        b = x2._tensor
        d = a.dtype
        if (
            d is b.dtype
            and d in NATIVE_INTEGER
            and not (_box.several_devices and a.device != b.device)
        ):
            try:
                out = Array()
                out._tensor = kernels.isin(a, b, truth("isin", "invert", invert))
                return out
            except RuntimeError:
                pass  # the general twin raises the error
    return _isin_general(x1, x2, invert)


def _isin_general(x1: Array | int, x2: Array | int, invert: bool) -> Array:
    name = "isin"
    a, b = arrays_or_scalar(name, plain_number(x1), plain_number(x2), INTEGER)
    try:
        return wrap(kernels.isin(a, b, truth("isin", "invert", invert)))
    except RuntimeError as error:
        translate(name, error)


def unique_all(x: Array, /) -> UniqueAllResult:
    """The distinct values, their first indices, the inverse indices and the counts.

    Parameters
    ----------
    x : Array
        Any dtype, any shape; it is flattened.

    Returns
    -------
    UniqueAllResult
        A named tuple of ``values``, 1-D, in ascending order, of the dtype of ``x``;
        ``indices``, the first index of each in the flattened ``x``; ``inverse_indices``, of the
        shape of ``x``, the position among the values of each element; ``counts``. The indices and
        counts are int64.

    Raises
    ------
    TypeError
        For anything but an ``xp_torch`` array.
    RuntimeError
        Where the flag ``data_dependent_shapes`` is off.

    Notes
    -----
    Every NaN is distinct; the two zeros are one value. Complex numbers are ordered by real
    and then by imaginary part. The shape of the result depends on the values: the call
    synchronises with the device.

    Source: the array API standard, ``unique_all``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.unique_all(xp.asarray([5, 3, 5])).indices
    Array([1, 0], dtype=int64)
    """
    _flags.require_data_dependent_shapes("unique_all")
    t = tensor_of("unique_all", "x", x)
    try:
        values, indices, inverse, counts = kernels.unique_all(t)
    except RuntimeError as error:  # meta arrays have no values
        translate("unique_all", error)
    return UniqueAllResult(wrap(values), wrap(indices), wrap(inverse), wrap(counts))


def unique_counts(x: Array, /) -> UniqueCountsResult:
    """The distinct values and their counts.

    Parameters
    ----------
    x : Array
        Any dtype, any shape; it is flattened.

    Returns
    -------
    UniqueCountsResult
        A named tuple of ``values``, 1-D, in ascending order, of the dtype of ``x``, and
        ``counts``, int64.

    Raises
    ------
    TypeError
        For anything but an ``xp_torch`` array.
    RuntimeError
        Where the flag ``data_dependent_shapes`` is off.

    Notes
    -----
    Every NaN is distinct; the two zeros are one value. Complex numbers are ordered by real
    and then by imaginary part. The shape of the result depends on the values: the call
    synchronises with the device.

    Source: the array API standard, ``unique_counts``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.unique_counts(xp.asarray([5, 3, 5])).counts
    Array([1, 2], dtype=int64)
    """
    _flags.require_data_dependent_shapes("unique_counts")
    t = tensor_of("unique_counts", "x", x)
    try:
        values, counts = kernels.unique_counts(t)
    except RuntimeError as error:  # meta arrays have no values
        translate("unique_counts", error)
    return UniqueCountsResult(wrap(values), wrap(counts))


def unique_inverse(x: Array, /) -> UniqueInverseResult:
    """The distinct values and the inverse indices.

    Parameters
    ----------
    x : Array
        Any dtype, any shape; it is flattened.

    Returns
    -------
    UniqueInverseResult
        A named tuple of ``values``, 1-D, in ascending order, of the dtype of ``x``, and
        ``inverse_indices``, int64, of the shape of ``x``.

    Raises
    ------
    TypeError
        For anything but an ``xp_torch`` array.
    RuntimeError
        Where the flag ``data_dependent_shapes`` is off.

    Notes
    -----
    Every NaN is distinct; the two zeros are one value. Complex numbers are ordered by real
    and then by imaginary part. The shape of the result depends on the values: the call
    synchronises with the device.

    Source: the array API standard, ``unique_inverse``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.unique_inverse(xp.asarray([5, 3, 5])).inverse_indices
    Array([1, 0, 1], dtype=int64)
    """
    _flags.require_data_dependent_shapes("unique_inverse")
    t = tensor_of("unique_inverse", "x", x)
    try:
        values, inverse = kernels.unique_inverse(t)
    except RuntimeError as error:  # meta arrays have no values
        translate("unique_inverse", error)
    return UniqueInverseResult(wrap(values), wrap(inverse))


def unique_values(x: Array, /) -> Array:
    """The distinct values.

    Parameters
    ----------
    x : Array
        Any dtype, any shape; it is flattened.

    Returns
    -------
    Array
        1-D, in ascending order, of the dtype of ``x``.

    Raises
    ------
    TypeError
        For anything but an ``xp_torch`` array.
    RuntimeError
        Where the flag ``data_dependent_shapes`` is off.

    Notes
    -----
    Every NaN is distinct; the two zeros are one value. Complex numbers are ordered by real
    and then by imaginary part. The shape of the result depends on the values: the call
    synchronises with the device.

    Source: the array API standard, ``unique_values``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.unique_values(xp.asarray([5, 3, 5]))
    Array([3, 5], dtype=int64)
    """
    if type(x) is Array and _flags.data_dependent_shapes:
        t = x._tensor
        if t.dtype in kernels.NATIVE and not t.requires_grad:
            try:
                out = Array()
                out._tensor = torch.unique(t)
                return out
            except RuntimeError as error:  # meta arrays have no values
                translate("unique_values", error)
    _flags.require_data_dependent_shapes("unique_values")
    t = tensor_of("unique_values", "x", x)
    try:
        return wrap(kernels.unique_values(t))
    except RuntimeError as error:
        translate("unique_values", error)
