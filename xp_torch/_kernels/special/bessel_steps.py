"""Values of Bessel functions of real order, by series, integrals and asymptotic expansions.

The integrals are along paths on which the integrand falls without oscillation, so that a fixed rule
of Gauss and Legendre is exact to rounding. Operands are positive numbers here.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from .quadrature import gauss_legendre, weighted_sum, weighted_sums
from .series import branch, cos_pi, polynomial, sin_pi

_NODES, _WEIGHTS = gauss_legendre(64)
_DROP = 42.0
TEMME_TO = 2.0
_TEMME_ORDERS = 8

# 1 / gamma(1 + m) = sum c[k] m^k (DLMF 5.7.1)
_RECIPROCAL = [
    1.0, 0.57721566490153286, -0.65587807152025388, -0.042002635034095236, 0.16653861138229149,
    -0.042197734555544337, -0.0096219715278769736, 0.0072189432466630995, -0.0011651675918590651,
    -0.00021524167411495097, 0.00012805028238811619, -2.0134854780788239e-05,
    -1.2504934821426707e-06, 1.1330272319816959e-06, -2.0563384169776071e-07,
    6.1160951044814158e-09, 5.0020076444692229e-09, -1.1812745704870201e-09,
    1.0434267116911005e-10,
]  # fmt: skip
_ODD = [-c for c in reversed(_RECIPROCAL[1::2])]
_EVEN = list(reversed(_RECIPROCAL[0::2]))


def temme_start(m: Tensor, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """f0, p0 and q0 of Temme's series (N. M. Temme, 1975 and 1976), for ``|m| <= 1/2``."""
    square = m * m
    gamma_1, gamma_2 = polynomial(square, _ODD), polynomial(square, _EVEN)
    log = -torch.log(0.5 * x)
    e = m * log
    small = e.abs() < 1e-8
    quotient = torch.where(small, 1.0, torch.sinh(e) / torch.where(small, 1, e))
    f = (gamma_1 * torch.cosh(e) + gamma_2 * quotient * log) / torch.sinc(m)
    power = torch.exp(e)
    return f, power / (gamma_2 - m * gamma_1), 1 / (power * (gamma_2 + m * gamma_1))


def _y_of_small(v: Tensor, x: Tensor) -> Tensor:
    """Y_v(x) for ``x`` up to 2 and ``v`` up to 8: Temme's series and the recurrence in ``v``."""
    n = torch.round(v)
    m = v - n
    f, p, q = temme_start(m, x)
    f, p, q = 2 / math.pi * f, p / math.pi, q / math.pi
    half_sine = torch.sinc(0.5 * m)
    r = 0.5 * math.pi**2 * m * half_sine * half_sine
    c, total, other = torch.ones_like(x), f + r * q, p
    for k in range(1, 18):
        f = (k * f + p + q) / (k * k - m * m)
        c = c * (x * x * (-0.25 / k))
        p, q = p / (k - m), q / (k + m)
        delta = c * (f + r * q)
        total, other = total + delta, other + c * p - k * delta
    return _upwards(n, m, x, -total, -other * 2 / x, -1)


def _upwards(n: Tensor, m: Tensor, x: Tensor, first: Tensor, second: Tensor, sign: int) -> Tensor:
    """The function of order ``m + n`` from those of ``m`` and ``m + 1`` (DLMF 10.6.1, 10.29.1)."""
    value = first
    for k in range(1, _TEMME_ORDERS + 1):
        value = torch.where(n >= k, second, value)
        first, second = second, 2 * (m + k) / x * second + sign * first
    return value


def _k_of_small(v: Tensor, x: Tensor) -> Tensor:
    """K_v(x) for ``x`` up to 2 and ``v`` up to 8."""
    n = torch.round(v)
    m = v - n
    f, p, q = temme_start(m, x)
    p, q = 0.5 * p, 0.5 * q
    c, total, other = torch.ones_like(x), f, p
    for k in range(1, 18):
        f = (k * f + p + q) / (k * k - m * m)
        c = c * (x * x * (0.25 / k))
        p, q = p / (k - m), q / (k + m)
        total, other = total + c * f, other + c * (p - k * f)
    return _upwards(n, m, x, total, other * 2 / x, 1)


