"""``torch.compile`` for a function that was written for NumPy, and the functions it calls."""

from __future__ import annotations

import functools
import logging
import sys
import threading
import warnings
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from types import FunctionType
from typing import Any

import torch
from torch.compiler import is_dynamo_compiling

from xp_torch._torch.dynamo import LOGGERS, compiler, dynamo

from .._array.ndarray import ndarray
from .exchange import Exchange, give_plainly, take_plainly
from .guarded import Counts, Graphs, deadline
from .loops import split
from .program import STATE, is_programs
from .reasons import (
    SECONDS,
    Line,
    TooLongError,
    caused_by,
    is_limited,
    reason,
    stopped_at,
    trace_limit,
)
from .record import WHOLE, Break, Explanation, Recorder
from .translation import Translation

_CALLS = 100  # of an unrolled loop; it traces a second or more, and compiles ten times as long
_RAISING = 3  # calls that raise while they are traced, until the function is traced in parts
_LOOPS = "run as it is, the bodies of its loops compiled"


class _Quiet(logging.Filter):
    """Drops what Dynamo logs of errors that it survives: the function has been warned of."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (is_limited() and record.levelno <= logging.WARNING)


class WithTorch:
    """A compiled function, and how it runs: whole, in parts, or as it is.

    With ``counts`` it is for trials: what is not compiled whole, or in its loops, is an error.
    """

    def __init__(
        self,
        function: FunctionType,
        fullgraph: bool,
        dynamic: bool | None,
        backend: str | Callable[..., Any],
        mode: str | None,
        options: Mapping[str, object] | None,
        translation: Translation | None = None,
        counts: Counts | None = None,
    ) -> None:
        self.function = function
        self._settings = fullgraph, dynamic, backend, mode, options
        self.told = Explanation(function.__qualname__)
        self._is_part = translation is not None  # of a function that is compiled
        self._counts = counts
        self._translation = translation or Translation(without_jit)
        self.copy = self._translation.function(function)
        self._recorder: Recorder | None = None
        self._way = self._whole
        self._raised = 0
        self._lock = threading.RLock()

    # --- one call ---

    def __call__(
        self,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        way: Callable[..., Any] | None = None,
    ) -> Any:
        way = way or self._way
        translation = self._translation
        translation.refresh()
        if not translation.writes:
            given = (*arguments, *keywords.values()) if keywords else arguments
            plainly = take_plainly(given)
            if plainly is not None:
                kind, taken = plainly
                if keywords:
                    keywords = dict(zip(keywords, taken[len(arguments) :], strict=True))
                    result = way(taken[: len(arguments)], keywords)
                else:
                    result = way(taken, keywords)
                if taken is given and type(result) is ndarray:
                    return result
                return give_plainly(result, kind, given, taken, translation)
        exchange = Exchange(translation)
        arguments = tuple([exchange.take(v) for v in arguments])
        if keywords:
            keywords = {k: exchange.take(v) for k, v in keywords.items()}
        try:
            result = way(arguments, keywords)
        finally:
            exchange.settle()
            if translation.writes:
                translation.write_back(exchange.give)
        return exchange.give(result)

    def _whole(self, arguments: tuple[object, ...], keywords: dict[str, object]) -> Any:
        """Run one graph. Whatever stops the trace or the compiler stops it before it has run."""
        failed = None
        try:
            with trace_limit(_CALLS, SECONDS, deadline()):
                result = self._compiled(True)(*arguments, **keywords)
        except dynamo().errors as error:
            failed = error  # what runs instead is not to have it as its errors' context
        if failed is not None:
            return self._not_whole(failed, arguments, keywords)
        if self.told.state != WHOLE:
            self._note(WHOLE)
        return result

    def _not_whole(
        self, error: Exception, arguments: tuple[object, ...], keywords: dict[str, object]
    ) -> Any:
        if self._settings[0] and not (
            self._counts is not None and caused_by(error, TooLongError) and not self._is_part
        ):
            raise error
        if getattr(error, "gb_type", "") == "Observed exception" and self._raised < _RAISING:
            self._raised += 1  # most likely the program's, which the call will raise
            return self.copy(*arguments, **keywords)
        found = Break(stopped_at(error, is_programs), reason(error))
        with self._lock:
            if self._way == self._whole:
                if caused_by(error, TooLongError):
                    self._way, state = self._eager, self._compile_parts(error)
                    if self._counts is not None and state != _LOOPS:
                        raise error
                    if state == _LOOPS:
                        self._note(state)
                        self._recorder_of().note(found)
                        return self._way(arguments, keywords)
                elif isinstance(error, dynamo().Unsupported):
                    self._way, state = self._in_parts, "compiled in parts"
                else:
                    self._way, state = self._eager, "run as it is"
                self._note(state)
                self._recorder_of().note(found)
                _warn(f"jit: {self.told.name} is {state}. {found}")
        return self._way(arguments, keywords)

    def _in_parts(self, arguments: tuple[object, ...], keywords: dict[str, object]) -> Any:
        """Run graphs, and Python between them. What the compiler fails at runs as it is.

        By then a part has run, so Dynamo must handle the failure itself.
        """
        with ExitStack() as stack:
            stack.enter_context(trace_limit(_CALLS))
            stack.enter_context(dynamo().config.patch(suppress_errors=True))
            return self._compiled(False)(*arguments, **keywords)

    def _eager(self, arguments: tuple[object, ...], keywords: dict[str, object]) -> Any:
        return self.copy(*arguments, **keywords)

    # --- what is compiled ---

    def _recorder_of(self) -> Recorder:
        if self._recorder is None:
            _, dynamic, backend, mode, options = self._settings
            self._recorder = Recorder(compiler(backend, mode, options, dynamic), self.told)
        return self._recorder

    @functools.cache  # noqa: B019 - one per function that is compiled
    def _compiled(self, whole: bool) -> Callable[..., Any]:
        _quieten()
        backend: Callable[..., Any] = self._recorder_of()
        if self._counts is not None:
            backend = Graphs(backend, self._counts)
        return torch.compile(self.copy, fullgraph=whole, dynamic=self._settings[1], backend=backend)

    def _compile_parts(self, error: Exception) -> str:
        """Compile what is in a function that is too long to be compiled itself; say what it is."""
        too_long = caused_by(error, TooLongError)
        assert isinstance(too_long, TooLongError)
        if too_long.is_own_loop and too_long.line is not None and self._compile_loop(too_long.line):
            return _LOOPS
        if self._is_part or self._counts is not None:
            return "run as it is"
        self._compile_callees()
        return "run as it is, the functions it calls compiled"

    def _compile_loop(self, line: Line) -> bool:
        """Make a copy anew that has compiled functions for bodies of loops, if there can be one."""
        parts = split(self.function, line.number)
        if parts is None:
            return False
        outer, bodies = parts
        self.copy = self._translation.function(outer)
        for name, function in bodies.items():
            body = WithTorch(function, *self._settings, self._translation, self._counts)
            first = Line(line.file, function.__code__.co_firstlineno)
            told = body.told = Explanation(f"the loop at {first.location()}")
            told.graphs, told.operators = self.told.graphs, self.told.operators
            told.breaks = self.told.breaks
            self.copy.__globals__[name] = body.run
        return True

    def run(self, *arguments: object) -> Any:
        """Run a part of a compiled function, on arrays of ours."""
        return self._way(arguments, {})

    def _compile_callees(self) -> None:
        """Make a copy anew, which calls the program's functions compiled."""
        _, *settings = self._settings

        def special(value: object) -> object | None:
            if value is self.function or not isinstance(value, FunctionType):
                return None
            if STATE in vars(value):
                return value
            if not is_programs(value.__code__.co_filename):
                return None
            return wrapped(WithTorch(value, False, *settings))  # type: ignore[arg-type,no-any-return]

        self._translation = Translation(special)
        self.copy = self._translation.function(self.function)

    def _note(self, state: str) -> None:
        self.told.state, self.told.recompilations = state, 0

    def eager(self, *arguments: object, **keywords: object) -> Any:
        """Run the copy uncompiled: on arrays of ours, which is the function as it was."""
        return self(arguments, keywords, self._eager)

    def names_nothing_of_numpys(self) -> bool:
        """Whether the copy is the function itself: nothing that it refers to stands for another."""
        return self._translation.is_the_same()

    @property
    def is_whole(self) -> bool:
        """Whether a call is one graph, so that whatever stops it has run nothing yet."""
        return self._way == self._whole

    def explain(self, *arguments: object, **keywords: object) -> Explanation:
        """See ``jit``."""
        if not arguments and not keywords:
            return self.told
        _, dynamic, *_ = self._settings
        other = WithTorch(self.function, False, dynamic, "eager", None, None)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            other(_copied(arguments), _copied(keywords))
        other.told.recompilations = self.told.recompilations
        return other.told


