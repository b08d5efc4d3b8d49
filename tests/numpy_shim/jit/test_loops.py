"""Long loops: their bodies are compiled, where a body is certain to be a function of its own."""

from __future__ import annotations

import functools
import operator
import warnings
from collections.abc import Callable
from copy import deepcopy
from types import FunctionType
from typing import Any

import numpy
import numpy as np
import pytest
import torch

import numpy_shim
from numpy_shim._jit.loops import split
from numpy_shim._jit.record import safe, share_memory
from tests.numpy_shim.jit import helpers

jit = functools.partial(numpy_shim.jit, backend="eager")
LOOPS = "run as it is, the bodies of its loops compiled"
SHIFT = np.array([1.0, 2.0])
seen = 0


def fields(n, e, h):
    """Arrays are written in place, a name is bound in a branch, numbers are carried."""
    total, kept = 0.0, 0
    for step in range(n):
        e[1:] += 0.5 * (h[1:] - h[:-1])
        h[:-1] -= 0.25 * (e[1:] - e[:-1])
        product = e * h
        if step % 2:
            total += product.sum()
            kept = step
    return total, kept, step, product, e


def nested(x):
    for i in range(40):
        for shift in (1, -1):
            x = np.roll(x, shift) + SHIFT
        with np.errstate(all="ignore"):
            y = x / 2
        x = np.where(y > i, y, x)
    return x


def twice(x, n):
    """The loops have names of their own, and share others."""
    for i in range(n):
        x = np.sin(x) * 0.5 + np.cos(x) * 0.25 + 0.1 * i
    first = x
    for i in range(n):
        y = x * 0.25 + first
        x = np.tanh(y) + 0.1 * i
    return first, x, y


def comprehensions(parts, n):
    for _ in range(n):
        parts = [np.sin(part) + k * 2 for k, part in enumerate(parts)]
        parts[0] = sum([part * 2 for part in parts]) / 9
    return parts


def rows(n, a):
    """The counter selects a row, an element and a part."""
    for i in range(1, n):
        a[i] = a[i - 1] * 0.5 + a[i] + np.sin(a[i])
    return a


class Model:
    def __init__(self):
        self.w = np.ones(3)

    def train(self, x, n):
        for i in range(n):
            error = np.sin(self.w) * x - 1
            self.w -= 0.1 * error + 0.01 * i
            self.last = np.abs(error).max()
        return self.w


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (fields, (50, np.arange(5.0), np.ones(5))),
        (nested, (np.array([0.5, 3.0]),)),
        (twice, (np.array([0.5, 3.0]), 45)),
        (comprehensions, ([np.zeros(2), np.ones(2)], 40)),
        (rows, (60, np.ones((60, 3)))),
    ],
)
def test_bodies_are_compiled(function: Callable[..., Any], arguments: tuple[Any, ...]):
    """The values, the types and what is written are those of the function as it is."""

    def copies() -> list[Any]:
        return deepcopy(list(arguments))

    ours, theirs = copies(), copies()
    compiled = jit(function)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.filterwarnings("ignore", "Guards may run slower on Python 3.13.0")
        found, expected = compiled(*ours), function(*theirs)
        again = compiled(*copies())
    for result in (found, again):
        assert type(result) is type(expected)
        same(result, expected)
    same(ours, theirs)
    told = compiled.explain()
    assert told.state == LOOPS
    assert told.graphs
    assert max(told.graphs) < 60


def same(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, (list, tuple)):
        assert len(ours) == len(theirs)
        for a, b in zip(ours, theirs, strict=True):
            same(a, b)
        return
    assert type(ours) is type(theirs)
    numpy.testing.assert_allclose(ours, theirs, rtol=1e-13, atol=1e-13)


def test_a_method():
    ours, theirs = Model(), Model()
    train = jit(Model.train)
    same(train(ours, np.arange(3.0), 50), theirs.train(np.arange(3.0), 50))
    same(ours.last, theirs.last)
    same(ours.w, theirs.w)
    assert train.explain().state == LOOPS


def test_a_closure_is_read_at_each_step():
    factor = np.full(2, 0.5)

    def damped(x, n):
        for i in range(n):
            x = np.sin(x) * factor + np.cos(x) + i
        return x

    compiled = jit(damped)
    same(compiled(np.ones(2), 50), damped(np.ones(2), 50))
    factor = np.full(2, 2.0)
    same(compiled(np.ones(2), 50), damped(np.ones(2), 50))
    assert compiled.explain().state == LOOPS


def test_views_of_one_memory():
    """Inductor gives wrong values for them; the parts of a loop get them as arguments."""

    def step(u, inner, change):
        u[0], u[-1] = u[-2], u[1]
        u[:, 0], u[:, -1] = u[:, -2], u[:, 1]
        np.add(u[:-2, 1:-1], u[2:, 1:-1], out=change)
        change += u[1:-1, :-2]
        change += u[1:-1, 2:]
        change -= 4 * inner
        inner += 0.1 * change

    def field():
        return np.random.default_rng(0).random((14, 14))

    ours, theirs = field(), field()
    compiled = numpy_shim.jit(step, compiler="torch")
    for _ in range(2):
        compiled(ours, ours[1:-1, 1:-1], np.zeros((12, 12)))
        step(theirs, theirs[1:-1, 1:-1], np.zeros((12, 12)))
    same(ours, theirs)
    assert compiled.explain().state == "compiled whole"


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda a: [a, a], False),
        (lambda a: [a, a[1:]], True),
        (lambda a: [a[:0], a], False),
        (lambda a: [a, a * 2, 5], False),
    ],
)
def test_which_inputs_share_memory(make: Callable[..., Any], expected: bool):
    assert share_memory(make(torch.arange(6.0))) == expected


