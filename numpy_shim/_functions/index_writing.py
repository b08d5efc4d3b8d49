"""Functions that write into an array by index or condition, in place."""

from __future__ import annotations

import builtins
from math import prod
from typing import Any, SupportsIndex

import numpy
import torch
from torch import Tensor
from torch.compiler import is_compiling

from .._array import views
from .._array.ndarray import AnyArray, ndarray
from .._base.axes import broadcast_shapes, without_leading_ones
from .._base.dtypes import HostDtypeError, check_casting
from .._base.promotion import WEAK, beside_number
from .._base.typing import ArrayLike, Casting
from .._convert.arguments import as_array, as_tensor, check_cast, check_device
from .._indexing.arguments import indices_of, mode_of, within
from .._indexing.keys import check_bounds
from .._indexing.selection import assign_where, put_masked, replacement, set_general
from .._kernels.casting import cast
from .._kernels.coordinates import unravel
from .._kernels.host_kernels import write_by_numpy
from .._kernels.numbers import full_scalar
from .._ufunc.call import mask_of
from .indexing import along

__all__ = ["copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"]


def _target(name: str, a: object) -> ndarray:
    """The array to write to, on the memory of a tensor; ``TypeError`` for anything else.

    ``HostDtypeError`` for an array of NumPy's own, whose memory NumPy itself writes to.
    """
    if isinstance(a, numpy.ndarray) and not is_compiling():
        raise HostDtypeError(f"{name}: the first argument is one of NumPy's own arrays")
    if isinstance(a, Tensor):
        a = as_array(name, a)
    if not isinstance(a, AnyArray):
        raise TypeError(f"{name}: the first argument must be an array, not {type(a).__name__}")
    if not views.is_writeable(a):
        raise ValueError(f"{name}: assignment destination is read-only")
    return a


def put(a: ndarray, ind: ArrayLike, v: ArrayLike, mode: str = "raise") -> None:
    """Replace the elements at flat indices, as ``a.flat[ind] = v`` does.

    Parameters
    ----------
    a : ndarray
        The array that is written to.
    ind : array_like of int
        Indices into the flattened array.
    v : array_like
        The values, cast to the dtype of ``a``; repeated if there are fewer than indices.
    mode : {'raise', 'wrap', 'clip'}
        How to handle an index out of bounds; checked on the CPU only.

    Returns
    -------
    None
        ``a`` is changed in place.

    Examples
    --------
    >>> import numpy_shim as np
    >>> a = np.arange(5)
    >>> np.put(a, [0, 2], [-44, -55])
    >>> a
    array([-44,   1, -55,   3,   4])
    """
    name = "put"
    a = _target(name, a)
    t = a._tensor
    mode = mode_of(name, mode)
    i = indices_of(name, ind, "ind", t.device).reshape(-1)
    if i.numel() and not t.numel():  # NumPy looks at the values after that
        raise IndexError("put: cannot replace elements of an empty array")
    values = replacement(name, t, v).reshape(-1)
    if values.numel():
        put_flat(name, a, within(name, t.reshape(-1), 0, i, mode), values)


