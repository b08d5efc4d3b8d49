"""Terminal output for Dask's tests."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from .._console import number
from .._results import OUTCOMES
from ._run import DaskRun


def by_area(run: DaskRun) -> Table:
    """The outcomes by test file."""
    table = Table(title=f"Dask {run.dask}: tests of CuPy, on {run.name}")
    table.add_column("area")
    shown = [o for o in OUTCOMES if o in ("passed", "failed") or run.counts()[o]]
    for outcome in shown:
        table.add_column(outcome, justify="right")
    for area, counts in run.by_chapter().items():
        table.add_row(escape(area), *(number(counts[o], o) for o in shown))
    table.add_section()
    table.add_row("all", *(number(run.counts()[o], o) for o in shown))
    return table


def verdict(run: DaskRun) -> str:
    """One line: the module's share of the tests that CuPy passes."""
    counts = run.counts()
    told = ", ".join(f"{counts[o]} {o}" for o in OUTCOMES if counts[o] or o in ("passed", "failed"))
    problems = f", {len(run.problems)} other problems" if run.problems else ""
    beyond = f"; {len(run.beyond)} more, which CuPy fails" if run.beyond else ""
    return (
        f"Dask {run.dask} on {run.name}: {run.passed} of the {len(run.asked)} tests that CuPy "
        f"passes ({run.share:.1f} %; {told}{problems}){beyond}"
    )
