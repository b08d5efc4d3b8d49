"""Joining arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from xp_torch._core import box as _box
from xp_torch._core.dtypes import WIDE_UNSIGNED
from xp_torch._core.errors import translate
from xp_torch._kernels import manipulation

from .._array.ndarray import AnyArray, array_of, ndarray, new
from .._array.typing import OutArray
from .._convert.arguments import as_tensor, check_cast, common, finish, operands
from .._convert.host_dtypes import handed, hosted
from .._convert.sequences import quick_tensor
from .._core.axes import normalize_axis
from .._core.dtypes import HostDtypeError, check_casting, promote, torch_dtype
from .._core.promotion import WEAK
from .._core.typing import ArrayLike, Casting, DTypeLike
from .._kernels.casting import cast
from .manipulation import atleast

__all__ = [
    "append", "block", "column_stack", "concat", "concatenate", "dstack", "hstack",
    "row_stack", "stack", "vstack",
]  # fmt: skip


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

    Raises
    ------
    AxisError
        For an axis that is not there.
    TypeError
        For arrays not in a sequence, a cast that ``casting`` does not allow, or both ``out``
        and ``dtype``.
    ValueError
        For no arrays, arrays without axes, or shapes that do not match.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.concatenate(([[1, 2]], [[3, 4]]), axis=1)
    array([[1, 2, 3, 4]])
    """
    if type(axis) is int and out is None and dtype is None and casting == "same_kind":
        alike = _alike(arrays)
        if alike is not None and (alike[0][0].is_contiguous() or alike[0][0].dim() < 2):
            parts, kind = alike
            try:
                joined = torch.cat(parts, axis) if axis else torch.cat(parts)
            except (RuntimeError, IndexError, ValueError):
                pass  # the general call says what is wrong
            else:
                if (not axis and joined.ndim == 1) or _is_joined(joined, parts, axis):
                    result = new(ndarray)
                    result._tensor = joined
                    result._flat_dtype = kind
                    return result
    try:
        name = "concatenate"
        items = _items(name, arrays)
        if axis is None:
            if any(type(x) in WEAK for x in items) and dtype is None:
                flat = [t.reshape(-1) for t in common(name, *items)]
            else:
                flat = [t.reshape(-1) for t in operands(name, *items)]
            return _joined(name, flat, 0, out, dtype, casting)
        return _joined(name, operands(name, *items), axis, out, dtype, casting)
    except HostDtypeError as error:
        return handed(
            error, "concatenate", (arrays, axis, out), {"dtype": dtype, "casting": casting}
        )


concat = concatenate


def _alike(arrays: Any) -> tuple[list[Tensor], torch.dtype] | None:
    """The tensors of plain arrays with axes, and lists of numbers, of one dtype, and the dtype.

    ``None`` for others, and for unsigned dtypes beyond uint8, which torch's own functions do not
    take.
    """
    if _box.several_devices or (type(arrays) is not list and type(arrays) is not tuple):
        return None
    dtype = None
    tensors = []
    for a in arrays:
        if type(a) is ndarray:
            t, d = a._tensor, a._flat_dtype
        elif type(a) is list or type(a) is tuple:
            made = quick_tensor(a)
            if made is None:
                return None
            t, d = made, made.dtype
            if dtype is torch.float64 and d is torch.int64:
                t, d = made.to(torch.float64), dtype
        else:
            return None
        if dtype is None:
            if d is None or d in WIDE_UNSIGNED:
                return None
            dtype = d
        elif d is not dtype:
            return None
        tensors.append(t)
    return None if dtype is None else (tensors, dtype)


def _is_joined(joined: Tensor, tensors: list[Tensor], axis: int) -> bool:
    """Whether ``torch.cat`` joined all tensors: it skips empty 1-D ones."""
    ndim = joined.dim()
    if ndim == 1:
        return axis == 0 or axis == -1
    return all(t.dim() == ndim for t in tensors)


def _items(name: str, arrays: Any, argument: str = "arrays") -> list[Any]:
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


