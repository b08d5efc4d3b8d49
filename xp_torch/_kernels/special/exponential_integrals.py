"""Exponential, sine and cosine integrals, and Spence's dilogarithm."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from .derivatives import special
from .quadrature import gauss_legendre, weighted_sum
from .series import branch, mended, nan_where, polynomial

EULER = 0.5772156649015329
_NODES, _WEIGHTS = gauss_legendre(36)
_DROP = 42.0


def _ein_series(x: Tensor, count: int) -> Tensor:
    """``sum x^k / (k k!)``, Horner's scheme of DLMF 6.6.1."""
    total = torch.zeros_like(x)
    for k in range(count, 1, -1):  # x (1 + (k-1)/k^2 x (1 + ...))
        total = (1 + total) * (x * ((k - 1) / (k * k)))
    return x * (1 + total)


def _e1(x: Tensor) -> Tensor:
    """E1 of positive numbers: DLMF 6.6.2 up to 1.5, the fraction 6.9.1 above."""
    small = x < 1.5
    near = branch(small, lambda u: -EULER - torch.log(u) - _ein_series(-u, 26), (x, 1))
    return torch.where(small, near, branch(~small, _e1_fraction, (x, 2)))


def _e1_fraction(v: Tensor) -> Tensor:
    value = v + 121
    for k in range(60, 0, -1):
        value = (v + (2 * k - 1)) - (k * k) / value
    return torch.exp(-v) / value


def _ei(x: Tensor) -> Tensor:
    """Ei of positive numbers: DLMF 6.6.1 up to 40, the asymptotic series 6.12.2 above."""
    little, small = x < 6, x < 40
    near = branch(little, lambda u: EULER + torch.log(u) + _ein_series(u, 44), (x, 1))
    middle = small & ~little
    far = branch(middle, lambda u: EULER + torch.log(u) + _ein_series(u, 124), (x, 7))
    near = torch.where(little, near, far)
    return torch.where(small, near, branch(~small, _ei_asymptotic, (x, 40)))


def _ei_asymptotic(v: Tensor) -> Tensor:
    total = torch.ones_like(v)
    for k in range(38, 0, -1):
        total = 1 + total * (k / v)
    half = torch.exp(0.5 * v)
    return half / v * total * half


# The root of Ei: near it the two large terms of the series cancel.
_ROOT = 0.3725074107813666
_ROOT_REST = 1.3140183414386028e-17


def _ei_near_root(x: Tensor) -> Tensor:
    """Ei by the Taylor series of exp(t) / t at its root, integrated."""
    h = (x - _ROOT) - _ROOT_REST
    # f = e^t / t at r: t f = e^t gives r f_k = e^r / k! - f_(k-1) for the Taylor coefficients
    coefficients = [math.exp(_ROOT) / _ROOT]
    for k in range(1, 24):
        coefficients.append((math.exp(_ROOT) / math.factorial(k) - coefficients[-1]) / _ROOT)
    total = torch.zeros_like(h)
    for k in range(23, -1, -1):
        total = total * h + coefficients[k] / (k + 1)
    return total * h


@special(lambda x: torch.exp(x) / x)
def expi(x: Tensor) -> Tensor:
    """The exponential integral Ei (DLMF 6.2.5)."""
    positive = x > 0
    above = branch(positive, _ei, (x, 1))
    near = (x - _ROOT).abs() < 0.05
    above = torch.where(near, branch(near, _ei_near_root, (x, _ROOT)), above)
    below = branch(x < 0, lambda t: -_e1(-t), (x, -1))
    value = torch.where(positive, above, below)
    value = torch.where(x == 0, -math.inf, value)
    value = torch.where(x == math.inf, math.inf, value)
    return nan_where(torch.isnan(x), torch.where(x == -math.inf, -0.0, value))


@special(lambda x: -torch.exp(-x) / x)
def exp1(x: Tensor) -> Tensor:
    """The exponential integral E1 of real numbers; NaN below 0 (DLMF 6.2.1)."""
    positive = x > 0
    value = _e1(torch.where(positive & (x < math.inf), x, 1))
    value = torch.where(x == math.inf, 0.0, value)
    value = torch.where(x == 0, math.inf, value)
    return nan_where(torch.isnan(x) | (x < 0), value)


