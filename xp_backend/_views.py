"""View operators: the geometry is computed on a meta tensor, the cell is shared."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ._operators import aten
from ._tensor import BackendTensor, is_whole
from ._torch_internals import correct_aliasing, set_conj, set_neg

UNSAFE_VIEW = aten("_unsafe_view.default")
VIEW = aten("view.default")
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


def view(op: Any, args: tuple[Any, ...], kwargs: dict[str, object]) -> Any:
    """The results of a view operator, over the cell of its first argument."""
    tensor: BackendTensor = args[0]
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
