"""Views of distributed tensors, and writes through them.

A view is one of this process's part where that is possible. Else its values are moved here: rows
across the borders for a slice of the split axis, everything for what has no rule.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from . import collectives, layout, tensor
from .collectives import assembled
from .layout import Layout, bounds, local_shape, processes
from .schema import bound, name
from .tensor import MeshTensor, current, replicated, shared_out, version, whole

aten = torch.ops.aten


def view(func: object, args: Any, kwargs: object) -> Any:
    """The rule for every operation that gives views."""
    x = args[0]
    if type(x) is not MeshTensor:  # a plain tensor viewed by a distributed number
        raise TypeError(f"{name(func)}: an argument that is not the array is distributed")
    kind = name(func)
    if kind == "lift_fresh":
        return x
    if kind in _SEVERAL:
        return _SEVERAL[kind](func, x, args, kwargs)
    if kind == "as_strided" and x.root is not None:
        given = bound(func, args, kwargs)
        offset = x.storage_offset() if given["storage_offset"] is None else given["storage_offset"]
        return take_view(x.root, func, (x.root, given["size"], given["stride"], offset), {})
    return take_view(x, func, args, kwargs)


def take_view(x: MeshTensor, func: Any, args: Any, kwargs: Any) -> MeshTensor:
    """One view of ``x``."""
    x = current(x)
    rest = tuple(args[1:])
    shown = func(_shadow(x), *rest, **kwargs)
    pieces: list[Tensor] = []
    joint, source = 0, None
    if name(func) == "slice":
        pieces, joint = _in_pieces(x, func, rest, kwargs)
    if pieces:
        part, axes = pieces[0], x.axes
        source = (x, func, (x, *rest), kwargs)
    elif (local := local_view(x, func, rest, kwargs)) is not None:
        part, axes = local
        if x.source is not None:
            source = (x, func, (x, *rest), kwargs)
    else:
        source = (x, func, (x, *rest), kwargs)
        part, axes = _moved(x, func, rest, kwargs)
    made = MeshTensor(
        part, x.mesh, axes, shown.shape, shown.stride(), x.storage_offset() + shown.storage_offset()
    )
    made.root = x if x.root is None else x.root
    if source is not None:
        made.source, made.seen = source, version(x)
    if pieces:
        made.join_later(pieces, joint)
    return made


def _in_pieces(x: MeshTensor, func: Any, rest: Any, kwargs: Any) -> tuple[list[Tensor], int]:
    """The pieces of a slice, and the axis they follow one another along; none for a view.

    A slice of the split axis has rows of other processes. One of another axis of a tensor in
    pieces has the slices of these.
    """
    dim = bound(func, (x, *rest), kwargs)["dim"] % x.dim()
    if dim not in x.axes:
        return [func(piece, *rest, **kwargs) for piece in x.pieces], x.joint
    first, step, count = _slice_rows(x, func, rest, kwargs)
    if _own_rows(x, dim, range(first, first + step * count, step)) is not None:
        return [], 0
    m, n = x.axes.index(dim), x.shape[dim]
    p = processes(x.mesh, m)
    rows = (x.part.movedim(dim, 0), bounds(n, p))
    found = collectives.runs([rows], [(0, first, step, count)], bounds(count, p), x.mesh, m)
    return [run.movedim(0, dim) for run in found], dim


def _shadow(x: MeshTensor) -> Tensor:
    """A tensor without memory, of the shape and strides of the whole."""
    return torch.empty_strided(x.shape, x.stride(), dtype=x.dtype, device="meta")


def pushed(x: MeshTensor) -> None:
    """Carry what was written to the part of ``x`` back to what it is a view of."""
    while x.source is not None:
        parent, func, args, kwargs = x.source
        current(parent)
        _written_back(parent, func, tuple(args[1:]), kwargs, x)
        x.seen = None if x.seen is None else x.seen + 1
        x = parent


def _written_back(p: MeshTensor, func: Any, rest: Any, kwargs: Any, x: MeshTensor) -> None:
    local = local_view(p, func, rest, kwargs)
    if local is not None:
        local[0].copy_(x.part)
        return
    kind = name(func)
    if kind == "slice":  # of a split axis: another's is a view
        axis = bound(func, (p, *rest), kwargs)["dim"] % p.dim()
        m = p.axes.index(axis)
        first, step, count = _slice_rows(p, func, rest, kwargs)
        # The rows of ``p`` that the slice has, and which of its rows each is.
        n, count_p = p.shape[axis], processes(p.mesh, m)
        limits = bounds(n, count_p)
        inside = [min(max(-((first - b) // step), 0), count) for b in limits]
        rows = assembled(
            [(x.part.movedim(axis, 0), bounds(count, count_p))],
            [(0, 0, 1, count)],
            inside,
            p.mesh,
            m,
        )
        me = layout.position(p.mesh, m)
        if inside[me] < inside[me + 1]:
            start = first + step * inside[me] - limits[me]
            p.part.movedim(axis, 0)[start::step][: len(rows)].copy_(rows)
        return
    if kind == "select" and _one_axis(p) is not None and replicated(x):
        m, axis = _one_axis(p)  # type: ignore[misc]
        start, stop = layout.own(p.shape[axis], p.mesh, m)
        index = bound(func, (p, *rest), kwargs)["index"] % p.shape[axis]
        if start <= index < stop:
            p.part.select(axis, index - start).copy_(x.part)
        return
    if kind == "diagonal" and _one_axis(p) is not None and x.axes != (None,) * len(x.axes):
        m, axis = _one_axis(p)  # type: ignore[misc]
        rows, have = _diagonal_rows(p, m, axis, bound(func, (p, *rest), kwargs))
        count = have[-1]
        sources = [(x.part.movedim(-1, 0), bounds(count, processes(p.mesh, m)))]
        segments = [(0, 0, 1, count)] if count else []
        rows.copy_(assembled(sources, segments, have, p.mesh, m))
        return
    full = _laid_out(p)
    func(full, *rest, **kwargs).copy_(whole(x))
    p.part.copy_(shared_out(full, p.mesh, p.axes))


def _laid_out(x: MeshTensor) -> Tensor:
    """The whole as a new tensor with the strides that ``x`` shows."""
    values = whole(x)
    if x.root is None:
        full = torch.empty_strided(x.shape, x.stride(), dtype=x.dtype, device=values.device)
        return full.copy_(values)
    return values.clone(memory_format=torch.contiguous_format)


def _one_axis(x: MeshTensor) -> tuple[int, int] | None:
    """The dimension of the mesh and the axis, of a tensor that is split once."""
    split = [(m, axis) for m, axis in enumerate(x.axes) if axis is not None]
    return split[0] if len(split) == 1 else None


def _slice_rows(x: MeshTensor, func: Any, rest: Any, kwargs: Any) -> tuple[int, int, int]:
    """The first row, the step and the number of rows of a slice."""
    given = bound(func, (x, *rest), kwargs)
    chosen = range(x.shape[given["dim"]])[slice(given["start"], given["end"], given["step"])]
    return chosen.start, chosen.step, len(chosen)


def _moved(x: MeshTensor, func: Any, rest: Any, kwargs: Any) -> tuple[Tensor, Layout]:
    """The values of a view that cannot be taken of the own part: a part, and its layout."""
    kind = name(func)
    one = _one_axis(x)
    if kind == "_conj":
        return torch.conj_physical(x.part), x.axes
    if kind == "_neg_view":
        return torch.neg(x.part), x.axes
    if one is not None:
        m, axis = one
        given = bound(func, (x, *rest), kwargs)
        if kind == "select" and given["dim"] % x.dim() == axis:
            n = x.shape[axis]
            index = given["index"] % n
            p = processes(x.mesh, m)
            part = assembled(
                [(x.part.movedim(axis, 0), bounds(n, p))],
                [(0, index, 1, 1)] * p,
                range(p + 1),
                x.mesh,
                m,
            )
            return part[0], (None,) * len(x.axes)
        size = given.get("size")
        if kind in _RESHAPES and x.numel() and size is not None:
            moved = _reflowed(_first_split(x, m, axis), m, _resolved(size, x.numel()))
            if moved is not None:
                return moved
        if kind == "diagonal" and axis in (given["dim1"] % x.dim(), given["dim2"] % x.dim()):
            return _diagonal_moved(x, m, axis, given)
    part = func(_laid_out(x), *rest, **kwargs)
    axes: Layout = (None,) * len(x.axes)
    return part, axes


_RESHAPES = {"view", "_unsafe_view", "_reshape_alias", "reshape"}


def _first_split(x: MeshTensor, m: int, axis: int) -> MeshTensor:
    """``x`` without its first axes of one element, split along the first of the others."""
    lead = next((i for i, k in enumerate(x.shape) if k > 1), axis)
    n = x.shape[axis]
    part = x.part if lead == axis else collectives.turned(x.part, axis, lead, n, x.mesh, m)
    axes = tuple(0 if i == m else None for i in range(len(x.axes)))
    return MeshTensor(part.reshape(part.shape[lead:]), x.mesh, axes, x.shape[lead:])


def _diagonal_rows(x: MeshTensor, m: int, axis: int, given: dict[str, Any]) -> Any:
    """The own part of a diagonal through the split axis, and where the parts of all begin."""
    offset, a, b = given["offset"], given["dim1"] % x.dim(), given["dim2"] % x.dim()
    shown = _shadow(x).diagonal(offset, a, b)
    limits, me = bounds(x.shape[axis], processes(x.mesh, m)), layout.position(x.mesh, m)
    shift = limits[me] if axis == a else -limits[me]
    first = max(0, -offset if axis == a else offset)
    have = [min(max(k - first, 0), shown.shape[-1]) for k in limits]
    if have[me] == have[me + 1]:
        rows = x.part.new_empty([0, *shown.shape[:-1]])
    else:
        rows = x.part.diagonal(offset + shift, a, b).movedim(-1, 0)
    return rows, have


def _diagonal_moved(
    x: MeshTensor, m: int, axis: int, given: dict[str, object]
) -> tuple[Tensor, Layout]:
    rows, have = _diagonal_rows(x, m, axis, given)
    count, p = have[-1], processes(x.mesh, m)
    segments = [(0, 0, 1, count)] if count else []
    made = assembled([(rows, have)], segments, bounds(count, p), x.mesh, m).movedim(0, -1)
    axes = tuple(made.dim() - 1 if i == m else None for i in range(len(x.axes)))
    return made, axes


def _reflowed(x: MeshTensor, m: int, size: object) -> tuple[Tensor, Layout] | None:
    """A tensor split along axis 0 in another shape, split along the first axis of that."""
    shape = _resolved(size, x.numel())
    if not shape or not shape[0]:
        return None
    p = processes(x.mesh, m)
    row, new_row = x.numel() // x.shape[0], x.numel() // shape[0]
    unit = math.gcd(row, new_row)
    have = [b * (row // unit) for b in bounds(x.shape[0], p)]
    want = [b * (new_row // unit) for b in bounds(shape[0], p)]
    rows = x.part.reshape(-1, unit)
    made = assembled([(rows, have)], [(0, 0, 1, x.numel() // unit)], want, x.mesh, m)
    axes = tuple(0 if i == m else None for i in range(len(x.axes)))
    return made.reshape(local_shape(shape, x.mesh, axes)), axes


def _resolved(size: Any, numel: int) -> list[int]:
    """A shape in which -1 is replaced."""
    shape = [int(k) for k in size]
    if -1 in shape:
        known = math.prod(k for k in shape if k != -1)
        shape[shape.index(-1)] = numel // known if known else 0
    return shape


# --- views of the own part: each gives the part's view and its layout, or None ---


def local_view(x: MeshTensor, func: Any, rest: Any, kwargs: Any) -> tuple[Tensor, Layout] | None:
    """A view of this process's part that is its part of the view; ``None`` if there is none."""
    if name(func) in {"_conj", "_neg_view"}:
        return None  # below autograd torch's kernels misread lazily conjugated tensors
    if replicated(x):
        return func(x.part, *rest, **kwargs), x.axes
    rule = _LOCAL.get(name(func))
    if rule is None:
        return None
    return rule(x, func, bound(func, (x, *rest), kwargs))  # type: ignore[no-any-return]


