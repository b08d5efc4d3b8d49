"""Bessel functions of one real order up to 8, by series of Chebyshev polynomials.

What depends on the order only is computed once: the coefficients interpolate what the integrals of
``bessel_steps`` give. Up to 8 (I: 12, K: 2) the series are in the argument, or its square; above,
amplitude and phase are series in its inverse (DLMF 10.17.3, 10.17.4, 10.40). All operands are
positive here.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from . import bessel_steps as steps
from .series import branch, chebyshev, constant, polynomial

LARGEST = 8.0
_TO = 8.0
Coefficients = list[list[float]]


def _series(
    functions: Callable[[Tensor], tuple[Tensor, ...]], low: float, high: float, count: int
) -> Coefficients:
    """The Chebyshev series of functions on an interval, by interpolation."""
    nodes = 2 * torch.arange(2 * count) + 1
    turns = nodes * torch.arange(count)[:, None] % (8 * count)  # exact: of 8 count in 2 pi
    cosines = torch.cos(torch.arange(8 * count, dtype=torch.float64) * (math.pi / (4 * count)))
    transform = cosines[turns] / count
    transform[0] *= 0.5
    x = 0.5 * (low + high) + 0.5 * (high - low) * cosines[nodes]
    return [(transform @ values).tolist() for values in functions(x)]


def _power(order: float, x: Tensor) -> Tensor:
    """``(x / 2)**order / gamma(order + 1)``."""
    return torch.pow(0.5 * x, order) / math.gamma(order + 1)


def _power_series(order: float, x: Tensor, sign: int, count: int) -> Tensor:
    """J or I over the power, for small arguments (DLMF 10.2.2, 10.25.2)."""
    coefficients = [1.0]
    for k in range(1, count):
        coefficients.append(coefficients[-1] * sign / (4 * k * (order + k)))
    return polynomial(x * x, coefficients[::-1]) * _power(order, x)


# --- J and Y ---


def jy(order: float, x: Tensor, wants_y: bool) -> Tensor:
    """J, or Y."""
    least, near = (steps.TEMME_TO, _y_near) if wants_y else (4.0, _j_near)
    small, far = x < least, x > _TO
    of_small = branch(small, lambda z: near(order, z), (x, 1.0))
    between = branch(~small & ~far, lambda z: _between(order, z, wants_y), (x, 6.0))
    waves = branch(far, lambda z: _waves(order, z, wants_y), (x, 2 * _TO))
    return torch.where(small, of_small, torch.where(far, waves, between))


def _j_near(order: float, x: Tensor) -> Tensor:
    return _power_series(order, x, -1, 18)


@constant
def _coefficients_between(order: float) -> Coefficients:
    """Of Y and J, each less a power that they grow by."""

    def smooth(wants_y: bool) -> Callable[[Tensor], tuple[Tensor, ...]]:
        growth = order if wants_y else -0.5 * order
        return lambda x: (steps.jy(torch.full_like(x, order), x, wants_y) * torch.pow(x, growth),)

    return [
        *_series(smooth(False), 4.0, _TO, 20),
        *_series(smooth(True), steps.TEMME_TO, _TO, 32),
    ]


def _between(order: float, x: Tensor, wants_y: bool) -> Tensor:
    low = steps.TEMME_TO if wants_y else 4.0
    argument = (x - 0.5 * (low + _TO)) * (2 / (_TO - low))
    smooth = chebyshev(argument, _coefficients_between(order)[int(wants_y)])
    return smooth * torch.pow(x, -order if wants_y else 0.5 * order)


@constant
def _coefficients_of_waves(order: float) -> Coefficients:
    """Of P and Q of DLMF 10.17.3, in ``(8 / x)**2``."""

    def smooth(square: Tensor) -> tuple[Tensor, Tensor]:
        x = _TO / torch.sqrt(square)
        v = torch.full_like(x, order)
        j, y = steps.jy(v, x, False), steps.jy(v, x, True)
        cosine, sine = _phase(order, x)
        factor = torch.sqrt(0.5 * math.pi * x)
        return factor * (j * cosine + y * sine), factor * (y * cosine - j * sine) * x

    return _series(smooth, 0.0, 1.0, 26)


def _phase(order: float, x: Tensor) -> tuple[Tensor, Tensor]:
    """Cosine and sine of ``x - (order / 2 + 1/4) pi``, by the addition theorem: x may be large."""
    shift = math.pi * (0.5 * order + 0.25)
    c, s = math.cos(shift), math.sin(shift)
    cosine, sine = torch.cos(x), torch.sin(x)
    return cosine * c + sine * s, sine * c - cosine * s


def _waves(order: float, x: Tensor, wants_y: bool) -> Tensor:
    inverse = _TO / x
    argument = 2 * inverse * inverse - 1
    p, q = (chebyshev(argument, c) for c in _coefficients_of_waves(order))
    q = q / x
    cosine, sine = _phase(order, x)
    wave = p * sine + q * cosine if wants_y else p * cosine - q * sine
    return wave * torch.sqrt((2 / math.pi) / x)


# --- I ---

_I_TO = 12.0


def ive(order: float, x: Tensor) -> tuple[Tensor, Tensor]:
    """``exp(-x) I(x)`` as an exponent and a factor."""
    far = x > _I_TO
    near = branch(~far, lambda z: _i_near(order, z), (x, 1.0))
    found = branch(far, lambda z: _i_far(order, z), (x, 2 * _I_TO))
    return torch.zeros_like(x), torch.where(far, found, near)


def _i_near(order: float, x: Tensor) -> Tensor:
    return torch.exp(-x) * _power_series(order, x, 1, 40)


@constant
def _coefficients_of_i(order: float) -> Coefficients:
    """Of ``exp(-x) sqrt(x) I(x)`` in ``24 / x - 1``."""

    def smooth(t: Tensor) -> tuple[Tensor]:
        x = _I_TO / t
        exponent, value = steps.ive(torch.full_like(x, order), x)
        return (torch.exp(exponent) * value * torch.sqrt(x),)

    return _series(smooth, 0.0, 1.0, 26)


def _i_far(order: float, x: Tensor) -> Tensor:
    return chebyshev(2 * _I_TO / x - 1, _coefficients_of_i(order)[0]) / torch.sqrt(x)


# --- K; Y up to 2 ---


def kve(order: float, x: Tensor) -> tuple[Tensor, Tensor]:
    """``exp(x) K(x)`` as an exponent and a factor."""
    small = x <= steps.TEMME_TO
    near = branch(small, lambda z: _by_temme(order, z, 1), (x, 1.0))
    far = branch(~small, lambda z: _k_far(order, z), (x, 3.0))
    return torch.where(small, x, 0.0), torch.where(small, near, far)


def _y_near(order: float, x: Tensor) -> Tensor:
    return _by_temme(order, x, -1)


def _by_temme(order: float, x: Tensor, sign: int) -> Tensor:
    """Temme's series of K, or of Y for a sign of -1: polynomials times f0, p0 and q0."""
    m = order - round(order)
    start = steps.temme_start(torch.full((), m, dtype=x.dtype, device=x.device), x)
    square = 0.25 * x * x
    values = []
    tables = _coefficients_of_k(m) if sign > 0 else _coefficients_of_small_y(m)
    for i in range(1 + (order > 0.5)):
        terms = [s * polynomial(square, c) for s, c in zip(start, tables[3 * i :], strict=False)]
        values.append(terms[0] + terms[1] + terms[2])
    return _order_from(order, x, [values[0], *[value * 2 / x for value in values[1:]]], sign)


