"""Terminal output: the progress bar, the failures, the coverage."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ._coverage import Coverage
from ._grid import Grid
from ._history import Written
from ._results import Run
from ._runner import Watcher
from ._tables import number

# Causes that are printed; the reports have all.
SHOWN = 10


@contextmanager
def progress(console: Console, label: str) -> Iterator[Watcher]:
    """A bar that moves with the tests; in a log, a line at every tenth of them."""
    if not console.is_terminal:
        printed = 0

        def log(done: int, total: int, failed: int) -> None:
            nonlocal printed
            if total and done * 10 // total > printed:
                printed = done * 10 // total
                console.print(f"{escape(label)}: {done} of {total}, {failed} failed")

        yield log
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("[red]{task.fields[failed]} failed"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(escape(label), total=None, failed=0)

        def move(done: int, total: int, failed: int) -> None:
            bar.update(task, completed=done, total=total or None, failed=failed)

        yield move


def _line(console: Console, text: str) -> None:
    console.print(text, soft_wrap=True, highlight=False)


def failures(console: Console, run: Run) -> None:
    """Each failure with the command that repeats it, then the problems."""
    for result in run.failures:
        how = "" if result.how == "failed" else f"{result.how}: "
        _line(console, f"[bold red]✗[/] {escape(result.id)}")
        _line(console, f"    {escape(how + result.essence)}")
        _line(console, f"    [dim]{escape(run.repeat(result.id))}[/]")
    _problems(console, run)


def _problems(console: Console, run: Run) -> None:
    for problem in run.problems:
        _line(console, f"[bold red]✗[/] {escape(f'{problem.kind}: {problem.subject}')}")
        _line(console, "    " + escape(problem.message.replace("\n", "\n    ")))


def causes(console: Console, run: Run) -> None:
    """The largest groups of failures, each with one command that repeats it; then the problems."""
    groups = run.by_cause()
    for group in groups[:SHOWN]:
        where = f", {group.cause.frame}" if group.cause.frame else ""
        first = group.results[0]
        _line(console, f"[bold red]{len(group.results)} ✗[/] {escape(str(group.cause) + where)}")
        _line(console, f"    {escape(first.essence)}")
        _line(console, f"    [dim]{escape(run.repeat(first.id))}[/]")
    if groups[SHOWN:]:
        rest = sum(len(group.results) for group in groups[SHOWN:])
        others = len(groups) - SHOWN
        _line(console, f"[dim]and {rest} failures of {others} other causes: see --report[/]")
    _problems(console, run)


def skips(console: Console, run: Run) -> None:
    """The skipped and the expected failures, counted by reason."""
    for title, outcome in (("skipped", "skipped"), ("expected to fail", "xfailed")):
        for reason, results in run.by_reason(outcome):
            _line(console, f"[dim]{len(results)} {title}: {escape(reason)}[/]")


def coverage(console: Console, report: Coverage) -> None:
    """The coverage table, then every name that is missing or wrong."""
    table = Grid(
        f"{report.module} {report.version} against the standard {report.standard}",
        ("chapter", "in the standard", "right", "missing", "wrong"),
    )
    for chapter in report.chapters:
        table.add_row(
            chapter.title,
            str(chapter.total),
            number(chapter.present, "passed"),
            number(len(chapter.missing), "failed"),
            number(len(chapter.wrong), "failed"),
        )
    console.print(table)
    for chapter in report.chapters:
        if chapter.missing:
            line = f"missing from {chapter.title}: {', '.join(chapter.missing)}"
            console.print(f"[bold red]✗[/] {escape(line)}", highlight=False)
        for name, message in chapter.wrong.items():
            line = f"{chapter.title}, {name}: {message}"
            console.print(f"[bold red]✗[/] {escape(line)}", highlight=False)
    if report.forbidden:
        line = f"beyond the standard: {', '.join(report.forbidden)}"
        console.print(f"[bold red]✗[/] {escape(line)}", highlight=False)
    for name, reason in report.extras.items():
        if reason:
            console.print(f"[dim]allowed beyond the standard: {name}, {reason}[/]")
    if not report.strict and report.extras:
        names = list(report.extras)
        more = f" and {len(names) - 20} more" if len(names) > 20 else ""
        line = f"beyond the standard, {len(names)} names: {', '.join(names[:20])}{more}"
        console.print(f"[dim]{escape(line)}[/]", highlight=False)


def coverage_verdict(report: Coverage) -> str:
    """One line: how much of the standard is there."""
    total = sum(c.total for c in report.chapters)
    extra = f", {len(report.forbidden)} too many" if report.forbidden else ""
    return (
        f"{report.module} {report.version}: {total - report.problems} of {total} names, signatures "
        f"and dtypes of the standard {report.standard}{extra}"
    )


def written(console: Console, files: Written) -> None:
    """The paths of a report, and what changed since the last one."""
    for path in files.paths:
        console.print(f"wrote {escape(str(path))}", soft_wrap=True)
    if files.history is not None and files.history.changes is not None:
        past = files.history.records[-2]
        text = f"since {past.created[:16]}, {past.name}: {files.history.changes.line()}"
        console.print(escape(text), soft_wrap=True, highlight=False)
