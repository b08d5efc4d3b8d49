"""``scipy.optimize._minpack``: MINPACK's four solvers of the program's function, step for step.

The program's function and the Jacobian are computed where the arrays are. For each Jacobian and for
each trial of a step the device is waited for once.
"""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, log10, sqrt
from typing import Any

import numpy
import torch
from scipy.optimize import _minpack as scipys
from torch import Tensor

from ..._array.ndarray import array_of, ndarray
from ..._convert.from_data import asarray
from . import trust_region as steps
from .trust_region import EPSILON, Values, read

Jacobian = Callable[[Values, Tensor], Tensor]
Output = tuple[Any, ...]

error = scipys.error


class _Program:
    """The program's function and its Jacobian, of numbers of the host."""

    def __init__(self, function: Any, args: tuple[Any, ...], x0: Any) -> None:
        start = asarray(x0, dtype="float64")._tensor.detach()
        self.function, self.args, self.device = function, args, start.device
        (self.x0,) = read(start)
        self.n, self.m = len(self.x0), -1
        self.f0 = self(self.x0)  # SciPy calls it twice there: for the size first
        self.m = self.f0.numel()

    def __call__(self, x: Values) -> Tensor:
        return self._called(self.function, self._place(x), self.m, 1).reshape(-1)

    def _place(self, x: Values) -> Tensor:
        return torch.tensor(x.tolist(), dtype=torch.float64, device=self.device)

    def _called(self, function: Any, x: Tensor, size: int, axes: int) -> Tensor:
        made = asarray(function(array_of(x), *self.args))
        if made.dtype.kind not in "biuf" or made.ndim not in (axes - 1, axes):
            raise error("Result from function call is not a proper array of floats.")
        if size not in (-1, made.size):
            raise ValueError("The array returned by a function changed size between calls")
        return made._tensor.detach().to(self.device, torch.float64)

    def differences(self, epsilon: float, below: int = -1, above: int = -1) -> Jacobian:
        """Forward differences, of a band of so many diagonals where that is less: ``fdjac``."""
        n, step = self.n, sqrt(max(epsilon, EPSILON))
        turns = self.count_calls(below, above)

        def jacobian(x: Values, f: Tensor) -> Tensor:
            h = step * numpy.abs(x)
            h[h == 0] = step
            places = numpy.tile(x, (turns, 1))
            j = numpy.arange(n)
            places[j % turns, j] += h
            made = [self._called(self.function, p, self.m, 1) for p in self._place(places)]
            columns = (torch.stack(made) - f)[j % turns] / self._place(h)[:, None]
            if turns == n:
                return columns.T
            i = j[:, None]
            is_outside = torch.tensor((i < j - above) | (i > j + below), device=self.device)
            return columns.T.masked_fill(is_outside, 0)

        return jacobian

    def count_calls(self, below: int = -1, above: int = -1) -> int:
        """How many calls the differences need."""
        return self.n if below < 0 or above < 0 else min(below + above + 1, self.n)

    def derivatives(self, function: Any, is_transposed: bool) -> Jacobian:
        """The program's own Jacobian."""
        m, n = self.m, self.n

        def jacobian(x: Values, f: Tensor) -> Tensor:
            made = self._called(function, self._place(x), m * n, 2)
            return made.reshape(n, m).T if is_transposed else made.reshape(m, n)

        return jacobian

    def present(self, x: Values) -> ndarray:
        return array_of(self._place(x))


def _diagonal(diag: Any) -> Values | None:
    return None if diag is None else read(asarray(diag, dtype="float64")._tensor)[0]


def _lmdif(
    func: Any, x0: Any, args: Any = (), full_output: Any = 0, ftol: float = 1.49012e-8,
    xtol: float = 1.49012e-8, gtol: float = 0.0, maxfev: int = -10, epsfcn: float = 0.0,
    factor: float = 100.0, diag: Any = None,
) -> Output:  # fmt: skip
    one = _Program(func, args, x0)
    x, info, status = _fit(
        one, one.differences(epsfcn), one.n, (ftol, xtol, gtol),
        maxfev if maxfev >= 0 else 200 * (one.n + 1), factor, _diagonal(diag),
    )  # fmt: skip
    del info["njev"]
    return (x, info, status) if full_output else (x, status)


