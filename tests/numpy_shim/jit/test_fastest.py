"""``jit`` keeps what is fastest and right: the function as it was, Numba, or ``torch.compile``."""

from __future__ import annotations

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

import numpy_shim
from numpy_shim._jit import fastest
from numpy_shim._jit.candidates import Figures, RefusedError
from numpy_shim._jit.choice import Chooser
from numpy_shim._jit.signatures import described, key_of
from numpy_shim._jit.snapshot import Snapshot

from .with_numba import by_numba, eliminated, has_numba, matrix, needs_numba, told

pytestmark = pytest.mark.usefixtures("whatever_it_takes")


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
