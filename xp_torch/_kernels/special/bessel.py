"""Bessel functions of real arguments: of order 0 and 1, of real order, spherical, and Airy's."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from . import bessel_0_and_1 as orders
from . import bessel_of_one_order as one_order
from . import bessel_steps as steps
from .derivatives import along, special
from .gamma import rgamma
from .series import branch, cos_pi, is_integer, mended, nan_where, sin_pi


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

Order = Tensor | float
"""A tensor, or the number that the order of all elements is."""


of_order = functools.partial(special, numbers_to=one_order.LARGEST)


def _by(v: Order) -> Any:
    """The module with the values of this order."""
    return one_order if isinstance(v, float) else steps


def _inside(v: Order, size: Tensor) -> tuple[Any, Tensor]:
    """Order and size as positive and finite numbers."""
    if isinstance(v, float):
        return abs(v), torch.where((size > 0) & (size < math.inf), size, 1.0)
    order = v.abs()
    inside = (size > 0) & (size < math.inf) & (order < math.inf)
    return torch.where(inside, order, 1.0), torch.where(inside, size, 1.0)


def _with_other(
    v: Order,
    z: Tensor,
    value: Tensor,
    other: Callable[[Any, Tensor], Tensor],
    cosine: Callable[[Tensor], Tensor | float],
    factor: float,
) -> Tensor:
    """``cosine value + factor sine other`` for orders below 0 that are no integers.

    The sine is that of pi times the size of the order (DLMF 10.4.7, 10.27.2).
    """
    if isinstance(v, float):
        if v >= 0 or v == math.floor(v):
            return value
        order = torch.full((), -v, dtype=z.dtype, device=z.device)
        return cosine(order) * value + factor * sin_pi(order) * other(-v, z)
    below, order = (v < 0) & ~is_integer(v), v.abs()
    second = branch(below, other, (order, 1.0), (z, 1.0))
    mixed = cosine(order) * value + factor * sin_pi(order) * second
    return torch.where(below, mixed, value)


def _as_tensor(v: Order, like: Tensor) -> Tensor:
    return torch.full((), v, dtype=like.dtype, device=like.device) if isinstance(v, float) else v


def _is_odd(v: Tensor) -> Tensor:
    return torch.remainder(v, 2) != 0


def _turned(v: Order, value: Tensor) -> Tensor:
    """J and Y of negative integers (DLMF 10.4.1)."""
    v = _as_tensor(v, value)
    return torch.where((v < 0) & is_integer(v) & _is_odd(v), -value, value)


def _of_all(v: Order, x: Tensor, value: Tensor) -> Tensor:
    """J and I of all numbers, from those of positive ones."""
    v = _as_tensor(v, x)
    value = torch.where((x < 0) & _is_odd(v), -value, value)
    value = torch.where(x.abs() == math.inf, 0.0, value)
    value = mended(value, x == 0, _at_zero, (v.expand(x.shape), 1.0))
    value = torch.where(torch.isinf(v), 0 * x, value)  # no number at infinity
    return nan_where(torch.isnan(v.abs() + x.abs()) | ((x < 0) & ~is_integer(v)), value)


def _at_zero(v: Tensor) -> Tensor:
    """J and I at 0: infinite for orders below 0 that are no integers."""
    below = (v < 0) & ~is_integer(v)
    sign = branch(below, lambda v: torch.sign(rgamma.steps(v + 1)), (v, -0.5))
    return torch.where(below, sign * math.inf, torch.where(v == 0, 1.0, 0.0))


def _is_outside(v: Order, x: Tensor) -> Tensor:
    """Where Y and K are no number: of negative numbers, and of infinite orders but at 0."""
    v = _as_tensor(v, x)
    return torch.isnan(v) | torch.isnan(x) | (x < 0) | (torch.isinf(v) & (x != 0))


def _jv(v: Order, x: Tensor) -> Tensor:
    o, z = _inside(v, x.abs())
    j = _by(o).jy(o, z, False)
    value = _with_other(v, z, j, lambda o, z: _by(o).jy(o, z, True), cos_pi, -1.0)
    return _of_all(v, x, _turned(v, value))


def _yv(v: Order, x: Tensor) -> Tensor:
    o, z = _inside(v, x)
    y = _by(o).jy(o, z, True)
    value = _with_other(v, z, y, lambda o, z: _by(o).jy(o, z, False), cos_pi, 1.0)
    value = torch.where(x == math.inf, 0.0, value)
    value = mended(_turned(v, value), x == 0, _y_at_zero, (_as_tensor(v, x).expand(x.shape), 1.0))
    return nan_where(_is_outside(v, x), value)


def _y_at_zero(v: Tensor) -> Tensor:
    """Y at 0: infinite with the sign of its cosine; SciPy's sign for half-integers below 0."""
    cosine = torch.where((v < 0) & (v > -math.inf), cos_pi(v), 1.0)
    even = torch.remainder(torch.floor(-v), 2) == 0
    positive = (cosine < 0) | ((cosine == 0) & ~even)
    return torch.where(positive, math.inf, torch.full_like(v, -math.inf))