def _lmder(
    func: Any, Dfun: Any, x0: Any, args: Any = (), full_output: Any = 0, col_deriv: Any = 1,
    ftol: float = 1.49012e-8, xtol: float = 1.49012e-8, gtol: float = 0.0, maxfev: int = -10,
    factor: float = 100.0, diag: Any = None,
) -> Output:  # fmt: skip
    one = _Program(func, args, x0)
    x, info, status = _fit(
        one, one.derivatives(Dfun, bool(col_deriv)), 0, (ftol, xtol, gtol),
        maxfev if maxfev >= 0 else 100 * (one.n + 1), factor, _diagonal(diag),
    )  # fmt: skip
    return (x, info, status) if full_output else (x, status)


def _fit(
    one: _Program, jacobian: Jacobian, calls: int, tolerances: tuple[float, float, float],
    maxfev: int, bound: float, diag: Values | None,
) -> tuple[ndarray, dict[str, Any], int]:  # fmt: skip
    """Moré's form of Levenberg's and Marquardt's method: ``lmdif`` and ``lmder``."""
    n, x = one.n, one.x0.copy()
    is_scaled, status, nfev, njev = diag is None, 0, 0, 0
    diag = numpy.ones(n) if diag is None else diag
    ftol, xtol, gtol = tolerances
    is_proper = 0 < n <= one.m and min(tolerances) >= 0 and maxfev > 0 and bound > 0
    f = one.f0
    info = {
        "fvec": f, "nfev": 0, "njev": 0, "fjac": f.new_zeros(n, one.m),
        "ipvt": numpy.zeros(n, "int32"), "qtf": numpy.zeros(n),
    }  # fmt: skip
    if not is_proper or (diag <= 0).any():
        return one.present(x), _arrays(one, info), 0
    f, nfev = one(x), 1
    par, is_first = 0.0, True
    delta = xnorm = 0.0
    while not status:
        made = steps.factor(jacobian(x, f), f, True)
        nfev, njev = nfev + calls, njev + 1
        r, qtf, lengths, order, fnorm = made[1:]
        if is_first:
            diag = numpy.where(lengths == 0, 1, lengths) if is_scaled else diag
            xnorm = hypot(*(diag * x))
            delta = bound * xnorm or bound
        gnorm = 0.0
        if fnorm != 0:
            known = lengths[order] != 0
            slopes = numpy.triu(r).T @ (qtf / fnorm)
            cosines = numpy.abs(slopes[known] / lengths[order][known])
            gnorm = float(numpy.fmax.reduce(cosines, initial=0.0))
        status = 4 if gnorm <= gtol else 0
        if is_scaled:
            diag = numpy.fmax(diag, lengths)
        ratio = 0.0
        while not status and ratio < 0.0001:
            par, step = steps.damp(r, order, diag, qtf, delta, par)
            trial = x - step
            pnorm = hypot(*(diag * step))
            if is_first:
                delta = min(delta, pnorm)
            new, nfev = one(trial), nfev + 1
            (norm,) = read(torch.linalg.vector_norm(new))
            fnorm1 = float(norm)
            actred = 1 - (fnorm1 / fnorm) ** 2 if 0.1 * fnorm1 < fnorm else -1.0
            straight = (hypot(*(numpy.triu(r) @ step[order])) / fnorm) ** 2
            damped = (sqrt(par) * pnorm / fnorm) ** 2
            prered, dirder = straight + damped / 0.5, -(straight + damped)
            ratio = actred / prered if prered != 0 else 0.0
            if ratio <= 0.25:
                less = 0.5 * dirder / (dirder + 0.5 * actred) if actred < 0 else 0.5
                if 0.1 * fnorm1 >= fnorm or less < 0.1:
                    less = 0.1
                delta = less * min(delta, pnorm / 0.1)
                par /= less
            elif par == 0 or ratio >= 0.75:
                delta = pnorm / 0.5
                par *= 0.5
            if ratio >= 0.0001:
                x, f, fnorm, is_first = trial, new, fnorm1, False
                xnorm = hypot(*(diag * x))
            is_good = 0.5 * ratio <= 1
            status = is_good and abs(actred) <= ftol and prered <= ftol
            status += 2 * (delta <= xtol * xnorm)
            if not status:
                is_exact = is_good and abs(actred) <= EPSILON and prered <= EPSILON
                tests = (nfev >= maxfev, is_exact, delta <= EPSILON * xnorm, gnorm <= EPSILON)
                status = max((code for code, test in enumerate(tests, 5) if test), default=0)
        packed = made.packed.T.contiguous()
        packed[:n, :n] = one._place(r.T)
        info = {"fvec": f, "nfev": nfev, "njev": njev, "fjac": packed, "ipvt": order, "qtf": qtf}
    return one.present(x), _arrays(one, info), int(status)


