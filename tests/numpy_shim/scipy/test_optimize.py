"""``scipy.optimize`` where the arrays are: SciPy's own Python code."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy
import pytest
import scipy.optimize
import torch

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim.scipy import optimize
from numpy_shim.scipy._optimize import FUNCTIONS, ON_THE_HOST

from .beside import check_names

OBJECTS = {
    name
    for name in scipy.optimize.__all__
    if callable(value := getattr(scipy.optimize, name)) and not isinstance(value, FunctionType)
}


def test_every_public_name_runs_here_or_says_why_not():
    check_names(scipy.optimize, FUNCTIONS, ON_THE_HOST, OBJECTS - {"linear_sum_assignment"})


def distance(p: Any) -> Any:
    return ((p - 1) ** 2).sum() + (p[0] - p[1]) ** 4


METHODS = ("nelder-mead", "powell", "cg", "bfgs", "l-bfgs-b", None)


@pytest.mark.parametrize("method", METHODS)
def test_minimize(method: str | None):
    """No array crosses to the host, where that is an error."""
    found = optimize.minimize(distance, np.zeros(3, device="npy"), method=method)
    theirs = scipy.optimize.minimize(distance, numpy.zeros(3), method=method)
    assert found.x.device.type == "npy"
    assert found.x.tolist() == pytest.approx(theirs.x.tolist(), abs=1e-4)
    assert found.nit == theirs.nit
    assert isinstance(found, optimize.OptimizeResult)


def test_least_squares_and_roots():
    a = numpy.random.default_rng(0).normal(size=(4, 3))
    on_device = np.asarray(a, device="npy")
    found = optimize.least_squares(lambda p: on_device @ p - 1, np.zeros(3, device="npy"))
    theirs = scipy.optimize.least_squares(lambda p: a @ p - 1, numpy.zeros(3))
    assert found.x.tolist() == pytest.approx(theirs.x.tolist(), abs=1e-7)
    start = np.asarray([1.0, 2.0, 3.0], device="npy")
    assert optimize.newton(lambda x: x**2 - 2, start).tolist() == pytest.approx([2**0.5] * 3)
    x = optimize.root(lambda x: x**2 - 2, start, method="anderson").x
    assert x.tolist() == pytest.approx([2**0.5] * 3)


def test_methods_in_c_compute_on_the_host():
    def bounded() -> Any:
        x0 = np.zeros(2, device="npy")
        return optimize.minimize(distance, x0, method="slsqp", bounds=[(0, 0.5)] * 2)

    with pytest.raises(TypeError, match=r"scipy\.optimize\.minimize: the array is on npy"):
        bounded()
    with np.allow_implicit_host_copy():
        assert bounded().x.tolist() == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize("error", [ValueError, TypeError])
def test_an_error_of_the_programs_function_is_raised_once(error: type[Exception]):
    calls = []

    def failing(p: Any) -> Any:
        calls.append(p)
        raise error("mine")

    with pytest.raises(error, match="mine"), np.allow_implicit_host_copy():
        optimize.minimize(failing, np.zeros(2, device="npy"))
    assert len(calls) == 1


@pytest.mark.parametrize("shape", [(20, 8), (8, 20), (5, 5), (1, 3), (3, 1), (3, 0)])
def test_nnls(shape: tuple[int, int]):
    """No array crosses to the host, where that is an error."""
    rng = numpy.random.default_rng(0)
    a, b = rng.normal(size=shape), rng.normal(size=shape[0])
    theirs = scipy.optimize.nnls(a, b) if a.size else (numpy.zeros(0), numpy.linalg.norm(b))
    x, norm = optimize.nnls(*(np.asarray(v, device="npy") for v in (a, b)))
    assert x.device.type == "npy"
    assert x.tolist() == pytest.approx(theirs[0].tolist())
    assert norm == pytest.approx(theirs[1], abs=1e-12)
    assert type(norm) is float or not a.size


def test_gradients_of_nnls():
    """Those of the variables at 0 are 0."""
    rng = numpy.random.default_rng(0)
    given = [torch.tensor(rng.normal(size=n), requires_grad=True) for n in ((9, 5), 9)]

    def solve(*tensors: torch.Tensor) -> Any:
        return tuple(v.tensor for v in optimize.nnls(*map(np.asarray, tensors)))

    assert 0 in solve(*given)[0].tolist()
    assert torch.autograd.gradcheck(solve, given)
    assert torch.autograd.gradgradcheck(lambda *v: solve(*v)[0], given)
    a, b = (np.asarray(v.detach()) for v in given)
    (slope,) = torch.autograd.grad(solve(*given)[1], given[1])
    assert np.grad(lambda b: optimize.nnls(a, b)[1])(b).tolist() == pytest.approx(slope.tolist())


def test_errors_of_nnls_are_those_of_scipy():
    a = np.asarray(abs(numpy.random.default_rng(0).normal(size=(20, 10))), device="npy")
    with pytest.raises(RuntimeError, match="Maximum number of iterations"):
        optimize.nnls(a, np.ones(20, device="npy"), maxiter=1)
    with pytest.raises(ValueError, match="Incompatible dimensions"):
        optimize.nnls(a, np.ones(2, device="npy"))


def test_gradients():
    t = torch.tensor([0.3, 0.5, 0.7], dtype=torch.float64, requires_grad=True)
    optimize.rosen(np.asarray(t)).tensor.backward()
    expected = scipy.optimize.rosen_der(t.detach().numpy())
    assert t.grad is not None
    assert t.grad.tolist() == pytest.approx(expected.tolist())
