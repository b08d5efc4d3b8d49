"""Complex elementary functions from real ones, with the special cases of C99's Annex G.

torch computes complex functions with the C library on the CPU, and on CUDA with LLVM's
formulas, which lose range and digits: the square root uses the polar form, the inverse functions
use the textbook logarithms, and the exponential multiplies an infinity by 0. The
functions here use real arithmetic only, which is equally accurate on every device.

Each takes the two parts and returns the two parts. The algorithms are W. Kahan's, "Branch cuts for
complex elementary functions" (1987), and treat the signs of zeros as he does. Results for
infinities and NaN are corrected afterwards, as Annex G lists them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import torch
from torch import Tensor

from . import host_reads

Parts: TypeAlias = tuple[Tensor, Tensor]
Function: TypeAlias = Callable[[Tensor, Tensor], Parts]

_INF = math.inf
_LN2 = math.log(2.0)
_LOG2E = 1 / _LN2
_HALF_PI = math.pi / 2


def _not_finite(t: Tensor) -> Tensor:
    return ~torch.isfinite(t)


def _zero_like(t: Tensor) -> Tensor:
    """A zero with the sign of each element, also for infinities and NaN."""
    return torch.copysign(torch.zeros_like(t), t)


def _factor(mask: Tensor, value: float, like: Tensor) -> Tensor:
    """``value`` where the mask is set and 1 elsewhere, in the dtype of ``like``."""
    return torch.where(mask, like.new_full((), value), 1.0)


# --- exponentials ---


def _scaled_exp(x: Tensor) -> Parts:
    """``exp(x)`` as a product of two numbers that overflow later than it does.

    The product with a small sine can be finite where ``exp(x)`` is infinite.
    """
    bound = 700.0 if x.dtype is torch.float64 else 80.0
    large = x > bound
    return (
        torch.exp(torch.where(large, x - bound, x)),
        _factor(large, math.exp(bound), x),
    )


def exp(x: Tensor, y: Tensor) -> Parts:
    """``exp(x) * (cos(y) + 1j*sin(y))``."""
    e, scale = _scaled_exp(x)
    odd = _not_finite(y)
    zero = (x == -_INF) & odd
    re = torch.where(zero, 0.0, torch.where((x == _INF) & odd, _INF, torch.cos(y) * scale * e))
    im = torch.where(zero, 0.0, torch.where(y == 0, y, torch.sin(y) * scale * e))
    return re, im


def expm1(x: Tensor, y: Tensor) -> Parts:
    """``exp(z) - 1``, computed from ``exp(z)`` where the subtraction is accurate."""
    e, im = exp(x, y)
    return _expm1_real(x, y, e), im


def _expm1_real(x: Tensor, y: Tensor, e: Tensor) -> Tensor:
    """The real part of ``expm1``, given that of ``exp``.

    It uses ``1 - cos(y) = 2*sin(y/2)**2``. The standard requires 0 for -0.
    """
    half = torch.sin(0.5 * y)
    near = torch.expm1(x) * torch.cos(y) - 2 * half * half + 0.0
    far = (x > 30) | ((x == -_INF) & _not_finite(y))
    return torch.where(far, e - 1, near)


def _sinh_cosh(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """``sinh(x)``, ``cosh(x)``, and a factor to multiply both with where ``x`` is large."""
    bound = 700.0 if x.dtype is torch.float64 else 80.0
    size = x.abs()
    large = size > bound
    e = 0.5 * torch.exp(size - bound)
    # The argument is bounded because torch's vectorized sinh and cosh overflow too early.
    inner = torch.where(large, 0.0, x)
    sinh = torch.where(large, torch.copysign(e, x), torch.sinh(inner))
    cosh = torch.where(large, e, torch.cosh(inner))
    return sinh, cosh, _factor(large, math.exp(bound), x)


def sinh(x: Tensor, y: Tensor) -> Parts:
    """``sinh(x)*cos(y) + 1j*cosh(x)*sin(y)``."""
    s, c, scale = _sinh_cosh(x)
    kept = ((x == 0) | torch.isinf(x)) & _not_finite(y)
    re = torch.where(kept, x, torch.cos(y) * scale * s)
    im = torch.where(y == 0, y, torch.sin(y) * scale * c)
    return re, im


def cosh(x: Tensor, y: Tensor) -> Parts:
    """``cosh(x)*cos(y) + 1j*sinh(x)*sin(y)``."""
    s, c, scale = _sinh_cosh(x)
    odd = _not_finite(y)
    re = torch.where(torch.isinf(x) & odd, _INF, torch.cos(y) * scale * c)
    flat = y * torch.copysign(torch.ones_like(x), x)
    im = torch.where(y == 0, flat, torch.sin(y) * scale * s)
    return re, torch.where((x == 0) & odd, 0.0, im)


def tanh(x: Tensor, y: Tensor) -> Parts:
    """Kahan's algorithm, with its limit where ``tanh`` of the real part rounds to 1."""
    bound = 22.0 if x.dtype is torch.float64 else 11.0
    size = x.abs()
    large = size > bound
    inner = torch.where(large, 0.0, x)
    t = torch.tan(y)
    s = torch.sinh(inner)
    beta = 1 + t * t
    denominator = 1 + beta * s * s
    re = torch.where(large, torch.sign(x), beta * torch.sqrt(1 + s * s) * s / denominator)
    e = torch.exp(-size)
    limit = 4 * torch.sin(y) * torch.cos(y) * e * e
    im = torch.where(large, limit, t / denominator)
    infinite = torch.isinf(x)
    odd = _not_finite(y)
    re = torch.where((x == 0) & odd, x, torch.where(large & odd & ~infinite, y - y, re))
    im = torch.where(y == 0, y, torch.where(infinite, _zero_like(y), im))
    return re, im