def _mapped(axes: Layout, new: dict[int, int]) -> Layout:
    return tuple(None if a is None else new[a] for a in axes)


def _same(x: MeshTensor, func: Any, given: dict[str, object]) -> tuple[Tensor, Layout]:
    return func(x.part), x.axes


def _permute(x: MeshTensor, func: object, given: dict[str, Any]) -> tuple[Tensor, Layout]:
    dims = [d % x.dim() for d in given["dims"]]
    return x.part.permute(dims), _mapped(x.axes, {d: i for i, d in enumerate(dims)})


def _transpose(x: MeshTensor, func: object, given: dict[str, Any]) -> tuple[Tensor, Layout]:
    n = x.dim()
    a, b = (given["dim0"] % n, given["dim1"] % n) if "dim0" in given else (0, n - 1)
    new = {i: i for i in range(n)}
    new[a], new[b] = b, a
    return x.part.transpose(a, b), _mapped(x.axes, new)


def _unsqueeze(x: MeshTensor, func: object, given: dict[str, Any]) -> tuple[Tensor, Layout]:
    dim = given["dim"] % (x.dim() + 1)
    return x.part.unsqueeze(dim), _mapped(x.axes, {i: i + (i >= dim) for i in range(x.dim())})


def _squeeze(x: MeshTensor, func: object, given: dict[str, Any]) -> tuple[Tensor, Layout] | None:
    dims = given.get("dim", list(range(x.dim())))
    dims = [dims] if isinstance(dims, int) else dims
    gone = sorted({d % x.dim() for d in dims if x.shape[d] == 1})
    if any(a in gone for a in x.axes):
        return None
    part = x.part
    for d in reversed(gone):
        part = part.select(d, 0)
    return part, _mapped(x.axes, _without(x.dim(), gone))


