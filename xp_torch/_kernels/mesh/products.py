"""Products of matrices: rows of the first, columns of the second, or sums over the split axis."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from . import collectives
from .elementwise import laid
from .schema import mesh_of, mesh_tensors, name
from .tensor import MeshTensor, current, replicated, whole

# For each operation the axes of the two operands: batch, rows, sum, columns.
_AXES: dict[str, tuple[int | None, int | None, tuple[int, int], int | None]] = {
    "mm": (None, 0, (1, 0), 1),
    "mv": (None, 0, (1, 0), None),
    "dot": (None, None, (0, 0), None),
    "vdot": (None, None, (0, 0), None),
    "bmm": (0, 1, (2, 1), 2),
}


def applies(func: Any) -> bool:
    return name(func) in _AXES


def product(func: Any, args: Any, kwargs: Any) -> Any:
    """The rule for a product of two tensors on a mesh of one dimension."""
    spread = mesh_tensors(args, kwargs)
    mesh = mesh_of(func, spread)
    if mesh.ndim != 1 or len(args) != 2 or kwargs:
        return NotImplemented
    a, b = args
    batch, rows, (last, first), columns = _AXES[name(func)]
    have = [t.axes[0] if type(t) is MeshTensor else None for t in args]
    shape = _shape(name(func), a, b)
    if a.shape[last] != b.shape[first] or (batch is not None and a.shape[0] != b.shape[0]):
        return NotImplemented
    if batch is not None and batch in have:
        parts = [laid(t, mesh, (batch,)) for t in args]
        return MeshTensor(func(*parts), mesh, (0,), shape)
    if have[0] == last or have[1] == first:
        larger = a.numel() + b.numel() >= torch.Size(shape).numel()
        exact = not (a.dtype.is_floating_point or a.dtype.is_complex) or a.dtype.itemsize >= 4
        crossed = (have[0] == rows and rows is not None) or (
            have[1] == columns and columns is not None
        )
        if larger and exact and not crossed:
            parts = [laid(a, mesh, (last,)), laid(b, mesh, (first,))]
            result = collectives.summed(func(*parts), mesh, 0)
            return MeshTensor(result, mesh, (None,), shape)
    if have[0] is not None and have[0] == rows:
        other = whole(b) if type(b) is MeshTensor else b
        made = func(current(a).part, other)
        return MeshTensor(made, mesh, (shape_axis(name(func), "rows"),), shape)
    if have[1] is not None and have[1] == columns:
        other = whole(a) if type(a) is MeshTensor else a
        made = func(other, current(b).part)
        return MeshTensor(made, mesh, (shape_axis(name(func), "columns"),), shape)
    return NotImplemented


def shape_axis(kind: str, side: str) -> int:
    """Where the rows or the columns stand in the result."""
    return {"mm": 0, "mv": 0, "bmm": 1}[kind] + (side == "columns")


def _shape(kind: str, a: Tensor, b: Tensor) -> list[int]:
    if kind == "mm":
        return [a.shape[0], b.shape[1]]
    if kind == "mv":
        return [a.shape[0]]
    if kind == "bmm":
        return [a.shape[0], a.shape[1], b.shape[2]]
    return []


__all__ = ["applies", "product", "replicated"]
