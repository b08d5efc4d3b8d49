"""The gamma function, its logarithm and its logarithmic derivatives; factorials and binomials."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from .derivatives import special
from .series import branch, cos_pi, is_integer, log1p_minus, nan_where, polynomial, sin_pi
from .zeta import hurwitz

# log(gamma(x)) - ((x - 1/2) log(x) - x + log(2 pi)/2), of x^-19 to x^-1 (DLMF 5.11.1)
_STIRLING = [
    -174611 / 125400, 43867 / 244188, -3617 / 122400, 1 / 156, -691 / 360360, 1 / 1188, -1 / 1680,
    1 / 1260, -1 / 360, 1 / 12,
]  # fmt: skip
_SHIFT = 10


def stirling_rest(x: Tensor) -> Tensor:
    """``log(gamma(x))`` less the terms of Stirling's formula, for ``x`` of 10 and more."""
    return polynomial(1 / (x * x), _STIRLING) / x


def gamma_star(x: Tensor) -> Tensor:
    """``gamma(x) / (sqrt(2 pi / x) (x / e)**x)`` for positive ``x`` (DLMF 5.11.3)."""
    large = x >= _SHIFT
    z = torch.where(large, x, x + _SHIFT)
    star = torch.exp(stirling_rest(z))
    return torch.where(large, star, star * branch(~large, _step_down, (x, 1)))


def _step_down(y: Tensor) -> Tensor:
    """``gamma_star(y) / gamma_star(y + 10)``: gamma(y) is gamma(y + 10) / (y ... (y + 9))."""
    product = y + 1
    for k in range(2, _SHIFT):
        product = product * (y + k)
    power = torch.exp((y + 9.5) * torch.log(y + _SHIFT) - _SHIFT - torch.xlogy(y, y))
    return power / (torch.sqrt(y) * product)


def _gamma_of_positive(x: Tensor) -> Tensor:
    """Stirling's formula above 10; below, by the recurrence (DLMF 5.5.1)."""
    z, product = x, torch.ones_like(x)
    for _ in range(_SHIFT):
        below = z < _SHIFT
        product = torch.where(below, product * z, product)
        z = torch.where(below, z + 1, z)
    # Half of the power at a time: the whole overflows before the function does.
    power = torch.pow(z, 0.5 * z - 0.25)
    value = math.sqrt(2 * math.pi) * power * torch.exp(stirling_rest(z) - z) * power / product
    return torch.where(x > 171.7, math.inf, value)


def _gamma(x: Tensor) -> Tensor:
    tiny = x.abs() < 1e-16
    y = _gamma_of_positive(torch.where(tiny, 1, x.abs()))
    value = torch.where(x < 0, -math.pi / (x * sin_pi(x) * y), y)
    # Where gamma(1 - x) overflows or the value is subnormal: half the factors at a time.
    value = torch.where(x < -170, branch(x < -170, _gamma_far_below, (x, -180.5)), value)
    value = torch.where(tiny, 1 / x, value)
    return nan_where((x < 0) & is_integer(x), value)


def _gamma_far_below(x: Tensor) -> Tensor:
    z = torch.where(x > -185, x, -180.5)
    rest = torch.ones_like(z)
    y = -z
    for _ in range(16):  # gamma(y) = (y - 1) ... (y - 16) gamma(y - 16)
        y = y - 1
        rest = rest / y
    value = -math.pi / (z * sin_pi(z) * _gamma_of_positive(y)) * rest
    return torch.where(x > -185, value, 0.0)


# zeta(k) / k with alternating signs, DLMF 5.7.3; the first is Euler's constant
_ZETA = [
    1.6449340668482264, 1.2020569031595942, 1.0823232337111382, 1.03692775514337,
    1.0173430619844491, 1.008349277381923, 1.0040773561979443, 1.0020083928260822,
    1.000994575127818, 1.0004941886041194, 1.000246086553308, 1.0001227133475785,
    1.0000612481350588, 1.000030588236307, 1.0000152822594086, 1.0000076371976379,
    1.000003817293265, 1.0000019082127165, 1.0000009539620338, 1.000000476932987,
]  # fmt: skip
_LOG_GAMMA_1P = [
    *[(-1) ** k * z / k for k, z in reversed(list(enumerate(_ZETA, 2)))], -0.5772156649015329, 0.0,
]  # fmt: skip


