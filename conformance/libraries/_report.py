"""The reports of a library's run: JSON, Markdown, HTML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .._causes import Group
from .._report import Cell, Written, cell, render, stamp, told
from .._results import OUTCOMES
from ._environment import CONTROL
from ._run import LibraryRun


def grouped(groups: list[Group], repeat: Callable[[str], str]) -> list[dict[str, Any]]:
    """The JSON data of the causes of failures."""
    return [
        {
            **asdict(group.cause),
            "tests": [r.id for r in group.results],
            "essence": group.results[0].essence,
            "repeat": repeat(group.results[0].id),
        }
        for group in groups
    ]


def pictures(run: LibraryRun) -> dict[str, list[list[Cell]]]:
    """A cell for each test that passes with NumPy, file by file."""
    table: dict[str, list[Cell]] = {}
    for result in run.results:
        name = result.id.split("::", 1)[-1]
        table.setdefault(result.chapter, []).append(cell(name, [result]))
    return {file: [cells] for file, cells in sorted(table.items())}


def write(folder: Path, run: LibraryRun, past: Path | None = None) -> Written:
    """Write the reports."""
    source, now, groups = run.settings.source, stamp(), run.groups()
    data = {
        "schema": 1,
        "created": now,
        "library": {"name": source.name, "version": source.version, "origin": source.origin},
        "module": run.module,
        "version": run.version,
        "device": run.settings.device,
        "only": run.settings.only,
        "share": round(run.share, 2),
        "times": None if run.times is None else round(run.times, 2),
        "warnings": run.warnings,
        "causes": grouped(groups, run.repeat),
        "control": {
            "module": CONTROL,
            "version": run.numpy,
            "counts": {o: sum(r.outcome == o for r in run.control.results) for o in OUTCOMES},
            "seconds": round(run.control.seconds, 3),
        },
        "wall": round(run.wall, 3),
        "runs": [told(run, OUTCOMES)],
    }
    facts = {
        "label": f"tests of {source.name}",
        "runs": [run],
        "subject": run,
        "peers": [],
        "source": source,
        "groups": groups,
        "pictures": pictures(run),
        "created": now,
        "outcomes": OUTCOMES,
        "shown": [o for o in OUTCOMES if o in ("passed", "failed") or run.counts()[o]],
    }
    return render(folder, "library", data, facts, past)
