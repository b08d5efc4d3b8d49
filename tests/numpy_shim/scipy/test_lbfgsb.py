"""L-BFGS-B where the arrays are, step for step beside SciPy's."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import scipy.optimize
import torch

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim.scipy import optimize
from numpy_shim.scipy._optimize import FUNCTIONS


class Valley:
    """Rosenbrock's function; its slope may be wrong."""

    start = numpy.array([-1.2, 1, 1, 1.5, 0])

    def __init__(self, wrong: float = 0) -> None:
        self.wrong = wrong

    def value(self, x: Any) -> Any:
        return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()

    def slope(self, x: Any) -> Any:
        g = 0 * x
        g[1:] += 200 * (x[1:] - x[:-1] ** 2)
        g[:-1] -= 400 * x[:-1] * (x[1:] - x[:-1] ** 2) + 2 * (1 - x[:-1])
        return g + self.wrong * (1 + g / 2)


class Quadratic:
    """A bowl that is steep in some directions and flat in others."""

    def __init__(self, n: int) -> None:
        rng = numpy.random.default_rng(n)
        a = rng.normal(size=(n, n))
        self.a, self.b = a @ a.T + numpy.eye(n), 5 * rng.normal(size=n)
        self.start = numpy.ones(n)

    def slope(self, x: Any) -> Any:
        return self.half(x) - self.place(self.b, x)

    def value(self, x: Any) -> Any:
        return x @ (self.half(x) / 2 - self.place(self.b, x))

    def half(self, x: Any) -> Any:
        return self.place(self.a, x) @ x

    @staticmethod
    def place(values: Any, x: Any) -> Any:
        return values if type(x) is numpy.ndarray else np.asarray(values, device=x.device)


class Falling:
    """A function without a minimum, but for bounds."""

    start = numpy.array([3.0, -2.0, 0.5])

    def value(self, x: Any) -> Any:
        return -(x**3).sum()

    def slope(self, x: Any) -> Any:
        return -3 * x**2


class Kinks(Falling):
    def value(self, x: Any) -> Any:
        return abs(x).sum() + ((x - 1) ** 2).sum()

    def slope(self, x: Any) -> Any:
        return 2.0 * (x > 0) - 1 + 2 * (x - 1)


class Nowhere(Falling):
    def value(self, x: Any) -> Any:
        return (x * numpy.nan).sum()


SIDES = [(0, None), (None, 0.1), (None, None), (-0.3, 0.4), (0.2, 0.2)]
PROBLEMS: dict[str, tuple[Any, dict[str, Any]]] = {
    "valley": (Valley(), {}),
    "box": (Valley(), {"bounds": [(-2, 0.5)] * 5}),
    "sides": (Valley(), {"bounds": [(-2, 0.5), (None, 0.8), (0, None), (1.5, 1.5), (None, None)]}),
    "outside": (Valley(), {"bounds": [(2, 3)] * 5}),
    "bowl": (Quadratic(10), {}),
    "bowl in a box": (Quadratic(10), {"bounds": [(-0.2, 0.3)] * 10}),
    "bowl of 60": (Quadratic(60), {"bounds": SIDES * 12}),
    "above zero": (Quadratic(60), {"bounds": [(0, None)] * 60, "ftol": 1e-14, "gtol": 1e-10}),
    "three pairs": (Quadratic(60), {"bounds": SIDES * 12, "maxcor": 3}),
    "one pair": (Quadratic(10), {"maxcor": 1}),
    "one trial": (Quadratic(60), {"bounds": [(0, None)] * 60, "maxls": 1}),
    "few steps": (Valley(), {"maxiter": 3}),
    "few calls": (Valley(), {"maxfun": 5}),
    "a wrong slope": (Valley(2), {}),
    "up": (Valley(-3), {}),
    "at the end": (Quadratic(10), {"gtol": 1e9}),
    "falling": (Falling(), {"bounds": [(-1, 4)] * 3}),
    "falling forever": (Falling(), {"maxiter": 20}),
    "kinks": (Kinks(), {}),
    "nan": (Nowhere(), {}),
}


def solve(module: Any, name: str, x0: Any) -> Any:
    problem, given = PROBLEMS[name]
    options = {key: value for key, value in given.items() if key != "bounds"}
    minimize = FUNCTIONS["minimize"] if module is optimize else scipy.optimize.minimize
    return minimize(
        problem.value, x0, jac=problem.slope, method="L-BFGS-B", bounds=given.get("bounds"),
        options=options,
    )  # fmt: skip


@pytest.mark.parametrize("name", PROBLEMS)
def test_steps_are_those_of_scipy(name: str, where: str):
    """No array crosses to the host, where that is an error."""
    start = PROBLEMS[name][0].start
    with numpy.errstate(all="ignore"):
        theirs = solve(scipy.optimize, name, start.copy())
        ours = solve(optimize, name, np.asarray(start, device=where))
    assert ours.x.device.type == ours.jac.device.type == where
    for key in ("nit", "nfev", "njev", "status", "message", "success"):
        assert ours[key] == theirs[key], key
    assert ours.x.tolist() == pytest.approx(theirs.x.tolist(), rel=1e-7, abs=1e-8)
    assert float(ours.fun) == pytest.approx(theirs.fun, rel=1e-9, abs=1e-12, nan_ok=True)
    scale = max(numpy.abs(theirs.jac).max(), 1)
    assert ours.jac.tolist() == pytest.approx(theirs.jac.tolist(), rel=1e-6, abs=1e-6 * scale)
    made, expected = ours.hess_inv.todense(), theirs.hess_inv.todense()
    assert made.device.type == where
    scale = numpy.abs(expected).max()
    numpy.testing.assert_allclose(made.tolist(), expected, rtol=1e-4, atol=1e-5 * scale)


