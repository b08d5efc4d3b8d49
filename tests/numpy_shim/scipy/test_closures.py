"""Gradients of arrays that the program's functions hold, and no argument of SciPy's function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from numpy_shim.scipy.sparse import linalg as sparse_linalg
from numpy_shim.scipy.spatial import distance

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim.scipy import differentiate, integrate, ndimage, optimize, stats

IMAGE = [[1.0, 2.0, 4.0], [3.0, 5.0, 9.0], [1.0, 1.0, 2.0]]


def infinite(p: Any, *limits: float) -> Any:
    return integrate.tanhsinh(lambda x: np.exp(-p * x * x), *limits).integral


KEPT: dict[str, Callable[[Any], Any]] = {
    "tanhsinh": lambda p: integrate.tanhsinh(lambda x: np.exp(-p * x), 0, 1).integral,
    "one end at infinity": lambda p: infinite(p, 0, np.inf),
    "two ends at infinity": lambda p: infinite(p, -np.inf, np.inf),
    "limit": lambda p: integrate.tanhsinh(lambda x: np.exp(-x), p, np.inf).integral,
    "shapes": lambda p: integrate.tanhsinh(
        lambda x: np.stack([x**p, x * p]), 0, 1, preserve_shape=True
    ).integral[0],
    "nsum": lambda p: integrate.nsum(lambda k: k**-p, 1, 30).sum,
    "nsum to infinity": lambda p: integrate.nsum(lambda k: 1 / k**p, 1, np.inf).sum,
    "nsum of both sides": lambda p: integrate.nsum(
        lambda k: 1 / (1 + k * k) ** p, -np.inf, np.inf
    ).sum,
    "solve_ivp": lambda p: decay(lambda t, y: -p * y),
    "a list": lambda p: decay(lambda t, y: [-p * y[0]]),
    "derivative": lambda p: differentiate.derivative(lambda x: x**p, 1.5).df,
    "generic_filter": lambda p: ndimage.generic_filter(np.asarray(IMAGE), lambda x: x.max() * p, 3)[
        1, 1
    ],
    "cdist": lambda p: distance.cdist(np.eye(2), np.eye(2), lambda u, v: (p * (u - v) ** 2).sum())[
        0, 1
    ],
    "product": lambda p: (operator(p) @ np.ones(2))[0],
    "cg": lambda p: sparse_linalg.cg(operator(p), np.ones(2), rtol=1e-12)[0][1],
    "without a dtype": lambda p: sparse_linalg.LinearOperator((2, 2), lambda x: p * x).matvec(
        np.ones(2)
    )[0],
    "brentq": lambda p: optimize.brentq(lambda x: x**3 - p, 0, 3, xtol=1e-14),
    "ridder": lambda p: optimize.ridder(
        lambda x, q: x**3 - q, 0, 3, (p,), full_output=True
    )[1].root,
    "toms748": lambda p: optimize.toms748(lambda x: x**3 - p, 0, 3),
    "find_root": lambda p: optimize.elementwise.find_root(lambda x: x**3 - p, (0.0, 3.0)).x,
    "a root that is met": lambda p: optimize.elementwise.find_root(
        lambda x, q: x**3 - q, (0.0, 2 * 1.7 ** (1 / 3)), args=(p,)
    ).x,
    "find_minimum": lambda p: optimize.elementwise.find_minimum(
        lambda x: well(x, p), (-1.0, 0.1, 3.0)
    ).x,
    "the least value": lambda p: optimize.elementwise.find_minimum(
        well, (-1, 0.1, 3), args=(p,)
    ).f_x,
    "fixed_point": lambda p: optimize.fixed_point(lambda x: np.sqrt(p / (x + 1)), 1.0),
    "minimize_scalar": lambda p: optimize.minimize_scalar(lambda x: well(x, p)).x,
    "bounded": lambda p: optimize.minimize_scalar(lambda x: well(x, p), bounds=(0, 3)).x,
    "brent": lambda p: optimize.brent(lambda x: well(x, p), full_output=True)[1],
    "golden": lambda p: optimize.golden(lambda x: well(x, p)),
    "fmin": lambda p: optimize.fmin(lambda x: bowl(x, p), [1, 1], disp=0, xtol=1e-9, ftol=1e-9)[0],
    "fmin_powell": lambda p: optimize.fmin_powell(
        lambda x: bowl(x, p), [1.0, 1.0], disp=0, xtol=1e-9, ftol=1e-12
    )[0],
    "fmin_bfgs": lambda p: optimize.fmin_bfgs(
        lambda x: bowl(x, p), [1.0, 1.0], "exact", full_output=True, disp=0
    )[1],
    "fmin_cg": lambda p: optimize.fmin_cg(lambda x: bowl(x, p), [1.0, 1.0], disp=0)[1],
    "fmin_ncg": lambda p: optimize.fmin_ncg(lambda x: bowl(x, p), [1.0, 1.0], "exact", disp=0)[0],
    "fmin_l_bfgs_b": lambda p: optimize.fmin_l_bfgs_b(
        lambda x: bowl(x, p), [1.0, 1.0], "exact", factr=10, pgtol=1e-9
    )[1],
    "pairs": lambda p: optimize.fmin_l_bfgs_b(
        lambda x: np.value_and_grad(bowl)(x, p), [1.0, 1.0], bounds=[(None, 0.2), (None, None)],
        pgtol=1e-9, factr=10,
    )[0].sum(),
    "fmin_tnc": lambda p: optimize.fmin_tnc(
        lambda x: bowl(x, p), [1.0, 1.0], "exact", disp=0, ftol=1e-14
    )[0][0],
}  # fmt: skip
"""What has a gradient by ``p``, by name; those in C give the call to what computes on a device."""


def decay(slope: Callable[..., Any]) -> Any:
    return integrate.solve_ivp(slope, (0, 1), [1.0], rtol=1e-10).y[0, -1]


def operator(p: Any) -> Any:
    return sparse_linalg.LinearOperator(
        (2, 2), matvec=lambda x: p * x, rmatvec=lambda x: p * x, dtype=float
    )


def well(x: Any, p: Any) -> Any:
    return (x - 1) ** 4 + p * x**2


def bowl(x: Any, p: Any) -> Any:
    return (x[0] - p) ** 2 + (x[1] - x[0] * p) ** 2 + (x[0] * x[1]) ** 4


@pytest.mark.parametrize("name", KEPT)
def test_gradients_that_are_kept(name: str):
    p = torch.tensor(1.7, dtype=torch.float64, requires_grad=True)
    found = KEPT[name](np.asarray(p))
    (slope,) = torch.autograd.grad(found.tensor, p)
    ends = [float(KEPT[name](np.asarray(1.7 + h))) for h in (1e-2, -1e-2)]
    assert found.tensor.item() == pytest.approx(sum(ends) / 2, rel=1e-3)
    assert slope.item() == pytest.approx((ends[0] - ends[1]) / 2e-2, rel=1e-3)


def density(p: Any) -> Any:
    class Mine(stats.rv_continuous):
        def _pdf(self, x: Any) -> Any:
            return p * np.exp(-p * x)

    return Mine(a=0).pdf(1.0)


def scaled(p: Any) -> Any:
    """An operator that multiplies by ``p``."""
    return sparse_linalg.LinearOperator(
        (9, 9), matvec=lambda x: p * x, rmatvec=lambda x: p * x, dtype=float
    )


LOST: dict[str, tuple[Callable[[Any], Any], str]] = {
    "quad": (lambda p: integrate.quad(lambda x: p * x, 0, 1), "use integrate.quad_vec"),
    "dblquad": (
        lambda p: integrate.dblquad(lambda x, y: p * x, 0, 1, 0, 1), "use integrate.cubature"
    ),
    "odeint": (
        lambda p: integrate.odeint(lambda y, t: -p * y, [1.0], [0, 1.0]), "use integrate.solve_ivp"
    ),
    "solve_ivp": (
        lambda p: integrate.solve_ivp(lambda t, y: -p * y, (0, 1), [1.0], method="LSODA"), "detach"
    ),
    "eigsh": (
        lambda p: sparse_linalg.eigsh(
            sparse_linalg.LinearOperator((9, 9), lambda x: p * x, dtype=float), k=1
        ),
        "detach",
    ),
    "lsqr": (lambda p: sparse_linalg.lsqr(scaled(p), np.ones(9)), "detach"),
    "svds": (lambda p: sparse_linalg.svds(scaled(p), k=1), "detach"),
    "direct": (lambda p: optimize.direct(lambda x: bowl(x, p), [(0, 1)] * 2), "detach"),
    "differential_evolution": (
        lambda p: optimize.differential_evolution(
            lambda x: bowl(x, p), [(0, 1)] * 2, maxiter=2, polish=False
        ),
        "detach",
    ),
    "constraints": (
        lambda p: optimize.minimize(
            lambda x: bowl(x, 1.0), [1.0, 1.0], method="slsqp",
            constraints={"type": "ineq", "fun": lambda x: p - x[0]},
        ),
        "detach",
    ),
    "a distribution": (density, "detach"),
}  # fmt: skip


CALLED: dict[str, Callable[[Any], Any]] = {
    "bfgs": lambda call: optimize.minimize(lambda x: bowl(x, 1.0), [1.0, 1.0], callback=call),
    "slsqp": lambda call: optimize.minimize(
        lambda x: float(bowl(x, 1.0)), [1.0, 1.0], method="SLSQP", callback=call
    ),
    "trust-constr": lambda call: optimize.minimize(
        lambda x: float(bowl(x, 1.0)), [1.0, 1.0], method="trust-constr", callback=call
    ),
    "broyden": lambda call: optimize.root(
        lambda x: [float(x[0] ** 2 - 2)], [1.0], method="broyden1", callback=call
    ),
    "differential_evolution": lambda call: optimize.differential_evolution(
        lambda x: float(bowl(x, 1.0)), [(0, 1)] * 2, rng=1, maxiter=9, polish=False, callback=call
    ),
}  # fmt: skip
"""What tells a function of its steps, by name."""


@pytest.mark.parametrize("place", ["cpu", "npy"])
@pytest.mark.parametrize("name", CALLED)
def test_what_a_callback_gives_is_no_number(name: str, place: str):
    """SciPy asks it for its truth at most: it may be anything, and a gradient in it is not lost."""
    p = torch.tensor([0.0, 1.0], dtype=torch.float64, device=place, requires_grad=True)
    gone = []

    def call(*args: Any, **kwargs: Any) -> Any:
        gone.append(1)
        return np.asarray(p)[0]

    with torch.device(place):
        assert CALLED[name](call).x is not None
    assert len(gone) > 1


def test_lists_on_a_device():
    """Where no copy is allowed, our function computes where the first result is."""
    with torch.device("npy"):
        c = np.asarray([2.0, 3.0])
        for solve in (
            lambda: optimize.newton(lambda x: x**2 - c, [1.0, 1.0]),
            lambda: optimize.root(lambda x: x**2 - c, [1.0, 1.0]).x,
            lambda: optimize.fixed_point(lambda x: (x + c / x) / 2, [1.0, 1.0]),
            lambda: integrate.solve_ivp(lambda t, y: -c * y, (0, 1), [1.0, 1.0]).y,
        ):
            assert solve().tensor.device.type == "npy"
        with pytest.raises(TypeError, match="is not copied to the host implicitly"):
            optimize.brentq(lambda x: (x**2 - c)[0], 0, 2)
        with pytest.raises(TypeError, match="is not copied to the host implicitly"):
            optimize.differential_evolution(lambda x: bowl(x, c[0]), [(0, 1)] * 2)


@pytest.mark.parametrize("name", LOST)
def test_a_gradient_is_not_lost(name: str):
    solve, words = LOST[name]
    p = torch.tensor(1.7, dtype=torch.float64, requires_grad=True)
    with pytest.raises(TypeError, match=f"gives has a gradient.*{words}") as raised:
        solve(np.asarray(p))
    assert raised.type is TypeError
    with torch.no_grad():
        solve(np.asarray(p))
    solve(np.asarray(p.detach()))


def test_an_attribute_of_an_object_loses_no_gradient():
    p = torch.tensor(1.7, dtype=torch.float64, requires_grad=True)
    with pytest.raises(TypeError, match="p: an array has a gradient"):
        stats.norm.p = np.asarray(p)


def test_a_function_whose_first_results_have_no_gradient():
    """The call begins again where the gradient is, and no result is one of another point."""
    p = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)

    def ramp(x: Any) -> Any:
        return np.asarray(p) * x if x > 0.6 else np.zeros(())

    value, _ = integrate.quad_vec(ramp, 0, 1, points=[0.6])
    assert value.tensor.item() == pytest.approx(0.64)
    (slope,) = torch.autograd.grad(value.tensor, p)
    assert slope.item() == pytest.approx(0.32)
