"""The distribution functions of statistics and their inverses, by the incomplete functions."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from .derivatives import in_double, special
from .error import ndtr, ndtri
from .gamma import betaln
from .incomplete_beta import betainc, betaincc, betainccinv, betaincinv, inverse, regularized
from .incomplete_gamma import gammainc, gammaincc, gammainccinv, gammaincinv
from .series import branch, mended, nan_where, root, sin_pi

Integral = Callable[..., Tensor]

# These are compositions of kernels, through which autograd goes; ``where`` keeps what is outside
# the domain out of the kernels.


@in_double
def bdtr(k: Tensor, n: Tensor, p: Tensor) -> Tensor:
    """The sum of the first terms, 0 to floor(k), of the binomial distribution."""
    k, n = torch.floor(k), torch.trunc(n)
    inside = (k >= 0) & (k < n)
    value = betaincc(torch.where(inside, k + 1, 1), torch.where(inside, n - k, 1), p)
    value = torch.where(k == n, 1.0 + 0 * p, value)
    return nan_where((p < 0) | (p > 1) | (k < 0) | (n < k) | torch.isnan(n + k + p), value)


@in_double
def bdtrc(k: Tensor, n: Tensor, p: Tensor) -> Tensor:
    """The sum of the terms above floor(k) of the binomial distribution."""
    k, n = torch.floor(k), torch.trunc(n)
    inside = (k >= 0) & (k < n)
    value = betainc(torch.where(inside, k + 1, 1), torch.where(inside, n - k, 1), p)
    value = torch.where(k < 0, 1.0 + 0 * p, torch.where(k == n, 0 * p, value))
    return nan_where((p < 0) | (p > 1) | (n < k) | torch.isnan(n + k + p), value)


@in_double
def bdtri(k: Tensor, n: Tensor, y: Tensor) -> Tensor:
    """The ``p`` with bdtr(k, n, p) = y."""
    k, n = torch.floor(k), torch.trunc(n)
    inside = (k >= 0) & (k < n) & (y >= 0) & (y <= 1)
    value = betainccinv(torch.where(inside, k + 1, 1), torch.where(inside, n - k, 1), y)
    return nan_where(~inside, value)


@in_double
def chdtr(v: Tensor, x: Tensor) -> Tensor:
    """The distribution function of chi-square."""
    return gammainc(0.5 * v, 0.5 * x)


@in_double
def chdtrc(v: Tensor, x: Tensor) -> Tensor:
    """The upper tail of chi-square."""
    return gammaincc(0.5 * v, 0.5 * x)


@in_double
def chdtri(v: Tensor, p: Tensor) -> Tensor:
    """The inverse of ``chdtrc``."""
    return 2 * gammainccinv(0.5 * v, p)


def _f_part(part: Integral, other: Integral, a: Tensor, b: Tensor, x: Tensor) -> Tensor:
    """A tail of the F distribution by incomplete beta functions, each where it is small."""
    product = a * x
    u = torch.where(torch.isinf(product), 1.0, product / (b + product))
    v = b / (b + product)
    value = torch.where(u < 0.5, part(0.5 * a, 0.5 * b, u), other(0.5 * b, 0.5 * a, v))
    return nan_where((a <= 0) | (b <= 0) | (x < 0), value)


@in_double
def fdtr(dfn: Tensor, dfd: Tensor, x: Tensor) -> Tensor:
    """The distribution function of the F distribution."""
    return _f_part(betainc, betaincc, dfn, dfd, x)


@in_double
def fdtrc(dfn: Tensor, dfd: Tensor, x: Tensor) -> Tensor:
    """The upper tail of the F distribution."""
    return _f_part(betaincc, betainc, dfn, dfd, x)


def _f_slope(a: Tensor, b: Tensor, x: Tensor) -> Tensor:
    u = a * x / b
    log = 0.5 * a * torch.log(u) - 0.5 * (a + b) * torch.log1p(u) - torch.log(x)
    return torch.exp(log - betaln(0.5 * a, 0.5 * b))


@special(None, None, lambda a, b, p: 1 / _f_slope(a, b, fdtri(a, b, p)))
def fdtri(dfn: Tensor, dfd: Tensor, p: Tensor) -> Tensor:
    """The inverse of ``fdtr``."""
    x, y = inverse(0.5 * dfn, 0.5 * dfd, p, 1 - p)
    return nan_where((dfn <= 0) | (dfd <= 0) | (p < 0) | (p > 1), dfd * x / (dfn * y))


@in_double
def gdtr(a: Tensor, b: Tensor, x: Tensor) -> Tensor:
    """The distribution function of the gamma distribution."""
    return nan_where(x < 0, gammainc(b, a * x))


@in_double
def gdtrc(a: Tensor, b: Tensor, x: Tensor) -> Tensor:
    """The upper tail of the gamma distribution."""
    return nan_where(x < 0, gammaincc(b, a * x))


@in_double
def gdtrix(a: Tensor, b: Tensor, p: Tensor) -> Tensor:
    """The ``x`` with gdtr(a, b, x) = p."""
    return gammaincinv(b, p) / a


@in_double
def gdtria(p: Tensor, b: Tensor, x: Tensor) -> Tensor:
    """The ``a`` with gdtr(a, b, x) = p."""
    return gammaincinv(b, p) / x


def _negative_binomial_part(part: Integral, k: Tensor, n: Tensor, p: Tensor) -> Tensor:
    k, n = torch.trunc(k), torch.trunc(n)
    value = part(n, torch.where(k >= 0, k + 1, 1), p)
    return nan_where((p < 0) | (p > 1) | (k < 0) | (n <= 0), value)


@in_double
def nbdtr(k: Tensor, n: Tensor, p: Tensor) -> Tensor:
    """The sum of the first terms, 0 to floor(k), of the negative binomial distribution."""
    return _negative_binomial_part(betainc, k, n, p)


@in_double
def nbdtrc(k: Tensor, n: Tensor, p: Tensor) -> Tensor:
    """The sum of the terms above floor(k) of the negative binomial distribution."""
    return _negative_binomial_part(betaincc, k, n, p)


@in_double
def nbdtri(k: Tensor, n: Tensor, y: Tensor) -> Tensor:
    """The ``p`` with nbdtr(k, n, p) = y."""
    k, n = torch.trunc(k), torch.trunc(n)
    return nan_where(k < 0, betaincinv(n, torch.where(k >= 0, k + 1, 1), y))


def _poisson_part(part: Integral, of_zero: float, k: Tensor, m: Tensor) -> Tensor:
    """A sum of terms of the Poisson distribution, which is ``of_zero`` for a mean of 0."""
    k = torch.floor(k)
    value = torch.where(m == 0, of_zero, part(torch.where(k >= 0, k + 1, 1), m))
    return nan_where((k < 0) | (m < 0) | (torch.isnan(k) & (m != 0)), value)


@in_double
def pdtr(k: Tensor, m: Tensor) -> Tensor:
    """The sum of the first terms, 0 to floor(k), of the Poisson distribution."""
    return _poisson_part(gammaincc, 1.0, k, m)


@in_double
def pdtrc(k: Tensor, m: Tensor) -> Tensor:
    """The sum of the terms above floor(k) of the Poisson distribution."""
    return _poisson_part(gammainc, 0.0, k, m)


@in_double
def pdtri(k: Tensor, y: Tensor) -> Tensor:
    """The ``m`` with pdtr(k, m) = y."""
    k = torch.trunc(k)
    inside = (k >= 0) & (y >= 0) & (y < 1)
    return nan_where(~inside, gammainccinv(torch.where(inside, k + 1, 1), y))


_AS_NORMAL = 1e28
"""From so many degrees of freedom on the quantiles of the normal distribution are right."""


def _t_slope(df: Tensor, t: Tensor) -> Tensor:
    log = -0.5 * (df + 1) * torch.log1p(t * t / df) - 0.5 * torch.log(df)
    return torch.exp(log - betaln(0.5 * df, torch.full_like(df, 0.5)))


def _t_tail(df: Tensor, t: Tensor) -> Tensor:
    square = t * t
    x = torch.where(torch.isinf(square), 0.0, df / (df + square))
    y = torch.where(torch.isinf(square), 1.0, square / (df + square))
    return 0.5 * regularized(0.5 * df, torch.full_like(df, 0.5), x, y)[0]


def _stdtr(df: Tensor, t: Tensor) -> Tensor:
    normal = df > _AS_NORMAL
    tail = _t_tail(torch.where(normal, 1, df), t)
    value = torch.where(t < 0, tail, 1 - tail)
    value = torch.where(normal, ndtr.steps(t), value)
    return nan_where((df <= 0) | torch.isnan(t), value)


@special(None, _t_slope)
def stdtr(df: Tensor, t: Tensor) -> Tensor:
    """The distribution function of Student's t."""
    return _stdtr(df, t)