def lgamma1p(x: Tensor) -> Tensor:
    """``log(gamma(1 + x))``, exact near 0."""
    near = x.abs() < 0.2
    return torch.where(
        near, polynomial(torch.where(near, x, 0), _LOG_GAMMA_1P), torch.lgamma(1 + x)
    )


@special(lambda x: gamma(x) * digamma(x))
def gamma(x: Tensor) -> Tensor:
    """The gamma function; NaN at negative integers (DLMF 5.2.1, 5.5.3, 5.11.3)."""
    value = _gamma(x)
    factorial = is_integer(x) & (x > 0) & (x <= 23)  # these are integers below 2**53
    return torch.where(factorial, torch.round(value), value)


@special(lambda x: _slope_of_rgamma(x))
def rgamma(x: Tensor) -> Tensor:
    """``1 / gamma(x)``, 0 at the poles."""
    pole = (x <= 0) & is_integer(x)
    value = 1 / _gamma(torch.where(pole, 1, x))
    sign = 1 - 2 * torch.remainder(torch.floor(x), 2)
    value = torch.where((x < 0) & torch.isinf(value), sign * value.abs(), value)
    return torch.where(pole, 0.0, value)


def _slope_of_rgamma(x: Tensor) -> Tensor:
    pole = (x <= 0) & is_integer(x)
    other = torch.where(pole, 0.5, x)
    # At -n the slope of 1/gamma is (-1)**n n!
    at_pole = (1 - 2 * torch.remainder(x, 2)) * gamma(1 - torch.where(pole, x, 0.0))
    return torch.where(pole, at_pole, -digamma(other) * rgamma(other))


@special(lambda x: digamma(x))
def gammaln(x: Tensor) -> Tensor:
    """The logarithm of the absolute value of gamma."""
    return torch.where(x == -math.inf, x, torch.lgamma(x))


@special(lambda x: nan_where(x < 0, digamma(x)))
def loggamma(x: Tensor) -> Tensor:
    """The principal branch of log(gamma(x)); of real numbers, NaN below 0."""
    return nan_where(x < 0, torch.lgamma(x))


@special(torch.zeros_like)
def gammasgn(x: Tensor) -> Tensor:
    """The sign of gamma; NaN at negative integers."""
    below = x < 0
    odd = torch.remainder(torch.floor(x), 2) != 0
    sign = torch.where(below & odd, -1.0, 1.0)
    sign = torch.where(x == 0, torch.copysign(torch.ones_like(x), x), sign)
    return nan_where(torch.isnan(x) | (below & is_integer(x)), sign)


@special(lambda x: polygamma(torch.ones_like(x), x))
def digamma(x: Tensor) -> Tensor:
    """The logarithmic derivative of gamma."""
    return torch.digamma(x)


@special(None, lambda n, x: polygamma(n + 1, x))
def polygamma(n: Tensor, x: Tensor) -> Tensor:
    """The derivative of order ``n`` of digamma (DLMF 5.15.1); NaN for ``n`` below 0."""
    order = torch.where(n > 0, n, 1)
    sign = 2 * torch.remainder(order, 2) - 1
    value = sign * _gamma(order + 1) * hurwitz(order + 1, x)
    return torch.where(n == 0, torch.digamma(x), nan_where(n < 0, value))


# --- beta ---


