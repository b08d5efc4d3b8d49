"""What ``scipy.interpolate._dierckx`` computes in C++ for B-splines, in torch."""

from __future__ import annotations

from typing import Any

import scipy.interpolate._dierckx
import torch
from torch import Tensor

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor


def _interval(t: Tensor, k: int, x: Tensor) -> Tensor:
    """The last knot that is not right of each place, of the intervals that have a spline."""
    inner = t[k + 1 : len(t) - k - 1].contiguous()
    return torch.searchsorted(inner, x.contiguous(), right=True) + k


def _safe(x: Tensor, y: Tensor) -> Tensor:
    return torch.where(y == 0, 0.0, x / torch.where(y == 0, 1.0, y))


def evaluate_spline(t: Any, c: Any, k: int, xp: Any, nu: int, extrapolate: bool) -> ndarray:
    """The derivative ``nu`` at the places ``xp``, a column for each column of ``c``."""
    knots, control, x = (as_tensor("BSpline", a) for a in (t, c, xp))
    low, high = knots[k], knots[len(knots) - k - 1]
    degree, shift = k, 0
    for _ in range(min(nu, k + 1)):
        if degree == 0:
            control = torch.zeros_like(control)
            break
        n = len(control)
        width = knots[shift + degree + 1 : shift + degree + n] - knots[shift + 1 : shift + n]
        control = degree * _safe(control[1:] - control[:-1], width[:, None])
        degree, shift = degree - 1, shift + 1
    place = _interval(knots, k, x) if k or len(knots) > 2 else torch.zeros_like(x).long()
    places = [place - shift - degree + j for j in range(degree + 1)]
    points = [control[i] for i in places]
    for r in range(1, degree + 1):
        for j in range(degree, r - 1, -1):
            left = knots[place - degree + j]
            right = knots[place + 1 + j - r]
            part = _safe(x - left, right - left)[:, None]
            points[j] = (1 - part) * points[j - 1] + part * points[j]
    is_value = ~x.isnan() if extrapolate else (x >= low) & (x <= high)
    return wrap(torch.where(is_value[:, None], points[degree], torch.nan))


def _basis(t: Tensor, k: int, x: Tensor, place: Tensor) -> Tensor:
    """The ``k + 1`` B-splines that are not zero in an interval, a column for each."""
    found = [torch.ones_like(x)]
    for r in range(1, k + 1):
        new = [torch.zeros_like(x) for _ in range(r + 1)]
        for j in range(r):
            left, right = t[place + 1 + j - r], t[place + 1 + j]
            part = _safe(found[j], right - left)
            new[j] = new[j] + part * (right - x)
            new[j + 1] = new[j + 1] + part * (x - left)
        found = new
    return torch.stack(found, -1)


def _coloc(x: Any, t: Any, k: int, ab: Any, offset: int = 0) -> None:
    """Write the B-splines at the places to the bands of a matrix, transposed, for LAPACK."""
    places, knots, bands = (as_tensor("make_interp_spline", a) for a in (x, t, ab))
    at = _interval(knots, k, places)
    values = _basis(knots, k, places, at)
    rows = torch.arange(len(places), device=places.device) + offset
    for j in range(k + 1):
        columns = at - k + j
        bands[columns, 2 * k + rows - columns] = values[:, j]


def find_interval(t: Any, k: int, xval: float, prev_l: int, extrapolate: bool) -> int:
    """The interval of a number; -1 if it lies outside and there is nothing to extrapolate."""
    knots = as_tensor("BSpline", t)
    x = torch.as_tensor([xval], dtype=knots.dtype, device=knots.device)
    if not extrapolate and not bool((x >= knots[k]) & (x <= knots[len(knots) - k - 1])):
        return -1
    return int(_interval(knots, k, x))


def evaluate_all_bspl(t: Any, k: int, xval: float, m: int, nu: int = 0) -> ndarray:
    """The ``k + 1`` B-splines of an interval, or their derivatives ``nu``, at a number."""
    knots = as_tensor("BSpline", t)
    unit = torch.eye(len(knots) - k - 1, dtype=knots.dtype, device=knots.device)
    x = torch.as_tensor([float(xval)], dtype=knots.dtype, device=knots.device)
    found = as_tensor("BSpline", evaluate_spline(t, wrap(unit), k, wrap(x), nu, True))
    return wrap(found[0, m - k : m + 1])


def __getattr__(name: str) -> Any:
    """What is not written here is SciPy's."""
    return getattr(scipy.interpolate._dierckx, name)
