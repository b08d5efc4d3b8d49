"""How far it is from each element to the nearest one of the background."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .windows import BLOCK, in_blocks


def nearest_background(inside: Tensor, sampling: Sequence[float]) -> Tensor:
    """For each element the place of the nearest that is not ``inside``, along a first axis.

    One axis after the other; of places equally near the first. Where all is inside, the place
    begins with -1, as in SciPy.
    """
    rank = inside.dim()
    found = torch.zeros((rank, *inside.shape), dtype=torch.int64, device=inside.device)
    if not inside.numel():
        return found
    places = torch.arange(inside.shape[0], device=inside.device)
    column = places.reshape(-1, *[1] * (rank - 1)).expand(inside.shape)
    found[0] = _nearest_in_line(column, inside)
    for axis in range(1, rank):
        n = inside.shape[axis]
        line = torch.arange(n, device=inside.device)
        found[axis] = line.reshape([-1 if a == axis else 1 for a in range(rank)])
        squares = torch.zeros(inside.shape, dtype=torch.float64, device=inside.device)
        for a in range(axis):
            here = torch.arange(inside.shape[a], device=inside.device)
            here = here.reshape([-1 if b == a else 1 for b in range(rank)])
            squares = squares + ((found[a] - here) * sampling[a]).square()
        squares = torch.where(found[0] < 0, torch.inf, squares).movedim(axis, -1)
        best = _nearest_sums(squares.reshape(-1, n), sampling[axis]).reshape(squares.shape)
        best = best.movedim(-1, axis)
        found = found.gather(axis + 1, best.expand(found.shape))
    if rank > 1:
        found[1:] = torch.where(found[0] < 0, 0, found[1:])
    return found


def _nearest_in_line(column: Tensor, inside: Tensor) -> Tensor:
    """Along the first axis the place of the nearest background; -1 where a line has none."""
    n = inside.shape[0]
    before = torch.where(inside, -1, column).cummax(0).values
    after = torch.where(inside, n, column).flip(0).cummin(0).values.flip(0)
    nearer = (before >= 0) & ((after == n) | (column - before <= after - column))
    return torch.where(nearer, before, torch.where(after < n, after, -1))


_STEPS = 48
"""How far the nearest is looked for step by step; what is farther away is found by halves."""


def _nearest_sums(values: Tensor, step: float) -> Tensor:
    """The same as ``_least_sums``, step by step where the nearest is near: block by block."""
    m, n = values.shape
    best = torch.empty((m, n), dtype=torch.int64, device=values.device)
    rows = max(1, BLOCK // max(n, 1)) if in_blocks(values) else m
    for begin in range(0, m, max(rows, 1)):
        part = values[begin : begin + rows]
        best[begin : begin + rows] = _by_steps(part.contiguous(), step)
    return best


def _by_steps(values: Tensor, step: float) -> Tensor:
    n = values.shape[1]
    least = values.clone()
    place = torch.arange(n, dtype=torch.int32, device=values.device)
    best = place.expand(values.shape).clone()
    for d in range(1, min(_STEPS, n)):
        square = (d * step) * (d * step)
        if d % 4 == 1 and not bool((least > square).any()):
            return best.long()
        for to, of, compare in (
            (slice(d, None), slice(None, -d), torch.le),  # of those equally near the first
            (slice(None, -d), slice(d, None), torch.lt),
        ):
            sums = values[:, of] + square
            nearer = compare(sums, least[:, to])
            least[:, to] = torch.where(nearer, sums, least[:, to])
            best[:, to] = torch.where(nearer, place[of], best[:, to])
    found = best.long()
    far = (least > ((_STEPS - 1) * step) ** 2).any(1) if n > _STEPS else best.new_zeros(len(best))
    lines = far.nonzero().squeeze(1)
    if len(lines):
        found[lines] = _least_sums(values[lines], step)
    return found


def _least_sums(values: Tensor, step: float) -> Tensor:
    """For each line and each place ``x`` the first ``i`` with the least ``v[i] + (x - i)**2``.

    It grows with ``x``. So it is found at the middle first, and then in the halves, where it lies
    between what was found on both sides: all lines and halves at once.
    """
    m, n = values.shape
    best = torch.zeros((m, n), dtype=torch.int64, device=values.device)
    half = 1 << n.bit_length() >> 1
    while half:
        x = torch.arange(half - 1, n, 2 * half, device=values.device)
        low, high = (x - half).clamp_min(0), (x + half).clamp_max(n - 1)
        low = torch.where(x >= half, best[:, low], 0).reshape(-1)
        high = torch.where(x + half < n, best[:, high], n - 1).reshape(-1)
        count = high - low + 1
        of = torch.repeat_interleave(count)  # for each candidate the number of its line and place
        i = torch.arange(len(of), device=values.device) + (low + count - count.cumsum(0))[of]
        ahead = (x.expand(m, -1).reshape(-1)[of] - i) * step
        sums = values[of // len(x), i] + ahead * ahead
        least = sums.new_full((m * len(x),), torch.inf).scatter_reduce(0, of, sums, "amin")
        first = torch.where(sums == least[of], i, n)
        best[:, x] = high.scatter_reduce(0, of, first, "amin", include_self=False).reshape(m, -1)
        half >>= 1
    return best


def city_block(start: Tensor) -> Tensor:
    """The steps along axes from the nearest 0; -1 where there is none. ``start`` is 0 or -1."""
    far = 2 * (sum(start.shape) + 1)
    steps = torch.where(start < 0, far, 0).long()
    for axis, n in enumerate(start.shape):
        line = torch.arange(n, device=start.device)
        line = line.reshape([-1 if a == axis else 1 for a in range(start.dim())])
        onwards = (steps - line).cummin(axis).values + line
        back = (steps + line).flip(axis).cummin(axis).values.flip(axis) - line
        steps = torch.minimum(onwards, back)
    return torch.where(steps >= far, -1, steps)


def chessboard(start: Tensor) -> Tensor:
    """The same with steps along diagonals."""
    inside = start < 0
    steps = torch.zeros_like(inside, dtype=torch.uint8)
    for d in range(_STEPS):  # a step is an erosion
        if d % 4 == 0 and not bool(inside.any()):
            return steps.long()
        steps += inside
        for axis in range(start.dim()):
            inside = _eroded(inside, axis)
    far = 2 * (sum(start.shape) + 1)
    steps = torch.where(start < 0, far, 0).long()
    for axis, n in enumerate(start.shape):
        lines = steps.movedim(axis, -1)
        steps = _least_radius(lines.reshape(-1, n), far).reshape(lines.shape).movedim(-1, axis)
    return torch.where(steps >= far, -1, steps)


def _eroded(inside: Tensor, axis: int) -> Tensor:
    """Without the elements that have a neighbour along an axis that is not inside."""
    made, n = inside.clone(), inside.shape[axis] - 1
    for to, of in ((0, 1), (1, 0)):
        made.narrow(axis, to, max(n, 0)).logical_and_(inside.narrow(axis, of, max(n, 0)))
    return made


def _least_radius(values: Tensor, far: int) -> Tensor:
    """For each line and place the least ``r`` for which a value within ``r`` places is at most it.

    A table has the least of 1, 2, 4, ... values from each place on; ``r`` is found bit by bit.
    """
    m, n = values.shape
    table, width = [values], 1
    while 2 * width <= n:
        last = table[-1]
        later = torch.nn.functional.pad(last[:, width:], (0, width), value=far)
        table.append(torch.minimum(last, later))
        width *= 2
    least = torch.stack(table)
    x = torch.arange(n, device=values.device).expand(m, n)
    line = torch.arange(m, device=values.device)[:, None]
    r = torch.zeros_like(values)
    widths = torch.tensor([1 << i for i in range(len(table))], device=values.device)
    for bit in reversed(range(far.bit_length())):
        radius = r + (1 << bit) - 1
        low, high = (x - radius).clamp_min(0), (x + radius).clamp_max(n - 1)
        level = (high - low + 1).double().log2().floor().long()
        second = high - widths[level] + 1
        found = torch.minimum(least[level, line, low], least[level, line, second])
        r = torch.where(found > radius, r + (1 << bit), r)
    return r.clamp_max(far)


_PAIRS = 1 << 20
"""So many distances of pairs are there at a time."""


def to_nearest_mark(t: Tensor, metric: int, scale: Sequence[float]) -> tuple[Tensor, Tensor]:
    """The distance of each element that is above 0 to the nearest below 0, and which that is.

    ``metric`` is 1 for the Euclidean distance, 2 for the taxicab, 3 for the chessboard. The other
    elements are 0, and their own nearest. Without an element below 0 the largest numbers of C.
    """
    least = torch.zeros(t.shape, dtype=torch.float64 if metric == 1 else torch.int64).to(t.device)
    nearest = torch.arange(t.numel(), device=t.device).reshape(t.shape)
    inside, marks = (t > 0).nonzero(), (t < 0).nonzero().flip(0)
    if not len(marks):
        least[t > 0] = torch.finfo(torch.float64).max ** 0.5 if metric == 1 else 2**32 - 1
        return least, torch.where(t > 0, 0, nearest)
    found, places = [], []
    for part in torch.split(inside, max(1, _PAIRS // len(marks))):
        total = torch.zeros((len(part), len(marks)), dtype=least.dtype, device=t.device)
        for axis, step in enumerate(scale):
            along = (part[:, axis, None] - marks[None, :, axis]).abs()
            if metric == 1:
                total += (along.double() * step).square()
            else:
                total = total + along if metric == 2 else torch.maximum(total, along)
        values, at = total.min(1).values, total.argmin(1)
        found.append(values.sqrt() if metric == 1 else values)
        places.append(at)
    if found:
        least[t > 0] = torch.cat(found)
        nearest[t > 0] = nearest[t < 0].flip(0)[torch.cat(places)]
    return least, nearest
