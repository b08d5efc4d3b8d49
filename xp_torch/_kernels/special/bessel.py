"""Bessel functions of real arguments: of order 0 and 1, of real order, spherical, and Airy's."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from . import bessel_0_and_1 as orders
from . import bessel_steps as steps
from .derivatives import along, special
from .gamma import rgamma
from .series import branch, cos_pi, is_integer, nan_where, sin_pi


@special(lambda x: -j1(x))
def j0(x: Tensor) -> Tensor:
    """J of order 0."""
    return orders.value(x, "j0")


@special(lambda x: j0(x) - torch.where(x == 0, 0.5, j1(x) / torch.where(x == 0, 1, x)))
def j1(x: Tensor) -> Tensor:
    """J of order 1."""
    return orders.value(x, "j1")


@special(lambda x: -y1(x))
def y0(x: Tensor) -> Tensor:
    """Y of order 0."""
    return orders.value(x, "y0")


@special(lambda x: y0(x) - y1(x) / x)
def y1(x: Tensor) -> Tensor:
    """Y of order 1."""
    return orders.value(x, "y1")


@special(lambda x: i1(x))
def i0(x: Tensor) -> Tensor:
    """I of order 0."""
    return torch.special.i0(x)


@special(lambda x: i0(x) - torch.where(x == 0, 0.5, i1(x) / torch.where(x == 0, 1, x)))
def i1(x: Tensor) -> Tensor:
    """I of order 1."""
    return torch.special.i1(x)


@special(lambda x: i1e(x) - torch.sign(x) * i0e(x))
def i0e(x: Tensor) -> Tensor:
    """``exp(-abs(x)) I0(x)``."""
    return torch.special.i0e(x)


@special(
    lambda x: (
        i0e(x)
        - torch.where(x == 0, 0.5, i1e(x) / torch.where(x == 0, 1, x))
        - torch.sign(x) * i1e(x)
    )
)
def i1e(x: Tensor) -> Tensor:
    """``exp(-abs(x)) I1(x)``."""
    return torch.special.i1e(x)


@special(lambda x: -k1(x))
def k0(x: Tensor) -> Tensor:
    """K of order 0."""
    return torch.special.modified_bessel_k0(x)


@special(lambda x: -k0(x) - k1(x) / x)
def k1(x: Tensor) -> Tensor:
    """K of order 1."""
    return torch.special.modified_bessel_k1(x)


@special(lambda x: k0e(x) - k1e(x))
def k0e(x: Tensor) -> Tensor:
    """``exp(x) K0(x)``."""
    return torch.special.scaled_modified_bessel_k0(x)


@special(lambda x: k1e(x) - k0e(x) - k1e(x) / x)
def k1e(x: Tensor) -> Tensor:
    """``exp(x) K1(x)``."""
    return torch.special.scaled_modified_bessel_k1(x)


# --- real order ---


def _jv(v: Tensor, x: Tensor) -> Tensor:
    order, size = v.abs(), x.abs()
    inside = (size > 0) & (size < math.inf) & (order < math.inf)
    o, z = torch.where(inside, order, 1.0), torch.where(inside, size, 1.0)
    j = steps.jy(o, z, False)
    below = (v < 0) & ~is_integer(v)
    y = branch(below, lambda o, z: steps.jy(o, z, True), (o, 0.0), (z, 1.0))
    value = torch.where(below, cos_pi(o) * j - sin_pi(o) * y, j)
    odd = torch.remainder(v, 2) != 0
    value = torch.where((v < 0) & is_integer(v) & odd, -value, value)
    value = torch.where((x < 0) & odd & is_integer(v), -value, value)
    at_zero = torch.where(v == 0, 1.0, torch.where((v > 0) | is_integer(v), 0.0, math.inf))
    sign = branch((x == 0) & below, lambda v: torch.sign(rgamma.steps(v + 1)), (v, -0.5))
    at_zero = torch.where(below, at_zero * sign, at_zero)
    value = torch.where(x == 0, at_zero, torch.where(size == math.inf, 0.0, value))
    return nan_where(torch.isnan(v + x) | ((x < 0) & ~is_integer(v)), value)


def _yv(v: Tensor, x: Tensor) -> Tensor:
    order = v.abs()
    inside = (x > 0) & (x < math.inf) & (order < math.inf)
    o, z = torch.where(inside, order, 1.0), torch.where(inside, x, 1.0)
    y = steps.jy(o, z, True)
    below = (v < 0) & ~is_integer(v)
    j = branch(below, lambda o, z: steps.jy(o, z, False), (o, 0.0), (z, 1.0))
    value = torch.where(below, sin_pi(o) * j + cos_pi(o) * y, y)
    value = torch.where(x == 0, -math.inf, torch.where(x == math.inf, 0.0, value))
    value = torch.where((v < 0) & is_integer(v) & (torch.remainder(v, 2) != 0), -value, value)
    return nan_where(torch.isnan(v + x) | (x < 0), value)


@special(along(_jv, 0), lambda v, x: 0.5 * (jv(v - 1, x) - jv(v + 1, x)))
def jv(v: Tensor, x: Tensor) -> Tensor:
    """J of real order (DLMF 10.2.2)."""
    return _jv(v, x)


@special(along(_yv, 0), lambda v, x: 0.5 * (yv(v - 1, x) - yv(v + 1, x)))
def yv(v: Tensor, x: Tensor) -> Tensor:
    """Y of real order (DLMF 10.2.3)."""
    return _yv(v, x)


def _kve(v: Tensor, x: Tensor, scale: float = 0.0) -> Tensor:
    """``exp((1 - scale) x) K_v(x)``."""
    inside = (x > 0) & (x < math.inf) & (v.abs() < math.inf)
    z = torch.where(inside, x, 1.0)
    exponent, value = steps.kve(torch.where(v.abs() < math.inf, v.abs(), 1.0), z)
    value = _times_exp(value, exponent - scale * z)
    value = torch.where(x == 0, math.inf, torch.where(x == math.inf, 0.0, value))
    return nan_where(torch.isnan(v + x) | (x < 0), value)


def _times_exp(value: Tensor, exponent: Tensor) -> Tensor:
    half = torch.exp(0.5 * exponent)
    return value * half * half


def _kv(v: Tensor, x: Tensor) -> Tensor:
    return _kve(v, x, 1.0)


def _ive(v: Tensor, x: Tensor, scale: float = 0.0) -> Tensor:
    """``exp((scale - 1) abs(x)) I_v(x)``."""
    order, size = v.abs(), x.abs()
    inside = (size > 0) & (size < math.inf) & (order < math.inf)
    o, z = torch.where(inside, order, 1.0), torch.where(inside, size, 1.0)
    exponent, value = steps.ive(o, z)
    value = _times_exp(value, exponent + scale * z)
    below = (v < 0) & ~is_integer(v)
    exponent, k = branch(below, steps.kve, (o, 1.0), (z, 1.0), results=2)
    k = _times_exp(k, exponent - (2 - scale) * z)
    value = torch.where(below, value + 2 / math.pi * sin_pi(o) * k, value)
    value = torch.where((x < 0) & (torch.remainder(v, 2) != 0), -value, value)
    at_zero = torch.where(v == 0, 1.0, torch.where((v > 0) | is_integer(v), 0.0, math.inf))
    sign = branch((x == 0) & below, lambda v: torch.sign(rgamma.steps(v + 1)), (v, -0.5))
    at_zero = torch.where(below, at_zero * sign, at_zero)
    value = torch.where(x == 0, at_zero, torch.where(size == math.inf, 0.0, value))
    return nan_where(torch.isnan(v + x) | ((x < 0) & ~is_integer(v)), value)


def _iv(v: Tensor, x: Tensor) -> Tensor:
    value = _ive(v, x, 1.0)
    odd = (x < 0) & (torch.remainder(v, 2) != 0)
    at_end = torch.where(odd, -math.inf, math.inf)
    return torch.where(torch.isinf(x) & ~torch.isnan(value), at_end, value)


@special(along(_iv, 0), lambda v, x: 0.5 * (iv(v - 1, x) + iv(v + 1, x)))
def iv(v: Tensor, x: Tensor) -> Tensor:
    """I of real order (DLMF 10.25.2)."""
    return _iv(v, x)


@special(
    along(_ive, 0), lambda v, x: 0.5 * (ive(v - 1, x) + ive(v + 1, x)) - torch.sign(x) * ive(v, x)
)
def ive(v: Tensor, x: Tensor) -> Tensor:
    """``exp(-abs(x)) I_v(x)``."""
    return _ive(v, x)


@special(along(_kv, 0), lambda v, x: -0.5 * (kv(v - 1, x) + kv(v + 1, x)))
def kv(v: Tensor, x: Tensor) -> Tensor:
    """K of real order (DLMF 10.27.4)."""
    return _kv(v, x)


@special(along(_kve, 0), lambda v, x: kve(v, x) - 0.5 * (kve(v - 1, x) + kve(v + 1, x)))
def kve(v: Tensor, x: Tensor) -> Tensor:
    """``exp(x) K_v(x)``."""
    return _kve(v, x)


# --- Airy ---

_AI, _AI_SLOPE = 0.3550280538878172, -0.2588194037928068


def _airy_near_0(x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Ai, Ai', Bi and Bi' by their series (DLMF 9.4.1 to 9.4.4)."""
    cube = x * x * x
    f, g, df, dg = (torch.zeros_like(x) for _ in range(4))
    ones, twos = [1.0], [1.0]
    for k in range(1, 18):
        ones.append(ones[-1] / ((3 * k - 1) * (3 * k)))
        twos.append(twos[-1] / ((3 * k) * (3 * k + 1)))
    for k in range(17, -1, -1):
        f, g = f * cube + ones[k], g * cube + twos[k]
        dg = dg * cube + (3 * k + 1) * twos[k]
        df = df * cube + 3 * k * ones[k]
    g = x * g
    df = df / torch.where(x == 0, 1, x)
    root = math.sqrt(3)
    ai, dai = _AI * f + _AI_SLOPE * g, _AI * df + _AI_SLOPE * dg
    bi, dbi = root * (_AI * f - _AI_SLOPE * g), root * (_AI * df - _AI_SLOPE * dg)
    return ai, dai, bi, dbi


