"""``export``: names, fixed arguments, weights, and what is refused, with its line."""

from __future__ import annotations

import warnings
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

import numpy_shim
import xp_torch
from numpy_shim.exceptions import ExportError

X = np.linspace(0.5, 2.0, 6)
KERNEL = np.array([0.25, 0.5, 0.25])
PARAMETERS = {"w": np.full((6, 2), 0.5), "b": np.ones(2)}
SEEN: list[int] = []
COUNT = 0


class State(NamedTuple):
    mean: Any
    spread: Any


def names(ports: Any) -> list[str]:
    return [port.name for port in ports]


def test_names_of_inputs_and_outputs():
    """Arguments, fields and keys have names; other results have numbers."""

    def f(state, pair, table, *rest, scale):
        return State(state.mean + pair[0], {"b c": table["k"] * scale}), rest[0]

    made = numpy_shim.export(
        f, State(X, X), (X, 2), {"k": X}, X, keywords={"scale": np.float64(2.0)}
    )
    inputs = ["state_mean", "state_spread", "pair_0", "table_k", "rest_0", "scale"]
    assert names(made.inputs) == inputs
    assert names(made.outputs) == ["result_0_mean", "result_0_spread_b_c", "result_1"]
    found = made(State(X, X), (X, 2), {"k": X}, X, scale=np.float64(3.0))
    assert type(found) is tuple
    assert type(found[0]) is State
    np.testing.assert_allclose(found[0].spread["b c"], 3 * X)


@pytest.mark.parametrize(("function", "expected"), [
    (lambda x: x + 1, ["result"]),
    (lambda x: (x + 1, x.sum()), ["result_0", "result_1"]),
    (lambda x: {"y": x + 1, "x": x * 2}, ["y", "result_x"]),
    (lambda x: State(x, [x]), ["mean", "spread_0"]),
])  # fmt: skip
def test_names_of_results(function: Any, expected: list[str]):
    """An output never has the name of an input."""
    assert names(numpy_shim.export(function, X).outputs) == expected


def test_names_that_are_taken():
    """Words of Python and the names of modules' own attributes get a word before them."""
    training = np.ones(6)
    made = numpy_shim.export(lambda table: table["class"] * training, {"class": X})
    assert names(made.inputs) == ["table_class"]
    assert list(made.program.state_dict) == ["weight_training"]
    made = numpy_shim.export(lambda **rest: rest["x"] + 1, keywords={"x": X})
    assert names(made.inputs) == ["rest_x"]


def test_kinds_of_results():
    """Scalars, numbers, None and text come back as what they were; sizes follow the input."""

    def f(x):
        return x.sum(), len(x), None, "text", x.max() > 1

    made = numpy_shim.export(f, X, dynamic={"x": "n"})
    total, size, nothing, text, large = made(np.array([1.0, 2.0, 3.0]))
    assert (type(total), total) == (np.float64, 6.0)
    assert (type(size), size, nothing, text) == (int, 3, None, "text")
    assert type(large) is np.bool_


def test_kinds_of_arrays():
    """NumPy's arrays give NumPy's, ours give ours, tensors give tensors."""
    made = numpy_shim.export(lambda x: x * 2, X)
    assert type(made(X)) is np.ndarray
    assert type(made(numpy_shim.asarray(X))) is numpy_shim.ndarray
    assert isinstance(made(torch.from_numpy(X)), torch.Tensor)
    ours = numpy_shim.export(lambda x: x * 2, numpy_shim.asarray(X))
    np.testing.assert_array_equal(ours(X), 2 * X)


def test_other_calls_are_refused():
    made = numpy_shim.export(lambda x, n: x[:4] * n, X, 2, dynamic={"x": "n"})
    for arguments, message in [
        ((X, 3), "n is fixed to 2; got 3"), ((X[:, None], 2), r"x: float64 \(n,\) got the shape"),
        ((X.astype("f4"), 2), "x must be of dtype float64; got float32"), ((X,), "missing"),
        (("text", 2), "x is an array; got str"),
    ]:  # fmt: skip
        with pytest.raises((TypeError, ValueError), match=message):
            made(*arguments)


def test_weights_have_their_names():
    """Arrays closed over are copies, under the names that the program has for them."""
    shift = np.ones(6)

    def f(x, *, gain=np.full(6, 2.0)):  # noqa: B008 - a default that is an array
        return (gain * x + shift) @ PARAMETERS["w"] + PARAMETERS["b"] + KERNEL.sum()

    made = numpy_shim.export(f, X)
    expected = {"gain", "shift", "PARAMETERS_w", "PARAMETERS_b", "KERNEL"}
    assert set(made.program.state_dict) == expected
    right = f(X)
    shift += 1
    np.testing.assert_allclose(made(X), right)


def test_written_arguments_are_outputs():
    """The program leaves inputs as they are, and says what is written to them."""

    def step(a, b):
        b *= 2
        a += b
        return a

    made = numpy_shim.export(step, X, X)
    assert names(made.outputs) == ["result", "b_written"]
    tensors = [torch.from_numpy(X.copy()) for _ in range(2)]
    result = made.program.module()(*tensors)
    np.testing.assert_array_equal(tensors[0], X)
    np.testing.assert_allclose(result["result"], 3 * X)
    a, b = X.copy(), X.copy()
    assert made(a, b) is a
    np.testing.assert_allclose(b, 2 * X)


