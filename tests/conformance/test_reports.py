"""The three reports of a run."""

from __future__ import annotations

import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from conformance._report import write
from conformance._results import Problem, Result, Run, Settings
from conformance._suite import Suite

# A value that would break out of the page if it were not escaped.
NASTY = '<script>alert("x")</script> & "quotes"'
VOID = ("meta", "br", "link", "img", "input", "hr", "wbr")


class Page(HTMLParser):
    """Checks that tags close in order, and collects what the page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.fetched += [str(value) for name, value in attrs if name in ("src", "href", "srcset")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def settings(module: str) -> Settings:
    return Settings(module, Path("/suite"), seed=7, max_examples=20, jobs=2)


@pytest.fixture
def runs() -> list[Run]:
    """A run with one test of every outcome, and a peer that passes."""
    file = "array_api_tests/test_sorting_functions.py"
    subject = Run(settings("xp_torch"), "0.1", "2025.12", seconds=2.0)
    subject.results = [
        Result(f"{file}::test_sort", "Sorting", "sort", "passed"),
        Result(f"{file}::test_sort[2]", "Sorting", "sort", "failed", "failed", NASTY, NASTY),
        Result(f"{file}::test_argsort", "Sorting", "argsort", "skipped", "", "flaky"),
        Result(f"{file}::test_odd", "Sorting", "", "xfailed", "", "upstream issue 7"),
    ]
    subject.problems = [Problem("stale expectation", f"{file}::test_gone", "no such test")]
    peer = Run(settings("numpy"), "2.4", "2024.12")
    peer.results = [Result(f"{file}::test_sort", "Sorting", "sort", "passed")]
    return [subject, peer]


@pytest.fixture
def report(runs: list[Run], tmp_path: Path) -> Path:
    suite = Suite(Path("/suite"), "0123456789abcdef", "", modified=False)
    paths = write(tmp_path, runs, suite, ["the suite is at another revision"])
    assert [path.name for path in paths] == ["report.json", "report.md", "report.html"]
    return tmp_path


def test_json_holds_every_test(report: Path) -> None:
    """Counts, chapters, reasons, and for a failure the command that repeats it."""
    data = json.loads((report / "report.json").read_text("utf-8"))
    subject, peer = data["runs"]
    assert subject["counts"] == {"passed": 1, "failed": 1, "skipped": 1, "xfailed": 1}
    assert subject["chapters"] == {"Sorting": subject["counts"]}
    assert subject["skipped"] == {"flaky": 1}
    assert not subject["ok"]
    assert peer["ok"]
    failed = next(t for t in subject["tests"] if t["outcome"] == "failed")
    assert "--hypothesis-seed=7" in failed["repeat"]
    assert data["suite"]["warnings"] == ["the suite is at another revision"]


def test_markdown_has_the_table_and_the_failures(report: Path) -> None:
    """One row a chapter with a column a namespace, then failures and reasons."""
    text = (report / "report.md").read_text("utf-8")
    assert "| chapter | xp_torch 0.1 | numpy 2.4 |" in text
    assert "| Sorting | 1 / 1 / 1 / 1 | 1 / 0 / 0 / 0 |" in text
    assert "test_sort[2]" in text
    assert "1 skipped: flaky" in text
    assert "1 expected to fail: upstream issue 7" in text
    assert "stale expectation" in text


def test_page_is_one_file_and_escapes_what_it_shows(report: Path) -> None:
    """Nothing is fetched, tags close in order, and text from tests stays text."""
    text = (report / "report.html").read_text("utf-8")
    page = Page()
    page.feed(text)
    assert page.open == []
    assert page.fetched == []
    assert "url(" not in text
    assert page.tags.count("script") == 1
    assert "&lt;script&gt;alert" in text
    assert 'name="viewport"' in text
    assert "prefers-color-scheme: dark" in text


def test_picture_shows_the_worst_outcome(report: Path) -> None:
    """A function with a passing and a failing test is a failing cell, and says both."""
    text = (report / "report.html").read_text("utf-8")
    assert '<b class="failed" title="sort: 1 passed, 1 failed.' in text
    assert '<b class="skipped" title="argsort: 1 skipped"' in text
    assert '<b class="xfailed" title="test_odd: 1 xfailed"' in text
    assert '<b title="sort: 1 passed"' in text


def test_empty_run_is_not_a_success(make_report: Callable[[Run], bool]) -> None:
    """A run in which no test ran is not all right."""
    assert not make_report(Run(settings("xp_torch"), "0.1", "2025.12"))


@pytest.fixture
def make_report(tmp_path: Path) -> Callable[[Run], bool]:
    def make(run: Run) -> bool:
        write(tmp_path, [run], Suite(Path("/suite"), "", "", modified=False), [])
        return run.ok

    return make