def _airye(x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Airy's functions without their exponential for positive numbers, and its exponent.

    By Bessel functions of orders 1/3 and 2/3 (DLMF 9.6).
    """
    size = x.abs()
    usual = (size > 1.5) & (size < math.inf)
    z = torch.where(usual, size, 2.0)
    zeta = 2 / 3 * z * torch.sqrt(z)
    third, thirds = torch.full_like(z, 1 / 3), torch.full_like(z, 2 / 3)
    k1_, k2_, i1_, i2_ = (
        _times_exp(value, exponent)
        for exponent, value in (
            steps.kve(third, zeta),
            steps.kve(thirds, zeta),
            steps.ive(third, zeta),
            steps.ive(thirds, zeta),
        )
    )
    decay = torch.exp(-2 * zeta)
    root = torch.sqrt(z / 3)
    up = (
        root * k1_ / math.pi,
        -z * k2_ / (math.pi * math.sqrt(3)),
        # I(-v) = I(v) + 2/pi sin(v pi) K(v)
        root * (2 * i1_ + math.sqrt(3) / math.pi * k1_ * decay),
        z / math.sqrt(3) * (2 * i2_ + math.sqrt(3) / math.pi * k2_ * decay),
    )
    j1_, y1_ = steps.jy(third, zeta, False), steps.jy(third, zeta, True)
    j2_, y2_ = steps.jy(thirds, zeta, False), steps.jy(thirds, zeta, True)
    s = math.sqrt(3) / 2
    # J(-v) = cos(v pi) J(v) - sin(v pi) Y(v)
    down = (
        torch.sqrt(z) / 3 * (1.5 * j1_ - s * y1_),
        z / 3 * (1.5 * j2_ + s * y2_),
        root * (-0.5 * j1_ - s * y1_),
        z / math.sqrt(3) * (0.5 * j2_ - s * y2_),
    )
    near = _airy_near_0(torch.where(size > 1.5, 1.0, x))
    exponent = torch.where(x > 0, 2 / 3 * x.clamp(min=0) * torch.sqrt(x.clamp(min=0)), 0.0)
    growth = torch.exp(torch.where(size > 1.5, 0.0, exponent))
    scaled = (near[0] * growth, near[1] * growth, near[2] / growth, near[3] / growth)
    found = [
        torch.where(size <= 1.5, n, torch.where(x > 0, a, b))
        for n, a, b in zip(scaled, up, down, strict=True)
    ]
    nan = torch.isnan(x)
    values = [nan_where(nan | (size == math.inf), f) for f in found]
    return values[0], values[1], values[2], values[3], exponent


def _airy_slopes(x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    ai, dai, bi, dbi = airy(x)
    return dai, x * ai, dbi, x * bi


@special(_airy_slopes)
def airy(x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Ai, Ai', Bi and Bi' of real numbers (DLMF 9.2)."""
    ai, dai, bi, dbi, exponent = _airye(x)
    half = torch.exp(-0.5 * exponent)
    return ai * half * half, dai * half * half, bi / half / half, dbi / half / half


def _airye_slopes(x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    ai, dai, bi, dbi = airye(x)
    rate = torch.sqrt(x.clamp(min=0))
    return dai + rate * ai, x * ai + rate * dai, dbi - rate * bi, x * bi - rate * dbi


@special(_airye_slopes)
def airye(x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Airy's functions with exp(+-2/3 x sqrt(x)) taken out; Ai and Ai' are NaN below 0."""
    ai, dai, bi, dbi, _ = _airye(x)
    return nan_where(x < 0, ai), nan_where(x < 0, dai), bi, dbi


# --- spherical ---


def _spherical(kind: str, n: Tensor, z: Tensor) -> Tensor:
    """sqrt(pi / (2 z)) times the function of order n + 1/2 (DLMF 10.47.3)."""
    function = {"j": jv, "y": yv, "i": iv, "k": kv}[kind]
    size = z.abs()
    zero = z == 0
    u = torch.where(zero, 1, size)
    factor = torch.sqrt(0.5 * math.pi / u)
    value = factor * function(n + 0.5, u)
    if kind in "ji":
        value = torch.where(zero, torch.where(n == 0, 1.0, 0.0) + 0 * z, value)
        odd = torch.remainder(n, 2) != 0
        return torch.where((z < 0) & odd, -value, value)
    if kind == "y":
        value = torch.where(zero, -math.inf, value)
        odd = torch.remainder(n, 2) != 0
        return torch.where((z < 0) & ~odd, -value, value)
    return nan_where(z < 0, torch.where(zero, math.inf, value))


def spherical(kind: str, n: Tensor, z: Tensor, derivative: bool) -> Tensor:
    """A spherical Bessel function of real numbers, or its derivative (DLMF 10.51)."""
    if not derivative:
        return nan_where(n < 0, _spherical(kind, n, z))
    signs = {"j": -1.0, "y": -1.0, "i": 1.0, "k": -1.0}
    safe = torch.where(z == 0, 1, z)
    value = n / safe * _spherical(kind, n, z) + signs[kind] * _spherical(kind, n + 1, z)
    if kind in "ji":
        value = torch.where(z == 0, (n == 1) / 3 + 0 * z, value)
    else:
        value = torch.where(z == 0, math.inf if kind == "y" else -math.inf, value)
    return nan_where(n < 0, value)
