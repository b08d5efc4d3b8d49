"""``jit`` keeps what is fastest and right: the function as it was, Numba, or ``torch.compile``."""

from __future__ import annotations

import functools
import importlib.util
import math
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy
import numpy as np
import pytest

import numpy_shim
from numpy_shim._jit import choice, fastest
from numpy_shim._jit.candidates import Figures, RefusedError
from numpy_shim._jit.choice import Chooser
from numpy_shim._jit.numba_source import source_for
from numpy_shim._jit.signatures import described, key_of
from numpy_shim._jit.snapshot import Snapshot

has_numba = importlib.util.find_spec("numba") is not None
needs_numba = pytest.mark.skipif(not has_numba, reason="Numba is an optional extra")
by_numba = functools.partial(numpy_shim.jit, compiler="numba", eager_compile=True)
OFFSET = 3
TABLE = np.ones(3)


def eliminated(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[k, j]
            a[i, j] /= a[j, j]
        for j in range(i, n):
            for k in range(i):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def matrix(n: int = 24) -> Any:
    return np.random.default_rng(0).random((n, n)) + n * np.eye(n)


def told(f: Any, name: str = "Numba") -> str:
    (chosen,) = f.explain().choices
    return chosen.told[name]


@pytest.fixture(autouse=True)
def whatever_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is right is kept, however long it takes: no test rests on times."""
    monkeypatch.setattr(choice, "_FASTER", math.inf)
    monkeypatch.setattr(choice, "_SAMPLE", 10**9)


class Ready:
    """A candidate that is already there: a function, and what it is said to cost."""

    name = "ready"
    shortest = 0.0

    def __init__(self, function: Callable[..., Any], cost: float = 0.0) -> None:
        self.function, self.seconds, self.calls, self.fits = function, cost, 0, True

    def cost(self) -> float:
        return self.seconds

    def compiled(self, copies: Snapshot, result: Any) -> tuple[Ready, Any]:
        return self, self.function(*copies.arguments, **copies.keywords)

    def call(self, arguments: Any, keywords: Any) -> tuple[Any, bool]:
        self.calls += 1
        return self.function(*arguments, **keywords), self.fits


class Clock:
    """Goes on by what the functions of a test are said to take."""

    seconds = 0.0

    def now(self) -> float:
        return self.seconds


clock = Clock()


def slow(x):
    clock.seconds += 3.0
    y = np.sin(x)
    x += 1
    return y


def fast(x):
    clock.seconds += 1.0
    y = np.sin(x)
    x += 1
    return y


def wrong(x):
    return np.sin(x)  # and leaves the argument


def slower(x):
    clock.seconds += 1.0
    return slow(x)


class TestTheChoice:
    """What a trial decides, with candidates and a clock of the test's own."""

    @pytest.fixture(autouse=True)
    def whatever_it_takes(self) -> None:
        """Let the times decide."""

    def test_the_faster_one_is_kept(self):
        chooser = Chooser(slow, [Ready(fast)], eager=True, clock=clock.now)
        x = np.zeros(5)
        for i in range(4):
            assert chooser.call((x,), {}).tolist() == [math.sin(i)] * 5
        assert x.tolist() == [4] * 5
        (chosen,) = chooser.choices.values()
        assert chosen.by == "ready"
        assert chosen.fast.calls == 3
        assert "compiled by ready" in str(chosen)
        assert "saved" in str(chosen)

    @pytest.mark.parametrize(
        ("function", "why"),
        [(wrong, "in argument 1: values differ"), (slower, "not faster")],
    )
    def test_another_is_not(self, function: Callable[..., Any], why: str):
        ready = Ready(function)
        chooser = Chooser(slow, [ready], eager=True, clock=clock.now)
        for _ in range(3):
            chooser.call((np.zeros(5),), {})
        (chosen,) = chooser.choices.values()
        assert chosen.by == ""
        assert why in chosen.told["ready"]
        assert chosen.plain.calls == 3

    def test_nothing_is_tried_before_it_could_be_repaid(self):
        ready = Ready(fast, cost=1e9)
        chooser = Chooser(slow, [ready], after=1e-9, clock=clock.now)
        for _ in range(5):
            chooser.call((np.zeros(5),), {})
        (chosen,) = chooser.choices.values()
        assert chosen.plain.calls == 5
        assert chosen.trials == 0

    def test_what_did_not_fit_is_compiled_again_beside_what_is_there(self):
        ready = Ready(fast)
        chooser = Chooser(slow, [ready], clock=clock.now)
        for ready.fits in (True, True, True, True, False):
            chooser.call((np.zeros(5),), {})
        (chosen,) = chooser.choices.values()
        assert (chosen.by, chosen.trials, chosen.fast.calls) == ("ready", 1, 1)
        for ready.fits in (True, True):
            chooser.call((np.zeros(5),), {})
        assert (chosen.by, chosen.trials, chosen.fast.calls) == ("ready", 2, 2)
        assert chosen.waiting == []

    def test_code_that_is_not_faster_is_dropped_where_calls_missed_it_too(self):
        ready = Ready(fast)
        chooser = Chooser(slow, [ready], after=1e-9, clock=clock.now)
        for ready.fits in (True, True, True, False):
            chooser.call((np.zeros(5),), {})
        (chosen,) = chooser.choices.values()
        assert (chosen.by, chosen.missed.calls) == ("ready", 1)
        ready.fits, ready.function = True, slower
        for _ in range(5):
            chooser.call((np.zeros(5),), {})
        assert (chosen.by, chosen.waiting) == ("", [])
        assert "not faster" in chosen.told["ready"]

    def test_kinds_of_arguments_are_decided_apart(self):
        chooser = Chooser(slow, [Ready(fast)], eager=True, clock=clock.now)
        for x in (np.zeros(5), np.zeros((5, 5)), np.zeros(5, dtype=np.float32), np.zeros(5000)):
            chooser.call((x,), {})
        assert len(chooser.choices) == 4

    def test_random_numbers_are_drawn_once(self):
        ready = Ready(lambda x: x + np.random.random())
        chooser = Chooser(lambda x: x + np.random.random(), [ready], eager=True, clock=clock.now)
        np.random.seed(0)
        found = [float(chooser.call((0.0,), {})) for _ in range(3)]
        np.random.seed(0)
        assert found == [np.random.random() for _ in range(3)]
        assert chooser.why_not == "it draws random numbers"

    def test_figures(self):
        figures = Figures()
        for seconds in (3.0, 1.0, 2.0):
            figures.add(seconds)
        assert (figures.mean(), figures.best) == (2.0, 1.0)


class TestJit:
    def test_a_short_function_runs_as_it_was(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(fastest, "_AFTER", 1e9)
        f = numpy_shim.jit(lambda x: x + 1)
        for _ in range(100):
            assert f(np.ones(2)).tolist() == [2, 2]
        assert f.explain().state == "runs as it was"
        assert numpy_shim.jit(eliminated)(matrix()).shape == (24, 24)

    def test_tensors_after_a_short_call(self):
        """The calls that are not looked at are those of the same types."""
        import torch

        f = numpy_shim.jit(lambda x: np.negative(x))
        for _ in range(100):
            f(np.ones(2))
        assert type(f(torch.ones(2))) is torch.Tensor

    def test_wrong_options(self):
        with pytest.raises(ValueError, match="jit: compiler must be"):
            numpy_shim.jit(slow, compiler="gcc")
        with pytest.raises(ValueError, match="jit: Numba has none of the options"):
            numpy_shim.jit(slow, compiler="numba", fullgraph=True)

    def test_torch_is_not_given_what_warns(self):
        candidate = fastest.OfTranslation(logarithms, logarithms)  # type: ignore[arg-type]
        candidate.look_for_warnings(Snapshot((np.ones(3),), {}))
        for value in (0.0, 7.0):
            with pytest.raises(RefusedError, match="it warns: "):
                candidate.look_for_warnings(Snapshot((np.full(3, value),), {}))

    @pytest.mark.skipif(has_numba, reason="Numba is there")
    def test_without_numba(self):
        f = by_numba(eliminated)
        assert f(matrix()).shape == (24, 24)
        assert "not installed" in told(f)


def logarithms(x):
    if x[0] > 5:
        warnings.warn("more than five", stacklevel=1)
    return np.log(x)


def totalled(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i]
    return total


def one_of_two(x):
    found = 1
    for i in range(x.shape[0]):
        if x[i] > 0:
            found = 0.5
    return found


def found_or_none(x):
    for i in range(x.shape[0]):
        if x[i] > 0:
            return x[i]
    return None


def in_a_call(x):
    return totalled(x), x.shape[0]


@needs_numba
class TestNumba:
    def test_a_loop(self):
        f = by_numba(eliminated)
        for _ in range(3):
            a, b = matrix(), matrix()
            assert f(a) is a
            numpy.testing.assert_allclose(a, eliminated(b), rtol=1e-14)
        assert f.explain().state == "compiled by Numba"

    def test_our_arrays(self):
        f = by_numba(eliminated)
        for _ in range(2):
            a = numpy_shim.asarray(matrix())
            assert type(f(a)) is numpy_shim.ndarray
            numpy.testing.assert_allclose(numpy.asarray(a), eliminated(matrix()), rtol=1e-13)

    def test_scalars_are_of_the_functions_kind(self):
        def f(x):
            total = x[0]
            for i in range(1, x.shape[0]):
                total += x[i] * x[i]
            return total, x.shape[0], math.sqrt(total), total > 3, 2 * x.shape[0] / 3

        g = by_numba(f)
        for _ in range(2):
            kinds = [type(v) for v in g(np.arange(2000.0))]
            assert kinds == [numpy.float64, int, float, numpy.bool_, float]
        assert g.explain().state == "compiled by Numba"

    @pytest.mark.parametrize("function", [totalled, one_of_two, found_or_none, in_a_call])
    def test_kinds_that_depend_on_the_data(self, function: FunctionType):
        f = by_numba(function)
        for x in (np.ones(2000), np.ones(2000), np.zeros(0), np.full(2000, -1.0)):
            ours, theirs = f(x), function(x)
            assert (type(ours), ours) == (type(theirs), theirs)
        assert all("depends on the data" in c.told["Numba"] for c in f.explain().choices)

    def test_globals_that_change(self, monkeypatch: pytest.MonkeyPatch):
        f = by_numba(shifted)
        for _ in range(2):
            assert f(np.zeros(500)).tolist() == [3] * 500
        monkeypatch.setitem(globals(), "OFFSET", 5)
        assert f(np.zeros(500)).tolist() == [5] * 500


def shifted(x):
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        out[i] = x[i] + OFFSET
    return out


def quotients(x, y):
    for i in range(x.shape[0]):
        x[i] = x[i] / y[i]
    return x


def whole_quotients(x, y):
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        out[i] = x[i] // y[i]
    return out


def gathered(x, index):
    out = np.zeros(index.shape[0])
    for i in range(index.shape[0]):
        x[i] = i
        out[i] = x[index[i]]
    return out


def multiplied(x, n):
    for i in range(x.shape[0]):
        x[i] = x[i] * 0.5
    total = 1
    for _ in range(n):
        total = total * 3
    return x + total


def fibonacci(x, n):
    for i in range(x.shape[0]):
        x[i] = x[i] * 0.5
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return x + float(b)


def increased(x, n):
    for i in range(x.shape[0]):
        x[i] = x[i] * 0.5
    return x, n + 1


def decreased(x, n):
    for i in range(x.shape[0]):
        x[i] = x[i] * 0.5
    return x, n - 2


def negated(x, n):
    for i in range(x.shape[0]):
        x[i] = x[i] * 0.5
    return x, -n


def absolute(x, n):
    for i in range(x.shape[0]):
        x[i] = x[i] * 0.5
    return x, abs(n)


def paired(x):
    out = np.zeros(x.shape[0], dtype=np.int64)
    for i in range(1, x.shape[0]):
        out[i] = x[i] + x[i - 1]
    return out


def unused_quotient(x, n):
    for i in range(x.shape[0]):
        x[i] = x[i] * 0.5
    2.5 / n
    return x, 5 / n, n / 2.5


def backwards(x, n):
    steps = 0
    for _ in range(10, n, -1):
        steps += 1
        if steps > x.shape[0]:
            break
    return x, steps


def ratio(x, n):
    for i in range(x.shape[0]):
        x[i] = x[i] * 0.5
    return x, n / 3


def roots(x):
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        out[i] = math.sqrt(x[i])
    return out


def failing(x, n):
    for i in range(n):
        x[i] = 7.0
        if i == 1000:
            raise LookupError("a thousand")
    return x


def is_equal(x, n):
    for i in range(x.shape[0]):
        x[i] = x[i] * 0.5
    return x, n == 9007199254740992.0, n > 9007199254740992.0


ONES = np.ones(2000)
INDICES = np.arange(2000)
LARGEST = 2**63 - 1


@needs_numba
@pytest.mark.parametrize(
    ("function", "usual", "unusual"),
    [
        (quotients, (ONES, ONES), (ONES, np.zeros(2000))),
        (whole_quotients, (INDICES, INDICES + 1), (INDICES, INDICES)),
        (whole_quotients, (ONES, ONES), (ONES, np.zeros(2000))),
        (gathered, (ONES, INDICES), (ONES, INDICES + 1)),
        (gathered, (ONES, INDICES), (ONES, -INDICES - 1)),
        (gathered, (ONES, INDICES), (ONES, -INDICES - 2)),
        (multiplied, (ONES, 30), (ONES, 60)),
        (fibonacci, (ONES, 50), (ONES, 200)),
        (increased, (ONES, 3), (ONES, LARGEST)),
        (decreased, (ONES, 3), (ONES, -LARGEST)),
        (negated, (ONES, 3), (ONES, -LARGEST - 1)),
        (absolute, (ONES, 3), (ONES, -LARGEST - 1)),
        (is_equal, (ONES, 3), (ONES, 2**53 + 1)),
        (is_equal, (ONES, 3), (ONES, -(2**53) - 1)),
        (unused_quotient, (ONES, -1), (ONES, 0)),
        (backwards, (ONES, 3), (ONES, -LARGEST)),
        (paired, (INDICES,), (INDICES + (LARGEST - 1999),)),
        (ratio, (ONES, 7), (ONES, 2**62 + 3)),
        (roots, (ONES,), (-ONES,)),
        (failing, (ONES, 900), (ONES, 1200)),
    ],
)
def test_numbas_differences(function: FunctionType, usual: Any, unusual: Any):
    """What Numba computes otherwise runs as it is: results, errors, warnings, arguments."""

    def outcome(f: Any, arguments: Any) -> tuple[Any, ...]:
        given = [v.copy() if hasattr(v, "copy") else v for v in arguments]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                result, error = f(*given), None
            except Exception as found:
                result, error = None, (type(found), str(found))
        told = sorted({(w.category, str(w.message)) for w in caught}, key=str)
        results = result if isinstance(result, tuple) else (result,)
        return [(type(v), numpy.asarray(v).tolist()) for v in (*results, *given)], error, told

    compiled = by_numba(function)
    for arguments in (usual, usual, unusual, usual):
        theirs, ours = outcome(function, arguments), outcome(compiled, arguments)
        assert str(ours) == str(theirs)
    (chosen,) = compiled.explain().choices
    assert chosen.by == "Numba", chosen


def overlapping(x, y):
    for i in range(x.shape[0]):
        x[i] = y[i] + 1.0
    return x


@needs_numba
def test_arrays_that_share_memory():
    """Two arguments on one memory run as they are."""
    compiled = by_numba(overlapping)
    compiled(ONES.copy(), ONES)
    ours, theirs = np.arange(50.0), np.arange(50.0)
    compiled(ours[1:], ours[:-1])
    overlapping(theirs[1:], theirs[:-1])
    assert ours.tolist() == theirs.tolist()


def doubled(x, out):
    for i in range(x.shape[0]):
        out[i] = x[i] + x[i]
    return out


def minus(x, out):
    for i in range(x.shape[0]):
        out[i] = -x[i]
    return out


def inverted(x, out):
    for i in range(x.shape[0]):
        out[i] = ~x[i]
    return out


def sizes(x, out):
    for i in range(x.shape[0]):
        out[i] = abs(x[i])
    return out


def added(x, out):
    for i in range(x.shape[0]):
        out[i] = np.add(x[i], 100)
    return out


def larger(x, out):
    for i in range(x.shape[0]):
        out[i] = max(x[i], 3)
    return out


@needs_numba
@pytest.mark.parametrize("function", [doubled, minus, inverted, sizes, added, larger])
@pytest.mark.parametrize(("dtype", "value"), [("int8", -128), ("int8", 100), ("uint8", 200)])
def test_narrow_integers_are_refused(function: FunctionType, dtype: str, value: int):
    """NumPy's sum of two int8 is an int8; Numba's an int64."""
    compiled = by_numba(function)
    x, out = np.full(300, value, dtype=dtype), np.zeros(300, dtype=np.int64)
    with np.errstate(over="ignore"):
        assert compiled(x, out.copy()).tolist() == function(x, out).tolist()
    assert dtype in told(compiled) or "several kinds" in told(compiled)


@needs_numba
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32"])
def test_narrow_integers_may_be_moved_and_compared(dtype: str):
    """An index, a bound of a slice, a copy, the larger of two, a comparison: all are exact."""

    def f(x, starts, out):
        for i in range(starts.shape[0] - 1):
            for j in range(starts[i], starts[i + 1]):
                out[j] = max(x[i], x[j])
            if x[i] == 1 and x[i] < starts[i + 1]:
                out[starts[i] : starts[i + 1]] = x[i]
        return out

    compiled = by_numba(f)
    x, starts = np.arange(100, dtype=dtype), np.arange(0, 100, 4, dtype=dtype)
    for _ in range(2):
        ours, theirs = (g(x, starts, np.zeros(100, dtype=dtype)) for g in (compiled, f))
        assert ours.tolist() == theirs.tolist()
    assert compiled.explain().state == "compiled by Numba", told(compiled)


def stored(x, n):
    for i in range(x.shape[0]):
        x[i] = n
    return x


def filled(x, n):
    return x + np.full(x.shape[0], n, dtype=np.int8)


def shifted_by(x, n):
    x[0] = 1
    return n >> n


@needs_numba
@pytest.mark.parametrize(
    ("function", "why"), [(stored, "puts int64"), (filled, "int8"), (shifted_by, "negative")]
)
def test_numbers_that_narrow_integers_do_not_hold(function: FunctionType, why: str):
    compiled = by_numba(function)
    compiled(np.zeros(300, dtype=np.int8), 3)
    assert why in told(compiled)
    for f in (compiled, function):
        with pytest.raises((OverflowError, ValueError)):
            f(np.zeros(300, dtype=np.int8), -300)


def whole_ufunc(x, n):
    x[0] = 0.5
    return x, np.floor_divide(3, n)


def power_ufunc(x, n):
    x[0] = 0.5
    return x, np.power(n, 3)


def multiple_ufunc(x, n):
    x[0] = 0.5
    return x, np.lcm(n, 4)


@needs_numba
@pytest.mark.parametrize("function", [whole_ufunc, power_ufunc, multiple_ufunc])
def test_ufuncs_of_integers(function: FunctionType):
    """Numba computes powers with floats, and tells of no zero divisor."""
    compiled = by_numba(function)
    for n in (3, 3, 2**53 + 1):
        assert compiled(np.ones(300), n)[1] == function(np.ones(300), n)[1]
    assert "Numba is not given" in told(compiled)


@needs_numba
def test_updates_by_a_new_array():
    """What an operator gives overlaps nothing."""

    def f(x):
        for i in range(1, x.shape[0]):
            x[i, 1:] -= x[i, :-1] * x[i - 1, 1:]
        x[1:] += -x[:-1]
        return x

    compiled = by_numba(f)
    for _ in range(2):
        numpy.testing.assert_array_equal(compiled(matrix()), f(matrix()))
    assert compiled.explain().state == "compiled by Numba", told(compiled)


@needs_numba
def test_single_precision_beside_a_float():
    """NumPy compares with the float rounded to float32, Numba with the float."""

    def f(x):
        found = np.zeros(x.shape[0])
        for i in range(x.shape[0]):
            if x[i] == 0.1:
                found[i] = 1.0
        return found

    compiled = by_numba(f)
    assert compiled(np.full(300, 0.1, dtype=np.float32)).sum() == 300
    assert "compares float32" in told(compiled)


def recursive(n):
    return n if n == 0 else recursive(n - 1)


def unbound(n):
    for i in range(n):
        y = i
    return y


def prints(x):
    print(x)
    return x


def reads_an_array(x):
    return x + TABLE


def draws(x):
    return x + np.random.random()


def sets_errors(x):
    with np.errstate(all="ignore"):
        return x / 0


def looks_for(x, n):
    return n in (1, 2)


def makes_a_list(x):
    return [x, x]


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (recursive, "calls itself"),
        (unbound, "y may be read"),
        (prints, "calls print"),
        (reads_an_array, "reads TABLE"),
        (draws, "random"),
        (sets_errors, "none that Numba gets"),
        (looks_for, "looks for an item"),
        (makes_a_list, "has a list"),
    ],
)
def test_what_numba_is_not_given(function: Any, why: str):
    with pytest.raises(RefusedError, match=why):
        source_for(function)


