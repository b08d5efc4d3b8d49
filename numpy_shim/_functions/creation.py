"""New arrays filled with zeros, ones or one value, or left uninitialized."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from xp_torch._core.devices import normalize_device
from xp_torch._core.errors import translate

from .._array.layout import in_columns, order_of, reversed_axes
from .._array.ndarray import AnyArray, array_of, ndarray
from .._base import defaults
from .._base.axes import normalize_shape, without_leading_ones
from .._base.dtypes import NOTHING, torch_dtype
from .._base.promotion import PYTHON_NUMBERS, beside_number, default_dtype
from .._base.typing import ArrayLike, Device, DTypeLike, Order, OrderCF, ShapeLike
from .._convert.arguments import as_tensor
from .._convert.from_data import check_like
from .._kernels.casting import cast
from .._kernels.numbers import full_scalar

__all__ = ["empty", "full", "ones", "zeros"]

Filler = Callable[..., Tensor]


def checked_device(name: str, device: object) -> Any:
    """Check ``device``; ``None`` (torch's default device) stays ``None``."""
    return None if device is None else normalize_device(name, device)


def _filled(
    name: str, fill: Filler, shape: Any, dtype: Any, order: Order, device: Any, like: Any
) -> ndarray:
    """An array filled by one of torch's factory functions."""
    check_like(name, like)
    sizes = normalize_shape(name, plain_shape(shape))
    letter = order_of(name, order, "C", "CF")
    kind = torch_dtype(name, dtype)
    target = checked_device(name, device)
    try:
        if letter == "F":
            return array_of(reversed_axes(fill(sizes[::-1], dtype=kind, device=target)))
        return array_of(fill(sizes, dtype=kind, device=target))
    except RuntimeError as error:  # the size is too large
        translate(name, error)


def plain_shape(shape: object) -> Any:
    return shape.tolist() if isinstance(shape, (AnyArray, Tensor)) else shape


def zeros(
    shape: ShapeLike,
    dtype: DTypeLike = None,
    order: OrderCF = "C",
    *,
    device: Device = None,
    like: ArrayLike | None = None,
) -> ndarray:
    """An array of zeros.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    dtype : dtype, optional
        By default the default float, float64 unless that is changed.
    order : {'C', 'F'}
        Row by row in memory, or column by column.
    device : torch.device or str, optional
        Where the array lives; by default torch's default device.
    like : ndarray, optional
        One of our arrays, or ``None``: the result is one of ours either way.

    Returns
    -------
    ndarray
        An array of shape ``shape``.

    Raises
    ------
    ValueError
        For a negative or too large size, another ``order``, or an unknown device.
    TypeError
        For a size that is not an integer, an unknown dtype, or a ``like`` of another library.
    MemoryError
        For more memory than there is.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.zeros((2, 3))
    array([[0., 0., 0.],
           [0., 0., 0.]])
    """
    if order == "C" and device is None and like is None and type(shape) in _PLAIN_SHAPES:
        try:
            kind = torch_dtype("zeros", dtype)
            return array_of(torch.zeros(shape, dtype=kind), None if shape == () else kind)  # type: ignore[arg-type]
        except (RuntimeError, TypeError, AttributeError):
            pass  # sizes may be arrays of ours; for wrong ones the general path raises
    return _general_zeros(shape, dtype, order, device, like)


_general_zeros = partial(_filled, "zeros", torch.zeros)


_PLAIN_SHAPES = frozenset({int, tuple})


def ones(
    shape: ShapeLike,
    dtype: DTypeLike = None,
    order: OrderCF = "C",
    *,
    device: Device = None,
    like: ArrayLike | None = None,
) -> ndarray:
    """An array of ones.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    dtype, order, device, like : optional
        As in ``zeros``.

    Returns
    -------
    ndarray
        An array of shape ``shape``, float64 by default.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.ones(3, dtype=int)
    array([1, 1, 1])
    """
    if order == "C" and device is None and like is None and type(shape) in _PLAIN_SHAPES:
        try:
            kind = torch_dtype("ones", dtype)
            return array_of(torch.ones(shape, dtype=kind), None if shape == () else kind)  # type: ignore[arg-type]
        except (RuntimeError, TypeError, AttributeError):
            pass  # sizes may be arrays of ours; for wrong ones the general path raises
    return _general_ones(shape, dtype, order, device, like)


_general_ones = partial(_filled, "ones", torch.ones)


def empty(
    shape: ShapeLike,
    dtype: DTypeLike = None,
    order: OrderCF = "C",
    *,
    device: Device = None,
    like: ArrayLike | None = None,
) -> ndarray:
    """An array of whatever the memory holds.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    dtype, order, device, like : optional
        As in ``zeros``.

    Returns
    -------
    ndarray
        An array of shape ``shape``, float64 by default.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.empty((2, 3)).shape
    (2, 3)
    """
    if order == "C" and device is None and like is None and type(shape) in _PLAIN_SHAPES:
        try:
            kind = torch_dtype("empty", dtype)
            return array_of(torch.empty(shape, dtype=kind), None if shape == () else kind)  # type: ignore[arg-type]
        except (RuntimeError, TypeError, AttributeError):
            pass  # sizes may be arrays of ours; for wrong ones the general path raises
    return _general_empty(shape, dtype, order, device, like)


_general_empty = partial(_filled, "empty", torch.empty)


def full(
    shape: ShapeLike,
    fill_value: ArrayLike,
    dtype: DTypeLike = None,
    order: OrderCF = "C",
    *,
    device: Device = None,
    like: ArrayLike | None = None,
) -> ndarray:
    """An array filled with one value, or with an array that broadcasts to it.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    fill_value : array_like
        The value or values to fill with.
    dtype : dtype, optional
        By default that of ``fill_value``.
    order, device, like : optional
        As in ``zeros``; an array to fill with stays on its device.

    Returns
    -------
    ndarray
        An array of shape ``shape``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.full((2, 2), [1, 2])
    array([[1, 2],
           [1, 2]])
    """
    if (
        type(fill_value) is float
        and dtype is None
        and order == "C"
        and device is None
        and like is None
        and type(shape) in _PLAIN_SHAPES
        and defaults.float_dtype() is torch.float64
    ):
        sizes = shape if type(shape) is tuple else (shape,)
        try:
            return array_of(torch.full(sizes, fill_value, dtype=torch.float64))
        except (RuntimeError, TypeError, AttributeError):
            pass  # sizes may be arrays of ours; for wrong ones the general path raises
    return _general_full(shape, fill_value, dtype, order, device, like)


def _general_full(
    shape: ShapeLike,
    fill_value: ArrayLike,
    dtype: DTypeLike,
    order: OrderCF,
    device: Device,
    like: ArrayLike | None,
) -> ndarray:
    check_like("full", like)
    sizes = normalize_shape("full", plain_shape(shape))
    letter = order_of("full", order, "C", "CF")
    target = checked_device("full", device)
    kind = None if dtype is None else torch_dtype("full", dtype)
    try:
        filled = full_of("full", sizes, fill_value, kind, target)
    except RuntimeError as error:  # the size is too large
        translate("full", error)
    return array_of(in_columns(filled) if letter == "F" else filled)


def full_of(
    name: str, shape: tuple[int, ...], value: Any, dtype: torch.dtype | None, device: Any
) -> Tensor:
    """A tensor filled with one value, with the casting rules of an assignment."""
    if value is None and dtype is not None:
        value = NOTHING.get(dtype)
    if type(value) in PYTHON_NUMBERS:
        if dtype is None:
            dtype = default_dtype(name, value)
        kind = dtype if type(value) is bool else beside_number(dtype, type(value))
        if kind is dtype:
            return full_scalar(name, "fill_value", value, dtype, device, shape)
        source = full_scalar(name, "fill_value", value, kind, device)
    else:
        source = as_tensor(name, value, "fill_value", device)
    if device is not None and source.device != device:
        source = source.to(device)
    if dtype is not None:
        source = cast(source, dtype)
    fitted = without_leading_ones(source, len(shape))
    try:
        return fitted.expand(shape).clone(memory_format=torch.contiguous_format)
    except RuntimeError:
        raise ValueError(
            f"{name}: could not broadcast input array from shape {tuple(source.shape)} into "
            f"shape {shape}"
        ) from None
