"""The model of L-BFGS-B: a Hessian of few pairs of steps and slopes, and its least point in a box.

Byrd, Lu and Nocedal write the Hessian as ``theta I - W M W'``, where ``W`` has the changes ``y`` of
the slope and ``theta`` times the steps ``s`` as columns. Vectors of all variables stay on the
device. What has the size of the memory is read, once in each stage of a step, and the rest of the
stage is the host's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy
import torch
from numpy.linalg import LinAlgError, cholesky
from scipy.linalg.lapack import dpotrs, dtrtrs
from torch import Tensor

from .trust_region import EPSILON, Values, read


class Box:
    """The bounds of the variables; infinite where there is none."""

    def __init__(self, low: Tensor, high: Tensor, kinds: Any) -> None:
        def unless(bound: Tensor, is_none: Any, instead: float) -> Tensor:
            return bound.masked_fill(torch.tensor(is_none, device=bound.device), instead)

        self.low = unless(low, (kinds != 1) & (kinds != 2), -torch.inf)
        self.high = unless(high, kinds < 2, torch.inf)
        self.is_bounded, self.is_closed = bool((kinds > 0).any()), bool((kinds == 2).all())

    def clip(self, x: Tensor) -> Tensor:
        """The nearest point within."""
        return torch.minimum(torch.maximum(x, self.low), self.high) if self.is_bounded else x

    def measure_slope(self, x: Tensor, g: Tensor) -> Tensor:
        """The largest part of a slope, where a variable goes no farther than to its bound."""
        if self.is_bounded:
            g = torch.where(g < 0, g.maximum(x - self.high), g.minimum(x - self.low))
        return g.abs().max()

    def find_room(self, x: Tensor, d: Tensor) -> Tensor:
        """How many steps ``d`` there are from ``x`` to the bound of each variable."""
        room = torch.where(d < 0, (self.low - x).clamp(max=0), (self.high - x).clamp(min=0)) / d
        return torch.where(d == 0, torch.inf, room)


class Model:
    """The pairs, in the rows of SciPy's workspace: first the steps, then the changes of slope."""

    def __init__(self, pairs: Tensor, box: Box) -> None:
        self.pairs, self.box, self.size = pairs, box, len(pairs) // 2
        self.forget()

    def forget(self) -> None:
        """Begin again, with the identity."""
        self.pairs.zero_()
        self.count, self.theta = 0, 1.0
        self.rows: Any = []  # those of the steps, the oldest first
        self.fresh: list[Tensor] = []
        self.ss = self.sy = self.yy = numpy.zeros((0, 0))

    def add(self, s: Tensor, y: Tensor, products: tuple[float, float, float]) -> None:
        """Take a pair, if need be in the place of the oldest one; ``s'y``, ``y'y``, ``s's``."""
        row = self.count % self.size
        self.pairs[row], self.pairs[self.size + row] = s, y
        self.rows = [*self.rows, row][-self.size :]
        self.count, self.fresh, self._own = self.count + 1, [s, y], products
        self.theta = products[1] / products[0]

    def _read_products(self, v: Tensor, *others: Tensor) -> list[Values]:
        """``W' v``, and the values of other tensors; the products of a new pair are read, too."""
        values, *rest = read(self.pairs @ torch.stack([v, *self.fresh], 1), *others)
        values = self._in_order(values)
        if self.fresh:
            self._extend(*numpy.split(values[:, 1:], 2))
        return [values[:, 0] * self._scale(), *rest]

    def _in_order(self, products: Values) -> Values:
        """Products with the pairs: first those of ``y``, then those of ``s``; the oldest first."""
        rows = numpy.array(self.rows, int)
        found: Values = products[numpy.concatenate([self.size + rows, rows])]
        return found

    def _scale(self) -> Values:
        """What the columns of ``W`` are the pairs times of."""
        return numpy.repeat([1.0, self.theta], len(self.rows))

    def _combine(self, weights: Values) -> Tensor:
        """The sum of the columns of ``W`` with weights."""
        rows = numpy.array(self.rows, int)
        whole = numpy.zeros(2 * self.size)
        whole[numpy.concatenate([self.size + rows, rows])] = weights * self._scale()
        return torch.tensor(whole, device=self.pairs.device) @ self.pairs

    def _extend(self, of_y: Values, of_s: Values) -> None:
        """Add the products of the last pair, and factor the middle matrix."""
        old, self.fresh = slice(len(self.ss) + 1 - len(self.rows), None), []
        sy, yy, ss = self._own
        self.ss = _bordered(self.ss[old, old], of_s[:, 0], of_s[:, 0], ss)
        self.sy = _bordered(self.sy[old, old], of_s[:, 1], of_y[:, 0], sy)
        self.yy = _bordered(self.yy[old, old], of_y[:, 1], of_y[:, 1], yy)
        self._d, self._l = self.sy.diagonal(), numpy.tril(self.sy, -1)
        self._j = cholesky(self.theta * self.ss + self._l / self._d @ self._l.T)

    def _multiply(self, v: Values) -> Values:
        """The middle matrix times a vector: ``M v``."""
        y, s = numpy.split(v, 2)
        s = dpotrs(self._j, s + self._l @ (y / self._d), lower=1)[0]
        return numpy.concatenate([(self._l.T @ s - y) / self._d, s])

    # --- the least point ---

    def minimize(self, x: Tensor, g: Tensor) -> Tensor:
        """The point of the box where the model is about least, or ``LinAlgError``."""
        if not self.rows:
            square = g @ g
            part = torch.where(square == 0, 0, square / square)  # 1, or NaN if it overflows
            return self.box.clip(x - part * g)
        if not self.box.is_bounded:
            return self._minimize_inside(x, g, x)
        return self._minimize_inside(x, g, *self._find_cauchy_point(x, g))

    def _find_cauchy_point(self, x: Tensor, g: Tensor) -> tuple[Tensor, Tensor, Values]:
        """The first minimum of the model along the slope, where variables stop at their bounds.

        Beside it which variables are free there, and ``W'`` times the way to it.
        """
        box = self.box
        stays = torch.where(x <= box.low, g >= 0, (x >= box.high) & (g <= 0))
        stays |= box.low == box.high
        d = torch.where(stays, 0, -g)
        bounds = torch.where(d < 0, box.low, box.high)
        times, order = box.find_room(x, d).sort(stable=True)
        moving, ending = (d != 0).sum(), times.isfinite().sum()
        p, square, *counts = self._read_products(d, d @ d, moving, ending)
        left, is_open = int(counts[1]), counts[1] < counts[0]
        f1: Any = -numpy.float64(square)
        f2 = -self.theta * f1
        smallest = EPSILON * f2
        f2 -= float(p @ self._multiply(p))
        step = -f1 / f2 if f1 else f1
        at, moved, stopped = 0.0, numpy.zeros_like(p), 0
        for end, speed, way, w in self._read_ends(left, times, order, d, bounds - x):
            if step < end - at:
                break
            moved += (end - at) * p
            v = self._multiply(w)
            f1 += (end - at) * f2 + speed * (speed - self.theta * way + float(moved @ v))
            f2 += speed * float(2 * (p @ v) - speed * (self.theta + w @ v))
            f2 = max(smallest, f2)
            p = p - speed * w
            at, stopped = end, stopped + 1
            step = -f1 / f2 if stopped < left or is_open else 0.0
        step = max(step, 0.0)
        has_stopped = torch.zeros_like(stays).index_fill(0, order[:stopped], True)
        z = torch.where(has_stopped, bounds, x + (at + step) * d)
        return z, ~(stays | has_stopped), moved + step * p

    def _read_ends(
        self, count: int, times: Tensor, order: Tensor, d: Tensor, ends: Tensor
    ) -> Iterator[tuple[float, float, float, Values]]:
        """Each variable that comes to a bound: when, how fast, how far, and its row of ``W``."""
        first, size = 0, 8
        while first < count:
            these = order[first : min(first + size, count)]
            when = times[first : first + len(these)]
            *parts, w = read(when, d[these], ends[these], self.pairs[:, these])
            columns = self._in_order(w).T * self._scale()
            yield from zip(*(part.tolist() for part in parts), columns, strict=True)
            first, size = first + len(these), 4 * size

    def _minimize_inside(
        self, x: Tensor, g: Tensor, z: Tensor, free: Tensor | None = None, moved: Any = None
    ) -> Tensor:
        """The least point of the model for the free variables, from ``z``; others do not move."""
        if free is None:
            (wr,) = self._read_products(-g)
            whole = numpy.block([[self.yy, self.sy.T], [self.sy, self.ss]])
            return z + self._step(-g, self._solve(wr, whole, 0 * whole))
        r = self._combine(self._multiply(moved)) - self.theta * (z - x) - g
        r = torch.where(free, r, 0)
        made = [(self.pairs * these) @ self.pairs.T for these in (free, ~free)]
        wr, count, *products = self._read_products(r, free.sum(), *made)
        if not count:
            return z
        d = self._step(
            r, self._solve(wr, *(self._in_order(self._in_order(v).T).T for v in products))
        )
        return self._go_within(x, g, z, torch.where(free, d, 0))

    def _step(self, r: Tensor, weights: Values) -> Tensor:
        return (r + self._combine(weights / self.theta)) / self.theta

    def _solve(self, wr: Values, of_free: Values, of_others: Values) -> Values:
        """The system of the size of the memory, from products of the pairs in some variables."""
        k = len(self.rows)
        low = cholesky(numpy.diag(self._d) + of_free[:k, :k] / self.theta)
        b = _solve(low, (numpy.triu(of_free[k:, :k]) - numpy.tril(of_others[k:, :k], -1)).T)
        corner = cholesky(self.theta * of_others[k:, k:] + b.T @ b)
        y, s = _solve(low, wr[:k]), wr[k:]
        s = _solve(corner, _solve(corner, s - b.T @ y), is_transposed=True)
        return numpy.concatenate([_solve(low, -y - b @ s, is_transposed=True), s])

    def _go_within(self, x: Tensor, g: Tensor, z: Tensor, d: Tensor) -> Tensor:
        """The point of the box nearest to ``z + d``; if that is up, where ``d`` leaves the box."""
        box = self.box
        nearest = box.clip(z + d)
        touches = ((d != 0) & ((nearest == box.low) | (nearest == box.high))).any()
        room, place = box.find_room(z, d).min(0)
        is_first = (torch.arange(len(d), device=d.device) == place) & (room < 1)
        bounds = torch.where(d < 0, box.low, box.high)
        shorter = torch.where(is_first, bounds, z + room.clamp(max=1) * d)
        return torch.where(touches & ((nearest - x) @ g > 0), shorter, nearest)


def _bordered(old: Values, column: Values, row: Values, corner: float) -> Values:
    """A matrix with one column and one row more."""
    n = len(column)
    made = numpy.empty((n, n))
    made[:-1, :-1], made[:, -1], made[-1] = old, column, row
    made[-1, -1] = corner
    return made


def _solve(low: Any, b: Any, is_transposed: bool = False) -> Values:
    """The solution of a system of a lower triangle, or of its transpose."""
    x, info = dtrtrs(low, b, lower=1, trans=int(is_transposed))
    if info:
        raise LinAlgError("a triangle is singular")
    return x  # type: ignore[no-any-return]
