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
    return inside & wet.index_fill(0, numbers[start & inside], True)[numbers]


def connected(inside: Tensor, places: list[Offset]) -> tuple[Tensor, int]:
    """Numbers 1, 2, ... for the connected parts, in the order of their first elements.

    Each element points to the smallest that it is known to hang together with; neighbours tell
    each other, and pointers are followed, until nothing changes.
    """
    n = inside.numel()
    root = torch.arange(n, device=inside.device).reshape(inside.shape)
    root = torch.where(inside, root, n)
    size, origins = [3] * inside.dim(), [0] * inside.dim()
    while True:
        extended = extend_for(root, size, origins, CONSTANT, n)
        smallest = root
        for place in places:
            smallest = torch.minimum(smallest, shifted(extended, place, root.shape))
        smallest = torch.where(inside, smallest, n)
        # the root of a part learns what its elements have heard
        told = torch.arange(n + 1, device=inside.device)
        told = told.scatter_reduce(0, root.reshape(-1), smallest.reshape(-1), "amin")
        for _ in range(3):
            told = told[told]
        found = told[smallest]
        if torch.equal(found, root):
            break
        root = found
    first = root == torch.arange(n, device=inside.device).reshape(inside.shape)
    number = (first & inside).reshape(-1).cumsum(0)
    numbers = torch.cat([number, number.new_zeros(1)])[root]
    return numbers, int(number[-1])