@of_order(along(_jv, 0), lambda v, x: 0.5 * (jv(v - 1, x) - jv(v + 1, x)))
def jv(v: Order, x: Tensor) -> Tensor:
    """J of real order (DLMF 10.2.2)."""
    return _jv(v, x)


@of_order(along(_yv, 0), lambda v, x: 0.5 * (yv(v - 1, x) - yv(v + 1, x)))
def yv(v: Order, x: Tensor) -> Tensor:
    """Y of real order (DLMF 10.2.3)."""
    return _yv(v, x)


def _kve(v: Order, x: Tensor, scale: float = 0.0) -> Tensor:
    """``exp((1 - scale) x) K_v(x)``."""
    o, z = _inside(v, x)
    exponent, value = _by(o).kve(o, z)
    value = _times_exp(value, exponent - scale * z)
    value = torch.where(x == 0, math.inf, torch.where(x == math.inf, 0.0, value))
    return nan_where(_is_outside(v, x), value)


def kn(n: Order, x: Tensor) -> Tensor:
    """K of integer order; others are truncated."""
    return kv(_truncated(n), x)


def yn(n: Order, x: Tensor) -> Tensor:
    """Y of integer order; others are truncated."""
    return yv(_truncated(n), x)


def _truncated(n: Order) -> Order:
    if isinstance(n, Tensor):
        return torch.trunc(n)
    return float(math.trunc(n)) if math.isfinite(n) else n


def _times_exp(value: Tensor, exponent: Tensor) -> Tensor:
    half = torch.exp(0.5 * exponent)
    return value * half * half


def _kv(v: Order, x: Tensor) -> Tensor:
    return _kve(v, x, 1.0)


def _ive(v: Order, x: Tensor, scale: float = 0.0) -> Tensor:
    """``exp((scale - 1) abs(x)) I_v(x)``."""
    o, z = _inside(v, x.abs())
    exponent, value = _by(o).ive(o, z)
    value = _times_exp(value, exponent + scale * z)

    def k_of(o: Any, z: Tensor) -> Tensor:
        exponent, k = _by(o).kve(o, z)
        return _times_exp(k, exponent - (2 - scale) * z)

    return _of_all(v, x, _with_other(v, z, value, k_of, lambda _: 1.0, 2 / math.pi))


def _iv(v: Order, x: Tensor) -> Tensor:
    value = _ive(v, x, 1.0)
    odd = (x < 0) & _is_odd(_as_tensor(v, x))
    at_end = torch.where(odd, -math.inf, math.inf)
    return torch.where(torch.isinf(x) & ~torch.isnan(value), at_end, value)