def _arrays(one: _Program, info: dict[str, Any]) -> dict[str, Any]:
    """What SciPy says of a solution, in our arrays."""
    found = {}
    for name, value in info.items():
        if isinstance(value, Tensor):
            value = array_of(value)
        elif isinstance(value, numpy.ndarray):
            value = asarray(value, device=one.device)
        found[name] = value
    return found


def _hybrd(
    func: Any, x0: Any, args: Any = (), full_output: Any = 0, xtol: float = 1.49012e-8,
    maxfev: int = -10, ml: int = -10, mu: int = -10, epsfcn: float = 0.0, factor: float = 100.0,
    diag: Any = None,
) -> Output:  # fmt: skip
    one = _Program(func, args, x0)
    ml, mu = (one.n - 1 if width < 0 else width for width in (ml, mu))
    x, info, status = _solve(
        one, one.differences(epsfcn, ml, mu), one.count_calls(ml, mu), xtol,
        maxfev if maxfev >= 0 else 200 * (one.n + 1), factor, _diagonal(diag),
    )  # fmt: skip
    del info["njev"]
    return (x, info, status) if full_output else (x, status)


def _hybrj(
    func: Any, Dfun: Any, x0: Any, args: Any = (), full_output: Any = 0, col_deriv: Any = 1,
    xtol: float = 1.49012e-8, maxfev: int = -10, factor: float = 100.0, diag: Any = None,
) -> Output:  # fmt: skip
    one = _Program(func, args, x0)
    x, info, status = _solve(
        one, one.derivatives(Dfun, bool(col_deriv)), 0, xtol,
        maxfev if maxfev >= 0 else 100 * (one.n + 1), factor, _diagonal(diag),
    )  # fmt: skip
    return (x, info, status) if full_output else (x, status)