def _t_quantile(df: Tensor, tail: Tensor) -> Tensor:
    x, y = inverse(0.5 * df, torch.full_like(df, 0.5), 2 * tail, 1 - 2 * tail)
    return torch.sqrt(df) * torch.sqrt(y / x)


def _t_quantile_of_1_2_4(df: Tensor, tail: Tensor) -> Tensor:
    """Closed forms (W. T. Shaw, 2006); that of 4 by sines, without a difference near 1."""
    middle, root = 1 - 2 * tail, 2 * torch.sqrt(tail) * torch.sqrt(1 - tail)
    angle = torch.atan2(middle, root) / 3
    of_4 = torch.sqrt(8 * torch.sin(2 * angle) * torch.sin(angle) / root)
    of_2 = math.sqrt(2) * middle / root
    of_1 = sin_pi(0.5 * middle) / sin_pi(tail)
    return torch.where(df == 4, of_4, torch.where(df == 2, of_2, of_1))


@special(None, lambda df, p: 1 / _t_slope(df, stdtrit(df, p)))
def stdtrit(df: Tensor, p: Tensor) -> Tensor:
    """The inverse of ``stdtr`` in its second argument."""
    normal = df > _AS_NORMAL
    d = torch.where(normal, 1, df)
    tail = torch.minimum(p, 1 - p)
    closed = (d == 1) | (d == 2) | (d == 4)
    value = branch(~closed, _t_quantile, (d, 3.0), (tail, 0.25))
    value = mended(value, closed, _t_quantile_of_1_2_4, (d, 4.0), (tail, 0.25))
    value = torch.where(tail == 0, math.inf, torch.where(p == 0.5, 0.0, value))
    value = torch.where(p < 0.5, -value, value)
    value = torch.where(normal, torch.special.ndtri(p), value)
    return nan_where((df <= 0) | (p < 0) | (p > 1) | torch.isnan(df + p), value)


