"""Matrix powers to twice the digits of float64: a number and its error are a pair.

A filter of many samples needs high powers of its state matrix. Their elements grow by cancelling
amounts, so that squaring in float64 loses the digits that the output has. Derivatives go through
the numbers only.
"""

from __future__ import annotations

import torch
from torch import Tensor

Pair = tuple[Tensor, Tensor]

_SPLIT = 2.0**27 + 1


def as_pair(x: Tensor) -> Pair:
    return x, torch.zeros_like(x)


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
    """The matrix product of two pairs, summed in pairs."""
    a, b = (t.unsqueeze(-1) for t in x), (t.unsqueeze(-3) for t in y)
    terms = times(tuple(a), tuple(b))  # type: ignore[arg-type]
    while terms[0].shape[-2] > 1:
        n = terms[0].shape[-2]
        half = n // 2
        front = tuple(t.narrow(-2, 0, half) for t in terms)
        back = tuple(t.narrow(-2, half, half) for t in terms)
        rest = tuple(t.narrow(-2, 2 * half, n - 2 * half) for t in terms)
        total = add(front, back)  # type: ignore[arg-type]
        joined = [torch.cat([s, r], -2) for s, r in zip(total, rest, strict=True)]
        terms = joined[0], joined[1]
    return settled((terms[0].squeeze(-2), terms[1].squeeze(-2)))


def settled(x: Pair) -> Pair:
    """The pair whose second number is below the last digit of the first."""
    total = x[0] + x[1]
    return total, x[1] - (total.detach() - x[0].detach())


def powers(a: Pair, count: int) -> tuple[Pair, Pair]:
    """The powers 0 to ``count - 1`` of a matrix, and the power ``count``, a power of two."""
    size = a[0].shape[-1]
    found = as_pair(torch.eye(size, dtype=a[0].dtype, device=a[0].device).unsqueeze(0))
    done = 1
    while done < count:
        more = matmul(found, a)
        found = torch.cat([found[0], more[0]]), torch.cat([found[1], more[1]])
        a = matmul(a, a)
        done *= 2
    return found, a
