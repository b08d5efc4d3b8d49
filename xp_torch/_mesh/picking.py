"""Elements by position and by mask, read and written: each process asks those that have them."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from . import collectives
from .elementwise import laid, operand
from .layout import Layout, bounds, own, position, processes
from .schema import bound, mesh_of, mesh_tensors, name
from .tensor import MeshTensor, current, whole
from .views import pushed

aten = torch.ops.aten


def applies(func: object) -> bool:
    return name(func) in _RULES


def picking(func: object, args: object, kwargs: Any) -> Any:
    """The rule; ``NotImplemented`` for a form that it does not have."""
    mesh = mesh_of(func, mesh_tensors(args, kwargs))
    if mesh.ndim != 1 or "out" in kwargs:
        return NotImplemented
    return _RULES[name(func)](func, bound(func, args, kwargs), mesh)


def _axis(t: Tensor) -> int | None:
    """The axis of a tensor that is split."""
    return t.axes[0] if type(t) is MeshTensor else None


def _plain(t: Tensor) -> Tensor:
    return whole(t) if type(t) is MeshTensor else t


def _any(flag: Tensor, mesh: object) -> bool:
    """Whether a flag is set on any process."""
    return bool(collectives.summed(flag.to(torch.uint8).reshape(1), mesh, 0, "max").item())


def balanced(rows: Tensor, mesh: object) -> tuple[Tensor, int]:
    """Rows, of which each process has some, in order: as chunks of the whole, and their number."""
    count = torch.tensor([rows.shape[0]], device=rows.device)
    counts = collectives.stacked(count, mesh, 0).reshape(-1).tolist()
    have = [sum(counts[:r]) for r in range(len(counts) + 1)]
    total = have[-1]
    segments = [(0, 0, 1, total)] if total else []
    want = bounds(total, processes(mesh, 0))
    return collectives.assembled([(rows, have)], segments, want, mesh, 0), total


# --- reading ---


def _index(func: Any, given: dict[str, Any], mesh: Any) -> Any:
    x, indices = given["self"], given["indices"]
    used = [i for i, v in enumerate(indices) if v is not None]
    at, count = used[0], len(used)
    if used != list(range(at, at + count)):
        return NotImplemented
    if any(indices[i].dtype in (torch.bool, torch.uint8) for i in used):
        return _masked(x, indices[at], at, mesh) if count == 1 else NotImplemented
    a = _axis(x)
    if a is None:
        return NotImplemented
    if a not in used:
        picked = [None if v is None else _plain(v) for v in indices]
        shape = torch.broadcast_shapes(*[indices[i].shape for i in used])
        made = collectives.together(mesh, lambda: func(current(x).part, picked))
        new = a if a < at else a - count + len(shape)
        full = [*x.shape[:at], *shape, *x.shape[at + count :]]
        return MeshTensor(made, mesh, (new,), full)
    return _pulled(x, [indices[i] for i in used], at, a, mesh)


def _pulled(x: MeshTensor, picked: list[Tensor], at: int, a: int, mesh: object) -> Any:
    """Elements by positions on the axes from ``at`` on; the array is split along one, ``a``."""
    # The split axis comes first, then the axes are one, of which each process has a run.
    part = current(x).part.movedim(a, at)
    sizes = [x.shape[at + i] for i in range(len(picked))]
    sizes.insert(0, sizes.pop(a - at))
    picked = [picked[a - at], *picked[: a - at], *picked[a - at + 1 :]]
    shape = torch.broadcast_shapes(*[t.shape for t in picked])
    if not shape or not math.prod(shape) or not math.prod(sizes):
        return NotImplemented
    mine = [operand(t, shape, mesh, (0,)).to(torch.int64) for t in picked]
    flat = torch.zeros_like(mine[0].expand(mine[0].shape))
    wrong = torch.zeros((), dtype=torch.bool, device=part.device)
    for t, n in zip(mine, sizes, strict=True):
        wrong = wrong | ((t < -n) | (t >= n)).any()
        flat = flat * n + torch.where(t < 0, t + n, t)
    if _any(wrong, mesh):
        return NotImplemented  # torch says which index is wrong
    start, stop = own(shape[0], mesh, 0)
    flat = flat.expand(stop - start, *shape[1:])
    inner = math.prod(sizes[1:])
    rows = part.flatten(at, at + len(picked) - 1).movedim(at, 0)
    limits = [b * inner for b in bounds(sizes[0], processes(mesh, 0))]
    made = collectives.pulled(rows, limits, flat.reshape(-1), mesh, 0)
    made = made.reshape(*flat.shape, *rows.shape[1:])
    k = flat.dim()
    order = [*range(k, k + at), *range(k), *range(k + at, made.dim())]
    full = [*x.shape[:at], *shape, *x.shape[at + len(picked) :]]
    return MeshTensor(made.permute(order), mesh, (at,), full)


def _masked(x: Tensor, mask: Tensor, at: int, mesh: object) -> Any:
    """The elements where a mask is set: each process those of its part, then made even."""
    k = mask.dim()
    if tuple(mask.shape) != tuple(x.shape[at : at + k]) or not k or not mask.numel():
        return NotImplemented
    a = _axis(x)
    where = mask if type(mask) is MeshTensor else None
    if a is not None and not at <= a < at + k:
        made = aten.index.Tensor(current(x).part, [*[None] * at, _plain(mask)])  # type: ignore[arg-type]
        new = a if a < at else a - k + 1
        count = made.shape[at]
        return MeshTensor(made, mesh, (new,), [*x.shape[:at], count, *x.shape[at + k :]])
    if a is None and (where is None or _axis(where) is None):
        return NotImplemented
    mine = aten.index.Tensor(laid(x, mesh, (at,)), [*[None] * at, laid(mask, mesh, (0,))])
    rows, total = balanced(mine.movedim(at, 0), mesh)
    full = [*x.shape[:at], total, *x.shape[at + k :]]
    return MeshTensor(rows.movedim(0, at), mesh, (at,), full)


def _masked_select(func: object, given: dict[str, Any], mesh: object) -> Any:
    x, mask = given["self"], given["mask"]
    return _masked(x, mask, 0, mesh) if x.shape == mask.shape else NotImplemented


def _index_select(func: object, given: dict[str, Any], mesh: object) -> Any:
    x, index = given["self"], given["index"]
    a = _axis(x)
    if a is None or index.dim() != 1 or given["dim"] % x.dim() != a:
        return NotImplemented
    return _pulled(x, [index], a, a, mesh)


def _take(func: object, given: dict[str, Any], mesh: object) -> Any:
    x, index = given["self"], given["index"]
    if _axis(x) is None:
        return NotImplemented
    flat = aten.view(x if x.is_contiguous() else aten.clone(x), [-1])
    return aten.index.Tensor(flat, [index])


def _gather(func: object, given: dict[str, Any], mesh: object) -> Any:
    x, index = given["self"], given["index"]
    if _axis(x) is None or x.dim() != 1 or index.dim() != 1:
        return NotImplemented
    return _pulled(x, [index], 0, 0, mesh)


def _nonzero(func: Any, given: dict[str, Any], mesh: Any) -> Any:
    x = given["self"]
    if _axis(x) is None or not x.numel():
        return NotImplemented
    start, _ = own(x.shape[0], mesh, 0)
    found = func(laid(x, mesh, (0,)))
    found[:, 0] += start
    rows, total = balanced(found, mesh)
    return MeshTensor(rows, mesh, (0,), [total, x.dim()])


# --- writing ---


def _index_put(func: object, given: dict[str, Any], mesh: object) -> Any:
    x, indices, values = given["self"], given["indices"], given["values"]
    used = [i for i, v in enumerate(indices) if v is not None]
    a = _axis(x)
    at, count = used[0], len(used)
    if a is None or used != list(range(at, at + count)):
        return NotImplemented
    if any(indices[i].dtype in (torch.bool, torch.uint8) for i in used):
        made = _put_masked(func, x, indices[at], values, at, given, mesh) if count == 1 else None
    else:
        made = _put(func, x, [indices[i] for i in used], values, at, a, given, mesh)
    if made is None:
        return NotImplemented
    pushed(x)
    return x


def _put(
    func: Any, x: MeshTensor, picked: list[Tensor], values: Tensor, at: int, a: int,
    given: dict[str, object], mesh: Any,
) -> Any:  # fmt: skip
    """Each process writes what belongs to its part; positions and values are known to all."""
    picked = list(torch.broadcast_tensors(*[_plain(t) for t in picked]))
    k, shape = len(picked), picked[0].shape
    full = torch.Size([*x.shape[:at], *shape, *x.shape[at + k :]])
    wrong = torch.zeros((), dtype=torch.bool, device=x.device)
    for i, t in enumerate(picked):
        n = x.shape[at + i]
        wrong = wrong | ((t < -n) | (t >= n)).any()
    try:
        known = torch.broadcast_shapes(values.shape, full) == full
    except RuntimeError:
        known = False
    if bool(wrong) or not known or not picked[0].numel():
        return None  # torch says what is wrong
    part = current(x).part
    if not at <= a < at + k:
        new = a if a < at else a - k + len(shape)
        mine = operand(values, full, mesh, (new,))
        func(part, [*[None] * at, *picked], mine, given["accumulate"])
        return x
    start, stop = own(x.shape[a], mesh, 0)
    rows = picked[a - at]
    rows = torch.where(rows < 0, rows + x.shape[a], rows)
    inside = (rows >= start) & (rows < stop)
    written = _plain(values)
    if written.numel() != 1:
        before: list[Any] = [slice(None)] * at
        written = written.expand(full)[(*before, inside)]
    chosen = [t[inside] for t in picked]
    chosen[a - at] = rows[inside] - start
    func(part, [*[None] * at, *chosen], written, given["accumulate"])
    return x


def _put_masked(
    func: Any, x: MeshTensor, mask: Tensor, values: Tensor, at: int, given: dict[str, object],
    mesh: Any,
) -> Any:  # fmt: skip
    """Values where a mask is set; those of the processes before come first."""
    k, (a,) = mask.dim(), x.axes
    if tuple(mask.shape) != tuple(x.shape[at : at + k]) or a is None:
        return None
    part = current(x).part
    inside = at <= a < at + k
    mine = laid(mask, mesh, (a - at if inside else None,))
    index = [*[None] * at, mine]
    if values.numel() == 1:
        func(part, index, _plain(values), given["accumulate"])
        return x
    if a != at:
        return None
    counts = collectives.stacked(mine.sum().reshape(1), mesh, 0).reshape(-1).tolist()
    total, before = sum(counts), sum(counts[: position(mesh, 0)])
    full = [*x.shape[:at], total, *x.shape[at + k :]]
    if values.dim() > len(full) or any(
        v not in (1, n) for v, n in zip(reversed(values.shape), reversed(full), strict=False)
    ):
        return None
    known = _plain(values).expand(full).narrow(at, before, counts[position(mesh, 0)])
    func(part, index, known, given["accumulate"])
    return x


_RULES: dict[str, Any] = {
    "index": _index, "index_select": _index_select, "take": _take, "gather": _gather,
    "nonzero": _nonzero, "masked_select": _masked_select, "index_put_": _index_put,
    "_index_put_impl_": _index_put,
}  # fmt: skip
__all__ = ["Layout", "applies", "balanced", "picking"]
