"""``jit`` compiles functions written for NumPy: they import it, and the arguments are its arrays.

The backend is ``"eager"``, which runs the graphs as they are; ``test_inductor`` has the other.
"""

from __future__ import annotations

import functools
import inspect
import pickle
import threading
import warnings
from typing import Any, NamedTuple

import numpy
import numpy as np
import pytest
import torch
from numpy.fft import rfft

import numpy_shim
from tests.numpy_shim.jit import helpers

jit = functools.partial(numpy_shim.jit, backend="eager")
WEIGHTS = np.arange(4.0)
log: list[Any] = []


class Pair(NamedTuple):
    first: Any
    second: Any


def scaled(x, by=2.0):
    return np.sqrt(np.abs(x)) * by + WEIGHTS


def power_of(n, x):
    return x if n == 0 else np.multiply(x, power_of(n - 1, x))


@jit
def norm_of(x):
    """The norm of a scaled vector."""
    return np.linalg.norm(scaled(x))


@pytest.fixture(autouse=True)
def no_warning():
    """Nothing warns, unless a test expects it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.filterwarnings("ignore", "Guards may run slower on Python 3.13.0")
        yield


def assert_whole(function: Any, graphs: int = 1) -> None:
    told = function.explain()
    assert told.state == "compiled whole"
    assert len(told.graphs) == graphs, told


class TestKinds:
    """Results are of the kind that came in."""

    def test_numpy(self):
        @jit
        def f(x):
            return scaled(x), x.sum(), x

        x = np.arange(4.0)
        values, total, same = f(x)
        assert type(values) is numpy.ndarray
        numpy.testing.assert_array_equal(values, scaled(x))
        assert type(total) is numpy.float64
        assert total == 6
        assert same is x
        assert_whole(f)

    def test_tensors(self):
        @jit
        def f(x):
            return scaled(x), x.sum(), x

        x = torch.arange(4.0, dtype=torch.float64, requires_grad=True)
        values, total, same = f(x)
        assert type(values) is torch.Tensor
        assert type(total) is torch.Tensor
        assert total.dtype == torch.float64
        assert same is x
        total.backward()
        assert x.grad is not None
        assert x.grad.tolist() == [1, 1, 1, 1]
        assert_whole(f)

    def test_tensors_of_a_function_that_is_not_compiled(self):
        """A tensor comes back where an eager function gives a scalar of NumPy's."""

        @jit
        def f(x):
            print(end="")
            return x.max()

        with pytest.warns(RuntimeWarning):
            assert type(f(torch.ones(3))) is torch.Tensor

    def test_ours(self):
        @jit
        def f(x, y):
            return x + y, x.sum()

        values, total = f(numpy_shim.ones(3), np.ones(3))
        assert type(values) is numpy_shim.ndarray
        assert type(total) is numpy.float64  # as in eager mode

    def test_containers(self):
        @jit
        def f(items, pair):
            return {"sum": items["a"] + items["b"][0]}, Pair(pair.second * 2, pair.first)

        a = np.ones(2)
        made, pair = f({"a": a, "b": [np.full(2, 3.0)]}, Pair(a, np.arange(2)))
        assert type(made["sum"]) is numpy.ndarray
        assert made["sum"].tolist() == [4, 4]
        assert type(pair) is Pair
        assert pair.first.tolist() == [0, 2]
        assert pair.second is a
        assert_whole(f)

    def test_no_arrays_come_in(self):
        @jit
        def f(n):
            return np.arange(n) * 2, n

        values, n = f(3)
        assert type(values) is numpy.ndarray
        assert values.tolist() == [0, 2, 4]
        assert n == 3

    def test_what_torch_does_not_store(self):
        @jit
        def f(x, names):
            return x + 1, names

        names = np.array(["a", "b"])
        with pytest.warns(RuntimeWarning, match="names"):
            values, same = f(np.ones(2), names)
        assert same is names
        assert values.tolist() == [2, 2]


