"""The part of ``--summary`` about ``--jit``: what was compiled, what it took and what it gained."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .._jit.candidates import Figures
from .._jit.reasons import Line
from .hot import Hot


def show(functions: list[Hot]) -> None:
    """Print the table to the error stream, so that the program's own output stays as it is."""
    console = Console(stderr=True, highlight=False)
    console.rule("numpy_shim: what --jit compiled")
    told = [hot for hot in functions if hot.why_not() or any(c.by for c in hot.choices())]
    if not told:
        console.print("No function took so long that the compiler would have been repaid.")
        return
    table = Table()
    table.add_column("function")
    for heading in ("calls", "ms each", "compiled", "ms each", "compiler s", "gain s"):
        table.add_column(heading, justify="right")
    table.add_column("by")
    table.add_column("why not", ratio=1)
    for hot in sorted(told, key=Hot.gain, reverse=True):
        table.add_row(*_row(hot))
    console.print(table)


def _row(hot: Hot) -> tuple[str, ...]:
    line = Line(hot.code.co_filename, hot.code.co_firstlineno).location()
    choices = hot.choices()
    plain = [c.plain for c in choices] + [c.missed for c in choices]
    calls, seconds = _sum(plain)
    compiled, compiled_seconds = _sum([c.fast for c in choices])
    trials = sum(c.compiling for c in choices)
    return (
        f"{escape(hot.name)}\n[dim]{line}[/]",
        f"{calls:,}",
        f"{1e3 * seconds / max(calls, 1):.3f}",
        f"{compiled:,}",
        f"{1e3 * compiled_seconds / compiled:.3f}" if compiled else "",
        f"{trials:.1f}" if trials else "",
        f"{hot.gain():.3f}" if compiled else "",
        ", ".join(sorted({c.by for c in choices if c.by})),
        escape(hot.why_not()),
    )


def _sum(figures: list[Figures]) -> tuple[int, float]:
    return sum(f.calls for f in figures), sum(f.seconds for f in figures)