def _without(ndim: int, gone: list[int]) -> dict[int, int]:
    kept = [i for i in range(ndim) if i not in gone]
    return {old: new for new, old in enumerate(kept)}


def _select(x: MeshTensor, func: object, given: dict[str, Any]) -> tuple[Tensor, Layout] | None:
    dim = given["dim"] % x.dim()
    if dim in x.axes:
        return None
    return x.part.select(dim, given["index"]), _mapped(x.axes, _without(x.dim(), [dim]))


def _slice(x: MeshTensor, func: object, given: dict[str, Any]) -> tuple[Tensor, Layout] | None:
    dim = given["dim"] % x.dim()
    n = x.shape[dim]
    chosen = range(n)[slice(given["start"], given["end"], given["step"])]
    if dim not in x.axes:
        return aten.slice(x.part, dim, given["start"], given["end"], given["step"]), x.axes
    rows = _own_rows(x, dim, chosen)
    if rows is None:
        return None
    return aten.slice(x.part, dim, rows.start, rows.stop, rows.step), x.axes


def _own_rows(x: MeshTensor, axis: int, chosen: range) -> range | None:
    """Which rows of the own part a slice of a split axis is made of, here and everywhere.

    ``None`` if some process needs a row that it does not have. Two processes have what they need
    of ``x[1:-1]`` if ``x`` has an even number of rows.
    """
    m = x.axes.index(axis)
    p = processes(x.mesh, m)
    have, get = bounds(x.shape[axis], p), bounds(len(chosen), p)
    for r in range(p):
        needed = chosen[get[r] : get[r + 1]]
        if needed and not (have[r] <= needed[0] and needed[-1] < have[r + 1]):
            return None
    me = layout.position(x.mesh, m)
    needed = chosen[get[me] : get[me + 1]]
    if not needed:
        return range(0, 0, chosen.step)
    return range(needed[0] - have[me], needed[-1] - have[me] + 1, chosen.step)


