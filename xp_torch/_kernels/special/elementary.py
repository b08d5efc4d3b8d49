"""Combinations of logarithms and exponentials that are exact where their parts cancel."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from .derivatives import special
from .series import mended, nan_where

LOG_2 = math.log(2)


@special(lambda x: expit(x) * expit(-x))
def expit(x: Tensor) -> Tensor:
    """The logistic function ``1 / (1 + exp(-x))``."""
    return torch.sigmoid(x)


@special(lambda p: 1 / (p * (1 - p)))
def logit(p: Tensor) -> Tensor:
    """The inverse of ``expit``; by log1p near a half, where the logarithm is near 0."""
    near = (p > 0.3) & (p < 0.65)
    z = torch.where(near, 2 * p - 1, 0)
    value = torch.log1p(z) - torch.log1p(-z)
    return torch.where(near, value, torch.log(p) - torch.log1p(-p))


@special(lambda x: expit(-x))
def log_expit(x: Tensor) -> Tensor:
    """``log(expit(x))``."""
    return torch.where(x < 0, x, 0) - torch.log1p(torch.exp(-x.abs()))


@special(lambda x: -torch.log(x) - 1)
def entr(x: Tensor) -> Tensor:
    """``-x log(x)``; 0 at 0, -inf below."""
    return torch.special.entr(x)


@special(lambda x, y: torch.log(x) - torch.log(y) + 1, lambda x, y: -x / y)
def rel_entr(x: Tensor, y: Tensor) -> Tensor:
    """``x log(x / y)``; the quotient by its logarithms where it overflows or vanishes."""
    ratio = x / y
    value = x * torch.log(ratio)
    close = (ratio > 0.5) & (ratio < 2)
    value = mended(value, close, lambda p, q: p * torch.log1p((p - q) / q), (x, 1.0), (y, 1.0))
    plain = (torch.minimum(x, y) > 0) & (ratio > 1e-300) & (ratio < 1e300)
    return mended(value, ~plain, _rel_entr_edge, (x, 1.0), (y, 1.0))


def _rel_entr_edge(x: Tensor, y: Tensor) -> Tensor:
    inside = (x > 0) & (y > 0)
    value = x * (torch.log(x) - torch.log(y))
    value = torch.where(inside, value, torch.where((x == 0) & (y >= 0), 0.0, math.inf))
    return nan_where(torch.isnan(x) | torch.isnan(y), value)


@special(lambda x, y: torch.log(x) - torch.log(y), lambda x, y: 1 - x / y)
def kl_div(x: Tensor, y: Tensor) -> Tensor:
    """``x log(x / y) - x + y``."""
    value = x * torch.log(x / y) - x + y
    return mended(value, ~(torch.minimum(x, y) > 0), _kl_div_edge, (x, 0.0), (y, 0.0))


def _kl_div_edge(x: Tensor, y: Tensor) -> Tensor:
    value = torch.where((x == 0) & (y >= 0), y, math.inf)
    return nan_where(torch.isnan(x) | torch.isnan(y), value)


@special(lambda x, y: torch.log(y), lambda x, y: x / y)
def xlogy(x: Tensor, y: Tensor) -> Tensor:
    """``x log(y)``, 0 if ``x`` is 0; complex numbers too."""
    if x.is_complex() or y.is_complex():
        return torch.where((x == 0) & ~torch.isnan(y), 0.0, x * torch.log(y))
    return torch.xlogy(x, y)


@special(lambda x, y: torch.log1p(y), lambda x, y: x / (1 + y))
def xlog1py(x: Tensor, y: Tensor) -> Tensor:
    """``x log(1 + y)``, 0 if ``x`` is 0; complex numbers too."""
    if x.is_complex() or y.is_complex():
        return torch.where((x == 0) & ~torch.isnan(y), 0.0, x * torch.log1p(y))
    return mended(x * torch.log1p(y), x == 0, lambda y: torch.where(torch.isnan(y), y, 0), (y, 0.0))


@special(
    lambda delta, r: torch.where(r.abs() <= delta, 0.0, r.abs() - delta),
    lambda delta, r: torch.clamp(r, -delta, delta),
)
def huber(delta: Tensor, r: Tensor) -> Tensor:
    """Huber's loss; infinite for a negative ``delta``."""
    size = r.abs()
    value = torch.where(size <= delta, 0.5 * r * r, delta * (size - 0.5 * delta))
    return torch.where(delta < 0, math.inf, value)


