"""``scipy.integrate`` where the arrays are, beside SciPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy
import pytest
import scipy.integrate
import torch

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim.scipy import integrate, sparse
from numpy_shim.scipy._integrate import FUNCTIONS, ON_THE_HOST
from tests.slow import slow

from ...conftest import present_devices
from .beside import check_names, compare_calls, outcome

OBJECTS = {
    name
    for name in scipy.integrate.__all__
    if callable(value := getattr(scipy.integrate, name)) and not isinstance(value, FunctionType)
}
T = numpy.array([0.0, 0.5, 0.6, 1.5, 2.0, 3.5, 4.0, 4.25, 5.0])
Y = numpy.cos(T)
M = numpy.random.default_rng(0).normal(size=(3, 9))
CALLS: list[tuple[Any, ...]] = [
    ("trapezoid", Y, T), ("trapezoid", M, {"dx": 0.5, "axis": 1}), ("trapezoid", M, T),
    ("trapezoid", Y.astype("f"), T), ("trapezoid", Y[:1]),
    ("trapezoid", numpy.arange(5)), ("simpson", Y, {"x": T}), ("simpson", Y[:8], {"x": T[:8]}),
    ("simpson", M, {"dx": 0.1, "axis": 0}), ("simpson", M, {"x": T}), ("simpson", numpy.arange(4)),
    ("romb", Y), ("romb", M, {"dx": 0.5, "axis": 1}), ("romb", Y[:4]),
    ("cumulative_trapezoid", Y, T), ("cumulative_trapezoid", M, {"initial": 0}),
    ("cumulative_trapezoid", M, {"axis": 0}), ("cumulative_trapezoid", Y, T[::-1]),
    ("cumulative_simpson", Y, {"x": T}), ("cumulative_simpson", M, {"dx": 0.5, "initial": 1.0}),
    ("cumulative_simpson", Y[:2], {"x": T[:2]}),
]  # fmt: skip


def test_every_public_name_runs_here_or_says_why_not():
    check_names(scipy.integrate, FUNCTIONS, ON_THE_HOST, OBJECTS)


@pytest.mark.parametrize("case", range(len(CALLS)))
def test_samples(case: int, where: str):
    """On the device an array that would cross to the host is an error."""
    name, *args = CALLS[case]
    kwargs = args.pop() if isinstance(args[-1], dict) else {}
    compare_calls(FUNCTIONS[name], getattr(scipy.integrate, name), args, kwargs, where)


DECAY = numpy.array([[-1.0, 0.2], [0.1, -0.5]])


@pytest.mark.parametrize("method", ["RK23", "RK45", "DOP853"])
def test_solve_ivp(method: str, where: str):
    rates = np.asarray(DECAY, device=where)
    start, at = np.asarray([1.0, 2.0], device=where), np.asarray([0.5, 1.0, 2.0], device=where)
    options: dict[str, Any] = {"method": method, "rtol": 1e-8, "dense_output": True}
    ours = FUNCTIONS["solve_ivp"](lambda t, y: rates @ y, (0, 2), start, t_eval=at, **options)
    theirs = scipy.integrate.solve_ivp(
        lambda t, y: DECAY @ y, (0, 2), [1.0, 2.0], t_eval=[0.5, 1.0, 2.0], **options
    )
    assert ours.y.device.type == where
    numpy.testing.assert_allclose(ours.y.tensor.cpu().numpy(), theirs.y, rtol=1e-12)
    numpy.testing.assert_allclose(
        ours.sol(at).tensor.cpu().numpy(), theirs.sol(theirs.t), rtol=1e-12
    )
    assert (ours.nfev, ours.status, ours.message) == (theirs.nfev, theirs.status, theirs.message)


def is_positive(t: float, y: Any) -> Any:
    return y[0] - 0.5


STIFF: dict[str, Callable[[Any, Callable[..., Any]], tuple[Any, ...]]] = {
    "linear": lambda xp, moved: (lambda t, y: moved(DECAY * [1, 1000]) @ y, (0, 2), [1.0, 2.0], {}),
    "van der Pol": lambda xp, moved: (
        lambda t, y: xp.stack([y[1], 20 * (1 - y[0] ** 2) * y[1] - y[0]]),
        (0, 10), [2.0, 0.0], {"rtol": 1e-6, "atol": moved([1e-8, 1e-7])},
    ),
    "constant Jacobian": lambda xp, moved: (
        lambda t, y: moved(DECAY) @ y, (0, 2), [1, 2], {"jac": moved(DECAY), "first_step": 0.1},
    ),
    "Jacobian": lambda xp, moved: (
        lambda t, y, a, b: a @ y + b, (0, 2), [1.0, 2.0],
        {"args": (moved(DECAY), 1.0), "jac": lambda t, y, a, b: a, "max_step": 0.5},
    ),
    "backwards": lambda xp, moved: (lambda t, y: -y, (2, 0), [1.0], {"dense_output": True}),
    "all at once": lambda xp, moved: (lambda t, y: -y, (0, 1), [1.0, 2.0], {"vectorized": True}),
    "complex": lambda xp, moved: (lambda t, y: 1j * y, (0, 2), [1 + 1j, 2.0], {}),
    "at rest": lambda xp, moved: (lambda t, y: 0 * y, (0, 2), [1.0, 2.0], {}),
    "event": lambda xp, moved: (lambda t, y: -y, (0, 2), [1.0], {"events": is_positive}),
    "another Jacobian": lambda xp, moved: (lambda t, y: -y, (0, 2), [1.0], {"jac": moved(DECAY)}),
}  # fmt: skip


@pytest.mark.parametrize("method", ["Radau", "BDF"])
@pytest.mark.parametrize("case", STIFF)
def test_methods_for_stiff_equations(case: str, method: str, where: str):
    """The same steps, and as many calls and factorisations."""

    def solve(module: Any, xp: Any, moved: Callable[..., Any]) -> Any:
        fun, span, start, options = STIFF[case](xp, moved)
        return module.solve_ivp(fun, span, moved(start), method, **options)

    theirs = outcome(solve, (scipy.integrate, numpy, numpy.asarray), {})
    with torch.device(where):
        native = SimpleNamespace(solve_ivp=FUNCTIONS["solve_ivp"])
        ours = outcome(solve, (native, np, partial(np.asarray, device=where)), {})
    if isinstance(theirs, Exception):
        assert (type(ours), str(ours)) == (type(theirs), str(theirs))
        return
    assert not isinstance(ours, Exception), ours
    for name in ("nfev", "njev", "nlu", "status", "message"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert (ours.y.device.type, ours.y.dtype) == (where, theirs.y.dtype)
    pairs = [(ours.t, theirs.t), (ours.y, theirs.y)]
    pairs += list(zip(ours.t_events or (), theirs.t_events or (), strict=True))
    for one, other in pairs:
        got = one.tensor.cpu().numpy()
        numpy.testing.assert_allclose(got, other, rtol=1e-8, atol=1e-8 * abs(other).max(initial=0))


@pytest.mark.parametrize("options", [
    {"method": "LSODA"}, {"method": "BDF", "jac_sparsity": numpy.eye(2)},
    {"method": "Radau", "jac": sparse.csr_array(-numpy.eye(2))},
])  # fmt: skip
def test_sparse_systems_are_solved_on_the_host(options: dict[str, Any]):
    def solved() -> Any:
        return integrate.solve_ivp(lambda t, y: -y, (0, 1), np.ones(2, device="npy"), **options)

    with pytest.raises(TypeError, match=r"scipy\.integrate\.solve_ivp: the array is on npy"):
        solved()
    with np.allow_implicit_host_copy():
        assert solved().y[0, -1].item() == pytest.approx(numpy.exp(-1), rel=1e-2)


STIFF = [
    (method, place) if place != "npy" else slow((method, place))
    for place in [*present_devices(), "npy"]
    for method in ("Radau", "BDF")
]


@pytest.mark.parametrize(("method", "where"), STIFF)
def test_gradients_of_stiff_equations(method: str, where: str):
    """The reaction of Robertson, beside differences of solutions that are more exact."""

    def last(xp: Any, k: Any, start: Any, rtol: float) -> Any:
        def rates(t: float, y: Any) -> Any:
            first, second, third = k * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] ** 2
            return xp.stack([second - first, first - second - third, third])

        module = integrate if xp is np else scipy.integrate
        options: dict[str, Any] = {"rtol": rtol, "atol": rtol * 1e-4}
        return module.solve_ivp(rates, (0, 40), start, method, **options).y[0, -1]

    k = torch.tensor(0.04, dtype=torch.float64, device=where, requires_grad=True)
    start = torch.tensor([1.0, 0, 0], dtype=torch.float64, device=where, requires_grad=True)
    found = last(np, np.asarray(k), np.asarray(start), 1e-8).tensor
    by_k, by_start = torch.autograd.grad(found, [k, start])
    step = 1e-5 * numpy.eye(4)
    theirs = [
        (last(numpy, 0.04 + d[0], [1 + d[1], *d[2:]], 1e-11)
         - last(numpy, 0.04 - d[0], [1 - d[1], *-d[2:]], 1e-11)) / 2e-5
        for d in step
    ]  # fmt: skip
    got = [by_k.item(), *by_start.tolist()]
    numpy.testing.assert_allclose(got, theirs, rtol=2e-6)


INTEGRALS: dict[str, Callable[..., Any]] = {
    "quad_vec": lambda m, f, a: m.quad_vec(f, 0, 1)[0],
    "quad_vec, all": lambda m, f, a: m.quad_vec(f, 0, 1, full_output=True)[2].integrals,
    "quad_vec, without an end": lambda m, f, a: m.quad_vec(f, 0, numpy.inf, quadrature="gk21")[0],
    "quad_vec, trapezoids": lambda m, f, a: m.quad_vec(
        f, 0, 1, quadrature="trapezoid", epsrel=1e-3
    )[0],
    "quad_vec, args": lambda m, f, a: m.quad_vec(lambda x, _: f(x), 0, 1, args=(a,))[0],
    "cubature": lambda m, f, a: m.cubature(lambda x: f(x), [0.0], a[:1]).estimate,
    "tanhsinh": lambda m, f, a: m.tanhsinh(lambda x, b: b * x, 0.0, 1.0, args=(a,)).integral,
    "nsum": lambda m, f, a: m.nsum(lambda k, b: k ** -(1 + b), 1, 9, args=(a,)).sum,
    "fixed_quad": lambda m, f, a: m.fixed_quad(lambda x, b: b[:, None] * x, 0, 1, args=(a,))[0],
}


@pytest.mark.parametrize("case", INTEGRALS)
def test_integrals_where_the_results_are(case: str, where: str):
    """The function is called as often as by SciPy, and its gradient is kept."""
    values, calls = numpy.array([1.0, 2.0, 3.0]), []

    def solve(module: Any, xp: Any, a: Any) -> Any:
        calls.append(0)

        def function(x: Any) -> Any:
            calls[-1] += 1
            return xp.exp(-a * x)

        return INTEGRALS[case](module, function, a)

    theirs = solve(scipy.integrate, numpy, values)
    tensor = torch.tensor(values, device=where, requires_grad=True)
    ours = solve(integrate, np, np.asarray(tensor))
    assert calls[0] == calls[1]
    assert ours.device.type == where
    numpy.testing.assert_allclose(ours.tensor.detach().cpu().numpy(), theirs, rtol=1e-12)
    (found,) = torch.autograd.grad(ours.tensor.sum(), tensor)
    step = 1e-6 * values
    ends = [INTEGRALS[case](scipy.integrate, lambda x, v=v: numpy.exp(-v * x), v).sum(0)
            for v in (values + step, values - step)]  # fmt: skip
    by_hand = numpy.sum((ends[0] - ends[1]) / 2e-6)
    assert float((found.cpu() * torch.tensor(values)).sum()) == pytest.approx(by_hand, rel=1e-6)


@pytest.mark.parametrize("ends", [(0.0, 4.0), (-numpy.inf, numpy.inf)])
def test_limits_of_numbers_on_the_default_device(ends: tuple[float, float], where: str):
    """Where no argument is an array, all is on the default device."""
    theirs = scipy.integrate.cubature(lambda x: numpy.exp(-(x[:, 0] ** 2)), *[[x] for x in ends])
    with torch.device(where):
        ours = integrate.cubature(lambda x: np.exp(-(x[:, 0] ** 2)), *[[x] for x in ends])
        found = np.asarray(ours.estimate)
    assert found.device.type == where
    assert ours.subdivisions == theirs.subdivisions
    assert float(found.tensor) == pytest.approx(theirs.estimate, rel=1e-12)


def test_points_of_gauss_are_where_the_arrays_are():
    for device in ("npy", "cpu"):
        weights = np.ones(2, device=device)
        found, _ = FUNCTIONS["fixed_quad"](lambda x, w: w[:, None] * x, 0, 1, (weights,), n=7)
        assert found.device.type == device


def test_gradients_of_a_solution():
    """The steps are differentiated: the derivative of exp(-k) by k."""
    k = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
    rate, start = np.asarray(k), np.asarray(torch.ones(1, dtype=torch.float64, requires_grad=True))
    found = integrate.solve_ivp(lambda t, y: -rate * y, (0, 1), start, rtol=1e-10, atol=1e-12)
    found.y[0, -1].tensor.backward()
    assert k.grad is not None
    assert k.grad.item() == pytest.approx(-numpy.exp(-0.7), rel=1e-8)
