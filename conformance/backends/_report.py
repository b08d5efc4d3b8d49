"""The reports of these runs: JSON, Markdown, HTML."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .._report import Cell, Written, cell, render, stamp, told
from .._results import OUTCOMES
from ..libraries._report import grouped
from ._libraries import REFERENCE
from ._run import BackendRun


def _json(run: BackendRun) -> dict[str, Any]:
    worse = {r.id for r in run.regressions}
    data = {
        "module": run.module,
        "version": run.version,
        "regressions": sorted(worse),
        "causes": grouped(run.groups(), run.repeat),
        **told(run, OUTCOMES),
    }
    for test, result in zip(data["tests"], run.results, strict=True):
        test["reference"] = run.other(result)
    return data


def pictures(runs: list[BackendRun]) -> dict[str, list[list[Cell]]]:
    """A cell for each test function, sub-package by sub-package, a row for each backend."""
    table: dict[str, dict[str, list[list[Any]]]] = {}
    for i, run in enumerate(runs):
        for result in run.results:
            name = result.id.split("/")[-1].split("[")[0]
            row = table.setdefault(result.chapter, {}).setdefault(name, [[] for _ in runs])
            row[i].append(result)
    return {
        area: [[cell(name, rows[i]) for name, rows in found.items()] for i in range(len(runs))]
        for area, found in sorted(table.items())
    }


def write(folder: Path, runs: list[BackendRun], past: Path | None = None) -> Written:
    """Write the reports; the first run is the subject."""
    subject, *peers = runs
    library, now = subject.settings.library, stamp()
    areas = sorted({area for run in runs for area in run.by_chapter()})
    data = {
        "schema": 1,
        "created": now,
        "library": {"name": library.distribution, "version": library.version()},
        "reference": REFERENCE,
        "device": subject.settings.device,
        "only": subject.settings.only,
        "runs": [_json(run) for run in runs],
    }
    facts = {
        "label": f"array API tests of {library.distribution}",
        "runs": runs,
        "subject": subject,
        "peers": peers,
        "library": f"{library.distribution} {library.version()}",
        "reference": REFERENCE,
        "groups": subject.groups(),
        "areas": areas,
        "worse": {a: sum(r.chapter == a for r in subject.regressions) for a in areas},
        "pictures": pictures(runs),
        "created": now,
        "outcomes": OUTCOMES,
        "shown": [o for o in OUTCOMES if any(run.counts()[o] for run in runs)],
    }
    return render(folder, "backends", data, facts, past)
