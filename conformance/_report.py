"""The reports of a run and its peers: JSON, Markdown, JUnit XML, badges, and one HTML page."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from . import _chapters
from ._badge import endpoint, svg
from ._history import History, history, keep, records
from ._junit import junit
from ._results import OUTCOMES, Outcomes, Run
from ._suite import Suite, pinned

# The first of these outcomes among its tests colours a cell.
WORST = ("failed", "xfailed", "passed", "skipped")
OTHER = "Other tests"


@dataclass(frozen=True)
class Cell:
    """One function in the picture: its outcome ("none" without tests) and its description."""

    name: str
    outcome: str
    story: str


def cell(name: str, results: list[Any]) -> Cell:
    """The cell for several tests of one function."""
    counts = Counter(r.outcome for r in results)
    outcome = next((o for o in WORST if counts[o]), "none")
    told = ", ".join(f"{counts[o]} {o}" for o in OUTCOMES if counts[o]) or "no test of its own"
    first = next((r.essence for r in results if r.outcome == "failed"), "")
    return Cell(name, outcome, f"{name}: {told}" + (f". {first[:160]}" if first else ""))


def picture(run: Run) -> dict[str, list[Cell]]:
    """The functions of the standard by chapter, coloured by the worst outcome of their tests."""
    by_function: dict[str, list[Any]] = {}
    others: dict[str, list[Any]] = {}
    for result in run.results:
        if result.function:
            by_function.setdefault(result.function, []).append(result)
        else:
            others.setdefault(result.id.split("::", 1)[-1].split("[")[0], []).append(result)
    grid = {
        title: [cell(name, by_function.get(name, [])) for name in names]
        for title, names in _chapters.groups().items()
    }
    if others:
        grid[OTHER] = [cell(name, results) for name, results in others.items()]
    return grid


def pictures(runs: list[Run]) -> dict[str, list[list[Cell]]]:
    """The pictures of several runs by chapter, without chapters that no run has."""
    grids = [picture(run) for run in runs]
    titles = {title: None for grid in grids for title in grid}
    table = {title: [grid.get(title, []) for grid in grids] for title in titles}
    return {
        title: rows
        for title, rows in table.items()
        if any(cell.outcome != "none" for row in rows for cell in row)
    }


def told(run: Outcomes, outcomes: Sequence[str]) -> dict[str, Any]:
    """The JSON data of a run of any suite."""
    return {
        "seconds": round(run.seconds, 3),
        "ok": run.ok,
        "counts": {outcome: run.counts()[outcome] for outcome in outcomes},
        "chapters": {
            title: {outcome: counts[outcome] for outcome in outcomes}
            for title, counts in run.by_chapter().items()
        },
        "problems": [asdict(problem) for problem in run.problems],
        "skipped": {reason: len(found) for reason, found in run.skip_reasons()},
        "tests": [
            asdict(r) | ({"repeat": run.repeat(r.id)} if r.outcome == "failed" else {})
            for r in run.results
        ],
    }


def _json(run: Run) -> dict[str, Any]:
    settings = run.settings
    return {
        "module": run.module,
        "version": run.version,
        "api_version": run.api_version,
        "device": settings.device,
        "seed": settings.seed,
        "max_examples": settings.max_examples,
        "only": settings.only,
        **told(run, OUTCOMES),
    }


def stamp() -> str:
    """The date and time of a report."""
    return datetime.now(UTC).replace(microsecond=0).isoformat()


@dataclass(frozen=True)
class Named:
    """One name in the picture: a cell for each namespace, None for one that has no such test."""

    name: str
    cells: list[Cell | None]

    @property
    def outcomes(self) -> str:
        """Every outcome once, for the filter of the page."""
        return " ".join(dict.fromkeys(cell.outcome for cell in self.cells if cell))


def named(rows: list[list[Cell]]) -> list[Named]:
    """The cells of several namespaces by name, in the order of the first that has the name."""
    tables = [{cell.name: cell for cell in row} for row in rows]
    names = dict.fromkeys(cell.name for row in rows for cell in row)
    return [Named(name, [table.get(name) for table in tables]) for name in names]


def write(
    folder: Path, runs: list[Run], suite: Suite, warnings: list[str], past: Path | None = None
) -> Written:
    """Write the reports; the first run is the subject."""
    now = stamp()
    source = {
        "path": str(suite.path),
        "revision": suite.revision,
        "standard_revision": suite.standard_revision,
        "pinned": pinned(),
        "warnings": warnings,
    }
    data = {"schema": 1, "created": now, "suite": source, "runs": [_json(run) for run in runs]}
    facts = {
        "runs": runs,
        "subject": runs[0],
        "peers": runs[1:],
        "chapters": sorted({title for run in runs for title in run.by_chapter()}),
        "pictures": pictures(runs),
        "outcomes": OUTCOMES,
        "shown": [o for o in OUTCOMES if o != "xfailed" or any(run.counts()[o] for run in runs)],
        "suite": suite,
        "warnings": warnings,
        "created": now,
        "label": "array API " + runs[0].api_version,
    }
    return render(folder, "report", data, facts, past)


@dataclass(frozen=True)
class Written:
    """The files of a report, and the history if there is a folder of earlier reports."""

    paths: list[Path]
    history: History | None


def render(
    folder: Path, template: str, data: dict[str, Any], facts: dict[str, Any], past: Path | None
) -> Written:
    """Write the reports: JSON from the data, Markdown and HTML from templates and facts.

    With a folder of earlier JSON reports, the reports show the trend and the difference from the
    last one, and the new JSON report is copied into the folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    templates = Environment(
        loader=PackageLoader("conformance"),
        autoescape=lambda name: bool(name and ".html" in name),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    subject, label = facts["subject"], facts["label"]
    record = records(data)[0]
    trend = history(past, record) if past is not None else None
    shared = {**facts, "history": trend, "named": named}
    contents = {
        "report.json": json.dumps(data, indent=1, ensure_ascii=False) + "\n",
        "report.md": templates.get_template(f"{template}.md.j2").render(shared),
        "report.html": templates.get_template(f"{template}.html.j2").render(shared),
        "report.xml": junit([subject, *facts["peers"]], facts["created"]),
        "badge.json": endpoint(subject, label),
        "badge.svg": svg(subject, label),
    }
    paths = []
    for name, text in contents.items():
        path = folder / name
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    if past is not None:
        paths.append(keep(past, record, folder / "report.json"))
    return Written(paths, trend)
