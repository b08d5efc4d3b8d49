"""Element-wise functions in several steps of torch's, computed in blocks where tensors are large.

torch computes these in one call with a loop that is not vectorised (``asinh``, ``sinh``, the size
of a complex number), or has no such function. Every block is looked at: the fast steps are right
for its values, or the general ones compute it. The results are those of the general function but
for the last digit; a trace, a gradient and an accelerator have the general function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from xp_torch._core.dtypes import REAL_OF
from xp_torch._kernels import transcendental
from xp_torch._kernels.blocks import filled, is_large
from xp_torch._kernels.host_reads import no_nan, possible

_LN_OF_FLOAT32 = 88.0
"""Up to this size, the exponential of a float32 and its reciprocal are normal numbers."""


def _blockwise(
    write: Callable[[Tensor, Tensor], object], general: Callable[[Tensor], Tensor]
) -> Callable[[Tensor], Tensor]:
    """``general``, or for large tensors ``write``, which fills a block of the same dtype."""

    def function(x: Tensor) -> Tensor:
        return filled(write, general, x.dtype, x) if is_large(x) else general(x)

    return function


# --- the cube root ---


def _cbrt(x: Tensor) -> Tensor:
    """The power, and one step of Newton's that rounds it right."""
    if x.dtype is torch.float32:
        return _cbrt(x.double()).float()
    size = x.abs()
    # A subnormal number has fewer digits than its root.
    small = size < 1e-290
    size = torch.where(small, size * 2.0**99, size)
    near = torch.pow(size, 1 / 3)
    fixed = near.detach()
    step = (fixed * fixed * fixed - size.detach()) / (3 * fixed * fixed)
    root = near - torch.where(torch.isfinite(step), step, 0.0)
    root = torch.where(small, root * 2.0**-33, root)
    return torch.copysign(root, x) if not x.requires_grad else root * torch.sign(x)


def _write_cbrt(out: Tensor, x: Tensor) -> None:
    """Without subnormal numbers; the logarithm is faster than the power."""
    size = x.abs()
    least, most = (float(bound) for bound in torch.aminmax(size))
    if not least >= 1e-30 and bool(((size < 1e-30) & (size != 0)).any()):
        out.copy_(_cbrt(x))
        return
    root = torch.log(size).mul_(1 / 3).exp_()
    square = root * root
    step = (square * root).sub_(size).div_(square.mul_(3))
    if not 0 < least <= most < torch.inf:
        step.nan_to_num_(0.0, 0.0, 0.0)
    torch.copysign(root.sub_(step), x, out=out)


cbrt = _blockwise(_write_cbrt, _cbrt)
"""The real cube root."""

# --- hyperbolic functions ---


def _write_asinh(out: Tensor, x: Tensor) -> None:
    """``log1p(x + x**2 / (1 + sqrt(1 + x**2)))``, which cancels nowhere; odd."""
    size = torch.abs(x, out=out)
    if not float(torch.amax(size)) < 1e18:  # the square overflows
        torch.asinh(x, out=out)
        return
    square = size * size
    root = (square + 1).sqrt_().add_(1)
    size.add_(square.div_(root)).log1p_().copysign_(x)


arcsinh = _blockwise(_write_asinh, torch.asinh)
"""The inverse hyperbolic sine."""


def _write_sinh(out: Tensor, x: Tensor) -> None:
    """``tanh(x) * cosh(x)`` of float32, which cancels nowhere."""
    if not float(torch.amax(torch.abs(x, out=out))) < _LN_OF_FLOAT32:
        out.copy_(transcendental.sinh.general(x))
        return
    torch.exp(x, out=out).add_(torch.reciprocal(out)).mul_(0.5).mul_(torch.tanh(x))


def _write_cosh(out: Tensor, x: Tensor) -> None:
    if not float(torch.amax(torch.abs(x, out=out))) < _LN_OF_FLOAT32:
        out.copy_(transcendental.cosh.general(x))
        return
    torch.exp(x, out=out).add_(torch.reciprocal(out)).mul_(0.5)


sinh_of_float32 = _blockwise(_write_sinh, transcendental.sinh.general)
cosh_of_float32 = _blockwise(_write_cosh, transcendental.cosh.general)

# --- complex numbers ---


def _write_size(out: Tensor, z: Tensor) -> None:
    """The root of the sum of the squares; float32 in double precision."""
    parts = torch.view_as_real(z)
    if out.dtype is torch.float32:
        parts = parts.double()
    squares = parts * parts
    total = torch.add(squares[:, 0], squares[:, 1])
    least, most = (float(bound) for bound in torch.aminmax(total))
    exact = most < 1e300 and (
        least >= 1e-280 or torch.equal(total < 1e-280, torch.eq(z, 0))
    )  # squares of other numbers overflow, or lose digits
    if exact and out.dtype is total.dtype:
        torch.sqrt(total, out=out)
    else:
        out.copy_(total.sqrt_() if exact else torch.abs(z))


