"""The error function, Faddeeva's function, and what is made of them."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from .derivatives import special
from .quadrature import gauss_legendre, weighted_sum
from .series import mended, polynomial

_TWO_OVER_ROOT_PI = 2 / math.sqrt(math.pi)
_ROOT_2 = math.sqrt(2)
_ROOT_2PI = math.sqrt(2 * math.pi)


def _gauss(x: Tensor) -> Tensor:
    return torch.exp(-x * x)


@special(lambda x: _TWO_OVER_ROOT_PI * _gauss(x))
def erf(x: Tensor) -> Tensor:
    """The error function (DLMF 7.2.1); complex numbers too."""
    if x.is_complex():
        return _erf_of_complex(x)
    return torch.erf(x)


@special(lambda x: -_TWO_OVER_ROOT_PI * _gauss(x))
def erfc(x: Tensor) -> Tensor:
    """``1 - erf(x)``; complex numbers too."""
    if x.is_complex():
        return torch.where(x.real > 0.5, _gauss(x) * _w(1j * x), 1 - _erf_of_complex(x))
    return torch.special.erfc(x)


@special(lambda x: 2 * x * erfcx(x) - _TWO_OVER_ROOT_PI)
def erfcx(x: Tensor) -> Tensor:
    """``exp(x^2) erfc(x)``; complex numbers too."""
    if x.is_complex():
        return _w(1j * x)
    return torch.special.erfcx(x)


@special(lambda y: torch.exp(erfinv(y) ** 2) / _TWO_OVER_ROOT_PI)
def erfinv(y: Tensor) -> Tensor:
    """The inverse of ``erf``."""
    return torch.special.erfinv(y)


@special(lambda y: -torch.exp(erfcinv(y) ** 2) / _TWO_OVER_ROOT_PI)
def erfcinv(y: Tensor) -> Tensor:
    """The inverse of ``erfc``."""
    value = -torch.special.ndtri(0.5 * y) / _ROOT_2
    near = (y > 0.5) & (y < 1.5)
    return torch.where(near, torch.special.erfinv(torch.where(near, 1 - y, 0)), value)


@special(lambda x: torch.exp(-0.5 * x * x) / _ROOT_2PI)
def ndtr(x: Tensor) -> Tensor:
    """The distribution function of the normal distribution."""
    z = x / _ROOT_2
    return torch.where(x.abs() < 1, 0.5 + 0.5 * torch.erf(z), 0.5 * torch.special.erfc(-z))


@special(lambda p: torch.exp(0.5 * ndtri(p) ** 2) * _ROOT_2PI)
def ndtri(p: Tensor) -> Tensor:
    """The inverse of ``ndtr``."""
    return torch.special.ndtri(p)


@special(lambda x: math.sqrt(2 / math.pi) / erfcx(-x / _ROOT_2))
def log_ndtr(x: Tensor) -> Tensor:
    """``log(ndtr(x))``."""
    return torch.special.log_ndtr(x)


# --- Faddeeva's function: M. Al Azah and S. N. Chandler-Wilde, Computation of the complex error
# function using modified trapezoidal rules (2021). Rules at k h and at (k + 1/2) h, each with the
# residue of the pole at z; that one is used whose nodes are far from it. ---

_N = 11
_H = math.sqrt(math.pi / (_N + 1))
_MIDDLES = [(k + 0.5) * _H for k in range(_N + 1)]
_WHOLES = [k * _H for k in range(1, _N + 1)]


def _w_of_quarter(z: Tensor) -> Tensor:
    """w(z) where neither part is negative."""
    x, y = z.real, z.imag
    square = z * z
    by_middles, by_wholes = _over(square, _MIDDLES), _over(square, _WHOLES)
    factor = 2j * _H / math.pi * z
    fraction = torch.remainder(x / _H, 1)
    wholes = (y < x) & (fraction >= 0.25) & (fraction <= 0.75)
    near = torch.where(y < 10, z, 1 + 1j)  # the residue is nothing above
    phase = torch.exp(-2j * math.pi / _H * near)
    has_residue = (y < x.clamp(min=math.pi / _H)) & (y < 10)
    residue = 2 * _gauss(near) / (1 + torch.where(wholes, -phase, phase))
    residue = torch.where(has_residue, residue, 0)
    zero = z == 0
    first = 1j * _H / (math.pi * torch.where(zero, 1, z))
    value = torch.where(wholes, first + factor * by_wholes, factor * by_middles) + residue
    far = z.abs() > 1e7
    return torch.where(far, 1j / math.sqrt(math.pi) / torch.where(far, z, 1), value)


def _w(z: Tensor) -> Tensor:
    x, y = z.real, z.imag
    # Evaluate where both parts are positive: w(-conj(z)) = conj(w(z)), w(-z) = 2 exp(-z^2) - w(z)
    value = _w_of_quarter(torch.complex(x.abs(), y.abs()))
    below = y < 0
    mirrored = torch.where((x < 0) ^ below, value.conj(), value)
    return torch.where(below, 2 * _gauss(torch.where(below, z, 0)) - mirrored, mirrored)


def _erf_of_complex(z: Tensor) -> Tensor:
    """By Taylor's series near 0 (DLMF 7.6.2), else by w on the side where it is small."""
    small = z.abs() < 1.5
    u = torch.where(small, z, 0)
    square, total, term = u * u, u, u
    for k in range(1, 30):
        term = term * (2 * square / (2 * k + 1))
        total = total + term
    near = _TWO_OVER_ROOT_PI * _gauss(u) * total
    sign = torch.where(z.real < 0, -1.0, 1.0)
    v = sign * z
    return torch.where(small, near, sign * (1 - _gauss(v) * _w(1j * v)))


