"""The gamma function, its logarithm and its logarithmic derivatives; factorials and binomials."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from ..blocks import repeated
from .derivatives import special
from .series import cos_pi, is_integer, log1p_minus, mended, nan_where, polynomial, sin_pi
from .zeta import hurwitz

# gamma_star(x) in 1/x for x of 1 and more: Chebyshev interpolation, computed with 50 digits by
# mpmath
_STAR = [
    4.638353146280312e-05, -0.0005221532929145869, 0.0027460425575433524, -0.008951559456015517,
    0.020218050901023122, -0.033448930996189966, 0.041663271280629154, -0.039320030927624754,
    0.02758563063865919, -0.013429673178909593, 0.003598366714898212, 1.975696070833758e-05,
    9.37690674973274e-05, -0.0006117096161229554, 7.16738941801236e-05, 0.0007839005294226752,
    -0.00022946538493757822, -0.0026813273629173666, 0.003472222225524086, 0.08333333333331146,
    1.0,
]  # fmt: skip


def gamma_star(x: Tensor) -> Tensor:
    """``gamma(x) / (sqrt(2 pi / x) (x / e)**x)`` for positive ``x`` (DLMF 5.11.3)."""
    if repeated(x) is not None:  # as parameters often are
        return gamma_star(x.reshape(-1)[:1]).expand(x.shape)
    small = x < 1
    star = polynomial(1 / torch.where(small, x + 1, x), _STAR)
    return mended(star, small, _star_below_1, (x, 0.5), (star, 1.0))


def _star_below_1(x: Tensor, star: Tensor) -> Tensor:
    """``gamma_star(x)`` by that of ``x + 1`` (DLMF 5.5.1)."""
    power = torch.exp((x + 0.5) * torch.log1p(x) - torch.xlogy(x, x) - 1)
    return power / torch.sqrt(x) * star


def _gamma(x: Tensor) -> Tensor:
    value = _gamma_of_positive(x.abs())
    return mended(value, torch.signbit(x), _gamma_below, (x, -0.5), (value, 1.0))


def _gamma_of_positive(y: Tensor) -> Tensor:
    small = y < 1
    z = torch.where(small, y + 1, y).clamp(max=200)
    # Half of the power at a time: the whole overflows before the function does.
    power = torch.pow(z, 0.5 * z - 0.25)
    star = polynomial(1 / z, _STAR)
    value = math.sqrt(2 * math.pi) * star * torch.exp(-z) * power * power
    return torch.where(small, value / y, value)


def _gamma_below(x: Tensor, above: Tensor) -> Tensor:
    """The gamma function of negative numbers by that of their opposites (DLMF 5.5.3)."""
    value = -math.pi / (x * above * sin_pi(x))
    value = torch.where(x > -1e-16, 1 / x, value)
    value = mended(value, x < -170, _gamma_far_below, (x, -180.5))
    return nan_where(is_integer(x) & (x < 0), value)


def _gamma_far_below(x: Tensor) -> Tensor:
    """Where gamma(-x) overflows or the value is subnormal: half the factors at a time."""
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
    return mended(value, factorial, torch.round, (value, 1.0))


def _is_pole(x: Tensor) -> Tensor:
    return (x <= 0) & is_integer(x)


@special(lambda x: _slope_of_rgamma(x))
def rgamma(x: Tensor) -> Tensor:
    """``1 / gamma(x)``, 0 at the poles."""
    value = 1 / _gamma(x)
    edge = _is_pole(x) | (x < -170)
    return mended(value, edge, _rgamma_below, (x, -1.0), (value, 0.0))


def _rgamma_below(x: Tensor, value: Tensor) -> Tensor:
    """At the poles of gamma and where it vanishes."""
    sign = 1 - 2 * torch.remainder(torch.floor(x), 2)
    value = torch.where(torch.isinf(value), sign * value.abs(), value)
    return torch.where(is_integer(x), 0.0, value)


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
    share = least / total
    log = mended(torch.log(share), ~(share > 1e-290), _log_ratio, (least, 1.0), (total, 1.0))
    power = least * log + most * torch.log1p(-share)
    stars = gamma_star(least) * (gamma_star(most) / gamma_star(total))
    return power, math.sqrt(2 * math.pi) * torch.sqrt(total / most) / torch.sqrt(least) * stars


def _log_ratio(p: Tensor, q: Tensor) -> Tensor:
    return torch.log(p) - torch.log(q)


def _beta_parts(a: Tensor, b: Tensor, *of_binom: Tensor) -> tuple[Tensor, Tensor]:
    """``(log of the power, factor)`` of beta for all operands; those of binom help, if given."""
    least, most = torch.minimum(a, b), torch.maximum(a, b)
    others = ~(least > 1e-290)
    operands = [(t, -0.5) for t in (a, b)]
    p, q = mended((least, most), others, _reflected, *operands)
    found = beta_of_positive(p, q)
    values = [(t, 1.0) for t in (*found, *of_binom)]
    return mended(found, others, _from_reflected, *operands, *values)


def _reflected(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Positive operands by whose beta that of others is known."""
    least, most = torch.minimum(a, b), torch.maximum(a, b)
    total = least + most
    above, below = total > 0, most <= 0
    q = torch.where(above, total, 1 - torch.where(below, most, total))
    p = torch.where(above | below, 1 - least, most)
    tiny = least > 0
    return torch.where(tiny, 1, p), torch.where(tiny, 1, q)