def size_of_complex(z: Tensor) -> Tensor:
    """The absolute value of complex numbers."""
    if not is_large(z) or z.is_conj():
        return torch.abs(z)
    return filled(_write_size, torch.abs, REAL_OF[z.dtype], z)


def _write_angle(out: Tensor, z: Tensor) -> None:
    parts = torch.view_as_real(z)
    # torch takes six times as long over elements that lie apart
    torch.atan2(parts[:, 1].contiguous(), parts[:, 0].contiguous(), out=out)


def _angle(z: Tensor) -> Tensor:
    return torch.atan2(z.imag, z.real)


def angle_of_complex(z: Tensor) -> Tensor:
    """The angle from the positive real axis, from -pi to pi."""
    if not is_large(z) or z.is_conj():
        return _angle(z)
    return filled(_write_angle, _angle, REAL_OF[z.dtype], z)


# --- comparisons ---


def _heaviside(x: Tensor, at_zero: Tensor) -> Tensor:
    if possible(x) and x.dtype is at_zero.dtype and not (x.requires_grad or at_zero.requires_grad):
        result = torch.heaviside(x, at_zero)  # not NaN for NaN, and without a derivative
        if no_nan(x):
            return result
    step = torch.where(x > 0, 1.0, torch.where(x < 0, 0.0, at_zero))
    return torch.where(torch.isnan(x), x, step)


def _write_heaviside(out: Tensor, x: Tensor, at_zero: Tensor) -> None:
    """Half of the sign plus 1, where nothing is zero or NaN."""
    if float(torch.amin(torch.abs(x, out=out))) > 0:
        torch.sign(x, out=out).add_(1).mul_(0.5)
    else:
        out.copy_(_heaviside(x, at_zero))


def heaviside(x: Tensor, at_zero: Tensor) -> Tensor:
    """0 for negative numbers, 1 for positive ones, ``at_zero`` for zeros, NaN for NaN."""
    if is_large(x) and at_zero.shape in (x.shape, torch.Size()):
        return filled(_write_heaviside, _heaviside, x.dtype, x, at_zero)
    return _heaviside(x, at_zero)


def is_close(a: Tensor, b: Tensor, rtol: float, atol: float, equal_nan: bool) -> Tensor:
    """``torch.isclose`` of floats of one dtype; ``RuntimeError`` for shapes that differ."""

    def general(a: Tensor, b: Tensor) -> Tensor:
        return torch.isclose(a, b, rtol, atol, equal_nan)

    def write(out: Tensor, a: Tensor, b: Tensor) -> None:
        allowed = torch.abs(b)
        if float(torch.amax(allowed)) < torch.inf:  # an infinity is close to itself only
            away = torch.sub(a, b).abs_()
            torch.le(away, allowed.mul_(rtol).add_(atol), out=out)
        else:
            out.copy_(general(a, b))

    if a.is_floating_point() and a.shape == b.shape and is_large(a) and is_large(b):
        return filled(write, general, torch.bool, a, b)
    return general(a, b)


# --- casts ---


def cast_first(
    function: Callable[..., Tensor], wanted: torch.dtype, made: torch.dtype, takes_out: bool
) -> Callable[[Tensor], Tensor]:
    """A function of tensors cast to ``wanted``, with results in ``made``.

    ``takes_out`` says that it can write its result to the memory of its operand.
    """
    in_place = takes_out and wanted is made

    def general(x: Tensor) -> Tensor:
        return function(x.to(wanted))

    def write(out: Tensor, x: Tensor) -> None:
        if in_place:
            function(out.copy_(x), out=out)
        else:
            out.copy_(function(x.to(wanted)))

    def through(x: Tensor) -> Tensor:
        return filled(write, general, made, x) if is_large(x) else function(x.to(wanted))

    return through


_BESIDE_BYTES = frozenset({
    torch.int16, torch.int32, torch.int64, torch.float32, torch.float64, torch.complex64,
    torch.complex128,
})  # fmt: skip
"""Dtypes that have the common dtype with uint8 that they have with Booleans."""


def of_bytes(
    function: Callable[..., Any], first: torch.dtype, second: torch.dtype
) -> Callable[..., Any]:
    """A function of Booleans beside others: torch reads Booleans one by one, bytes by vectors."""
    if torch.bool not in (first, second):
        return function
    if first in _BESIDE_BYTES:
        return lambda x, y: function(x, y.view(torch.uint8) if is_large(y) else y)
    if second in _BESIDE_BYTES:
        return lambda x, y: function(x.view(torch.uint8) if is_large(x) else x, y)
    return function