# --- square root and logarithms ---


def sqrt(x: Tensor, y: Tensor) -> Parts:
    """Kahan's algorithm: it starts with ``sqrt((|x| + |z|)/2)``, which never cancels."""
    size, other = x.abs(), y.abs()
    p, q = _sqrt_magnitudes(size, other, x < 0)
    infinite = torch.isinf(y)
    return torch.where(infinite, _INF, p), torch.copysign(torch.where(infinite, _INF, q), y)


def _sqrt_magnitudes(ax: Tensor, ay: Tensor, negative: Tensor) -> Parts:
    """The magnitudes of the parts of ``sqrt(±ax + 1j*ay)``."""
    info = torch.finfo(ax.dtype)
    top = torch.maximum(ax, ay)
    # Scale by powers of 4, so that sums do not overflow and subnormals keep their digits.
    up = 2.0 ** (2 * (-math.frexp(info.eps)[1] + 1))
    huge, tiny = top > info.max / 8, top < info.tiny * up
    scale = torch.where(huge, 0.0625, _factor(tiny, up, ax))
    back = torch.where(huge, 4.0, _factor(tiny, up**-0.5, ax))
    bx, by = ax * scale, ay * scale
    modulus = torch.where(torch.isinf(bx), _INF, torch.hypot(bx, by))
    long = torch.sqrt(0.5 * (bx + modulus)) * back
    short = ay / torch.where(long == 0, 1.0, 2 * long)
    return torch.where(negative, short, long), torch.where(negative, long, short)


def log(x: Tensor, y: Tensor) -> Parts:
    """``log(|z|) + 1j*arg(z)``."""
    size, other = x.abs(), y.abs()
    return _log_modulus(size, other), torch.atan2(y, x)


def _log_modulus(ax: Tensor, ay: Tensor) -> Tensor:
    """``log(hypot(ax, ay))``, accurate also where it is close to 0."""
    a, b = torch.maximum(ax, ay), torch.minimum(ax, ay)
    ratio = b / torch.where((a == 0) | torch.isinf(a), 1.0, a)
    far = torch.log(a) + 0.5 * torch.log1p(ratio * ratio)
    near = (a < 1.5) & (a > 0.6)
    inner = torch.where(near, a - 1, 0.0)
    result = torch.where(near, _half_log1p(inner, torch.where(near, b, 0.0)), far)
    return torch.where(torch.isinf(ax) | torch.isinf(ay), _INF, result)