@in_double
def nrdtrimn(p: Tensor, std: Tensor, x: Tensor) -> Tensor:
    """The mean of a normal distribution with this probability below ``x``."""
    return nan_where(std <= 0, x - std * ndtri(p))


@in_double
def nrdtrisd(mn: Tensor, p: Tensor, x: Tensor) -> Tensor:
    """The standard deviation of a normal distribution with this probability below ``x``."""
    return (x - mn) / ndtri(p)


@special(lambda y: torch.exp(y + 0.5 * ndtri_exp(y) ** 2) * math.sqrt(2 * math.pi))
def ndtri_exp(y: Tensor) -> Tensor:
    """The ``x`` with log_ndtr(x) = y: Newton's steps from the leading term of the tail."""
    far = (y < -2) & (y > -math.inf)
    v = torch.where(far, y, -2)
    x = -math.sqrt(2) * torch.sqrt(-v)
    for _ in range(7):
        log = torch.special.log_ndtr(x)
        # the slope of log_ndtr is exp(-x^2 / 2) / (sqrt(2 pi) ndtr(x)), by erfcx without overflow
        slope = math.sqrt(2 / math.pi) / torch.special.erfcx(-x / math.sqrt(2))
        x = x - (log - v) / slope
    near = torch.where(
        y > -1e-2, -torch.special.ndtri(-torch.expm1(y)), torch.special.ndtri(torch.exp(y))
    )
    return torch.where(far, x, torch.where(y == -math.inf, -math.inf, near))


def _kolmogorov(x: Tensor) -> tuple[Tensor, Tensor]:
    """The tail and its complement, by two theta series (Kolmogorov 1933; DLMF 20.7.32)."""
    above = x > 0.75
    u = torch.where(above, x, 1)
    e = torch.exp(-2 * u * u)
    tail = torch.zeros_like(u)
    for k in range(6, 0, -1):
        tail = tail + (1 if k % 2 else -1) * torch.pow(e, k * k)
    tail = 2 * tail
    v = torch.where(above | (x <= 0), 0.5, x)
    whole = torch.zeros_like(v)
    for k in range(4, 0, -1):
        whole = whole + torch.exp(-(((2 * k - 1) * math.pi / v) ** 2) / 8)
    whole = math.sqrt(2 * math.pi) / v * whole
    whole = torch.where(x <= 0, 0.0, whole)
    return torch.where(above, tail, 1 - whole), torch.where(above, 1 - tail, whole)


def _kolmogorov_slope(x: Tensor) -> Tensor:
    above = x > 0.75
    u = torch.where(above, x, 1)
    tail = torch.zeros_like(u)
    for k in range(6, 0, -1):
        tail = tail + (-1 if k % 2 else 1) * 8 * k * k * u * torch.exp(-2 * k * k * u * u)
    v = torch.where(above | (x <= 0), 0.5, x)
    whole = torch.zeros_like(v)
    for k in range(4, 0, -1):
        c = ((2 * k - 1) * math.pi) ** 2 / 8
        whole = whole + torch.exp(-c / (v * v)) * (2 * c / (v * v) - 1)
    whole = math.sqrt(2 * math.pi) / (v * v) * whole
    return torch.where(above, tail, torch.where(x <= 0, 0.0, -whole))


@special(_kolmogorov_slope)
def kolmogorov(x: Tensor) -> Tensor:
    """The upper tail of Kolmogorov's distribution."""
    return nan_where(torch.isnan(x), _kolmogorov(x)[0])


@special(lambda p: 1 / _kolmogorov_slope(kolmogi(p)))
def kolmogi(p: Tensor) -> Tensor:
    """The inverse of ``kolmogorov``."""
    inside = (p > 0) & (p < 1)
    q = torch.where(inside, p, 0.5)
    small = q < 0.5

    def distance(x: Tensor, q: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        tail, whole = _kolmogorov(x)
        slope = -_kolmogorov_slope(x)
        small = q < 0.5
        value = torch.where(small, -torch.log(tail / q), torch.log(whole / (1 - q)))
        return value, slope / torch.where(small, tail, whole), torch.zeros_like(x)

    start = torch.where(small, torch.sqrt(-0.5 * torch.log(0.5 * q)), 0.6)
    low, high = torch.full_like(q, 0.02), torch.full_like(q, 20.0)
    x = root(distance, start, low, high, 9, q, near=3e-9)  # Newton's steps
    return torch.where(inside, x, torch.where(p == 0, math.inf, torch.where(p == 1, 0.0, math.nan)))
