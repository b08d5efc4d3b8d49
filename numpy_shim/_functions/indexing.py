"""Functions that select elements by index or condition."""

from __future__ import annotations

import builtins
import warnings
from collections.abc import Sequence
from typing import Any, SupportsIndex

import torch
from torch import Tensor

from xp_torch._core import box as _box
from xp_torch._core.dtypes import WIDE_UNSIGNED
from xp_torch._core.errors import REFUSALS
from xp_torch._kernels import indexing as kernels
from xp_torch._kernels import manipulation, searching
from xp_torch._kernels.blocks import is_large
from xp_torch._torch.internals import is_empty

from .._array.ndarray import array_of, ndarray, new
from .._array.typing import OutArray
from .._base.axes import MAX_DIMS, broadcast_shapes, check_flat, normalize_axis
from .._base.dtypes import CASTABLE, INTEGERS, NUMPY, promote
from .._base.promotion import WEAK, beside_number
from .._base.release import TAKE_INTO_OTHER_KINDS
from .._base.tracing import caller
from .._base.typing import ArrayLike
from .._convert.arguments import (
    as_tensor,
    check_cast,
    check_out,
    device_of,
    finish,
    operands,
    promoted,
)
from .._convert.foreign import placed
from .._convert.outputs import output_of
from .._convert.sequences import from_numbers
from .._indexing.arguments import indices_of, known_outside, mode_of, within
from .._indexing.keys import check_bounds, out_of_bounds
from .._kernels import elements
from .._kernels.casting import cast

__all__ = ["choose", "compress", "extract", "select", "take", "take_along_axis"]

_MOVED = frozenset(NUMPY) - WIDE_UNSIGNED
_INT = {int}


def take(
    a: ArrayLike,
    indices: ArrayLike,
    axis: SupportsIndex | None = None,
    out: OutArray = None,
    mode: str = "raise",
) -> ndarray:
    """The elements at ``indices``, or the slices there along an axis.

    Parameters
    ----------
    a : array_like
        The array to take from.
    indices : array_like of int
        The indices, of any shape. If ``mode`` is ``'raise'``, negative ones count from the end.
    axis : int, optional
        The axis; by default ``a`` is flattened.
    out : ndarray, optional
        Where to write the result.
    mode : {'raise', 'wrap', 'clip'}
        How to handle an index out of bounds. Values are checked on the CPU only: with
        ``'raise'``, another device reports its own error.

    Returns
    -------
    ndarray or scalar
        The shape of ``a``, with the axis replaced by the shape of ``indices``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.take([4, 3, 5, 7], [[0, 1], [2, 3]])
    array([[4, 3],
           [5, 7]])
    """
    one = type(indices) is int and axis is None and mode == "raise"
    if one and type(a) is ndarray and out is None:
        try:
            return (a if a._tensor.dim() == 1 else a.reshape(-1))[indices]
        except IndexError:
            pass  # the general call says which index is out of bounds
    if type(indices) is int and type(axis) is int and type(a) is ndarray and mode == "raise":
        ndim = a._tensor.dim()
        if out is None and 0 <= axis < ndim > 1:
            try:
                return a[(slice(None),) * axis + (indices,)].copy()
            except IndexError:
                pass
    if type(indices) is list and type(a) is ndarray and {*map(type, indices)} == _INT:
        try:
            numbers = from_numbers(indices, torch.int64)
            indices = array_of(placed("take", numbers, a._tensor.device))
        except (OverflowError, RuntimeError):
            pass  # beyond int64; the general call raises the error
    if type(a) is ndarray and type(indices) is ndarray and out is None and mode == "raise":
        t, i = a._tensor, indices._tensor
        d = a._flat_dtype or t.dtype
        if (
            indices._flat_dtype is torch.int64
            and type(i) is Tensor  # Dynamo would not see in a tuple that it runs backwards
            and i.dim() == 1
            and d in _MOVED
            and not (_box.several_devices and t.device != i.device)
        ):
            try:
                if axis is None and t.dim() == 1 and is_large(i):
                    result = elements.selected(t, i)
                elif axis is None:
                    result = torch.take(t, i)
                elif type(axis) is int and 0 <= axis < t.dim() and t.numel():
                    result = kernels.native_take(t, i, axis)
                else:
                    return _general_take(a, indices, axis, out, mode)
            except REFUSALS:
                pass  # the general call says which index is out of bounds
            else:
                made = new(ndarray)
                made._tensor = result
                made._flat_dtype = d
                return made
    return _general_take(a, indices, axis, out, mode)


