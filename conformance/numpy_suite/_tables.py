"""Terminal output for a run of NumPy's tests."""

from __future__ import annotations

from collections import Counter

from .._console import number
from .._grid import Grid
from ._run import OUT, NumpyRun

COLUMNS = ("passed", "failed", "xfailed", "skipped", OUT)


def areas(run: NumpyRun) -> dict[str, Counter[str]]:
    """The outcomes of each area, in alphabetical order."""
    table: dict[str, Counter[str]] = {}
    for file, counts in run.by_chapter().items():
        table.setdefault(file.split("/")[0], Counter()).update(counts)
    return table


def percent(counts: Counter[str]) -> str:
    """The share of the tests in scope that passed."""
    in_scope = counts["passed"] + counts["failed"] + counts["xfailed"]
    return f"{100 * counts['passed'] / in_scope:.1f} %" if in_scope else ""


def by_file(runs: list[NumpyRun]) -> Grid:
    """The outcomes of the first run by file and area, and the passed share of its peers."""
    subject, *peers = runs
    shown = [c for c in COLUMNS if c in ("passed", "failed") or any(r.counts()[c] for r in runs)]
    headings = ("file", *shown, "share", *(peer.module for peer in peers))
    table = Grid(f"NumPy's tests on {subject.name}", headings)
    files = [run.by_chapter() for run in runs]
    by_area = [areas(run) for run in runs]
    for area in by_area[0]:
        for file in files[0]:
            if file.startswith(f"{area}/"):
                name = file.replace("/tests/", "/").removesuffix(".py")
                table.add_row(name, *_cells(shown, [f.get(file, Counter()) for f in files]))
        table.add_section()
        table.add_row(f"[bold]{area}", *_cells(shown, [a.get(area, Counter()) for a in by_area]))
        table.add_section()
    table.add_row("[bold]all", *_cells(shown, [run.counts() for run in runs]))
    return table


def _cells(shown: list[str], columns: list[Counter[str]]) -> list[str]:
    own = columns[0]
    return [
        *(number(own[c], "skipped" if c == OUT else c) for c in shown),
        *map(percent, columns),
    ]


def out_of_scope(run: NumpyRun) -> Grid:
    """The number of test functions that each row excludes."""
    table = Grid("out of scope", ("reason", "tests"))
    for title, results in run.out_of_scope():
        table.add_row(title, str(len(results)))
    return table


def verdict(run: NumpyRun) -> str:
    """One line: the module, what was run and how it ended."""
    counts = run.counts()
    shown = [c for c in COLUMNS if counts[c] or c in ("passed", "failed")]
    told = ", ".join(f"{counts[c]} {c}" for c in shown)
    problems = f", {len(run.problems)} other problems" if run.problems else ""
    return (
        f"{run.name}: {run.share:.1f} % of {run.in_scope} test functions of NumPy "
        f"in scope ({told}{problems}; {run.seconds:.0f} s)"
    )
