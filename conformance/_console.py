"""Terminal output: the progress bar, the tables, the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ._coverage import Coverage
from ._grid import Grid
from ._results import OUTCOMES, Outcomes, Result, Run
from ._runner import Watcher

if TYPE_CHECKING:
    from ._report import Written  # needs jinja2

STYLES = {"passed": "green", "failed": "bold red", "skipped": "dim", "xfailed": "yellow"}


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


def number(count: int, outcome: str) -> str:
    """A count in the colour of its outcome; a dot for none."""
    return f"[{STYLES[outcome]}]{count}[/]" if count else "[dim]·[/]"


def chapter_table(run: Run) -> Grid:
    """The outcomes of one run by chapter."""
    title = f"{run.module} {run.version}, array API {run.api_version}"
    table = Grid(title, ("chapter", *OUTCOMES))
    for chapter, counts in run.by_chapter().items():
        table.add_row(chapter, *(number(counts[o], o) for o in OUTCOMES))
    table.add_section()
    table.add_row("all", *(number(run.counts()[o], o) for o in OUTCOMES))
    return table


def side_by_side(runs: list[Run]) -> Grid:
    """The same table for several namespaces, a column each."""
    names = (f"{run.module}\n{run.version}" for run in runs)
    table = Grid("passed · failed · skipped · xfailed", ("chapter", *names))
    tables = [run.by_chapter() for run in runs]
    for chapter in sorted({name for table in tables for name in table}):
        cells = (t.get(chapter) for t in tables)
        table.add_row(
            chapter,
            *(" ".join(number(c[o], o) for o in OUTCOMES) if c else "" for c in cells),
        )
    table.add_section()
    totals = (run.counts() for run in runs)
    table.add_row("all", *(" ".join(number(c[o], o) for o in OUTCOMES) for c in totals))
    return table


def failures(console: Console, run: Outcomes) -> None:
    """Each failure with the command that repeats it, then the problems."""
    for result in run.failures:
        how = "" if result.how == "failed" else f"{result.how}: "
        console.print(f"[bold red]✗[/] {escape(result.id)}", soft_wrap=True, highlight=False)
        console.print(f"    {escape(how + result.essence)}", soft_wrap=True, highlight=False)
        command = escape(run.repeat(result.id))
        console.print(f"    [dim]{command}[/]", soft_wrap=True, highlight=False)
    for problem in run.problems:
        text = f"[bold red]✗[/] {escape(problem.kind)}: {escape(problem.subject)}"
        console.print(text, soft_wrap=True, highlight=False)
        indented = problem.message.replace("\n", "\n    ")
        console.print(f"    {escape(indented)}", soft_wrap=True, highlight=False)


def skips(console: Console, run: Outcomes) -> None:
    """The skipped and the expected failures, counted by reason."""
    groups: list[tuple[str, list[tuple[str, list[Result]]]]] = [
        ("skipped", run.skip_reasons()),
        ("expected to fail", run.expected_failures()),
    ]
    for title, reasons in groups:
        for reason, results in reasons:
            text = f"[dim]{len(results)} {title}: {escape(reason)}[/]"
            console.print(text, soft_wrap=True, highlight=False)


def verdict(run: Run) -> str:
    """One line: the module, what was run and how it ended."""
    counts = run.counts()
    told = ", ".join(f"{counts[o]} {o}" for o in OUTCOMES if counts[o] or o in ("passed", "failed"))
    problems = f", {len(run.problems)} other problems" if run.problems else ""
    on_device = f" on {run.settings.device}" if run.settings.device else ""
    return (
        f"{run.module} {run.version}{on_device}, array API {run.api_version}: {told}{problems} "
        f"({run.settings.max_examples} examples, seed {run.settings.seed}, {run.seconds:.0f} s)"
    )


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
