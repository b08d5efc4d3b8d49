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
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from types import FrameType, FunctionType, TracebackType
from typing import Any

import torch
from torch.compiler import is_dynamo_compiling

from xp_torch._torch.dynamo import compiler

from .._jit.candidates import RefusedError
from .._jit.guarded import Counts, Graphs, now, traces, trial
from .._jit.loops import split
from .._jit.reasons import Line, TooLongError, caused_by, reason, trace_limit
from .._jit.record import safe
from .._jit.snapshot import KEPT, CannotCopyError, Snapshot, as_eager

_UNTRACED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_CALLS = 100  # of a graph with an unrolled loop
_EVENTS = 20_000  # calls by the program until no new functions of it are looked for
_TRIALS = 4  # of a function: each compiles it for other arguments
_SAMPLE = 5  # calls until compiled ones are compared with the others
_SHORTEST = 3e-5  # seconds of a call, less than which guards take as long as the function

_names = map("__numpy_shim_jit_{}__".format, itertools.count())


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
        self._counts = Counts()
        self._graphs: Graphs | None = None
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
            start = now()
            try:
                return self.plain(*arguments, **keywords)
            finally:
                seconds = now() - start
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
        before = self._counts.calls
        start = now()
        result = self._compiled(*arguments, **keywords)
        seconds = now() - start
        if self._counts.calls == before:  # other arguments: it ran as it is
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
        start = now()
        result = self.plain(*arguments, **keywords)
        self.seconds += now() - start
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
            self._watch.is_trying = False
        return result

    def _try(self, snapshot: Snapshot, arguments: tuple[Any, ...], result: Any) -> None:
        if self._graphs is None:
            compile_graph = compiler(self._watch.backend, None, None, None)
            self._graphs = Graphs(partial(safe, compile_graph), self._counts)
        graphs, counts = self._graphs, self._counts
        compiled = self._compiled or torch.compile(self.plain, fullgraph=True, backend=graphs)
        counts.refused = ""
        try:
            with trial(), traces(), trace_limit(_CALLS):
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
            refused = caused_by(error, RefusedError)
            self._give_up(str(refused).partition("\n")[0] if refused else reason(error))
            return
        if not counts.size:
            counts.refused = "it calls no torch operator"
        difference = counts.refused or snapshot.difference(arguments, result, as_eager(other))
        if difference:
            if KEPT in difference:
                difference = counts.refused = KEPT
            if not counts.refused:
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

    def _with_compiled_loops(self, error: TooLongError, graphs: Graphs) -> Callable[..., Any]:
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
