"""``jit`` keeps what is fastest and right: the function as it was, Numba, or ``torch.compile``."""

from __future__ import annotations

import functools
import math
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import numpy as np
import pytest
import torch

import numpy_shim
from numpy_shim._jit import fastest
from numpy_shim._jit.candidates import Figures, NotYetError, RefusedError, in_order
from numpy_shim._jit.choice import Chooser
from numpy_shim._jit.signatures import described, key_of
from numpy_shim._jit.snapshot import Snapshot
from numpy_shim._jit.unseen import Unseen
from numpy_shim._jit.with_numba import WithNumba

from .with_numba import by_numba, eliminated, has_numba, matrix, needs_numba, told

pytestmark = pytest.mark.usefixtures("whatever_it_takes")


class Ready:
    """A candidate that is already there: a function, and what it is said to cost."""

    name = "ready"
    shortest = 0.0
    patience = 1.0

    def __init__(self, function: Callable[..., Any], cost: float = 0.0) -> None:
        self.function, self.seconds, self.calls, self.fits = function, cost, 0, True

    def cost(self, is_cached: bool = False) -> float:
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


def refused(copies: Snapshot, result: Any) -> Any:
    raise RefusedError("refused")


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

    @pytest.mark.parametrize(("later", "by"), [(1.9, "ready"), (3.1, "")])
    def test_turns_in_the_program_decide_where_the_trial_is_not_clear(self, later: float, by: str):
        """What was faster in the trial, beside other programs, takes turns with the function."""
        lasting = {"ready": 2.0, "itself": 3.0}

        def run(name: str, x: Any) -> Any:
            clock.seconds += 1e-3 * lasting[name]
            return x + 1

        ready = Ready(functools.partial(run, "ready"))
        chooser = Chooser(functools.partial(run, "itself"), [ready], eager=True, clock=clock.now)
        chooser.call((np.zeros(5),), {})
        (chosen,) = chooser.choices.values()
        assert chosen.by == "ready"
        lasting["ready"], before = later, ready.calls
        for _ in range(20):
            chooser.call((np.zeros(5),), {})
        assert chosen.by == by
        assert chosen.plain.calls == 1 + (5 if by else 15)
        assert ready.calls - before == (15 if by else 5)
        if not by:
            assert "in the program it is not faster: 3.1 ms, as it was 3 ms" in str(chosen)

    def test_a_compiler_waits_until_the_calls_have_taken_what_it_needs(self):
        """It said at the first trial that it takes longer than it seemed."""
        ready = Ready(fast)

        def compiled(copies: Snapshot, result: Any) -> Any:
            raise NotYetError(59.0)

        ready.compiled = compiled  # type: ignore[method-assign]
        chooser = Chooser(slow, [ready], after=1e-9, clock=clock.now)
        trials = []
        for _ in range(60):
            chooser.call((np.zeros(5),), {})
            (chosen,) = chooser.choices.values()
            trials.append(chosen.trials)
        assert trials[:3] == [0, 0, 1]
        assert trials.index(2) == 23  # twenty calls of three seconds later, and the trial itself
        assert "about 59 s" in chosen.told["ready"]

    def test_the_unlikely_compiler_waits_longer(self):
        first, second = Ready(fast, 10.0), Ready(fast, 10.0)
        second.name = "second"
        first.compiled = refused  # type: ignore[method-assign]
        chooser = Chooser(slow, [first, second], after=1e-9, clock=clock.now)
        by = []
        for _ in range(25):
            chooser.call((np.zeros(5),), {})
            (chosen,) = chooser.choices.values()
            by.append((chosen.trials, chosen.by))
        assert by.index((1, "")) == 4  # after twelve seconds, and three of the trial
        assert by.index((2, "second")) == 15

    def test_calls_that_take_very_different_times(self):
        """A trial is a call that takes as long as most, and no short one decides by its time."""

        def lasting(each: float, n: int) -> int:
            clock.seconds += each * n
            return n

        ready = Ready(functools.partial(lasting, 2e-5))
        ready.shortest = 5e-6
        chooser = Chooser(functools.partial(lasting, 1e-4), [ready], after=0.005, clock=clock.now)
        (many, few), seen = (100, 0), []
        for n in [few, many] + [few] * 9 + [many] + [few] * 30:
            assert chooser.call((n,), {}) == n
            (chosen,) = chooser.choices.values()
            seen.append(chosen.trials)
        assert seen.index(1) == 11
        assert (chosen.by, chosen.fast.calls) == ("ready", 30)

    def test_compiled_code_runs_in_calls_that_are_not_looked_at(self):
        unseen, ready = Unseen(), Ready(fast)
        chooser = Chooser(slow, [ready], eager=True, clock=clock.now, unseen=unseen)
        for _ in range(12):
            chooser.call((np.zeros(5),), {})
        (chosen,) = chooser.choices.values()
        assert (chosen.fast.calls, unseen.left) == (11, 255)
        for other in (np.zeros(7), np.zeros((5, 1)), np.zeros(5, np.float32), np.zeros(9)[::2]):
            is_alike = unseen.is_alike((other,), {}, unseen.limits)
            assert is_alike is (other.shape == (7,))
        assert not unseen.is_alike((numpy_shim.zeros(5),), {}, unseen.limits)
        unseen.left -= 1
        assert unseen.plain(np.zeros(5)).tolist() == [0] * 5
        chooser.count_unseen()
        assert (chosen.fast.calls, chosen.fast.seconds) == (12, 12.0)
        for _ in range(2):
            chooser.call((np.zeros(5),), {})
        ready.fits = False
        unseen.left -= 1
        unseen.plain(np.zeros(5))
        assert unseen.left == 0  # the next is looked at
        assert (chosen.fast.calls, chosen.missed.calls) == (14, 1)

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

    def test_none_passes_unseen_where_compiled_code_is_there(self):
        unseen = Unseen()
        chooser = Chooser(slow, [Ready(fast)], eager=True, clock=clock.now, unseen=unseen)
        chooser.call((np.zeros(5),), {})
        chooser.call((np.zeros(5, dtype=np.float32),), {})
        assert unseen.left == 0

    def test_figures(self):
        figures = Figures()
        for seconds in (3.0, 1.0, 2.0):
            figures.add(seconds)
        assert (figures.mean(), figures.best) == (2.0, 1.0)


