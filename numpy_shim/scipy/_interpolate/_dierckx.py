"""What ``scipy.interpolate._dierckx`` computes in C++ for B-splines, in torch."""

from __future__ import annotations

from typing import Any

import scipy.interpolate._dierckx
import torch
from torch import Tensor

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor
from .._standing import OnTheHostError


def interval(t: Tensor, k: int, x: Tensor) -> Tensor:
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
    place = interval(knots, k, x) if k or len(knots) > 2 else torch.zeros_like(x).long()
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


def basis(t: Tensor, k: int, x: Tensor, place: Tensor) -> Tensor:
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
    at = interval(knots, k, places)
    values = basis(knots, k, places, at)
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
    return int(interval(knots, k, x))


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


def _norm_eq_lsq(x: Any, t: Any, k: int, y: Any, w: Any, ab: Any, rhs: Any) -> None:
    """Write the bands of the normal equations, transposed, and their right sides."""
    places, knots, values, weights, bands, right = (
        as_tensor("make_lsq_spline", a) for a in (x, t, y, w, ab, rhs)
    )
    at = interval(knots, k, places)
    of_weights = basis(knots, k, places, at) * weights[:, None]
    weighted = values * weights[:, None]
    for j in range(k + 1):
        column = at - k + j
        right.index_add_(0, column, of_weights[:, j, None] * weighted)
        for i in range(j + 1):
            bands.index_put_(
                (at - k + i, torch.full_like(at, j - i)),
                of_weights[:, i] * of_weights[:, j],
                accumulate=True,
            )


_MOST = 2048
"""Coefficients of a spline whose equations are solved as a whole matrix."""


def solve_least_squares(x: Any, y: Any, t: Any, k: int, w: Any, periodic: bool = False) -> Any:
    """``scipy.interpolate._bsplines._lsq_solve_qr``: the coefficients, in the place of five."""
    places, values, knots, weights = (as_tensor("make_lsq_spline", a) for a in (x, y, t, w))
    count = len(knots) - k - 1
    if periodic or count > _MOST:
        raise OnTheHostError(f"the bands of {count} coefficients are solved in C++")
    at = interval(knots, k, places)
    columns = at[:, None] - k + torch.arange(k + 1, device=at.device)
    matrix = torch.zeros((len(places), count), dtype=knots.dtype, device=knots.device)
    matrix = matrix.scatter(1, columns, basis(knots, k, places, at)) * weights[:, None]
    q, r = torch.linalg.qr(matrix)
    solved = torch.linalg.solve_triangular(r, q.mT @ (values * weights[:, None]), upper=True)
    return None, None, wrap(solved.contiguous()), None, None