def _series(v: Tensor, x: Tensor, sign: int, count: int) -> tuple[Tensor, Tensor]:
    """``(log of the power, sum)`` of the power series of J or I (DLMF 10.2.2, 10.25.2)."""
    square = 0.25 * sign * x * x
    total = torch.ones_like(x)
    for k in range(count, 0, -1):
        total = 1 + total * (square / (k * (v + k)))
    return v * torch.log(0.5 * x) - torch.lgamma(v + 1), total


def _series_of_j(v: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    return _series(v, x, -1, 18)


def _series_of_i(v: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    return _series(v, x, 1, 40)


def _j_by_path(v: Tensor, x: Tensor) -> Tensor:
    """J_v(x) for ``v >= x``, by Schläfli's integral (DLMF 10.9.17) on the path of steepest descent.

    On it cosh(r) = (v / x) angle / sin(angle), and the integrand is positive.
    """
    ratio = v / x
    alpha = torch.acosh(ratio)
    root = torch.sqrt((v - x) * (v + x))
    peak = root - v * alpha
    end = torch.minimum(
        torch.sqrt(2 * _DROP / root.clamp(min=1e-300)), (100 * _DROP / v) ** (1 / 3)
    ).clamp(max=math.pi * (1 - 1e-9))

    def integrand(w: Tensor | float) -> Tensor:
        angle = end * w
        cosh = ratio * angle / torch.sin(angle)
        sinh = torch.sqrt((cosh - 1) * (cosh + 1))
        return torch.exp(x * sinh * torch.cos(angle) - v * torch.log(cosh + sinh) - peak)

    part = weighted_sum(integrand, _NODES, _WEIGHTS, x)
    return torch.exp(peak) * end * part / math.pi


def _hankel_by_paths(v: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    """J_v(x) and Y_v(x) for ``v <= x``, and Y just above: Sommerfeld's integral (DLMF 10.9.18).

    Two paths leave the saddle i b, cos(b) = v / x, into the valleys to its left and right.
    """
    order = torch.minimum(v, x)
    below = v < x
    height = torch.where(below, (x - order) * (x + order), 1)
    height = torch.where(below, torch.sqrt(height), 0)  # x sin(b)
    b = torch.atan2(height, order)
    phase = height - order * b
    excess = v - order

    def along_path(
        side: int, slope: Tensor | float, limit: float, length: Tensor
    ) -> tuple[Tensor, Tensor]:
        rate = slope / limit

        def integrand(w: Tensor | float) -> tuple[Tensor, Tensor]:
            s = length * w
            tanh = torch.tanh(rate * s)
            a, c = side * s, side * limit * tanh  # the point a + i c, from the saddle
            half_sinh, half_sine = torch.sinh(0.5 * a), torch.sin(0.5 * c)
            sinh, cosh = torch.sinh(a), torch.cosh(a)
            sine, cosine = torch.sin(c), torch.cos(c)
            cosh_less_1 = 2 * half_sinh * half_sinh * cosine - 2 * half_sine * half_sine
            # x (i sin(b) (cosh t - 1) + cos(b) (sinh t - t)) - excess t
            size = -height * sinh * sine + order * (sinh * cosine - a) - excess * a
            turn = height * cosh_less_1 + order * (cosh * sine - c) - excess * c
            dc = slope * (1 - tanh * tanh)
            factor = torch.exp(size)
            turn_cosine, turn_sine = torch.cos(turn), torch.sin(turn)
            return (
                factor * (turn_cosine - dc * turn_sine),
                factor * (turn_sine + dc * turn_cosine),
            )

        first, second = weighted_sums(integrand, _NODES, _WEIGHTS, x)
        return length * first, length * second

    tiny = 1e-300
    # Far out the exponent is x sinh(s) times the cosine of the height
    far_left = torch.asinh((_DROP + 5 * v) / (0.9 * x * torch.cos(b - 0.4)))
    far_right = torch.asinh(_DROP / (0.45 * x))
    # Near the saddle it is a square and a cube of the distance
    low, flat = height.clamp(min=tiny), order.clamp(min=tiny)
    left = torch.minimum(torch.sqrt(_DROP / 0.3 / low), (6 / 0.73 * _DROP / flat) ** (1 / 3))
    right = torch.minimum(torch.sqrt(_DROP / 1.2 / low), (6 / 3.32 * _DROP / flat) ** (1 / 3))
    # Above the argument the left path is the real axis, on which the integrand first rises, up to
    # the distance alpha
    alpha = torch.sqrt(2 * excess.detach() / x)
    left, right = 1.15 * left + 2 * alpha, 1.2 * right
    # The ends are no part of the derivative in the order
    left = torch.minimum(left, far_left.clamp(min=1.5) + 0.3 * alpha).detach()
    right = torch.minimum(right, far_right.clamp(min=2)).detach()
    real_1, imaginary_1 = along_path(-1, torch.where(excess > 0, 0.0, 0.3 + 0 * x), 0.5, left)
    real_2, imaginary_2 = along_path(1, 1.2, 2.2, right)
    real, imaginary = (real_1 + real_2) / math.pi, (imaginary_1 + imaginary_2) / math.pi
    # exp(i phase) (real + i imaginary) / i
    cosine, sine = torch.cos(phase), torch.sin(phase)
    return cosine * imaginary + sine * real, sine * imaginary - cosine * real


def _y_by_path(v: Tensor, x: Tensor) -> Tensor:
    """Y_v(x) for ``v`` well above ``x``: a positive integral along the real axis."""
    alpha = torch.acosh(v / x)
    root = torch.sqrt((v - x) * (v + x))
    peak = v * alpha - root

    def exponent(s: Tensor) -> Tensor:
        half = torch.sinh(0.5 * s)
        return -2 * root * half * half + v * (torch.sinh(s) - s)

    gauss = torch.sqrt(2 * _DROP / root)
    left = torch.minimum(gauss, torch.asinh(_DROP / v) + 1)
    right = torch.minimum(gauss + _DROP / v, 2 * alpha)
    one = left * weighted_sum(lambda w: torch.exp(exponent(-left * w)), _NODES, _WEIGHTS, x)
    two = right * weighted_sum(lambda w: torch.exp(exponent(right * w)), _NODES, _WEIGHTS, x)
    return -torch.exp(peak) * (one + two) / math.pi


def _hankel_asymptotic(v: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    """J and Y for ``x`` far above ``v**2`` (DLMF 10.17.3, 10.17.4)."""
    mu = 4 * v * v
    term, p, q = torch.ones_like(x), torch.ones_like(x), torch.zeros_like(x)
    for k in range(1, 22):
        term = term * ((mu - (2 * k - 1) ** 2) / (8 * k * x))
        if k % 2:
            q = q + (term if k % 4 == 1 else -term)
        else:
            p = p + (term if k % 4 == 0 else -term)
    # x - (v/2 + 1/4) pi, by the addition theorem: x may be large
    a, b = torch.cos(x), torch.sin(x)
    c, d = cos_pi(0.5 * v + 0.25), sin_pi(0.5 * v + 0.25)
    cosine, sine = a * c + b * d, b * c - a * d
    factor = torch.sqrt(2 / (math.pi * x))
    return factor * (p * cosine - q * sine), factor * (p * sine + q * cosine)


def jy(v: Tensor, x: Tensor, wants_y: bool) -> Tensor:
    """J_v(x), or Y_v(x), for ``v >= 0`` and ``x > 0``."""

    def found(where: Tensor, function: Any, order: float, argument: float, results: int = 1) -> Any:
        return branch(where, function, (v, order), (x, argument), results=results)

    asymptotic = (x > 30) & (x > 0.6 * v * v)
    low = ~asymptotic & (x > TEMME_TO) & (v <= x)
    result = found(asymptotic, _hankel_asymptotic, 0.0, 40.0, 2)[int(wants_y)]
    if wants_y:
        small = (x <= TEMME_TO) & (v <= _TEMME_ORDERS)
        high = ~small & (v > x)
        alpha = torch.sqrt(torch.where(high, (v - x) / x, 0) * 2)
        near = high & (x * alpha**3 < 60)
        by_paths = found(low | near, _hankel_by_paths, 1.0, 4.0, 2)[1]
        far = found(high & ~near, _y_by_path, 20.0, 4.0)
        of_small = found(small, _y_of_small, 1.0, 1.0)
        result = torch.where(low | near, by_paths, result)
        return torch.where(small, of_small, torch.where(high & ~near, far, result))
    high = ~asymptotic & (x > TEMME_TO) & (v > x)
    by_series = (x * x < 4 * (v + 1)) | (x <= TEMME_TO)
    log, total = found(by_series, _series_of_j, 1.0, 1.0, 2)
    by_paths = found(low & ~by_series, _hankel_by_paths, 1.0, 4.0, 2)[0]
    result = torch.where(low, by_paths, result)
    by_path = found(high & ~by_series, _j_by_path, 20.0, 4.0)
    result = torch.where(high, by_path, result)
    return torch.where(by_series, torch.exp(log) * total, result)


def kve(v: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    """``exp(x) K_v(x)`` as an exponent and a factor, for ``v >= 0`` and ``x > 0``.

    The integral is DLMF 10.32.9, shifted to its peak.
    """
    small = (x <= TEMME_TO) & (v <= _TEMME_ORDERS)
    peak, far = branch(~small, kve_by_integral, (v, 1.0), (x, 3.0), results=2)
    near = branch(small, _k_of_small, (v, 1.0), (x, 1.0))
    return torch.where(small, x, peak), torch.where(small, near, far)


def kve_by_integral(u: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    w = torch.hypot(u, y)

    def exponent(s: Tensor) -> Tensor:
        half = torch.sinh(0.5 * s)
        return -2 * w * half * half - u * (torch.sinh(s) - s)

    gauss = torch.sqrt(2 * _DROP / w)
    right = torch.minimum(gauss, torch.log1p(2 * _DROP / w) + 1)
    # To the left the fall is (w - u) (cosh s - 1) + u (exp(-s) - 1 + s)
    rest = (w - u).clamp(min=1e-300)
    left = torch.minimum(torch.sqrt(2 * _DROP / rest), torch.log1p(2 * _DROP / rest) + 1)
    left = torch.minimum(left, torch.sqrt(2 * _DROP / u) + _DROP / u)
    one = right * weighted_sum(lambda t: torch.exp(exponent(right * t)), _NODES, _WEIGHTS, y)
    two = left * weighted_sum(lambda t: torch.exp(exponent(-left * t)), _NODES, _WEIGHTS, y)
    return u * torch.asinh(u / y) - u * u / (w + y), 0.5 * (one + two)


def ive(v: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    """``exp(-x) I_v(x)`` as an exponent and a factor, for ``v >= 0`` and ``x > 0``."""
    by_series = x * x < 150 * torch.sqrt(v + 1)
    log, total = branch(by_series, _series_of_i, (v, 1.0), (x, 1.0), results=2)
    asymptotic = (x > 40) & (x > 0.6 * v * v)
    others = ~(by_series | asymptotic)
    top, far = branch(others, _ive_by_path, (v, 1.0), (x, 20.0), results=2)
    by_asymptotic = branch(asymptotic, _i_asymptotic, (v, 0.0), (x, 40.0))
    exponent = torch.where(by_series, log - x, torch.where(asymptotic, 0.0, top))
    return exponent, torch.where(by_series, total, torch.where(asymptotic, by_asymptotic, far))


def _ive_by_path(u: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    w = torch.hypot(u, y)
    ratio = u / y
    # w (1 - cos(angle)) is the drop
    end = 2 * torch.asin(torch.sqrt(0.5 * _DROP / w).clamp(max=1)).clamp(
        max=0.5 * math.pi * (1 - 1e-9)
    )
    top = u * u / (w + y) - u * torch.asinh(ratio)  # the logarithm of the peak, less y

    def integrand(t: Tensor | float) -> Tensor:
        angle = end * t
        sinh = ratio * angle / torch.sin(angle)
        cosh = torch.sqrt(1 + sinh * sinh)
        return torch.exp(y * (cosh * torch.cos(angle) - 1) - u * torch.asinh(sinh) - top)

    return top, end * weighted_sum(integrand, _NODES, _WEIGHTS, y) / math.pi


def _i_asymptotic(v: Tensor, z: Tensor) -> Tensor:
    mu = 4 * v**2
    term, sum_of = torch.ones_like(z), torch.ones_like(z)
    for k in range(1, 24):
        term = term * (-(mu - (2 * k - 1) ** 2) / (8 * k * z))
        sum_of = sum_of + term
    return sum_of / torch.sqrt(2 * math.pi * z)
