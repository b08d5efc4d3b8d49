"""Earlier reports: what they say of one namespace, how two differ, and the trend of many."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

SCHEMA = 1
FAILING = "newly failing"
# The oldest reports of a folder are not shown beyond this number.
SHOWN = 60


class ReportError(Exception):
    """A file that is not a report of these commands, or reports that cannot be compared."""


@dataclass(frozen=True)
class Record:
    """What a report says of one namespace.

    `settings` are the version of the standard, the device and the selection of tests. `outcomes`
    are those of the tests by id.
    """

    suite: str
    settings: tuple[str, ...]
    module: str
    version: str
    created: str
    outcomes: Mapping[str, str]

    @property
    def kind(self) -> tuple[str, ...]:
        """What reports of one history have in common."""
        return (self.suite, self.module, *self.settings)

    @property
    def counts(self) -> Counter[str]:
        return Counter(self.outcomes.values())

    @property
    def name(self) -> str:
        return f"{self.module} {self.version}".strip()


def _suite(data: dict[str, Any]) -> str:
    if "suite" in data:
        return "array-api-tests"
    if "numpy" in data:
        return "NumPy's tests"
    if "dask" in data:
        return "Dask's tests of CuPy"
    return f"tests of {data['library']['name']}" if "library" in data else str(data["tests"])


def _settings(data: dict[str, object], run: dict[str, object]) -> tuple[str, ...]:
    values = [run.get(key, data.get(key)) for key in ("api_version", "device", "only", "worlds")]
    return tuple(" ".join(v) if isinstance(v, list) else str(v or "") for v in values)


def records(data: dict[str, Any], source: str = "") -> list[Record]:
    """The namespaces of a report, the subject first."""
    try:
        if data["schema"] != SCHEMA:
            raise ReportError(f"{source}: schema {data['schema']} is not known")
        found = [
            Record(
                suite=_suite(data),
                settings=_settings(data, run),
                module=str(run.get("module") or data["module"]),
                version=str(run.get("version") or data.get("version") or ""),
                created=str(data["created"]),
                outcomes={test["id"]: test["outcome"] for test in run["tests"]},
            )
            for run in data["runs"]
        ]
    except (KeyError, TypeError, AttributeError) as error:
        text = f"{source}: not a report of `python -m conformance`: no {error}"
        raise ReportError(text) from None
    if not found:
        raise ReportError(f"{source}: the report has no run")
    return found


def read(path: Path) -> list[Record]:
    """The namespaces of a JSON report."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ReportError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise ReportError(f"{path}: not JSON: {error}") from None
    if not isinstance(data, dict):
        raise ReportError(f"{path}: not a report of `python -m conformance`")
    return records(data, str(path))


def earlier(folder: Path, than: Record) -> list[Record]:
    """The records of the same kind in a folder and below it, the oldest first.

    Other files are ignored, and so are reports that are not older.
    """
    found: dict[str, Record] = {}
    for path in sorted(folder.rglob("*.json")):
        try:
            candidates = read(path)
        except ReportError:
            continue
        for record in candidates:
            if record.kind == than.kind and record.created < than.created:
                found.setdefault(record.created, record)
    return [found[created] for created in sorted(found)]


def keep(folder: Path, record: Record, report: Path) -> Path:
    """Copy a report into the folder of earlier ones, under a name of its own."""
    stamp = record.created.replace(":", "").replace("+0000", "Z")
    path = folder / f"{record.module}-{stamp}.json"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(report.read_bytes())
    return path


@dataclass(frozen=True)
class Changes:
    """The difference of two records: ids of tests by what happened, the gravest first."""

    groups: dict[str, list[str]]

    @property
    def newly_failing(self) -> list[str]:
        return self.groups.get(FAILING, [])

    def line(self) -> str:
        """The groups with their numbers."""
        counted = [f"{len(ids)} {title}" for title, ids in self.groups.items()]
        return ", ".join(counted) or "no test has another outcome"


def changes(old: Record, new: Record) -> Changes:
    """How the outcomes of the tests differ. A new test that fails is newly failing, too."""
    before, after = old.outcomes, new.outcomes

    def became(outcome: str, otherwise: str) -> list[str]:
        return [i for i, o in after.items() if o == outcome != before.get(i, otherwise)]

    groups = {
        FAILING: became("failed", "nothing"),
        "newly passing": became("passed", "passed"),
        "newly expected to fail": became("xfailed", "xfailed"),
        "newly skipped": became("skipped", "skipped"),
        "new tests": [i for i in after if i not in before],
        "tests that are gone": [i for i in before if i not in after],
    }
    return Changes({title: sorted(ids) for title, ids in groups.items() if ids})


class Point(NamedTuple):
    """One report in the picture of a trend: `x` and `y` are shares of its width and height."""

    record: Record
    failed: int
    x: float
    y: float


@dataclass(frozen=True)
class History:
    """The earlier records of a subject, itself last, and its difference from the one before."""

    records: list[Record]
    changes: Changes | None

    def failed(self) -> list[int]:
        """The failures of each record, expected ones among them."""
        return [record.counts["failed"] + record.counts["xfailed"] for record in self.records]

    def points(self) -> list[Point]:
        """The failures of each record as points of a line."""
        failed = self.failed()
        last, top = max(len(failed) - 1, 1), max(*failed, 1)
        pairs = zip(self.records, failed, strict=True)
        return [Point(record, n, i / last, 1 - n / top) for i, (record, n) in enumerate(pairs)]


def history(folder: Path, subject: Record) -> History:
    """The history of a subject in a folder of earlier reports."""
    before = earlier(folder, subject)[-SHOWN + 1 :]
    return History([*before, subject], changes(before[-1], subject) if before else None)


@dataclass(frozen=True)
class Written:
    """The files of a report, and the history if there is a folder of earlier reports."""

    paths: list[Path]
    history: History | None
