"""The smallest, the largest and the element of a rank in the windows of a filter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import torch
from torch import Tensor

from .windows import BLOCK, Offset, Parts, by_blocks, shifted

Chosen = Callable[[Tensor, Tensor], Tensor]


def comparable(t: Tensor, cval: float) -> Tensor:
    """``t`` in a dtype that torch compares and that holds ``cval``."""
    if t.dtype is torch.uint64 or not (t.is_floating_point() or float(cval).is_integer()):
        return t.double()
    if t.dtype in (torch.uint16, torch.uint32):
        t = t.long()
    if t.dtype is torch.bool:
        return t if cval in (0, 1) else t.double()
    if not t.is_floating_point() and not (
        torch.iinfo(t.dtype).min <= cval <= torch.iinfo(t.dtype).max
    ):
        return t.double()
    return t


def choose_along(extended: Tensor, axis: int, size: int, n: int, choose: Chosen) -> Tensor:
    """The smallest or largest of ``size`` elements: of windows of 2, 4, 8, ... and the rest."""
    t, width = extended, 1
    while 2 * width <= size:
        length = t.shape[axis] - width
        t = choose(t.narrow(axis, 0, length), t.narrow(axis, width, length))
        width *= 2
    return choose(t.narrow(axis, 0, n), t.narrow(axis, size - width, n))


def choose_in(
    extended: Tensor, places: list[Offset], shape: Sequence[int], choose: Chosen
) -> Parts:
    """The smallest or largest element at the places of each window."""

    def kernel(part: Tensor, here: list[int]) -> Tensor:
        chosen = shifted(part, places[0], here)
        for place in places[1:]:
            chosen = choose(chosen, shifted(part, place, here))
        return chosen

    return by_blocks(kernel, extended, shape, BLOCK)


def choose_in_relief(
    extended: Tensor, places: list[Offset], heights: list[float], shape: Sequence[int], choose: Any
) -> Tensor:
    """The same with a number added at each place: to the first as to a float, as SciPy does."""
    chosen = shifted(extended, places[0], shape).double() + heights[0]
    for place, height in zip(places[1:], heights[1:], strict=True):
        t = shifted(extended, place, shape)
        # a NaN is not smaller, nor larger
        t = (t + torch.tensor(height, dtype=torch.float64).to(t.dtype)).double()
        chosen = torch.where(t < chosen if choose is torch.minimum else t > chosen, t, chosen)
    return chosen


_LARGEST_NETWORK = 64


def rank_in(extended: Tensor, places: list[Offset], rank: int, shape: Sequence[int]) -> Parts:
    """The element of a rank among those at the places of each window."""
    count = len(places)
    if count <= _LARGEST_NETWORK:
        steps = selection_network(count, rank)

        def kernel(part: Tensor, here: list[int]) -> Tensor:
            found = [shifted(part, place, here) for place in places]
            for i, j, wanted in steps:
                low = torch.minimum(found[i], found[j]) if wanted != "high" else found[i]
                if wanted != "low":
                    found[j] = torch.maximum(found[i], found[j])
                found[i] = low
            return found[rank]
    else:

        def kernel(part: Tensor, here: list[int]) -> Tensor:
            stacked = torch.stack([shifted(part, place, here) for place in places], -1)
            return stacked.sort(-1).values.select(-1, rank)

    return by_blocks(kernel, extended, shape, max(1 << 12, (1 << 18) // count))


@cache
def selection_network(count: int, rank: int) -> list[tuple[int, int, str]]:
    """Batcher's comparisons that bring the element of a rank to its place; of each, what is used.

    >>> from numpy_shim.scipy._ndimage.order import selection_network
    >>> selection_network(3, 1)
    [(0, 1, 'both'), (0, 2, 'high'), (1, 2, 'low')]
    """
    steps = []
    p = 1
    while p < count:
        k = p
        while k >= 1:
            for j in range(k % p, count - k, 2 * k):
                steps += [
                    (i, i + k)
                    for i in range(j, min(j + k, count - k))
                    if i // (2 * p) == (i + k) // (2 * p)
                ]
            k //= 2
        p *= 2
    needed, kept = {rank}, []
    for i, j in reversed(steps):
        wanted = {i, j} & needed
        if wanted:
            kept.append((i, j, "both" if len(wanted) == 2 else "low" if i in wanted else "high"))
            needed |= {i, j}
    return kept[::-1]
