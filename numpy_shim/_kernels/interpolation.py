"""Linear interpolation between points on a line."""

from __future__ import annotations

import torch
from torch import Tensor

from xp_torch._kernels.searching import native_searchsorted


def linear(
    x: Tensor, points: Tensor, values: Tensor, left: Tensor | None, right: Tensor | None
) -> Tensor:
    """The values at ``x`` of the lines between increasing points, in NumPy's rounding.

    ``left`` and ``right`` are the values before and after the points, by default the first and
    the last value. A NaN in ``x`` stays NaN. Where a line gives NaN, it is computed from its right
    end instead, or is the value of both ends if these are equal.
    """
    first = values[0] if left is None else left
    last = values[-1] if right is None else right
    count = points.numel()
    flat = x.reshape(-1)
    index = (native_searchsorted(points, flat, True) - 1).reshape(x.shape)
    if count == 1:
        inside = values[0].expand(x.shape)
        at_end = x == points[0]
    else:
        low = index.clamp(0, count - 2)
        x0, x1, y0, y1 = points[low], points[low + 1], values[low], values[low + 1]
        inside = _line(x, x0, x1, y0, y1)
        # NumPy takes the value of a point itself, whatever the slope beside it.
        inside = torch.where(x == x0, y0, inside)
        at_end = x == points[-1]
    result = torch.where(at_end, values[-1], inside)
    result = torch.where((index < 0) & ~at_end, first, result)
    result = torch.where(x > points[-1], last, result)
    # With one point, NumPy gives its value where x is neither below nor above it; so for NaN.
    unknown = values[0] if count == 1 else x.to(values.dtype)
    return torch.where(torch.isnan(x), unknown, result)


def _line(x: Tensor, x0: Tensor, x1: Tensor, y0: Tensor, y1: Tensor) -> Tensor:
    if y0.dtype.is_complex:
        return torch.complex(_line(x, x0, x1, y0.real, y1.real), _line(x, x0, x1, y0.imag, y1.imag))
    slope = (y1 - y0) / (x1 - x0)
    result = slope * (x - x0) + y0
    result = torch.where(torch.isnan(result), slope * (x - x1) + y1, result)
    return torch.where(torch.isnan(result) & (y0 == y1), y0, result)


def periodic(
    x: Tensor, points: Tensor, values: Tensor, period: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Sort the points within one period, and repeat one point beyond each end."""
    x, points = torch.remainder(x, period), torch.remainder(points, period)
    order = torch.argsort(points, stable=True)
    points, values = points[order], values[order]
    points = torch.cat([points[-1:] - period, points, points[:1] + period])
    return x, points, torch.cat([values[-1:], values, values[:1]])
