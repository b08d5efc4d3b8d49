"""Trials: compiled code runs beside the program, and must change nothing of it."""

from __future__ import annotations

import math
import random
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy
import torch

from xp_torch._torch.dynamo import changed_by, root_of, source_of, watch_trace
from xp_torch._torch.internals import disable_current_modes
from xp_torch._torch.patches import INDUCTOR

from .candidates import NotYetError, RefusedError

_UNTOLD = "this torch does not tell what a function changes"
ARGUMENT = "LocalSource"  # Dynamo's name of where an argument comes from
_SLOWEST = 5.0
_FIRST, _START, _EACH = 3.5, 1.5, 0.03
"""Seconds that inductor takes for its first graph, for another, and for each call in it."""


class _Trial(threading.local):
    is_active = False
    end = math.inf  # when the compiler must be ready
    before = 0.0  # the seconds of earlier ones
    start = cpu = 0.0  # when it began, and how long this thread had computed by then


_trial = _Trial()


def now() -> float:
    """The time in seconds without that of this thread's trials: a call does not count them."""
    return time.perf_counter() - _trial.before


def deadline() -> float:
    """When a trace must be ready, by the clock of ``time.perf_counter``."""
    return _trial.end if _trial.is_active else math.inf


def is_trying() -> bool:
    """Whether a trial runs in this thread: what it calls is not tried by itself."""
    return _trial.is_active


@contextmanager
def trial(seconds: float = math.inf) -> Iterator[None]:
    """Run what is inside as a trial, for whose compilers ``seconds`` are left."""
    profile, start = sys.getprofile(), time.perf_counter()
    sys.setprofile(None)
    _trial.is_active, _trial.end = True, start + seconds
    _trial.start, _trial.cpu = start, time.thread_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        _trial.is_active = False
        _trial.before += time.perf_counter() - start
        sys.setprofile(profile)


def _slowdown() -> float:
    """How much longer a trial takes than it computes: other programs run, too."""
    computed = time.thread_time() - _trial.cpu
    passed = time.perf_counter() - _trial.start
    return min(max(passed / max(computed, 1e-3), 1.0), _SLOWEST)


@contextmanager
def traces() -> Iterator[None]:
    """Let Dynamo trace what is inside, and tell what it changes."""
    if not watch_trace(_look_at_changes):
        raise RefusedError(_UNTOLD)
    with disable_current_modes(), torch.compiler.set_stance("default"):
        yield


def _look_at_changes(frame: object) -> None:
    """Refuse a trace that changes what is no argument, as a global."""
    if not _trial.is_active:
        return
    try:
        sources = changed_by(frame)
    except AttributeError as error:
        raise RefusedError(_UNTOLD) from error
    for source in sources:
        root = root_of(source)
        if root is not None and root[0] != ARGUMENT:
            raise RefusedError(f"it changes {root[1] or 'what is no argument'}")


def random_states() -> tuple[Any, ...]:
    """The states of the global random streams, to compare."""
    name, keys, *rest = numpy.random.get_state(legacy=True)
    states = torch.random.get_rng_state().numpy().tobytes(), random.getstate()
    return (*states, name, numpy.asarray(keys).tobytes(), *rest)


@dataclass
class Counts:
    """What the graphs of one function have done."""

    calls: int = 0
    size: int = 0
    """Of the largest graph, in calls."""
    graphs: int = 0
    refused: str = ""
    """What a run has done that a trial is not to do."""


class Graphs:
    """A backend that counts the calls of its graphs, and keeps a trial from other arrays."""

    def __init__(self, compile_graph: Callable[..., Callable[..., Any]], counts: Counts) -> None:
        self._compile = compile_graph
        self.counts = counts
        self.__name__ = "numpy_shim"

    def __call__(self, graph: Any, inputs: Any) -> Callable[..., Any]:
        nodes = list(graph.graph.nodes)
        counts, size = self.counts, sum(node.op.startswith("call_") for node in nodes)
        counts.size = max(counts.size, size)
        counts.graphs += 1
        sources = [source_of(n) for n in nodes if n.op == "placeholder"]
        others = [i for i, s in enumerate(sources) if (root_of(s) or ("",))[0] != ARGUMENT]
        if _trial.is_active:
            if any(draws(n) for n in nodes):
                raise RefusedError("it draws random numbers")
            expected = _slowdown() * (
                (_START if INDUCTOR in sys.modules else _FIRST) + _EACH * size
            )
            if time.perf_counter() + expected > _trial.end:
                raise NotYetError(expected)
        run = self._compile(graph, inputs)

        def counted(*arguments: Any) -> Any:
            counts.calls += 1
            if not _trial.is_active:
                return run(*arguments)
            given = list(arguments)
            for i in others:
                if isinstance(given[i], torch.Tensor):
                    given[i] = given[i].clone()
            versions = [given[i]._version for i in others if isinstance(given[i], torch.Tensor)]
            result = run(*given)
            after = [given[i]._version for i in others if isinstance(given[i], torch.Tensor)]
            if after != versions:
                counts.refused = "it writes to an array that is no argument"
            return result

        return counted


_DRAWING = (
    "rand", "normal", "bernoulli", "multinomial", "dropout", "_standard_gamma", "poisson",
    "binomial", "uniform_", "exponential_", "geometric_", "cauchy_", "log_normal_",
)  # fmt: skip


def draws(node: Any) -> bool:
    """Whether a call of a graph draws random numbers."""
    name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
    return node.op.startswith("call_") and name.startswith(_DRAWING)
