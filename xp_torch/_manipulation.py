"""The chapter *Manipulation functions*: functions that change only the shape.

They return views if torch can make one. ``_rearranging.py`` has the others.
"""

from __future__ import annotations

from typing import Any

import torch

from . import _flags
from ._array import Array
from ._core import axes as _axes
from ._core import box as _box
from ._core.axes import integer, normalize_axes, normalize_shape
from ._core.errors import REFUSALS, shown, type_name
from ._dispatch import attempt, check_devices, tensor_of, wrap

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "expand_dims",
    "moveaxis",
    "permute_dims",
    "reshape",
    "squeeze",
]


def broadcast_arrays(*arrays: Array) -> tuple[Array, ...]:
    """Broadcast arrays against one another.

    Parameters
    ----------
    *arrays : Array
        Any dtypes, which stay as they are; shapes that are broadcast-compatible.

    Returns
    -------
    tuple of Array
        Views of the arrays, all of the broadcast shape. A list before version 2025.12.

    Raises
    ------
    TypeError
        For anything but ``xp_torch`` arrays.
    ValueError
        For shapes that do not broadcast, or arrays on two devices.

    Notes
    -----
    Source: the array API standard, ``broadcast_arrays``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> [a.shape for a in xp.broadcast_arrays(xp.zeros((2, 1)), xp.ones(3))]
    [(2, 3), (2, 3)]
    """
    if _flags.api_version >= "2025.12" and not _box.several_devices:
        try:
            tensors = [a._tensor for a in arrays if type(a) is Array]
            fast = torch.broadcast_tensors(*tensors)
        except REFUSALS:
            fast = ()  # the checks below raise the error
        if fast and len(fast) == len(arrays):
            return tuple([wrap(t) for t in fast])
    tensors = [tensor_of("broadcast_arrays", f"arrays[{i}]", a) for i, a in enumerate(arrays)]
    if tensors:
        check_devices("broadcast_arrays", *tensors)
    shape = _axes.broadcast_shapes("broadcast_arrays", *[t.shape for t in tensors])
    result = [wrap(t.expand(shape)) for t in tensors]
    if _flags.api_version < "2025.12":
        return result  # type: ignore[return-value]
    return tuple(result)


