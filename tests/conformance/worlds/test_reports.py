"""`conformance worlds PATH` and `portable` write the reports that every suite writes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conformance.test_reports import Page
from tests.conformance.worlds.runs import run
from tests.conformance.worlds.test_plugin import TESTS

FILES = {"report.json", "report.md", "report.html", "report.xml", "badge.json", "badge.svg"}
WORLDS = ("--worlds", "strict,device,two devices", "--jobs", "1")
CAUSE = "`` np.asarray(x) raises TypeError: array: the array is on the device npy:#, "


def run_worlds(folder: Path, *words: str, tests: str = TESTS) -> subprocess.CompletedProcess[str]:
    (folder / "test_small.py").write_text(tests)
    return run(folder, "conformance", "worlds", "test_small.py", *words)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reports of a library's tests in three worlds."""
    folder = tmp_path_factory.mktemp("small")
    done = run_worlds(folder, *WORLDS, "--report", "reports", "--history", "past")
    assert done.returncode == 1, done.stderr
    last = done.stdout.splitlines()[-1]
    assert last == f"✗ {folder.name} runs in 1 of 3 worlds: 6 passed, 3 failed"
    assert {path.name for path in (folder / "reports").iterdir()} == FILES
    assert len(list((folder / "past").iterdir())) == 1
    return folder / "reports"


def test_markdown_has_the_table_and_the_causes(report: Path):
    """Worlds by modules; a refusal of two worlds is one cause, with the line and the way out."""
    text = (report / "report.md").read_text("utf-8")
    assert "| world | test_small.py |" in text
    for row in ("| strict | 3 / 0 |", "| device | 2 / 1 |", "| two devices | 1 / 2 |"):
        assert row in text
    (cause,) = (line for line in text.splitlines() if CAUSE in line)
    assert cause.startswith("| 2 |")
    assert "<br>In device, two devices. Use functions of xp" in cause
    assert "| small.py:12 in total | `test_small.py::test_total[device]` |" in cause
    assert "<br>the other array was made at small.py:17 in ramp<br>In two devices. Pass " in text
    assert "--worlds 'strict,device,two devices'" in text


def test_the_other_formats_have_the_same(report: Path):
    data = json.loads((report / "report.json").read_text("utf-8"))
    (subject,) = data["runs"]
    assert data["worlds"] == "strict,device,two devices"
    assert subject["chapters"]["device"] == {"passed": 2, "failed": 1, "skipped": 0, "xfailed": 0}
    total, ramp = subject["causes"]
    assert (total["frame"], total["call"]) == ("small.py:12 in total", "np.asarray(x)")
    assert ramp["tests"] == ["test_small.py::test_ramp[two devices]"]
    assert ramp["remedy"] == "Pass device=x.device where the array is made."

    page = Page()
    page.feed((report / "report.html").read_text("utf-8"))
    assert page.open == []
    assert page.fetched == []
    assert "Pass device=x.device where the array is made." in (report / "report.html").read_text()

    (suite,) = ElementTree.parse(report / "report.xml").getroot()
    counts = (suite.get("tests"), suite.get("failures"), suite.get("errors"))
    assert counts == ("9", "3", "0")
    badge = json.loads((report / "badge.json").read_text("utf-8"))
    assert (badge["label"], badge["message"]) == ("worlds", "6 of 9 passed")


def test_expected_failures(tmp_path: Path):
    """Tests that are listed do not fail the run; one that passes does."""
    listed = tmp_path / "expected.txt"
    names = ("test_total[device]", "test_total[two devices]", "test_ramp[two devices]")
    listed.write_text("".join(f"test_small.py::{name}  # later\n" for name in names))
    done = run_worlds(tmp_path, *WORLDS, "--expected", "expected.txt")
    assert done.returncode == 0, done.stdout
    assert "3 expected to fail: later" in done.stdout
    with listed.open("a") as file:
        file.write("test_small.py::test_total[strict]  # wrong\n")
    done = run_worlds(tmp_path, *WORLDS, "--expected", "expected.txt")
    assert done.returncode == 1
    assert "stale expectation: test_small.py::test_total[strict]" in done.stdout


CRASHES = """
import os

def test_dies(xp):
    os._exit(1)

def test_lives(xp):
    pass
"""


def test_a_crash_is_one_failure_in_its_world(tmp_path: Path):
    done = run_worlds(tmp_path, *WORLDS[:1], "strict,device", "--jobs", "1", tests=CRASHES)
    assert "2 ✗ no line under test\n    crashed: " in done.stdout
    assert "in strict, device" in done.stdout
    assert "runs in 0 of 2 worlds: 2 passed, 2 failed" in done.stdout


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("worlds", "tests"), "error: tests does not exist"),
        (("worlds", ".", "--worlds", "moon"), "error: --worlds: there is no world 'moon'"),
    ],
)
def test_what_cannot_run(tmp_path: Path, words: tuple[str, ...], text: str):
    done = run(tmp_path, "conformance", *words)
    assert done.returncode == 2
    assert text in done.stdout


def test_a_function_without_tests(tmp_path: Path):
    """The report of `portable`, with the command that repeats a call."""
    words = ("small.ramp", "--worlds", "strict,two devices", "--draws", "1", "--report", "reports")
    done = run(tmp_path, "conformance", "portable", *words)
    assert done.returncode == 1, done.stderr
    assert {path.name for path in (tmp_path / "reports").iterdir()} == FILES
    text = (tmp_path / "reports" / "report.md").read_text("utf-8")
    assert "| two devices | 0 / 1 |" in text
    again = "conformance portable small.ramp --worlds 'two devices' --draws 1 --seed 0"
    assert f"python -m {again}" in text
    (tmp_path / "expected.txt").write_text("small.ramp::0[two devices]  # known\n")
    done = run(tmp_path, "conformance", "portable", *words[:-2], "--expected", "expected.txt")
    assert done.returncode == 0, done.stdout