def _expn_by_integral(n: Tensor, x: Tensor) -> Tensor:
    """E_n(x) for ``n + x`` of 6 and more.

    It is exp(-x) times the integral of exp(-x (e^v - 1) - (n-1) v). The
    interval ends where the integrand has fallen by exp(-42): Newton's steps, from beyond.
    """
    length = torch.minimum(_DROP / (n - 1 + x), torch.log1p(_DROP / x))
    for _ in range(3):
        fall = x * torch.expm1(length) + (n - 1) * length
        length = length + (_DROP - fall) / (x * torch.exp(length) + n - 1)
    part = weighted_sum(
        lambda w: torch.exp(-x * torch.expm1(w * length) - (n - 1) * (w * length)),
        _NODES, _WEIGHTS, x,
    )  # fmt: skip
    return torch.exp(-x) * length * part


@special(None, lambda n, x: -expn(n - 1, x))
def expn(n: Tensor, x: Tensor) -> Tensor:
    """The generalized exponential integral E_n (DLMF 8.19.1), of integers ``n >= 0``."""
    n = torch.trunc(n)
    inside = (n >= 0) & (x > 0) & (x < math.inf)
    m, z = torch.where(inside, n, 1), torch.where(inside, x, 1)
    far = (m + z >= 6) & (m > 1)
    value = _expn_by_integral(torch.where(far, m, 6), torch.where(far, z, 1))
    e = torch.exp(-z)
    last = _e1(z)
    near = torch.where(m == 0, e / z, last)
    for k in range(1, 6):  # DLMF 8.19.12, stable for x below n
        last = (e - z * last) / k
        near = torch.where(m == k + 1, last, near)
    value = torch.where(far, value, near)
    value = torch.where((x == 0) & (n >= 0), torch.where(n > 1, 1 / (n - 1), math.inf), value)
    value = torch.where(x == math.inf, 0.0, value)
    return nan_where((n < 0) | (x < 0) | torch.isnan(n + x), value)


@special(lambda x: (torch.sinh(x) / x, torch.cosh(x) / x))
def shichi(x: Tensor) -> tuple[Tensor, Tensor]:
    """The hyperbolic sine and cosine integrals Shi and Chi (DLMF 6.2.15, 6.2.16)."""
    z = x.abs()
    small = z < 3
    u = torch.where(small, z, 1)
    square = u * u
    odd, even = torch.zeros_like(u), torch.zeros_like(u)
    for k in range(16, -1, -1):
        odd = odd * square + 1 / ((2 * k + 1) * math.factorial(2 * k + 1))
        even = even * square + 1 / ((2 * k + 2) * math.factorial(2 * k + 2))
    v = torch.where(small | (z == math.inf), 3, z)
    half, rest = 0.5 * _ei(v), 0.5 * _e1(v)
    shi = torch.where(small, u * odd, half + rest)
    chi = torch.where(small, EULER + torch.log(u) + square * even, half - rest)
    shi = torch.where(z == math.inf, math.inf, shi)
    chi = torch.where(z == math.inf, math.inf, chi)
    nan = torch.isnan(x)
    return nan_where(nan, torch.copysign(shi, x)), nan_where(
        nan, torch.where(z == 0, -math.inf, chi)
    )


# Si(x) / x and (Ci(x) - log(x) - Euler's constant) / x^2 in x^2 up to 16, and the auxiliary
# functions x f(x) and x^2 g(x) in 1/x^2 up to 1/16 (DLMF 6.2.17, 6.2.18) as quotients of
# polynomials. They interpolate at Chebyshev's nodes, of the two in 1/x, and were computed with 80
# digits by mpmath.
_SI = [
    7.948510839918774e-22, -4.27584084925101e-19, 1.6527211282491636e-16, -5.097966588511523e-14,
    1.2353098491764215e-11, -2.277464332056993e-09, 3.0619243559416514e-07,
    -2.8344671201358953e-05, 0.0016666666666662003, -0.05555555555555537, 1.0,
]  # fmt: skip
_CI = [
    -3.493121348033495e-23, 2.0347178104854336e-20, -8.672999135077456e-18, 2.987115889509022e-15,
    -8.193384814579168e-13, 1.7397297221300852e-10, -2.7557319214796103e-08,
    3.1001984126800588e-06, -0.00023148148148146268, 0.01041666666666666, -0.25,
]  # fmt: skip
_F_TOP = [
    50045126939159.91, 249926407474411.03, 177389932617975.25, 40745890447551.84,
    3958459815875.988, 184192331351.50778, 4358875084.282225, 53443802.79879635, 332269.056210908,
    962.3363334552057, 1.0,
]  # fmt: skip
_F_BOTTOM = [
    160964830987188.12, 401347057547817.3, 226086234029555.84, 46533162720739.234,
    4263956352382.311, 192018906420.35144, 4459688369.34861, 54089726.184544, 334173.7288778187,
    964.3363334552057, 1.0,
]  # fmt: skip
_G_TOP = [
    3140256647946169.0, 2.779412204056989e+16, 2.357446452609598e+16, 6221509119004908.0,
    694114890574956.8, 37668404363943.31, 1069397396772.0763, 16434928525.193644,
    137265360.57829472, 604210.5905021006, 1279.751490333063, 1.0,
]  # fmt: skip
_G_BOTTOM = [
    4.158782406367198e+16, 8.357790799879133e+16, 4.368591272215996e+16, 8982540857600040.0,
    867003008543451.5, 43086176715866.234, 1158433909797.8477, 17212350866.814438,
    140786940.99611142, 611805.0994440994, 1285.751490333063, 1.0,
]  # fmt: skip


