"""Exact derivatives for the solvers of ``optimize``, and those of their solutions."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy
import pytest
import scipy.optimize
import torch

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim.scipy import optimize
from tests.slow import slow

from ...conftest import present_devices

HERE = torch.tensor([0.7, 1.3], dtype=torch.float64)
T = numpy.linspace(0, 3, 20)
Y = numpy.cos(T)
TIGHT = {"xtol": 1e-14, "ftol": 1e-14}


def bowl(x: Any, p: Any) -> Any:
    return ((x - p) ** 2).sum() + (x[0] * p[1] - x[1]) ** 4


def system(x: Any, p: Any) -> Any:
    return np.stack([x[0] * np.cos(x[1]) - p[0], x[1] * x[0] - x[1] - p[1]])


def decay(x: Any, p: Any) -> Any:
    t, y = (np.asarray(v, device=x.device) for v in (T, Y))
    return np.exp(-x[0] * t) + x[1] * t / 5 - p[1] * y - p[0] / 3


def at(p: Any, start: Any) -> Any:
    return np.asarray(start, dtype="float64", device=p.device)


def minimized(p: Any, **given: Any) -> Any:
    return optimize.minimize(lambda x: bowl(x, p), at(p, [0, 0]), tol=1e-10, **given)


def fitted(p: Any, place: int = 0, **given: Any) -> Any:
    t, y = at(p, T), at(p, Y) * p[1]
    given = {key: make(p, t) if callable(make) else make for key, make in given.items()}
    return optimize.curve_fit(
        lambda t, a, b: a * np.cos(t * p[0]) + b**3 * t / 5, t, y, jac="exact", **TIGHT | given
    )[place]


def weights(p: Any, t: Any) -> Any:
    return p[0] + t


SOLUTIONS: dict[str, Callable[[Any], Any]] = {
    "bfgs": lambda p: minimized(p, jac="exact").x,
    "differences": lambda p: minimized(p).x,
    "value": lambda p: minimized(p, jac="exact").fun,
    "newton-cg": lambda p: minimized(p, jac="exact", hess="exact", method="newton-cg").x,
    "trust-ncg": lambda p: minimized(p, jac="exact", hess="exact", method="trust-ncg").x,
    "trust-exact": lambda p: minimized(p, jac="exact", hess="exact", method="trust-exact").x,
    "l-bfgs-b": lambda p: minimized(p, jac="exact", method="l-bfgs-b").x,
    "in a box": lambda p: minimized(p, jac="exact", bounds=[(None, 0.5), (None, 9)]).x,
    "on its edge": lambda p: minimized(p, jac="exact", bounds=[(0.9, None), (1.1, 1.1)]).x,
    "pair": lambda p: minimized_with_pairs(p).x,
    "args": lambda p: optimize.minimize(
        bowl, at(p, [0, 0]), args=(p,), jac="exact", method="cg", options={"gtol": 1e-10}
    ).x,
    "fsolve": lambda p: optimize.fsolve(system, at(p, [1, 1]), args=p, fprime="exact", xtol=1e-13),
    "columns": lambda p: optimize.fsolve(
        system, at(p, [1, 1]), (p,), "exact", col_deriv=True, xtol=1e-13
    ),
    "root": lambda p: optimize.root(system, at(p, [1, 1]), p, jac="exact", tol=1e-13).x,
    "root-lm": lambda p: optimize.root(system, at(p, [1, 1]), p, "lm", jac="exact", tol=1e-13).x,
    "trf": lambda p: squares(p, method="trf").x,
    "lm": lambda p: squares(p, method="lm").x,
    "cost": lambda p: squares(p).cost,
    "soft_l1": lambda p: squares(p, loss="soft_l1", f_scale=0.3).x,
    "cauchy": lambda p: squares(p, loss="cauchy").x,
    "at a bound": lambda p: squares(p, bounds=([-5, -5], [5, 0.5])).x,
    "leastsq": lambda p: optimize.leastsq(decay, at(p, [1, 1]), p, Dfun="exact", **TIGHT)[0],
    "curve_fit": fitted,
    "sigma": partial(fitted, sigma=weights),
    "covariance": partial(fitted, place=1),
    "absolute": partial(fitted, place=1, sigma=weights, absolute_sigma=True),
    "matrix": partial(fitted, sigma=lambda p, t: np.diag(weights(p, t)) + p[1]),
    "newton": lambda p: optimize.newton(lambda x: x**3 - p, at(p, [1, 1]), tol=1e-13),
}  # fmt: skip
"""Solutions of problems that have two parameters, by name."""


def minimized_with_pairs(p: Any) -> Any:
    def both(x: Any) -> Any:
        return np.value_and_grad(bowl)(x, p)

    return optimize.minimize(both, at(p, [0, 0]), jac=True, tol=1e-10)


def squares(p: Any, **given: Any) -> Any:
    return optimize.least_squares(
        decay, at(p, [1, 0]), jac="exact", args=(p,), gtol=1e-13, **TIGHT | given
    )


def compare_slopes(function: Callable[[Any], Any], where: str) -> None:
    """Gradients beside differences of solutions, each element with a weight of its own."""

    def weighed(p: Any) -> Any:
        found = np.asarray(function(p)).reshape(-1)
        return (found * np.arange(1.0, found.size + 1, device=p.device)).sum()

    p = HERE.clone().to(where).detach().requires_grad_()
    weighed(np.asarray(p)).tensor.backward()
    assert p.grad is not None
    h = 1e-3
    for i, slope in enumerate(p.grad.tolist()):
        ends = [weighed(np.asarray((HERE + s * h * torch.eye(2)[i]).to(where))) for s in (1, -1)]
        assert slope == pytest.approx(float(ends[0] - ends[1]) / (2 * h), rel=1e-3, abs=1e-3)
    if function is HOSTS["slsqp"]:
        with pytest.raises(TypeError, match=r"an array is in a transform of torch\.func"):
            np.grad(weighed)(np.asarray(HERE))
        return
    again = np.grad(weighed)(np.asarray(HERE.to(where)))
    assert again.tolist() == pytest.approx(p.grad.tolist(), rel=1e-6, abs=1e-9)


ON_THE_DEVICE = ("args", "curve_fit", "fsolve", "in a box", "lm", "newton", "trust-exact")
"""Solutions that are found on npy in each run; the others take long there."""
PLACES = [
    (name, place) if place != "npy" or name in ON_THE_DEVICE else slow((name, place))
    for place in [*present_devices(), "npy"]
    for name in SOLUTIONS
]


@pytest.mark.parametrize(("name", "place"), PLACES)
def test_the_gradient_of_a_solution(name: str, place: str):
    compare_slopes(SOLUTIONS[name], place)


def cubic(p: Any) -> Callable[[Any], Any]:
    return lambda x: x**3 - p[0] - p[1]


HOSTS: dict[str, Callable[[Any], Any]] = {
    "slsqp": lambda p: minimized(p, jac="exact", method="slsqp").x,
    "secant": lambda p: optimize.root_scalar(cubic(p), x0=1.0, x1=1.1).root,
    "brentq": lambda p: optimize.root_scalar(cubic(p), bracket=(0, 3), xtol=1e-13).root,
    "exact": lambda p: optimize.root_scalar(cubic(p), x0=1.0, fprime="exact").root,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTS)
def test_solvers_in_c_have_it_too(name: str):
    compare_slopes(HOSTS[name], "cpu")


@pytest.mark.parametrize("forward", [True, False])
def test_jacobians_of_solutions(where: str, forward: bool):
    p = np.asarray(HERE.to(where))
    found = np.jacobian(lambda p: optimize.fsolve(system, at(p, [1, 1]), p), forward=forward)(p)
    x = optimize.fsolve(system, at(p, [1, 1]), p)
    expected = -np.linalg.inv(np.jacobian(system)(x, p)) @ np.jacobian(system, 1)(x, p)
    assert found.tolist() == [pytest.approx(row) for row in expected.tolist()]


def test_exact_derivatives_take_fewer_calls(where: str):
    x0, calls = np.zeros(3, device=where), []

    def valley(x: Any) -> Any:
        calls.append(1)
        return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()

    found = optimize.minimize(valley, x0, jac="exact")
    expected = scipy.optimize.minimize(
        scipy.optimize.rosen, numpy.zeros(3), jac=scipy.optimize.rosen_der
    )
    assert (found.nit, found.nfev, found.njev) == (expected.nit, expected.nfev, expected.njev)
    assert found.x.tolist() == pytest.approx(expected.x.tolist(), abs=1e-9)
    assert len(calls) == found.nfev + found.njev
    assert optimize.minimize(optimize.rosen, x0, jac="exact").x.tolist() == found.x.tolist()


def test_the_start_has_no_influence(where: str):
    start = torch.ones(2, dtype=torch.float64, device=where, requires_grad=True)
    optimize.fsolve(lambda x: x**2 - 2, np.asarray(start)).tensor.sum().backward()
    assert start.grad is not None
    assert start.grad.tolist() == [0, 0]


def test_what_is_not_exact_is_scipys_error():
    for solver in (optimize.minimize, scipy.optimize.minimize):
        with pytest.raises(ValueError, match="Jacobian is required for Newton-CG method"):
            solver(lambda x: (x**2).sum(), numpy.ones(2), jac="exactly", method="newton-cg")


REFUSED: list[Callable[[Any], Any]] = [
    lambda p: minimized(p, constraints={"type": "eq", "fun": lambda x: x[0] - 0.5}),
    lambda p: minimized(p, method="trust-constr", bounds=[(0, 0.5)] * 2),
    lambda p: optimize.least_squares(decay, [1, 0], args=(HERE,), bounds=([-5, -5], p + 5)),
    lambda p: fitted(p, method="trf", loss="huber"),
    lambda p: fitted(p, check_finite=False, nan_policy="omit"),
]


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_a_gradient_is_not_lost(case: int):
    with pytest.raises(TypeError, match="an array has a gradient"):
        REFUSED[case](np.asarray(HERE.clone().requires_grad_()))


def test_a_solution_that_is_not_alone():
    p = np.asarray(HERE.clone().requires_grad_())
    with pytest.raises(np.linalg.LinAlgError, match="not alone"):
        optimize.minimize(lambda x: (x[0] - p[0]) ** 2, np.zeros(2))


def test_functions_that_go_to_other_processes():
    from numpy_shim.scipy._solutions import SOLVERS, _Problem, _Watched

    one = _Watched(_Problem("optimize.root", SOLVERS["optimize.root"], {"fun": system}), system)
    assert pickle.loads(pickle.dumps(one)) is system
