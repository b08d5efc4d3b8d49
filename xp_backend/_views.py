"""View operators: the geometry is computed on a meta tensor, the cell is shared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from ._operators import aten
from ._tensor import BackendTensor, is_whole
from ._torch_internals import correct_aliasing, set_conj, set_neg

UNSAFE_VIEW = aten("_unsafe_view.default")
VIEW = aten("view.default")
Geometry = tuple[list[int], list[int], int]
"""A shape, strides, and the offset of the first element."""

ONTO = ("detach", "alias", "lift_fresh")
"""Operators whose result has the argument's geometry."""


def shadow(tensor: Tensor) -> Tensor:
    """A meta tensor with the geometry of a tensor, over a storage as large as needed."""
    offset = tensor.storage_offset()
    shape, strides = tensor.shape, tensor.stride()
    extent = offset + 1 + sum((n - 1) * s for n, s in zip(shape, strides, strict=True) if n)
    if not tensor.numel():
        extent = offset
    base = torch.empty(extent, dtype=tensor.dtype, device="meta")
    meta = base.as_strided(shape, strides, offset)
    if tensor.is_conj():
        set_conj(meta, True)
    if tensor.is_neg():
        set_neg(meta, True)
    return meta


def like(tensor: BackendTensor, meta: Tensor) -> BackendTensor:
    """A tensor over the cell of another, with the geometry of a meta tensor."""
    made = BackendTensor(
        tensor.cell, tuple(meta.shape), meta.stride(), meta.storage_offset(), meta.dtype
    )
    if meta.is_conj():
        set_conj(made, True)
        made.whole = False
    if meta.is_neg():
        set_neg(made, True)
        made.whole = False
    return made


def selected(x: Tensor, dim: int, index: int) -> Geometry:
    """The geometry of ``x[index]`` along an axis."""
    shape, strides = list(x.shape), list(x.stride())
    size = shape.pop(dim)
    index = range(size)[index]
    step = strides.pop(dim)
    return shape, strides, int(x.storage_offset()) + index * step


def sliced(
    x: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Geometry:
    """The geometry of ``x[start:end:step]`` along an axis."""
    shape, strides = list(x.shape), list(x.stride())
    first, last, step = slice(start, end, step).indices(shape[dim])
    found = int(x.storage_offset()) + first * strides[dim]
    shape[dim] = len(range(first, last, step))
    strides[dim] *= step
    return shape, strides, found


_EVERYDAY: dict[Any, Callable[..., Geometry]] = {
    aten("select.int"): selected,
    aten("slice.Tensor"): sliced,
}
"""Views of the everyday keys, whose geometry is computed without a meta tensor."""


def everyday(op: Any, args: tuple[Any, ...]) -> BackendTensor | None:
    """The result of a view operator with plain arguments; ``None`` for the others."""
    tensor: BackendTensor = args[0]
    for item in args[1:]:
        if type(item) is not int and item is not None:
            return None
    if tensor.is_conj() or tensor.is_neg():
        return None
    try:
        shape, strides, offset = _EVERYDAY[op](*args)
    except (IndexError, ValueError):  # torch says what is wrong
        return None
    return BackendTensor(tensor.cell, tuple(shape), tuple(strides), offset, tensor.dtype)


def view(op: Any, args: tuple[Any, ...], kwargs: dict[str, object]) -> Any:
    """The results of a view operator, over the cell of its first argument."""
    tensor: BackendTensor = args[0]
    if op in _EVERYDAY and not kwargs and (made := everyday(op, args)) is not None:
        return correct_aliasing(op, args, kwargs, made)
    found = (VIEW if op is UNSAFE_VIEW else op)(shadow(tensor), *args[1:], **kwargs)
    if isinstance(found, (list, tuple)):
        results: Any = type(found)([like(tensor, m) for m in found])
    else:
        results = like(tensor, found)
    if op is UNSAFE_VIEW:
        return results
    return correct_aliasing(op, args, kwargs, results)


def same_view(op: object, args: tuple[Any, ...], kwargs: dict[str, object]) -> Any:
    """``detach`` and ``alias``: another tensor over the cell, of the same geometry."""
    made = args[0].again()
    return correct_aliasing(op, args, kwargs, made)


def change_view(op: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``transpose_``, ``squeeze_`` and the like: the tensor itself gets the new geometry."""
    result = correct_aliasing(op, args, kwargs, args[0])
    args[0].whole = is_whole(args[0])
    return result
