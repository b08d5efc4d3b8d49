"""``scipy.integrate`` where the arrays are, beside SciPy."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy
import pytest
import scipy.integrate
import torch

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim.scipy import integrate
from numpy_shim.scipy._integrate import FUNCTIONS, ON_THE_HOST

from ...conftest import present_devices
from .beside import check_names, compare_calls

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


@pytest.fixture(params=[*present_devices(), "npy"])
def where(request: pytest.FixtureRequest) -> str:
    return str(request.param)


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


def test_methods_for_stiff_equations_compute_on_the_host():
    def solved() -> Any:
        start = np.ones(2, device="npy")
        return integrate.solve_ivp(lambda t, y: -y, (0, 1), start, method="BDF")

    with pytest.raises(TypeError, match=r"scipy\.integrate\.solve_ivp: the array is on npy"):
        solved()
    with np.allow_implicit_host_copy():
        assert solved().y[0, -1].item() == pytest.approx(numpy.exp(-1), rel=1e-2)


def test_gradients_of_a_solution():
    """The steps are differentiated: the derivative of exp(-k) by k."""
    k = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
    rate, start = np.asarray(k), np.asarray(torch.ones(1, dtype=torch.float64, requires_grad=True))
    found = integrate.solve_ivp(lambda t, y: -rate * y, (0, 1), start, rtol=1e-10, atol=1e-12)
    found.y[0, -1].tensor.backward()
    assert k.grad is not None
    assert k.grad.item() == pytest.approx(-numpy.exp(-0.7), rel=1e-8)
