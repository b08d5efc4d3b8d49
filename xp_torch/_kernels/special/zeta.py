"""Riemann's and Hurwitz's zeta functions."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from .derivatives import along, special
from .series import sin_pi

_BERNOULLI = [
    1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798,
    -174611 / 330,
]  # fmt: skip
_HEAD = 10


def _by_sum(s: Tensor, q: Tensor) -> Tensor:
    """Euler and Maclaurin's formula after ten terms, for ``s > 1``, ``q > 0`` (DLMF 25.11.28)."""
    total = torch.zeros_like(s)
    for k in range(_HEAD):
        total = total + torch.pow(q + k, -s)
    end = q + _HEAD
    power = torch.pow(end, -s)
    total = total + power * (end / (s - 1) + 0.5)
    term = s * power / end
    for k, b in enumerate(_BERNOULLI, 1):
        total = total + b / math.factorial(2 * k) * term
        term = term * ((s + 2 * k - 1) * (s + 2 * k)) / (end * end)
    return total


def hurwitz(s: Tensor, q: Tensor) -> Tensor:
    """The values of Hurwitz's zeta function."""
    value = torch.special.zeta(torch.where(s > 1100, 1100.0, s), q)
    return torch.where((q == math.inf) & (s > 1), 0.0, value)


@special(along(_by_sum, 0), lambda s, q: -s * zeta(s + 1, q))
def zeta(s: Tensor, q: Tensor) -> Tensor:
    """Hurwitz's zeta function, the sum of ``(k + q)**-s`` (DLMF 25.11.1)."""
    return hurwitz(s, q)


_TERMS = 24


def _borwein() -> list[float]:
    """``(-1)^k (1 - d_k / d_n)`` of Borwein's algorithm 2 (An efficient algorithm, 2000)."""
    parts = [
        _TERMS * math.factorial(_TERMS + i - 1) * 4**i
        / (math.factorial(_TERMS - i) * math.factorial(2 * i))
        for i in range(_TERMS + 1)
    ]  # fmt: skip
    whole = math.fsum(parts)
    return [(-1) ** k * (1 - math.fsum(parts[: k + 1]) / whole) for k in range(_TERMS)]


_WEIGHTS = _borwein()


def _by_alternation(s: Tensor) -> Tensor:
    """zeta(s) for ``0 <= s`` by the alternating series."""
    total = torch.zeros_like(s)
    for k, weight in enumerate(_WEIGHTS):
        total = total + weight * torch.pow(torch.full_like(s, k + 1.0), -s)
    return total / -torch.expm1((1 - s) * math.log(2))


def _riemann(s: Tensor, sum_of: Callable[[Tensor, Tensor], Tensor] = hurwitz) -> Tensor:
    below = s < -0.5
    t = torch.where(below, 1 - s, s)
    value = torch.where(
        t > 1, sum_of(t.clamp(min=1 + 1e-9), torch.ones_like(t)), _by_alternation(t.clamp(max=2))
    )
    value = torch.where(s == 1, math.inf, value)
    # DLMF 25.4.1, with the factorial and the power as one exponential
    size = torch.exp(torch.lgamma(t) - t * math.log(2 * math.pi))
    sine = sin_pi(0.5 * s)
    value = torch.where(below, 2 * size * sine * value, value)
    return torch.where(below & (sine == 0), 0.0, value)


@special(along(lambda s: _riemann(s, _by_sum), 0))
def riemann_zeta(s: Tensor) -> Tensor:
    """Riemann's zeta function of real numbers, also below 1 (DLMF 25.2.1, 25.4.1)."""
    return _riemann(s)


def _zetac(s: Tensor) -> Tensor:
    above = s > 1
    far = hurwitz(torch.where(above, s, 2), torch.full_like(s, 2.0))
    return torch.where(above, far, _riemann(s) - 1)


@special(along(lambda s: _riemann(s, _by_sum), 0))
def zetac(s: Tensor) -> Tensor:
    """``zeta(s) - 1``, exact for large ``s``."""
    return _zetac(s)
