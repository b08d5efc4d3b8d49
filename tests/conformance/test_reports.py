"""The three reports of a run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from conformance._badge import endpoint, svg
from conformance._junit import junit
from conformance._report import picture, write
from conformance._results import Problem, Result
from conformance.array_api._suite import ArrayApiRun
from tests.conformance import runs as made

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


@pytest.fixture
def runs() -> list[ArrayApiRun]:
    """A run with one test of every outcome, and a peer that passes."""
    file = "array_api_tests/test_sorting_functions.py"
    subject = made.run("xp_torch", seconds=2.0)
    subject.results = [
        Result(f"{file}::test_sort", "Sorting", "sort", "passed"),
        Result(f"{file}::test_sort[2]", "Sorting", "sort", "failed", "failed", NASTY, NASTY),
        Result(f"{file}::test_argsort", "Sorting", "argsort", "skipped", "", "flaky"),
        Result(f"{file}::test_odd", "Sorting", "", "xfailed", "", "upstream issue 7"),
    ]
    subject.problems = [Problem("stale expectation", f"{file}::test_gone", "no such test")]
    peer = made.run("numpy", "2.4", api_version="2024.12")
    peer.results = [Result(f"{file}::test_sort", "Sorting", "sort", "passed")]
    return [subject, peer]


@pytest.fixture
def report(runs: list[ArrayApiRun], tmp_path: Path) -> Path:
    suite = made.suite()
    suite.warnings = ["the suite is at another revision"]
    written = write(suite, runs, tmp_path)
    assert [path.name for path in written.paths] == [
        *("report.json", "report.md", "report.html", "report.xml", "badge.json", "badge.svg")
    ]
    assert written.history is None
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
    assert '<b class="failed" title="xp_torch, sort: 1 passed, 1 failed.' in text
    assert '<b class="skipped" title="xp_torch, argsort: 1 skipped"' in text
    assert '<b class="xfailed" title="xp_torch, test_odd: 1 xfailed"' in text
    assert '<b title="numpy, sort: 1 passed"' in text


def test_names_are_read_without_hovering(report: Path) -> None:
    """Every function's name is text of the page, once for all namespaces, with its outcomes."""
    text = (report / "report.html").read_text("utf-8")
    chips = re.findall(
        r'<span class="fn" data-outcomes="([^"]*)">(.*?)</span>', text, flags=re.DOTALL
    )
    names = {re.sub("<[^>]*>", "", chip).strip(): outcomes for outcomes, chip in chips}
    assert names["sort"] == "failed passed"
    assert names["test_odd"] == "xfailed"
    assert len(names) == len(chips)
    assert "The squares, from left to right: xp_torch, numpy." in text


def test_names_of_namespaces_with_other_tests() -> None:
    """A name that one namespace lacks has an empty cell for it, and shifts no other's."""
    one, two = made.run("one"), made.run("two")
    one.results = [Result("t::a", "A", "", "passed"), Result("t::b", "A", "", "failed")]
    two.results = [Result("t::b", "A", "", "passed")]
    ((a, b),) = picture(made.suite(), [one, two]).values()
    assert (a.name, a.outcomes, a.cells[1].story) == ("a", "passed", "a: no test of its own")
    assert (b.name, b.outcomes) == ("b", "failed passed")


def test_page_can_be_filtered_printed_and_darkened(report: Path) -> None:
    """The parts that a browser needs for it; the browser's tests try them."""
    text = (report / "report.html").read_text("utf-8")
    assert '<input type="search"' in text
    assert text.count('<input type="checkbox"') == 5
    assert "@media print" in text
    assert '[data-theme="dark"]' in text


def test_junit(report: Path) -> None:
    """A suite for each namespace; problems and crashes are errors; bad characters are replaced."""
    root = ElementTree.parse(report / "report.xml").getroot()
    subject, peer = root
    counts = {key: subject.get(key) for key in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "5", "failures": "1", "errors": "1", "skipped": "2"}
    assert (peer.get("name"), peer.get("tests"), peer.get("failures")) == ("numpy", "1", "0")
    cases = {case.get("name"): case for case in subject}
    failure = cases["test_sort[2]"][0]
    assert (failure.tag, failure.get("message"), failure.text) == ("failure", NASTY, NASTY)
    assert cases["test_sort[2]"].get("classname") == "array_api_tests.test_sorting_functions"
    assert cases["test_odd"][0].get("type") == "pytest.xfail"
    assert list(cases["test_sort"]) == []


def test_junit_tells_crashes_and_control_characters() -> None:
    run = made.run("m")
    run.results = [Result("a.py::b", "A", "", "failed", "crashed", "x\x00\ud800y", "\x1b[31m")]
    (suite,) = ElementTree.fromstring(junit([run], "2026-01-01T00:00:00+00:00"))
    assert (suite.get("failures"), suite.get("errors")) == ("0", "1")
    error = suite[0][0]
    assert (error.tag, error.get("message")) == ("error", "x\ufffd\ufffdy")


def outcomes(**counts: int) -> ArrayApiRun:
    run = made.run("m")
    run.results = [
        Result(f"a.py::{outcome}{i}", "A", "", outcome)
        for outcome, count in counts.items()
        for i in range(count)
    ]
    return run


@pytest.mark.parametrize(
    ("run", "message", "colour"),
    [
        (outcomes(passed=1379, skipped=5), "1379 of 1379 passed", "brightgreen"),
        (outcomes(passed=3, xfailed=1), "3 of 4 passed", "yellow"),
        (outcomes(passed=3, failed=1), "3 of 4 passed", "red"),
        (outcomes(), "no tests ran", "red"),
    ],
)
def test_badge(run: ArrayApiRun, message: str, colour: str) -> None:
    """The fields of a shields endpoint, and the same as a picture with a text for readers."""
    data = json.loads(endpoint(run, "array API"))
    assert data["schemaVersion"] == 1
    assert (data["label"], data["message"], data["color"]) == ("array API", message, colour)
    assert data["isError"] == (colour == "red")
    picture = ElementTree.fromstring(svg(run, "a <b> & c"))
    assert picture.get("aria-label") == f"a <b> & c: {message}"
    texts = [e.text for e in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["a <b> & c", message]


def test_empty_run_is_not_a_success(make_report: Callable[[ArrayApiRun], bool]) -> None:
    """A run in which no test ran is not all right."""
    assert not make_report(made.run("xp_torch"))


@pytest.fixture
def make_report(tmp_path: Path) -> Callable[[ArrayApiRun], bool]:
    def make(run: ArrayApiRun) -> bool:
        write(made.suite(), [run], tmp_path)
        return run.ok

    return make
