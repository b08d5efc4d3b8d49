"""Changes of shape that keep the elements."""

from __future__ import annotations

from math import prod
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_compiling, is_dynamo_compiling

from xp_torch._core.axes import integer
from xp_torch._core.errors import translate
from xp_torch._torch.internals import is_transformed

from .._array import views
from .._array.layout import order_of, reversed_axes
from .._array.ndarray import AnyArray, array_of, ndarray, new, view_of
from .._base.axes import integer_or_none, normalize_axes
from .._base.scalar_types import STORED
from .._base.typing import ArrayLike, AxisLike, Order, ShapeLike
from .._convert.arguments import as_array, as_tensor
from .._convert.sequences import quick_number
from .axis_order import turned

__all__ = ["ndim", "ravel", "reshape", "shape", "size"]


def reshape(
    a: ArrayLike, /, shape: ShapeLike, order: str = "C", *, copy: bool | None = None
) -> ndarray:
    """The same elements in another shape: a view if the memory layout allows it, else a copy.

    Parameters
    ----------
    a : array_like
        The array.
    shape : int or tuple of int
        The shape; one size may be -1 and is then computed.
    order : {'C', 'F', 'A'}
        The order in which elements are read and written: last axis fastest, first axis fastest,
        or the order of ``a`` in memory.
    copy : bool, optional
        ``True`` always copies; ``False`` never copies, and raises if a copy is needed.

    Returns
    -------
    ndarray
        The array of the new shape.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.reshape([1, 2, 3, 4], (2, -1))
    array([[1, 2],
           [3, 4]])
    """
    if type(a) is ndarray and order == "C" and copy is None and not is_dynamo_compiling():
        t = a._tensor
        if type(t) is not Tensor:
            return _general_reshape(a, shape, order, copy)
        try:
            result = torch.reshape(t, (shape,) if type(shape) is int else shape)  # type: ignore[arg-type]
        except (RuntimeError, TypeError):
            pass  # the general call says what is wrong
        else:
            if (
                type(result) is not Tensor
            ):  # for sizes that are arrays of ours, torch calls us again
                return _general_reshape(a, shape, order, copy)
            owner = result._base
            if owner is not None:  # view_of, written out
                out = new(ndarray)
                out._tensor = result
                if type(shape) is int or (type(shape) is tuple and shape):
                    out._flat_dtype = a._flat_dtype or t.dtype
                else:
                    out._flat_dtype = t.dtype if result.dim() else None
                out._base = a if owner is t else getattr(a, "_base", a)
                return out
            if t._base is None or (not is_transformed() and result.data_ptr() != t.data_ptr()):
                return array_of(result)
    return _general_reshape(a, shape, order, copy)


def _general_reshape(a: Any, shape: Any, order: str, copy: bool | None) -> ndarray:
    name = "reshape"
    x = as_array(name, a)
    letter = order_of(name, order, "C", "CFA")
    tensor = x._tensor
    sizes = _sizes(name, tensor, shape)
    if not sizes and (type(x) is not ndarray or type(a) in STORED):
        return a  # type: ignore[no-any-return]  # a scalar stays one
    by_columns = letter == "F" or (letter == "A" and views.lies_in_columns(x))
    if (
        is_compiling() and not copy and not views.forward_of(x)[1]
    ):  # in this case torch decides what is a view
        if by_columns:
            return view_of(x, reversed_axes(reversed_axes(tensor).reshape(sizes[::-1])))
        return view_of(x, tensor.reshape(sizes))
    if not copy:
        view = views.reshaped(turned(x), sizes[::-1]) if by_columns else views.reshaped(x, sizes)
        if view is not None:
            return turned(view) if by_columns else view
        if copy is False:
            raise ValueError("Unable to avoid creating a copy while reshaping.")
    if by_columns:
        made = reversed_axes(reversed_axes(tensor).reshape(sizes[::-1]))
    else:
        made = tensor.reshape(sizes)
    return array_of(made.clone() if copy else made)