class TestWhatIsTranslated:
    def test_names_imported_from_numpy(self):
        @jit
        def f(x):
            return rfft(x).real

        x = np.arange(4.0)
        numpy.testing.assert_allclose(f(x), rfft(x).real, rtol=1e-15, atol=1e-15)
        assert_whole(f)

    def test_imports_inside(self):
        @jit
        def f(x):
            import numpy.linalg as la

            return la.norm(x)

        assert f(np.array([3.0, 4.0])) == 5
        assert_whole(f)

    def test_functions_and_modules_of_the_program(self):
        @jit
        def f(x):
            return helpers.shifted(x) + helpers.OFFSET

        x = np.zeros(2)
        assert f(x).tolist() == [3, 3]
        assert_whole(f)

    def test_recursion(self):
        f = jit(power_of)
        assert f(3, np.full(2, 2.0)).tolist() == [16, 16]
        assert_whole(f)

    def test_closures(self):
        table = np.array([1.0, 2.0])

        def inner(x):
            return np.multiply(x, table)

        @jit
        def f(x):
            return inner(x) + 1

        assert f(np.ones(2)).tolist() == [2, 3]
        inner = np.negative  # noqa: F811
        assert f(np.ones(2)).tolist() == [0, 0]

    def test_globals_are_live(self, monkeypatch: pytest.MonkeyPatch):
        f = jit(scaled)
        assert f(np.zeros(4)).tolist() == [0, 1, 2, 3]
        monkeypatch.setitem(globals(), "WEIGHTS", np.ones(4))
        assert f(np.zeros(4)).tolist() == [1, 1, 1, 1]
        monkeypatch.setitem(globals(), "WEIGHTS", 5)
        assert f(np.zeros(4)).tolist() == [5, 5, 5, 5]

    def test_other_compiled_functions_become_part_of_the_graph(self):
        @jit
        def f(x):
            return norm_of(x) * 2

        x = np.ones(4)
        assert f(x) == norm_of(x) * 2
        assert_whole(f)

    def test_inside_torch_compile(self):
        f = torch.compile(lambda t: norm_of(t) * 2, backend="eager", fullgraph=True)
        x = np.ones(4)
        assert float(f(numpy_shim.asarray(x))) == norm_of(x) * 2


class Net:
    """A class whose methods call each other."""

    def __init__(self) -> None:
        self.weight = np.ones(3)
        self.history: list[Any] = []

    def active(self, x):
        return np.maximum(x, 0)

    @property
    def double(self):
        return np.multiply(self.weight, 2)

    @jit
    def step(self, x):
        h = self.active(x * self.double)
        self.weight -= 0.5 * h
        self.last = h
        self.history.append(h)
        return h.sum()

    @staticmethod
    @jit
    def plain(x):
        return np.negative(x)

    @jit
    @classmethod
    def name(cls, x):
        return np.add(x, len(cls.__name__))


class TestMethods:
    def test_attributes_are_read_and_written(self):
        net = Net()
        weight = net.weight
        assert net.step(np.array([-1.0, 1.0, 2.0])) == 6
        assert net.weight is weight
        assert weight.tolist() == [1, 0, -1]
        assert type(net.last) is numpy.ndarray
        assert net.history[0] is net.last
        assert type(net) is Net
        assert net.step(np.array([-1.0, 1.0, 2.0])) == 0
        assert Net.step.explain().state == "compiled whole"

    def test_static_and_class_methods(self):
        assert Net.plain(np.ones(1)).tolist() == [-1]
        assert Net.name(np.ones(1)).tolist() == [4]