@special(lambda z: 2j / math.sqrt(math.pi) - 2 * z * wofz(z))
def wofz(z: Tensor) -> Tensor:
    """Faddeeva's function ``exp(-z^2) erfc(-i z)`` (DLMF 7.2.3), complex of real numbers too."""
    return _w(z) if z.is_complex() else torch.complex(_gauss(z), _TWO_OVER_ROOT_PI * _dawsn(z))


def _dawsn(x: Tensor) -> Tensor:
    """Dawson's integral: the rules of ``_w_of_quarter`` on the real axis."""
    z = x.abs()
    fraction = z * (1 / _H) - torch.floor(z * (1 / _H))
    middles = (fraction < 0.25) | (fraction > 0.75)
    value = mended(_dawsn_by_wholes(z), middles, _dawsn_by_middles, (z, 1.0))
    value = mended(value, ~(z < 1e7), lambda z: 0.5 / z, (z, 1e7))
    return torch.copysign(value, x)


def _dawsn_by_wholes(z: Tensor) -> Tensor:
    square, angle = z * z, math.pi / _H * z
    rest = 0.5 * _H / (math.pi * z) - 0.5 * _gauss(z) / torch.tan(angle)
    return math.sqrt(math.pi) * (_H / math.pi * z * _over(square, _WHOLES) + rest)


def _dawsn_by_middles(z: Tensor) -> Tensor:
    square, angle = z * z, math.pi / _H * z
    rest = 0.5 * _gauss(z) * torch.tan(angle)
    return math.sqrt(math.pi) * (_H / math.pi * z * _over(square, _MIDDLES) + rest)


def _over(square: Tensor, nodes: list[float]) -> Tensor:
    """The sum of ``exp(-t^2) / (square - t^2)`` over the nodes ``t`` of a rule."""
    total = torch.zeros_like(square)
    for t in nodes:
        total = total + math.exp(-t * t) / (square - t * t)
    return total


@special(lambda x: 1 - 2 * x * dawsn(x))
def dawsn(x: Tensor) -> Tensor:
    """Dawson's integral (DLMF 7.2.5); complex numbers too."""
    if x.is_complex():
        half, near = math.sqrt(math.pi) / 2, x.abs() < 1
        far = torch.where(x.imag < 0, _w(-x) - _gauss(x), _gauss(x) - _w(x))
        by_series = _gauss(x) * _erf_of_complex(torch.where(near, 1j * x, 0))
        return half * torch.where(near, -1j * by_series, 1j * far)
    return _dawsn(x)


