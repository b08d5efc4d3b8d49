"""Terminal output for these runs."""

from __future__ import annotations

from .._console import number
from .._grid import Grid
from .._results import OUTCOMES
from ._libraries import REFERENCE
from ._run import BackendRun


def by_area(runs: list[BackendRun]) -> Grid:
    """The outcomes by sub-package, a column for each backend."""
    subject = runs[0]
    library = subject.settings.library
    title = f"array API tests of {library.distribution} {library.version()}: "
    names = (f"{run.backend}\n{run.version}" for run in runs)
    headings = ("sub-package", *names, f"fails, passes with\n{REFERENCE}")
    table = Grid(title + " · ".join(OUTCOMES), headings)
    columns = [run.by_chapter() for run in runs]
    for area in sorted({name for column in columns for name in column}):
        worse = sum(r.chapter == area for r in subject.regressions)
        cells = (column.get(area) for column in columns)
        table.add_row(
            area,
            *(" ".join(number(c[o], o) for o in OUTCOMES) if c else "" for c in cells),
            number(worse, "failed"),
        )
    table.add_section()
    totals = (run.counts() for run in runs)
    table.add_row(
        "all",
        *(" ".join(number(c[o], o) for o in OUTCOMES) for c in totals),
        number(len(subject.regressions), "failed"),
    )
    return table


def verdict(runs: list[BackendRun]) -> str:
    """One line: the library, the module, and how it compares with the reference."""
    subject = runs[0]
    library, counts = subject.settings.library, subject.counts()
    told = ", ".join(f"{counts[o]} {o}" for o in OUTCOMES if counts[o] or o in ("passed", "failed"))
    problems = f", {len(subject.problems)} other problems" if subject.problems else ""
    return (
        f"{library.distribution} {library.version()} on {subject.name}: {told}{problems}; "
        f"{len(subject.regressions)} of the failures pass with {REFERENCE}"
    )
