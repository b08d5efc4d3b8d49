"""The reports of a run of NumPy's tests and its peers: JSON, Markdown, HTML."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from .._report import Cell, Written, cell, render, stamp, told
from . import _files
from ._run import OUT, NumpyRun
from ._scope import TABLE
from ._tables import COLUMNS, areas, percent


def _json(run: NumpyRun) -> dict[str, Any]:
    return {
        "module": run.module,
        "version": run.version,
        "only": run.settings.only,
        "in_scope": run.in_scope,
        "share": round(run.share, 2),
        "areas": {
            area: {outcome: counts[outcome] for outcome in COLUMNS}
            for area, counts in areas(run).items()
        },
        "out_of_scope": {title: len(found) for title, found in run.out_of_scope()},
        **told(run, COLUMNS),
    }


def pictures(runs: list[NumpyRun]) -> dict[str, list[list[Cell]]]:
    """A cell for each test function in scope, file by file, a row for each run."""
    table: dict[str, list[list[Cell]]] = {}
    for i, run in enumerate(runs):
        for result in run.results:
            if result.outcome != OUT:
                rows = table.setdefault(result.chapter, [[] for _ in runs])
                rows[i].append(cell(result.id.split("::", 1)[1], [result]))
    return dict(sorted(table.items()))


def _lookup(tables: list[dict[str, Counter[str]]], key: str) -> list[Counter[str]]:
    return [table.get(key, Counter()) for table in tables]


def write(folder: Path, runs: list[NumpyRun], past: Path | None = None) -> Written:
    """Write the reports; the first run is the subject."""
    subject, *peers = runs
    now = stamp()
    numpy = _files.version()
    rule = {row.title: row.reason for row in TABLE}
    data = {
        "schema": 1,
        "created": now,
        "numpy": numpy,
        "rule": rule,
        "runs": [_json(run) for run in runs],
    }
    facts = {
        "label": f"NumPy {numpy} tests",
        "runs": runs,
        "subject": subject,
        "peers": peers,
        "numpy": numpy,
        "created": now,
        "columns": [c for c in COLUMNS if any(run.counts()[c] for run in runs)],
        "files": [run.by_chapter() for run in runs],
        "areas": [areas(run) for run in runs],
        "totals": [run.counts() for run in runs],
        "lookup": _lookup,
        "percent": percent,
        "rule": rule,
        "pictures": pictures(runs),
    }
    return render(folder, "numpy", data, facts, past)