@special(lambda x: _TWO_OVER_ROOT_PI * torch.exp(x * x))
def erfi(x: Tensor) -> Tensor:
    """``-i erf(i x)``; complex numbers too."""
    if x.is_complex():
        return -1j * _erf_of_complex(1j * x)
    value = _TWO_OVER_ROOT_PI * torch.exp(x * x) * _dawsn(x)
    return mended(value, x.abs() > 26.7, lambda x: x * math.inf, (x, 27.0))


@special(
    lambda x, sigma, gamma: _voigt_slope(x, sigma, gamma, 0),
    lambda x, sigma, gamma: _voigt_slope(x, sigma, gamma, 1),
    lambda x, sigma, gamma: _voigt_slope(x, sigma, gamma, 2),
)
def voigt_profile(x: Tensor, sigma: Tensor, gamma: Tensor) -> Tensor:
    """The convolution of a normal and a Cauchy distribution (DLMF 7.19.1)."""
    scale = _ROOT_2 * torch.where(sigma == 0, 1, sigma)
    value = _w(torch.complex(x / scale, gamma / scale)).real / (scale * math.sqrt(math.pi))
    value = torch.where(
        gamma == 0, torch.exp(-((x / scale) ** 2)) / (scale * math.sqrt(math.pi)), value
    )
    cauchy = gamma / (math.pi * (x * x + gamma * gamma))
    value = torch.where(sigma == 0, cauchy, value)
    delta = torch.where(x == 0, math.inf, 0.0)
    return torch.where((sigma == 0) & (gamma == 0), torch.where(torch.isnan(x), x, delta), value)


def _voigt_slope(x: Tensor, sigma: Tensor, gamma: Tensor, which: int) -> Tensor:
    scale = _ROOT_2 * sigma
    z = torch.complex(x / scale, gamma / scale)
    w = wofz(z)
    slope = 2j / math.sqrt(math.pi) - 2 * z * w
    factor = 1 / (scale * math.sqrt(math.pi))
    if which == 0:
        return factor * (slope / scale).real
    if which == 2:
        return factor * (1j * slope / scale).real
    return -factor * (w + z * slope).real / sigma


# S(x) / x^3 and C(x) / x in x^4 up to 1.5^4, and the auxiliary functions x f(x) and x^3 g(x) in
# 1/x^4 up to 1.5^-4 (DLMF 7.2.10, 7.2.11) as quotients of polynomials. They interpolate at
# Chebyshev's nodes, of the two in 1/x^2, and were computed with 80 digits by mpmath.
_S = [
    5.280082660811362e-18, -1.1140755421668328e-15, 1.7328552723315037e-13,
    -2.1574074048570975e-11, 2.108211564917102e-09, -1.564714439184054e-07, 8.44427288236397e-06,
    -0.0003121169423538326, 0.007244784204196762, -0.09228058535803516, 0.5235987755982989,
]  # fmt: skip
_C = [
    -3.600609375565584e-19, 8.322292679159224e-17, -1.4304470563413262e-14, 1.9896630804114778e-12,
    -2.2022762020106408e-10, 1.884349896137798e-08, -1.2000972556443734e-06,
    5.4074133813892256e-05, -0.0016048831356424349, 0.028185500877894197, -0.24674011002723395,
    1.0,
]  # fmt: skip
_F_TOP = [
    5080630676.817194, 76064698078.81181, 190250881231.57748, 160473543176.54074,
    58709637311.56222, 10530919545.454565, 987592060.4634744, 49856574.978480585,
    1355878.6052490843, 19225.136530792453, 129.60586217492093, 0.3183098861837907,
]  # fmt: skip
_F_BOTTOM = [
    29551327031.179893, 308929457553.0311, 682914365990.6604, 543005175668.5839, 192456382033.4078,
    33905958001.979637, 3146561539.2568946, 157868235.46121368, 4277585.824893214,
    60520.32663681484, 407.47278802182984, 1.0,
]  # fmt: skip
_G_TOP = [
    39724728987.96361, 996723374574.199, 2970033328175.5063, 2846438965339.1714,
    1175958287493.5942, 240538877050.16296, 26257071184.9839, 1591972428.746319, 54433944.00579508,
    1041263.7716421192, 10720.813783181184, 53.94646794508049, 0.10132118364233778,
]  # fmt: skip
_G_BOTTOM = [
    3155373010311.5596, 25093041114980.906, 50056462075087.695, 38894635403689.75,
    14201546942199.682, 2691277864476.4995, 279960849194.1741, 16463255275.253645,
    552136188.9974517, 10433852.831839928, 106611.99640969731, 533.9501152086275, 1.0,
]  # fmt: skip