@of_order(along(_iv, 0), lambda v, x: 0.5 * (iv(v - 1, x) + iv(v + 1, x)))
def iv(v: Order, x: Tensor) -> Tensor:
    """I of real order (DLMF 10.25.2)."""
    return _iv(v, x)


@of_order(
    along(_ive, 0), lambda v, x: 0.5 * (ive(v - 1, x) + ive(v + 1, x)) - torch.sign(x) * ive(v, x)
)
def ive(v: Order, x: Tensor) -> Tensor:
    """``exp(-abs(x)) I_v(x)``."""
    return _ive(v, x)


@of_order(along(_kv, 0), lambda v, x: -0.5 * (kv(v - 1, x) + kv(v + 1, x)))
def kv(v: Order, x: Tensor) -> Tensor:
    """K of real order (DLMF 10.27.4)."""
    return _kv(v, x)


@of_order(along(_kve, 0), lambda v, x: kve(v, x) - 0.5 * (kve(v - 1, x) + kve(v + 1, x)))
def kve(v: Order, x: Tensor) -> Tensor:
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
    """Airy's functions without their exponential for positive numbers, and its exponent."""
    size = x.abs()
    usual = (size > 1.5) & (size < math.inf)
    above, below = usual & (x > 0), usual & (x < 0)
    near = branch(~usual, _airye_near_0, (x, 1.0), results=4)
    up = branch(above, _airye_above, (x, 2.0), results=4)
    down = branch(below, _airy_below, (size, 2.0), results=4)
    found = [
        torch.where(above, a, torch.where(below, b, n))
        for n, a, b in zip(near, up, down, strict=True)
    ]
    bad = torch.isnan(x) | (size == math.inf)
    values = [nan_where(bad, f) for f in found]
    return values[0], values[1], values[2], values[3], _airy_exponent(x)


def _airy_exponent(x: Tensor) -> Tensor:
    positive = x.clamp(min=0)
    return 2 / 3 * positive * torch.sqrt(positive)


def _airye_near_0(x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    ai, dai, bi, dbi = _airy_near_0(torch.where(x.abs() <= 1.5, x, 0.0))
    growth = torch.exp(_airy_exponent(x))
    return ai * growth, dai * growth, bi / growth, dbi / growth


def _airye_above(x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """By the modified Bessel functions of orders 1/3 and 2/3 (DLMF 9.6.2 to 9.6.5)."""
    zeta, root = _airy_exponent(x), torch.sqrt(x / 3)
    kinds = (one_order.kve, one_order.ive)
    (k_1, i_1), (k_2, i_2) = (
        [_times_exp(value, exponent) for exponent, value in (f(v, zeta) for f in kinds)]
        for v in (1 / 3, 2 / 3)
    )
    # I(-v) = I(v) + 2/pi sin(v pi) K(v)
    second = torch.exp(-2 * zeta) * (math.sqrt(3) / math.pi)
    return (
        root * k_1 / math.pi,
        -x * k_2 / (math.pi * math.sqrt(3)),
        root * (2 * i_1 + second * k_1),
        x / math.sqrt(3) * (2 * i_2 + second * k_2),
    )


def _airy_below(z: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Of ``-z``, by the Bessel functions of orders 1/3 and 2/3 (DLMF 9.6.6 to 9.6.9)."""
    zeta, root = _airy_exponent(z), torch.sqrt(z / 3)
    (j_1, y_1), (j_2, y_2) = (
        [one_order.jy(v, zeta, wants_y) for wants_y in (False, True)] for v in (1 / 3, 2 / 3)
    )
    s = math.sqrt(3) / 2
    # J(-v) = cos(v pi) J(v) - sin(v pi) Y(v)
    return (
        torch.sqrt(z) / 3 * (1.5 * j_1 - s * y_1),
        z / 3 * (1.5 * j_2 + s * y_2),
        root * (-0.5 * j_1 - s * y_1),
        z / math.sqrt(3) * (0.5 * j_2 - s * y_2),
    )


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
