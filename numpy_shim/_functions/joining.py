"""Joining arrays along an axis that they have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from xp_torch._core import box as _box
from xp_torch._core.dtypes import WIDE_UNSIGNED
from xp_torch._core.errors import translate
from xp_torch._kernels import manipulation

from .._array.ndarray import AnyArray, array_of, ndarray, new
from .._array.typing import OutArray
from .._base.axes import normalize_axis
from .._base.dtypes import check_casting, promote, torch_dtype
from .._base.promotion import WEAK
from .._base.typing import ArrayLike, Casting, DTypeLike
from .._convert.arguments import as_tensor, check_cast, common, finish, operands
from .._convert.sequences import quick_tensor
from .._kernels.casting import cast

__all__ = ["append", "concat", "concatenate"]


def concatenate(
    arrays: ArrayLike,
    /,
    axis: int | None = 0,
    out: OutArray = None,
    *,
    dtype: DTypeLike = None,
    casting: Casting = "same_kind",
) -> ndarray:
    """Arrays joined along one of their axes.

    Parameters
    ----------
    arrays : sequence of array_like
        Arrays whose shapes differ at most along ``axis``.
    axis : int or None
        The axis; ``None`` joins all elements, each array row by row.
    out : ndarray, optional
        Where to write the result.
    dtype : dtype, optional
        The dtype of the result, by default the common one; not allowed with ``out``.
    casting : str
        Which casts to ``dtype``, or to that of ``out``, are allowed.

    Returns
    -------
    ndarray
        The joined arrays.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.concatenate(([[1, 2]], [[3, 4]]), axis=1)
    array([[1, 2, 3, 4]])
    """
    if type(axis) is int and out is None and dtype is None and casting == "same_kind":
        alike = tensors_alike(arrays)
        if alike is not None:
            parts, kind = alike
            try:
                joined = torch.cat(parts, axis) if axis else torch.cat(parts)
            except (RuntimeError, IndexError, ValueError):
                pass  # the general call says what is wrong
            else:
                if (not axis and joined.ndim == 1) or all_joined(joined, parts, axis):
                    result = new(ndarray)
                    result._tensor = joined
                    result._flat_dtype = kind
                    return result
    return _general_concatenate(arrays, axis, out, dtype, casting)


def _general_concatenate(
    arrays: ArrayLike, axis: int | None, out: OutArray, dtype: DTypeLike, casting: Casting
) -> ndarray:
    name = "concatenate"
    items = items_of(name, arrays)
    if axis is None:
        if any(type(x) in WEAK for x in items) and dtype is None:
            flat = [t.reshape(-1) for t in common(name, *items)]
        else:
            flat = [t.reshape(-1) for t in operands(name, *items)]
        return joined_along(name, flat, 0, out, dtype, casting)
    return joined_along(name, operands(name, *items), axis, out, dtype, casting)


concat = concatenate


def tensors_alike(arrays: object) -> tuple[list[Tensor], torch.dtype] | None:
    """The tensors of plain arrays with axes, and lists of numbers, in one dtype, and the dtype.

    ``None`` for others, for unsigned dtypes beyond uint8, which torch's own functions do not take,
    for several dtypes without float64 or complex128 among them, and where the first does not lie
    row by row: the result may not then either.
    """
    if _box.several_devices or (type(arrays) is not list and type(arrays) is not tuple):
        return None
    dtype = None
    is_one = True
    tensors = []
    for a in arrays:
        if type(a) is ndarray:
            t, d = a._tensor, a._flat_dtype
        elif type(a) is list or type(a) is tuple:
            made = quick_tensor(a)
            if made is None:
                return None
            t, d = made, made.dtype
        else:
            return None
        if d is not dtype:
            if d is None or d in WIDE_UNSIGNED:
                return None
            if dtype is None:
                dtype = d
            else:
                dtype, is_one = torch.promote_types(d, dtype), False
        tensors.append(t)
    if not is_one:
        if not (dtype is torch.float64 or dtype is torch.complex128):
            return None
        tensors = [t.to(dtype) for t in tensors]
    if dtype is None or not (tensors[0].is_contiguous() or tensors[0].dim() < 2):
        return None
    return tensors, dtype


def all_joined(joined: Tensor, tensors: list[Tensor], axis: int) -> bool:
    """Whether ``torch.cat`` joined all tensors: it skips empty 1-D ones."""
    ndim = joined.dim()
    if ndim == 1:
        return axis == 0 or axis == -1
    return all(t.dim() == ndim for t in tensors)


def items_of(name: str, arrays: object, argument: str = "arrays") -> list[Any]:
    """The arrays to join, as a list; ``ValueError`` if there are none."""
    if isinstance(arrays, (AnyArray, Tensor)):
        tensor = as_tensor(name, arrays, argument)
        if not tensor.dim():
            raise ValueError(f"{name}: zero-dimensional arrays cannot be concatenated")
        items: list[Any] = [array_of(t) for t in tensor]
    elif isinstance(arrays, (list, tuple, Sequence)):
        items = list(arrays)
    else:
        raise TypeError(
            f'{name}: arrays to stack must be passed as a "sequence" type such as list or tuple; '
            f"{argument} is {type(arrays).__name__}"
        )
    if not items:
        raise ValueError(f"{name}: need at least one array to concatenate")
    return items


def joined_along(
    name: str, tensors: list[Tensor], axis: object, out: object, dtype: object, casting: str
) -> ndarray:
    """Tensors joined along an axis, in a dtype or into ``out``."""
    ndim = tensors[0].dim()
    if any(t.dim() == 0 for t in tensors):
        raise ValueError(f"{name}: zero-dimensional arrays cannot be concatenated")
    for i, t in enumerate(tensors):
        if t.dim() != ndim:
            raise ValueError(
                f"{name}: all the input arrays must have same number of dimensions, but the array "
                f"at index 0 has {ndim} dimension(s) and the array at index {i} has {t.dim()} "
                "dimension(s)"
            )
    dim = normalize_axis(name, axis, ndim)
    first = tensors[0].shape
    for i, t in enumerate(tensors):
        for axis, (size, other) in enumerate(zip(first, t.shape, strict=True)):
            if axis != dim and size != other:
                raise ValueError(
                    f"{name}: all the input array dimensions except for the concatenation axis "
                    f"must match exactly, but along dimension {axis}, the array at index 0 has "
                    f"size {size} and the array at index {i} has size {other}"
                )
    return delivered(name, tensors, lambda ts: cat(ts, dim), out, dtype, casting)


def cat(tensors: list[Tensor], dim: int) -> Tensor:
    """Tensors joined along an axis, in the order of axes in which all of them lie, if they do."""
    ndim = tensors[0].dim()
    if ndim < 2 or tensors[0].is_contiguous():
        return manipulation.concat(tensors, dim)
    axes = _outermost_first(tensors)
    moved = manipulation.concat([t.permute(axes) for t in tensors], axes.index(dim))
    return moved.permute([axes.index(i) for i in range(ndim)])


def _outermost_first(tensors: list[Tensor]) -> list[int]:
    """The axes from the outermost one; where tensors disagree, or none decides, as they are."""
    axes: list[int] = []
    for axis in range(tensors[0].dim()):
        position = len(axes)
        for i, other in reversed(list(enumerate(axes))):
            told = [
                t.stride(axis) > t.stride(other)
                for t in tensors
                if t.shape[axis] != 1 and t.shape[other] != 1
            ]
            if told and not all(told):
                break
            if told:
                position = i
        axes.insert(position, axis)
    return axes


def delivered(
    name: str,
    tensors: list[Tensor],
    join: Callable[[list[Tensor]], Tensor],
    out: Any,
    dtype: Any,
    casting: str,
) -> ndarray:
    if dtype is not None:
        if out is not None:
            raise TypeError(f"{name}() takes `out` or `dtype`, but both were provided")
        wanted = torch_dtype(name, dtype)
    elif out is not None:
        wanted = as_tensor(name, out, "out").dtype
    else:
        wanted = promote(name, *[t.dtype for t in tensors])
    check_casting(name, casting)
    for t in tensors:
        check_cast(name, t.dtype, wanted, casting)
    try:
        joined = join([cast(t, wanted) for t in tensors])
    except RuntimeError as error:
        translate(name, error)
    if out is not None:
        return finish(name, joined, out, casting)
    return array_of(joined)


def append(arr: ArrayLike, values: ArrayLike, axis: int | None = None) -> ndarray:
    """An array and more values after it, in a new array.

    Parameters
    ----------
    arr, values : array_like
        The arrays to join.
    axis : int, optional
        The axis to join along; by default all elements are joined, row by row.

    Returns
    -------
    ndarray
        Of the promoted dtype; 1-D if no ``axis`` is given.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.append([1, 2], [[3, 4]])
    array([1, 2, 3, 4])
    """
    if axis is None and type(arr) is ndarray and arr._tensor.dim() == 1:
        alike = tensors_alike((arr, (values,) if type(values) in (int, float) else values))
        if alike is not None and alike[0][1].dim() == 1:
            return array_of(torch.cat(alike[0]))
    tensors = operands("append", arr, values, arguments=("arr", "values"))
    if axis is None:
        tensors, axis = [t.reshape(-1) for t in tensors], 0
    return joined_along("append", tensors, axis, None, None, "same_kind")
