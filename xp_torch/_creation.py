"""The chapter *Creation functions*: arrays of a shape, filled with one value.

``_creation_like.py`` has the functions that take another array's shape, ``_spaced.py`` and
``_grids.py`` the spaced and triangular ones, ``_conversion.py`` ``asarray`` and ``from_dlpack``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import torch
from torch import Tensor

from . import _flags
from ._array import Array, Scalar
from ._core import defaults
from ._core.axes import normalize_shape
from ._core.box import box, note_device
from ._core.devices import normalize_device
from ._core.dtypes import BOUNDS
from ._core.errors import shown, translate
from ._core.scalars import python_scalar, to_kind
from ._data_types import DTYPES, Device, check_dtype
from ._kernels import creation as kernels

__all__ = ["empty", "full", "ones", "zeros"]

Shape: TypeAlias = "int | tuple[int, ...]"

INT64_MAX = BOUNDS[torch.int64][1]
_PLAIN_SHAPES = frozenset({int, tuple})
_REAL = frozenset(dtype for dtype in DTYPES if not dtype.is_complex)
_REAL_KINDS = frozenset({float, int, bool})


def empty(shape: Shape, *, dtype: torch.dtype | None = None, device: Device | None = None) -> Array:
    """An array with uninitialised values.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    dtype : torch.dtype, optional
        The dtype; by default the default real floating-point dtype.
    device : torch.device or str, optional
        The device of the array; by default torch's default device.

    Returns
    -------
    Array
        Of that shape and dtype, with any values.

    Raises
    ------
    TypeError
        For a shape that is not made of integers.
    ValueError
        For a negative size, a dtype that is not one of the namespace's, or a device that
        this machine does not have.

    Notes
    -----
    Source: the array API standard, ``empty``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.empty((2, 0), dtype=xp.int8)
    Array([], shape=(2, 0), dtype=int8)
    """
    return _make("empty", torch.empty, shape, dtype, device)


def zeros(shape: Shape, *, dtype: torch.dtype | None = None, device: Device | None = None) -> Array:
    """An array of zeros.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    dtype : torch.dtype, optional
        The dtype; by default the default real floating-point dtype.
    device : torch.device or str, optional
        The device of the array; by default torch's default device.

    Returns
    -------
    Array
        Zeros (``False`` for bool) of that shape and dtype.

    Raises
    ------
    TypeError
        For a shape that is not made of integers.
    ValueError
        For a negative size, a dtype that is not one of the namespace's, or a device that
        this machine does not have.

    Notes
    -----
    Source: the array API standard, ``zeros``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.zeros((2, 2))
    Array([[0., 0.],
           [0., 0.]], dtype=float64)
    """
    return _make("zeros", torch.zeros, shape, dtype, device)


def ones(shape: Shape, *, dtype: torch.dtype | None = None, device: Device | None = None) -> Array:
    """An array of ones.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    dtype : torch.dtype, optional
        The dtype; by default the default real floating-point dtype.
    device : torch.device or str, optional
        The device of the array; by default torch's default device.

    Returns
    -------
    Array
        Ones (``True`` for bool, ``1+0j`` for complex) of that shape and dtype.

    Raises
    ------
    TypeError
        For a shape that is not made of integers.
    ValueError
        For a negative size, a dtype that is not one of the namespace's, or a device that
        this machine does not have.

    Notes
    -----
    Source: the array API standard, ``ones``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.ones(3, dtype=xp.int64)
    Array([1, 1, 1], dtype=int64)
    """
    return _make("ones", torch.ones, shape, dtype, device)


def _make(
    name: str,
    function: Callable[..., Tensor],
    shape: Shape,
    dtype: torch.dtype | None,
    device: Device | None,
) -> Array:
    """``empty``, ``zeros`` and ``ones``: one torch call where shape and dtype are plain."""
    if device is None and type(shape) in _PLAIN_SHAPES:
        plain = defaults.float_dtype() if dtype is None else dtype
        if type(plain) is torch.dtype and plain in _REAL:
            try:
                t = function(shape, dtype=plain)
            except (RuntimeError, TypeError):
                pass  # the rest raises the error, or takes float32 where the device lacks float64
            else:
                if t.get_device() >= 0:
                    note_device()
                out = Array()
                out._tensor = t
                return out
    sizes = _sizes(name, shape)
    made = options(name, dtype, device)
    try:
        return box(Array, function(sizes, **made))
    except RuntimeError as error:
        translate(name, error)


def _sizes(name: str, shape: object) -> tuple[int, ...]:
    """Convert a shape for torch. Raise ``ValueError`` if it exceeds any memory."""
    if isinstance(shape, bool):
        raise TypeError(f"{name}: shape must be an integer or a tuple of integers, not bool")
    sizes = normalize_shape(name, shape)
    if any(size > INT64_MAX for size in sizes):
        raise ValueError(f"{name}: shape {shown(sizes)} is too large")
    return sizes


def options(name: str, dtype: torch.dtype | None, device: Device | None) -> dict[str, Any]:
    """``dtype=`` and ``device=`` for torch, checked, with the default dtype filled in."""
    made = None if dtype is None else checked_dtype(name, dtype)
    place = None if device is None else normalize_device(name, device)
    return {"dtype": made or defaults.float_dtype_on(place), "device": place}


def checked_dtype(name: str, dtype: object) -> torch.dtype:
    # ValueError, as in array-api-strict: the standard does not say the argument's type.
    return check_dtype(name, dtype, error=ValueError)


def full(
    shape: Shape,
    fill_value: Scalar,
    *,
    dtype: torch.dtype | None = None,
    device: Device | None = None,
) -> Array:
    """An array filled with one value.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    fill_value : bool, int, float or complex
        The value, converted to the dtype as Python converts it: toward zero to an integer.
    dtype : torch.dtype, optional
        The dtype; by default bool, or the default dtype of the value's kind.
    device : torch.device or str, optional
        The device of the array; by default torch's default device.

    Returns
    -------
    Array
        The value, in that shape and dtype.

    Raises
    ------
    TypeError
        For a value that is not a Python scalar, a complex value in a real dtype, or a shape
        that is not made of integers.
    OverflowError
        For a value out of the range of an integer dtype, or an int out of that of a
        floating-point dtype.
    ValueError
        For the integer of a NaN, a negative size, a dtype that is not one of the
        namespace's, or a device that this machine does not have.

    Notes
    -----
    Source: the array API standard, ``full``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.full(3, 7)
    Array([7, 7, 7], dtype=int64)
    """
    if device is None and type(shape) in _PLAIN_SHAPES:
        kind = type(fill_value)
        made = dtype
        if dtype is None and kind in _REAL_KINDS:
            is_float = kind is float
            made = defaults.float_dtype() if is_float else default_dtype("full", kind, None)
        if type(made) is torch.dtype and made in kernels.FILLS:
            limits = kernels.FILLS[made].get(kind)
            if limits is not None and limits[0] <= fill_value <= limits[1]:  # type: ignore[operator]
                sizes = shape if type(shape) is tuple else (shape,)
                try:
                    t = torch.full(sizes, fill_value, dtype=made)  # type: ignore[arg-type]
                except (RuntimeError, TypeError):
                    pass  # the rest raises the error, or takes float32 on a device without float64
                else:
                    if t.get_device() >= 0:
                        note_device()
                    out = Array()
                    out._tensor = t
                    return out
    return _full_general(shape, fill_value, dtype, device)


def _full_general(shape: Any, fill_value: Any, dtype: Any, device: Any) -> Array:
    sizes = shape if type(shape) is tuple else _sizes("full", shape)
    value = python_scalar("full", "fill_value", fill_value)
    if dtype is not None:
        checked_dtype("full", dtype)
    on_device = None if device is None else normalize_device("full", device)
    if dtype is None:
        dtype = default_dtype("full", type(value), on_device)
    try:
        value = to_kind("full", "fill_value", value, dtype)
    except (TypeError, ValueError, OverflowError):
        _sizes("full", shape)  # the shape's error comes first
        raise
    return filled("full", sizes, value, dtype, on_device)


def filled(
    name: str, shape: tuple[int, ...], value: Any, dtype: torch.dtype, device: torch.device | None
) -> Array:
    """An array of one converted value. The shape is checked only if torch fails."""
    try:
        return box(Array, kernels.full(shape, value, dtype, device))
    except TypeError:
        return box(Array, kernels.full(_sizes(name, shape), value, dtype, device))
    except RuntimeError as error:
        _sizes(name, shape)
        translate(name, error)


def default_dtype(name: str, kind: type, device: torch.device | None) -> torch.dtype:
    """The default dtype of a kind of Python scalar on a device."""
    if kind is float:
        return defaults.float_dtype_on(device)
    if kind is int:
        return defaults.INT
    if kind is bool:
        return torch.bool
    if _flags.api_version < "2022.12":
        raise TypeError(
            f"{name}: complex numbers came with version 2022.12 of the standard, and "
            f"{_flags.api_version} is in force"
        )
    return defaults.complex_dtype_on(device)
