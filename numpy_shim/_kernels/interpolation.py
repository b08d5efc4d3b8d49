"""Linear interpolation between points on a line."""

from __future__ import annotations

import torch
from torch import Tensor

from xp_torch._kernels.searching import search_numbers


def linear(
    x: Tensor, points: Tensor, values: Tensor, left: Tensor | None, right: Tensor | None
) -> Tensor:
    """The values at ``x`` of the lines between increasing points, in NumPy's rounding.

    ``left`` and ``right`` are the values before and after the points, by default the first and
    the last value. A NaN in ``x`` stays NaN. Where a line gives NaN, it is computed from its right
    end instead, or is the value of both ends if these are equal.
    """
    count = points.numel()
    end = points[-1]
    if count == 1:
        inside = values[0].expand(x.shape)
        below = x < end
    else:
        flat = x if x.dim() == 1 else x.reshape(-1)  # a view less in the graph
        high = search_numbers(points, flat).clamp(1, count - 1)
        low = high - 1  # not 0-D: to a trace that is a number, not an array
        ends = [points[low], points[high], values[low], values[high]]
        x0, x1, y0, y1 = ends if x.dim() == 1 else [e.reshape(x.shape) for e in ends]
        inside = _line(x, x0, x1, y0, y1)
        # NumPy takes the value of a point itself, whatever the slope beside it.
        inside = torch.where(x == x0, y0, inside)
        inside = torch.where(x == x1, y1, inside)  # only the last point is at its right
        below = x < points[0]
    result = torch.where(below, values[0] if left is None else left, inside)
    result = torch.where(x > end, values[-1] if right is None else right, result)
    # With one point, NumPy gives its value where x is neither below nor above it; so for NaN.
    if count == 1:
        return result
    return torch.where(torch.isnan(x), x.to(values.dtype), result)


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
