"""A suite is a short class: its command, run, tables and reports are made for all suites."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
from rich.console import Console

from conformance._endings import Ending
from conformance._history import read
from conformance._results import Run, UnableError
from conformance._runner import Pytest
from conformance._suite import Suite, add_command
from tests.conformance.test_reports import Page

TESTS = """
import importlib, os

xp = importlib.import_module(os.environ["TINY"])

def test_names():
    assert xp.__name__ == os.environ["TINY"]

def test_floor():
    assert xp.floor(1.5) == 1
"""


class Tiny(Suite[Run]):
    """All that a suite of a folder has to say."""

    run_type = Run
    name = "tiny"
    help = "run a test file of two tests"
    expected = "tiny/{module}"
    module = "math"
    folder = Path("tiny")

    def find(self) -> str:
        if not self.folder.is_dir():
            raise UnableError(f"{self.folder} is not there")
        return ""

    def request(self, module: str, device: str | None) -> Pytest:
        return Pytest(
            module=module,
            folder=self.folder.resolve(),
            tests=["test_tiny.py"],
            variables={"TINY": module},
            jobs=self.options.jobs,
            only=self.options.only,
            timeout=self.options.timeout,
        )

    def label(self, run: Run) -> str:
        return "tiny tests"


def tiny(*words: str) -> Ending:
    top = argparse.ArgumentParser()
    add_command(top.add_subparsers(), Tiny)
    options = top.parse_args(["tiny", "--jobs", "1", *words])
    ending: Ending = options.act(Console(quiet=True), options)
    return ending


def test_a_suite_is_a_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its peers, its expected failures, its reports and what cannot be run need no line of it."""
    monkeypatch.chdir(tmp_path)
    assert tiny() == (2, "tiny is not there")
    Tiny.folder.mkdir()
    (Tiny.folder / "test_tiny.py").write_text(TESTS)
    (Tiny.folder / "pytest.ini").write_text("[pytest]\n")
    assert tiny("--against", "cmath", "--report", "report") == (
        0,
        "tiny tests on math: 2 passed, 0 failed",
    )
    data = json.loads(Path("report/report.json").read_text("utf-8"))
    assert [run["counts"]["passed"] for run in data["runs"]] == [2, 1]
    records = read(Path("report/report.json"))
    assert [(r.suite, r.module) for r in records] == [
        ("tiny tests", "math"),
        ("tiny tests", "cmath"),
    ]
    assert "| test_tiny.py | 2 | 0 |" in Path("report/report.md").read_text("utf-8")
    reader = Page()
    reader.feed(Path("report/report.html").read_text("utf-8"))
    assert not reader.open
    Path("expected.txt").write_text("test_tiny.py::test_floor  # complex numbers have no floor\n")
    words = ("--module", "cmath", "--expected", "expected.txt")
    assert tiny(*words) == (0, "tiny tests on cmath: 1 passed, 0 failed, 1 xfailed")
    assert tiny("--module", "no_such_module").status == 2