def _half_log1p(x: Tensor, y: Tensor) -> Tensor:
    """``log(|1 + x + 1j*y|)``: half of ``log1p(2*x + x*x + y*y)``, with a sum of twice the digits.

    Its terms cancel where the point is close to the unit circle.
    """
    xx, xx_low = _square(x)
    yy, yy_low = _square(y)
    total, low = _two_sum(2 * x, xx)
    total, more = _two_sum(total, yy)
    return 0.5 * torch.log1p(total + (low + more + xx_low + yy_low))


def _square(x: Tensor) -> Parts:
    """``x*x`` and its rounding error (Dekker's product)."""
    split = (2.0**27 if x.dtype is torch.float64 else 2.0**12) + 1
    c = split * x
    high = c - (c - x)
    low = x - high
    product = x * x
    return product, ((high * high - product) + 2 * high * low) + low * low


def _two_sum(a: Tensor, b: Tensor) -> Parts:
    """``a + b`` and its rounding error (Knuth's sum)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def log1p(x: Tensor, y: Tensor) -> Parts:
    """``log(1 + z)``."""
    re, im = log(1 + x, y)
    return _log1p_real(x, y, re), im


def _log1p_real(x: Tensor, y: Tensor, re: Tensor) -> Tensor:
    """The real part of ``log1p``, given that of ``log(1 + z)``, which loses digits near 0."""
    near = (x.abs() < 0.5) & (y.abs() < 1)
    inner = _half_log1p(x.masked_fill(~near, 0.0), y.masked_fill(~near, 0.0))
    return torch.where(near, inner, re)


def _log_base(base: float) -> Function:
    factor = math.log(base)

    def function(x: Tensor, y: Tensor) -> Parts:
        re, im = log(x, y)
        return re / factor, im / factor

    return function


log2 = _log_base(2.0)
log10 = _log_base(10.0)


# --- inverse functions ---


def _asin_acos(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The real parts of ``asin`` and ``acos``, and the magnitude of their imaginary parts.

    Computed from the roots of ``1 + z`` and ``1 - z``, or for large ``z`` from ``z`` alone.
    """
    size, other = x.abs(), y.abs()
    bound = 1 / torch.finfo(x.dtype).eps
    large = (size > bound) | (other > bound)
    # NaN does not count as large, and takes the formula with the roots.
    a, b = torch.where(large, 0.0, x), torch.where(large, 0.0, other)
    plus, minus = 1 + a, 1 - a
    p1, q1 = _sqrt_magnitudes(plus.abs(), b, plus < 0)
    p2, q2 = _sqrt_magnitudes(minus.abs(), b, minus < 0)
    asin_re = torch.where(large, torch.atan2(x, other), torch.atan2(a, p1 * p2 + q1 * q2))
    acos_re = torch.where(large, torch.atan2(other, x), 2 * torch.atan2(p2, p1))
    im = torch.where(large, _LN2 + _log_modulus(size, other), torch.asinh(p1 * q2 + q1 * p2))
    zero = x == 0
    return torch.where(zero, x, asin_re), torch.where(zero, _HALF_PI, acos_re), im


def asin(x: Tensor, y: Tensor) -> Parts:
    """The inverse sine."""
    re, _, im = _asin_acos(x, y)
    return re, torch.copysign(im, y)


def acos(x: Tensor, y: Tensor) -> Parts:
    """The inverse cosine."""
    _, re, im = _asin_acos(x, y)
    return re, torch.copysign(im, -y)


def acosh(x: Tensor, y: Tensor) -> Parts:
    """The inverse hyperbolic cosine: ``acos`` rotated so that its real part is positive."""
    _, im, re = _asin_acos(x, y)
    return re, torch.copysign(im, y)


