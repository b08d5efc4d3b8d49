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
    if not inside.numel():
        return torch.zeros((rank, *inside.shape), dtype=torch.int64, device=inside.device)
    lines = [
        torch.arange(n, dtype=torch.int32, device=inside.device).reshape(
            [-1 if a == axis else 1 for a in range(rank)]
        )
        for axis, n in enumerate(inside.shape)
    ]
    found = [_nearest_in_line(lines[0], inside)]
    for axis in range(1, rank):
        squares = torch.zeros(inside.shape, dtype=torch.float64, device=inside.device)
        for place, line, step in zip(found, lines, sampling, strict=False):
            squares = squares.add_((place - line).double().mul_(step).square_())
        squares = squares.masked_fill_(found[0] < 0, torch.inf).movedim(axis, -1)
        n, is_whole = inside.shape[axis], all(float(s).is_integer() for s in sampling[: axis + 1])
        best = _nearest_sums(squares.reshape(-1, n), sampling[axis], is_whole)
        best = best.reshape(squares.shape).movedim(-1, axis)
        found = [*[place.gather(axis, best) for place in found], best.int()]
    # 0 behind a -1
    return torch.stack([found[0], *[place & ~(found[0] >> 31) for place in found[1:]]])


def _nearest_in_line(column: Tensor, inside: Tensor) -> Tensor:
    """Along the first axis the place of the nearest background; -1 where a line has none."""
    n = len(inside)
    none = 2 * n + 1
    background = (~inside).int()
    before = _largest(background * (column + none) - none, False)
    after = -_largest(background * (none - column) - none, True)
    # of two equally near the one before
    nearer = torch.minimum((column - before) * 2, (after - column) * 2 + 1)
    ahead = (nearer & 1) * 2 - 1
    place = column + (nearer >> 1) * ahead
    return torch.where(nearer > 2 * n, -1, place)


def _largest(t: Tensor, back: bool) -> Tensor:
    """Of all elements up to each one along the first axis, or from each one on."""
    step, other = 1, torch.empty_like(t)
    while step < len(t):
        late, early = slice(step, None), slice(None, -step)
        to, of, rest = (early, late, slice(-step, None)) if back else (late, early, slice(step))
        torch.maximum(t[to], t[of], out=other[to])
        other[rest] = t[rest]
        t, other, step = other, t, 2 * step
    return t


_STEPS = 48
"""How far the nearest is looked for step by step; what is farther away is found by halves."""


def _nearest_sums(values: Tensor, step: float, is_whole: bool) -> Tensor:
    """The same as ``_least_sums``, step by step where the nearest is near: block by block."""
    m, n = values.shape
    best = torch.empty((m, n), dtype=torch.int64, device=values.device)
    rows = max(1, 2 * BLOCK // max(n, 1)) if in_blocks(values) else m
    by_steps = _by_whole_steps if is_whole and abs(step) <= _STEPS else _by_steps
    for begin in range(0, m, max(rows, 1)):
        part = values[begin : begin + rows].contiguous()
        best[begin : begin + rows], least = by_steps(part, step)
        far = least.amax(1) > ((_STEPS - 1) * step) ** 2 if n > _STEPS else least.new_zeros(0)
        lines = far.nonzero().squeeze(1)
        if len(lines):
            best[begin + lines] = _least_sums(part[lines], step)
    return best


def _by_whole_steps(values: Tensor, step: float) -> tuple[Tensor, Tensor]:
    """Where sums are whole numbers, a number is a sum and then how far ahead it was found."""
    n, size = values.shape[1], int(step)
    start = (values.clamp_max((_STEPS * size) ** 2).int() << 7) + 64
    least, sums = start.clone(), torch.empty_like(start)
    for d in range(1, min(_STEPS, n)):
        square = (d * size) ** 2
        if d % 4 == 1 and not int(least.max()) >> 7 > square:
            break
        for to, of, ahead in (
            (slice(d, None), slice(None, -d), -d),
            (slice(None, -d), slice(d, None), d),
        ):
            here = least[:, to]
            torch.add(start[:, of], (square << 7) + ahead, out=sums[:, to])
            torch.minimum(here, sums[:, to], out=here)
    place = torch.arange(n, dtype=torch.int32, device=values.device)
    return (least & 127) - 64 + place, least >> 7


def _by_steps(values: Tensor, step: float) -> tuple[Tensor, Tensor]:
    n = values.shape[1]
    least = values.clone()
    place = torch.arange(n, dtype=torch.int32, device=values.device)
    best = place.expand(values.shape).clone()
    for d in range(1, min(_STEPS, n)):
        square = (d * step) * (d * step)
        if d % 4 == 1 and not bool((least > square).any()):
            break
        for to, of, compare in (
            (slice(d, None), slice(None, -d), torch.le),  # of those equally near the first
            (slice(None, -d), slice(d, None), torch.lt),
        ):
            sums = values[:, of] + square
            nearer = compare(sums, least[:, to])
            least[:, to] = torch.where(nearer, sums, least[:, to])
            best[:, to] = torch.where(nearer, place[of], best[:, to])
    return best, least


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
    inside = (start < 0).to(torch.uint8)
    steps = torch.zeros_like(inside)
    for d in range(_STEPS):  # a step is an erosion
        if d % 4 == 0 and not int(inside.max()):
            return steps
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
        made.narrow(axis, to, max(n, 0)).bitwise_and_(inside.narrow(axis, of, max(n, 0)))
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