def _from_reflected(
    a: Tensor, b: Tensor, power: Tensor, factor: Tensor, *of_binom: Tensor
) -> tuple[Tensor, Tensor]:
    """The parts of beta by those of the reflected operands (DLMF 5.5.3)."""
    least, most = torch.minimum(a, b), torch.maximum(a, b)
    total = least + most
    above, below = total > 0, most <= 0
    sine = sin_pi(least)
    exact = _sine_of_binom(*of_binom) if of_binom else sine
    first = math.pi / (exact * (most * factor))
    second = factor * (sin_pi(total) / sine)
    third = math.pi / (sin_pi(most) * (1 - total) * factor) * (sin_pi(total) / sine)
    # Integers least <= 0 < most <= -least have the finite limit (-1)^most beta(1 - total, most)
    finite = ~above & ~below & is_integer(most) & (1 - least - most > 0)
    pole = is_integer(least) | (below & is_integer(most))
    limit = torch.where(finite, (1 - 2 * torch.remainder(most, 2)) * factor, math.inf)
    value = torch.where(above, first, torch.where(below, third, second))
    value = torch.where(pole, limit, value)
    tiny = least > 0
    value = torch.where(tiny, 1 / least + 1 / most, value)
    power = torch.where(tiny, 0, torch.where(above | below, -power, power))
    return torch.where(pole & ~finite, 0, power), value


@special(
    lambda a, b: beta(a, b) * (digamma(a) - digamma(a + b)),
    lambda a, b: beta(a, b) * (digamma(b) - digamma(a + b)),
)
def beta(a: Tensor, b: Tensor) -> Tensor:
    """The beta function (DLMF 5.12.1)."""
    power, factor = _beta_parts(a, b)
    value = torch.exp(power) * factor
    return mended(value, torch.isnan(value), _beta_of_nan, (a, 0.0), (b, 0.0), (value, 0.0))


def _beta_of_nan(a: Tensor, b: Tensor, nan: Tensor) -> Tensor:
    """Infinite at a pole, beside NaN too; 0 where one operand is infinite and both are positive."""
    least, most = torch.minimum(a, b), torch.maximum(a, b)
    value = torch.where((least > 0) & (most == math.inf), 0.0, nan)
    return torch.where(_is_pole(a) | _is_pole(b), math.inf, value)


@special(
    lambda a, b: digamma(a) - digamma(a + b),
    lambda a, b: digamma(b) - digamma(a + b),
)
def betaln(a: Tensor, b: Tensor) -> Tensor:
    """The logarithm of the absolute value of beta."""
    power, factor = _beta_parts(a, b)
    value = power + torch.log(factor.abs())
    return mended(value, torch.isnan(value), _log_of_beta_of_nan, (a, 0.0), (b, 0.0), (value, 0.0))


def _log_of_beta_of_nan(a: Tensor, b: Tensor, nan: Tensor) -> Tensor:
    return torch.log(_beta_of_nan(a, b, nan))


# --- factorials and binomials ---


def _gamma_ratio(p: Tensor, d: Tensor) -> Tensor:
    """``gamma(p + d) / gamma(p)`` of positive numbers, without cancellation of large logarithms."""
    q = p + d
    large = torch.maximum(p, q) >= 100
    return mended(_gamma(q) / _gamma(p), large, _gamma_ratio_of_large, (p, 100.0), (d, 1.0))


def _gamma_ratio_of_large(p: Tensor, d: Tensor) -> Tensor:
    q = p + d
    near = d.abs() < 0.5 * p
    # (q/e)^q / (p/e)^p = exp(p log1p_minus(d/p) + d log(q))
    z = torch.where(near, d, 0)
    close = torch.exp(p * log1p_minus(z / p) + z * torch.log(q))
    far = torch.exp((q * torch.log(q) - q) - (p * torch.log(p) - p))
    return torch.where(near, close, far) * (gamma_star(q) / gamma_star(p)) * torch.sqrt(p / q)


