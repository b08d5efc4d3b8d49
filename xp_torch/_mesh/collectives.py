"""What moves between processes: every communication of distributed tensors is a call of this file.

``listeners`` hear the kind of each communication and the bytes that this process receives by it.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor

from .._core.errors import TorchLinAlgError
from .._kernels.manipulation import flip
from .layout import bounds, position, processes

listeners: list[Callable[[str, int], None]] = []
"""Called with ``(kind, bytes received)`` for each communication of this process."""

Segment = tuple[int, int, int, int]
"""Rows of one source: ``(source, first row, step, count)``."""

_REDUCED = {torch.float64, torch.float32, torch.int64, torch.int32, torch.uint8, torch.int8}
"""The dtypes that every backend adds up; others are gathered and reduced here."""


# all_gather_into_tensor is deprecated from torch 2.13 on; the new name is not in torch 2.11.
_all_gather: Any = getattr(dist, "all_gather_single", None) or dist.all_gather_into_tensor


def _heard(kind: str, size: int) -> None:
    for listener in listeners:
        listener(kind, size)


def _bytes(rows: Tensor) -> Tensor:
    """The memory of a tensor as one row of bytes; copied if it is not contiguous."""
    row = rows.resolve_conj().resolve_neg().contiguous().reshape(-1)
    # A single element may keep a stride that is not 1, and then view() refuses another dtype.
    return row.as_strided((row.numel(),), (1,), row.storage_offset()).view(torch.uint8)


def gathered(
    part: Tensor, axis: int, n: int, mesh: Any, m: int, kind: str = "all_gather"
) -> Tensor:
    """The whole of a tensor of ``n`` rows along ``axis``, of which each process has a chunk."""
    p = processes(mesh, m)
    if p == 1:
        return part
    rows = part.movedim(axis, 0)
    step = -(-n // p)
    size = rows.element_size()
    for k in rows.shape[1:]:
        size *= k
    if not step * size:
        return part.new_empty([n if i == axis else k for i, k in enumerate(part.shape)])
    sent = torch.zeros(step * size, dtype=torch.uint8, device=part.device)
    mine = _bytes(rows)
    sent[: mine.numel()] = mine
    received = torch.empty(p * step * size, dtype=torch.uint8, device=part.device)
    _all_gather(received, sent, group=mesh.get_group(m))
    _heard(kind, (p - 1) * step * size)
    whole = received.view(part.dtype).reshape(p * step, *rows.shape[1:])
    whole = whole[:n].movedim(0, axis)
    return whole.contiguous() if part.is_contiguous() else whole


def stacked(part: Tensor, mesh: object, m: int) -> Tensor:
    """The tensors of all processes, which have one shape, along a new first axis."""
    return gathered(part.unsqueeze(0), 0, processes(mesh, m), mesh, m, "results")


def summed(part: Tensor, mesh: Any, m: int, kind: str = "sum") -> Tensor:
    """The sum, product, maximum or minimum over all processes, with a new memory.

    NaN is the maximum and the minimum, as in torch.
    """
    p = processes(mesh, m)
    if p == 1 or not part.numel():
        return part
    if kind == "sum" and part.dtype in _REDUCED:
        result = part.contiguous().clone()
        dist.all_reduce(result, group=mesh.get_group(m))
        _heard("all_reduce", 2 * (p - 1) * result.nbytes // p)
        return result
    every = stacked(part, mesh, m)
    if kind == "sum":
        return every.sum(0, dtype=part.dtype)
    if kind == "prod":
        return every.prod(0, dtype=part.dtype)
    return every.amax(0) if kind == "max" else every.amin(0)


def together(mesh: Any, compute: Callable[[], Any]) -> Any:
    """Run what may fail on the values of one process only; then all processes raise its error."""
    error: Exception | None = None
    result = None
    try:
        result = compute()
    except Exception as raised:
        error = raised
    failed = torch.tensor([error is not None], dtype=torch.uint8, device=mesh.device_type)
    for m in range(mesh.ndim):
        failed = summed(failed, mesh, m, "max")
    if not failed.item():
        return result
    for m in range(mesh.ndim):
        told: list[Any] = [None] * processes(mesh, m)
        mine = None if error is None else (type(error).__name__, str(error))
        dist.all_gather_object(told, mine, group=mesh.get_group(m))
        found = next((t for t in told if t is not None), None)
        if found is not None and error is None:
            error = _ERRORS.get(found[0], RuntimeError)(found[1])
    assert error is not None
    raise error


_ERRORS: dict[str, type[Exception]] = {
    "FileNotFoundError": FileNotFoundError,
    "PermissionError": PermissionError,
    "OSError": OSError,
    "IndexError": IndexError,
    "NotImplementedError": NotImplementedError,
    "ValueError": ValueError,
    "TypeError": TypeError,
    "LinAlgError": TorchLinAlgError,
}


def from_first(tensor: Tensor, mesh: Any) -> Tensor:
    """The tensor of the first process of a mesh, on all of them."""
    for m in range(mesh.ndim):
        if processes(mesh, m) > 1 and tensor.numel():
            sent = _bytes(tensor).clone()
            dist.broadcast(sent, group=mesh.get_group(m), group_src=0)
            _heard("broadcast", sent.numel())
            tensor = sent.view(tensor.dtype).reshape(tensor.shape)
    return tensor


def _within(segment: Segment, low: int, high: int) -> tuple[int, int]:
    """The elements ``k`` of a segment whose rows are in ``[low, high)``."""
    _, first, step, count = segment
    if step > 0:
        begin, end = -((first - low) // step), -((first - high) // step)
    else:
        begin, end = -((high - 1 - first) // -step), -((low - 1 - first) // -step)
    return max(begin, 0), min(end, count)


def _between(
    into: Tensor, out: Tensor, sizes_in: list[int], sizes_out: list[int], mesh: Any, m: int
) -> list[int]:
    """Send and receive bytes, with those processes only that have or lack some.

    The messages of a slice do not grow with the number of processes, as those of all_to_all would.
    """
    group = mesh.get_group(m)
    starts, to_send, messages = [], 0, []
    at = 0
    for r, (coming, going) in enumerate(zip(sizes_in, sizes_out, strict=True)):
        starts.append(at)
        if coming:
            rows = into[at : at + coming]
            messages.append(dist.P2POp(dist.irecv, rows, group=group, group_peer=r))
        if going:
            rows = out[to_send : to_send + going]
            messages.append(dist.P2POp(dist.isend, rows, group=group, group_peer=r))
        at += coming
        to_send += going
    for work in dist.batch_isend_irecv(messages) if messages else ():
        work.wait()
    return starts


def assembled(
    sources: Sequence[tuple[Tensor, Sequence[int] | None]],
    segments: Sequence[Segment],
    wanted: Sequence[int],
    mesh: object,
    m: int,
) -> Tensor:
    """Rows of several sources, in the order of ``segments``, split at ``wanted``; a new memory."""
    pieces = runs(sources, segments, wanted, mesh, m)
    return torch.cat(pieces) if len(pieces) > 1 else pieces[0].clone()


def runs(
    sources: Sequence[tuple[Tensor, Sequence[int] | None]],
    segments: Sequence[Segment],
    wanted: Sequence[int],
    mesh: object,
    m: int,
) -> list[Tensor]:
    """The runs of rows that ``assembled`` joins: views of this process's rows, and received ones.

    A source is this process's rows and the bounds of all processes' rows, or ``None`` if every
    process has all. A process receives only the rows it lacks: for a slice, those at the borders.
    """
    p, me = processes(mesh, m), position(mesh, m)
    like = sources[0][0]
    width = 1
    for k in like.shape[1:]:
        width *= k

    def needs(q: int) -> list[Segment]:
        """The rows that process ``q`` is to have, in order."""
        out: list[Segment] = []
        offset = 0
        for source, first, step, count in segments:
            low, high = max(wanted[q] - offset, 0), min(wanted[q + 1] - offset, count)
            offset += count
            if low < high:
                out.append((source, first + step * low, step, high - low))
        return out

    def lacks(q: int) -> bool:
        """Whether process ``q`` does not have all the rows it needs."""
        for source, first, step, count in needs(q):
            limits = sources[source][1]
            ends = (first, first + step * (count - 1))
            if limits is not None and not limits[q] <= min(ends) <= max(ends) < limits[q + 1]:
                return True
        return False

    def pieces() -> list[tuple[Segment, int | None]]:
        """What this process needs, in order: rows of a source, and who has them."""
        out: list[tuple[Segment, int | None]] = []
        for needed in needs(me):
            source, first, step, count = needed
            limits = sources[source][1]
            if limits is None:
                out.append((needed, None))
                continue
            ends = (first, first + step * (count - 1))
            low, high = (bisect.bisect_right(limits, k) - 1 for k in (min(ends), max(ends)))
            owners = range(low, high + 1)
            for r in owners if step > 0 else reversed(owners):
                begin, end = _within(needed, limits[r], limits[r + 1])
                if begin < end:
                    out.append(((source, first + step * begin, step, end - begin), r))
        return out

    def rows_of(segment: Segment) -> Tensor:
        source, first, step, count = segment
        rows, limits = sources[source]
        first -= limits[me] if limits is not None else 0
        last = first + step * (count - 1)
        taken = rows[min(first, last) : max(first, last) + 1 : abs(step)]
        return flip(taken, (0,)) if step < 0 else taken

    mine = pieces()
    moves = any(lacks(q) for q in range(p))  # all processes must say the same
    received: list[Tensor] = []
    taken = [0] * p
    starts = [0] * p
    if moves:
        sizes_out = [0] * p
        blocks: list[Tensor] = []
        for q in range(p):
            for source, first, step, count in needs(q) if q != me else ():
                limits = sources[source][1]
                if limits is None:
                    continue
                begin, end = _within((source, first, step, count), limits[me], limits[me + 1])
                if begin < end:
                    block = rows_of((source, first + step * begin, step, end - begin))
                    blocks.append(_bytes(block))
                    sizes_out[q] += blocks[-1].numel()
        sizes_in = [0] * p
        for segment, r in mine:
            if r is not None and r != me:
                sizes_in[r] += segment[3] * width * like.element_size()
        out = torch.cat(blocks) if blocks else _bytes(like[:0])
        into = torch.empty(sum(sizes_in), dtype=torch.uint8, device=like.device)
        starts = _between(into, out, sizes_in, sizes_out, mesh, m)
        _heard("neighbours", sum(sizes_in))
        received = [into]
    parts: list[Tensor] = []
    for segment, r in mine:
        if r is None or r == me:
            parts.append(rows_of(segment))
        else:
            size = segment[3] * width * like.element_size()
            begin = starts[r] + taken[r]
            taken[r] += size
            block = received[0][begin : begin + size].clone().view(like.dtype)
            parts.append(block.reshape(segment[3], *like.shape[1:]))
    return parts or [like.new_empty([0, *like.shape[1:]])]


def sliced(
    part: Tensor, axis: int, n: int, segments: Sequence[Segment], mesh: object, m: int
) -> Tensor:
    """Rows of one tensor split along ``axis``, as a tensor split along it."""
    p = processes(mesh, m)
    count = sum(s[3] for s in segments)
    rows = part.movedim(axis, 0)
    made = assembled([(rows, bounds(n, p))], segments, bounds(count, p), mesh, m)
    return made.movedim(0, axis)


def pulled(rows: Tensor, limits: Sequence[int], index: Tensor, mesh: Any, m: int) -> Tensor:
    """The rows at the positions that this process asks for, from the processes that have them.

    Process ``r`` has the rows ``limits[r]`` to ``limits[r + 1]``. Every process may ask for other
    rows, in any order.
    """
    p, me = processes(mesh, m), position(mesh, m)
    if p == 1:
        return rows[index]
    edges = torch.tensor(limits[1:-1], dtype=index.dtype, device=index.device)
    owner = torch.bucketize(index, edges, right=True)
    order = torch.argsort(owner, stable=True)
    counts = torch.bincount(owner, minlength=p)
    asked = stacked(counts, mesh, m).tolist()
    mine, theirs = asked[me], [asked[r][me] for r in range(p)]
    wanted = torch.empty(sum(theirs), dtype=index.dtype, device=index.device)
    group = mesh.get_group(m)
    dist.all_to_all_single(wanted, index[order], theirs, mine, group=group)
    found = rows[wanted - limits[me]]
    width = rows.element_size() * _product(rows.shape[1:])
    into = torch.empty(sum(mine) * width, dtype=torch.uint8, device=rows.device)
    dist.all_to_all_single(
        into, _bytes(found), [n * width for n in mine], [n * width for n in theirs], group=group
    )
    away = sum(theirs) - theirs[me]
    _heard("all_to_all", away * index.element_size() + (sum(mine) - mine[me]) * width)
    made = rows.new_empty([sum(mine), *rows.shape[1:]])
    made[order] = into.view(rows.dtype).reshape(made.shape)
    return made


def swapped(rows: Tensor, counts: list[list[int]], mesh: Any, m: int) -> Tensor:
    """Rows for each process, one run after the other; ``counts[r][q]`` go from ``r`` to ``q``."""
    p, me = processes(mesh, m), position(mesh, m)
    if p == 1:
        return rows
    width = rows.element_size() * _product(rows.shape[1:])
    theirs = [counts[r][me] for r in range(p)]
    into = torch.empty(sum(theirs) * width, dtype=torch.uint8, device=rows.device)
    dist.all_to_all_single(
        into,
        _bytes(rows),
        [n * width for n in theirs],
        [n * width for n in counts[me]],
        group=mesh.get_group(m),
    )
    _heard("all_to_all", (sum(theirs) - theirs[me]) * width)
    return into.view(rows.dtype).reshape(sum(theirs), *rows.shape[1:])


def panels(part: Tensor, axis: int, n: int, mesh: Any, m: int) -> Iterator[tuple[int, int, Tensor]]:
    """The parts of all processes in turn, each on every process: first row, last row, rows."""
    limits, me = bounds(n, processes(mesh, m)), position(mesh, m)
    for r in range(processes(mesh, m)):
        first, last = limits[r], limits[r + 1]
        if first == last:
            continue
        if r == me:
            panel = part.contiguous()
        else:
            shape = [last - first if i == axis else k for i, k in enumerate(part.shape)]
            panel = part.new_empty(shape)
        if processes(mesh, m) > 1 and panel.numel():
            sent = _bytes(panel)
            dist.broadcast(sent, group=mesh.get_group(m), group_src=r)
            if r != me:
                _heard("broadcast", sent.numel())
        yield first, last, panel


def turned(part: Tensor, old: int, new: int, n: int, mesh: Any, m: int) -> Tensor:
    """A tensor split along ``old``, whole ``n`` rows long, as one split along ``new``."""
    p, me = processes(mesh, m), position(mesh, m)
    if p == 1:
        return part
    rows, columns = bounds(n, p), bounds(part.shape[new], p)
    blocks = [_bytes(part.narrow(new, columns[q], columns[q + 1] - columns[q])) for q in range(p)]
    shapes = []
    for r in range(p):
        shape = list(part.shape)
        shape[old], shape[new] = rows[r + 1] - rows[r], columns[me + 1] - columns[me]
        shapes.append(shape)
    sizes = [part.element_size() * _product(shape) for shape in shapes]
    into = torch.empty(sum(sizes), dtype=torch.uint8, device=part.device)
    dist.all_to_all_single(
        into, torch.cat(blocks), sizes, [b.numel() for b in blocks], group=mesh.get_group(m)
    )
    _heard("all_to_all", sum(sizes) - sizes[me])
    pieces = [
        block.clone().view(part.dtype).reshape(shape)
        for block, shape in zip(torch.split(into, sizes), shapes, strict=True)
    ]
    return torch.cat(pieces, old)


def _product(shape: Sequence[int]) -> int:
    out = 1
    for k in shape:
        out *= k
    return out
