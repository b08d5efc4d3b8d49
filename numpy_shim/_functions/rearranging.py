"""Rearranging elements: flip, roll, tile, repeat and resize."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy
import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._core.axes import integer
from xp_torch._core.dtypes import EXACT
from xp_torch._kernels import manipulation

from .._array import views
from .._array.layout import like
from .._array.ndarray import AnyArray, array_of, ndarray, new, wrap
from .._base.axes import (
    MAX_DIMS,
    MAX_SIZE,
    integer_of_64_bits,
    normalize_axes,
    normalize_axis,
    normalize_shape,
)
from .._base.typing import ArrayLike, AxesLike, AxisLike, ShapeLike
from .._convert.arguments import as_array, as_tensor, check_cast
from .._convert.from_data import loaded
from .._kernels.host_kernels import or_numpys
from .axis_order import transpose

__all__ = ["flip", "fliplr", "flipud", "repeat", "resize", "roll", "rot90", "tile"]


def flip(m: ArrayLike, axis: AxisLike = None) -> ndarray:
    """A view with the elements reversed along some axes.

    Parameters
    ----------
    m : array_like
        The array.
    axis : int or tuple of int, optional
        Which axes, by default all of them.

    Returns
    -------
    ndarray
        A view: writing to it writes to ``m``. Its values are reversed again at each use, because
        torch does not support negative strides.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.flip([[1, 2], [3, 4]], axis=1)
    array([[2, 1],
           [4, 3]])
    """
    if axis is None and type(m) is ndarray:
        t = m._tensor
        if type(t) is Tensor and not is_dynamo_compiling() and t.numel() > 1 and 1 not in t.shape:
            return views.backwards(m, t, _EACH[: t.dim()])
    return _general_flip(m, axis)


def _general_flip(m: ArrayLike, axis: AxisLike) -> ndarray:
    x = as_array("flip", m, "m")
    return _flipped(x, normalize_axes("flip", axis, x.ndim))


_EACH = tuple(range(MAX_DIMS))


def _flipped(x: ndarray, axes: Sequence[int]) -> ndarray:
    if x.ndim == 0:
        return wrap(x._tensor.clone())
    forward, flips = views.forward_of(x)
    return views.make(x, forward, [i for i in range(x.ndim) if (i in axes) != (i in flips)])


def fliplr(m: ArrayLike) -> ndarray:
    """A view with the elements reversed along the second axis.

    Parameters
    ----------
    m : array_like
        At least two axes.

    Returns
    -------
    ndarray
        A view in the shape of ``m``: writing to it writes to ``m``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.fliplr([[1, 2], [3, 4]])
    array([[2, 1],
           [4, 3]])
    """
    x = as_array("fliplr", m, "m")
    if x.ndim < 2:
        raise ValueError("fliplr: input must be >= 2-d.")
    return _flipped(x, (1,))


def flipud(m: ArrayLike) -> ndarray:
    """A view with the elements reversed along the first axis.

    Parameters
    ----------
    m : array_like
        At least one axis.

    Returns
    -------
    ndarray
        A view in the shape of ``m``: writing to it writes to ``m``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.flipud([1, 2])
    array([2, 1])
    """
    x = as_array("flipud", m, "m")
    if x.ndim < 1:
        raise ValueError("flipud: input must be >= 1-d.")
    return _flipped(x, (0,))


def rot90(m: ArrayLike, k: int = 1, axes: Sequence[SupportsIndex] = (0, 1)) -> ndarray:
    """A view rotated by multiples of 90 degrees in the plane of two axes.

    Parameters
    ----------
    m : array_like
        At least two axes.
    k : int
        The number of rotations by 90 degrees, from the first axis towards the second.
    axes : pair of int
        The two axes.

    Returns
    -------
    ndarray
        A view; an odd ``k`` exchanges the sizes of the two axes.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.rot90([[1, 2], [3, 4]])
    array([[2, 4],
           [1, 3]])
    """
    x = as_array("rot90", m, "m")
    plane = tuple(axes)
    if len(plane) != 2:
        raise ValueError("rot90: len(axes) must be 2.")
    ndim = x.ndim
    if plane[0] == plane[1] or abs(plane[0] - plane[1]) == ndim:  # type: ignore[operator]
        raise ValueError("rot90: Axes must be different.")
    if not all(-ndim <= a < ndim for a in plane):  # type: ignore[operator]
        raise ValueError(f"rot90: Axes={plane} out of range for array of ndim={ndim}.")
    first, second = (normalize_axis("rot90", a, ndim, "axes") for a in plane)
    turns = integer("rot90", "k", k) % 4
    if turns == 0:
        return _flipped(x, ())
    if turns == 2:
        return _flipped(x, (first, second))
    order = list(range(ndim))
    order[first], order[second] = second, first
    if turns == 1:
        return transpose(_flipped(x, (second,)), order)
    return _flipped(transpose(x, order), (second,))


def roll(a: ArrayLike, shift: AxesLike, axis: AxesLike | None = None) -> ndarray:
    """The elements shifted along axes; elements beyond one end reappear at the other.

    Parameters
    ----------
    a : array_like
        The array.
    shift : int or sequence of int
        The distance along each axis.
    axis : int or tuple of int, optional
        The axes; by default the flattened elements are shifted, and the shape is kept.

    Returns
    -------
    ndarray
        A new array in the shape of ``a``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.roll([1, 2, 3], 1)
    array([3, 1, 2])
    """
    if type(a) is ndarray and type(shift) is int and -EXACT < shift < EXACT:
        tensor = a._tensor
        if axis is None or (type(axis) is int and -tensor.dim() <= axis < tensor.dim()):
            try:
                rest = () if axis is None else (axis,)
                rolled = manipulation.roll(tensor, shift, *rest)
            except RuntimeError:
                pass  # the general call says that it is too large
            else:
                made = new(ndarray)
                whole = axis is None or tensor.is_contiguous()
                made._tensor = rolled if whole else like(rolled, tensor)
                made._flat_dtype = a._flat_dtype
                return made
    return _general_roll(a, shift, axis)


def _general_roll(a: ArrayLike, shift: AxesLike, axis: AxesLike | None) -> ndarray:
    """``roll`` of anything."""
    tensor = as_tensor("roll", a)
    shifts = _integers(shift)
    if axis is None:
        total = sum(shifts) if isinstance(shifts, list) else shifts
        flat = tensor.reshape(-1)
        rolled = manipulation.roll(flat, total % max(flat.shape[0], 1), 0)
        return array_of(rolled.reshape(tensor.shape))
    axes = _integers(axis)
    count = max(len(v) if isinstance(v, list) else 1 for v in (shifts, axes))
    moved = [v if isinstance(v, list) else [v] for v in (shifts, axes)]
    pairs = [v * count if len(v) == 1 else v for v in moved]
    if len(pairs[0]) != len(pairs[1]):
        raise ValueError(f"roll: {len(moved[0])} shifts for {len(moved[1])} axes")
    totals: dict[int, int] = {}
    for by, along in zip(*pairs, strict=True):
        index = normalize_axis("roll", along, tensor.dim())
        totals[index] = totals.get(index, 0) + by
    sizes = tensor.shape
    by_axis = {i: by % sizes[i] for i, by in totals.items() if sizes[i]}
    if not by_axis or not tensor.numel():
        return array_of(tensor.clone())
    rolled = manipulation.roll(tensor, tuple(by_axis.values()), tuple(by_axis))
    return array_of(like(rolled, tensor))


def _integers(value: Any) -> Any:
    """Convert a shift or axis, which may be an array, to an integer or a list of integers."""
    if isinstance(value, (AnyArray, Tensor)):
        if not value.ndim:
            return int(value)
        value = value.tolist()
    if isinstance(value, (list, tuple, range)):
        if any(isinstance(v, (list, tuple)) for v in value):
            raise ValueError("roll: 'shift' and 'axis' should be scalars or 1D sequences")
        return [int(v) for v in value]
    return int(value) if not hasattr(value, "tolist") else _integers(value.tolist())


def tile(A: ArrayLike, reps: ShapeLike) -> ndarray:
    """An array made of repeated copies of another.

    Parameters
    ----------
    A : array_like
        The array to copy.
    reps : int or sequence of int
        The number of copies along each axis; the last number is for the last axis, and new axes
        go first.

    Returns
    -------
    ndarray
        A new array; each axis is as many times as long as ``reps`` says.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.tile([1, 2], (2, 2))
    array([[1, 2, 1, 2],
           [1, 2, 1, 2]])
    """
    tensor = as_tensor("tile", A, "A")
    if isinstance(reps, (AnyArray, Tensor)):
        reps = reps.tolist()
    try:
        times = tuple([integer("tile", "reps", r) for r in reps])  # type: ignore[union-attr]
    except TypeError:
        times = (integer("tile", "reps", reps),)
    if any(r < 0 for r in times):
        raise ValueError("tile: repeats may not contain negative values.")
    if not tensor.numel():
        ndim = max(len(times), tensor.dim())
        sizes = [1] * (ndim - tensor.dim()) + list(tensor.shape)
        times = (1,) * (ndim - len(times)) + times
        shape = [n * size for n, size in zip(times, sizes, strict=True)]
        wanted = normalize_shape("tile", shape)
        view = views.reshaped(A, wanted) if type(A) is ndarray else None  # read-only as ``A`` is
        return array_of(tensor.new_empty(wanted)) if view is None else view
    for count in times:
        integer_of_64_bits("tile", "reps", count)
    return array_of(manipulation.tile(tensor, times) if times else tensor.clone())


def repeat(a: ArrayLike, repeats: ArrayLike, axis: int | None = None) -> ndarray:
    """Each element several times in a row.

    Parameters
    ----------
    a : array_like
        The array.
    repeats : int or array_like of int
        The number of repetitions, for all elements or for each. The values of an array are
        read, because the shape of the result depends on them.
    axis : int, optional
        The axis; by default the array is flattened.

    Returns
    -------
    ndarray
        A new array, in the shape of ``a`` but for the axis.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.repeat([1, 2], [2, 1])
    array([1, 1, 2])
    """
    tensor = as_tensor("repeat", a)
    if axis is None:
        tensor, dim = tensor if tensor.dim() == 1 else tensor.reshape(-1), 0
    elif tensor.dim() == 0:
        normalize_axis("repeat", axis, 1)
        tensor, dim = tensor.reshape(1), 0
    else:
        dim = normalize_axis("repeat", axis, tensor.dim())
    times: Any
    if isinstance(repeats, (int, numpy.integer)):
        times = int(repeats)
    else:
        times = _counts(repeats, tensor.shape[dim], tensor.device)
    if isinstance(times, int):
        if integer_of_64_bits("repeat", "repeats", times) < 0:
            raise ValueError("repeat: repeats may not contain negative values.")
        return array_of(manipulation.repeat(tensor, times, dim, None))
    return array_of(_repeated(tensor, times[0], dim, times[1]))


@or_numpys("repeated")
def _repeated(x: Tensor, counts: Tensor, axis: int, total: int) -> Tensor:
    return manipulation.repeat(x, counts, axis, total)


def _counts(repeats: object, size: int, device: Any) -> Any:
    """The repetitions: one int for all elements, or a tensor of counts and their sum."""
    if not isinstance(repeats, (AnyArray, Tensor, numpy.ndarray)):
        repeats = loaded("repeat", repeats, "repeats", torch.int64, None, device, None)
    counts = as_tensor("repeat", repeats, "repeats", device)
    check_cast("repeat: repeats", counts.dtype, torch.int64, "safe")
    if counts.dim() > 1:
        raise ValueError("repeat: object too deep for desired array")
    counts = counts.reshape(-1).to(torch.int64)
    if counts.numel() and not is_dynamo_compiling() and int(torch.amin(counts)) < 0:
        raise ValueError("repeat: repeats may not contain negative values.")
    if counts.numel() == 1:
        return int(counts)
    if counts.numel() != size:
        raise ValueError(
            f"repeat: operands could not be broadcast together with shape ({size},) "
            f"({counts.numel()},)"
        )
    return counts.to(device), int(torch.sum(counts))


def resize(a: ArrayLike, new_shape: ShapeLike) -> ndarray:
    """An array of another shape, filled with repeated copies of the elements of ``a``.

    Parameters
    ----------
    a : array_like
        The elements, read row by row.
    new_shape : int or sequence of int
        The shape of the result.

    Returns
    -------
    ndarray
        A new array; zeros if ``a`` is empty.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.resize([1, 2, 3], (2, 2))
    array([[1, 2],
           [3, 1]])
    """
    flat = as_tensor("resize", a).reshape(-1)
    sizes = normalize_shape("resize", new_shape, "new_shape", math.inf)
    wanted, have = math.prod(sizes), flat.shape[0]
    if not wanted or not have:
        sizes = normalize_shape("resize", sizes, "new_shape")
        return array_of(torch.zeros(sizes, dtype=flat.dtype, device=flat.device))
    if wanted > MAX_SIZE * have:
        raise OverflowError(f"resize: new_shape {sizes} needs more copies than 64 bits count")
    if wanted * flat.itemsize > MAX_SIZE:
        raise MemoryError(f"resize: unable to allocate an array of shape {sizes}")
    if wanted > have:
        flat = manipulation.tile(flat, (-(-wanted // have),))
    return array_of(flat[:wanted].reshape(sizes).clone())