class TestFallback:
    def test_a_break_is_told_once(self, capsys: pytest.CaptureFixture[str]):
        @jit
        def f(x):
            y = x * 2
            print("twice", end=" ")
            return y + 1

        with pytest.warns(RuntimeWarning, match="print") as caught:
            assert f(np.ones(2)).tolist() == [3, 3]
        assert f(np.ones(2)).tolist() == [3, 3]
        assert capsys.readouterr().out == "twice twice "
        assert len(caught) == 1
        assert caught[0].filename == __file__
        told = f.explain()
        assert told.state == "compiled in parts"
        lines, start = inspect.getsourcelines(f)
        expected = start + next(i for i, line in enumerate(lines) if "print" in line)
        assert told.breaks[0].line.number == expected
        assert told.breaks[0].line.file == __file__
        assert f"test_jit.py:{expected}" in str(told)

    def test_a_branch_on_a_value(self):
        @jit
        def f(x):
            x += 1
            if x.sum() > 3:
                return x * 2
            return -x

        with pytest.warns(RuntimeWarning, match="value of an array"):
            assert f(np.ones(2)).tolist() == [4, 4]
        assert f(-np.ones(2)).tolist() == [0, 0]

    def test_a_branch_on_a_size_that_depends_on_values(self):
        """torch raises an error of its own for it, which is none of Dynamo's."""

        @jit
        def f(x):
            return np.flatnonzero(x > 1)[np.argsort(x[x > 1])]

        x = np.array([3.0, 0.0, 2.0])
        with pytest.warns(RuntimeWarning, match="value of an array"):
            assert f(x).tolist() == [2, 0]
        assert f(x - 1).tolist() == [0]

    def test_an_array_is_formatted(self, capsys: pytest.CaptureFixture[str]):
        """Dynamo would format an array before it has set its tensor."""

        def f(x):
            print(f"{x.max() / 4:.2f} of {x.mean()}, {{:.3f}}".format(x.sum()))
            return x * 2

        f(np.arange(4.0))
        expected = capsys.readouterr().out
        with pytest.warns(RuntimeWarning, match=r"f\(?.*formatted"):
            assert jit(f)(np.arange(4.0)).tolist() == [0, 2, 4, 6]
        assert capsys.readouterr().out == expected

    def test_a_break_can_be_an_error(self):
        @jit(fullgraph=True)
        def f(x):
            print(end="")
            return x

        with pytest.raises(Exception, match="print"):
            f(np.ones(2))

    def test_the_programs_exceptions_are_its_own(self):
        @jit
        def f(x):
            if x.shape[0] == 2:
                raise LookupError("two")
            return x * 2

        with pytest.raises(LookupError, match=r"^two$"):
            f(np.ones(2))
        assert f(np.ones(3)).tolist() == [2, 2, 2]
        with pytest.raises(TypeError, match=r"missing 1 required|missing a required"):
            f()
        assert_whole(f)

    def test_a_compiler_that_fails(self):
        """The function runs as it is; what it has changed is changed once."""

        def fails(graph: Any, inputs: Any) -> Any:
            raise RuntimeError("no compiler here")

        @numpy_shim.jit(backend=fails)
        def f(x):
            x += 1
            return x * 2

        x = np.ones(2)
        with pytest.warns(RuntimeWarning, match="no compiler here") as caught:
            first = f(x)
        assert first.tolist() == [4, 4]
        assert f(x).tolist() == [6, 6]
        assert len(caught) == 1


class TestTheObject:
    def test_it_looks_like_the_function(self):
        assert norm_of.__name__ == "norm_of"
        assert norm_of.__doc__ == "The norm of a scaled vector."
        assert str(inspect.signature(norm_of)) == "(x)"
        assert inspect.isfunction(norm_of)
        assert pickle.loads(pickle.dumps(norm_of)) is norm_of

    def test_options_without_a_function(self):
        @numpy_shim.jit(backend="eager", dynamic=True)
        def f(x):
            return x * 2

        for n in range(2, 6):
            assert f(np.ones(n)).tolist() == [2] * n
        assert_whole(f)
        assert f.explain().recompilations == 0

    def test_only_functions(self):
        with pytest.raises(TypeError, match="jit: expected a Python function; got type"):
            numpy_shim.jit(Net)

    def test_explain_with_arguments(self):
        @jit
        def f(x):
            x += 1
            print(end="")
            return np.sin(x)

        x = np.zeros(2)
        told = f.explain(x)
        assert x.tolist() == [0, 0]
        assert told.operators == [["add_"], ["sin"]]
        assert "print" in str(told.breaks[0])
        assert f.explain().state == "not called yet"

    def test_recompilations_are_counted(self):
        f = jit(scaled, dynamic=False)
        f(np.ones((1, 4)))
        f(np.ones((2, 4)))
        assert f.explain().recompilations == 1

    def test_threads(self):
        f = jit(scaled)
        x = np.ones(4)
        results: list[Any] = []
        threads = [threading.Thread(target=lambda: results.append(f(x))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [r.tolist() for r in results] == [scaled(x).tolist()] * 4