def _sizes(name: str, tensor: Tensor, shape: Any) -> tuple[int, ...]:
    """The requested shape with its -1 computed; ``ValueError`` if it does not fit."""
    one = integer_or_none(shape)
    if one is not None:
        sizes = [one]
    else:
        if shape is None:
            shape = tensor.shape
        if isinstance(shape, (AnyArray, Tensor)):
            shape = shape.tolist()
        sizes = [integer(name, "shape", s) for s in shape]
    total = tensor.numel()
    unknown = [i for i, s in enumerate(sizes) if s < 0]
    if len(unknown) > 1:
        raise ValueError(f"{name}: can only specify one unknown dimension, not {tuple(sizes)}")
    known = prod([s for s in sizes if s >= 0])
    if unknown and known and total % known == 0:
        sizes[unknown[0]] = total // known
    elif unknown or known != total:
        raise ValueError(f"{name}: cannot reshape array of size {total} into shape {tuple(sizes)}")
    return tuple(sizes)


def ravel(a: ArrayLike, order: Order = "C") -> ndarray:
    """All elements along one axis: a view if the memory layout allows it, else a copy.

    Parameters
    ----------
    a : array_like
        The array.
    order : {'C', 'F', 'A', 'K'}
        As in ``reshape``; 'K' is the order in memory.

    Returns
    -------
    ndarray
        1-D, of ``a.size`` elements, with the dtype of ``a``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.ravel([[1, 2], [3, 4]], order="F")
    array([1, 3, 2, 4])
    """
    if type(a) is ndarray and order == "C":
        t = a._tensor
        if type(t) is Tensor and t.is_contiguous():
            out = new(ndarray)  # view_of, written out
            out._tensor = t.view(-1)
            out._flat_dtype = a._flat_dtype or t.dtype
            out._base = a if t._base is None else getattr(a, "_base", a)
            return out
    number = quick_number(a)
    if number is not None and order == "C":
        return view_of(array_of(number), number.view(1))
    return _general_ravel(a, order)


def _general_ravel(a: ArrayLike, order: Order) -> ndarray:
    x = as_array("ravel", a)
    tensor = x._tensor
    letter = "C" if order == "C" else order_of("ravel", order, "C")
    if letter == "F" or (letter == "A" and views.lies_in_columns(x)):
        x = turned(x)
    elif letter == "K":
        strides = tensor.stride() if is_compiling() else views.strides_of(x)
        x = views.transposed(x, sorted(range(tensor.dim()), key=lambda i: -abs(strides[i])))
    forward, flips = views.forward_of(x)
    if not flips and forward.is_contiguous():
        flat = views.reshaped(x, (forward.numel(),))
        if flat is not None:
            return flat
    try:
        return array_of(x._tensor.reshape(-1).contiguous())  # torch gives a view with steps
    except RuntimeError as error:
        translate("ravel", error)


def shape(a: ArrayLike) -> tuple[int, ...]:
    """The number of elements along each axis.

    Parameters
    ----------
    a : array_like
        The array.

    Returns
    -------
    tuple of int
        Empty for a number.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.shape([[1, 2]])
    (1, 2)
    """
    if type(a) is ndarray:
        return tuple(a._tensor.shape)
    return _general_shape(a)


def _general_shape(a: ArrayLike) -> tuple[int, ...]:
    return tuple(as_tensor("shape", a).shape)


def size(a: ArrayLike, axis: AxisLike = None) -> int:
    """The number of elements, in total or along some axes.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int or tuple of int, optional
        The axes to count along, by default all.

    Returns
    -------
    int
        The product of the sizes.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.size([[1, 2]], 1)
    2
    """
    if type(a) is ndarray and axis is None:
        return a._tensor.numel()
    return _general_size(a, axis)


def _general_size(a: ArrayLike, axis: AxisLike) -> int:
    tensor = as_tensor("size", a)
    if axis is None:
        return tensor.numel()
    return prod([tensor.shape[i] for i in normalize_axes("size", axis, tensor.dim())])


def ndim(a: ArrayLike) -> int:
    """The number of axes.

    Parameters
    ----------
    a : array_like
        The array.

    Returns
    -------
    int
        0 for a number.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.ndim([[1, 2]])
    2
    """
    if type(a) is ndarray:
        return a._tensor.dim()
    return _general_ndim(a)


def _general_ndim(a: ArrayLike) -> int:
    return as_tensor("ndim", a).dim()
