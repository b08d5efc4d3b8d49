"""What a filter sees beyond the edges of an array, and sums over the windows of a filter."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

Offset = tuple[int, ...]

NEAREST, WRAP, REFLECT, MIRROR, CONSTANT, GRID_WRAP, GRID_CONSTANT = range(7)
"""SciPy's codes for what stands beyond the edges (``_ni_support._extend_mode_to_code``)."""


def place_inside(i: int, n: int, mode: int) -> int:
    """The element of ``n`` elements that stands at the place ``i`` beyond the edges."""
    if mode == NEAREST or n == 1:
        return min(max(i, 0), n - 1)
    if mode in (WRAP, GRID_WRAP):
        return i % n
    if mode == REFLECT:
        i %= 2 * n
        return min(i, 2 * n - 1 - i)
    i %= 2 * n - 2
    return min(i, 2 * n - 2 - i)


def extend(t: Tensor, axis: int, before: int, after: int, mode: int, cval: float) -> Tensor:
    """``t`` with more elements before and after it along an axis; never the memory of ``t``."""
    return torch.cat(edges(t, axis, before, after, mode, cval), axis)


def edges(
    t: Tensor, axis: int, before: int, after: int, mode: int, cval: float
) -> tuple[Tensor, Tensor, Tensor]:
    """What stands before ``t``, ``t``, and what stands after it."""
    n = t.shape[axis]
    parts = []
    for places in (range(-before, 0), range(n, n + after)):
        if mode in (CONSTANT, GRID_CONSTANT) or n == 0:
            shape = [*t.shape[:axis], len(places), *t.shape[axis + 1 :]]
            parts.append(t.new_full(shape, cval))
        else:
            inside = [place_inside(i, n, mode) for i in places]
            parts.append(t.index_select(axis, torch.tensor(inside, device=t.device).long()))
    return parts[0], t, parts[1]


def extend_for(
    t: Tensor, shape: Sequence[int], origins: Sequence[int], mode: int, cval: float
) -> Tensor:
    """``t`` with the edges that windows of this shape need: a window begins at each element."""
    for axis, (size, origin) in enumerate(zip(shape, origins, strict=True)):
        before = size // 2 + origin
        t = extend(t, axis, before, size - 1 - before, mode, cval)
    return t


def shifted(extended: Tensor, offset: Offset, shape: Sequence[int]) -> Tensor:
    """What stands at one place of the windows: an array of the original shape, a view."""
    for axis, (begin, size) in enumerate(zip(offset, shape, strict=True)):
        if extended.shape[axis] != size:
            extended = extended.narrow(axis, begin, size)
    return extended


BLOCK = 1 << 15
"""So many elements stay in the cache while a sum over windows is made."""


def in_blocks(*tensors: Tensor) -> bool:
    """Whether blocks pay: on the CPU, where no gradient and no graph is made."""
    return not torch.compiler.is_compiling() and all(
        t.device.type == "cpu" and not t.requires_grad for t in tensors
    )


Parts = Iterator[tuple[Any, Tensor]]
"""A result in parts, each with its index: so none of it is in memory beside the output."""


def by_blocks(
    kernel: Callable[[Tensor, list[int]], Tensor], extended: Tensor, shape: Sequence[int], size: int
) -> Parts:
    """``kernel`` of the windows, made in blocks of ``size`` elements along the first axis.

    The kernel gets a part of ``extended`` and the shape of its result.
    """
    count = math.prod(shape)
    if not shape or count <= 2 * size or not in_blocks(extended):
        yield ..., kernel(extended, list(shape))
        return
    rows = max(1, size * shape[0] // count)
    more = extended.shape[0] - shape[0]
    for begin in range(0, shape[0], rows):
        here = min(rows, shape[0] - begin)
        part = extended.narrow(0, begin, here + more)
        yield slice(begin, begin + here), kernel(part, [here, *shape[1:]])


def joined(parts: Parts) -> Tensor:
    """The whole of what was made in blocks along the first axis."""
    values = [value for _, value in parts]
    return values[0] if len(values) == 1 else torch.cat(values)


class Tap:
    """A weight, its place in the window, and the place that is added before it is multiplied."""

    def __init__(self, weight: Any, offset: Offset, other: Offset | None = None, sign: int = 1):
        self.weight, self.offset, self.other, self.sign = weight, offset, other, sign

    def of(self, extended: Tensor, shape: Sequence[int]) -> Tensor:
        """What the weight is of."""
        t = shifted(extended, self.offset, shape)
        if self.other is None:
            return t
        return t.add(shifted(extended, self.other, shape), alpha=self.sign)


def weigh(extended: Tensor, taps: Sequence[Tap], shape: Sequence[int]) -> Parts:
    """The sum of weighted elements of each window, in the order of the taps."""

    def kernel(part: Tensor, here: list[int]) -> Tensor:
        total: Tensor | None = None
        for tap in taps:
            t = tap.of(part, here)
            if total is None:
                total = t * tap.weight
            elif isinstance(tap.weight, Tensor):
                total = total + t * tap.weight
            else:
                total.add_(t, alpha=tap.weight)
        return part.new_zeros(here) if total is None else total

    return by_blocks(kernel, extended, shape, BLOCK)


def offsets(footprint: Sequence[bool], shape: Sequence[int]) -> Iterator[Offset]:
    """The places of a window at which the footprint is true."""
    for at, inside in enumerate(footprint):
        if inside:
            place = []
            for n in reversed(shape):
                at, i = divmod(at, n)
                place.append(i)
            yield tuple(reversed(place))


def weights_of(w: Tensor) -> list[Any]:
    """Weights as numbers, or as tensors where their values must not be asked: in a trace."""
    if torch.compiler.is_compiling() or w.requires_grad:
        return list(w.reshape(-1).unbind())
    return w.reshape(-1).tolist()


def line_taps(weights: list[Any], axis: int, rank: int) -> list[Tap]:
    """The taps of a filter along one axis: SciPy adds equal weights' elements first."""
    size = len(weights)
    half = size // 2

    def at(i: int) -> Offset:
        return tuple([i if a == axis else 0 for a in range(rank)])

    sign = 0
    if size % 2 and not any(isinstance(w, Tensor) for w in weights):
        pairs = [(weights[half - i], weights[half + i]) for i in range(1, half + 1)]
        sign = next((s for s in (1, -1) if all(abs(b - s * a) <= _EPS for a, b in pairs)), 0)
    if not sign:
        return [Tap(weights[i], at(i)) for i in (size - 1, *range(size - 1))]
    taps = [Tap(weights[half], at(half))]
    return taps + [Tap(weights[i], at(i), at(size - 1 - i), sign) for i in range(half)]


_EPS = torch.finfo(torch.float64).eps
