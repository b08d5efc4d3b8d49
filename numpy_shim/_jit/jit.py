"""``jit``: compiles a function that was written for NumPy, and the functions it calls."""

from __future__ import annotations

import functools
import logging
import sys
import threading
import warnings
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from types import FunctionType
from typing import Any, TypeVar, overload

import torch
from torch.compiler import is_dynamo_compiling

from xp_torch._torch.dynamo import LOGGERS, compiler, dynamo

from .exchange import Exchange
from .loops import split
from .program import is_programs
from .reasons import Line, TooLongError, caused_by, reason, stopped_at, trace_limit
from .record import Break, Explanation, Recorder
from .translation import Translation

__all__ = ["jit"]

F = TypeVar("F", bound=Callable[..., Any])

_CALLS = 100  # of an unrolled loop; it traces a second or more, and compiles ten times as long
_RAISING = 3  # calls that raise while they are traced, until the function is traced in parts
_LOOPS = "run as it is, the bodies of its loops compiled"
_STATE = "__numpy_shim_jit__"  # the attribute of a compiled function that has its ``_Jit``


class _Depth(threading.local):
    value: int = 0


_depth = _Depth()


class _Quiet(logging.Filter):
    """Drops what Dynamo logs of errors that it survives: the function has been warned of."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (_depth.value and record.levelno <= logging.WARNING)


class _Jit:
    """A compiled function, and how it runs: whole, in parts, or as it is."""

    def __init__(
        self,
        function: FunctionType,
        fullgraph: bool,
        dynamic: bool | None,
        backend: str | Callable[..., Any],
        mode: str | None,
        options: Mapping[str, Any] | None,
        translation: Translation | None = None,
    ) -> None:
        self.function = function
        self._settings = fullgraph, dynamic, backend, mode, options
        self.told = Explanation(function.__qualname__)
        self._is_part = translation is not None  # of a function that is compiled
        self._translation = translation or Translation(_without_jit)
        self.copy = self._translation.function(function)
        self._recorder: Recorder | None = None
        self._way = self._whole
        self._raised = 0
        self._lock = threading.RLock()

    # --- one call ---

    def __call__(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        exchange = Exchange(self._translation)
        arguments = tuple([exchange.take(v) for v in arguments])
        keywords = {k: exchange.take(v) for k, v in keywords.items()}
        self._translation.refresh()
        _depth.value += 1
        try:
            result = self._way(arguments, keywords)
        finally:
            _depth.value -= 1
            exchange.settle()
            self._translation.write_back(exchange.give)
        return exchange.give(result)

    def _whole(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Run one graph. Whatever stops the trace or the compiler stops it before it has run."""
        failed = None
        try:
            with trace_limit(_CALLS):
                result = self._compiled(True)(*arguments, **keywords)
        except dynamo().errors as error:
            failed = error  # what runs instead is not to have it as its errors' context
        if failed is not None:
            return self._not_whole(failed, arguments, keywords)
        self._note("compiled whole")
        return result

    def _not_whole(
        self, error: Exception, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        if self._settings[0]:
            raise error
        if getattr(error, "gb_type", "") == "Observed exception" and self._raised < _RAISING:
            self._raised += 1  # most likely the program's, which the call will raise
            return self.copy(*arguments, **keywords)
        found = Break(stopped_at(error, is_programs), reason(error))
        with self._lock:
            if self._way == self._whole:
                if caused_by(error, TooLongError):
                    self._way, state = self._eager, self._compile_parts(error)
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

    def _in_parts(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Run graphs, and Python between them. What the compiler fails at runs as it is.

        By then a part has run, so Dynamo must handle the failure itself.
        """
        with ExitStack() as stack:
            stack.enter_context(trace_limit(_CALLS))
            stack.enter_context(dynamo().config.patch(suppress_errors=True))
            return self._compiled(False)(*arguments, **keywords)

    def _eager(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
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
        return torch.compile(
            self.copy, fullgraph=whole, dynamic=self._settings[1], backend=self._recorder_of()
        )

    def _compile_parts(self, error: Exception) -> str:
        """Compile what is in a function that is too long to be compiled itself; say what it is."""
        too_long = caused_by(error, TooLongError)
        assert isinstance(too_long, TooLongError)
        if too_long.is_own_loop and too_long.line is not None and self._compile_loop(too_long.line):
            return _LOOPS
        if self._is_part:
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
            body = _Jit(function, *self._settings, self._translation)
            first = Line(line.file, function.__code__.co_firstlineno)
            told = body.told = Explanation(f"the loop at {first.location()}")
            told.graphs, told.operators = self.told.graphs, self.told.operators
            told.breaks = self.told.breaks
            self.copy.__globals__[name] = body.run
        return True

    def run(self, *arguments: Any) -> Any:
        """Run a part of a compiled function, on arrays of ours."""
        return self._way(arguments, {})

    def _compile_callees(self) -> None:
        """Make a copy anew, which calls the program's functions compiled."""
        _, *settings = self._settings

        def special(value: object) -> object | None:
            if value is self.function or not isinstance(value, FunctionType):
                return None
            if _STATE in vars(value):
                return value
            if not is_programs(value.__code__.co_filename):
                return None
            return _wrapped(_Jit(value, False, *settings))  # type: ignore[arg-type,no-any-return]

        self._translation = Translation(special)
        self.copy = self._translation.function(self.function)

    def _note(self, state: str) -> None:
        if self.told.state != state:
            self.told.state = state
        self.told.recompilations = max(len(self.told.graphs) - 1, 0) if "whole" in state else 0

    def explain(self, *arguments: Any, **keywords: Any) -> Explanation:
        """See ``jit``."""
        if not arguments and not keywords:
            return self.told
        _, dynamic, *_ = self._settings
        other = _Jit(self.function, False, dynamic, "eager", None, None)
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


def _without_jit(value: object) -> object | None:
    """Inside a compiled function another is the plain function: it becomes part of the graph."""
    state = vars(value).get(_STATE) if isinstance(value, FunctionType) else None
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


def _wrapped(state: _Jit) -> Any:
    """The function that stands for a compiled one."""
    plain = state.copy

    @functools.wraps(state.function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if is_dynamo_compiling():
            return plain(*args, **kwargs)
        return state(args, kwargs)

    vars(wrapper)[_STATE] = state
    wrapper.explain = state.explain  # type: ignore[attr-defined]
    return wrapper


@overload
def jit(
    f: F,
    /,
    *,
    fullgraph: bool = ...,
    dynamic: bool | None = ...,
    backend: str | Callable[..., Any] = ...,
    mode: str | None = ...,
    options: Mapping[str, Any] | None = ...,
) -> F: ...
@overload
def jit(
    f: None = None,
    /,
    *,
    fullgraph: bool = ...,
    dynamic: bool | None = ...,
    backend: str | Callable[..., Any] = ...,
    mode: str | None = ...,
    options: Mapping[str, Any] | None = ...,
) -> Callable[[F], F]: ...
def jit(
    f: Callable[..., Any] | None = None,
    /,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: str | Callable[..., Any] = "inductor",
    mode: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Any:
    """Compile a function that was written for NumPy, unchanged, with ``torch.compile``.

    The function, and the functions of the program that it calls, run on copies in which ``numpy``
    is ``numpy_shim``. NumPy arrays and tensors are taken without a copy: the caller sees
    what the function writes to them, to lists and to attributes. Results are of the kind that came
    in: tensors if an argument is, or has in it, a tensor, else our arrays if there is one, else
    NumPy's arrays and scalars. An argument that is returned is the same object.

    What cannot be compiled runs as it is, and one ``RuntimeWarning`` names the line and the reason.
    ``f.explain()`` says what has been compiled: the graphs and the calls in them, the breaks and
    their lines, the number of recompilations. ``f.explain(*args)`` says it of a call with copies of
    these arguments.

    Parameters
    ----------
    f : function, optional
        The function. Without it, ``jit`` returns a decorator.
    fullgraph : bool
        Whether anything that cannot be compiled is an error.
    dynamic, backend, mode, options : optional
        As in ``torch.compile``. ``"inductor"``, the default, needs a C++ compiler for the CPU.

    Returns
    -------
    function
        The compiled function, with the name and the signature of ``f``. Inside another compiled
        function it is ``f``.

    Raises
    ------
    TypeError
        If ``f`` is no Python function.

    Notes
    -----
    Source: ``torch.compile``, whose options it takes.

    Examples
    --------
    >>> import numpy
    >>> import numpy_shim
    >>> @numpy_shim.jit(backend="eager")
    ... def blend(a, b, t=0.25):
    ...     a *= 1 - t
    ...     return a + t * b
    >>> a = numpy.zeros(3)
    >>> blend(a, numpy.ones(3))
    array([0.25, 0.25, 0.25])
    >>> blend.explain()
    blend: compiled whole
    graphs: 1, with 3 calls
    recompilations: 0
    """
    if f is None:
        return functools.partial(
            jit,
            fullgraph=fullgraph,
            dynamic=dynamic,
            backend=backend,
            mode=mode,
            options=options,
        )
    if isinstance(f, (staticmethod, classmethod)):
        return type(f)(jit(f.__func__, fullgraph=fullgraph, dynamic=dynamic, backend=backend,
                           mode=mode, options=options))  # fmt: skip
    if not isinstance(f, FunctionType):
        raise TypeError(f"jit: expected a Python function; got {type(f).__name__}")
    return _wrapped(_Jit(f, bool(fullgraph), dynamic, backend, mode, options))
