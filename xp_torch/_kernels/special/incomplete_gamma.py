"""The regularized incomplete gamma functions and their inverses."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import torch
from torch import Tensor

from .derivatives import along, special
from .gamma import gamma_star, lgamma1p
from .series import (
    combined,
    few,
    log1p_minus,
    mended,
    nan_where,
    orders,
    polynomial,
    powers,
    readable,
    root,
    sum_of_products,
)

_ORDERS, _POWERS = 12, 26
_UNIFORM_FROM = 18.0


def _temme() -> list[list[float]]:
    """The coefficients of Temme's expansion, of each order the powers of eta.

    N. M. Temme, The asymptotic expansion of the incomplete gamma functions (1979); the recursion
    is that of A. R. DiDonato and A. H. Morris (1986), eq. 20 and DLMF 8.12.
    """
    size = _POWERS + 2 * _ORDERS + 3
    alpha = [Fraction(0), Fraction(1)]
    for n in range(2, size + 1):
        known = sum((j * alpha[j] * alpha[n - j + 1] for j in range(2, n)), Fraction(0))
        alpha.append((alpha[n - 1] - known) / (n + 1))
    # The coefficients of gamma_star(a), from alpha too: (-1)^k 1 3 5 ... (2k+1) alpha_(2k+1)
    stirling, double = [], Fraction(1)
    for k in range(_ORDERS):
        double *= 2 * k + 1
        stirling.append(double * alpha[2 * k + 1])
    first = [Fraction(-1, 3)] + [(n + 2) * alpha[n + 2] for n in range(1, size - 2)]
    orders = [first]
    for k in range(1, _ORDERS):
        before, g = orders[-1], (-1) ** k * stirling[k]
        orders.append([g * first[n] + (n + 2) * before[n + 2] for n in range(len(before) - 2)])
    return [[float(c) for c in reversed(row[:_POWERS])] for row in orders]


_TEMME = _temme()
_ASCENDING = tuple([tuple(row[::-1]) for row in _TEMME])


def _power(a: Tensor, x: Tensor) -> Tensor:
    """``x**a exp(-x) / gamma(a + 1)``, without cancellation where ``x`` is near ``a``."""
    distance = (x - a) / a
    near = torch.exp(a * log1p_minus(distance)) / (torch.sqrt(2 * math.pi * a) * gamma_star(a))
    far = (a < 1) | ~(distance > -0.4)
    return mended(near, far, _power_far, (a, 0.5), (x, 0.5))


def _power_far(a: Tensor, x: Tensor) -> Tensor:
    plain = torch.exp(torch.xlogy(a, x) - x - torch.lgamma(a + 1))
    stirling = torch.exp(a * (torch.log(x / a) + 1) - x)
    stirling = stirling / (torch.sqrt(2 * math.pi * a) * gamma_star(a))
    return torch.where((a < 1) | (x == 0), plain, stirling)


def _series(a: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    """P(a, x) and Q for ``x`` up to about ``a`` (DLMF 8.7.1)."""
    if few(a):
        total = 1 + sum_of_products(x / (a + orders(87, a)))
    else:
        total, term = torch.ones_like(a), torch.ones_like(a)
        for n in range(1, 88):
            term = term * (x / (a + n))
            total = total + term
            if n % 8 == 0 and readable(a) and not bool((term > 1e-17 * total).any()):
                break
    p = total * _power(a, x)
    return p, 1 - p


def _small(a: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    """P and Q for small ``x``: P is x^a (1 + a sum (-x)^k / ((a + k) k!)) / gamma(a + 1)."""
    if few(a):
        n = orders(25, a)
        total = sum_of_products(-x / n, 1 / (a + n))
    else:
        total, term = torch.zeros_like(a), torch.ones_like(a)
        for k in range(1, 26):
            term = term * (-x / k)
            total = total + term / (a + k)
    exponent = torch.xlogy(a, x) - lgamma1p(a)
    power = torch.exp(exponent)
    return power * (1 + a * total), -torch.expm1(exponent) - power * a * total


def _fraction(a: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    """P and Q(a, x) for ``x`` above ``a`` and 1, by the continued fraction (DLMF 8.9.2).

    90 terms suffice for all ``x``, 44 from 2.5 on and 24 from 5 on.
    """
    if not readable(x):
        return _of_terms(a, x, 90)
    values = torch.empty_like(a), torch.empty_like(a)
    some, most = x < 5, x < 2.5
    for where, count in ((~some, 24), (some & ~most, 44), (most, 90)):
        of_count = partial(_of_terms, count=count)
        values = mended(values, where, of_count, (a, 1.0), (x, 3.0))
    return values


def _of_terms(a: Tensor, x: Tensor, count: int) -> tuple[Tensor, Tensor]:
    rise = x - a
    value = rise + (2 * count + 1)
    if few(a):
        n = orders(count, a)
        parts, factors = (rise + (2 * n - 1)).unbind(), ((a - n) * n).unbind()
        for part, factor in zip(parts[::-1], factors[::-1], strict=True):
            value = torch.addcdiv(part, factor, value)
    else:
        for k in range(count, 0, -1):
            value = torch.addcdiv(rise + (2 * k - 1), a - k, value, value=k)
    q = _power(a, x) * a / value
    return 1 - q, q


def _uniform(a: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    """P and Q for large ``a`` and ``x`` near it (DLMF 8.12)."""
    mu = (x - a) / a
    half = -log1p_minus(mu)
    eta = torch.copysign(torch.sqrt(2 * half), mu)
    z = torch.sqrt(a * half)
    z = torch.copysign(z, mu)
    if few(a):
        total = (combined(_ASCENDING, powers(eta, _POWERS)) * powers(1 / a, _ORDERS)).sum(0)
    else:
        total = polynomial(eta, _TEMME[-1])
        for row in _TEMME[-2::-1]:
            total = total / a + polynomial(eta, row)
    rest = torch.exp(-a * half) / torch.sqrt(2 * math.pi * a) * total
    return 0.5 * torch.special.erfc(-z) - rest, 0.5 * torch.special.erfc(z) + rest


def _regularized(a: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    """P(a, x) and Q(a, x), each computed where it is small."""
    edge = ~((torch.minimum(a, x) > 0) & (torch.maximum(a, x) < math.inf))
    a1, x1 = mended((a.clone(), x.clone()), edge, lambda a: (a, a), (torch.ones_like(a), 1.0))
    near = torch.clamp(4.5 * torch.sqrt(a1), min=0.3 * a1).clamp(max=0.55 * a1)
    uniform = (a1 > _UNIFORM_FROM) & ((x1 - a1).abs() < near)
    by_series = ~uniform & (x1 <= a1 + 0.5)
    small = ~uniform & (x1 <= 1.1) & (a1 < x1 + 0.5)
    by_series = by_series & ~small
    values = torch.zeros_like(a1), torch.zeros_like(a1)
    values = mended(values, uniform, _uniform, (a1, 20), (x1, 20))
    values = mended(values, small, _small, (a1, 1), (x1, 1))
    values = mended(values, by_series, _series, (a1, 1), (x1, 1))
    values = mended(values, ~(uniform | small | by_series), _fraction, (a1, 1), (x1, 3))
    return mended(values, edge, _regularized_edge, (a, 0.0), (x, 0.0))


def _regularized_edge(a: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    """P(a, 0) = 0, P(0, x) = 1, P(a, inf) = 1, P(inf, x) = 0; NaN elsewhere."""
    one_at = ((a == 0) & (x > 0)) | ((x == math.inf) & (a < math.inf) & (a > 0))
    zero_at = ((x == 0) & (a > 0)) | ((a == math.inf) & (x < math.inf) & (x >= 0))
    p = nan_where(~(one_at | zero_at), one_at.to(a.dtype))
    return p, 1 - p


def _density(a: Tensor, x: Tensor) -> Tensor:
    """The derivative of P with respect to ``x``."""
    return torch.exp(torch.xlogy(a - 1, x) - x - torch.lgamma(a))


@special(along(lambda a, x: _regularized(a, x)[0], 0), _density)
def gammainc(a: Tensor, x: Tensor) -> Tensor:
    """The regularized lower incomplete gamma function P (DLMF 8.2.4)."""
    return _regularized(a, x)[0]


@special(along(lambda a, x: _regularized(a, x)[1], 0), lambda a, x: -_density(a, x))
def gammaincc(a: Tensor, x: Tensor) -> Tensor:
    """The regularized upper incomplete gamma function Q (DLMF 8.2.4)."""
    return _regularized(a, x)[1]


def _inverse(a: Tensor, p: Tensor, q: Tensor) -> Tensor:
    """The ``x`` with P(a, x) = p and Q(a, x) = q = 1 - p.

    The start is that of A. R. DiDonato and A. H. Morris (1986): a normal quantile for a > 1, the
    first term of the series below. The steps are taken in log(x), on the smaller of the two.
    """
    inside = (a > 0) & (p > 0) & (q > 0) & (a < math.inf)
    a1 = torch.where(inside, a, 1)
    p1, q1 = torch.where(inside, p, 0.5), torch.where(inside, q, 0.5)
    lower = p1 <= q1
    normal = torch.where(lower, torch.special.ndtri(p1), -torch.special.ndtri(q1))
    cube = 1 - 1 / (9 * a1) + normal / (3 * torch.sqrt(a1))
    by_normal = a1 * cube.clamp(min=0.01) ** 3
    by_series = torch.exp((torch.log(p1) + torch.lgamma(a1 + 1)) / a1)
    # Q is about x^(a-1) exp(-x) / gamma(a) far above a
    far = -(torch.log(q1) + torch.lgamma(a1))
    by_tail = far.clamp(min=1)
    for _ in range(3):
        by_tail = (far + (a1 - 1) * torch.log(by_tail)).clamp(min=1)
    tail = (q1 < 0.2) & (by_tail > 3 * a1) & (by_tail > 1)
    start = torch.where((a1 > 1) & (cube > 0.3), by_normal, by_series)
    start = torch.where(tail, by_tail, start)
    low = torch.full_like(a1, -800.0)
    high = torch.log(a1.clamp(min=1) * 2 + 40 * torch.sqrt(a1) + 800)
    start = torch.log(start).clamp(min=-799)
    start = torch.minimum(start, high - 1e-3)

    side, tail = torch.where(lower, 1.0, -1.0), torch.where(lower, p1, q1)
    x = torch.exp(root(_distance, start, low, high, 9, a1, side, tail))
    # the cube is exact to normal**3 / (108 a**1.5), less than the steps' rounding
    x = torch.where(a1 > 1e13, a1 * cube**3, x)
    value = torch.where(inside, x, math.nan)
    value = torch.where((a >= 0) & (p == 0), 0.0, value)
    return torch.where((a >= 0) & (q == 0), math.inf, value)


def _distance(u: Tensor, a: Tensor, side: Tensor, tail: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """log(P) or log(Q) less that of a tail, which are nearly straight: for ``root``, in log(x)."""
    x = torch.exp(u)
    below, above = _regularized(a, x)
    found = torch.where(side > 0, below, above)
    density = torch.exp(a * u - x - torch.lgamma(a))
    density = mended(density, a > 1, lambda a, x: _power(a, x) * a, (a, 2.0), (x, 2.0))
    slope = density / found
    return side * torch.log(found / tail), slope, a - x - side * slope


@special(None, lambda a, p: 1 / _density(a, gammaincinv(a, p)))
def gammaincinv(a: Tensor, p: Tensor) -> Tensor:
    """The inverse of ``gammainc`` in its second argument."""
    return _inverse(a, p, 1 - p)


@special(None, lambda a, q: -1 / _density(a, gammainccinv(a, q)))
def gammainccinv(a: Tensor, q: Tensor) -> Tensor:
    """The inverse of ``gammaincc`` in its second argument."""
    return _inverse(a, 1 - q, q)