def atanh(x: Tensor, y: Tensor) -> Parts:
    """The inverse hyperbolic tangent; large numbers use the reciprocal."""
    size, other = x.abs(), y.abs()
    bound = 1 / torch.finfo(x.dtype).eps
    large = (size > bound) | (other > bound)
    ax, ay = torch.where(large, 0.5, size), torch.where(large, 0.0, other)
    below = ax - 1
    near_one = (below == 0) & (ay < 1e-3 / bound**0.5)
    square = torch.where(near_one, 1.0, below * below + ay * ay)
    re = torch.where(near_one, 0.5 * (_LN2 - torch.log(ay)), 0.25 * torch.log1p(4 * ax / square))
    im = 0.5 * torch.atan2(2 * ay, (1 - ax) * (1 + ax) - ay * ay)
    im = torch.where((ay == 0) & (ax <= 1), 0.0, im)
    a, b = torch.maximum(size, other), torch.minimum(size, other)
    ratio = b / torch.where(torch.isinf(a), 1.0, a)
    reciprocal = torch.where(size >= other, 1.0, ratio) / a / (1 + ratio * ratio)
    reciprocal = torch.where(torch.isinf(size) | torch.isinf(other), 0.0, reciprocal)
    re = torch.copysign(torch.where(large, reciprocal, re), x)
    im = torch.copysign(torch.where(large, _HALF_PI, im), y)
    nan = torch.isnan(y) | (torch.isnan(x) & ~torch.isinf(y))
    return torch.where(x == 0, x, re), torch.where(nan, math.nan, im)


# --- by a quarter turn: f(z) = -1j * g(1j * z) ---


def _turned(function: Function) -> Function:
    def turned(x: Tensor, y: Tensor) -> Parts:
        re, im = function(-y, x)
        return im, -re

    return turned


sin = _turned(sinh)
tan = _turned(tanh)
atan = _turned(atanh)


def cos(x: Tensor, y: Tensor) -> Parts:
    """``cosh(1j * z)``."""
    return cosh(-y, x)


def asinh(x: Tensor, y: Tensor) -> Parts:
    """``1j * asin(-1j * z)``."""
    re, im = asin(y, -x)
    return -im, re


# --- functions of a complex tensor that correct torch's own ---


def acos_on_cpu(z: Tensor) -> Tensor:
    """The inverse cosine: ``acosh`` rotated back."""
    w = torch.acosh(z)
    if host_reads.finite(w):
        # (re, im) becomes (|im|, -re or re); the signs are those of the conjugate (re, -im).
        signs = torch.view_as_real(torch.conj_physical(w))
        return torch.view_as_complex(torch.copysign(torch.view_as_real(w).flip(-1), signs))
    return torch.complex(w.imag.abs(), torch.copysign(w.real, -z.imag))


def expm1_on_cpu(z: Tensor) -> Tensor:
    """torch's ``expm1`` where that is finite, else from ``exp(z)`` and the real ``expm1``."""
    if not torch.compiler.is_compiling():
        near = torch.expm1(z)
        if host_reads.finite(near):
            torch.real(near).add_(0.0)  # the standard requires 0 for -0
            return near
    w = torch.exp(z)
    return torch.complex(_expm1_real(z.real, z.imag, w.real), w.imag)


def log1p_on_cpu(z: Tensor) -> Tensor:
    """torch's ``log1p`` where that is finite, else from ``log(1 + z)`` and the real ``log1p``."""
    if not torch.compiler.is_compiling():
        near = torch.log1p(z)
        if host_reads.finite(near):
            return near
    x, y = z.real, z.imag
    w = torch.log(torch.complex(1 + x, y))
    return torch.complex(_log1p_real(x, y, w.real), w.imag)


def log2_on_cpu(z: Tensor) -> Tensor:
    """``log(z)`` times ``log2(e)``, with the same constant and rounding as NumPy."""
    return torch.view_as_complex(torch.view_as_real(torch.log(z)) * _LOG2E)


def tanh_on_cpu(z: Tensor) -> Tensor:
    """``tanh`` with the imaginary zero that the standard requires for infinite real parts."""
    w = torch.tanh(z)
    if host_reads.finite(z):
        return w
    return torch.complex(w.real, torch.where(torch.isinf(z.real), _zero_like(z.imag), w.imag))


def tan_on_cpu(z: Tensor) -> Tensor:
    """``tan`` with the real zero that the standard requires for infinite imaginary parts."""
    w = torch.tan(z)
    if host_reads.finite(z):
        return w
    return torch.complex(torch.where(torch.isinf(z.imag), _zero_like(z.real), w.real), w.imag)