def assigned(x, y):
    x[0] = y[1]


@pytest.mark.parametrize(
    ("function", "writes"),
    [
        (lambda x, y: x + y, False),
        (lambda x, y: torch.add(x, y).sin(), False),
        (lambda x, y: x.add_(y), True),
        (lambda x, y: torch.add(x, 1, out=y), True),
        (lambda x, y: x.__setitem__(0, y[1]), True),
        (assigned, True),
        (lambda x, y: operator.iadd(x, y), True),
    ],
)
def test_only_a_graph_that_writes_runs_as_it_is(function: Callable[..., Any], writes: bool):
    """Rows of one array are compiled: the reads and writes of a graph must meet to go wrong."""
    graphs: list[torch.fx.GraphModule] = []

    def backend(graph: torch.fx.GraphModule, inputs: Any) -> Callable[..., Any]:
        graphs.append(graph)
        return graph.forward

    torch._dynamo.reset()
    torch.compile(function, backend=backend)(torch.ones(2), torch.ones(2))
    for graph in graphs:
        run = safe(lambda graph, inputs: len, graph, [])
        assert (run is len) is not writes
    assert graphs


def test_a_number_that_is_written_to():
    """AOTAutograd would lose the write, and give results without it."""

    def add(total, x):
        total += x.sum()
        return total * 2

    compiled = numpy_shim.jit(add, backend="aot_eager")
    for made in (numpy.array, numpy_shim.array):
        total = made(1.0)
        assert compiled(total, np.ones(3)) == 8
        assert compiled(total, np.ones(3)) == 14
        assert total == 7


def test_a_number_that_changes_is_compared():
    """Dynamo makes it an input of the graph, and has no rule for comparing it with an array."""

    @jit(fullgraph=True)
    def f(x, n):
        return np.where(x > n, x, n), n >= x, x == n, n < x

    x = np.arange(6.0)
    for n in range(5):
        expected = np.where(x > n, x, n), n >= x, x == n, n < x
        assert [r.tolist() for r in f(x, n)] == [r.tolist() for r in expected]
    assert len(f.explain().graphs) <= 4


def test_exceptions_of_the_body_are_the_programs():
    def failing(x, n):
        for i in range(n):
            x = np.sin(x) + np.cos(x) + i
            if i == 45:
                raise LookupError("forty-five")
        return x

    compiled = jit(failing)
    same(compiled(np.ones(2), 40), failing(np.ones(2), 40))
    with pytest.raises(LookupError, match="forty-five") as caught:
        compiled(np.ones(2), 50)
    assert caught.traceback[-1].path.name == "test_loops.py"
    assert compiled.explain().state == LOOPS


def test_a_loop_of_a_function_that_is_called():
    """That function has its loop compiled; the caller calls it."""

    @jit
    def outer(x, n):
        return twice(x, n)[1] * 2

    with pytest.warns(RuntimeWarning, match="the functions it calls compiled"):
        found = outer(np.ones(2), 45)
    same(found, twice(np.ones(2), 45)[1] * 2)


def test_another_loop_has_its_functions_compiled():
    """The body leaves the loop."""

    @jit
    def f(x, n):
        for i in range(n):
            x = helpers.shifted(x) + i
            if i == 199:
                return x
        return None

    x = np.zeros(2)
    with pytest.warns(RuntimeWarning, match="a loop of many steps"):
        assert f(x, 300).tolist() == [2 * 200 + 199 * 100] * 2
    told = f.explain()
    assert told.state == "run as it is, the functions it calls compiled"
    assert "for i in range(n)" in str(told.breaks[0])


def adds(x):
    for i in range(9):
        x = x + i
    return x


def leaves(x):
    for i in range(9):
        if i > 5:
            break
        x = x + i
    return x


def unbound(x):
    for i in range(9):
        if i > 5:
            y = x + i
    return y


def carried(x):
    if x is None:
        y = 1
    for i in range(9):
        if i:
            x = x + y
        y = x * 2
    return x


def captured(x):
    for i in range(9):
        x = (lambda: x + i)()
    return x


def shared(x):
    def get():
        return x

    for i in range(9):
        x = i + get()
    return x


def handled(x):
    try:
        for i in range(9):
            x = x / i
    except ZeroDivisionError:
        pass
    return x


def writes_a_global(x):
    for i in range(9):
        global seen
        seen += i
    return x


def reads_its_frame(x):
    for _ in range(9):
        x = x + len(locals())
    return x


def deletes(x):
    for i in range(9):
        y = x + i
        del y
    return x


def walrus(x):
    for i in range(9):
        x = x + (y := i)
    return y


def generates(x):
    for i in range(9):
        yield x + i


@pytest.mark.parametrize(
    "function",
    [leaves, unbound, carried, captured, shared, handled, writes_a_global, reads_its_frame,
     deletes, walrus, generates],
)  # fmt: skip
def test_what_is_not_certain_is_left(function: Callable[..., Any]):
    start = function.__code__.co_firstlineno
    assert all(split(function, start + i) is None for i in range(8))  # type: ignore[arg-type]


def test_the_source_must_be_that_of_the_code():
    code = adds.__code__
    assert split(adds, code.co_firstlineno + 1) is not None
    constants = tuple(8 if value == 9 else value for value in code.co_consts)
    changed = FunctionType(code.replace(co_consts=constants), globals())
    assert split(changed, code.co_firstlineno + 1) is None


def test_code_without_a_source():
    made: dict[str, Any] = {}
    exec("def f(x):\n    for i in range(9):\n        x = x + i\n    return x", made)
    assert split(made["f"], 2) is None
