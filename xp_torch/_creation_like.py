"""The chapter *Creation functions*: arrays of the shape of another, filled with one value."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from ._array import Array, Scalar
from ._core.box import box
from ._core.devices import normalize_device
from ._core.docs import documented_like
from ._core.scalars import python_scalar, to_kind
from ._creation import checked_dtype, filled
from ._data_types import Device
from ._dispatch import tensor_of
from ._kernels import creation as kernels

__all__ = ["empty_like", "full_like", "ones_like", "zeros_like"]


def empty_like(
    x: Array, /, *, dtype: torch.dtype | None = None, device: Device | None = None
) -> Array:
    """An array of the shape of another, with uninitialised values.

    Parameters
    ----------
    x : Array
        The array whose shape is taken, and dtype and device unless they are given.
    dtype : torch.dtype, optional
        The dtype; by default that of ``x``.
    device : torch.device or str, optional
        The device of the array; by default where ``x`` is.

    Returns
    -------
    Array
        Of that shape and dtype, with any values.

    Raises
    ------
    TypeError
        For anything but an array.
    ValueError
        For a dtype that is not one of the namespace's, or a device that this machine does
        not have.

    Notes
    -----
    Source: the array API standard, ``empty_like``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.empty_like(xp.zeros((3, 4))).shape
    (3, 4)
    """
    return _make_like("empty_like", torch.empty_like, x, dtype, device)


@documented_like(
    empty_like,
    "An array of zeros of the shape of another.",
    """
    >>> import xp_torch as xp
    >>> xp.zeros_like(xp.asarray([1, 2]))
    Array([0, 0], dtype=int64)
    """,
    {"Of that shape and dtype, with any values.": "Zeros of that shape and dtype."},
)
def zeros_like(
    x: Array, /, *, dtype: torch.dtype | None = None, device: Device | None = None
) -> Array:
    return _make_like("zeros_like", torch.zeros_like, x, dtype, device)


@documented_like(
    empty_like,
    "An array of ones of the shape of another.",
    """
    >>> import xp_torch as xp
    >>> xp.ones_like(xp.asarray([False, True]))
    Array([ True,  True], dtype=bool)
    """,
    {"Of that shape and dtype, with any values.": "Ones of that shape and dtype."},
)
def ones_like(
    x: Array, /, *, dtype: torch.dtype | None = None, device: Device | None = None
) -> Array:
    return _make_like("ones_like", torch.ones_like, x, dtype, device)


def _make_like(
    name: str,
    function: Callable[..., Tensor],
    x: Array,
    dtype: torch.dtype | None,
    device: Device | None,
) -> Array:
    """``empty_like`` and similar: torch's function keeps dtype and device by itself."""
    if type(x) is Array and dtype is None and device is None:
        out = Array()
        out._tensor = function(x._tensor)
        return out
    t = tensor_of(name, "x", x)
    dtype = t.dtype if dtype is None else checked_dtype(name, dtype)
    on_device = t.device if device is None else normalize_device(name, device)
    return box(Array, function(t, dtype=dtype, device=on_device))


def full_like(
    x: Array,
    /,
    fill_value: Scalar,
    *,
    dtype: torch.dtype | None = None,
    device: Device | None = None,
) -> Array:
    """An array of the shape of another, filled with one value.

    Parameters
    ----------
    x : Array
        The array whose shape is taken, and dtype and device unless they are given.
    fill_value : bool, int, float or complex
        The value, converted to the dtype as Python converts it: toward zero to an integer.
    dtype : torch.dtype, optional
        The dtype; by default that of ``x``.
    device : torch.device or str, optional
        The device of the array; by default where ``x`` is.

    Returns
    -------
    Array
        The value, in that shape and dtype.

    Raises
    ------
    TypeError
        For anything but an array, a value that is not a Python scalar, or a complex value in a
        real dtype.
    OverflowError
        For a value out of the range of an integer dtype, or an int out of that of a
        floating-point dtype.
    ValueError
        For the integer of a NaN, a dtype that is not one of the namespace's, or a device
        that this machine does not have.

    Notes
    -----
    Source: the array API standard, ``full_like``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.full_like(xp.asarray([1.0, 2.0]), 5)
    Array([5., 5.], dtype=float64)
    """
    if type(x) is Array and dtype is None and device is None:
        t = x._tensor
        limits = kernels.FILLS[t.dtype].get(type(fill_value)) if t.dtype in kernels.FILLS else None
        if limits is not None and limits[0] <= fill_value <= limits[1]:  # type: ignore[operator]
            out = Array()
            out._tensor = torch.full_like(t, fill_value)
            return out
    return _full_like_general(x, fill_value, dtype, device)


def _full_like_general(x: object, fill_value: object, dtype: object, device: object) -> Array:
    t = tensor_of("full_like", "x", x)
    dtype = t.dtype if dtype is None else checked_dtype("full_like", dtype)
    on_device = t.device if device is None else normalize_device("full_like", device)
    value = python_scalar("full_like", "fill_value", fill_value)
    value = to_kind("full_like", "fill_value", value, dtype)
    return filled("full_like", tuple(t.shape), value, dtype, on_device)