def _solve(
    one: _Program, jacobian: Jacobian, calls: int, xtol: float, maxfev: int, bound: float,
    diag: Values | None,
) -> tuple[ndarray, dict[str, Any], int]:  # fmt: skip
    """Powell's hybrid method with Broyden's updates: ``hybrd`` and ``hybrj``."""
    n, x = one.n, one.x0.copy()
    is_scaled, status, nfev, njev = diag is None, 0, 0, 0
    diag = numpy.ones(n) if diag is None else diag
    q, low, qtf, f = numpy.zeros((n, n)), numpy.zeros((n, n)), numpy.zeros(n), one.f0
    is_proper = n > 0 and xtol >= 0 and maxfev > 0 and bound > 0 and not (diag <= 0).any()
    if is_proper:
        f, nfev = one(x), 1
    is_first, successes, failures, slow, stale = True, 0, 0, 0, 0
    delta = xnorm = fnorm = 0.0
    while is_proper and not status:
        made = steps.factor(jacobian(x, f), f, False)
        nfev, njev, is_fresh = nfev + calls, njev + 1, True
        (q,) = read(steps.orthogonal(made.packed))
        q, low, qtf = numpy.asfortranarray(q), numpy.asfortranarray(made.r.T), made.qtf
        if is_first:
            fnorm = made.norm
            diag = numpy.where(made.lengths == 0, 1, made.lengths) if is_scaled else diag
            xnorm = hypot(*(diag * x))
            delta = bound * xnorm or bound
        if is_scaled:
            diag = numpy.fmax(diag, made.lengths)
        while True:
            r = numpy.triu(low.T)
            p = -steps.bend(r, diag, qtf, delta)
            trial = x + p
            pnorm = hypot(*(diag * p))
            if is_first:
                delta = min(delta, pnorm)
            new, nfev = one(trial), nfev + 1
            (values,) = read(new)
            fnorm1, predicted = hypot(*values), qtf + r @ p
            actred = 1 - (fnorm1 / fnorm) ** 2 if fnorm1 < fnorm else -1.0
            size = hypot(*predicted)
            prered = 1 - (size / fnorm) ** 2 if size < fnorm else 0.0
            ratio = actred / prered if prered > 0 else 0.0
            if ratio < 0.1:
                successes, failures, delta = 0, failures + 1, 0.5 * delta
            else:
                successes, failures = successes + 1, 0
                if ratio >= 0.5 or successes > 1:
                    delta = max(delta, pnorm / 0.5)
                if abs(ratio - 1) <= 0.1:
                    delta = pnorm / 0.5
            if ratio >= 0.0001:
                x, f, fnorm, is_first = trial, new, fnorm1, False
                xnorm = hypot(*(diag * x))
            slow = 0 if actred >= 0.001 else slow + 1
            stale = 0 if actred >= 0.1 else stale + is_fresh
            if delta <= xtol * xnorm or fnorm == 0:
                status = 1
                break
            is_still = 0.1 * max(0.1 * delta, pnorm) <= EPSILON * xnorm
            tests = (nfev >= maxfev, is_still, stale == 5, slow == 10)
            status = max((code for code, test in enumerate(tests, 2) if test), default=0)
            if status or failures == 2:
                break
            with numpy.errstate(all="ignore"):
                turned = q.T @ values
                v = (turned - predicted) / pnorm
                v, w = steps.update(low, diag * (diag * p / pnorm), v)
            qtf = turned if ratio >= 0.0001 else qtf
            steps.rotate(q, v, w)
            steps.rotate(qtf, v, w)
            is_fresh = False
    info = {
        "fvec": f, "nfev": nfev, "njev": njev, "fjac": q.T.copy(),
        "r": low.T[numpy.triu_indices(n)], "qtf": qtf,
    }  # fmt: skip
    return one.present(x), _arrays(one, info), int(status)


def _chkder(
    m: int, n: int, x: Any, fvec: Any, fjac: Any, ldfjac: int, xp: Any, fvecp: Any, mode: int,
    err: Any,
) -> None:  # fmt: skip
    """Compare a Jacobian with differences: the neighbour of ``x`` first, the comparison then."""
    step = sqrt(EPSILON)
    if mode == 1:
        xp[:] = array_of(x._tensor.double() + (step * x._tensor.abs()).clamp(min=step))
    elif mode == 2:
        x, f, there = (v._tensor.detach().double() for v in (x, fvec, fvecp))
        # MINPACK reads the columns of a matrix whose memory has its rows one after the other.
        columns = fjac._tensor.detach().double().reshape(n, m)
        expected = torch.where(x == 0, 1, x.abs()) @ columns
        wrong = step * ((there - f) / step - expected).abs() / (f.abs() + there.abs())
        moved = (f != 0) & (there != 0) & ((there - f).abs() >= 100 * EPSILON * f.abs())
        wrong = torch.where(moved, wrong, 1)
        part = (wrong.log10() - log10(step)) / log10(step)
        part = torch.where((wrong > EPSILON) & (wrong < step), part, 1)
        err[:] = array_of(torch.where(wrong >= step, 0, part))
    else:
        raise error("Invalid mode, must be 1 or 2.")


def invert_triangle(r: ndarray) -> tuple[ndarray, int]:
    """LAPACK's ``trtri``: the inverse of an upper triangle, and the place of a zero in it."""
    t = r._tensor
    zeros = (t.diagonal() == 0).tolist()
    if any(zeros):
        return r, zeros.index(True) + 1
    eye = torch.eye(len(t), dtype=t.dtype, device=t.device)
    return array_of(torch.linalg.solve_triangular(t, eye, upper=True)), 0