@constant
def _coefficients_of_k(m: float) -> Coefficients:
    """For K of order m and x / 2 times that of m + 1, the polynomials of f0, p0 and q0."""
    unit = torch.eye(3, dtype=torch.float64)
    f, p, q = unit[0], 0.5 * unit[1], 0.5 * unit[2]
    here, following, c = [f], [p], 1.0
    for k in range(1, 15):
        f = (k * f + p + q) / (k * k - m * m)
        p, q, c = p / (k - m), q / (k + m), c / k
        here.append(c * f)
        following.append(c * (p - k * f))
    return [row for rows in (here, following) for row in torch.stack(rows[::-1], 1).tolist()]


@constant
def _coefficients_of_small_y(m: float) -> Coefficients:
    """The same for Y."""
    unit = torch.eye(3, dtype=torch.float64)
    f, p, q = 2 / math.pi * unit[0], unit[1] / math.pi, unit[2] / math.pi
    half = 0.5 * m
    sine = math.sin(math.pi * half) / (math.pi * half) if m else 1.0
    r = 0.5 * math.pi**2 * m * sine * sine
    here, following, c = [f + r * q], [p], 1.0
    for k in range(1, 15):
        f = (k * f + p + q) / (k * k - m * m)
        p, q, c = p / (k - m), q / (k + m), -c / k
        here.append(c * (f + r * q))
        following.append(c * (p - k * (f + r * q)))
    return [(-row).tolist() for rows in (here, following) for row in torch.stack(rows[::-1], 1)]


def _k_far(order: float, x: Tensor) -> Tensor:
    inverse = 4 / x - 1
    series = _coefficients_of_far_k(order - round(order))[: 1 + (order > 0.5)]
    values = [chebyshev(inverse, coefficients) for coefficients in series]
    return _order_from(order, x, values, 1) / torch.sqrt(x)


@constant
def _coefficients_of_far_k(m: float) -> Coefficients:
    """Of ``exp(x) sqrt(x) K(x)`` in ``4 / x - 1``, of orders m and m + 1."""

    def smooth(t: Tensor) -> tuple[Tensor, ...]:
        x, values = 2 / t, []
        for order in (abs(m), m + 1):
            exponent, value = steps.kve_by_integral(torch.full_like(x, order), x)
            values.append(torch.exp(exponent) * value * torch.sqrt(x))
        return tuple(values)

    return _series(smooth, 0.0, 1.0, 28)


def _order_from(order: float, x: Tensor, values: list[Tensor], sign: int) -> Tensor:
    """The function of an order from those of the order in (-1/2, 1/2) and of the next.

    DLMF 10.6.1 for Y, where ``sign`` is -1, and 10.29.1 for K.
    """
    m = order - round(order)
    for k in range(1, round(order) + 1):
        values = [values[1], 2 * (m + k) / x * values[1] + sign * values[0]]
    return values[0]
