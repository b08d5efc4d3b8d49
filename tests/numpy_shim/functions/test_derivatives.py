"""``grad``, ``value_and_grad``, ``jacobian`` and ``vmap``, and programs that use them."""

from __future__ import annotations

import itertools

import numpy
import pytest
import torch

import numpy_shim as np


def parabola(x):
    return np.sum(x**2)


def test_gradient_of_arrays_numbers_and_trees():
    x = np.array([1.0, 2.0])
    assert np.grad(parabola)(x).tolist() == [2, 4]
    assert type(np.grad(parabola)(x)) is np.ndarray
    assert type(np.grad(parabola)(numpy.array([1.0, 2.0]))) is numpy.ndarray
    assert type(np.jacobian(parabola)(numpy.array([1.0, 2.0]))) is np.ndarray
    slope = np.grad(lambda x: x**3)(2.0)
    assert slope == 12
    assert type(slope) is numpy.float64
    assert np.grad(np.grad(lambda x: x**3))(2.0) == 12
    by_both = np.grad(lambda x, y: np.sum(x * y), (0, 1))(x, np.array([3.0, 4.0]))
    assert [g.tolist() for g in by_both] == [[3, 4], [1, 2]]
    by_last = np.grad(lambda x, y: np.sum(x * y), -1)(x, np.array([3.0, 4.0]))
    assert by_last.tolist() == [1, 2]
    tree = np.grad(lambda p: np.sum(p["a"] ** 2) * p["b"][0])({"a": x, "b": [2.0]})
    assert tree["a"].tolist() == [4, 8]
    assert tree["b"] == [5]


def test_value_and_what_else_the_function_returns():
    x = np.array([1.0, 2.0])
    value, slope = np.value_and_grad(parabola)(x)
    assert type(value) is numpy.float64
    assert (value, slope.tolist()) == (5, [2, 4])
    (value, aux), slope = np.value_and_grad(lambda x: (parabola(x), x + 1), has_aux=True)(x)
    assert (value, aux.tolist(), slope.tolist()) == (5, [2, 3], [2, 4])
    slope, aux = np.grad(lambda x: (parabola(x), x + 1), has_aux=True)(x)
    assert (aux.tolist(), slope.tolist()) == ([2, 3], [2, 4])


def test_what_has_no_gradient():
    with pytest.raises(TypeError, match="floating-point"):
        np.grad(np.sum)(np.arange(3))
    with pytest.raises(TypeError, match="scalar"):
        np.grad(lambda x: x)(np.ones(3))
    with pytest.raises(TypeError, match="scalar"):
        np.grad(lambda x: np.sum(x) * 1j)(np.ones(3))


@pytest.mark.parametrize("forward", [False, True])
def test_jacobian(forward):
    x = np.array([1.0, 2.0])
    found = np.jacobian(lambda x: (x**2, np.sum(x)), forward=forward)(x)
    assert [f.tolist() for f in found] == [[[2, 0], [0, 4]], [1, 1]]
    hessian = np.jacobian(np.grad(lambda x: np.sum(x**3)), forward=forward)(x)
    assert hessian.tolist() == [[6, 0], [0, 12]]


def test_vmap():
    a = np.arange(6.0).reshape(3, 2)
    assert np.vmap(np.dot)(a, a).tolist() == [1, 13, 41]
    assert np.vmap(np.dot, (0, None))(a, np.array([1.0, 2.0])).tolist() == [2, 8, 14]
    assert np.vmap(lambda x: x * 2, 1, 1)(a).tolist() == (a * 2).tolist()
    assert np.vmap(lambda x: 1.0)(a).tolist() == [1, 1, 1]
    assert np.vmap(np.grad(parabola))(a).tolist() == (2 * a).tolist()
    with pytest.raises(ValueError, match="size"):
        np.vmap(np.add)(np.ones(2), np.ones(3))


def test_compiled():
    torch._dynamo.reset()
    compiled = torch.compile(lambda x: np.grad(parabola)(x), backend="eager")
    assert compiled(np.array([1.0, 2.0])).tolist() == [2, 4]


def test_logistic_regression():
    """Gradient descent separates two clouds of points."""
    rng = numpy.random.default_rng(0)
    points = np.asarray(numpy.concatenate([rng.normal(-1, 1, (50, 2)), rng.normal(1, 1, (50, 2))]))
    labels = np.repeat(np.array([0.0, 1.0]), 50)

    def loss(weights):
        z = points @ weights["w"] + weights["b"]
        return np.mean(np.logaddexp(0, z) - labels * z)

    weights = {"w": np.zeros(2), "b": np.float64(0)}
    step = np.value_and_grad(loss)
    losses = []
    for _ in range(60):
        value, slope = step(weights)
        losses.append(value)
        weights = {name: weights[name] - 0.5 * slope[name] for name in weights}
    assert losses[0] == pytest.approx(numpy.log(2))
    assert all(b < a for a, b in itertools.pairwise(losses))
    right = (points @ weights["w"] + weights["b"] > 0) == (labels == 1)
    assert np.mean(right) > 0.85


def test_jacobian_of_a_step_of_an_equation():
    """A step of Runge and Kutta for a pendulum; differences give the same derivatives."""

    def rate(state):
        return np.stack([state[1], -np.sin(state[0])])

    def step(state, h=0.1):
        k1 = rate(state)
        k2 = rate(state + h / 2 * k1)
        k3 = rate(state + h / 2 * k2)
        k4 = rate(state + h * k3)
        return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    state = np.array([0.5, -0.2])
    found = np.jacobian(step)(state)
    for i in range(2):
        apart = np.zeros(2)
        apart[i] = 1e-6
        difference = (step(state + apart) - step(state - apart)) / 2e-6
        assert np.allclose(found[:, i], difference, atol=1e-8)
    assert np.linalg.det(found) == pytest.approx(1, abs=1e-6)  # the flow keeps areas


def test_batched_solver():
    """Newton's method for one equation, mapped over many of them."""

    def root(a, start):
        x = start
        for _ in range(8):
            value, slope = np.value_and_grad(lambda x: x**2 - a)(x)
            x = x - value / slope
        return x

    a = np.array([2.0, 9.0, 0.25])
    found = np.vmap(root, (0, None))(a, 1.0)
    assert np.allclose(found, np.sqrt(a))


@pytest.mark.parametrize("method", ["BFGS", "L-BFGS-B", "Newton-CG"])
def test_scipy_minimises_with_our_gradient(method):
    """SciPy gives NumPy's arrays, and takes the value and the gradient."""
    optimize = pytest.importorskip("scipy.optimize")

    def rosenbrock(x):
        return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)

    extra = {"hess": np.jacobian(np.grad(rosenbrock))} if method == "Newton-CG" else {}
    found = optimize.minimize(
        np.value_and_grad(rosenbrock), numpy.zeros(3), jac=True, method=method, **extra
    )
    assert found.success
    assert found.x == pytest.approx([1, 1, 1], abs=1e-4)