def writes_through_a_name(x, y, z):
    part = x[1:]
    part[0] = y[0]
    _filled(z)
    return y * 2


def _filled(a):
    a[:] = 3


def test_what_a_function_may_write_to():
    assert source_for(writes_through_a_name).written == {"x", "z"}  # type: ignore[arg-type]


PROGRAM = """
import math
import numpy as np, numpy_shim
from numpy_shim._jit import choice

choice._FASTER = math.inf  # what is right is kept

def f(x):
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        out[i] = x[i] * 2.0
    return out

g = numpy_shim.jit(f, compiler="numba", eager_compile=True)
for _ in range(2):
    assert g(np.ones(3000)).tolist() == [2.0] * 3000
print(g.explain().state)
entry = g.__numpy_shim_jit__._candidates[0]._entry
print("hits", sum(entry.stats.cache_hits.values()) if hasattr(entry, "stats") else 0)
"""


@needs_numba
class TestTheCache:
    def run(self, folder: Path, *more: str) -> str:
        file = folder / "program.py"
        file.write_text(PROGRAM)
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
        command = [*more, sys.executable, str(file)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout

    def test_a_second_process_finds_it(self, tmp_path: Path):
        assert self.run(tmp_path) == "compiled by Numba\nhits 0\n"
        assert self.run(tmp_path) == "compiled by Numba\nhits 1\n"

    def test_a_folder_that_cannot_be_made(self, tmp_path: Path):
        (tmp_path / "cache").write_text("a file, where the folder would be")
        assert self.run(tmp_path).startswith("compiled by Numba")
        assert (tmp_path / "cache").is_file()


def shifts_in_place(x):
    x[1:] += x[:-1]
    return x


def adds_to_out(x):
    np.add(x[1:], x[:-1], x[1:])
    return x


def through_a_tuple(x, y):
    both = (x,) + (y,)  # noqa: RUF005 - the case
    for i in range(x.shape[0]):
        both[0][i] = 1.0
    return x


def dots_to_out(x, y):
    np.dot(x, x, y)
    return y


def sums_to_out(x, y):
    x.sum(0, None, y)
    return y


def adds_at(x, y):
    np.add.at(x, np.array([0, 0]), 1.0)
    return x


def writes_by_flat(x, y):
    x.flat[0] = y[0, 0]
    return x


@needs_numba
@pytest.mark.parametrize(
    ("function", "count", "why"),
    [
        (dots_to_out, 2, "dot other operands"),
        (sums_to_out, 2, "sum other operands"),
        (adds_at, 2, "uses at"),
        (writes_by_flat, 2, "uses flat"),
        (shifts_in_place, 1, "may overlap"),
        (adds_to_out, 1, "other operands"),
        (through_a_tuple, 2, "not seen"),
    ],
)
def test_overlaps_that_numba_does_not_see(function: FunctionType, count: int, why: str):
    f = by_numba(function)
    shape = (40, 40) if function in (dots_to_out, writes_by_flat) else 2000
    given = [np.zeros(shape) for _ in range(count)]
    if function is sums_to_out:
        given[1] = np.zeros(())
    f(*given)
    assert why in told(f)


def test_an_array_given_twice_is_another_kind_of_call():
    """Dynamo guards which arguments are one object: each such kind is tried by itself."""
    a, b = numpy.ones((3, 4)), numpy.ones((3, 4))
    assert key_of((a, b, 1), {}) == key_of((b, a, 1), {}) != key_of((a, a, 1), {})
    assert described(key_of((a, a), {})).endswith("argument 2 is argument 1")
    assert key_of((1, 1), {}) == key_of((1, 2), {})
