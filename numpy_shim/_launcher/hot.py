"""``--jit``: compiles the functions of a program that are called often, while it runs.

A function that has been called is given other code, which calls a watch; so every reference to the
function is watched. Once the time it has taken could repay the compiler, one more call runs twice:
as it is, for the program, and compiled, on copies of the arguments. If both agree, the calls from
then on are compiled. A call that the compiled code does not fit runs as it is.
"""

from __future__ import annotations

import builtins
import inspect
import itertools
import math
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import FrameType, FunctionType, TracebackType
from typing import Any

import torch
from torch.compiler import is_dynamo_compiling

from xp_torch._torch.dynamo import changed_by, compiler, root_of, source_of, watch_trace
from xp_torch._torch.internals import disable_current_modes

from .._jit.loops import split
from .._jit.reasons import Line, TooLongError, caused_by, reason, trace_limit
from .._jit.record import safe
from .snapshot import KEPT, CannotCopyError, Snapshot, as_eager

_UNTRACED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_CALLS = 100  # of a graph with an unrolled loop
_EVENTS = 20_000  # calls by the program until no new functions of it are looked for
_TRIALS = 4  # of a function: each compiles it for other arguments
_SAMPLE = 5  # calls until compiled ones are compared with the others
_SHORTEST = 3e-5  # seconds of a call, less than which guards take as long as the function
_UNTOLD = "this torch does not tell what a function changes"
_ARGUMENT = "LocalSource"  # Dynamo's name of where an argument comes from

_names = map("__numpy_shim_jit_{}__".format, itertools.count())


class _RefusedError(Exception):
    """A function is not to be run twice: a trial is stopped before it has run."""


class _Trial(threading.local):
    is_active = False


_trial = _Trial()


def _look_at_changes(frame: Any) -> None:
    """Refuse a trace that changes what is no argument, as a global."""
    if not _trial.is_active:
        return
    try:
        sources = changed_by(frame)
    except AttributeError as error:
        raise _RefusedError(_UNTOLD) from error
    for source in sources:
        root = root_of(source)
        if root is not None and root[0] != _ARGUMENT:
            raise _RefusedError(f"it changes {root[1] or 'what is no argument'}")


class _Graphs:
    """A backend that counts the calls of its graphs, and keeps a trial from other arrays."""

    def __init__(self, backend: str) -> None:
        self._compile = compiler(backend, None, None, None)
        self.__name__ = "numpy_shim --jit"
        self.calls = self.compiled = self.size = 0
        self.refused = ""

    def __call__(self, graph: Any, inputs: Any) -> Callable[..., Any]:
        nodes = list(graph.graph.nodes)
        self.size = sum(node.op.startswith("call_") for node in nodes)
        sources = [source_of(n) for n in nodes if n.op == "placeholder"]
        others = [i for i, s in enumerate(sources) if (root_of(s) or ("",))[0] != _ARGUMENT]
        if _trial.is_active and any(_draws(n) for n in nodes):
            raise _RefusedError("it draws random numbers")
        run = safe(self._compile, graph, inputs)
        self.compiled += 1

        def counted(*arguments: Any) -> Any:
            self.calls += 1
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
                self.refused = "it writes to an array that is no argument"
            return result

        return counted


_DRAWING = (
    "rand", "normal", "bernoulli", "multinomial", "dropout", "_standard_gamma", "poisson",
    "binomial", "uniform_", "exponential_", "geometric_", "cauchy_", "log_normal_",
)  # fmt: skip


def _draws(node: Any) -> bool:
    """Whether a call of a graph draws random numbers."""
    name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
    return node.op.startswith("call_") and name.startswith(_DRAWING)