def _general_take(a: Any, indices: Any, axis: object, out: object, mode: object) -> ndarray:
    name = "take"
    t = as_tensor(name, a, device=device_of(indices))
    mode = mode_of(name, mode)
    i = indices_of(name, indices, "indices", t.device)
    operands(name, t, i)
    if axis is None or not t.dim():
        if axis is not None:
            normalize_axis(name, axis, 1)
        t, axis = t.reshape(-1), 0
    else:
        axis = normalize_axis(name, axis, t.dim())
    shape = t.shape[:axis] + i.shape + t.shape[axis + 1 :]
    looks = mode == "raise" and not is_empty(t.shape[:axis])  # NumPy does once for each of these
    empty = is_empty(shape)
    if looks or not empty:
        i = within(name, t, axis, i, mode)
    if empty:
        result = t.new_empty(shape)
    else:
        result = kernels.take(t, i.reshape(-1), axis).reshape(shape)
    if out is not None:
        target = check_out(name, out, shape)
        if not TAKE_INTO_OTHER_KINDS:
            # NumPy fills a copy of ``out`` in the dtype of ``a`` and copies it back.
            check_cast(f"{name}: out", target._tensor.dtype, t.dtype, "safe")
        elif (t.dtype, target._tensor.dtype) not in CASTABLE["same_kind"]:
            warnings.warn(
                "Implicit casting of output to a different kind is deprecated. In a future "
                "version, this will result in an error. (Deprecated NumPy 2.5)",
                DeprecationWarning,
                stacklevel=caller(),
            )
    return finish(name, result, out, "unsafe")


def take_along_axis(arr: ArrayLike, indices: ArrayLike, axis: SupportsIndex | None = -1) -> ndarray:
    """For each line along an axis, the elements at its own indices.

    Parameters
    ----------
    arr : array_like
        The array.
    indices : array of int
        Indices along the axis; its other axes broadcast with those of ``arr``.
    axis : int or None
        The axis; ``None`` flattens ``arr``, and then ``indices`` has one axis.

    Returns
    -------
    ndarray
        The elements, as ``sort`` would give for the indices of ``argsort``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> a = np.array([[10, 30, 20], [60, 40, 50]])
    >>> np.take_along_axis(a, np.argsort(a, axis=1), axis=1)
    array([[10, 20, 30],
           [40, 50, 60]])
    """
    name = "take_along_axis"
    t, i = operands(name, arr, indices, arguments=("arr", "indices"))
    t, i, axis, others = along(name, t, i, axis)
    if others is not None:
        t = t.expand(*others[:axis], t.shape[axis], *others[axis:])
        i = i.expand(*others[:axis], i.shape[axis], *others[axis:])
    try:
        return array_of(kernels.take_along(t, i, axis))
    except REFUSALS:
        check_bounds(name, t, [axis], [i])
        raise


