"""What ``scipy.interpolate._ppoly`` computes in Cython, in torch: piecewise polynomials.

``c`` has a row for each power, the highest first, a column for each interval between the points
``x``, and a layer for each polynomial; functions write to their last array.
"""

from __future__ import annotations

from typing import Any

import numpy
import scipy.interpolate._ppoly
import torch
from torch import Tensor

from ..._array.ndarray import wrap
from ..._convert.arguments import as_tensor
from ..._convert.from_data import asarray


def _interval(x: Tensor, places: Tensor, extrapolate: bool) -> tuple[Tensor, Tensor]:
    """The interval of each place, and whether there is a value."""
    falls = bool(x[-1] < x[0])
    inner, at = (-x[1:-1], -places) if falls else (x[1:-1], places)
    first, last = (x[-1], x[0]) if falls else (x[0], x[-1])
    found = torch.searchsorted(inner.contiguous(), at.contiguous(), right=True)
    is_inside = (places >= first) & (places <= last)
    return found, ~places.isnan() if extrapolate else is_inside


def _value(c: Tensor, s: Tensor, nu: int) -> Tensor:
    """The derivative ``nu`` of polynomials at places from the start of their intervals."""
    degree = len(c) - 1
    found = torch.zeros_like(c[0])
    for j in range(degree + 1 - nu):
        factor = 1.0
        for power in range(degree - j - nu + 1, degree - j + 1):
            factor *= power
        found = found * s[:, None] + c[j] * factor
    return found


def evaluate(c: Any, x: Any, xp: Any, nu: int, extrapolate: bool, out: Any) -> None:
    """Write the values, or the derivatives ``nu``, at ``xp``."""
    coefficients, points, places = (as_tensor("PPoly", a) for a in (c, x, xp))
    i, is_value = _interval(points, places, extrapolate)
    found = _value(coefficients[:, i], places - points[i], nu)
    out[...] = wrap(torch.where(is_value[:, None], found, torch.nan))


def integrate(c: Any, x: Any, a: Any, b: Any, extrapolate: bool, out: Any) -> None:
    """Write the integrals from ``a`` to ``b``."""
    coefficients, points = as_tensor("PPoly", c), as_tensor("PPoly", x)
    powers = torch.arange(len(coefficients), 0, -1, dtype=points.dtype, device=points.device)
    whole = coefficients / powers[:, None, None]
    whole = torch.cat([whole, torch.zeros_like(whole[:1])])
    parts = _value(whole, points[1:] - points[:-1], 0)
    sums = torch.cat([torch.zeros_like(parts[:1]), parts.cumsum(0)])
    ends = torch.stack([torch.as_tensor(float(end), dtype=points.dtype) for end in (a, b)])
    ends = ends.to(points.device)
    i, is_value = _interval(points, ends, extrapolate)
    found = sums[i] + _value(whole[:, i], ends - points[i], 0)
    out[...] = wrap(torch.where(is_value.all(), found[1] - found[0], torch.nan))


def fix_continuity(c: Any, x: Any, order: int) -> None:
    """Change the lowest coefficients so that ``order`` derivatives are continuous."""
    coefficients, points = as_tensor("PPoly", c), as_tensor("PPoly", x)
    steps = (points[1:-1] - points[:-2]).to(coefficients.dtype)
    count = len(coefficients)
    for nu in range(order, -1, -1):
        row, factor = count - nu - 1, 1.0
        for power in range(1, nu + 1):
            factor *= power
        start = coefficients[row, :1].clone()
        higher = coefficients[:, :-1].clone()
        higher[row] = 0
        added = _value(higher, steps, nu) / factor
        coefficients[row] = torch.cat([start, start + added.cumsum(0)])


def real_roots(c: Any, x: Any, y: float, report_discont: bool, extrapolate: bool) -> list[Any]:
    """The roots of each polynomial, which SciPy finds on the host."""
    given = [numpy.ascontiguousarray(numpy.asarray(a)) for a in (c, x)]
    found = scipy.interpolate._ppoly.real_roots(*given, y, report_discont, extrapolate)
    return [asarray(roots, device=x.device) for roots in found]


def __getattr__(name: str) -> Any:
    """What is not written here is SciPy's."""
    return getattr(scipy.interpolate._ppoly, name)