# --- what is refused ---


def mask(x):
    y = x + 1
    return y[y > 2].sum()


def branch(x):
    if x.sum() > 0:
        return x
    return -x


def number(x):
    return x * float(x.max())


def random(x):
    return x + np.random.normal(size=6)


def appends(x):
    SEEN.append(1)
    return x


def binds(x):
    global COUNT
    COUNT = COUNT + 1
    return x + COUNT


def writes_weight(x):
    KERNEL[0] += 0
    return x


@pytest.mark.parametrize(("function", "reason"), [
    (mask, r"return y\[y > 2\].sum\(\): the size of an array depends on the values of another"),
    (branch, r"if x.sum\(\) > 0:: the way to go depends on the value of an array"),
    (number, r"x \* float\(x.max\(\)\): the value of an array becomes a Python number"),
    (random, r"np.random.normal\(size=6\): random numbers are drawn"),
])  # fmt: skip
def test_dependence_on_values_is_refused(function: Any, reason: str):
    """The error has the line of the program and the reason, and none of torch's frames."""
    with pytest.raises(ExportError, match=rf"{function.__name__} .*test_export.py:\d+: .*{reason}"):
        numpy_shim.export(function, X)


@pytest.mark.parametrize(("function", "reason"), [
    (appends, "it changes SEEN"), (binds, "it changes a global name"),
    (writes_weight, "writes to KERNEL, which it closes over"),
    (lambda x: None, "gives no array and no number"),
    (lambda x: (x, SimpleNamespace()), "result_1 is a SimpleNamespace"),
])  # fmt: skip
def test_other_effects_are_refused(function: Any, reason: str):
    with pytest.raises(ExportError, match=reason):
        numpy_shim.export(function, X)


def test_fixed_sizes_are_refused():
    def halves(x):
        return sum(v + 1 for v in x)

    with pytest.raises(ExportError, match=r"axis 0 of x is used as the number 6.* vary as 'n'"):
        numpy_shim.export(halves, X, dynamic={"x": "n"})
    with pytest.raises(ExportError, match=r"axis 0 of y .'m'. must have the size of 'n'"):
        numpy_shim.export(lambda x, y: x + y, X, X, dynamic={"x": "n", "y": "m"})
    with pytest.raises(ExportError, match="for all sizes, as for n = 13"):
        numpy_shim.export(lambda x: np.median(x), X, dynamic={"x": "n"})


@pytest.mark.parametrize(("arguments", "keywords", "error", "message"), [
    ((len, X), {}, TypeError, "expected a Python function"),
    ((lambda x: x,), {}, TypeError, "missing a required argument"),
    ((lambda x: x, np.array(["text"])), {}, TypeError, "x has the dtype <U4"),
    ((lambda x: x, X), {"dynamic": {"y": "n"}}, ValueError, "'y' is no input; the inputs are x"),
    ((lambda x: x, X), {"dynamic": {"x": {1: "n"}}}, ValueError, "has no axis 1"),
    ((lambda x: x, X), {"dynamic": {"x": "not a name"}}, ValueError, "is no name for an axis"),
    ((lambda x: x, X[:1]), {"dynamic": {"x": "n"}}, ValueError, "at least two elements"),
    ((lambda x: x, X), {"dynamic": {"x": 3}}, TypeError, "expected a name"),
    ((lambda x: x, X), {"path": "f.so"}, ValueError, "must end with .onnx or .pt2"),
])  # fmt: skip
def test_wrong_arguments(arguments: Any, keywords: Any, error: type[Exception], message: str):
    with pytest.raises(error, match=message):
        numpy_shim.export(*arguments, **keywords)


def test_the_function_is_left_as_it_is():
    """The example's arrays, the closed-over ones, and the global random stream."""
    x, before = X.copy(), np.random.get_state()[1].copy()

    def doubles(a):
        a *= 2
        return KERNEL.sum() * a

    numpy_shim.export(doubles, x)
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(np.random.get_state()[1], before)
    assert type(KERNEL) is np.ndarray


def test_results_that_are_not_unique():
    """Eigenvectors are those of the function on our arrays, where NumPy's have other signs."""
    a = np.diag([3.0, 1.0, 2.0]) + 0.1
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "export: the program gives other values for eigenvectors")
        made = numpy_shim.export(lambda a: np.linalg.eigh(a), a)
    values, vectors = made(a)
    np.testing.assert_allclose(vectors * values @ vectors.T, a)


def test_xp_torch_program():
    """A program for the standard: torch exports it by itself, and ``export`` as one for NumPy."""

    def standardise(x):
        xp = x.__array_namespace__()
        return (x - xp.mean(x, axis=0)) / xp.std(x, axis=0)

    class Module(torch.nn.Module):
        def forward(self, x):
            return xp_torch.to_torch(standardise(xp_torch.asarray(x)))

    table = np.random.default_rng(0).random((5, 3))
    rows = {"x": {0: torch.export.Dim("rows")}}
    program = torch.export.export(Module(), (torch.from_numpy(table),), dynamic_shapes=rows)
    other = np.random.default_rng(1).random((9, 3))
    found = program.module()(torch.from_numpy(other)).numpy()
    made = numpy_shim.export(standardise, table, dynamic={"x": "rows"})
    np.testing.assert_allclose(found, made(other))
    np.testing.assert_allclose(found, standardise(other))