def _copied(x: Any) -> Any:
    """Arguments that may be changed: copies of the arrays in tuples, lists and dictionaries."""
    if isinstance(x, torch.Tensor):
        return x.clone()
    if hasattr(x, "__array__") and hasattr(x, "copy"):
        return x.copy()
    if type(x) in (tuple, list):
        return type(x)(_copied(v) for v in x)
    if type(x) is dict:
        return {k: _copied(v) for k, v in x.items()}
    return x


def without_jit(value: object) -> object | None:
    """Inside a compiled function another is the plain function: it becomes part of the graph."""
    state = vars(value).get(STATE) if isinstance(value, FunctionType) else None
    return None if state is None else state.copy


def _warn(text: str) -> None:
    """Warn, as the line of the program that has called the compiled function."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and not is_programs(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, RuntimeWarning, stacklevel=level)


@functools.cache
def _quieten() -> None:
    for name in LOGGERS:
        logging.getLogger(name).addFilter(_Quiet())


def wrapped(state: WithTorch) -> Any:
    """The function that stands for a compiled one."""
    plain = state.copy

    @functools.wraps(state.function)
    def wrapper(*args: object, **kwargs: object) -> Any:
        if is_dynamo_compiling():
            return plain(*args, **kwargs)
        return state(args, kwargs)

    vars(wrapper)[STATE] = state
    wrapper.explain = state.explain  # type: ignore[attr-defined]
    return wrapper