def loops(x):
    for i in range(3):
        x = x + i
    return x


def calls_a_loop(x):
    return loops(x)


def has_a_comprehension(x):
    return [v for v in x]  # noqa: C416 - the case


def has_none(x):
    return np.where(x > 0, x, 0) if x.ndim else x


def test_numba_comes_first_where_there_are_loops():
    for function, first in (
        (loops, "Numba"),
        (calls_a_loop, "Numba"),
        (has_a_comprehension, "Numba"),
        (has_none, "torch"),
    ):
        order, _ = in_order(
            function,  # type: ignore[arg-type]
            WithNumba(function, function),  # type: ignore[arg-type]
            fastest.OfTranslation(function, function),  # type: ignore[arg-type]
        )
        assert order[0].name == first


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


def test_an_array_given_twice_is_another_kind_of_call():
    """Dynamo guards which arguments are one object: each such kind is tried by itself."""
    a, b = numpy.ones((3, 4)), numpy.ones((3, 4))
    assert key_of((a, b, 1), {}) == key_of((b, a, 1), {}) != key_of((a, a, 1), {})
    assert described(key_of((a, a), {})).endswith("argument 2 is argument 1")
    assert key_of((1, 1), {}) == key_of((1, 2), {})


OF_ARRAYS: dict[str, Callable[[], Any]] = {
    "NumPy's array": lambda: numpy.arange(3000.0),
    "a view of NumPy's array": lambda: numpy.arange(6000.0).reshape(2, 3000)[1],
    "ours": lambda: numpy_shim.arange(3000.0),
    "a view of ours": lambda: numpy_shim.arange(6000.0).reshape(2, 3000)[1],
}


@pytest.mark.parametrize("made", OF_ARRAYS.values(), ids=OF_ARRAYS)
def test_torch_compiles_for_copies_what_fits_the_arguments(made: Callable[[], Any]):
    """Dynamo guards whether an array is a view: its copy in the trial is one too."""

    def differences(x):
        return ((x[1:] - x[:-1]) ** 2).sum()

    compiled = numpy_shim.jit(differences, backend="eager")
    assert compiled(*Snapshot((made(),), {}).arguments) == compiled(made()) == 2999.0
    assert compiled.explain().state == "compiled whole"
    assert len(compiled.explain().graphs) == 1
