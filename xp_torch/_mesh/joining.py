"""Joining arrays, and taking rows by index."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .collectives import assembled, summed, together
from .elementwise import laid
from .layout import bounds, own, processes
from .schema import bound, mesh_of, mesh_tensors, name
from .tensor import MeshTensor, whole

_RULES: dict[str, Any] = {}


def applies(func: object) -> bool:
    return name(func) in _RULES


def joining(func: object, args: object, kwargs: Any) -> Any:
    """The rule; ``NotImplemented`` for a form that it does not have."""
    spread = mesh_tensors(args, kwargs)
    mesh = mesh_of(func, spread)
    if "out" in kwargs:
        return NotImplemented
    return _RULES[name(func)](func, bound(func, args, kwargs), mesh, spread)


def _first_axes(spread: list[MeshTensor]) -> tuple[int | None, ...] | None:
    return max(spread, key=lambda t: t.numel()).axes if spread else None


def _cat(func: object, given: dict[str, Any], mesh: object, spread: list[MeshTensor]) -> Any:
    tensors: list[Tensor] = [t for t in given["tensors"] if t.shape != (0,)]
    if len({t.dim() for t in tensors}) != 1 or len({t.dtype for t in tensors}) != 1:
        return NotImplemented
    dim = given["dim"] % tensors[0].dim()
    axes = _first_axes([t for t in spread if t.shape != (0,)])
    sides = {tuple(k for i, k in enumerate(t.shape) if i != dim) for t in tensors}
    if axes is None or len(sides) != 1:
        return NotImplemented
    shape = list(tensors[0].shape)
    shape[dim] = sum(t.shape[dim] for t in tensors)
    if dim not in axes:
        parts = [laid(t, mesh, axes) for t in tensors]
        return MeshTensor(torch.cat(parts, dim), mesh, axes, shape)
    if len(axes) != 1:
        return NotImplemented
    p = processes(mesh, 0)
    sources = []
    for t in tensors:
        split = type(t) is MeshTensor and t.axes[0] is not None
        part = laid(t, mesh, axes if split else (None,))
        sources.append((part.movedim(dim, 0), bounds(t.shape[dim], p) if split else None))
    segments = [(i, 0, 1, t.shape[dim]) for i, t in enumerate(tensors)]
    made = assembled(sources, segments, bounds(shape[dim], p), mesh, 0)
    return MeshTensor(made.movedim(0, dim), mesh, axes, shape)


def _stack(func: object, given: dict[str, Any], mesh: object, spread: list[MeshTensor]) -> Any:
    tensors = given["tensors"]
    if len({t.shape for t in tensors}) != 1 or len({t.dtype for t in tensors}) != 1:
        return NotImplemented
    dim = given["dim"] % (tensors[0].dim() + 1)
    axes = _first_axes(spread)
    if axes is None:
        return NotImplemented
    made = torch.stack([laid(t, mesh, axes) for t in tensors], dim)
    new = tuple(None if a is None else a + (a >= dim) for a in axes)
    shape = [*tensors[0].shape[:dim], len(tensors), *tensors[0].shape[dim:]]
    return MeshTensor(made, mesh, new, shape)


def _index_select(func: Any, given: dict[str, Any], mesh: Any, spread: list[MeshTensor]) -> Any:
    x, index = given["self"], given["index"]
    if type(x) is not MeshTensor or not x.dim() or index.dim() != 1:
        return NotImplemented
    dim = given["dim"] % x.dim()
    if dim in x.axes:
        return NotImplemented
    made = torch.index_select(
        laid(x, mesh, x.axes), dim, whole(index) if type(index) is MeshTensor else index
    )
    shape = [index.numel() if i == dim else k for i, k in enumerate(x.shape)]
    return MeshTensor(made, mesh, x.axes, shape)


def _repeat(func: object, given: dict[str, Any], mesh: object, spread: list[MeshTensor]) -> Any:
    x, repeats = given["self"], list(given["repeats"])
    lead = len(repeats) - x.dim()
    if any(a is not None and repeats[a + lead] != 1 for a in x.axes):
        return NotImplemented
    made = laid(x, mesh, x.axes).repeat(repeats)
    new = tuple(None if a is None else a + lead for a in x.axes)
    return MeshTensor(
        made, mesh, new, [r * k for r, k in zip(repeats, [1] * lead + list(x.shape), strict=True)]
    )


def _index(func: Any, given: dict[str, Any], mesh: Any, spread: list[MeshTensor]) -> Any:
    """Arrays of positions: of axes that are not split, or in one plain or replicated array."""
    x, indices = given["self"], given["indices"]
    used = [i for i, v in enumerate(indices) if v is not None]
    if any(indices[i].dtype in (torch.bool, torch.uint8) for i in used):
        return NotImplemented
    if type(x) is MeshTensor and any(a is not None for a in x.axes):
        if len(used) == 1 and x.axes == (used[0],):
            return _rows(x, indices[used[0]], used[0], mesh)
        if len(used) != 1 or used[0] in x.axes:
            return NotImplemented
        (at,) = used
        index = whole(indices[at]) if type(indices[at]) is MeshTensor else indices[at]
        made = func(laid(x, mesh, x.axes), [*[None] * at, index])
        grown = index.dim() - 1
        new = tuple(None if a is None else a + (grown if a > at else 0) for a in x.axes)
        return MeshTensor(made, mesh, new, [*x.shape[:at], *index.shape, *x.shape[at + 1 :]])
    if len(used) != 1:
        return NotImplemented
    (at,) = used
    index = indices[at]
    source = whole(x) if type(x) is MeshTensor else x
    axes = index.axes if type(index) is MeshTensor else None
    if axes is None or all(a is None for a in axes):
        return NotImplemented
    part = laid(index, mesh, axes)
    made = together(mesh, lambda: func(source, [*[None] * at, part]))
    new = tuple(None if a is None else a + at for a in axes)
    return MeshTensor(made, mesh, new, [*x.shape[:at], *index.shape, *x.shape[at + 1 :]])


def _rows(x: MeshTensor, index: Tensor, axis: int, mesh: object) -> Any:
    """A few rows of the split axis, on every process: those that have them send their bits."""
    n = x.shape[axis]
    if type(index) is MeshTensor:
        if any(a is not None for a in index.axes):
            return NotImplemented
        index = whole(index)
    if index.numel() * processes(mesh, 0) > n or not index.numel():
        return NotImplemented
    wrapped = torch.where(index < 0, index + n, index).to(torch.int64)
    if bool(((wrapped < 0) | (wrapped >= n)).any()):
        return NotImplemented  # torch says which index is wrong
    start, stop = own(n, mesh, 0)
    mine = (wrapped >= start) & (wrapped < stop)
    rows = x.part.movedim(axis, 0)
    shape = [*index.shape, *rows.shape[1:]]
    found = rows.new_zeros(shape)
    found[mine] = rows[wrapped[mine] - start]
    bits = found.reshape(-1).view(torch.uint8)
    made = summed(bits, mesh, 0).view(x.dtype).reshape(shape)
    order = list(range(index.dim(), index.dim() + axis))
    order += [*range(index.dim()), *range(index.dim() + axis, made.dim())]
    made = made.permute(order)
    return MeshTensor(made, mesh, (None,), made.shape)


def _isin(func: Any, given: dict[str, object], mesh: Any, spread: list[MeshTensor]) -> Any:
    """Each process looks for its own elements in all of the others."""
    x, others = given.get("elements"), given.get("test_elements")
    if type(x) is not MeshTensor or not isinstance(others, Tensor):
        return NotImplemented
    others = whole(others) if type(others) is MeshTensor else others
    made = func(laid(x, mesh, x.axes), others, assume_unique=False, invert=bool(given["invert"]))
    return MeshTensor(made, mesh, x.axes, x.shape)


def _searchsorted(func: Any, given: dict[str, Any], mesh: Any, spread: list[MeshTensor]) -> Any:
    """Each process finds its own values in the whole of a sorted row."""
    rows: Tensor = given["sorted_sequence" if "sorted_sequence" in given else "boundaries"]
    values = given["self"]
    if type(values) is not MeshTensor or rows.dim() != 1 or given.get("sorter") is not None:
        return NotImplemented
    options = {
        k: v
        for k, v in given.items()
        if k not in ("self", "sorted_sequence", "boundaries", "sorter", "out")
    }
    rows = whole(rows) if type(rows) is MeshTensor else rows
    part = laid(values, mesh, values.axes)
    args = (rows, part) if "sorted_sequence" in given else (part, rows)
    return MeshTensor(func(*args, **options), mesh, values.axes, values.shape)


def _new(func: Any, given: dict[str, Any], mesh: Any, spread: list[MeshTensor]) -> Any:
    """A new array, of the layout of ``self`` if it has its shape."""
    x = given.pop("self")
    size = list(given["size"])
    same = size == list(x.shape)
    axes = x.axes if same else (None,) * len(x.axes)
    given["size"] = list(x.part.shape) if same else size
    return MeshTensor(func(x.part, **given), mesh, axes, size)


_RULES.update(
    cat=_cat, stack=_stack, index_select=_index_select, repeat=_repeat, index=_index,
    isin=_isin, searchsorted=_searchsorted, bucketize=_searchsorted, new_empty=_new, new_zeros=_new,
    new_ones=_new, new_full=_new,
)  # fmt: skip