def put_flat(name: str, a: ndarray, indices: Tensor, values: Tensor) -> None:
    """Write values to the flat indices of an array; repeated if there are fewer."""
    count, given = indices.shape[0], values.shape[0]
    if given > count:
        values = values[:count]
    elif 1 < given < count:
        values = values.repeat(-(-count // given))[:count]
    shape = a._tensor.shape
    if a._tensor.is_contiguous():
        flat = views.reshaped(a, (a._tensor.numel(),))
        assert flat is not None
        set_general(flat, indices, values)
    else:
        set_general(
            a, unravel(torch.remainder(indices, builtins.max(prod(shape), 1)), shape), values
        )


def put_along_axis(
    arr: ndarray, indices: ArrayLike, values: ArrayLike, axis: SupportsIndex | None
) -> None:
    """Write to each line along an axis, at its own indices.

    Parameters
    ----------
    arr : ndarray
        The array that is written to.
    indices : array of int
        Indices along the axis; its other axes broadcast with those of ``arr``.
    values : array_like
        The values to write, cast to the dtype of ``arr``; they broadcast with ``indices``.
    axis : int or None
        The axis; ``None`` flattens ``arr``, and then ``indices`` has one axis.

    Returns
    -------
    None
        ``arr`` is changed in place.

    Examples
    --------
    >>> import numpy_shim as np
    >>> a = np.array([[10, 30, 20], [60, 40, 50]])
    >>> np.put_along_axis(a, np.argmax(a, axis=1, keepdims=True), 99, axis=1)
    >>> a
    array([[10, 99, 20],
           [99, 40, 50]])
    """
    name = "put_along_axis"
    arr = _target(name, arr)
    t = arr._tensor
    i = as_tensor(name, indices, "indices", t.device)
    flat, i, axis, _ = along(name, t, i, axis)
    if flat.dim() != t.dim():
        value = replacement(name, t, values)
        if broadcast_shapes(name, i.shape, value.shape) != tuple(i.shape):
            raise ValueError(
                f"{name}: values of shape {tuple(value.shape)} do not broadcast to the shape "
                f"{tuple(i.shape)} of the indices"
            )
        check_bounds(name, flat, [0], [i])
        put_flat(name, arr, i, value.expand(i.shape))
        return
    key: list[Any] = []
    for k, n in enumerate(t.shape):
        if k == axis:
            key.append(i)
        else:
            shape = [1] * t.dim()
            shape[k] = n
            key.append(torch.arange(n, device=t.device).reshape(shape))
    set_general(arr, tuple(key), values)


def putmask(a: ndarray, /, mask: ArrayLike, values: ArrayLike) -> None:
    """Replace elements where a mask is true with the values at the same flat indices.

    Parameters
    ----------
    a : ndarray
        The array that is written to.
    mask : array_like
        Nonzero where to write; of the size of ``a``.
    values : array_like
        The values, cast to the dtype of ``a``; repeated to the size of ``a``.

    Returns
    -------
    None
        ``a`` is changed in place.

    Examples
    --------
    >>> import numpy_shim as np
    >>> a = np.arange(6).reshape(2, 3)
    >>> np.putmask(a, a > 2, a**2)
    >>> a
    array([[ 0,  1,  2],
           [ 9, 16, 25]])
    """
    name = "putmask"
    a = _target(name, a)
    t = a._tensor
    chosen = _same_size(name, t, mask)
    values = _safely(name, t, values, "values")
    given = values.shape[0]
    if not given or not t.numel():
        return
    if given == 1:
        spread = values.reshape(())
    elif given == t.numel():
        spread = values.reshape(t.shape)
    else:
        spread = values.repeat(-(-t.numel() // given))[: t.numel()].reshape(t.shape)
    assign_where(a, chosen, spread)


def _safely(name: str, t: Tensor, values: object, argument: str) -> Tensor:
    """Values as one row in the dtype of ``t``; an array of values must cast safely."""
    if isinstance(values, (ndarray, Tensor)):
        check_cast(f"{name}: {argument}", as_tensor(name, values).dtype, t.dtype, "safe")
    return replacement(name, t, values).reshape(-1)


def _same_size(name: str, t: Tensor, mask: Any) -> Tensor:
    """The mask as a boolean tensor of the shape of ``t``."""
    chosen = cast(as_tensor(name, mask, "mask", t.device), torch.bool)
    check_device(name, t.device, chosen)
    if chosen.numel() != t.numel():
        raise ValueError(
            f"{name}: mask and data must be the same size, not {chosen.numel()} and {t.numel()}"
        )
    return chosen.reshape(t.shape)


def place(arr: ndarray, mask: ArrayLike, vals: ArrayLike) -> None:
    """Replace elements where a mask is true with one value after the other.

    Parameters
    ----------
    arr : ndarray
        The array that is written to.
    mask : array_like
        Nonzero where to write; of the size of ``arr``.
    vals : 1-D array_like
        The values in order; repeated if there are too few.

    Returns
    -------
    None
        ``arr`` is changed in place.

    Examples
    --------
    >>> import numpy_shim as np
    >>> a = np.arange(6).reshape(2, 3)
    >>> np.place(a, a > 2, [44, 55])
    >>> a
    array([[ 0,  1,  2],
           [44, 55, 44]])
    """
    name = "place"
    arr = _target(name, arr)
    t = arr._tensor
    chosen = _same_size(name, t, mask)
    values = _safely(name, t, vals, "vals")
    if not values.numel():
        if bool(chosen.any()):
            raise ValueError(f"{name}: Cannot insert from an empty array!")
        return
    if write_by_numpy("place", t, chosen, values):
        return
    # The rank of each element among those to replace; their number is not needed.
    order = torch.cumsum(chosen.reshape(-1), 0) - 1
    order = torch.remainder(order, values.numel())
    spread = values[order].reshape(t.shape)
    assign_where(arr, chosen, spread)


def copyto(
    dst: ndarray, src: ArrayLike, casting: Casting = "same_kind", where: ArrayLike = True
) -> None:
    """Copy values from one array to another, broadcasting them.

    Parameters
    ----------
    dst : ndarray
        The array that is written to.
    src : array_like
        The values. They may share memory with ``dst``.
    casting : str
        Which casts are allowed.
    where : array_like of bool
        Where to copy; broadcasts to ``dst``.

    Returns
    -------
    None
        ``dst`` is changed in place.

    Examples
    --------
    >>> import numpy_shim as np
    >>> a = np.zeros(3)
    >>> np.copyto(a, [4, 5, 6], where=[True, False, True])
    >>> a
    array([4., 0., 6.])
    """
    name = "copyto"
    dst = _target(name, dst)
    t = dst._tensor
    check_casting(name, casting)
    if type(src) in WEAK:
        dtype = beside_number(t.dtype, type(src))
        check_cast(f"{name}: src", dtype, t.dtype, casting)
        source = full_scalar(name, "src", src, dtype, t.device)
    else:
        source = as_tensor(name, src, "src", t.device)
        check_cast(f"{name}: src", source.dtype, t.dtype, casting)
    if where is True:
        set_general(dst, ..., source)
        return
    mask = mask_of(name, where, t.device)
    if broadcast_shapes(name, mask.shape, t.shape) != tuple(t.shape) or mask.dim() > t.dim():
        raise ValueError(
            f"{name}: could not broadcast where mask from shape {tuple(mask.shape)} into shape "
            f"{tuple(t.shape)}"
        )
    source = without_leading_ones(cast(source, t.dtype), t.dim())
    if broadcast_shapes(name, source.shape, t.shape) != tuple(t.shape):
        raise ValueError(
            f"{name}: could not broadcast input array from shape {tuple(source.shape)} into "
            f"shape {tuple(t.shape)}"
        )
    put_masked(dst, mask, source)


def fill_diagonal(a: ndarray, val: ArrayLike, wrap: bool = False) -> None:
    """Write to the main diagonal of an array of two axes or more, in place.

    Parameters
    ----------
    a : ndarray
        The array that is written to; its axes are of one size if they are more than two.
    val : array_like
        The value, or values, which are flattened and repeated along the diagonal.
    wrap : bool
        Whether the diagonal of a tall matrix starts again below, after an empty row.

    Returns
    -------
    None
        ``a`` is changed in place.

    Examples
    --------
    >>> import numpy_shim as np
    >>> a = np.zeros((3, 3), int)
    >>> np.fill_diagonal(a, 5)
    >>> a
    array([[5, 0, 0],
           [0, 5, 0],
           [0, 0, 5]])
    """
    name = "fill_diagonal"
    a = _target(name, a)
    t = a._tensor
    if t.dim() < 2:
        raise ValueError(f"{name}: array must be at least 2-d")
    shape = t.shape
    end = t.numel()
    if t.dim() == 2:
        step = shape[1] + 1
        if not wrap:
            end = builtins.min(end, shape[1] * shape[1])
    else:
        if builtins.any(n != shape[0] for n in shape):
            raise ValueError(f"{name}: All dimensions of input must be of equal length")
        step = 1 + builtins.sum(prod(shape[i:]) for i in range(1, t.dim()))
    values = replacement(name, t, val).reshape(-1)
    if values.numel() and end:
        put_flat(name, a, torch.arange(0, end, step, device=t.device), values)
