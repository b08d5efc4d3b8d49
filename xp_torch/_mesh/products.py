"""Products of matrices: rows of the first, columns of the second, or sums over the split axis."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from . import collectives
from .collectives import panels
from .elementwise import laid
from .layout import processes
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


def applies(func: object) -> bool:
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
        made = _panelled(func, a, b, mesh, have[1], (last, first), columns, left=True)
        return MeshTensor(made, mesh, (shape_axis(name(func), "rows"),), shape)
    if have[1] is not None and have[1] == columns:
        made = _panelled(func, b, a, mesh, have[0], (first, last), rows, left=False)
        return MeshTensor(made, mesh, (shape_axis(name(func), "columns"),), shape)
    return NotImplemented


def _panelled(
    func: Any, held: MeshTensor, other: Tensor, mesh: object, split: int | None,
    sums: tuple[int, int], free: int | None, left: bool,
) -> Tensor:  # fmt: skip
    """The product of the own rows (or columns) of ``held`` with the whole of ``other``.

    ``other`` is brought in the parts that the processes have, one after the other, unless it is no
    larger than a part of ``held``: no process ever has all of it.
    """
    mine = current(held).part

    def times(x: Tensor, y: Tensor) -> Tensor:
        return func(x, y) if left else func(y, x)  # type: ignore[no-any-return]

    p = processes(mesh, 0)
    exact = not (held.dtype.is_floating_point or held.dtype.is_complex) or (
        held.dtype.itemsize >= 4
    )
    if type(other) is not MeshTensor or split is None:
        return times(mine, whole(other) if type(other) is MeshTensor else other)
    if other.numel() * p <= held.numel() or not exact or split not in (sums[1], free):
        return times(mine, whole(other))
    along, across = sums
    total: Tensor | None = None
    pieces: list[Tensor] = []
    for first, last, panel in panels(current(other).part, split, other.shape[split], mesh, 0):
        if split == across:
            piece = times(mine.narrow(along, first, last - first), panel)
            total = piece if total is None else total.add_(piece)
        else:
            pieces.append(times(mine, panel))
    if total is None:
        side = -1 if left else -2
        return torch.cat(pieces, side) if pieces else times(mine, whole(other))
    return total


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
