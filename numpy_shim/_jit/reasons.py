"""Why torch cannot trace a function: the line of the program, and the reason in one line."""

from __future__ import annotations

import linecache
import math
import os
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from xp_torch._torch.dynamo import dynamo, graph_size, loop_at, watch_trace
from xp_torch._torch.patches import DYNAMO

from .program import is_programs

# A trace unrolls loops. What takes longer than this to trace is not worth compiling whole.
SECONDS = 10.0
STEPS, FEW_STEPS = 32, 8
"""The steps of a loop that may be unrolled into a large graph, and into one five times as large."""


class Line(NamedTuple):
    """A line of the program."""

    file: str
    number: int

    def location(self) -> str:
        """The line as ``script.py:12``."""
        return f"{os.path.basename(self.file)}:{self.number}"

    def text(self, width: int) -> str:
        """Its source, cut to a width."""
        text = linecache.getline(self.file, self.number).strip()
        return text if len(text) <= width else f"{text[: width - 1]}…"


class TooLongError(Exception):
    """The trace of a function takes too long, or its graph is too large."""

    line: Line | None = None
    is_own_loop = False
    """Whether a loop of the traced function itself is too long, and not one of what it calls."""


class _Limits(threading.local):
    current: trace_limit | None = None  # of this thread


_limits = _Limits()


def _look(frame: object) -> None:
    """Raise if the trace in this thread is over its limit."""
    limit = _limits.current
    if limit is None:
        return
    if not limit.end:
        limit.end, limit.steps = time.thread_time() + limit.seconds, defaultdict(int)
    elif time.thread_time() > limit.end:
        text = f"the trace takes longer than {limit.seconds:.2g} s (loops are unrolled)"
        raise _too_long(*_longest_loop(limit, frame), text)
    if time.perf_counter() > limit.deadline:
        text = "the trace takes longer than the trial may (loops are unrolled)"
        raise _too_long(*_longest_loop(limit, frame), text)
    loop = loop_at(frame) if limit.calls else 0
    if loop:
        limit.steps[frame, loop] += 1
        calls, steps = graph_size(frame), limit.steps[frame, loop]
        if calls > limit.calls and steps > (STEPS if calls <= 5 * limit.calls else FEW_STEPS):
            text = f"a loop of many steps (unrolled, {calls} calls and more)"
            raise _too_long(frame, loop, text)


def _longest_loop(limit: trace_limit, frame: Any) -> tuple[Any, int]:
    """The traced function and the loop of it that has had the most steps; else where it is."""
    root = frame
    while getattr(root, "parent", None) is not None:
        root = root.parent
    loops = [(n, line) for (of, line), n in limit.steps.items() if of is root]
    steps, line = max(loops, default=(0, 0))
    return (root, line) if steps > 1 else (frame, 0)


def _too_long(frame: Any, line: int, text: str) -> TooLongError:
    """The error, with the line of the outermost function that is at work."""
    error = TooLongError(text)
    error.is_own_loop = bool(line) and getattr(frame, "parent", None) is None
    while frame is not None:
        if is_programs(frame.f_code.co_filename):
            error.line = Line(frame.f_code.co_filename, line or frame.lineno)
        frame, line = getattr(frame, "parent", None), 0
    return error


class trace_limit:
    """Stop traces in this thread that take longer than ``seconds`` of the processor's time.

    Stop those too that are not ready at a time, and, with ``calls``, those that unroll a loop of
    many steps into more calls than this.
    A trace is stopped between two interpreted instructions, so nothing has been executed. A call
    that needs no trace asks no clock.
    """

    __slots__ = ("before", "calls", "deadline", "end", "seconds", "steps")
    # Of loops, by Dynamo's frame and line. The frames are kept: another could have their id.
    steps: defaultdict[tuple[Any, int], int]

    def __init__(
        self, calls: int = 0, seconds: float = SECONDS, deadline: float = math.inf
    ) -> None:
        self.calls, self.seconds, self.deadline = calls, seconds, deadline
        self.end = 0.0  # until a trace begins, and with it ``steps``

    def __enter__(self) -> None:
        watch_trace(_look)
        self.before, _limits.current = _limits.current, self

    def __exit__(self, *error: object) -> None:
        _limits.current = self.before


def is_limited() -> bool:
    """Whether traces in this thread have a limit."""
    return _limits.current is not None


def caused_by(error: BaseException | None, kind: type[BaseException]) -> BaseException | None:
    """The error of this kind that is, or caused, an error."""
    while error is not None:
        if isinstance(error, kind):
            return error
        error = error.__cause__ or error.__context__
    return None


def reason(error: BaseException) -> str:
    """torch's reason why it cannot trace a function, in one line."""
    too_long = caused_by(error, TooLongError)
    if too_long is not None:
        return str(too_long).partition("\n")[0]  # torch appends where it was
    inner = getattr(error, "inner_exception", None)  # the backend's
    if inner is not None:
        return f"{type(inner).__name__}: {str(inner).strip().partition(chr(10))[0]}"
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [""]
    if "data-dependent" in lines[0].lower():
        return "the way to go depends on the value of an array"
    # Where Dynamo's import has failed, as without a folder for its cache, another one fails, too.
    if DYNAMO not in sys.modules or not isinstance(error, dynamo().Unsupported):
        return f"{type(error).__name__}: {lines[0]}"
    explained = [line for line in lines if line.startswith("Explanation:")]
    return explained[0].removeprefix("Explanation:").strip() if explained else lines[0]


def stopped_at(error: BaseException, owns: Callable[[str], bool]) -> Line | None:
    """The innermost line of the program that stopped a trace; of a loop its line."""
    too_long = caused_by(error, TooLongError)
    if isinstance(too_long, TooLongError):
        return too_long.line
    return last_line(getattr(error, "real_stack", None) or (), owns)


def last_line(stack: Iterable[Any], owns: Callable[[str], bool]) -> Line | None:
    """The innermost line of the program in a stack of frame summaries."""
    for entry in reversed(list(stack)):
        if owns(entry.filename):
            return Line(entry.filename, entry.lineno or 0)
    return None
