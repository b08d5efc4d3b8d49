"""The regularized incomplete beta function and its inverse."""

from __future__ import annotations

import math
from functools import partial

import torch
from torch import Tensor

from .derivatives import along, special
from .gamma import beta_of_positive, betaln, gamma_star, lgamma1p
from .quadrature import gauss_legendre, weighted_sum
from .series import (
    branch,
    expm1_minus,
    few,
    log1p_minus,
    mended,
    nan_where,
    orders,
    readable,
    root,
    sum_of_products,
)

_NODES, _WEIGHTS = gauss_legendre(32)
_BY_INTEGRAL_FROM = 5.0
_DROP = 42.0
_EXACT_FROM = 1e5
"""Above this the rounding of the large terms of an exponent is seen in the result."""


def _power(a: Tensor, b: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """``x**a y**b / beta(a, b)`` with ``y = 1 - x``, exact where x is near a / (a + b)."""
    least, most = torch.minimum(a, b), torch.maximum(a, b)
    total = a + b
    distance = x * b - y * a
    u, v = distance / a, -distance / b
    # log(1 + u) is log(x / x0) with x0 = a / (a + b): u may be near -1, where x / x0 is exact
    first, second = (
        mended(log1p_minus(w), w < -0.4, _log_less, (w, -0.5), (t, 0.5), (c, 1.0), (total, 2.0))
        for w, t, c in ((u, x, a), (v, y, b))
    )
    stars = gamma_star(least) * (gamma_star(most) / gamma_star(total))
    factor = math.sqrt(2 * math.pi) * torch.sqrt(total / most) / torch.sqrt(least) * stars
    return torch.exp(a * first + b * second) / factor


def _log_less(w: Tensor, x: Tensor, a: Tensor, total: Tensor) -> Tensor:
    return torch.log(x * total / a) - w


def _by_integral(a: Tensor, b: Tensor, x: Tensor, y: Tensor, exact: bool = False) -> Tensor:
    """The lower tail over its power for ``x`` up to the mean and ``a`` of 5 and more.

    With t = logistic(u), the integrand of DLMF 8.17.1 is exp(a s - (a + b) log(1 + x (e^s - 1)))
    times its value at x, s = u - logit(x): it falls without a turn, and Gauss and Legendre's rule
    takes the part in which it falls by exp(-42).
    """
    total = a + b

    left = x < 0.5  # each form is exact where it is used
    share, weight, sign = (
        torch.where(left, x, y),
        torch.where(left, a, -b),
        torch.where(left, 1, -1),
    )

    def exponent(s: Tensor) -> Tensor:
        return weight * s - total * torch.log1p(share * torch.expm1(sign * s))

    if exact:  # the large terms, of which the sum is small, cancel by hand
        distance = sign * (x * b - y * a)

        def exponent(s: Tensor) -> Tensor:
            rise = torch.expm1(sign * s)
            bend = total * log1p_minus(share * rise)
            return -weight.abs() * expm1_minus(sign * s) - distance * rise - bend

    curvature, slope = total * x * y, (b * x - a * y).neg().clamp(min=0)
    length = 2 * _DROP / (torch.sqrt(slope * slope + 2 * _DROP * curvature) + slope) + _DROP / a
    # Left of half the mode, a / (a + b), the slope is a / 2 and more
    to_half = torch.log(x / y) - torch.log(a / (a + 2 * b))
    length = torch.minimum(length, to_half.clamp(min=0) + 2 * _DROP / a)
    # If x is near 1 the integrand falls like exp(-(a + b) y e^-s)
    rise = 1.45 * (_DROP + 8 * b) / total
    length = torch.where(rise < 1, torch.minimum(length, torch.log1p(rise / y)), length)
    for _ in range(3):  # Newton's steps for the end of the interval
        e = torch.exp(-length)
        steep = (a * y - b * x * e) / (y + x * e)
        length = (length + (exponent(-length) + _DROP) / steep.clamp(min=1e-300)).clamp(min=1e-300)
    part = weighted_sum(lambda w: torch.exp(exponent(-w * length)), _NODES, _WEIGHTS, x)
    return length * part


def _by_series(a: Tensor, b: Tensor, x: Tensor) -> Tensor:
    """The lower tail over its power by positive terms, for ``x`` up to a half (DLMF 8.17.8)."""
    total, most = torch.ones_like(a), (a + b) * x
    if few(a):
        numbers = orders(56, a)
        return (1 + sum_of_products((most + (numbers - 1) * x) / (a + numbers))) / a
    if readable(a):
        term = torch.ones_like(a)
        for n in range(96):
            term.mul_(torch.add(most, x, alpha=n).div_(a + (n + 1)))
            total.add_(term)
            if n % 8 == 7 and not bool((term > 1e-17 * total).any()):
                break
        return total / a
    for n in range(55, -1, -1):
        total = torch.addcdiv(torch.ones_like(a), total * torch.add(most, x, alpha=n), a + (n + 1))
    return total / a


def _less_the_upper(a: Tensor, b: Tensor, y: Tensor) -> Tensor:
    """1 - I_y(b, a) for ``y`` up to a half and small parameters (DLMF 8.17.7)."""
    if few(a):
        numbers = orders(49, a)
        total = sum_of_products(y - a * y / numbers, 1 / (b + numbers))
    else:
        total, term = torch.zeros_like(a), torch.ones_like(a)
        for n in range(1, 50):
            term = term * torch.add(y, -(a * y), alpha=1 / n)
            total = torch.addcdiv(total, term, b + n)
            if n % 8 == 0 and readable(a) and not bool((term.abs() > 1e-18).any()):
                break
    # b beta(a, b) = gamma(1 + b) gamma(a) / gamma(a + b)
    exponent = b * torch.log(y) - (lgamma1p(b) - _log_gamma_step(a, b))
    return -torch.expm1(exponent) - torch.exp(exponent) * b * total


def _log_gamma_step(a: Tensor, b: Tensor) -> Tensor:
    """``log(gamma(a + b) / gamma(a))``; where it is small the integral of its derivative."""
    value = torch.lgamma(a + b) - torch.lgamma(a)
    small = (b < 0.01) | ((b < 0.1) & (a > 8)) | ((b < 1) & (a > 50))
    return mended(value, small, _small_log_gamma_step, (a, 1.0), (b, 0.0))


def _small_log_gamma_step(a: Tensor, b: Tensor) -> Tensor:
    """Gauss and Legendre's three nodes for digamma(1 + a + t); ``gamma(a)`` by ``gamma(1 + a)``."""
    middle, apart = 1 + a + 0.5 * b, math.sqrt(0.15) * b
    ends = torch.digamma(middle - apart) + torch.digamma(middle + apart)
    return b * (5 * ends + 8 * torch.digamma(middle)) / 18 - torch.log1p(b / a)


def _tail(a: Tensor, b: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """I_x(a, b) for ``x`` up to the mean, a / (a + b)."""
    by_integral = a >= _BY_INTEGRAL_FROM
    if readable(a):  # the series has as many terms as it needs
        by_integral = by_integral & ((a >= 12) | (x > 0.5))
    # of a small ``b`` the integrand is steep near 1
    near_one = (x > 0.5) & (~by_integral | ((b < 0.5) & (a * y < 2)))
    by_integral = by_integral & ~near_one
    others = ~(by_integral | near_one)
    given = [(a, 8.0), (b, 8.0), (x, 0.5), (y, 0.5)]
    exactly = partial(_by_integral, exact=True)
    if few(a):
        first = branch(by_integral, exactly, *given)
    else:
        large = by_integral & (a + b > _EXACT_FROM)
        first = branch(by_integral & ~large, _by_integral, *given)
        first = mended(first, large, exactly, *given)
    second = branch(others, _by_series, (a, 1.0), (b, 1.0), (x, 0.5))
    third = branch(near_one, _less_the_upper, (a, 1.0), (b, 1.0), (y, 0.25))
    value = _power(a, b, x, y) * torch.where(by_integral, first, second)
    return torch.where(near_one, third, value)


def regularized(a: Tensor, b: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """I_x(a, b) and its complement, given ``x`` and ``y = 1 - x``."""
    least = torch.minimum(torch.minimum(a, b), torch.minimum(x, y))
    edge = ~((least > 0) & (torch.maximum(a, b) < math.inf))
    values = torch.zeros_like(a), torch.zeros_like(a)
    lower = x * b <= y * a
    if not readable(a):  # all elements in one go
        inside = [torch.where(edge, c, t) for t, c in ((a, 1.0), (b, 1.0), (x, 0.5), (y, 0.5))]
        first, second = _swapped(~lower, inside[0], inside[1]), _swapped(~lower, *inside[2:])
        values = _swapped(~lower, *_lower(*first, *second))
        return mended(values, edge, _regularized_edge, (a, 1.0), (b, 1.0), (x, 0.0), (y, 1.0))
    values = mended(values, lower & ~edge, _lower, (a, 1.0), (b, 1.0), (x, 0.5), (y, 0.5))
    values = mended(values, ~(lower | edge), _upper, (a, 1.0), (b, 1.0), (x, 0.5), (y, 0.5))
    return mended(values, edge, _regularized_edge, (a, 1.0), (b, 1.0), (x, 0.0), (y, 1.0))


def _swapped(where: Tensor, p: Tensor, q: Tensor) -> tuple[Tensor, Tensor]:
    return torch.where(where, q, p), torch.where(where, p, q)


def _lower(a: Tensor, b: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    value = _tail(a, b, x, y)
    # the tail of a small ``a`` is near 1
    near = (a < 0.5) & (x <= 0.5) & (value > 0.5)
    return value, mended(1 - value, near, _less_the_upper, (b, 1.0), (a, 1.0), (x, 0.25))


def _upper(a: Tensor, b: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    below, above = _lower(b, a, y, x)
    return above, below


def _regularized_edge(a: Tensor, b: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Where an operand is 0, infinite, NaN or outside the domain."""
    outside = (a < 0) | (b < 0) | (x < 0) | (y < 0) | torch.isnan(a + b + x)
    ends_in_0 = ((b > 0) & (x == 0)) | ((b == 0) & (a > 0) & (y > 0)) | ((a == math.inf) & (y > 0))
    ends_in_1 = ((a > 0) & (y == 0)) | ((a == 0) & (b > 0) & (x > 0)) | ((b == math.inf) & (x > 0))
    unknown = outside | ~(ends_in_0 | ends_in_1) | ((a == math.inf) & (b == math.inf))
    above = nan_where(unknown, ends_in_0.to(a.dtype))
    return 1 - above, above


def _density(a: Tensor, b: Tensor, x: Tensor) -> Tensor:
    return torch.exp(torch.xlogy(a - 1, x) + torch.special.xlog1py(b - 1, -x) - betaln(a, b))


@special(
    along(lambda a, b, x: regularized(a, b, x, 1 - x)[0], 0),
    along(lambda a, b, x: regularized(a, b, x, 1 - x)[0], 1),
    _density,
)
def betainc(a: Tensor, b: Tensor, x: Tensor) -> Tensor:
    """The regularized incomplete beta function (DLMF 8.17.2)."""
    return regularized(a, b, x, 1 - x)[0]


@special(
    along(lambda a, b, x: regularized(a, b, x, 1 - x)[1], 0),
    along(lambda a, b, x: regularized(a, b, x, 1 - x)[1], 1),
    lambda a, b, x: -_density(a, b, x),
)
def betaincc(a: Tensor, b: Tensor, x: Tensor) -> Tensor:
    """The complement of ``betainc``."""
    return regularized(a, b, x, 1 - x)[1]


def inverse(a: Tensor, b: Tensor, p: Tensor, q: Tensor) -> tuple[Tensor, Tensor]:
    """The ``x`` with I_x(a, b) = p = 1 - q, and ``1 - x``.

    The steps are taken in logit(x), on the logarithm of the smaller tail. They start at the
    first terms of the two series, or at the normal approximation of logit(x) (Abramowitz and
    Stegun 26.5.22).
    """
    inside = (a > 0) & (b > 0) & (p > 0) & (q > 0) & (a < math.inf) & (b < math.inf)
    a1, b1 = torch.where(inside, a, 1), torch.where(inside, b, 1)
    p1, q1 = torch.where(inside, p, 0.5), torch.where(inside, q, 0.5)
    power, factor = beta_of_positive(a1, b1)
    log_beta = power + torch.log(factor)
    left = (torch.log(p1) + torch.log(a1) + log_beta) / a1
    right = -(torch.log(q1) + torch.log(b1) + log_beta) / b1
    mean = torch.log(a1) - torch.log(b1)
    normal = torch.where(p1 <= q1, torch.special.ndtri(p1), -torch.special.ndtri(q1))
    r, s = 1 / (2 * a1 - 1), 1 / (2 * b1 - 1)
    h = 2 / (r + s)
    lam = (normal * normal - 3) / 6
    w = normal * torch.sqrt((h + lam).clamp(min=0)) / h
    w = w + (s - r) * (lam + 5 / 6 - 2 / (3 * h))
    start = mean + 2 * torch.where((a1 > 1) & (b1 > 1), w, 0.0)
    start = torch.where(left < -torch.log(2 * b1.clamp(min=1)), left, start)
    start = torch.where(right > torch.log(2 * a1.clamp(min=1)), right, start)
    # The logarithm of a tail that is a power of x or y is straight
    lower = torch.where((start < -2) & (a1 <= 1) & (p1 < 0.9), True, p1 <= q1)
    lower = lower & ~((start > 2) & (b1 <= 1) & (q1 < 0.9))
    # The terms are bounds where the other power only makes the integrand smaller
    low = torch.where(b1 >= 1, left - 1e-3, -750.0).clamp(min=-750)
    high = torch.where(a1 >= 1, right + 1e-3, 750.0).clamp(max=750)
    start = torch.where(torch.isfinite(start), start, mean)
    start = torch.minimum(torch.maximum(start, low + 0.5), high - 0.5)

    side, tail = torch.where(lower, 1.0, -1.0), torch.where(lower, p1, q1)
    u = root(_distance, start, low, high, 10, a1, b1, side, tail)
    x, y = torch.sigmoid(u), torch.sigmoid(-u)
    valid = (a > 0) & (b > 0)
    inner = (p > 0) & (q > 0) & (torch.minimum(a, b) < math.inf)
    at_0 = valid & ((p == 0) | (inner & (b == math.inf)))
    at_1 = valid & ((q == 0) | (inner & (a == math.inf)))
    x = torch.where(inside, x, torch.where(at_0, 0.0, torch.where(at_1, 1.0, math.nan)))
    y = torch.where(inside, y, torch.where(at_0, 1.0, torch.where(at_1, 0.0, math.nan)))
    return x, y


def _distance(
    u: Tensor, a: Tensor, b: Tensor, side: Tensor, tail: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The logarithm of I or its complement less that of a tail: for ``root``, in logit(x)."""
    x, y = torch.sigmoid(u), torch.sigmoid(-u)
    below, above = regularized(a, b, x, y)
    found = torch.where(side > 0, below, above)
    slope = _power(a, b, x, y) / found
    return side * torch.log(found / tail), slope, a * y - b * x - side * slope


@special(None, None, lambda a, b, p: 1 / _density(a, b, betaincinv(a, b, p)))
def betaincinv(a: Tensor, b: Tensor, p: Tensor) -> Tensor:
    """The inverse of ``betainc`` in its last argument."""
    return inverse(a, b, p, 1 - p)[0]


@special(None, None, lambda a, b, q: -1 / _density(a, b, betainccinv(a, b, q)))
def betainccinv(a: Tensor, b: Tensor, q: Tensor) -> Tensor:
    """The inverse of ``betaincc`` in its last argument."""
    return inverse(a, b, 1 - q, q)[0]