@special(lambda x: (torch.sinc(x / math.pi), torch.cos(x) / x))
def sici(x: Tensor) -> tuple[Tensor, Tensor]:
    """The sine and cosine integrals (DLMF 6.2.9, 6.2.13); Ci of the absolute value is real."""
    size, square = x.abs(), x * x
    si = x * polynomial(square, _SI)
    ci = EULER + torch.log(size) + square * polynomial(square, _CI)
    return mended((si, ci), size > 4, _sici_far, (x, 8.0))


def _sici_far(x: Tensor) -> tuple[Tensor, Tensor]:
    """By the auxiliary functions (DLMF 6.2.19, 6.2.20)."""
    z = x.abs()
    w = 1 / (z * z)
    f = polynomial(w, _F_TOP) / polynomial(w, _F_BOTTOM) / z
    g = polynomial(w, _G_TOP) / polynomial(w, _G_BOTTOM) * w
    angle = torch.where(z == math.inf, 0, z)
    sine, cosine = torch.sin(angle), torch.cos(angle)
    si = 0.5 * math.pi - f * cosine - g * sine
    return torch.copysign(si, x), nan_where(x == -math.inf, f * sine - g * cosine)


# B_2k / (2k + 1)!, the last first
_DEBYE = [
    -174611 / 16860010916664115200000, 43867 / 97072790126247936000, -3617 / 181400588328960000,
    1 / 1120863744000, -691 / 16999766784000, 1 / 526901760, -1 / 10886400, 1 / 211680, -1 / 3600,
    1 / 36,
]  # fmt: skip


def _spence_near_1(z: Tensor) -> Tensor:
    """Li2(1 - z) for z in (0.4, 1.6), by the Bernoulli numbers and ``u = -log(z)``."""
    u = -torch.log(z)
    square = u * u
    total = polynomial(square, _DEBYE)
    return u * (1 + square * total) - 0.25 * square + 0.0  # no negative zero at 1


def _spence_reflected(z: Tensor) -> Tensor:
    log = torch.log(torch.where(z > 0, z, 1))  # 0 of 0, where the product vanishes
    return math.pi**2 / 6 - log * torch.log1p(-z) - _spence_near_1(1 - z)


@special(lambda z: _slope_of_spence(z))
def spence(z: Tensor) -> Tensor:
    """The dilogarithm of ``1 - z`` (DLMF 25.12.1); reflections 25.12.4 and 25.12.6."""
    large = z > 1.6
    y = torch.where(large, 1 / z, z)
    value = mended(_spence_near_1(y), (y < 0.5) & (y >= 0), _spence_reflected, (y, 0.25))
    return mended(
        value, large, lambda v, inverted: -0.5 * torch.log(v) ** 2 - inverted,
        (z, 2.0), (value, 0.0),
    )  # fmt: skip


def _slope_of_spence(z: Tensor) -> Tensor:
    near = (z - 1).abs() < 1e-3
    h = torch.where(near, z - 1, 0)
    series = -1 + h * (0.5 - h * (1 / 3 - h * (0.25 - h * (0.2 - h / 6))))
    return torch.where(near, series, torch.log(z) / (1 - torch.where(near, 0, z)))
