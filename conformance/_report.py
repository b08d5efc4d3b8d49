"""The reports of a suite's runs: JSON, Markdown, JUnit XML, badges, and one HTML page."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from ._badge import endpoint, svg
from ._history import Written, history, keep, records
from ._junit import junit
from ._results import OUTCOMES, Result, Run
from ._suite import Suite

# The first of these outcomes among its tests colours a cell.
WORST = ("failed", "xfailed", "passed", "skipped")


@dataclass(frozen=True)
class Cell:
    """One name in the picture, for one run: its outcome ("none" without tests) and the counts."""

    outcome: str
    story: str


@dataclass(frozen=True)
class Name:
    """One name in the picture, with a cell for each run."""

    name: str
    cells: list[Cell]

    @property
    def outcomes(self) -> str:
        """Every outcome once, for the filter of the page; "none" where no run has a test."""
        found = dict.fromkeys(cell.outcome for cell in self.cells if cell.outcome != "none")
        return " ".join(found) or "none"


def cell(name: str, results: Sequence[Result]) -> Cell:
    """The cell for the tests of one name."""
    counts = Counter(r.outcome for r in results)
    outcome = next((o for o in WORST if counts[o]), "none")
    listed = ", ".join(f"{counts[o]} {o}" for o in OUTCOMES if counts[o]) or "no test of its own"
    first = next((r.essence for r in results if r.outcome == "failed"), "")
    return Cell(outcome, f"{name}: {listed}" + (f". {first[:160]}" if first else ""))


def picture(suite: Suite[Any], runs: Sequence[Run]) -> dict[str, list[Name]]:
    """The names by chapter, without chapters that no run has a test of."""
    empty: list[list[Result]] = [[] for _ in runs]
    table = {
        title: {name: [*map(list, empty)] for name in names}
        for title, names in suite.picture().items()
    }
    for i, run in enumerate(runs):
        for result in run.results:
            if place := suite.cell(result):
                title, name = place
                names = table.setdefault(title, {})
                names.setdefault(name, [*map(list, empty)])[i].append(result)
    return {
        title: [
            Name(name, [cell(name, results) for results in rows]) for name, rows in names.items()
        ]
        for title, names in table.items()
        if any(results for rows in names.values() for results in rows)
    }


def stamp() -> str:
    """The date and time of a report."""
    return datetime.now(UTC).replace(microsecond=0).isoformat()


def write(
    suite: Suite[Any], runs: Sequence[Run], folder: Path, past: Path | None = None
) -> Written:
    """Write the reports; the first run is the subject.

    With a folder of earlier JSON reports, the reports show the trend and the difference from the
    last one, and the new JSON report is copied into the folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    now, subject = stamp(), runs[0]
    data = {"schema": 1, "created": now, **suite.data(runs), "runs": [run.data() for run in runs]}
    record = records(data)[0]
    trend = history(past, record) if past is not None else None
    facts = {
        "suite": suite,
        "runs": runs,
        "subject": subject,
        "peers": runs[1:],
        "tables": suite.tables(runs),
        "picture": picture(suite, runs),
        "created": now,
        "history": trend,
    }
    templates = Environment(
        loader=PackageLoader("conformance"),
        autoescape=lambda name: bool(name and ".html" in name),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    label = suite.label(subject)
    contents = {
        "report.json": json.dumps(data, indent=1, ensure_ascii=False) + "\n",
        "report.md": templates.get_template("report.md.j2").render(facts),
        "report.html": templates.get_template("report.html.j2").render(facts),
        "report.xml": junit(runs, now),
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
