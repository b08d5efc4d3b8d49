"""Earlier reports: what they say of one namespace, how two differ, and the trend of many."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCHEMA = 1
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
    return f"tests of {data['library']['name']}"


def _settings(data: dict[str, Any], run: dict[str, Any]) -> tuple[str, ...]:
    values = [run.get(key, data.get(key)) for key in ("api_version", "device", "only")]
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
    """The difference of two records, as test ids. A new test that fails is newly failing."""

    newly_failing: list[str]
    newly_passing: list[str]
    newly_skipped: list[str]
    newly_expected: list[str]
    new: list[str]
    gone: list[str]

    def __bool__(self) -> bool:
        return any(found for _, found in self.told())

    def told(self) -> list[tuple[str, list[str]]]:
        """The groups with their titles, in the order of their weight."""
        return [
            ("newly failing", self.newly_failing),
            ("newly passing", self.newly_passing),
            ("newly expected to fail", self.newly_expected),
            ("newly skipped", self.newly_skipped),
            ("new tests", self.new),
            ("tests that are gone", self.gone),
        ]

    def line(self) -> str:
        """The groups that are not empty, with their numbers."""
        told = [f"{len(found)} {title}" for title, found in self.told() if found]
        return ", ".join(told) or "no test has another outcome"


def changes(old: Record, new: Record) -> Changes:
    """How the outcomes of the tests differ between two records."""
    before, after = old.outcomes, new.outcomes

    def turned(outcome: str) -> list[str]:
        return [i for i, o in after.items() if o == outcome and before.get(i, outcome) != outcome]

    def listed(ids: Iterable[str]) -> list[str]:
        return sorted(ids)

    return Changes(
        newly_failing=listed(
            i for i, o in after.items() if o == "failed" and before.get(i) != "failed"
        ),
        newly_passing=listed(turned("passed")),
        newly_skipped=listed(turned("skipped")),
        newly_expected=listed(turned("xfailed")),
        new=listed(i for i in after if i not in before),
        gone=listed(i for i in before if i not in after),
    )


@dataclass(frozen=True)
class Point:
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

    @property
    def highest(self) -> int:
        """The largest number of failures, expected ones among them."""
        return max(self._failed(record) for record in self.records)

    @staticmethod
    def _failed(record: Record) -> int:
        return record.counts["failed"] + record.counts["xfailed"]

    def points(self) -> list[Point]:
        """The failures of each record, expected ones among them, as points of a line."""
        last, top = max(len(self.records) - 1, 1), max(self.highest, 1)
        return [
            Point(record, failed, i / last, 1 - failed / top)
            for i, record in enumerate(self.records)
            for failed in [self._failed(record)]
        ]


def history(folder: Path, subject: Record) -> History:
    """The history of a subject in a folder of earlier reports."""
    before = earlier(folder, subject)[-SHOWN + 1 :]
    return History([*before, subject], changes(before[-1], subject) if before else None)
