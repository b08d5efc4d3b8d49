"""Sorting an array of one axis: each process gets the values of a range, and sorts them.

The ranges are chosen from a sample of the sorted parts, so that they are about even, whatever the
values, unless one value is most of the array. Equal values are in one range, in their order.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from . import collectives
from .layout import own, processes
from .picking import balanced
from .schema import bound, mesh_of, mesh_tensors, name
from .tensor import MeshTensor, current, replicated

aten = torch.ops.aten
_NAMES = {"sort", "argsort", "kthvalue", "median", "nanmedian"}


def applies(func: object) -> bool:
    return name(func) in _NAMES


def sorting(func: object, args: Any, kwargs: Any) -> Any:
    """The rule for an array of one axis on a mesh of one dimension."""
    mesh = mesh_of(func, mesh_tensors(args, kwargs))
    x = args[0]
    if (
        mesh.ndim != 1
        or type(x) is not MeshTensor
        or x.dim() != 1
        or not x.numel()
        or replicated(x)
        or x.dtype.is_complex
        or kwargs.get("out") is not None
    ):
        return NotImplemented
    given = bound(func, args, kwargs)
    kind = name(func)
    if kind in {"sort", "argsort"}:
        values, order = _sorted(current(x), bool(given.get("descending")), mesh)
        return order if kind == "argsort" else (values, order)
    values, order = _sorted(current(x), False, mesh)
    if kind == "kthvalue":
        k = given["k"] - 1
        if not 0 <= k < x.shape[0]:
            return NotImplemented
    else:
        k = _middle(values, kind)
    if "dim" not in given:
        return values[k]
    if given.get("keepdim"):
        return values[k : k + 1], order[k : k + 1]
    return values[k], order[k]


def _middle(values: MeshTensor, kind: str) -> int:
    """Where the median of sorted values stands: NaN is the last, and is the median of all."""
    n = values.shape[0]
    if not values.dtype.is_floating_point:
        return (n - 1) // 2
    wrong = int(values.isnan().sum())
    if kind == "median":
        return n - wrong if wrong else (n - 1) // 2
    return (n - wrong - 1) // 2 if wrong < n else 0


def _sorted(x: MeshTensor, descending: bool, mesh: object) -> tuple[MeshTensor, MeshTensor]:
    p = processes(mesh, 0)
    n = x.shape[0]
    start, _ = own(n, mesh, 0)
    values, order = torch.sort(x.part, stable=True)
    order = order + start
    # As many samples of every process, the largest value where it has none.
    count = values.shape[0]
    at = (torch.arange(1, p + 1, device=x.device) * count) // (p + 1)
    if count:
        sample = values[at]
    else:
        sample = values.new_full([p], _largest(values.dtype))
    edges = torch.sort(_keys(collectives.stacked(sample, mesh, 0).reshape(-1)))[0]
    edges = edges[p // 2 :: p][: p - 1].contiguous()
    ends = torch.searchsorted(_keys(values), edges, right=True).tolist()
    cuts = [0, *ends, count]
    runs = [(cuts[q], cuts[q + 1]) for q in range(p)]
    values, order = _exchanged(values, order, runs, mesh)
    values, inner = torch.sort(values, stable=True)
    order = order[inner]
    if descending:
        return _descending(values, order, n, mesh)
    return _placed(values, n, mesh), _placed(order, n, mesh)


def _exchanged(
    values: Tensor, order: Tensor, runs: list[tuple[int, int]], mesh: object
) -> tuple[Tensor, Tensor]:
    """The runs that belong to this process, from all processes in order."""
    sizes = torch.tensor([b - a for a, b in runs], device=values.device)
    every = collectives.stacked(sizes, mesh, 0).tolist()
    return collectives.swapped(values, every, mesh, 0), collectives.swapped(order, every, mesh, 0)


def _descending(values: Tensor, order: Tensor, n: int, mesh: Any) -> tuple[MeshTensor, MeshTensor]:
    """The largest first, equal ones in the order in which they stood."""
    last, inner = torch.sort(values, descending=True, stable=True)
    made = [_placed(t.flip(0), n, mesh) for t in (last, order[inner])]
    return aten.flip(made[0], [0]), aten.flip(made[1], [0])


def _placed(rows: Tensor, n: int, mesh: object) -> MeshTensor:
    made, _ = balanced(rows, mesh)
    return MeshTensor(made, mesh, (0,), [n])


def _keys(values: Tensor) -> Tensor:
    """Values that a search can compare: NaN, which it takes for small, counts as infinity."""
    if values.dtype is torch.bool:
        return values.to(torch.uint8)
    if values.dtype.is_floating_point:
        values = torch.where(values.isnan(), torch.inf, values)
    return values.contiguous()


def _largest(dtype: torch.dtype) -> Any:
    if dtype is torch.bool:
        return True
    return torch.inf if dtype.is_floating_point else torch.iinfo(dtype).max