@special(
    lambda delta, r: 2 * pseudo_huber(delta, r) / delta - r * r / torch.hypot(delta, r),
    lambda delta, r: r / torch.sqrt(1 + (r / delta) ** 2),
)
def pseudo_huber(delta: Tensor, r: Tensor) -> Tensor:
    """``delta^2 (sqrt(1 + (r / delta)^2) - 1)``."""
    zero = (delta == 0) | (r == 0)
    u, v = torch.where(zero, 1, delta), torch.where(zero, 1, r / delta)
    square = v * v
    # sqrt(1 + v^2) - 1 is v^2 / (1 + sqrt(1 + v^2))
    small = u * u * (square / (1 + torch.sqrt(1 + square)))
    value = torch.where(square < 1e10, small, u * u * (torch.hypot(torch.ones_like(v), v) - 1))
    return torch.where(delta < 0, math.inf, torch.where(zero, 0.0, value))


def _boxcox_of_log(log: Tensor, lam: Tensor) -> Tensor:
    zero = lam.abs() < 1e-19
    z = torch.where(zero, 1, lam)
    product = z * log
    large = product > 700  # divide before the exponential overflows
    value = torch.where(
        large, torch.sign(z) * torch.exp(product - torch.log(z.abs())), torch.expm1(product) / z
    )
    return torch.where(zero | ((log == 0) & torch.isfinite(lam)), log, value)


def _slope_of_lambda(log: Tensor, lam: Tensor) -> Tensor:
    """The derivative of ``expm1(lam log) / lam`` with respect to ``lam``."""
    u = lam * log
    near = u.abs() < 1e-2
    w = torch.where(near, 1, u)
    far = (w * torch.exp(w) - torch.expm1(w)) / (w * w)
    series = 0.5 + u * (1 / 3 + u * (1 / 8 + u * (1 / 30 + u * (1 / 144 + u / 840))))
    return log * log * torch.where(near, series, far)


@special(
    lambda x, lam: torch.pow(x, lam - 1),
    lambda x, lam: _slope_of_lambda(torch.log(x), lam),
)
def boxcox(x: Tensor, lam: Tensor) -> Tensor:
    """``(x^lam - 1) / lam``, the logarithm where ``lam`` is 0."""
    return _boxcox_of_log(torch.log(x), lam)


@special(
    lambda x, lam: torch.pow(1 + x, lam - 1),
    lambda x, lam: _slope_of_lambda(torch.log1p(x), lam),
)
def boxcox1p(x: Tensor, lam: Tensor) -> Tensor:
    """``boxcox(1 + x, lam)``."""
    return _boxcox_of_log(torch.log1p(x), lam)


def _inverse_log(y: Tensor, lam: Tensor) -> Tensor:
    small = lam == 0
    z = torch.where(small, 1, lam)
    return torch.where(small, y, torch.log1p(z * y) / z)


def _inverse_slope(y: Tensor, lam: Tensor) -> Tensor:
    """The derivative of ``log1p(lam y) / lam`` with respect to ``lam``."""
    u = lam * y
    near = u.abs() < 1e-2
    w = torch.where(near, 1, u)
    far = (w / (1 + w) - torch.log1p(w)) / (w * w)
    series = -0.5 + u * (2 / 3 - u * (3 / 4 - u * (4 / 5 - u * (5 / 6 - u * (6 / 7)))))
    return y * y * torch.where(near, series, far)


@special(
    lambda y, lam: inv_boxcox(y, lam) / (1 + lam * y),
    lambda y, lam: inv_boxcox(y, lam) * _inverse_slope(y, lam),
)
def inv_boxcox(y: Tensor, lam: Tensor) -> Tensor:
    """The inverse of ``boxcox``."""
    return torch.exp(_inverse_log(y, lam))


@special(
    lambda y, lam: torch.exp(_inverse_log(y, lam)) / (1 + lam * y),
    lambda y, lam: torch.exp(_inverse_log(y, lam)) * _inverse_slope(y, lam),
)
def inv_boxcox1p(y: Tensor, lam: Tensor) -> Tensor:
    """The inverse of ``boxcox1p``."""
    return torch.expm1(_inverse_log(y, lam))


@special(lambda x: -torch.sin(x))
def cosm1(x: Tensor) -> Tensor:
    """``cos(x) - 1``."""
    half = torch.sin(0.5 * x)
    return 0.0 - 2 * half * half


@special(lambda x: torch.exp(x))
def expm1(x: Tensor) -> Tensor:
    return torch.expm1(x)


@special(lambda x: 1 / (1 + x))
def log1p(x: Tensor) -> Tensor:
    return torch.log1p(x)


@special(lambda x: _slope_of_exprel(x))
def exprel(x: Tensor) -> Tensor:
    """``(exp(x) - 1) / x``, 1 at 0."""
    zero = x == 0
    value = torch.expm1(x) / torch.where(zero, 1, x)
    return torch.where(zero, 1.0, torch.where(x == math.inf, x, value))


def _slope_of_exprel(x: Tensor) -> Tensor:
    near = x.abs() < 1e-2
    z = torch.where(near, 1, x)
    far = (torch.exp(z) - torch.expm1(z) / z) / z
    return torch.where(near, 0.5 + x * (1 / 3 + x * (1 / 8 + x * (1 / 30 + x / 144))), far)


