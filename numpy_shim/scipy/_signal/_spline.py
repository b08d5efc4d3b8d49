"""``scipy.signal._spline`` for arrays of ours: the begins of recursions, and sepfir2d."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor
from .._ndimage.windows import REFLECT, extend
from . import convolutions

_KINDS = (torch.float32, torch.float64, torch.complex64, torch.complex128)


def sepfir2d(input: Any, hrow: Any, hcol: Any, /) -> Any:
    """The convolution of an image with a row and a column, mirrored at the edges."""
    t, row, column = (as_tensor("sepfir2d", v) for v in (input, hrow, hcol))
    if t.dim() != 2 or row.dim() != 1 or column.dim() != 1:
        raise ValueError("object too deep for desired array")
    if not (len(row) % 2 and len(column) % 2):
        raise ValueError("hrow and hcol must be odd length")
    if not (t.is_floating_point() or t.is_complex()):
        t = t.double()
    if t.dtype not in _KINDS:
        raise ValueError("Incorrect type.")
    kernel = column.to(t.dtype).unsqueeze(1), row.to(t.dtype).unsqueeze(0)
    for axis in (1, 0):
        half = kernel[axis].numel() // 2
        wider = extend(t, axis, half, half, REFLECT, 0.0)
        t = convolutions.valid(wider, kernel[axis].flip(axis))
    return wrap(t)


def cubic(x: Any) -> ndarray:
    """The B-spline of degree 3 around zero."""
    t = as_tensor("cspline1d_eval", x).double().abs()
    near, far = 2 / 3 - t * t * (1 - t / 2), (2 - t).clamp(min=0) ** 3 / 6
    return wrap(torch.where(t < 1, near, far))


def quadratic(x: Any) -> ndarray:
    """The B-spline of degree 2 around zero."""
    t = as_tensor("qspline1d_eval", x).double().abs()
    return wrap(torch.where(t < 0.5, 0.75 - t * t, (1.5 - t).clamp(min=0) ** 2 / 2))


def _precision(t: Tensor, precision: float) -> float:
    if precision <= 0.0 or precision > 1.0:
        precision = 1e-6 if t.dtype in (torch.float32, torch.complex64) else 1e-11
    return precision


def _begin(t: Tensor, weight: Callable[[int], complex], precision: float) -> Tensor:
    """The sum of weighted elements of the lines, until a weight is below the precision."""
    weights: list[complex] = []
    while True:
        weights.append(weight(len(weights)))
        if abs(weights[-1]) ** 2 <= precision**2:
            break
        if len(weights) >= t.shape[-1]:
            raise ValueError("Sum to find symmetric boundary conditions did not converge.")
    if len(weights) >= t.shape[-1]:
        raise ValueError("Sum to find symmetric boundary conditions did not converge.")
    factors = torch.tensor(weights, device=t.device, dtype=torch.complex128)
    factors = factors.to(t.dtype) if t.is_complex() else factors.real.to(t.dtype)
    return (t[..., : len(weights)] * factors).sum(-1)


def symiirorder1_ic(signal: Any, z1: Any, precision: float = -1.0, /) -> ndarray:
    """The first value of a smoothing recursion of first order."""
    t = as_tensor("symiirorder1", signal)
    if abs(z1) >= 1.0:
        raise ValueError("|z1| must be less than 1.0")
    z = complex(z1) if t.is_complex() else float(z1.real)
    begin = _begin(t, lambda k: z ** (k + 1), _precision(t, precision))
    return wrap((t[..., 0] + begin).unsqueeze(-1))


def _response(k: int, cs: float, r: float, omega: float) -> float:
    """The impulse response of a recursion of second order."""
    if k < 0:
        return 0.0
    if omega in (0.0, math.pi):
        return float(cs * r**k * (k + 1) * (1 - 2 * (k % 2) if omega else 1))
    return float(cs * r**k * math.sin(omega * (k + 1)) / math.sin(omega))


def _two_sided(k: int, cs: float, rsq: float, omega: float) -> float:
    """The impulse response of the recursion forward and backward."""
    k = abs(k)
    power = rsq ** (k / 2.0)
    if omega in (0.0, math.pi):
        c0 = (1 + rsq) / (1 - rsq) ** 3 * cs * cs
        gamma = (1 - rsq) / (1 + rsq)
        return float(c0 * power * (1 + gamma * k) * (1 - 2 * (k % 2) if omega else 1))
    c0 = cs * cs * (1 + rsq) / (1 - rsq) / (1 - 2 * rsq * math.cos(2 * omega) + rsq * rsq)
    gamma = (1 - rsq) / (1 + rsq) / math.tan(omega)
    return float(c0 * power * (math.cos(omega * k) + gamma * math.sin(omega * k)))


def symiirorder2_ic_fwd(signal: Any, r: float, omega: float, precision: float = -1.0, /) -> ndarray:
    """The first two values of the forward recursion of second order."""
    t = as_tensor("symiirorder2", signal)
    precision = _precision(t, precision)
    cs = 1 - 2 * r * math.cos(omega) + r * r

    def response(k: int) -> float:
        return _response(k, cs, r, omega)

    first = response(0) * t[..., 0] + _begin(t, lambda k: response(k + 1), precision)
    second = response(0) * t[..., 1] + response(1) * t[..., 0]
    second = second + _begin(t, lambda k: response(k + 2), precision)
    return wrap(torch.stack([first, second], -1))


def symiirorder2_ic_bwd(signal: Any, r: float, omega: float, precision: float = -1.0, /) -> ndarray:
    """The last two values of the backward recursion of second order, the last first."""
    t = as_tensor("symiirorder2", signal).flip(-1)
    precision = math.sqrt(_precision(t, precision))  # SciPy compares a square with it, here alone
    cs = 1 - 2 * r * math.cos(omega) + r * r

    def response(k: int) -> float:
        return _two_sided(k, cs, r * r, omega)

    first = _begin(t, lambda k: response(k) + response(k + 1), precision)
    second = _begin(t, lambda k: response(k - 1) + response(k + 2), precision)
    return wrap(torch.stack([first, second], -1))


__all__ = [
    "cubic", "quadratic", "sepfir2d", "symiirorder1_ic", "symiirorder2_ic_bwd",
    "symiirorder2_ic_fwd",
]  # fmt: skip
