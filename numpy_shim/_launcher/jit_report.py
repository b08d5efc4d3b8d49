"""The part of ``--summary`` about ``--jit``: what was compiled, what it took and what it gained."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .._jit.reasons import Line
from .hot import Hot


def show(functions: list[Hot]) -> None:
    """Print the table to the error stream, so that the program's own output stays as it is."""
    console = Console(stderr=True, highlight=False)
    console.rule("numpy_shim: what --jit compiled")
    told = [hot for hot in functions if hot.compiled_calls or hot.why_not]
    if not told:
        console.print("No function took so long that the compiler would have been repaid.")
        return
    table = Table()
    table.add_column("function")
    for heading in ("calls", "ms each", "compiled", "ms each", "compiler s", "gain s"):
        table.add_column(heading, justify="right")
    table.add_column("why not", ratio=1)
    for hot in sorted(told, key=Hot.gain, reverse=True):
        table.add_row(*_row(hot))
    console.print(table)


def _row(hot: Hot) -> tuple[str, ...]:
    line = Line(hot.code.co_filename, hot.code.co_firstlineno).location()
    return (
        f"{escape(hot.name)}\n[dim]{line}[/]",
        f"{hot.calls:,}",
        f"{1e3 * hot.seconds / max(hot.calls, 1):.3f}",
        f"{hot.compiled_calls:,}",
        f"{1e3 * hot.compiled_seconds / hot.compiled_calls:.3f}" if hot.compiled_calls else "",
        f"{hot.compiler_seconds:.1f}" if hot.compiler_seconds else "",
        f"{hot.gain():.3f}" if hot.compiled_calls else "",
        escape(hot.why_not),
    )