@special(lambda x: LOG_2 * torch.exp2(x))
def exp2(x: Tensor) -> Tensor:
    return torch.exp2(x)


@special(lambda x: math.log(10) * exp10(x))
def exp10(x: Tensor) -> Tensor:
    """``10**x``."""
    return torch.pow(torch.full_like(x, 10.0), x)


@special(lambda x: 1 / (3 * cbrt(x) ** 2))
def cbrt(x: Tensor) -> Tensor:
    """The real cube root: a power, corrected by a Newton step."""
    size = x.abs()
    usual = (size > 0) & (size < math.inf)
    z = torch.where(usual, size, 1)
    y = torch.pow(z, 1 / 3)
    y = y - (y - z / (y * y)) / 3
    return torch.where(usual, torch.copysign(y, x), x)


@special(
    lambda x, y: y * torch.pow(x, y - 1),
    lambda x, y: torch.log(x) * torch.pow(x, y),
)
def powm1(x: Tensor, y: Tensor) -> Tensor:
    """``x**y - 1``, exact where the power is near 1."""
    exponent = y * torch.log(x.abs())
    near = (exponent.abs() < 0.5) & (x > 0)
    return torch.where(near, torch.expm1(torch.where(near, exponent, 0)), torch.pow(x, y) - 1)


def _sine(x: Tensor, shift: float = 0.0) -> Tensor:
    """The sine of ``x + shift`` degrees; 0 beyond 1e14, where SciPy finds no digit that holds."""
    angle = torch.fmod(torch.where(x.abs() > 1e14, -shift, x), 360.0) + shift
    angle = torch.where(angle > 180, angle - 360, torch.where(angle < -180, angle + 360, angle))
    # sin(180 - t) = sin(t), and near a right angle the cosine of the rest
    side = torch.where(angle.abs() > 90, torch.copysign(180 - angle.abs(), angle), angle)
    rest = 90 - side.abs()
    cosine = torch.copysign(torch.cos(torch.deg2rad(rest)), side)
    return torch.where(rest < 45, cosine, torch.sin(torch.deg2rad(side)))


_DEGREE = math.pi / 180


@special(lambda x: _DEGREE * cosdg(x))
def sindg(x: Tensor) -> Tensor:
    """The sine of degrees."""
    return _sine(x)


@special(lambda x: -_DEGREE * sindg(x))
def cosdg(x: Tensor) -> Tensor:
    """The cosine of degrees."""
    return _sine(x, 90.0)


@special(lambda x: _DEGREE * (1 + tandg(x) ** 2))
def tandg(x: Tensor) -> Tensor:
    """The tangent of degrees."""
    far = x.abs() > 1e14
    value = torch.where(far, 0.0, _sine(x) / torch.where(far, 1, _sine(x, 90.0)) + 0.0)
    return _without_sign(value)


def _without_sign(value: Tensor) -> Tensor:
    """A pole and 0 have no sign, as in SciPy."""
    return torch.where(torch.isinf(value), math.inf, value)


@special(lambda x: -_DEGREE * (1 + cotdg(x) ** 2))
def cotdg(x: Tensor) -> Tensor:
    """The cotangent of degrees."""
    far = x.abs() > 1e14
    value = torch.where(far, 0.0, _sine(x, 90.0) / torch.where(far, 1, _sine(x)) + 0.0)
    return _without_sign(value)


@special(
    lambda d, m, s: torch.full_like(d, _DEGREE),
    lambda d, m, s: torch.full_like(d, _DEGREE / 60),
    lambda d, m, s: torch.full_like(d, _DEGREE / 3600),
)
def radian(d: Tensor, m: Tensor, s: Tensor) -> Tensor:
    """Degrees, minutes and seconds in radians."""
    return ((s / 60 + m) / 60 + d) * _DEGREE


@special(lambda x, y: _agm_slope(x, y), lambda x, y: _agm_slope(y, x))
def agm(x: Tensor, y: Tensor) -> Tensor:
    """The arithmetic-geometric mean (DLMF 19.8.1)."""
    return _agm(x, y)


def _agm(x: Tensor, y: Tensor, steps: int = 16) -> Tensor:
    sign = torch.sign(x)
    a, b = x.abs(), y.abs()
    for _ in range(steps):
        a, b = 0.5 * (a + b), torch.sqrt(a) * torch.sqrt(b)
    value = torch.where((x == 0) | (y == 0), 0.0, sign * a)
    value = torch.where((x == y) & ~torch.isnan(x), x, value)
    return nan_where(~(x * y >= 0), value)


def _agm_slope(x: Tensor, y: Tensor) -> Tensor:
    one = torch.ones_like(x)
    return torch.func.jvp(lambda t: _agm(t, y + 0 * t), (x,), (one,))[1]


def round_half_even(x: Tensor) -> Tensor:
    """The nearest integer, the even one of two."""
    return torch.round(x)
