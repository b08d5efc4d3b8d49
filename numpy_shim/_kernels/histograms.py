"""Counting into bins, and NumPy's rules for how many bins there should be.

A bin includes its left edge and not its right one; the last bin includes both. Values outside
all bins are counted in an extra bin at the end, which is dropped, so that no value is read.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from xp_torch._kernels.searching import native_searchsorted
from xp_torch._kernels.unsigned import to_ordered

from .casting import cast
from .host_kernels import or_numpys
from .reductions import HALVES


def edges(first: Tensor, last: Tensor, bins: int) -> Tensor:
    """The edges of equal bins, with the rounding of NumPy's ``linspace``."""
    delta = last - first
    positions = torch.arange(bins + 1, dtype=first.dtype, device=first.device)
    step = delta / bins
    inner = torch.where(step == 0, positions / bins * delta, positions * step) + first
    return torch.cat([inner[:-1], last.reshape(1)])


def widened(first: Tensor, last: Tensor) -> tuple[Tensor, Tensor]:
    """The outer edges, moved apart where they are equal."""
    same = first == last
    return torch.where(same, first - 0.5, first), torch.where(same, last + 0.5, last)


def bin_numbers(x: Tensor, at: Tensor) -> Tensor:
    """The bin of each element among the edges ``at``, counted from 1 as by ``digitize``.

    0 is below all bins and ``len(at)`` is beyond them. Both arguments have the same dtype.
    """
    x, at = [t.float() if t.dtype in HALVES else t for t in (x, at)]
    found = native_searchsorted(to_ordered(at), to_ordered(x), True)
    return torch.where(x == at[-1], at.numel() - 1, found)


@or_numpys("counts")
def counts(number: Tensor, size: int, weights: Tensor | None) -> Tensor:
    """The number of elements with each value from 0 to ``size - 1``, or the sum of their weights.

    Weights are added up in float64 or complex128, integers exactly.
    """
    if weights is None:
        ones = torch.ones_like(number)
        return torch.zeros(size, dtype=torch.int64, device=number.device).scatter_add(
            0, number, ones
        )
    if weights.dtype.is_complex:
        return torch.complex(counts(number, size, weights.real), counts(number, size, weights.imag))
    exact = not weights.dtype.is_floating_point
    into = torch.int64 if exact else torch.float64
    zeros = torch.zeros(size, dtype=into, device=number.device)
    return zeros.scatter_add(0, number, weights.to(into))


@or_numpys("histogram")
def histogram(x: Tensor, at: Tensor, weights: Tensor | None) -> Tensor:
    """The counts, or the sums of weights, of the bins between the edges ``at``.

    ``x`` has their dtype, or an integer one.
    """
    bins = at.numel() - 1
    if x.dtype is not at.dtype:
        x = cast(x, at.dtype)
    if bins < 1:
        return counts(x.new_zeros(0, dtype=torch.int64), 0, weights)
    number = bin_numbers(x, at)
    # Values below all bins and beyond them go to the last, extra bin, which is dropped.
    number = torch.where(number == 0, bins, number - 1)
    return counts(number, bins + 1, weights)[:-1]


# --- the rules: the width of a bin, a 0-D tensor; 0 where there is none ---


def _range(x: Tensor) -> Tensor:
    return torch.amax(x) - torch.amin(x)


def _square_root(x: Tensor) -> Tensor:
    return _range(x) / math.sqrt(x.numel())


def _sturges(x: Tensor) -> Tensor:
    return _range(x) / (math.log2(x.numel()) + 1.0)


def _rice(x: Tensor) -> Tensor:
    return _range(x) / (2.0 * math.pow(x.numel(), 1.0 / 3))


def _scott(x: Tensor) -> Tensor:
    factor = math.pow(24.0 * math.pi**0.5 / x.numel(), 1.0 / 3.0)
    return factor * torch.std(x, correction=0)


def _doane(x: Tensor) -> Tensor:
    n = x.numel()
    if n <= 2:
        return x.new_zeros(())
    spread = math.sqrt(6.0 * (n - 2) / ((n + 1.0) * (n + 3)))
    sigma = torch.std(x, correction=0)
    skewness = torch.abs(torch.mean(((x - torch.mean(x)) / sigma) ** 3))
    width = _range(x) / (1.0 + math.log2(n) + torch.log2(1.0 + skewness / spread))
    return torch.where(sigma > 0, width, 0.0)


def _freedman_diaconis(x: Tensor) -> Tensor:
    ordered = torch.sort(x)[0]
    n = x.numel()
    quartiles = []
    for q in (0.75, 0.25):
        position = (n - 1) * q
        below = math.floor(position)
        a, b = ordered[below], ordered[min(below + 1, n - 1)]
        quartiles.append(torch.lerp(a, b, position - below))
    return 2.0 * (quartiles[0] - quartiles[1]) * math.pow(n, -1.0 / 3.0)


def _auto(x: Tensor) -> Tensor:
    by_quartiles = torch.maximum(_freedman_diaconis(x), _square_root(x) / 2)
    return torch.minimum(by_quartiles, _sturges(x))


RULES = {
    "auto": _auto,
    "doane": _doane,
    "fd": _freedman_diaconis,
    "rice": _rice,
    "scott": _scott,
    "sqrt": _square_root,
    "sturges": _sturges,
}
"""The rules that give a width; ``stone`` gives a number of bins."""


def stone(x: Tensor, first: Tensor, last: Tensor) -> tuple[Tensor, int]:
    """The width by Stone's rule, and the most bins that it tried.

    It chooses the number of bins whose leave-one-out estimate of the error is smallest.
    """
    n = x.numel()
    limit = max(100, int(math.sqrt(n)))
    if n <= 1:
        return x.new_zeros(()), limit
    spread = _range(x)
    errors = []
    for bins in range(1, limit + 1):
        share = histogram(x, edges(first, last, bins), None).to(x.dtype) / n
        errors.append((2 - (n + 1) * torch.sum(share * share)) / (spread / bins))
    best = torch.argmin(torch.stack(errors)) + 1
    return torch.where(spread == 0, 0.0, spread / best), limit
