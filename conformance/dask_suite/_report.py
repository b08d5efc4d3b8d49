"""The reports of Dask's tests: JSON, Markdown, HTML."""

from __future__ import annotations

from pathlib import Path

from .._report import Cell, Written, cell, render, stamp, told
from .._results import OUTCOMES
from ..libraries._report import grouped
from ._run import OUT_OF_SCOPE, DaskRun


def picture(run: DaskRun) -> dict[str, list[Cell]]:
    """A cell for each test, file by file."""
    table: dict[str, list[Cell]] = {}
    for result in run.results:
        name = result.id.split("::", 1)[-1]
        table.setdefault(result.chapter, []).append(cell(name, [result]))
    return dict(sorted(table.items()))


def write(folder: Path, run: DaskRun, past: Path | None = None) -> Written:
    """Write the reports."""
    now, found = stamp(), run.groups()
    data = {
        "schema": 1,
        "created": now,
        "dask": run.dask,
        "module": run.module,
        "version": run.version,
        "device": run.settings.device,
        "only": run.settings.only,
        "asked": len(run.asked),
        "passed": run.passed,
        "share": round(run.share, 2),
        "beyond": [r.id for r in run.beyond],
        "out_of_scope": OUT_OF_SCOPE,
        "expected": {why: len(tests) for why, tests in run.expected_failures()},
        "causes": grouped(found, run.repeat),
        "runs": [told(run, OUTCOMES)],
    }
    facts = {
        "label": "Dask's tests of CuPy",
        "subject": run,
        "peers": [],
        "groups": found,
        "out_of_scope": OUT_OF_SCOPE,
        "pictures": picture(run),
        "created": now,
        "outcomes": OUTCOMES,
        "shown": [o for o in OUTCOMES if o in ("passed", "failed") or run.counts()[o]],
    }
    return render(folder, "dask", data, facts, past)
