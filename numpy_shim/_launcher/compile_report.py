"""``--compile-report``: which functions of a program torch.compile can take whole.

At the first call of each function its code is traced as ``torch.compile(fullgraph=True)`` would
trace it with those very arguments, and only traced: neither the trace nor what it finds is
executed, so the program runs once, in eager mode, with its usual results.
"""

from __future__ import annotations

import inspect
import os
import sys
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import CellType, CodeType, FrameType, FunctionType, TracebackType
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from xp_torch._torch.dynamo import dynamo
from xp_torch._torch.internals import disable_current_modes

from .._jit.reasons import Line, reason, stopped_at, trace_limit
from .summary import Recorder

_of_dynamo = dynamo()

_UNTRACED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


@dataclass
class Verdict:
    """The result for one function."""

    code: CodeType
    whole: bool = False
    captured: int = 0  # calls in the graph
    called: int = 0  # operators in the call that was watched, those of functions it calls included
    why: str = ""  # why it is not captured whole
    line: Line | None = None  # the line that prevents it


class CompileReport(AbstractContextManager[None]):
    """Watches the functions called inside the ``with`` block, and prints a table about them.

    ``owns`` tells the program's files from libraries.
    """

    def __init__(self, owns: Callable[[str], bool]) -> None:
        self._owns = owns
        self._verdicts: dict[CodeType, Verdict | None] = {}  # None: not reported
        self._open: dict[FrameType, tuple[Verdict, int]] = {}
        self._recorder = Recorder()
        self._process = os.getpid()

    def __enter__(self) -> None:
        self._recorder.__enter__()  # type: ignore[no-untyped-call]
        sys.setprofile(self._event)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        sys.setprofile(None)
        self._recorder.__exit__(kind, error, trace)  # type: ignore[no-untyped-call]
        for verdict, before in self._open.values():  # left by an exit of the process
            verdict.called = self._recorder.counts.calls.total() - before
        if os.getpid() == self._process:
            show([verdict for verdict in self._verdicts.values() if verdict is not None])

    def _event(self, frame: FrameType, event: str, argument: object) -> None:
        """The callback of `sys.setprofile`."""
        if event == "call":
            code = frame.f_code
            if code not in self._verdicts:
                verdict = self._verdicts[code] = self._look(frame)
                if verdict is not None:
                    self._open[frame] = verdict, self._recorder.counts.calls.total()
        elif event == "return" and frame in self._open:
            verdict, before = self._open.pop(frame)
            verdict.called = self._recorder.counts.calls.total() - before

    def _look(self, frame: FrameType) -> Verdict | None:
        """Trace the function that a frame is about to execute."""
        code = frame.f_code
        named = code.co_flags & inspect.CO_OPTIMIZED and (
            code.co_name == "<lambda>" or not code.co_name.startswith("<")
        )
        if not named or not self._owns(code.co_filename):
            return None
        verdict = Verdict(code)
        if code.co_flags & _UNTRACED:
            verdict.why = "a generator or coroutine is not compiled by itself"
            return verdict
        profile = sys.getprofile()
        sys.setprofile(None)
        try:
            with disable_current_modes(), trace_limit(), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the table says what torch cannot trace
                self._trace(frame, verdict)
        finally:
            sys.setprofile(profile)
        return verdict

    def _trace(self, frame: FrameType, verdict: Verdict) -> None:
        try:
            function, arguments, keywords = _call_of(frame)
            with _of_dynamo.get_metrics_context():
                captured = _of_dynamo.fullgraph_capture(function, arguments, keywords)
        except Exception as error:  # any error is reported, and the program goes on
            verdict.why = reason(error)
            verdict.line = stopped_at(error, self._owns)
        else:
            verdict.whole = True
            if captured.backend_input is not None:
                nodes = captured.backend_input.graph_module.graph.nodes
                verdict.captured = sum(node.op.startswith("call_") for node in nodes)


def _call_of(frame: FrameType) -> tuple[FunctionType, tuple[Any, ...], dict[str, Any]]:
    """The function of a frame that has just been entered, and the arguments it was given."""
    code, values = frame.f_code, frame.f_locals
    cells = (CellType(values[n]) if n in values else CellType() for n in code.co_freevars)
    function = FunctionType(code, frame.f_globals, code.co_name, None, tuple(cells))
    positional = code.co_varnames[: code.co_argcount]
    end = code.co_argcount + code.co_kwonlyargcount
    arguments = [values[name] for name in positional]
    keywords = {name: values[name] for name in code.co_varnames[code.co_argcount : end]}
    if code.co_flags & inspect.CO_VARARGS:
        arguments += values[code.co_varnames[end]]
        end += 1
    if code.co_flags & inspect.CO_VARKEYWORDS:
        keywords |= values[code.co_varnames[end]]
    return function, tuple(arguments), keywords


def show(verdicts: list[Verdict]) -> None:
    """Print the table to the error stream, so that the program's own output stays as it is."""
    console = Console(stderr=True, highlight=False)
    console.rule("numpy_shim: what torch.compile can take whole")
    told = [v for v in verdicts if v.called or v.captured]
    if told:
        console.print(_table(told))
        console.print(
            "Each function is traced at its first call, with what it calls. The first line that "
            "stops a trace is shown; behind it there may be others."
        )
    else:
        console.print("No function of the program calls torch.")
    if len(verdicts) > len(told):
        console.print(f"Functions that do not call torch, not shown: {len(verdicts) - len(told)}.")


def _table(verdicts: list[Verdict]) -> Table:
    table = Table()
    table.add_column("function")
    table.add_column("whole")
    table.add_column("calls", justify="right")
    table.add_column("calls in the graph, or what stops it", ratio=1)
    for v in sorted(verdicts, key=lambda v: (v.code.co_filename, v.code.co_firstlineno)):
        location = Line(v.code.co_filename, v.code.co_firstlineno).location()
        name = f"{v.code.co_qualname.replace('<locals>.', '')}\n[dim]{location}[/]"
        if v.whole:
            table.add_row(name, "[green]yes[/]", f"{v.called:,}", f"{v.captured:,}")
            continue
        why = escape(v.why)
        if v.line is not None:
            why = f"{v.line.location()}: [bold]{escape(v.line.text(60))}[/]\n{why}"
        table.add_row(name, "[red]no[/]", f"{v.called:,}", why)
    return table