def test_the_inverse_hessian_is_an_operator(where: str):
    found = optimize.minimize(
        Valley().value, np.asarray(Valley.start, device=where), jac=Valley().slope,
        method="L-BFGS-B",
    ).hess_inv  # fmt: skip
    assert isinstance(found, optimize.LbfgsInvHessProduct)
    one = np.arange(5.0, device=where)
    expected = found.todense() @ one
    for made in (
        found @ one,
        found.matvec(one),
        found(one),
        pickle.loads(pickle.dumps(found)) @ one,
    ):
        assert made.device.type == where
        assert made.tolist() == pytest.approx(expected.tolist())


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "slope": lambda m, x: m(Quadratic(10).value, x, Quadratic(10).slope),
    "pair": lambda m, x: m(lambda x: (Quadratic(10).value(x), Quadratic(10).slope(x)), x),
    "differences": lambda m, x: m(Quadratic(10).value, x, approx_grad=True, m=5, factr=1e5),
    "bounds": lambda m, x: m(Quadratic(10).value, x, Quadratic(10).slope, bounds=SIDES * 2),
    "no room": lambda m, x: m(Quadratic(10).value, x, Quadratic(10).slope, bounds=[(2, 2)] * 10),
}


@pytest.mark.parametrize("name", CALLS)
def test_fmin_l_bfgs_b(name: str, where: str):
    start = Quadratic(10).start
    theirs = CALLS[name](scipy.optimize.fmin_l_bfgs_b, start)
    ours = CALLS[name](FUNCTIONS["fmin_l_bfgs_b"], np.asarray(start, device=where))
    assert ours[0].device.type == ours[2]["grad"].device.type == where
    assert ours[0].tolist() == pytest.approx(theirs[0].tolist(), rel=1e-6, abs=1e-6)
    assert float(ours[1]) == pytest.approx(theirs[1], rel=1e-9)
    assert ours[2]["task"] == theirs[2]["task"]
    assert ours[2]["warnflag"] == theirs[2]["warnflag"]
    if name != "differences":
        assert (ours[2]["nit"], ours[2]["funcalls"]) == (theirs[2]["nit"], theirs[2]["funcalls"])


def test_a_callback_sees_each_step_and_may_end_them(where: str):
    seen: dict[str, list[Any]] = {"theirs": [], "ours": []}

    def follow(name: str) -> Callable[[Any], None]:
        def callback(x: Any) -> None:
            seen[name].append(x.tolist())
            if len(seen[name]) == 4:
                raise StopIteration

        return callback

    problem = Valley()
    theirs = scipy.optimize.minimize(
        problem.value, Valley.start, jac=problem.slope, method="L-BFGS-B",
        callback=follow("theirs"),
    )  # fmt: skip
    ours = FUNCTIONS["minimize"](
        problem.value, np.asarray(Valley.start, device=where), jac=problem.slope,
        method="L-BFGS-B", callback=follow("ours"),
    )  # fmt: skip
    assert (ours.nit, ours.message) == (theirs.nit, theirs.message)
    assert seen["ours"] == [pytest.approx(x) for x in seen["theirs"]]


ERRORS: dict[str, dict[str, Any]] = {
    "too many bounds": {"bounds": [(0, 1)] * 6},
    "crossed bounds": {"bounds": [(1, 0)] * 5},
    "no trials": {"options": {"maxls": 0}},
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_those_of_scipy(name: str):
    def outcome(minimize: Any, x0: Any) -> tuple[type, str]:
        with pytest.raises(ValueError, match=r"\w") as raised:
            minimize(Valley().value, x0, method="L-BFGS-B", **ERRORS[name])
        return raised.type, str(raised.value)

    start = np.asarray(Valley.start, device="npy")
    assert outcome(optimize.minimize, start) == outcome(scipy.optimize.minimize, Valley.start)


def test_a_single_variable_and_float32(where: str):
    found = optimize.minimize(
        lambda x: ((x - 3) ** 2).sum(), np.asarray(20, device=where), method="L-BFGS-B"
    )
    assert found.x.tolist() == pytest.approx([3.0], abs=1e-5)
    start = np.asarray([1, 1], dtype="float32", device=where)
    found = optimize.minimize(lambda x: ((x**2).sum(), 2 * x), start, jac=True, method="L-BFGS-B")
    theirs = scipy.optimize.minimize(
        lambda x: ((x**2).sum(), 2 * x), numpy.ones(2, "f"), jac=True, method="L-BFGS-B"
    )
    assert (found.x.dtype, found.nit) == (theirs.x.dtype, theirs.nit)


def test_a_bound_holds_the_gradient(where: str):
    """A variable at its bound does not move with a parameter; the others do."""
    p = torch.tensor([0.4, 2.0], dtype=torch.float64, device=where, requires_grad=True)
    target = np.asarray(p)
    found = optimize.minimize(
        lambda x: ((x - target) ** 2).sum() + x[0] * x[1] * target[0],
        np.zeros(2, device=where), jac="exact", method="L-BFGS-B", bounds=[(None, None), (None, 1)],
    )  # fmt: skip
    x = found.x.tensor
    assert x.tolist() == pytest.approx([0.4 * 0.5, 1.0])
    rows = [torch.autograd.grad(v, p, retain_graph=True)[0].tolist() for v in x]
    assert rows == [pytest.approx([0.5, 0]), [0, 0]]
