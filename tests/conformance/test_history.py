"""Earlier reports: the trend, what changed since, and `python -m conformance compare`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance import _history, _report
from conformance._cli import main
from conformance._history import ReportError, changes, earlier, read
from conformance._results import Result
from conformance.array_api._suite import ArrayApiRun
from tests.conformance import runs as made

FILE = "array_api_tests/test_sorting_functions.py"
FIRST = {"a": "failed", "b": "passed", "c": "passed", "d": "xfailed", "e": "passed", "f": "passed"}
SECOND = {
    "a": "passed",
    "b": "failed",
    "c": "skipped",
    "d": "passed",
    "e": "xfailed",
    "g": "failed",
}


def run(outcomes: dict[str, str], module: str = "xp_torch", **fields: Any) -> ArrayApiRun:
    found = made.run(module, **fields)
    found.results = [Result(f"{FILE}::{i}", "Sorting", "", o) for i, o in outcomes.items()]
    return found


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports are a day apart."""
    days = iter(range(1, 29))
    stamp = lambda: f"2026-11-{next(days):02}T10:00:00+00:00"  # noqa: E731
    monkeypatch.setattr(_report, "stamp", stamp)


def write(folder: Path, runs: list[ArrayApiRun], past: Path | None = None) -> _report.Written:
    return _report.write(made.suite(), runs, folder, past)


@pytest.mark.usefixtures("clock")
def test_reports_become_a_trend_and_a_difference(tmp_path: Path) -> None:
    """The first report starts the folder; the second one shows what changed since."""
    past = tmp_path / "past"
    first = write(tmp_path / "1", [run(FIRST)], past)
    assert first.history is not None
    assert first.history.changes is None
    assert "This is the first report" in (tmp_path / "1" / "report.html").read_text("utf-8")
    assert [p.name for p in past.iterdir()] == ["xp_torch-2026-11-01T100000Z.json"]

    second = write(tmp_path / "2", [run(SECOND), run(FIRST, "numpy")], past)
    assert second.history is not None
    assert [r.created[:10] for r in second.history.records] == ["2026-11-01", "2026-11-02"]
    assert [(p.failed, p.x, p.y) for p in second.history.points()] == [(2, 0, 1 - 2 / 3), (3, 1, 0)]
    assert len(list(past.iterdir())) == 2
    line = "2 newly failing, 2 newly passing, 1 newly expected to fail, 1 newly skipped"
    for name in ("report.md", "report.html"):
        text = (tmp_path / "2" / name).read_text("utf-8")
        assert "Since 2026-11-01T10:00, xp_torch 0.1: " + line in text
    page = (tmp_path / "2" / "report.html").read_text("utf-8")
    assert '<polyline points="40.0,53.3 620.0,20.0 ">' in page
    assert "<details open><summary>2 newly failing" in page


@pytest.mark.usefixtures("clock")
def test_only_reports_of_one_kind_are_compared(tmp_path: Path) -> None:
    """Another namespace, device or selection is no history, and other files are ignored."""
    past = tmp_path / "past"
    for other in (run(FIRST, "numpy"), run(FIRST, device="cuda"), run(FIRST, only="sort")):
        write(tmp_path / "other", [other], past)
    (past / "notes.json").write_text("[1]")
    (past / "broken.json").write_text("{")
    written = write(tmp_path / "new", [run(SECOND)], past)
    assert written.history is not None
    assert len(written.history.records) == 1


def test_changes_by_test() -> None:
    """Each test that differs is in the group of its new outcome; a new failure is failing."""
    old, new = (
        _history.Record("s", (), "m", "1", created, outcomes)
        for created, outcomes in (("1", FIRST), ("2", SECOND))
    )
    found = changes(old, new)
    assert found.groups == {
        "newly failing": ["b", "g"],
        "newly passing": ["a", "d"],
        "newly expected to fail": ["e"],
        "newly skipped": ["c"],
        "new tests": ["g"],
        "tests that are gone": ["f"],
    }
    assert changes(old, old).line() == "no test has another outcome"


@pytest.mark.usefixtures("clock")
def test_compare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The status is 1 if a test newly fails, 0 if none does, 2 if there is nothing to compare."""
    write(tmp_path / "1", [run(FIRST), run(FIRST, "numpy")])
    write(tmp_path / "2", [run(SECOND), run(FIRST, "numpy")])
    one, two = (str(tmp_path / name / "report.json") for name in "12")
    assert main(["compare", one, two]) == 1
    printed = capsys.readouterr().out
    assert "2 newly failing" in printed
    assert f"    {FILE}::b\n" in printed
    assert "1 tests that are gone" in printed
    assert main(["compare", one, one]) == 0
    assert main(["compare", one, two, "--module", "numpy"]) == 0
    assert main(["compare", one, two, "--module", "jax"]) == 2
    assert "the report has xp_torch, numpy" in capsys.readouterr().out
    assert main(["compare", one, str(tmp_path / "no.json")]) == 2
    Path(two).write_text(json.dumps({"schema": 1, "created": "", "numpy": "2", "runs": []}))
    assert main(["compare", one, two]) == 2


@pytest.mark.usefixtures("clock")
def test_compare_prints_a_part_of_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"t{i:02}" for i in range(25)]
    write(tmp_path / "1", [run(dict.fromkeys(names, "passed"))])
    write(tmp_path / "2", [run(dict.fromkeys(names, "failed"))])
    words = ["compare", *(str(tmp_path / name / "report.json") for name in "12")]
    assert main(words) == 1
    assert "and 5 more" in capsys.readouterr().out
    assert main([*words, "--all"]) == 1
    assert "::t24" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "not a report"),
        ('{"schema": 2, "runs": []}', "schema 2 is not known"),
        ('{"schema": 1, "suite": {}, "runs": []}', "has no run"),
        ('{"schema": 1, "suite": {}, "runs": [{}]}', "not a report"),
    ],
)
def test_files_that_are_no_reports(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(ReportError, match=message):
        read(path)
    assert earlier(tmp_path, _history.Record("s", (), "m", "1", "2026", {})) == []


def test_history_needs_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["array-api", "--history", "somewhere"])
    assert "--history needs --report" in capsys.readouterr().err