def along(
    name: str, t: Tensor, i: Tensor, axis: object
) -> tuple[Tensor, Tensor, int, tuple[int, ...] | None]:
    """The tensor, int64 indices and axis of a function along one axis, checked.

    Also the broadcast sizes of the other axes, if the two arrays differ in them.
    """
    if i.dtype not in INTEGERS:
        raise IndexError(f"{name}: `indices` must be an integer array, not {NUMPY[i.dtype]}")
    if axis is None:
        if i.dim() != 1:
            raise ValueError(f"{name}: when axis=None, `indices` must have a single dimension.")
        return t.reshape(-1), i.to(torch.int64), 0, None
    axis = normalize_axis(name, axis, t.dim())
    if i.dim() != t.dim():
        raise ValueError(
            f"{name}: `indices` and `arr` must have the same number of dimensions, not "
            f"{i.dim()} and {t.dim()}"
        )
    sizes, others = [[n for k, n in enumerate(x.shape) if k != axis] for x in (t, i)]
    i = i.to(torch.int64)
    if sizes == others:
        return t, i, axis, None
    try:
        return t, i, axis, broadcast_shapes(name, sizes, others)
    except ValueError as error:
        raise IndexError(f"{error} as index arrays") from None


def choose(a: ArrayLike, choices: ArrayLike, out: OutArray = None, mode: str = "raise") -> ndarray:
    """Choose each element from one of several arrays; ``a`` holds the array's number.

    Parameters
    ----------
    a : array_like of int
        Numbers of choices.
    choices : sequence of array_like
        The arrays to choose from; they broadcast with ``a``.
    out : ndarray, optional
        Where to write the result.
    mode : {'raise', 'wrap', 'clip'}
        How to handle a number that is not that of a choice; checked on the CPU only.

    Returns
    -------
    ndarray or scalar
        Of the common dtype of the choices.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.choose([0, 1, 0], [[1, 2, 3], [10, 20, 30]])
    array([ 1, 20,  3])
    """
    name = "choose"
    mode = mode_of(name, mode)
    given = list(choices)  # type: ignore[arg-type]
    if not given:
        raise ValueError(f"{name}: 0-length sequence of choices.")
    if len(given) >= MAX_DIMS:
        raise ValueError(f"{name}: Need at least 0 and at most {MAX_DIMS} array objects.")
    i = indices_of(name, a, "a", device_of(a, *given), strict=True)
    tensors = _in_common(name, given)
    operands(name, i, *tensors)
    shape = broadcast_shapes(name, i.shape, *[t.shape for t in tensors])
    check_flat(name, len(shape))
    count = len(tensors)
    if mode == "raise":
        if known_outside(i, 0, count):
            raise ValueError(f"{name}: invalid entry in choice array")
    elif mode == "wrap":
        i = torch.remainder(i, count)
    else:
        i = torch.clamp(i, 0, count - 1)
    if out is not None and output_of(name, out)._tensor.shape != shape:
        raise TypeError(f"{name}: invalid shape for output array")
    result = _chosen(i.expand(shape), [t.expand(shape) for t in tensors])
    return finish(name, result, out, "unsafe")


_FEW = 8
"""Up to this number of choices, one after the other is written into a large result."""


def _chosen(i: Tensor, choices: list[Tensor]) -> Tensor:
    """The element of the tensor that each index says."""
    if len(choices) <= _FEW and is_large(i) and not any(t.requires_grad for t in choices):
        result = choices[0].clone(memory_format=torch.contiguous_format)
        for number, choice in enumerate(choices[1:], 1):
            searching.write_where(result, torch.eq(i, number), choice)
        return result
    return kernels.take_along(manipulation.stack(choices), i.unsqueeze(0), 0).squeeze(0)


def _in_common(name: str, xs: list[Any]) -> list[Tensor]:
    """Choices in their common dtype; Python numbers are weak, and wrap around in it."""
    device = device_of(*xs)
    tensors = [as_tensor(name, x, "choices", device) for x in xs]
    strong = [t.dtype for x, t in zip(xs, tensors, strict=True) if type(x) not in WEAK]
    if not strong:
        return promoted(name, tensors)
    dtype = promote(name, *strong)
    for x in xs:
        if type(x) in WEAK:
            dtype = beside_number(dtype, type(x))
    return [cast(t, dtype) for t in tensors]