@special(
    lambda x: (torch.sin(0.5 * math.pi * x * x), torch.cos(0.5 * math.pi * x * x)),
)
def fresnel(x: Tensor) -> tuple[Tensor, Tensor]:
    """Fresnel's integrals S and C (DLMF 7.2.7, 7.2.8)."""
    square = x * x
    fourth = square * square
    near = x * square * polynomial(fourth, _S), x * polynomial(fourth, _C)
    return mended(near, square > 2.25, _fresnel_far, (x, 2.0))


def _fresnel_far(x: Tensor) -> tuple[Tensor, Tensor]:
    """By the auxiliary functions (DLMF 7.5.3, 7.5.4)."""
    z = x.abs()
    w = z**-4
    f = polynomial(w, _F_TOP) / polynomial(w, _F_BOTTOM) / z
    g = polynomial(w, _G_TOP) / polynomial(w, _G_BOTTOM) / z**3
    v = torch.where(z > 1e15, 0, z)
    phase = 0.5 * math.pi * torch.remainder(v * v, 4)
    sine, cosine = torch.sin(phase), torch.cos(phase)
    s, c = 0.5 - f * cosine - g * sine, 0.5 + f * sine - g * cosine
    return torch.copysign(s, x), torch.copysign(c, x)


_NODES, _WEIGHTS = gauss_legendre(40)


def _owens(h: Tensor, a: Tensor) -> Tensor:
    """T(h, a) for ``h >= 0`` and ``0 <= a <= 1``: its integral (Owen 1956, eq. 2)."""
    # Beyond exp(-42) of its value at 0 the integrand is nothing
    end = torch.minimum(a, math.sqrt(84.0) / h.clamp(min=1e-300))

    def integrand(w: Tensor | float) -> Tensor:
        t = end * w
        square = t * t
        return torch.exp(-0.5 * h * h * square) / (1 + square)

    part = weighted_sum(integrand, _NODES, _WEIGHTS, h)
    return end * torch.exp(-0.5 * h * h) * part / (2 * math.pi)


@special(
    lambda h, a: -torch.exp(-0.5 * h * h) * torch.erf(a * h / _ROOT_2) / (2 * _ROOT_2PI),
    lambda h, a: torch.exp(-0.5 * h * h * (1 + a * a)) / (2 * math.pi * (1 + a * a)),
)
def owens_t(h: Tensor, a: Tensor) -> Tensor:
    """Owen's T (D. B. Owen, 1956)."""
    h1, a1 = h.abs().clamp(max=1e150), a.abs()
    large = a1 > 1
    product = torch.where(h1 == 0, 0.0, h1 * a1)
    inverse = torch.where(large, 1 / torch.where(large, a1, 1), a1)
    inside = _owens(torch.where(large, product.clamp(max=1e150), h1), inverse)
    # T(h, a) = (q(h) + q(ah)) / 2 - q(h) q(ah) - T(ah, 1/a), with the upper tails q
    q, r = 0.5 * torch.special.erfc(h1 / _ROOT_2), 0.5 * torch.special.erfc(product / _ROOT_2)
    value = torch.where(large, 0.5 * (q + r) - q * r - inside, inside)
    value = torch.where(torch.isnan(h) | torch.isnan(a), math.nan, value)
    return torch.where(a < 0, -value, value)
