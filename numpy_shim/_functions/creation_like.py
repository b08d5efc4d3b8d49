"""New arrays with the shape and dtype of another, or with its values in another dtype."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy
import torch

from xp_torch._core.devices import normalize_device
from xp_torch._core.errors import translate

from .._array.layout import axes_like, in_axes, is_fortran, order_of
from .._array.ndarray import AnyArray, array_of, ndarray, new, wrap
from .._base.axes import normalize_shape
from .._base.dtypes import HostDtypeError, torch_dtype
from .._base.scalar_types import STORED
from .._base.typing import ArrayLike, Device, DTypeLike, Order, ShapeLike
from .._convert.arguments import as_array, as_tensor
from .._convert.foreign import refuse_swapped
from .._host.numpy_calls import is_host
from .._kernels.casting import cast
from .creation import Filler, full_of, plain_shape

__all__ = ["astype", "empty_like", "full_like", "ones_like", "zeros_like"]


def _template(
    name: str, a: Any, dtype: object, order: Order, shape: object, device: object
) -> tuple[tuple[int, ...], torch.dtype, Any, tuple[int, ...] | None]:
    """Shape, dtype, device and axis order of the result of a ``*_like`` function.

    The axis order starts with the outermost axis; ``None`` is row by row.
    """
    if dtype is None and isinstance(a, numpy.ndarray) and not a.dtype.isnative:
        refuse_swapped(name, "a", a.dtype)
    model = as_tensor(name, a, "a")
    kind = model.dtype if dtype is None else torch_dtype(name, dtype)
    target = model.device if device is None else normalize_device(name, device)
    sizes = tuple(model.shape) if shape is None else normalize_shape(name, plain_shape(shape))
    letter = order_of(name, order, "K")
    ndim = len(sizes)
    if letter == "F" or (letter == "A" and is_fortran(model)):
        return sizes, kind, target, tuple(range(ndim))[::-1]
    if letter == "K" and ndim == model.dim() and not model.is_contiguous():
        return sizes, kind, target, axes_like(model)
    return sizes, kind, target, None


def _like(
    name: str,
    fill: Filler,
    a: object,
    dtype: object,
    order: Order,
    subok: object,
    shape: object,
    device: object,
) -> ndarray:
    sizes, kind, target, axes = _template(name, a, dtype, order, shape, device)
    shape = sizes if axes is None else tuple([sizes[i] for i in axes])
    try:
        made = fill(shape, dtype=kind, device=target)
    except RuntimeError as error:  # the size is too large
        translate(name, error)
    if axes is None:
        return array_of(made)
    return array_of(made.permute(tuple([axes.index(i) for i in range(len(axes))])))


def zeros_like(
    a: ArrayLike,
    dtype: DTypeLike = None,
    order: Order = "K",
    subok: bool = True,
    shape: ShapeLike | None = None,
    *,
    device: Device = None,
) -> ndarray:
    """Zeros in the shape of another array.

    Parameters
    ----------
    a : array_like
        The model: the result has its shape, dtype, layout and device unless they are given.
    dtype, shape, device : optional
        Override what is taken from ``a``.
    order : {'K', 'C', 'F', 'A'}
        The layout in memory; 'K' is that of ``a``.
    subok : bool
        Accepted; there are no subclasses.

    Returns
    -------
    ndarray
        Zeros in the shape and dtype of ``a`` unless they are given.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.zeros_like([1, 2])
    array([0, 0])
    """
    if order == "K" and dtype is None and shape is None and device is None and type(a) is ndarray:
        out = new(ndarray)
        out._tensor = torch.zeros_like(a._tensor)
        out._flat_dtype = a._flat_dtype
        return out
    return _general_zeros_like(a, dtype, order, subok, shape, device)


_general_zeros_like = partial(_like, "zeros_like", torch.zeros)


def ones_like(
    a: ArrayLike,
    dtype: DTypeLike = None,
    order: Order = "K",
    subok: bool = True,
    shape: ShapeLike | None = None,
    *,
    device: Device = None,
) -> ndarray:
    """Ones in the shape of another array.

    Parameters
    ----------
    a : array_like
        The model, as in ``zeros_like``.
    dtype, order, subok, shape, device : optional
        As in ``zeros_like``.

    Returns
    -------
    ndarray
        Ones in the shape and dtype of ``a`` unless they are given.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.ones_like([1, 2], dtype=float)
    array([1., 1.])
    """
    if order == "K" and dtype is None and shape is None and device is None and type(a) is ndarray:
        out = new(ndarray)
        out._tensor = torch.ones_like(a._tensor)
        out._flat_dtype = a._flat_dtype
        return out
    return _general_ones_like(a, dtype, order, subok, shape, device)


_general_ones_like = partial(_like, "ones_like", torch.ones)


def empty_like(
    prototype: ArrayLike,
    /,
    dtype: DTypeLike = None,
    order: Order = "K",
    subok: bool = True,
    shape: ShapeLike | None = None,
    *,
    device: Device = None,
) -> ndarray:
    """An uninitialized array in the shape of another.

    Parameters
    ----------
    prototype : array_like
        The model, as in ``zeros_like``.
    dtype, order, subok, shape, device : optional
        As in ``zeros_like``.

    Returns
    -------
    ndarray
        An array in the shape and dtype of ``prototype`` unless they are given.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.empty_like([[1, 2]]).shape
    (1, 2)
    """
    if (
        order == "K"
        and dtype is None
        and shape is None
        and device is None
        and type(prototype) is ndarray
    ):
        out = new(ndarray)
        out._tensor = torch.empty_like(prototype._tensor)
        out._flat_dtype = prototype._flat_dtype
        return out
    return _general_empty_like(prototype, dtype, order, subok, shape, device)


_general_empty_like = partial(_like, "empty_like", torch.empty)


def full_like(
    a: ArrayLike,
    fill_value: ArrayLike,
    dtype: DTypeLike = None,
    order: Order = "K",
    subok: bool = True,
    shape: ShapeLike | None = None,
    *,
    device: Device = None,
) -> ndarray:
    """One value, or an array that broadcasts, in the shape of another array.

    Parameters
    ----------
    a : array_like
        The model, as in ``zeros_like``.
    fill_value : array_like
        The value or values to fill with, cast to the dtype.
    dtype, order, subok, shape, device : optional
        As in ``zeros_like``.

    Returns
    -------
    ndarray
        In the shape and dtype of ``a`` unless they are given.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.full_like([1, 2, 3], 7.9)
    array([7, 7, 7])
    """
    if (
        order == "K"
        and dtype is None
        and shape is None
        and device is None
        and type(a) is ndarray
        and type(fill_value) is float
        and a._tensor.dtype is torch.float64
    ):
        out = new(ndarray)
        out._tensor = torch.full_like(a._tensor, fill_value)
        out._flat_dtype = a._flat_dtype
        return out
    sizes, kind, target, axes = _template("full_like", a, dtype, order, shape, device)
    filled = full_of("full_like", sizes, fill_value, kind, target)
    if axes is not None:
        filled = in_axes(filled, axes)
    return array_of(filled)


def astype(x: ndarray, dtype: DTypeLike, /, *, copy: bool = True, device: Device = None) -> ndarray:
    """A copy of an array in another dtype; the array itself where ``copy=False`` allows.

    The array API standard defines it.

    Parameters
    ----------
    x : ndarray or scalar
        The array.
    dtype : dtype
        The dtype of the result.
    copy : bool
        Whether to copy an array that already has the dtype.
    device : torch.device or str, optional
        Where the result lives; by default where ``x`` does.

    Returns
    -------
    ndarray or scalar
        In the shape of ``x``.

    Raises
    ------
    TypeError
        For anything but an array or a scalar, or an unknown dtype.
    ValueError
        For an unknown device.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.astype(np.array([1.5, 2.5]), np.int32)
    array([1, 2], dtype=int32)
    """
    if type(x) is ndarray and device is None:
        try:
            wanted = torch_dtype("astype", dtype)
        except HostDtypeError:
            pass  # the general call hands it to NumPy
        else:
            t = x._tensor
            if t.dtype is not wanted:
                made = new(ndarray)
                made._tensor = cast(t, wanted)
                made._flat_dtype = x._flat_dtype and wanted
                return made
    return _general_astype(x, dtype, copy, device)


def _general_astype(x: Any, dtype: DTypeLike, copy: bool, device: Device) -> ndarray:
    """``astype`` of anything."""
    wanted = torch_dtype("astype", dtype)
    target = None if device is None else normalize_device("astype", device)
    if type(x) in STORED:
        return wrap(cast(as_tensor("astype", x, "x", target), wanted))
    if not isinstance(x, AnyArray):
        if not is_host(x) and not isinstance(x, (numpy.ndarray, torch.Tensor)):
            raise TypeError(f"Input should be a NumPy array or scalar. It is of type {type(x)}.")
        x = as_array("astype", x, "x")  # raises HostDtypeError for what torch cannot store
    tensor = x._tensor
    moved = target is not None and tensor.device != target
    if tensor.dtype is wanted and not moved:
        if not copy:
            return x  # type: ignore[no-any-return]
        result = tensor.clone()
    else:
        result = cast(tensor, wanted)
        if moved:
            result = result.to(target)
    return array_of(result) if type(x).__name__ == "ndarray" or tensor.dim() else wrap(result)
