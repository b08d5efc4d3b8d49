"""Terminal output for a library's run."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from .._causes import Group
from .._console import number
from .._grid import Grid
from .._results import OUTCOMES, Outcomes
from ._run import LibraryRun

SHOWN = 10


def by_file(run: LibraryRun) -> Grid:
    """The outcomes of the tests that NumPy passes, by file."""
    shown = [o for o in OUTCOMES if o in ("passed", "failed") or run.counts()[o]]
    title = f"{run.settings.source.title} on {run.name}: what passes with NumPy"
    table = Grid(title, ("file", *shown))
    for file, counts in run.by_chapter().items():
        table.add_row(escape(file), *(number(counts[o], o) for o in shown))
    table.add_section()
    table.add_row("all", *(number(run.counts()[o], o) for o in shown))
    return table


def causes(console: Console, run: Outcomes, groups: list[Group]) -> None:
    """The largest groups of failures, each with one command that repeats it; then the problems."""

    def line(text: str) -> None:
        console.print(text, soft_wrap=True, highlight=False)

    for group in groups[:SHOWN]:
        where = f", {group.cause.frame}" if group.cause.frame else ""
        line(f"[bold red]{len(group.results)} ✗[/] {escape(str(group.cause) + where)}")
        line(f"    {escape(group.results[0].essence)}")
        line(f"    [dim]{escape(run.repeat(group.results[0].id))}[/]")
    if groups[SHOWN:]:
        rest = sum(len(group.results) for group in groups[SHOWN:])
        line(f"[dim]and {rest} failures of {len(groups) - SHOWN} other causes: see --report[/]")
    for problem in run.problems:
        line(f"[bold red]✗[/] {escape(f'{problem.kind}: {problem.subject}')}")
        line("    " + escape(problem.message.replace("\n", "\n    ")))


def verdict(run: LibraryRun) -> str:
    """One line: the library, the module, its share of NumPy's passed tests, and the time."""
    counts = run.counts()
    told = ", ".join(f"{counts[o]} {o}" for o in OUTCOMES if counts[o] or o in ("passed", "failed"))
    problems = f", {len(run.problems)} other problems" if run.problems else ""
    times = f", {run.times:.1f} times NumPy's time" if run.times else ""
    return (
        f"{run.settings.source.title} on {run.name}: {run.share:.1f} % of the {len(run.results)} "
        f"tests that pass with NumPy {run.numpy} ({told}{problems}{times})"
    )
