"""Matrix powers to twice the digits of float64: a number and its error are a pair.

A filter of many samples needs high powers of its state matrix. Their elements grow by cancelling
amounts, so that squaring in float64 loses the digits that the output has. Derivatives go through
the numbers only.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import torch
from torch import Tensor

Pair = tuple[Tensor, Tensor]

_SPLIT = 2.0**27 + 1

_PARTS = 4
"""A number is the sum of so many in a product of matrices."""


def as_pair(x: Tensor) -> Pair:
    return x, torch.zeros_like(x)


def each(function: Callable[[Tensor], Tensor], x: Pair) -> Pair:
    """A pair of what a linear function gives."""
    return function(x[0]), function(x[1])


def joined(parts: list[Pair], axis: int) -> Pair:
    return torch.cat([p[0] for p in parts], axis), torch.cat([p[1] for p in parts], axis)


def _halves(x: Tensor) -> Pair:
    """A number as the sum of two with 26 bits (Veltkamp)."""
    scaled = x * _SPLIT
    high = scaled - (scaled - x)
    return high, x - high


def _error_of_product(p: Tensor, a: Tensor, b: Tensor) -> Tensor:
    """``a * b - p`` exactly, ``p`` being the rounded product (Dekker)."""
    a_high, a_low = _halves(a.detach())
    b_high, b_low = _halves(b.detach())
    return a_low * b_low - (((p.detach() - a_high * b_high) - a_low * b_high) - a_high * b_low)


def add(x: Pair, y: Pair) -> Pair:
    """The sum of two pairs (Knuth)."""
    total = x[0] + y[0]
    a, b, s = x[0].detach(), y[0].detach(), total.detach()
    back = s - a
    error = (a - (s - back)) + (b - back) + x[1] + y[1]
    return total, error


def times(x: Pair, y: Pair) -> Pair:
    """The product of two pairs, element by element."""
    product = x[0] * y[0]
    error = _error_of_product(product, x[0], y[0])
    return product, error + x[0].detach() * y[1] + x[1] * y[0].detach()


def matmul(x: Pair, y: Pair) -> Pair:
    """The matrix product of two pairs."""
    *exact, rest = Cut(y).products(x)
    total, error = functools.reduce(add, [as_pair(part) for part in exact])
    high, low = settled((total, error + rest))
    plain = x[0] @ y[0]
    return high + (plain - plain.detach()), low


def settled(x: Pair) -> Pair:
    """The pair whose second number is below the last digit of the first."""
    total = x[0] + x[1]
    return total, x[1] - (total.detach() - x[0].detach())


class Cut:
    """A matrix from the right, cut into parts whose products with those of another are exact.

    The state matrix of a narrow filter has large elements, whose products with a state cancel. So
    matrices and vectors are sums of parts, of which all but the last have so few bits that a sum
    of their products is exact (Ozaki et al.).
    """

    def __init__(self, matrix: Pair) -> None:
        self.plain = matrix[0]
        parts = _cut(matrix, -2)
        below = [parts[-1]]
        for part in parts[-2::-1]:
            below.append(part + below[-1])
        rows = [parts[g - i] for g in range(_PARTS - 1) for i in range(g + 1)]
        self.rows = torch.cat([*rows, *below], -2)

    def products(self, x: Pair) -> list[Tensor]:
        """The sums of products of parts, the largest first; all but the last are exact."""
        size = self.plain.shape[-2]
        parts = torch.cat(_cut(x, -1), -1)
        found, begin = [], 0
        for width in range(size, (_PARTS + 1) * size, size):
            found.append(parts[..., :width] @ self.rows[..., begin : begin + width, :])
            begin += width
        return found

    def of(self, vectors: Tensor) -> Tensor:
        """The product of vectors and the matrix, rounded once."""
        total = functools.reduce(torch.add, reversed(self.products(as_pair(vectors))))
        plain = vectors @ self.plain
        return total + (plain - plain.detach())


def _cut(x: Pair, axis: int) -> list[Tensor]:
    """The parts; ``axis`` is the one over which products are summed."""
    rest = x[0].detach()
    bits = (51 - (rest.shape[axis] - 1).bit_length()) // 2
    found = []
    for _ in range(_PARTS - 1):
        unit = rest.abs().amax(axis, keepdim=True) * 2.0 ** (54 - bits)
        found.append((rest + unit) - unit)
        rest = rest - found[-1]
    return [*found, rest + x[1].detach()]


def rounded_matmul(x: Pair, y: Pair) -> Pair:
    """The matrix product of the numbers without their errors."""
    return as_pair(x[0] @ y[0])


def powers(
    a: Pair, count: int, product: Callable[[Pair, Pair], Pair] = matmul
) -> tuple[Pair, Pair]:
    """The powers 0 to ``count - 1`` of a matrix, and the power ``count``, a power of two."""
    size = a[0].shape[-1]
    found = as_pair(torch.eye(size, dtype=a[0].dtype, device=a[0].device).unsqueeze(0))
    done = 1
    while done < count:
        both = joined([found, each(lambda t: t.unsqueeze(0), a)], 0)
        more = product(both, a)
        found = joined([found, each(lambda t: t[:-1], more)], 0)
        a = each(lambda t: t[-1], more)
        done *= 2
    return found, a
