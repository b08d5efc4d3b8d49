"""Integrals by a fixed number of nodes."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import torch
from torch import Tensor
from torch.compiler import is_compiling

from .series import few


def weighted_sum(
    function: Callable[[Tensor | float], Tensor],
    nodes: tuple[float, ...],
    weights: tuple[float, ...],
    like: Tensor,
) -> Tensor:
    """The sum of ``weight * function(node)``.

    Eager code adds one node after the other, to save memory. In a trace, and for few elements on a
    device, the nodes are one more axis at the front: that keeps the graph small, and is one loop in
    compiled code.
    """
    return weighted_sums(lambda w: (function(w),), nodes, weights, like)[0]


def weighted_sums(
    function: Callable[[Tensor | float], tuple[Tensor, ...]],
    nodes: tuple[float, ...],
    weights: tuple[float, ...],
    like: Tensor,
) -> list[Tensor]:
    """The same for each of the values of a function that has several."""
    if is_compiling() or few(like):
        shape = (len(nodes), *[1] * like.dim())
        points = torch.tensor(nodes, dtype=like.dtype, device=like.device).reshape(shape)
        factors = torch.tensor(weights, dtype=like.dtype, device=like.device).reshape(shape)
        return [(values * factors).sum(0) for values in function(points)]
    totals: list[Tensor] = []
    for node, weight in zip(nodes, weights, strict=True):
        parts = [weight * values for values in function(node)]
        totals = [t + p for t, p in zip(totals, parts, strict=True)] if totals else parts
    return totals


@cache
def gauss_legendre(count: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Nodes and weights of Gauss and Legendre's rule on (0, 1) (DLMF 3.5.15)."""
    nodes, weights = [], []
    for i in range(count):
        x = math.cos(math.pi * (i + 0.75) / (count + 0.5))
        for _ in range(8):
            before, last = 1.0, x
            for k in range(2, count + 1):
                before, last = last, ((2 * k - 1) * x * last - (k - 1) * before) / k
            slope = count * (x * last - before) / (x * x - 1)
            x -= last / slope
        nodes.append(0.5 * (1 + x))
        weights.append(1 / ((1 - x * x) * slope * slope))
    return tuple(nodes), tuple(weights)