def _expand(x: MeshTensor, func: object, given: dict[str, Any]) -> tuple[Tensor, Layout] | None:
    size = list(given["size"])
    lead = len(size) - x.dim()
    for axis in x.axes:
        if axis is not None:
            if size[axis + lead] not in (-1, x.shape[axis]):
                return None
            size[axis + lead] = x.part.shape[axis]
    return x.part.expand(size), _mapped(x.axes, {i: i + lead for i in range(x.dim())})


def _diagonal(x: MeshTensor, func: object, given: dict[str, Any]) -> tuple[Tensor, Layout] | None:
    gone = sorted({given["dim1"] % x.dim(), given["dim2"] % x.dim()})
    if any(a in gone for a in x.axes):
        return None
    part = x.part.diagonal(given["offset"], given["dim1"], given["dim2"])
    return part, _mapped(x.axes, _without(x.dim(), gone))


def _unfold(x: MeshTensor, func: object, given: dict[str, Any]) -> tuple[Tensor, Layout] | None:
    if given["dimension"] % x.dim() in x.axes:
        return None
    return x.part.unfold(given["dimension"], given["size"], given["step"]), x.axes


def _view(x: MeshTensor, func: object, given: dict[str, Any]) -> tuple[Tensor, Layout] | None:
    if "dtype" in given and given.get("dtype") is not None:
        wider = given["dtype"].itemsize != x.element_size()
        if wider and x.dim() - 1 in x.axes:
            return None
        part = x.part if x.source is None else x.part.contiguous()
        return part.view(given["dtype"]), x.axes
    shape = _resolved(given["size"], x.numel())
    axes = reshaped_axes(x, shape)
    if axes is None:
        return None
    size = local_shape(shape, x.mesh, axes)
    # What was moved here is not a view of memory: writes are carried back.
    return x.part.view(size) if x.source is None else x.part.reshape(size), axes