def compress(
    condition: ArrayLike, a: ArrayLike, axis: SupportsIndex | None = None, out: OutArray = None
) -> ndarray:
    """The slices along an axis where a condition is true. Synchronises with the device.

    Parameters
    ----------
    condition : array_like of bool, 1-D
        The slices to take; slices beyond its end are left out.
    a : array_like
        The array.
    axis : int, optional
        The axis; by default ``a`` is flattened.
    out : ndarray, optional
        Where to write the result.

    Returns
    -------
    ndarray
        The slices.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.compress([0, 1], [[1, 2], [3, 4], [5, 6]], axis=0)
    array([[3, 4]])
    """
    name = "compress"
    mask, t = operands(name, condition, a, arguments=("condition", "a"))
    if mask.dim() != 1:
        raise ValueError(f"{name}: condition must be a 1-d array, not of {mask.dim()} dimensions")
    return _general_take(t, array_of(elements.nonzero(mask)[0]), axis, out, "raise")


def extract(condition: ArrayLike, arr: ArrayLike) -> ndarray:
    """The elements where a condition is true, 1-D. Synchronises with the device.

    Parameters
    ----------
    condition : array_like
        Nonzero for the elements to take; flattened, as ``arr`` is.
    arr : array_like
        The array.

    Returns
    -------
    ndarray
        The elements, row by row.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.extract([[True, False], [False, True]], [[1, 2], [3, 4]])
    array([1, 4])
    """
    name = "extract"
    mask, t = operands(name, condition, arr, arguments=("condition", "arr"))
    found = elements.nonzero(mask.reshape(-1))[0]
    t = t.reshape(-1)
    if (not t.numel() or mask.numel() > t.numel()) and found.numel():
        last = int(found[-1])
        if last >= t.numel():
            raise out_of_bounds(name, last, 0, t.numel()) from None
    return array_of(kernels.take(t, found, 0))


def select(
    condlist: Sequence[ArrayLike], choicelist: Sequence[ArrayLike], default: ArrayLike = 0
) -> ndarray:
    """For each element, the first of several choices whose condition is true.

    Parameters
    ----------
    condlist : list of boolean arrays
        Conditions.
    choicelist : list of array_like
        The values to choose where each condition is true; all broadcast together.
    default : array_like
        The value where no condition is true.

    Returns
    -------
    ndarray
        Of the common dtype of the choices and the default; Python numbers are weak.

    Examples
    --------
    >>> import numpy_shim as np
    >>> x = np.arange(5)
    >>> np.select([x < 2, x > 2], [x, x**2], default=-1)
    array([ 0,  1, -1,  9, 16])
    """
    name = "select"
    if len(condlist) != len(choicelist):
        raise ValueError(f"{name}: list of cases must be same length as list of conditions")
    if not len(condlist):
        raise ValueError(f"{name}: select with an empty condition list is not possible")
    device = device_of(*condlist, *choicelist, default)
    masks = [as_tensor(name, c, "condlist", device) for c in condlist]
    for i, mask in enumerate(masks):
        if mask.dtype is not torch.bool:
            raise TypeError(f"{name}: invalid entry {i} in condlist: should be boolean ndarray")
    choices = _in_common(name, [*choicelist, default])
    operands(name, *masks, *choices)
    shape = broadcast_shapes(name, *[t.shape for t in (*masks, *choices)])
    result = choices[-1].expand(shape)
    cases = builtins.reversed(list(zip(masks, choices, strict=False)))
    if is_large(result) and not any(t.requires_grad for t in choices):
        result = result.clone(memory_format=torch.contiguous_format)
        for mask, choice in cases:
            searching.write_where(result, mask, choice)
        return array_of(result)
    for mask, choice in cases:
        result = searching.where(mask, choice, result)
    return array_of(result.contiguous())