def _joined(
    name: str, tensors: list[Tensor], axis: Any, out: Any, dtype: Any, casting: str
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
    return _delivered(name, tensors, lambda ts: _cat(ts, dim), out, dtype, casting)


def _cat(tensors: list[Tensor], dim: int) -> Tensor:
    """Tensors joined along an axis; in Fortran order if all of them are, as NumPy does it."""
    ndim = tensors[0].dim()
    if ndim < 2 or tensors[0].is_contiguous():
        return manipulation.concat(tensors, dim)
    reverse = tuple(range(ndim - 1, -1, -1))
    reversed_ = [t.permute(reverse) for t in tensors]
    if not all(t.is_contiguous() for t in reversed_):
        return manipulation.concat(tensors, dim)
    return manipulation.concat(reversed_, ndim - 1 - dim).permute(reverse)


def _delivered(
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


def stack(
    arrays: ArrayLike,
    axis: int = 0,
    out: OutArray = None,
    *,
    dtype: DTypeLike = None,
    casting: Casting = "same_kind",
) -> ndarray:
    """Arrays of one shape joined along a new axis.

    Parameters
    ----------
    arrays : sequence of array_like
        The arrays.
    axis : int
        The position of the new axis in the result.
    out, dtype, casting : optional
        As in ``concatenate``.

    Returns
    -------
    ndarray
        Of the promoted dtype, with one axis more than the arrays.

    Raises
    ------
    AxisError
        For an axis that is not there.
    ValueError
        For no arrays, arrays of different shapes, or an ``out`` of another shape.
    TypeError
        For arrays not in a sequence, both ``out`` and ``dtype``, or a cast that ``casting`` does
        not allow.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.stack(([1, 2], [3, 4]), axis=1)
    array([[1, 3],
           [2, 4]])
    """
    if type(axis) is int and out is None and dtype is None and casting == "same_kind":
        alike = _alike(arrays)
        if alike is not None:
            parts, kind = alike
            try:
                joined = torch.stack(parts, axis)
            except (RuntimeError, IndexError, ValueError):
                pass  # the general call says what is wrong
            else:
                result = new(ndarray)
                result._tensor = joined
                result._flat_dtype = kind
                return result
    try:
        tensors = operands("stack", *_items("stack", arrays))
        if any(t.shape != tensors[0].shape for t in tensors):
            raise ValueError("all input arrays must have the same shape")
        dim = normalize_axis("stack", axis, tensors[0].dim() + 1)
        return _delivered(
            "stack", tensors, lambda ts: manipulation.stack(ts, dim), out, dtype, casting
        )
    except HostDtypeError as error:
        return handed(error, "stack", (arrays, axis, out), {"dtype": dtype, "casting": casting})


def hstack(tup: ArrayLike, *, dtype: DTypeLike = None, casting: Casting = "same_kind") -> ndarray:
    """Arrays joined along the second axis; 1-D arrays are joined along their only axis.

    Parameters
    ----------
    tup : sequence of array_like
        The arrays.
    dtype, casting : optional
        As in ``concatenate``.

    Returns
    -------
    ndarray
        Of the promoted dtype; a 0-D array counts as one element.

    Raises
    ------
    ValueError
        For no arrays, or shapes that do not match.
    TypeError
        For arrays not in a sequence, or a cast that ``casting`` does not allow.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.hstack(([[1], [2]], [[3], [4]]))
    array([[1, 3],
           [2, 4]])
    """
    if dtype is None and casting == "same_kind":
        alike = _alike(tup)
        if alike is not None:
            parts = alike[0]
            try:
                joined = torch.cat(parts, 0 if parts[0].dim() == 1 else 1)
            except (RuntimeError, IndexError, ValueError):
                pass  # the general call says what is wrong
            else:
                if _is_joined(joined, parts, 0 if joined.dim() == 1 else 1):
                    return array_of(joined)
    try:
        tensors = [atleast(t, 1) for t in operands("hstack", *_items("hstack", tup, "tup"))]
        return _joined("hstack", tensors, 0 if tensors[0].dim() == 1 else 1, None, dtype, casting)
    except HostDtypeError as error:
        return handed(error, "hstack", (tup,), {"dtype": dtype, "casting": casting})


def vstack(tup: ArrayLike, *, dtype: DTypeLike = None, casting: Casting = "same_kind") -> ndarray:
    """Arrays joined along the first axis; 1-D arrays are rows.

    Parameters
    ----------
    tup : sequence of array_like
        The arrays.
    dtype, casting : optional
        As in ``concatenate``.

    Returns
    -------
    ndarray
        Of the promoted dtype, with two axes or more.

    Raises
    ------
    ValueError
        For no arrays, or shapes that do not match.
    TypeError
        For arrays not in a sequence, or a cast that ``casting`` does not allow.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.vstack(([1, 2], [3, 4]))
    array([[1, 2],
           [3, 4]])
    """
    if dtype is None and casting == "same_kind":
        alike = _alike(tup)
        if alike is not None:
            parts = alike[0]
            rows = parts[0].dim() == 1
            try:
                joined = torch.stack(parts) if rows else torch.cat(parts)
            except RuntimeError:
                pass  # the general call says what is wrong
            else:
                if rows or _is_joined(joined, parts, 0):
                    return array_of(joined)
    try:
        tensors = [atleast(t, 2) for t in operands("vstack", *_items("vstack", tup, "tup"))]
        return _joined("vstack", tensors, 0, None, dtype, casting)
    except HostDtypeError as error:
        return handed(error, "vstack", (tup,), {"dtype": dtype, "casting": casting})


row_stack = vstack


@hosted
def dstack(tup: ArrayLike) -> ndarray:
    """Arrays joined along the third axis.

    Parameters
    ----------
    tup : sequence of array_like
        The arrays. A 1-D array of shape ``(N,)`` counts as ``(1, N, 1)``, a 2-D one of shape
        ``(M, N)`` as ``(M, N, 1)``.

    Returns
    -------
    ndarray
        Of the promoted dtype, with three axes or more.

    Raises
    ------
    ValueError
        For no arrays, or shapes that do not match.
    TypeError
        For arrays not in a sequence.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.dstack(([1, 2], [3, 4]))
    array([[[1, 3],
            [2, 4]]])
    """
    tensors = [atleast(t, 3) for t in operands("dstack", *_items("dstack", tup, "tup"))]
    return _joined("dstack", tensors, 2, None, None, "same_kind")


@hosted
def column_stack(tup: ArrayLike) -> ndarray:
    """1-D arrays joined as the columns of a matrix; 2-D arrays are joined as they are.

    Parameters
    ----------
    tup : sequence of array_like
        The arrays, all with the same number of rows.

    Returns
    -------
    ndarray
        Of the promoted dtype, with two axes.

    Raises
    ------
    ValueError
        For no arrays, or shapes that do not match.
    TypeError
        For arrays not in a sequence.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.column_stack(([1, 2], [3, 4]))
    array([[1, 3],
           [2, 4]])
    """
    tensors = operands("column_stack", *_items("column_stack", tup, "tup"))
    columns = [t if t.dim() > 1 else t.reshape(-1, 1) for t in tensors]
    return _joined("column_stack", columns, 1, None, None, "same_kind")


@hosted
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

    Raises
    ------
    AxisError
        For an axis that is not there.
    ValueError
        For shapes that do not match.
    TypeError
        For an axis that is not an integer.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.append([1, 2], [[3, 4]])
    array([1, 2, 3, 4])
    """
    tensors = operands("append", arr, values, arguments=("arr", "values"))
    if axis is None:
        tensors, axis = [t.reshape(-1) for t in tensors], 0
    return _joined("append", tensors, axis, None, None, "same_kind")


@hosted
def block(arrays: ArrayLike) -> ndarray:
    """An array from nested lists of blocks.

    The innermost lists are joined along the last axis, the lists around them along the
    second last axis, and so on.

    Parameters
    ----------
    arrays : nested list of array_like
        The blocks, all at the same depth.

    Returns
    -------
    ndarray
        A new array of the promoted dtype.

    Raises
    ------
    ValueError
        For an empty list, blocks at different depths, or shapes that do not match.
    TypeError
        For a tuple.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.block([[np.eye(2), np.zeros((2, 1))], [np.ones((1, 3))]])
    array([[1., 0., 0.],
           [0., 1., 0.],
           [1., 1., 1.]])
    """
    leaves: list[Any] = []
    empty: list[str] = []
    depth = _depth(arrays, "arrays", leaves, empty)
    if empty:
        raise ValueError(f"block: list at {empty[0]} cannot be empty")
    tensors = operands("block", *leaves)
    ndim = max(depth, *[t.dim() for t in tensors])
    kind = promote("block", *[t.dtype for t in tensors])
    blocks = iter([_widened(cast(t, kind), ndim) for t in tensors])
    made = _block(arrays, depth, blocks)
    return array_of(made.clone() if depth == 0 else made)


def _widened(tensor: Tensor, ndim: int) -> Tensor:
    """The tensor with new first axes, so that it has ``ndim`` axes."""
    return tensor[(None,) * (ndim - tensor.dim())] if tensor.dim() < ndim else tensor


def _depth(arrays: Any, position: str, leaves: list[Any], empty: list[str]) -> int:
    """The depth of nested lists, which must be uniform.

    It adds the blocks to ``leaves``, and the positions of empty lists to ``empty``.
    """
    if isinstance(arrays, tuple):
        raise TypeError(
            f"block: {position} is a tuple. Only lists can be used to arrange blocks, and np.block "
            "does not allow implicit conversion from tuple to ndarray."
        )
    if not isinstance(arrays, list):
        leaves.append(arrays)
        return 0
    if not arrays:
        empty.append(position)
        return 1
    depths = [_depth(a, f"{position}[{i}]", leaves, empty) for i, a in enumerate(arrays)]
    if len(set(depths)) > 1:
        raise ValueError(f"block: list depths are mismatched in {position}")
    return depths[0] + 1


def _block(arrays: Any, depth: int, blocks: Iterator[Tensor]) -> Tensor:
    if depth == 0:
        return next(blocks)
    parts = [_block(a, depth - 1, blocks) for a in arrays]
    axis = parts[0].dim() - depth
    joined = _joined("block", parts, axis, None, None, "same_kind")
    return joined._tensor