@special(
    lambda z, m: poch(z, m) * (digamma(z + m) - digamma(z)),
    lambda z, m: poch(z, m) * digamma(z + m),
)
def poch(z: Tensor, m: Tensor) -> Tensor:
    """Pochhammer's symbol ``gamma(z + m) / gamma(z)`` (DLMF 5.2.5)."""
    value = mended(_gamma_ratio(z, m), ~((z > 0) & (z + m > 0)), _poch_below, (z, -0.5), (m, 0.25))
    value = mended(value, m == 0, lambda z: torch.where(torch.isnan(z), z, 1), (z, 1.0))
    endless = (z == math.inf) & (m.abs() < math.inf) & (m != 0)
    return mended(value, endless, _poch_at_infinity, (m, 1.0))


def _poch_at_infinity(m: Tensor) -> Tensor:
    return torch.where(m > 0, math.inf, torch.zeros_like(m))


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
    value = torch.where(top & ~bottom, math.inf, value)
    # The rounding of z + m is next to a pole
    downwards = (z > 0) & (z < 1) & (m < 0) & is_integer(m)
    return mended(value, downwards, _poch_downwards, (z, 0.5), (m, -1.0))


def _poch_downwards(z: Tensor, m: Tensor) -> Tensor:
    """``1 / ((z - 1) ... (z + m))`` of a negative integer ``m``, by positive factors."""
    return (1 - 2 * torch.remainder(m, 2)) / _gamma_ratio(1 - z, -m)


@special(
    lambda n, k: binom(n, k) * (digamma(n + 1) - digamma(n - k + 1)),
    lambda n, k: binom(n, k) * (digamma(n - k + 1) - digamma(k + 1)),
)
def binom(n: Tensor, k: Tensor) -> Tensor:
    """The binomial coefficient of real numbers, ``1 / ((n + 1) beta(1 + n - k, 1 + k))``."""
    power, factor = _beta_parts(1 + n - k, 1 + k, n, k)
    value = 1 / ((n + 1) * torch.exp(power) * factor)
    whole = is_integer(k)
    value = mended(value, whole, _binom_of_integer, (n, 2.5), (k, 1.0), (value, 1.0))
    far = (k.abs() > 1e8 * n.clamp(min=1)) & (n > 0) & ~is_integer(n)
    value = mended(value, far, _binom_far, (n, 0.5), (k, 1e9))
    value = mended(value, whole & (k < 0) & ~_is_pole(n + 1), torch.zeros_like, (k, 0.0))
    return mended(value, (n < 0) & is_integer(n), lambda n: torch.full_like(n, math.nan), (n, -1.0))


def _sine_of_binom(n: Tensor, k: Tensor) -> Tensor:
    """``sin(pi least)`` of the smaller operand of beta, without the rounding of ``n - k``."""
    return torch.where(n < 2 * k, cos_pi(n) * sin_pi(k) - sin_pi(n) * cos_pi(k), -sin_pi(k))


def _binom_of_integer(n: Tensor, k: Tensor, value: Tensor) -> Tensor:
    """A product for small ``k``; rounded for integers ``n``, of which it is one below 2**53."""
    i = torch.arange(1, 20, dtype=n.dtype, device=n.device).reshape(-1, *[1] * n.dim())
    product = torch.where(k >= i, (n - (i - 1)) / i, 1).prod(0)
    value = torch.where((k >= 0) & (k < 20) & (n.abs() < 1e8), product, value)
    return torch.where(is_integer(n) & (value.abs() < 2.0**40), torch.round(value), value)


def _binom_far(n: Tensor, k: Tensor) -> Tensor:
    """gamma(1 + n) sin(pi (k - n)) / (pi |k|^(1 + n)) for k far beyond n (DLMF 5.11.12)."""
    value = _gamma_of_positive(1 + n) / (math.pi * torch.pow(k.abs(), 1 + n))
    return torch.where(k > 0, value * sin_pi(k - n), value * sin_pi(-k) * torch.cos(0 * k))


def multigammaln(a: Tensor, d: int) -> Tensor:
    """The logarithm of the multivariate gamma function (DLMF 35.3.4)."""
    total = torch.full_like(a, d * (d - 1) * 0.25 * math.log(math.pi))
    for j in range(d):
        total = total + gammaln(a - 0.5 * j)
    return total