def reshaped_axes(x: MeshTensor, shape: list[int]) -> Layout | None:
    """The layout in which ``x`` has another shape and nothing moves; ``None`` if there is none."""
    out: list[int | None] = []
    for m, a in enumerate(x.axes):
        if a is None:
            out.append(None)
            continue
        before = math.prod(x.shape[:a])
        found = None
        for j in range(len(shape)):
            if math.prod(shape[:j]) != before:
                continue
            p = processes(x.mesh, m)
            row = math.prod(x.shape[a + 1 :])
            new_row = math.prod(shape[j + 1 :])
            have = [b * row for b in bounds(x.shape[a], p)]
            if have == [b * new_row for b in bounds(shape[j], p)] and j not in out:
                found = j
                break
        if found is None:
            return None
        out.append(found)
    return tuple(out)


_LOCAL: dict[str, Any] = {
    "alias": _same, "detach": _same, "view_as_real": _same, "view_as_complex": _same,
    "permute": _permute, "transpose": _transpose,
    "t": _transpose, "unsqueeze": _unsqueeze, "squeeze": _squeeze, "select": _select,
    "slice": _slice, "expand": _expand, "diagonal": _diagonal, "unfold": _unfold,
    "view": _view, "_unsafe_view": _view, "_reshape_alias": _view,
}  # fmt: skip


# --- operations that give several views ---


def _unbind(func: object, x: MeshTensor, args: object, kwargs: object) -> list[MeshTensor]:
    dim = bound(func, args, kwargs)["dim"] % x.dim()
    return [take_view(x, aten.select.int, (x, dim, i), {}) for i in range(x.shape[dim])]


def _split(func: object, x: MeshTensor, args: object, kwargs: object) -> list[MeshTensor]:
    given = bound(func, args, kwargs)
    dim, n = given["dim"] % x.dim(), x.shape[given["dim"]]
    sizes = given.get("split_sizes")
    if sizes is None:
        size = given["split_size"]
        if isinstance(size, int):
            count = max(-(-n // size), 1) if size else 1
            sizes = [min(size, n - i * size) for i in range(count)]
        else:
            sizes = size
    out, start = [], 0
    for k in sizes:
        out.append(take_view(x, aten.slice.Tensor, (x, dim, start, start + k, 1), {}))
        start += k
    return out


_SEVERAL: dict[str, Any] = {
    "unbind": _unbind, "split": _split, "split_with_sizes": _split,
}  # fmt: skip

tensor.taken.append(take_view)
__all__ = ["collectives", "local_view", "pushed", "reshaped_axes", "take_view", "view"]