def broadcast_shapes(*shapes: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Broadcast shapes against one another.

    Parameters
    ----------
    *shapes : tuple of int or None
        The shapes; ``None`` stands for a dimension of unknown size.

    Returns
    -------
    tuple of int or None
        The broadcast shape, ``()`` for no shapes. A dimension that is unknown in one of the
        shapes is unknown in the result.

    Raises
    ------
    TypeError
        For anything but tuples of integers and ``None``.
    ValueError
        For shapes that do not broadcast, or a negative size.

    Notes
    -----
    Source: the array API standard, ``broadcast_shapes``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    name = "broadcast_shapes"
    known: list[tuple[int, ...]] = []
    unknown: set[int] = set()
    for i, shape in enumerate(shapes):
        argument = f"shapes[{i}]"
        if not isinstance(shape, (tuple, list)):
            raise TypeError(
                f"{name}: {argument} must be a tuple of integers, not {type_name(shape)}"
            )
        unknown |= {j - len(shape) for j, size in enumerate(shape) if size is None}
        sizes = [1 if size is None else size for size in shape]
        known.append(normalize_shape(name, sizes, argument))
    result: list[int | None] = list(_axes.broadcast_shapes(name, *known))
    for j in unknown:
        result[j] = None
    return tuple(result)


def broadcast_to(x: Array, /, shape: tuple[int, ...]) -> Array:
    """Broadcast an array to a shape.

    Parameters
    ----------
    x : Array
        Any dtype; a shape that broadcasts to ``shape`` without changing it.
    shape : tuple of int
        The shape of the result.

    Returns
    -------
    Array
        A view of ``x``, of the shape asked for.

    Raises
    ------
    TypeError
        For an ``x`` that is not an ``xp_torch`` array, or sizes that are not integers.
    ValueError
        For a shape that ``x`` does not broadcast to.

    Notes
    -----
    Source: the array API standard, ``broadcast_to``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.broadcast_to(xp.asarray([1, 2]), (2, 2))
    Array([[1, 2],
           [1, 2]], dtype=int64)
    """
    if type(x) is Array and type(shape) is tuple and -1 not in shape:
        try:
            out = Array()
            out._tensor = torch.broadcast_to(x._tensor, shape)
            return out
        except REFUSALS:
            pass  # the checks below raise the error
    t = tensor_of("broadcast_to", "x", x)
    sizes = normalize_shape("broadcast_to", shape)
    if _axes.broadcast_shapes("broadcast_to", t.shape, sizes) != sizes:
        raise ValueError(
            f"broadcast_to: an array of shape {tuple(t.shape)} does not broadcast to {sizes}"
        )
    return attempt("broadcast_to", torch.broadcast_to, t, sizes)


def expand_dims(x: Array, /, axis: int | tuple[int, ...]) -> Array:
    """Insert axes of size one.

    Parameters
    ----------
    x : Array
        Any dtype, any shape.
    axis : int or tuple of int
        The positions of the new axes in the result; negative ones count from its end. A
        tuple from version 2025.12 on.

    Returns
    -------
    Array
        A view of ``x`` with the new axes.

    Raises
    ------
    TypeError
        For an ``x`` that is not an ``xp_torch`` array, or an ``axis`` of another type.
    AxisError
        For a position that the result does not have, or one given twice: an ``IndexError``
        and a ``ValueError``.

    Notes
    -----
    Source: the array API standard, ``expand_dims``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.expand_dims(xp.asarray([1, 2]), axis=0)
    Array([[1, 2]], dtype=int64)
    """
    if type(x) is Array and type(axis) is int:
        try:
            out = Array()
            out._tensor = torch.unsqueeze(x._tensor, axis)
            return out
        except REFUSALS:
            pass  # the check below raises the error
    t = tensor_of("expand_dims", "x", x)
    if isinstance(axis, tuple) and _flags.api_version < "2025.12":
        raise TypeError(
            "expand_dims: a tuple as axis came with version 2025.12 of the standard, and "
            f"{_flags.api_version} is in force"
        )
    count = len(axis) if isinstance(axis, (tuple, list)) else 1
    for position in sorted(_some_axes("expand_dims", axis, t.ndim + count, "axis")):
        t = t.unsqueeze(position)
    return wrap(t)


def moveaxis(
    x: Array, source: int | tuple[int, ...], destination: int | tuple[int, ...], /
) -> Array:
    """Move axes to new positions; the others keep their order.

    Parameters
    ----------
    x : Array
        Any dtype, any shape.
    source, destination : int or tuple of int
        The axes to move, and their new positions: the same number of both, no repeats.

    Returns
    -------
    Array
        A view of ``x`` with its axes reordered.

    Raises
    ------
    TypeError
        For an ``x`` that is not an ``xp_torch`` array, or axes of another type.
    ValueError
        For tuples of different lengths.
    AxisError
        For an axis that ``x`` does not have, or one given twice.

    Notes
    -----
    Source: the array API standard, ``moveaxis``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.moveaxis(xp.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    if type(source) is int and type(destination) is int and type(x) is Array:
        t = x._tensor
        if t.ndim:
            try:
                out = Array()
                out._tensor = torch.movedim(t, source, destination)
                return out
            except REFUSALS:
                pass  # the checks below raise the error
    t = tensor_of("moveaxis", "x", x)
    start = _some_axes("moveaxis", source, t.ndim, "source")
    end = _some_axes("moveaxis", destination, t.ndim, "destination")
    if len(start) != len(end):
        raise ValueError(
            f"moveaxis: source {source} and destination {destination} must have the same number "
            "of elements"
        )
    return wrap(t.movedim(start, end))


def permute_dims(x: Array, /, axes: tuple[int, ...]) -> Array:
    """Reorder the axes.

    Parameters
    ----------
    x : Array
        Any dtype, any shape.
    axes : tuple of int
        A permutation of the axes of ``x``: axis ``i`` of the result is axis ``axes[i]``.

    Returns
    -------
    Array
        A view of ``x`` with its axes reordered.

    Raises
    ------
    TypeError
        For an ``x`` that is not an ``xp_torch`` array, or ``axes`` of another type.
    ValueError
        For ``axes`` that are not as many as ``x`` has, or are not a permutation.

    Notes
    -----
    Source: the array API standard, ``permute_dims``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.permute_dims(xp.zeros((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    if type(x) is Array and type(axes) is tuple:
        try:
            out = Array()
            out._tensor = torch.permute(x._tensor, axes)
            return out
        except REFUSALS:
            pass  # the checks below raise the error
    t = tensor_of("permute_dims", "x", x)
    if not isinstance(axes, (tuple, list)):
        raise TypeError(f"permute_dims: axes must be a tuple of integers, not {type_name(axes)}")
    if len(axes) != t.ndim:
        raise ValueError(
            f"permute_dims: axes {tuple(axes)} must name each of the {t.ndim} axes once"
        )
    return wrap(t.permute(normalize_axes("permute_dims", axes, t.ndim, "axes")))


def reshape(x: Array, /, shape: tuple[int, ...], *, copy: bool | None = None) -> Array:
    """Give an array another shape, its elements in row-major order.

    Parameters
    ----------
    x : Array
        Any dtype, any shape.
    shape : tuple of int
        The shape of the result. One size may be -1; it follows from the others.
    copy : bool, optional
        ``True`` always copies, ``False`` never does, ``None`` copies only if necessary.

    Returns
    -------
    Array
        The same elements in the shape asked for; a view where that is possible, unless
        ``copy`` is true.

    Raises
    ------
    TypeError
        For an ``x`` that is not an ``xp_torch`` array, or a ``shape`` that is not a tuple of
        integers.
    ValueError
        For a shape of another number of elements, with more than one -1 or another negative
        size, or ``copy=False`` where a copy is needed.

    Notes
    -----
    Source: the array API standard, ``reshape``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.reshape(xp.arange(6), (2, -1))
    Array([[0, 1, 2],
           [3, 4, 5]], dtype=int64)
    """
    if copy is None and type(x) is Array and type(shape) is tuple:
        try:
            out = Array()
            out._tensor = torch.reshape(x._tensor, shape)
            return out
        except REFUSALS:
            pass  # the general twin raises the error
    return _reshape_general(x, shape, copy)


def _reshape_general(x: Array, shape: tuple[int, ...], copy: bool | None) -> Array:
    t = tensor_of("reshape", "x", x)
    if not isinstance(shape, tuple):
        raise TypeError(f"reshape: shape must be a tuple of integers, not {type_name(shape)}")
    sizes = _inferred(tuple(integer("reshape", "shape", s) for s in shape), tuple(t.shape))
    if copy:
        # By default a clone keeps the strides, and might then not be viewable.
        return attempt("reshape", t.clone(memory_format=torch.contiguous_format).view, sizes)
    if copy is None:
        return attempt("reshape", torch.reshape, t, sizes)
    try:
        return wrap(t.view(sizes))
    except RuntimeError:
        raise ValueError(
            f"reshape: an array of shape {tuple(t.shape)} with these strides cannot become "
            f"{sizes} without a copy, and copy=False forbids it"
        ) from None


def _inferred(sizes: tuple[int, ...], old: tuple[int, ...]) -> tuple[int, ...]:
    """Replace the -1 in ``sizes``. Raise ``ValueError`` if they do not fit ``old``."""
    total = 1
    for size in old:
        total *= size
    known = 1
    unknown = 0
    for size in sizes:
        if size == -1:
            unknown += 1
        elif size < 0:
            raise ValueError(f"reshape: shape {sizes} has a negative dimension other than -1")
        else:
            known *= size
    if unknown > 1:
        raise ValueError(f"reshape: shape {sizes} has more than one dimension of size -1")
    fits = known == total if unknown == 0 else known != 0 and total % known == 0
    if not fits:
        raise ValueError(
            f"reshape: an array of shape {old} cannot be given the shape {shown(sizes)}"
        )
    return tuple(total // known if size == -1 else size for size in sizes)


def squeeze(x: Array, /, axis: int | tuple[int, ...]) -> Array:
    """Remove axes of size one.

    Parameters
    ----------
    x : Array
        Any dtype, any shape.
    axis : int or tuple of int
        The axes to remove.

    Returns
    -------
    Array
        A view of ``x`` without these axes.

    Raises
    ------
    TypeError
        For an ``x`` that is not an ``xp_torch`` array, or an ``axis`` of another type.
    ValueError
        For an axis of another size than one, or ``axis=None``.
    AxisError
        For an axis that ``x`` does not have, or one given twice.

    Notes
    -----
    Source: the array API standard, ``squeeze``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.squeeze(xp.asarray([[1, 2]]), axis=0)
    Array([1, 2], dtype=int64)
    """
    if type(x) is Array and type(axis) is int:
        t = x._tensor
        try:
            if t.shape[axis] == 1:
                out = Array()
                out._tensor = torch.squeeze(t, axis)
                return out
        except REFUSALS:
            pass  # the checks below raise the error
    t = tensor_of("squeeze", "x", x)
    if axis is None:
        raise ValueError("squeeze: axis is required, and may not be None")
    if isinstance(axis, list):
        raise TypeError("squeeze: axis must be an integer or a tuple of integers, not a list")
    removed = normalize_axes("squeeze", axis, t.ndim)
    for a in removed:
        if t.shape[a] != 1:
            raise ValueError(f"squeeze: axis {a} has size {t.shape[a]}, not 1")
    return wrap(t.squeeze(removed))


def _some_axes(name: str, axis: Any, ndim: int, argument: str) -> tuple[int, ...]:
    if axis is None:
        raise TypeError(f"{name}: {argument} must be an integer or a tuple of them, not None")
    return normalize_axes(name, axis, ndim, argument)