class Hot:
    """A function of the program that is watched."""

    def __init__(self, function: FunctionType, watch: HotFunctions) -> None:
        self.function = function
        self.code = function.__code__
        self.name = function.__qualname__
        self._watch = watch
        self.plain = FunctionType(
            self.code, function.__globals__, function.__name__, function.__defaults__
        )
        self.plain.__kwdefaults__ = function.__kwdefaults__
        self.plain.__qualname__ = function.__qualname__
        self.calls = self.compiled_calls = 0
        self.seconds = self.compiled_seconds = self.compiler_seconds = 0.0
        self._best = self._compiled_best = math.inf
        self._missed = 0.0
        self._trials = 0
        self._compiled: Callable[..., Any] | None = None
        self._graphs: _Graphs | None = None
        self.why_not = ""
        self._name = next(_names)
        self._install()

    # --- instead of the function's code ---

    def _install(self) -> None:
        plain = self.plain

        def dispatch(*arguments: Any, **keywords: Any) -> Any:
            if is_dynamo_compiling():
                return plain(*arguments, **keywords)
            return self._call(arguments, keywords)

        # Dynamo takes a function among the builtins, but not one among the constants of the code.
        setattr(builtins, self._name, dispatch)
        text = f"def watched(*args, **kwargs): return {self._name}(*args, **kwargs)"
        made: dict[str, Any] = {}
        exec(compile(text, __file__, "exec"), made)
        code = made["watched"].__code__.replace(
            co_name=self.code.co_name, co_qualname=self.code.co_qualname
        )
        self.function.__code__ = code
        self.function.__signature__ = inspect.signature(self.plain)  # type: ignore[attr-defined]

    def _give_up(self, why: str) -> None:
        self.why_not = why
        self._compiled = None
        self.function.__code__ = self.code
        vars(self.function).pop("__signature__", None)

    # --- a call ---

    def _call(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        watch = self._watch
        if watch.is_trying or self.why_not:
            return self.plain(*arguments, **keywords)
        if self._is_due():
            return self._trial(arguments, keywords)
        if self._compiled is None:
            start = watch.clock()
            try:
                return self.plain(*arguments, **keywords)
            finally:
                seconds = watch.clock() - start
                self.seconds += seconds
                self.calls += 1
                self._best = min(self._best, seconds)
        return self._call_compiled(arguments, keywords)

    def _is_due(self) -> bool:
        """Whether what the calls have taken so far could repay the compiler."""
        if self._compiled is not None:
            return self._missed > self._watch.after and self._trials < _TRIALS
        return (
            self.calls >= 2
            and self.seconds >= self._watch.after
            and (self.seconds >= self.calls * _SHORTEST or not self._watch.after)
        )

    def _call_compiled(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        assert self._compiled is not None
        assert self._graphs is not None
        before = self._graphs.calls
        start = self._watch.clock()
        result = self._compiled(*arguments, **keywords)
        seconds = self._watch.clock() - start
        if self._graphs.calls == before:  # other arguments: it ran as it is
            self._missed += seconds
            self.seconds += seconds
            self.calls += 1
            return result
        self.compiled_seconds += seconds
        self.compiled_calls += 1
        if self.compiled_calls <= _SAMPLE and self._watch.after:
            # The shortest times are compared: other programs and the first call disturb the rest.
            self._compiled_best = min(self._compiled_best, seconds)
            if self.compiled_calls == _SAMPLE and self._compiled_best >= self._best:
                self._give_up("compiled it is not faster")
        return as_eager(result)

    def gain(self) -> float:
        """The seconds that the compiled calls have saved, without those of the compiler."""
        mean = self.seconds / self.calls if self.calls else 0.0
        return self.compiled_calls * mean - self.compiled_seconds

    # --- the call that compiles ---

    def _trial(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Run the function as it is, and then compiled on copies; compare the two."""
        self._trials += 1
        self._missed = 0.0
        try:
            snapshot = Snapshot(arguments, keywords)
        except CannotCopyError as error:
            self._give_up(str(error))
            return self.plain(*arguments, **keywords)
        state = torch.random.get_rng_state()
        start = self._watch.clock()
        result = self.plain(*arguments, **keywords)
        self.seconds += self._watch.clock() - start
        self.calls += 1
        if not torch.equal(torch.random.get_rng_state(), state):
            self._give_up("it draws random numbers")
            return result
        self._watch.is_trying = True
        start = time.perf_counter()
        try:
            self._try(snapshot, (*arguments, *keywords.values()), result)
        finally:
            seconds = time.perf_counter() - start
            self.compiler_seconds += seconds
            self._watch.in_trials += seconds
            self._watch.is_trying = False
        return result

    def _try(self, snapshot: Snapshot, arguments: tuple[Any, ...], result: Any) -> None:
        if self._graphs is None:
            self._graphs = _Graphs(self._watch.backend)
        graphs = self._graphs
        compiled = self._compiled or torch.compile(self.plain, fullgraph=True, backend=graphs)
        if not watch_trace(_look_at_changes):
            self._give_up(_UNTOLD)
            return
        profile = sys.getprofile()
        sys.setprofile(None)
        _trial.is_active, graphs.refused = True, ""
        try:
            with (
                disable_current_modes(),
                torch.compiler.set_stance("default"),
                trace_limit(_CALLS),
                warnings.catch_warnings(),
            ):
                warnings.simplefilter("ignore")
                too_long = None
                try:
                    other = compiled(*snapshot.arguments, **snapshot.keywords)
                except Exception as error:
                    too_long = caused_by(error, TooLongError)
                    if too_long is None:
                        raise
                if isinstance(too_long, TooLongError):
                    compiled = self._with_compiled_loops(too_long, graphs)
                    # The trace was stopped before anything was run: the copies are as they were.
                    with trace_limit(_CALLS):
                        other = compiled(*snapshot.arguments, **snapshot.keywords)
        except Exception as error:  # whatever it is, the program goes on without the compiler
            refused = caused_by(error, _RefusedError)
            self._give_up(str(refused).partition("\n")[0] if refused else reason(error))
            return
        finally:
            _trial.is_active = False
            sys.setprofile(profile)
        if not graphs.size:
            graphs.refused = "it calls no torch operator"
        difference = graphs.refused or snapshot.difference(arguments, result, as_eager(other))
        if difference:
            if KEPT in difference:
                difference = graphs.refused = KEPT
            if not graphs.refused:
                line = Line(self.code.co_filename, self.code.co_firstlineno)
                print(
                    f"numpy_shim: {self.name} ({line.location()}) is not compiled: compiled and "
                    f"eager differ {difference}",
                    file=sys.stderr,
                )
                difference = f"compiled it differs {difference}"
            self._give_up(difference)
            return
        self._compiled = compiled

    def _with_compiled_loops(self, error: TooLongError, graphs: _Graphs) -> Callable[..., Any]:
        """The function with its loops in Python and their bodies compiled; raises if impossible."""
        parts = split(self.plain, error.line.number) if error.is_own_loop and error.line else None
        if parts is None:
            raise error
        for name, body in parts.bodies.items():
            setattr(builtins, name, torch.compile(body, fullgraph=True, backend=graphs))
        return parts.function


class HotFunctions(AbstractContextManager[None]):
    """Compiles functions called inside the ``with`` block; ``owns`` tells the program's files.

    ``after`` is the time in seconds that a function takes before it is compiled, all calls
    together. ``report`` is called at the end with the functions that were watched.
    """

    def __init__(
        self,
        owns: Callable[[str], bool],
        report: Callable[[list[Hot]], None] | None = None,
        after: float = 0.5,
        backend: str = "inductor",
    ) -> None:
        self._owns = owns
        self._report = report
        self.after = after
        self.backend = backend
        self.is_trying = False
        self.in_trials = 0.0  # seconds
        self._seen: dict[int, Any] = {}
        self._own: set[int] = set()
        self._events = 0
        self._hot: list[Hot] = []
        self._process = os.getpid()

    def __enter__(self) -> None:
        # Compiled code runs only where it fits: what is compiled anew is compared first.
        torch.compiler.set_stance("eager_on_recompile")
        sys.setprofile(self._event)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        sys.setprofile(None)
        if self._report is not None and os.getpid() == self._process:
            self._report(self._hot)

    def clock(self) -> float:
        """The time in seconds, without that of trials: a call does not count one inside it."""
        return time.perf_counter() - self.in_trials

    def _event(self, frame: FrameType, event: str, argument: Any) -> None:
        """The callback of ``sys.setprofile``: notes functions at their first call."""
        if event != "call":
            return
        code = frame.f_code
        if id(code) in self._seen:
            if frame.f_back is not None and id(frame.f_back.f_code) in self._own:
                self._events += 1
                if self._events > _EVENTS:
                    sys.setprofile(None)
            return
        self._seen[id(code)] = code
        if self._owns(code.co_filename):
            self._own.add(id(code))
        if not code.co_flags & inspect.CO_OPTIMIZED or code.co_flags & _UNTRACED:
            return
        if code.co_freevars or id(code) not in self._own:
            return
        function = _function_of(frame)
        if function is not None:
            self._events = 0
            self._hot.append(Hot(function, self))


def _function_of(frame: FrameType) -> FunctionType | None:
    """The function of a frame, if a module or a class of the program has it."""
    code = frame.f_code
    value: Any = frame.f_globals
    for name in code.co_qualname.split("."):
        value = value.get(name) if isinstance(value, dict) else vars(value).get(name)
        if value is None or not hasattr(value, "__dict__"):
            return None
    value = inspect.unwrap(getattr(value, "__func__", value))
    return value if isinstance(value, FunctionType) and value.__code__ is code else None


def without_us(trace: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames of the watch."""
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    if trace is not None:
        trace.tb_next = without_us(trace.tb_next)
    return trace
