"""Binary shapes: erosion, and the connected parts of an array."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .windows import CONSTANT, Offset, extend_for, shifted


def erode(
    t: Tensor, places: list[Offset], size: Sequence[int], origins: Sequence[int], edge: bool
) -> Tensor:
    """True where all elements at the places of the window are true."""
    extended = extend_for(t, size, origins, CONSTANT, edge)
    kept = torch.ones_like(t)
    for place in places:
        kept = kept & shifted(extended, place, t.shape)
    return kept


def reach(t: Tensor, places: list[Offset], size: Sequence[int], origins: Sequence[int]) -> Tensor:
    """True at the elements that stand in the window of one that is true."""
    opposite = [tuple([n - 1 - i for n, i in zip(size, p, strict=True)]) for p in places]
    back = [n - 1 - 2 * (n // 2) - o for n, o in zip(size, origins, strict=True)]
    extended = extend_for(t, size, back, CONSTANT, False)
    reached = torch.zeros_like(t)
    for place in opposite:
        reached = reached | shifted(extended, place, t.shape)
    return reached


def flooded(start: Tensor, inside: Tensor, places: list[Offset]) -> Tensor:
    """The connected parts of ``inside`` in which an element of ``start`` stands."""
    numbers, count = connected(inside, places)
    wet = torch.zeros(count + 1, dtype=torch.bool, device=start.device)
    wet = wet.index_fill(0, numbers[start & inside].long(), True)
    return inside & wet.index_select(0, numbers.reshape(-1)).reshape(inside.shape)


def connected(inside: Tensor, places: list[Offset]) -> tuple[Tensor, int]:
    """Numbers 1, 2, ... for the connected parts, in the order of their first elements.

    Elements side by side in a line are one run, if the window connects them. Runs that touch hang
    together, and each run learns the first run of its part.
    """
    if not inside.dim():
        return inside.long(), int(inside)
    beside = (1,) * (inside.dim() - 1) + (2,)
    is_first = inside.clone()
    if beside in places:
        is_first[..., 1:] &= ~inside[..., :-1]
    narrow = torch.int32 if inside.numel() < 2**31 else torch.int64
    runs = is_first.reshape(-1).cumsum(0, dtype=narrow)
    count = int(runs[-1]) if runs.numel() else 0
    runs = runs.reshape(inside.shape)
    middle = len(places) // 2  # the window is symmetric
    pairs = [
        _touching(inside, runs, place, beside in places)
        for place in places[:middle]
        if beside not in places or place != (*beside[:-1], 0)
    ]
    first = _first_of_part(pairs, count, inside.device)
    number = (first == torch.arange(count, device=inside.device)).cumsum(0)
    table = torch.cat([number.new_zeros(1), number[first]]).to(narrow)
    numbers = table.index_select(0, runs.mul_(inside).reshape(-1)).reshape(inside.shape)
    return numbers, int(number[-1]) if count else 0


def _touching(inside: Tensor, runs: Tensor, place: Offset, in_runs: bool) -> Tensor:
    """The pairs of runs, from 0, that touch in one direction; of one run and another once."""
    here, there = [], []
    ahead = 0  # so many elements in the order of memory
    for i, n in zip(place, inside.shape, strict=True):  # from -1 to 1 steps along each axis
        here.append(slice(1, None) if i == 0 else slice(None, -1) if i == 2 else slice(None))
        there.append(slice(None, -1) if i == 0 else slice(1, None) if i == 2 else slice(None))
        ahead = ahead * n + i - 1
    touch, both = torch.zeros_like(inside), inside[tuple(here)] & inside[tuple(there)]
    touch[tuple(here)] = both
    if in_runs:
        touch[tuple(here)][..., 1:] &= ~both[..., :-1]
    at = touch.reshape(-1).nonzero().squeeze(1)
    flat = runs.reshape(-1)
    return torch.stack([flat.index_select(0, i).long() - 1 for i in (at, at + ahead)])


def _first_of_part(pairs: list[Tensor], count: int, device: torch.device) -> Tensor:
    """For each of ``count`` runs the first one that it hangs together with.

    Of two parts that touch the later points to the earlier, and pointers are followed to their end.
    """
    first = torch.arange(count, device=device)
    a, b = torch.cat(pairs, 1) if pairs else first.new_zeros((2, 0))
    while len(a):
        low, high = torch.minimum(a, b), torch.maximum(a, b)
        first = first.scatter_reduce(0, high, low, "amin")
        while True:
            followed = first.index_select(0, first)
            if torch.equal(followed, first):
                break
            first = followed
        a, b = first.index_select(0, a), first.index_select(0, b)
        apart = (a != b).nonzero().squeeze(1)
        a, b = a[apart], b[apart]
    return first
