"""Riemann's and Hurwitz's zeta functions."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from .derivatives import along, special
from .series import mended, polynomial, sin_pi

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


# (zeta(s) - 1) (s - 1) 2^s for s between -0.5 and 25, in a variable between -1 and 1: Chebyshev
# interpolation, computed with 50 digits by mpmath
_ZETA = [
    2.8004915436561804e-08, -6.253001600645362e-08, -1.350365524938231e-07, 5.683661090380444e-07,
    -6.489025897298595e-07, 1.3397350484989779e-08, 2.3719970744001825e-06, -9.816832358877043e-06,
    2.189437713760456e-05, -2.0667985528322467e-05, -4.020013255266333e-05, 0.00021944503517857617,
    -0.0004888816011661914, 0.000512921312505245, 0.0005309319124289981, -0.003538127277290219,
    0.007730260542965501, -0.00785131009056884, -0.006387820397951709, 0.04218903619199762,
    -0.08397514667550354, 0.07594032203613196, 0.05929089820624406, -0.34490858132315666,
    0.668625761145879, -0.8167607669326412, 0.6649166264601433, 12.414124205724738,
    11.33082805006694,
]  # fmt: skip


def _less_1(s: Tensor) -> Tensor:
    """``zeta(s) - 1`` for ``s`` of -0.5 and more; by eight terms of its sum above 25."""
    near = polynomial((s - 12.25) / 12.75, _ZETA) * torch.exp2(-s) / (s - 1)
    return mended(torch.where(s == 1, math.inf, near), s > 25, _sum, (s, 30.0))


def _sum(s: Tensor) -> Tensor:
    two, three, five, seven = (torch.pow(torch.full_like(s, k), -s) for k in (2, 3, 5, 7))
    return two * (1 + two * (1 + two) + three) + three + five + seven


def _zetac(s: Tensor) -> Tensor:
    below = s < -0.5
    value = _less_1(torch.where(below, 1 - s, s))
    return mended(value, below, lambda s, value: _zeta_below(s, value) - 1, (s, -1.5), (value, 0.0))


def _zeta_below(s: Tensor, of_mirrored: Tensor) -> Tensor:
    """zeta(s) by zeta(1 - s) - 1 (DLMF 25.4.1), the factorial and the power as one exponential."""
    t = 1 - s
    size = torch.exp(torch.lgamma(t) - t * math.log(2 * math.pi))
    sine = sin_pi(0.5 * s)
    return torch.where(sine == 0, 0.0, 2 * size * sine * (1 + of_mirrored))


def _riemann(s: Tensor) -> Tensor:
    below = s < -0.5
    value = _less_1(torch.where(below, 1 - s, s))
    return mended(1 + value, below, _zeta_below, (s, -1.5), (value, 0.0))


@special(along(_riemann, 0))
def riemann_zeta(s: Tensor) -> Tensor:
    """Riemann's zeta function of real numbers, also below 1 (DLMF 25.2.1, 25.4.1)."""
    return _riemann(s)


@special(along(_riemann, 0))
def zetac(s: Tensor) -> Tensor:
    """``zeta(s) - 1``, exact for large ``s``."""
    return _zetac(s)
