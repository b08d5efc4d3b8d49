"""What a compiled function checks before each call: little, but all that may change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy
import pytest
import torch

import numpy_shim as np
import xp_torch
from numpy_shim.random import set_stream
from xp_torch._core import box

LINES = [
    "x = x + y",
    "x = x * 2.0 - 1",
    "x += 2",
    "x[1:, 1:] = y[1:, 1:]",
    "x[1:, 1] = x[1:, 1] / x[1, 1]",
    "x[1:, 1:] -= x[1:, 1:2]",
    "x[x > 0] = 1",
    "x = np.where(x > 0, x, y)",
    "x = x - np.max(x, axis=-1, keepdims=True)",
    "x = x / x.sum()",
    "x = np.roll(x, 1)",
    "x = x @ y",
    "x = np.sqrt(np.abs(x))",
    "x = np.concatenate([x[:1], y[1:]])",
    "x = x + np.zeros_like(y)",
]


def repeated(line: str, times: int, namespace: object = np) -> Callable[..., Any]:
    space: dict[str, Any] = {"np": namespace}
    exec("def f(x, y):\n" + f"    {line}\n" * times + "    return x", space)
    function: Callable[..., Any] = space["f"]
    return function


def guards(function: Callable[..., Any], *args: Any) -> list[str]:
    torch.compiler.reset()
    found = torch._dynamo.explain(function)(*args)
    return [re.sub("_[0-9_c]+'", "'", f"{g.create_fn_name()} {g.name}") for g in found.out_guards]


@pytest.mark.parametrize("line", LINES)
def test_guards_are_few_and_do_not_grow(line: str):
    once, often = (guards(repeated(line, n), np.ones((4, 4)), np.ones((4, 4))) for n in (1, 5))
    assert not Counter(often) - Counter(once), "more guards for more operations"
    # By hand in torch 10 or 11. Ours: 8 on torch's state, 4 on each array, some on builtins.
    assert len(once) <= 40


def test_guards_of_the_strict_namespace():
    x = xp_torch.ones((4, 4))
    line = "x = np.where(x > 0, x + y, np.sum(y, axis=0))"
    once, often = (guards(repeated(line, n, xp_torch), x, x) for n in (1, 5))
    assert not Counter(often) - Counter(once)
    assert len(once) <= 40


class Compiled:
    """A function, compiled, that counts its graphs."""

    def __init__(self, function: Callable[..., Any]) -> None:
        torch.compiler.reset()
        self.graphs = 0

        def backend(graph: Any, _: Any) -> Any:
            self.graphs += 1
            return graph

        self.call = torch.compile(function, backend=backend)

    def __call__(self, *args: Any) -> Any:
        return self.call(*args)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: 1 / x,
        lambda x: np.divide(1, x),
        lambda x: np.log(x - 1),
        lambda x: (1 / x).sum(),
        lambda x: np.add.reduce(1 / x),
    ],
)
def test_errstate_is_seen(function: Callable[..., Any]):
    """The fast paths of operators, ufuncs and reductions read no flag: their tables are empty."""
    compiled = Compiled(function)
    x = np.zeros(3)
    compiled(x)
    with np.errstate(divide="raise", invalid="raise"), pytest.raises(FloatingPointError):
        compiled(x)
    with np.errstate(all="ignore"):
        expected = function(x)
    assert numpy.array_equal(numpy.asarray(compiled(x)), numpy.asarray(expected), equal_nan=True)


def test_the_default_dtype_is_seen():
    compiled = Compiled(lambda: np.zeros(3) + np.ones(3))
    assert compiled().dtype == numpy.float64
    with np.set_default_dtype("float32"):
        assert compiled().dtype == numpy.float32
    assert compiled().dtype == numpy.float64


def test_the_stream_of_random_numbers_is_seen():
    compiled = Compiled(lambda: np.random.default_rng(7).random(3))
    expected = numpy.random.default_rng(7).random(3)
    with set_stream("torch"):
        first = compiled()
    assert numpy.array_equal(numpy.asarray(compiled()), expected)
    assert not numpy.array_equal(numpy.asarray(first), expected)


def test_a_second_device_is_seen(monkeypatch: pytest.MonkeyPatch):
    compiled = Compiled(lambda x, y: x + y)
    compiled(np.ones(3), np.ones(3))
    before = compiled.graphs
    monkeypatch.setattr(box, "several_devices", not box.several_devices)
    compiled(np.ones(3), np.ones(3))
    assert compiled.graphs == before + 1


def test_functions_that_a_program_replaces_are_seen():
    names = ModuleType("names")
    vars(names).update(vars(np))
    space: dict[str, Any] = {"np": names, "largest": np.max, "sqrt": np.sqrt}
    exec("def f(x):\n    return np.max(x) + largest(x) + sqrt(x) + np.square(x)", space)
    x = np.array([1.0, 4.0])
    compiled = Compiled(space["f"])
    assert compiled(x).tolist() == [10.0, 26.0]
    vars(names)["max"] = np.min
    assert compiled(x).tolist() == [7.0, 23.0]
    space["largest"] = np.min
    assert compiled(x).tolist() == [4.0, 20.0]
    space["sqrt"] = np.negative
    assert compiled(x).tolist() == [2.0, 14.0]
    vars(names)["square"] = np.negative
    assert compiled(x).tolist() == [0.0, -6.0]


def test_what_a_users_function_reads_inside_ours_is_seen():
    space: dict[str, Any] = {"factor": 2.0}
    exec("def scale(x):\n    return x * factor", space)
    scale = space["scale"]
    held = [3.0]

    def inner(x: Any) -> Any:
        return np.sum(scale(x) + held[0] + shift)

    shift = 10.0
    slope = np.grad(lambda x: np.sum(scale(x) * x))
    compiled = Compiled(lambda x: (np.apply_along_axis(inner, 0, x), slope(x)))
    x = np.array([1.0, 2.0])
    assert [a.tolist() for a in compiled(x)] == [32.0, [4.0, 8.0]]
    space["factor"] = 4.0
    assert [a.tolist() for a in compiled(x)] == [38.0, [8.0, 16.0]]
    held[0] = 4.0
    assert compiled(x)[0].tolist() == 40.0
    shift = 20.0
    assert compiled(x)[0].tolist() == 60.0


def test_methods_that_a_subclass_replaces_are_seen():
    class Mine(np.ndarray):
        pass

    compiled = Compiled(lambda x: x + 1)
    x = np.ones(2).view(Mine)
    assert compiled(x).tolist() == [2.0, 2.0]
    Mine.__add__ = lambda self, other: self * 10  # type: ignore[method-assign,assignment]
    assert compiled(x).tolist() == [10.0, 10.0]


def test_a_graph_breaks_in_a_function_that_is_differentiated():
    """torch 2.11 raises an error of its own there for ``torch.func.grad`` of plain tensors."""

    def cube(x):
        torch._dynamo.graph_break()
        return (x**3).sum()

    torch._dynamo.reset()
    compiled = torch.compile(lambda x: np.value_and_grad(cube)(x + 1), backend="eager")
    value, slope = compiled(np.array([0.0, 1.0]))
    assert (float(value), slope.tolist()) == (9.0, [3.0, 12.0])
