"""Joining arrays along new axes, or as rows, columns and blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy
import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._kernels import manipulation

from .._array.ndarray import array_of, ndarray, new
from .._array.typing import OutArray
from .._base.axes import normalize_axis
from .._base.dtypes import promote
from .._base.typing import ArrayLike, Casting, DTypeLike
from .._convert.arguments import operands
from .._kernels.casting import cast
from .dimensions import atleast
from .joining import all_joined, cat, delivered, items_of, joined_along, tensors_alike

__all__ = ["block", "column_stack", "dstack", "hstack", "row_stack", "stack", "vstack"]


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

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.stack(([1, 2], [3, 4]), axis=1)
    array([[1, 3],
           [2, 4]])
    """
    if type(axis) is int and out is None and dtype is None and casting == "same_kind":
        alike = tensors_alike(arrays)
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
    return _general_stack(arrays, axis, out, dtype, casting)


def _general_stack(
    arrays: ArrayLike, axis: int, out: OutArray, dtype: DTypeLike, casting: Casting
) -> ndarray:
    tensors = operands("stack", *items_of("stack", arrays))
    if any(t.shape != tensors[0].shape for t in tensors):
        raise ValueError("all input arrays must have the same shape")
    dim = normalize_axis("stack", axis, tensors[0].dim() + 1)

    def stacked(ts: list[Tensor]) -> Tensor:
        if ts[0].is_contiguous():
            return manipulation.stack(ts, dim)
        return cat([t.unsqueeze(dim) for t in ts], dim)

    return delivered("stack", tensors, stacked, out, dtype, casting)


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

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.hstack(([[1], [2]], [[3], [4]]))
    array([[1, 3],
           [2, 4]])
    """
    if dtype is None and casting == "same_kind":
        alike = tensors_alike(tup)
        if alike is None and (type(tup) is tuple or type(tup) is list):
            alike = tensors_alike([(x,) if type(x) in _NUMBERS else x for x in tup])
        if alike is not None:
            parts = alike[0]
            try:
                joined = torch.cat(parts, 0 if parts[0].dim() == 1 else 1)
            except (RuntimeError, IndexError, ValueError):
                pass  # the general call says what is wrong
            else:
                if all_joined(joined, parts, 0 if joined.dim() == 1 else 1):
                    return array_of(joined)
    return _general_hstack(tup, dtype, casting)


def _general_hstack(tup: ArrayLike, dtype: DTypeLike, casting: Casting) -> ndarray:
    tensors = [atleast(t, 1) for t in operands("hstack", *items_of("hstack", tup, "tup"))]
    return joined_along("hstack", tensors, 0 if tensors[0].dim() == 1 else 1, None, dtype, casting)


_NUMBERS = frozenset({int, float, numpy.float64})
"""Types of numbers that ``hstack`` joins as vectors of one element, of their own dtypes."""


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

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.vstack(([1, 2], [3, 4]))
    array([[1, 2],
           [3, 4]])
    """
    if dtype is None and casting == "same_kind":
        alike = tensors_alike(tup)
        if alike is not None and not (is_dynamo_compiling() and _mixed(alike[0])):
            parts = alike[0]
            rows = parts[0].dim() == 1
            try:
                joined = torch.stack(parts) if rows else torch.cat(parts)
            except RuntimeError:
                pass  # the general call says what is wrong
            else:
                if rows or all_joined(joined, parts, 0):
                    return array_of(joined)
    return _general_vstack(tup, dtype, casting)


def _general_vstack(tup: ArrayLike, dtype: DTypeLike, casting: Casting) -> ndarray:
    tensors = [atleast(t, 2) for t in operands("vstack", *items_of("vstack", tup, "tup"))]
    return joined_along("vstack", tensors, 0, None, dtype, casting)


def _mixed(tensors: list[Tensor]) -> bool:
    """Whether tensors have several numbers of axes: a trace cannot catch torch's error."""
    return any(t.dim() != tensors[0].dim() for t in tensors)


row_stack = vstack


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

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.dstack(([1, 2], [3, 4]))
    array([[[1, 3],
            [2, 4]]])
    """
    tensors = [atleast(t, 3) for t in operands("dstack", *items_of("dstack", tup, "tup"))]
    return joined_along("dstack", tensors, 2, None, None, "same_kind")


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

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.column_stack(([1, 2], [3, 4]))
    array([[1, 3],
           [2, 4]])
    """
    alike = None if is_dynamo_compiling() else tensors_alike(tup)
    if alike is not None:
        tensors, _ = alike
        shape = tensors[0].shape
        if len(shape) == 1 and all(t.shape == shape for t in tensors):
            return array_of(torch.stack(tensors, 1))
    tensors = operands("column_stack", *items_of("column_stack", tup, "tup"))
    columns = [t if t.dim() > 1 else t.reshape(-1, 1) for t in tensors]
    return joined_along("column_stack", columns, 1, None, None, "same_kind")


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


def _depth(arrays: object, position: str, leaves: list[object], empty: list[str]) -> int:
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
    joined = joined_along("block", parts, axis, None, None, "same_kind")
    return joined._tensor