def beta_of_positive(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """``(log of the power, factor)`` of beta(a, b) for positive operands (DLMF 5.12.1, 5.11.3).

    With a gamma_star for each gamma, the large terms of Stirling's formulas cancel by hand.
    """
    least, most = torch.minimum(a, b), torch.maximum(a, b)
    total = a + b
    # least log(least / total) + most log(most / total); log1p keeps the second one exact
    power = least * torch.log(least / total) + most * torch.log1p(-least / total)
    stars = gamma_star(least) * (gamma_star(most) / gamma_star(total))
    return power, math.sqrt(2 * math.pi) * torch.sqrt(total / most) / torch.sqrt(least) * stars


def _gamma_ratio(p: Tensor, d: Tensor) -> Tensor:
    """``gamma(p + d) / gamma(p)`` of positive numbers, without cancellation of large logarithms."""
    q = p + d
    near = d.abs() < 0.5 * p
    # (q/e)^q / (p/e)^p = exp(p log1p_minus(d/p) + d log(q))
    z = torch.where(near, d, 0)
    close = torch.exp(p * log1p_minus(z / p) + z * torch.log(q))
    far = torch.exp((q * torch.log(q) - q) - (p * torch.log(p) - p))
    value = torch.where(near, close, far) * (gamma_star(q) / gamma_star(p)) * torch.sqrt(p / q)
    return torch.where((p < 100) & (q < 100), _gamma(q) / _gamma(p), value)


def _beta(a: Tensor, b: Tensor, sine: Tensor | None = None) -> Tensor:
    """The values of beta; ``sine`` is sin(pi least), if the caller knows it better."""
    least, most = torch.minimum(a, b), torch.maximum(a, b)
    positive = least > 0
    power, factor = beta_of_positive(torch.where(positive, a, 1), torch.where(positive, b, 1))
    value = torch.where(positive, torch.exp(power) * factor, _beta_below(least, most, sine))
    value = torch.where(positive & (least < 1e-290), 1 / least + 1 / most, value)
    value = torch.where(_is_pole(a) | _is_pole(b), _beta_at_pole(a, b), value)
    return nan_where(torch.isnan(a) | torch.isnan(b), value)


def _beta_below(least: Tensor, most: Tensor, sine: Tensor | None = None) -> Tensor:
    """The beta function where ``least`` is negative, by reflection (DLMF 5.5.3)."""
    total = least + most
    above = (most > 0) & (total > 0)
    crossing = (most > 0) & ~above
    p = torch.where(crossing, most, 1 - least)
    q = torch.where(above, total, torch.where(crossing, 1 - total, 1 - most))
    power, factor = beta_of_positive(p, q)
    reflected = torch.exp(power) * factor
    first = math.pi / ((sin_pi(least) if sine is None else sine) * most * reflected)
    second = reflected * (sin_pi(total) / sin_pi(least))
    angle = math.pi * sin_pi(total) / (sin_pi(least) * sin_pi(most) * (1 - total))
    return torch.where(above, first, torch.where(crossing, second, angle / reflected))


def _is_pole(x: Tensor) -> Tensor:
    return (x <= 0) & is_integer(x)


def _beta_at_pole(a: Tensor, b: Tensor) -> Tensor:
    """The finite limit for integers with ``a <= 0 < b <= -a``: (-1)^b beta(1 - a - b, b)."""
    pole, other = torch.where(_is_pole(a), a, b), torch.where(_is_pole(a), b, a)
    finite = is_integer(other) & (other > 0) & (1 - pole - other > 0)
    first, second = torch.where(finite, 1 - pole - other, 1), torch.where(finite, other, 1)
    power, factor = beta_of_positive(first, second)
    sign = 1 - 2 * torch.remainder(second, 2)
    return torch.where(finite, sign * torch.exp(power) * factor, math.inf)


@special(
    lambda a, b: beta(a, b) * (digamma(a) - digamma(a + b)),
    lambda a, b: beta(a, b) * (digamma(b) - digamma(a + b)),
)
def beta(a: Tensor, b: Tensor) -> Tensor:
    """The beta function (DLMF 5.12.1)."""
    return _beta(a, b)


@special(
    lambda a, b: digamma(a) - digamma(a + b),
    lambda a, b: digamma(b) - digamma(a + b),
)
def betaln(a: Tensor, b: Tensor) -> Tensor:
    """The logarithm of the absolute value of beta."""
    positive = (a > 0) & (b > 0)
    power, factor = beta_of_positive(torch.where(positive, a, 1), torch.where(positive, b, 1))
    others = torch.lgamma(a) + torch.lgamma(b) - torch.lgamma(a + b)
    direct = _beta_below(torch.minimum(a, b), torch.maximum(a, b)).abs()
    fits = (direct > 1e-280) & (direct < 1e280)
    others = torch.where(fits, torch.log(direct), others)
    others = torch.where(_is_pole(a) | _is_pole(b), torch.log(_beta_at_pole(a, b).abs()), others)
    value = torch.where(positive, power + torch.log(factor), others)
    least, most = torch.minimum(a, b), torch.maximum(a, b)
    return torch.where(positive & (least < 1e-290), torch.log(1 / least + 1 / most), value)


# --- factorials and binomials ---


@special(
    lambda z, m: poch(z, m) * (digamma(z + m) - digamma(z)),
    lambda z, m: poch(z, m) * digamma(z + m),
)
def poch(z: Tensor, m: Tensor) -> Tensor:
    """Pochhammer's symbol ``gamma(z + m) / gamma(z)`` (DLMF 5.2.5)."""
    positive = (z > 0) & (z + m > 0)
    p, d = torch.where(positive, z, 1), torch.where(positive, m, 0)
    below = branch(~positive, _poch_below, (z, -0.5), (m, 0.25))
    value = torch.where(positive, _gamma_ratio(p, d), below)
    return torch.where(m == 0, nan_where(torch.isnan(z), torch.ones_like(z)), value)


def _poch_below(z: Tensor, m: Tensor) -> Tensor:
    """Pochhammer's symbol where one gamma has a negative argument, by reflection."""
    end = z + m
    both = (z <= 0) & (end <= 0)
    # gamma(1 - z) / gamma(1 - end), and the limit of the sines at poles
    ratio = _gamma_ratio(torch.where(both, 1 - end, 1), torch.where(both, m, 0))
    sines = torch.where(is_integer(m), 1 - 2 * torch.remainder(m, 2), sin_pi(z) / sin_pi(end))
    top, bottom = _is_pole(end), _is_pole(z)
    mixed = _gamma(end) * rgamma.steps(z)
    value = torch.where(both, ratio * sines, mixed)
    value = torch.where(bottom & ~top, 0.0, value)
    return torch.where(top & ~bottom, math.inf, value)


@special(
    lambda n, k: binom(n, k) * (digamma(n + 1) - digamma(n - k + 1)),
    lambda n, k: binom(n, k) * (digamma(n - k + 1) - digamma(k + 1)),
)
def binom(n: Tensor, k: Tensor) -> Tensor:
    """The binomial coefficient of real numbers, ``1 / ((n + 1) beta(1 + n - k, 1 + k))``."""
    # Of the smaller of the two arguments, without the rounding of n - k
    sine = torch.where(n < 2 * k, cos_pi(n) * sin_pi(k) - sin_pi(n) * cos_pi(k), -sin_pi(k))
    value = 1 / ((n + 1) * _beta(1 + n - k, 1 + k, sine))
    # Of integers: a product; and round what is an integer below 2**53.
    counts = is_integer(k) & (k >= 0) & (k < 20)
    product = torch.ones_like(value)
    for i in range(1, 20):
        product = torch.where(counts & (k >= i), product * ((n - k + i) / i), product)
    value = torch.where(counts & (n.abs() < 1e8), product, value)
    exact = is_integer(k) & is_integer(n) & (value.abs() < 2.0**40)
    value = torch.where(exact, torch.round(value), value)
    far = (k.abs() > 1e8 * n.abs()) & (n > 0) & ~is_integer(n)
    value = torch.where(far, _binom_far(n, k), value)
    value = torch.where(is_integer(k) & (k < 0) & ~_is_pole(n + 1), 0.0, value)
    return nan_where((n < 0) & is_integer(n), value)


def _binom_far(n: Tensor, k: Tensor) -> Tensor:
    """gamma(1 + n) sin(pi (k - n)) / (pi |k|^(1 + n)) for k far beyond n (DLMF 5.11.12)."""
    value = _gamma(1 + n) / (math.pi * torch.pow(k.abs(), 1 + n))
    return torch.where(k > 0, value * sin_pi(k - n), value * sin_pi(-k) * torch.cos(0 * k))


def multigammaln(a: Tensor, d: int) -> Tensor:
    """The logarithm of the multivariate gamma function (DLMF 35.3.4)."""
    total = torch.full_like(a, d * (d - 1) * 0.25 * math.log(math.pi))
    for j in range(d):
        total = total + gammaln(a - 0.5 * j)
    return total
