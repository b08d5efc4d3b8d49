"""B-splines: the filter that makes coefficients of values, and values between the elements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from .windows import (
    BLOCK,
    CONSTANT,
    GRID_CONSTANT,
    GRID_WRAP,
    MIRROR,
    NEAREST,
    REFLECT,
    WRAP,
    Parts,
    edges,
    extend,
    in_blocks,
)

_POLES = {
    2: (-0.171572875253809902396622551580603843,),
    3: (-0.267949192431122706472553658494127633,),
    4: (-0.361341225900220177092212841325675255, -0.013725429297339121360331226939128204),
    5: (-0.430575347099973791851434783493520110, -0.043096288203264653822712376822550182),
}
"""Of the recursive filters, by the order of the spline (Unser, Aldroubi and Eden, 1991)."""

# --- the filter ---


def coefficients(t: Tensor, order: int, axis: int, mode: int) -> Parts:
    """The coefficients of the spline through the values, along an axis."""
    n = t.shape[axis]
    if n < 2:
        yield ..., t
        return
    beyond = sum((1 << _doublings(z)) - 1 for z in _POLES[order])
    edge = {NEAREST: REFLECT, REFLECT: REFLECT, GRID_WRAP: GRID_WRAP}.get(mode, MIRROR)
    if n <= _SHORT < t.numel() // n:
        unit = torch.eye(n, dtype=t.dtype, device=t.device)
        unit = _filtered(extend(unit, 1, beyond, beyond, edge, 0.0), order, 1)
        yield ..., (t.movedim(axis, -1) @ unit).movedim(-1, axis)
        return
    lines, other = edges(t, axis, beyond, beyond, edge, 0.0), 0 if axis else 1
    if t.dim() < 2 or t.numel() <= 2 * BLOCK or not in_blocks(t):
        yield ..., _filtered(torch.cat(lines, axis), order, axis)
        return
    is_finite = bool(torch.isfinite(t.sum()))
    size, begin = max(1, 2 * BLOCK * t.shape[other] // t.numel()), 0
    for part in zip(*[torch.split(x, size, other) for x in lines], strict=True):
        here = slice(begin, begin + size)
        made = _filtered(torch.cat(part, axis), order, axis, is_finite)
        yield (here, ...) if axis else (slice(None), here), made
        begin += size


_SHORT = 64
"""Lines of so many elements are multiplied by a matrix."""


def _doublings(z: float) -> int:
    """How often the length of a sum of powers is doubled until what is left is below rounding."""
    return next(k for k in range(1, 9) if abs(z) ** (1 << k) < 1e-18)


def _filtered(t: Tensor, order: int, axis: int, is_finite: bool = False) -> Tensor:
    """The coefficients of lines that go on beyond both their edges, without what is there.

    The recursive filters are sums of powers of their poles: 1, 2, 4, ... terms at a time, onwards
    and back. Each takes from the edges what it reads.
    """
    gain = 1.0
    # SciPy's recursion spreads a NaN over the line
    spread = None if is_finite else (t * 0).sum(axis, keepdim=True)
    for z in _POLES[order]:
        gain *= (1.0 - z) ** 2
        for onwards in (True, False):
            for k in range(_doublings(z)):
                step, n = 1 << k, t.shape[axis] - (1 << k)
                first, second = t.narrow(axis, 0, n), t.narrow(axis, step, n)
                near, far = (second, first) if onwards else (first, second)
                t = torch.add(near, far, alpha=z**step)
    return t.mul_(gain) if spread is None else torch.add(spread, t, alpha=gain)


# --- values between the elements ---


def weights(x: Tensor, order: int) -> list[Tensor]:
    """Those of the ``order + 1`` coefficients around a place that is ``x`` behind one of them."""
    y, z = x, 1.0 - x
    if order == 1:
        found = [z]
    elif order == 2:
        found = [0.5 * (0.5 - x) ** 2, 0.75 - x * x]
    elif order == 3:
        u, v = y * y, z * z
        inner = [(a - 2.0).mul_(b).mul_(0.5).add_(2.0 / 3.0) for a, b in ((y, u), (z, v))]
        return [(z * v).div_(6.0), *inner, (y * u).div_(6.0)]
    elif order == 4:
        t = x * x
        outer = [
            v * (v * (v * (5.0 - v) / 6.0 - 1.25) + 5.0 / 24.0) + 55.0 / 96.0 for v in (1.0 + x, z)
        ]
        first = (0.5 - x) ** 2
        found = [first * first / 24.0, outer[0], t * (t * 0.25 - 0.625) + 115.0 / 192.0, outer[1]]
    else:
        inner = [v * v * (v * v * (0.25 - v / 12.0) - 0.5) + 0.55 for v in (y, z)]
        outer = [
            v * (v * (v * (v * (v / 24.0 - 0.375) + 1.25) - 1.75) + 0.625) + 0.425
            for v in (y + 1.0, z + 1.0)
        ]
        t = z * z
        found = [z * t * t / 120.0, outer[0], inner[0], inner[1], outer[1]]
    last = 1.0 - found[0]
    for weight in found[1:]:
        last = last - weight
    return [*found, last]


def map_inside(x: Tensor, n: int, mode: int) -> Tensor:
    """Coordinates beyond the edges of ``n`` elements, mapped into them; -1 where there is none."""
    low, high = x < 0, x > n - 1
    if mode == NEAREST:
        return torch.where(low, 0.0, torch.where(high, n - 1.0, x))
    if mode == CONSTANT:
        return torch.where(low | high, -1.0, x)
    if n <= 1:
        return torch.where(low | high, 0.0, x)
    if mode == MIRROR:
        period = 2 * n - 2
        below = period * torch.trunc(-x / period) + x
        below = torch.where(below <= 1 - n, below + period, -below)
        above = x - period * torch.trunc(x / period)
        above = torch.where(above >= n, period - above, above)
    elif mode == REFLECT:
        period = 2 * n
        below = torch.where(x < -period, period * torch.trunc(-x / period) + x, x)
        inside = torch.where(below > -1e-15, 1e-15, -below) - 1
        below = torch.where(below < -n, below + period, inside)
        above = x - period * torch.trunc(x / period)
        above = torch.where(above >= n, period - above - 1, above)
    elif mode == WRAP:
        below = x + (n - 1) * (torch.trunc(-x / (n - 1)) + 1)
        above = x - (n - 1) * torch.trunc(x / (n - 1))
    else:
        below = x + n * (torch.trunc((-1 - x) / n) + 1)
        above = x - n * torch.trunc(x / n)
    return torch.where(low, below, torch.where(high, above, x))


class Line:
    """Along one axis, for each coordinate: the elements, their weights, and what is outside."""

    def __init__(self, x: Tensor, n: int, order: int, mode: int) -> None:
        if mode not in (GRID_CONSTANT, NEAREST):
            x = map_inside(x, n, mode)
        self.outside = x <= -1.0 if mode == CONSTANT else None
        below = torch.floor(x if order % 2 else x + 0.5).detach()
        start = below.long() - order // 2
        self.weights = weights(x - below, order) if order else None
        self.at, self.beyond = [], []
        for i in range(order + 1):
            at = start + i
            if mode == GRID_CONSTANT:
                self.beyond.append((at < 0) | (at >= n))
            elif mode == GRID_WRAP:
                at = at.remainder(n)
            elif mode != NEAREST:
                if mode != REFLECT and n > 2 * order + 2:  # less than its length beyond the edges
                    self.at.append((n - 1) - ((n - 1) - at.abs()).abs())
                    continue
                spline = REFLECT if mode == REFLECT else MIRROR
                at = map_inside(at.double(), n, spline).long()
            self.at.append(at.clamp(0, n - 1))


Sum = Sequence[Tensor]
"""Coordinates as a sum of arrays that are broadcast when they are added."""


def sample(
    t: Tensor, places: Sequence[Sum], shape: Sequence[int], order: int, mode: int, cval: float,
    padded: int,
) -> Parts:  # fmt: skip
    """The values at coordinates, which are given for each axis."""
    count = math.prod(shape)
    sampled = _sampled if count < t.numel() else _sampled_densely
    if sampled is _sampled_densely:
        t = t.double()
        for axis in range(t.dim()):
            t = extend(t, axis, order + 2, order + 2, _EDGES.get(mode, MIRROR), cval)

    def kernel(places: Sequence[Sum], shape: Sequence[int]) -> Tensor:
        lines = [(sum(of[1:], of[0]) + padded).expand(shape).reshape(-1) for of in places]
        return sampled(t, lines, order, mode, cval).reshape(shape)

    size = max(count, 1)
    if in_blocks(t, *[x for of in places for x in of]):
        t, threads = t.contiguous(), torch.get_num_threads()
        size = BLOCK if threads == 1 else 2 * BLOCK * threads  # torch's least for each thread
    if count <= size:
        yield ..., kernel(places, shape)
        return
    rows = max(1, size * shape[0] // count)
    for begin in range(0, shape[0], rows):
        here, n = slice(begin, begin + rows), min(rows, shape[0] - begin)
        part = [[x if len(x) == 1 else x[here] for x in of] for of in places]
        yield here, kernel(part, [n, *shape[1:]])


_EDGES = {mode: mode for mode in (NEAREST, REFLECT, GRID_WRAP, GRID_CONSTANT)}
"""What coefficients stand beyond the edges; in the other modes those of a mirror."""


def _sampled_densely(
    t: Tensor, places: Sequence[Tensor], order: int, mode: int, cval: float
) -> Tensor:
    """The values where the coefficients have been extended by ``order + 2`` on all sides."""
    first: Tensor | None = None
    outside: Tensor | None = None
    skipped = 0
    taps: list[list[tuple[int, Tensor | None]]] = []
    for axis, x in enumerate(places):
        n = t.shape[axis] - 2 * (order + 2)
        stride = math.prod(t.shape[axis + 1 :])
        if mode == CONSTANT:
            here = (x < 0) | (x > n - 1)
            outside = here if outside is None else outside | here
        elif mode not in (GRID_CONSTANT, NEAREST):
            x = map_inside(x, n, mode)
        below = torch.floor(x if order % 2 else x + 0.5).detach()
        w = weights(x - below, order) if order else [None]
        taps.append([(i * stride, weight) for i, weight in enumerate(w)])
        if mode in (GRID_CONSTANT, NEAREST):
            below = below.clamp(order // 2 - order - 2, n + 1 + order // 2)
        first = below * stride if first is None else torch.add(first, below, alpha=stride)
        skipped += (order + 2 - order // 2) * stride
    assert first is not None
    dtype = torch.int32 if t.numel() < 2**31 else torch.int64
    last = t.numel() - 1 - sum(line[-1][0] for line in taps)
    at = first.to(dtype).add_(skipped).clamp_(0, last)  # also where x is no number
    total = _weighed(t.reshape(-1), at, taps, 0)
    return total if outside is None else torch.where(outside, cval, total)


def _weighed(flat: Tensor, at: Tensor, taps: Sequence[Any], begin: int) -> Tensor:
    """The sum over the coefficients from each place on."""
    if not taps:
        return flat[begin:].index_select(0, at)
    total: Tensor | None = None
    for step, weight in taps[0]:
        value = _weighed(flat, at, taps[1:], begin + step)
        if weight is None:
            return value
        total = value * weight if total is None else total.addcmul_(value, weight)
    assert total is not None
    return total


def _sampled(t: Tensor, places: Sequence[Tensor], order: int, mode: int, cval: float) -> Tensor:
    lines = [Line(x, n, order, mode) for x, n in zip(places, t.shape, strict=True)]
    flat = t.reshape(-1)
    if t.dtype in (torch.uint16, torch.uint32, torch.uint64):  # torch has no index_select of them
        flat = flat.double()
    for axis, line in enumerate(lines):
        stride = math.prod(t.shape[axis + 1 :])
        line.at = [at * stride for at in line.at] if stride != 1 else line.at
    total = _over_taps(flat, lines, None, None, cval)
    for line in lines:
        if line.outside is not None:
            total = torch.where(line.outside, cval, total)
    return total


def _over_taps(
    flat: Tensor, lines: Sequence[Line], at: Tensor | None, beyond: Tensor | None, cval: float
) -> Tensor:
    """The sum over the elements around each place; ``at`` and ``beyond`` are of earlier axes."""
    if not lines:
        assert at is not None
        value = flat.index_select(0, at.reshape(-1)).reshape(at.shape).double()
        return value if beyond is None else torch.where(beyond, cval, value)
    line, *others = lines
    total: Tensor | None = None
    for i, here in enumerate(line.at):
        there = beyond
        if line.beyond:
            there = line.beyond[i] if beyond is None else beyond | line.beyond[i]
        value = _over_taps(flat, others, here if at is None else at + here, there, cval)
        if line.weights is None:
            total = value if total is None else total + value
        else:
            weight = line.weights[i]
            total = value * weight if total is None else torch.addcmul(total, value, weight)
    assert total is not None
    return total


def sample_grid(
    t: Tensor, places: Sequence[Tensor], order: int, mode: int, cval: float, padded: int
) -> Parts:
    """The values on the grid of coordinates of each axis: one axis after the other."""
    lines = [Line(x + padded, n, order, mode) for x, n in zip(places, t.shape, strict=True)]
    count = math.prod([len(x) for x in places])
    if count <= 2 * BLOCK or not in_blocks(t, *places):
        yield ..., _on_grid(t, lines, cval)
        return
    rows = max(1, BLOCK * len(places[0]) // count)
    for begin, x in enumerate(torch.split(places[0] + padded, rows)):
        first = Line(x, t.shape[0], order, mode)
        here = slice(begin * rows, (begin + 1) * rows)
        yield here, _on_grid(t, [first, *lines[1:]], cval)


def _on_grid(t: Tensor, lines: Sequence[Line], cval: float) -> Tensor:
    rank = t.dim()
    outside: Tensor | None = None
    values = t
    for axis, line in enumerate(lines):
        shape = [-1 if a == axis else 1 for a in range(rank)]
        total: Tensor | None = None
        if axis and in_blocks(t):  # whole lines are copied faster than their elements
            values = values.movedim(axis, 0).contiguous().movedim(0, axis)
        for i, at in enumerate(line.at):
            value = values.index_select(axis, at).double()
            if line.beyond:
                value = torch.where(line.beyond[i].reshape(shape), cval, value)
            if line.weights is None:
                total = value
            else:
                weight = line.weights[i].reshape(shape)
                total = value * weight if total is None else total.addcmul_(value, weight)
        assert total is not None
        values = total
        if line.outside is not None:
            here = line.outside.reshape(shape)
            outside = here if outside is None else outside | here
    return values if outside is None else torch.where(outside, cval, values)
