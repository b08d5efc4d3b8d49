"""`python -m conformance array-api`: outcomes, exit status, seeds, expectations, isolation."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conformance import _runner
from conformance._cli import main
from conformance.array_api._checkout import Checkout

MakeSuite = Callable[[str], Path]

EVERY_OUTCOME = """
import os, time
import pytest

def test_sort():
    assert 1 + 1 == 2

@pytest.mark.parametrize("name", ["argsort", "<b>&"])
def test_wrong(name):
    raise AssertionError(f"out=[1, 2], but should be [2, 1] [{name}()]")

def test_crash():
    os._exit(7)

def test_hang():
    time.sleep(600)

@pytest.fixture
def broken():
    raise LookupError("no such table")

def test_setup(broken):
    pass

@pytest.mark.skip(reason="flaky")
def test_skipped():
    pass

@pytest.mark.xfail(reason="known upstream")
def test_marked():
    assert False

def test_after_all_that():
    pass
"""

TWO = """
def test_sort():
    pass

def test_argsort():
    assert False, "descending is ignored"
"""

DRAWS = """
import json, os
from hypothesis import given, strategies as st

@given(st.integers(0, 10**9))
def test_sort(x):
    with open(os.environ["DRAWN"], "a") as out:
        out.write(f"{x} ")

@given(st.integers(0, 10**9))
def test_argsort(x):
    assert x < 10**6, "too large"
"""


def conformance(suite: Path, *options: object) -> int:
    """The exit status of a run on a namespace that the fake suites do not look at."""
    words = ["array-api", "--module", "math", "--suite", suite, "--jobs", 1, *options]
    return main([str(word) for word in words])


def outcomes_in(report: Path) -> dict[str, dict[str, Any]]:
    """The tests of the first run in a report, by the name after the file."""
    data = json.loads((report / "report.json").read_text("utf-8"))
    return {test["id"].split("::")[-1]: test for test in data["runs"][0]["tests"]}


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_outcome_is_told_apart(
    fake_suite: MakeSuite, tmp_path: Path, jobs: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """A crash and a hang lose only the test that was running, with one process and with two."""
    suite, report = fake_suite(EVERY_OUTCOME), tmp_path / "report"
    before = contents(suite)
    assert conformance(suite, "--report", report, "--timeout", 2, "--jobs", jobs) == 1
    found = {name: (t["outcome"], t["how"]) for name, t in outcomes_in(report).items()}
    assert found == {
        "test_sort": ("passed", ""),
        "test_wrong[argsort]": ("failed", "failed"),
        "test_wrong[<b>&]": ("failed", "failed"),
        "test_crash": ("failed", "crashed"),
        "test_hang": ("failed", "hung"),
        "test_setup": ("failed", "error"),
        "test_skipped": ("skipped", ""),
        "test_marked": ("xfailed", ""),
        "test_after_all_that": ("passed", ""),
    }
    assert contents(suite) == before, "the run wrote into the suite's folder"
    printed = capsys.readouterr().out
    assert "out=[1, 2], but should be [2, 1] [argsort()]" in printed
    assert "1 skipped: flaky" in printed
    assert "2 passed, 5 failed, 1 skipped, 1 xfailed" in " ".join(printed.split())


def test_without_xdist_a_crash_is_told(
    fake_suite: MakeSuite,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One process runs everything; what a crash leaves unrun is a problem, not a success."""
    monkeypatch.setattr(_runner, "has_xdist", lambda: False)
    suite, report = fake_suite(EVERY_OUTCOME), tmp_path / "report"
    assert conformance(suite, "--only", "after_all") == 0
    assert "1 passed, 0 failed" in capsys.readouterr().out
    assert conformance(suite, "--report", report) == 1
    found = outcomes_in(report)
    assert found["test_crash"]["how"] == "crashed"
    assert "test_after_all_that" not in found
    assert "5 of 9 tests not run" in capsys.readouterr().out


def test_suite_that_hangs_before_its_tests_is_stopped(
    fake_suite: MakeSuite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A namespace that never returns from its import does not hold the run for ever."""
    monkeypatch.setattr(_runner, "STALL", 4.0)
    suite = fake_suite("import time\ntime.sleep(600)\n")
    assert conformance(suite, "--timeout", 1) == 1
    assert "pytest did nothing for 4 s and was stopped" in capsys.readouterr().out


def test_status_is_zero_only_when_nothing_failed(fake_suite: MakeSuite) -> None:
    """The exit status follows the tests that were selected."""
    suite = fake_suite(TWO)
    assert conformance(suite, "--only", "test_sort and not argsort") == 0
    assert conformance(suite) == 1
    assert conformance(suite, "--only", "no_test_has_this_name") == 1


def test_expected_failure_is_not_a_failure(fake_suite: MakeSuite, tmp_path: Path) -> None:
    """A failure with a reason beside it is counted apart, and the status is 0."""
    expected, report = tmp_path / "expected.txt", tmp_path / "report"
    name = "array_api_tests/test_sorting_functions.py::test_argsort"
    expected.write_text(f"# why\n{name}  # upstream issue 7\n")
    suite = fake_suite(TWO)
    assert conformance(suite, "--expected", expected, "--report", report) == 0
    test = outcomes_in(report)["test_argsort"]
    assert (test["outcome"], test["essence"]) == ("xfailed", "upstream issue 7")


@pytest.mark.parametrize(
    ("entry", "status", "message"),
    [
        ("test_sort  # it fails", 1, "passes, but is expected to fail: it fails"),
        ("test_gone  # it was renamed", 1, "the suite has no such test"),
        ("test_sort", 2, "no reason given"),
        ("test_sort  #", 2, "no reason given"),
    ],
)
def test_stale_expectation_is_an_error(
    fake_suite: MakeSuite,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    entry: str,
    status: int,
    message: str,
) -> None:
    """An entry that passes, that names no test, or that gives no reason is refused."""
    expected = tmp_path / "expected.txt"
    expected.write_text(f"array_api_tests/test_sorting_functions.py::{entry}\n")
    options = ("--expected", expected, "--only", "test_sort and not argsort")
    assert conformance(fake_suite(TWO), *options) == status
    assert message in capsys.readouterr().out


def test_file_that_cannot_be_collected_is_an_error(
    fake_suite: MakeSuite, capsys: pytest.CaptureFixture[str]
) -> None:
    """The other files are run, and the one that is broken is named."""
    suite = fake_suite(TWO.replace("assert False", "assert True"))
    (suite / "array_api_tests" / "test_broken.py").write_text("import no_such_module\n")
    assert conformance(suite) == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert "not collected: array_api_tests/test_broken.py" in printed
    assert "no_such_module" in printed
    assert "2 passed, 0 failed, 1 other problems" in printed


def test_seed_decides_the_examples(
    fake_suite: MakeSuite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One seed draws the same examples twice; another draws others; --max-examples bounds them."""
    suite = fake_suite(DRAWS)
    drawn = []
    for i, seed in enumerate((3, 3, 4)):
        monkeypatch.setenv("DRAWN", str(tmp_path / f"drawn{i}"))
        select = ("--only", "test_sort and not argsort")
        assert conformance(suite, "--seed", seed, "--max-examples", 9, *select) == 0
        drawn.append((tmp_path / f"drawn{i}").read_text().split())
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(drawn[0]) == 9


def test_printed_command_repeats_the_failure(fake_suite: MakeSuite, tmp_path: Path) -> None:
    """The command in the report fails the same way, and leaves the suite's folder clean."""
    suite, report = fake_suite(DRAWS), tmp_path / "report"
    before = contents(suite)
    assert conformance(suite, "--report", report, "--only", "argsort") == 1
    test = outcomes_in(report)["test_argsort"]
    done = subprocess.run(
        test["repeat"], shell=True, capture_output=True, text=True, check=False, env=clean()
    )
    assert done.returncode == 1
    assert test["essence"] in done.stdout
    assert contents(suite) == before


def clean() -> dict[str, str]:
    """The environment without what the outer pytest has put there."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "HYPOTHESIS"))}


def test_device_is_torchs_default_device(
    fake_suite: MakeSuite, capsys: pytest.CaptureFixture[str]
) -> None:
    """The namespace is imported with the default device set; others than torch's are refused."""
    pytest.importorskip("torch")
    suite = fake_suite(
        "import torch\nCREATED = torch.empty(2).device.type\n"
        "def test_sort():\n    assert CREATED == 'meta'\n"
    )
    assert conformance(suite, "--module", "torch", "--device", "meta") == 0
    assert "on meta" in capsys.readouterr().out
    assert conformance(suite, "--module", "numpy", "--device", "meta") == 2
    assert "does not follow torch's default device" in capsys.readouterr().out
    assert conformance(suite, "--module", "torch", "--device", "no_such_device") == 2
    assert "no_such_device" in capsys.readouterr().out


def test_api_version_reaches_suite_and_namespace(fake_suite: MakeSuite) -> None:
    """--api-version sets both variables; a version that the suite lacks is refused."""
    suite = fake_suite(
        "import os\ndef test_sort():\n"
        "    assert os.environ['ARRAY_API_TESTS_VERSION'] == '2023.12'\n"
        "    assert os.environ['XP_TORCH_API_VERSION'] == '2023.12'\n"
    )
    assert conformance(suite, "--api-version", "2023.12") == 0
    (suite / "array-api" / "spec" / "2024.12").mkdir(parents=True)
    assert conformance(suite, "--api-version", "2023.12") == 2


def test_namespace_that_cannot_be_imported(
    fake_suite: MakeSuite, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong name for the subject is an error; a peer with one is left out with a warning."""
    suite = fake_suite("def test_sort():\n    pass\n")
    assert conformance(suite, "--module", "no_such_namespace") == 2
    assert "no_such_namespace" in capsys.readouterr().out
    assert conformance(suite, "--against", "no_such_namespace", "cmath") == 0
    printed = capsys.readouterr().out
    assert "left out: no_such_namespace" in printed
    assert "cmath" in printed


def test_public_suite_on_array_api_strict(public_suite: Checkout, tmp_path: Path) -> None:
    """A real, small part of the suite, with a peer beside it."""
    pytest.importorskip("array_api_strict")
    words = ["--only", "test_has_names or test_constants", "--max-examples", "5"]
    words += ["--against", "numpy", "--report", str(tmp_path), "--suite", str(public_suite.path)]
    assert main(["array-api", "--module", "array_api_strict", *words]) == 0
    data = json.loads((tmp_path / "report.json").read_text("utf-8"))
    subject, peer = data["runs"]
    assert subject["chapters"]["Names"]["passed"] > 200
    assert subject["chapters"]["Constants"] == {
        "passed": 5,
        "failed": 0,
        "skipped": 0,
        "xfailed": 0,
    }
    assert peer["module"] == "numpy"


@pytest.mark.slow  # make test runs the whole suite on xp_torch later
def test_public_suite_on_xp_torch(public_suite: Checkout) -> None:
    """The names and the signatures of our own namespace, as the suite sees them."""
    words = ["--only", "test_has_names or test_signatures", "--suite", str(public_suite.path)]
    assert main(["array-api", "--module", "xp_torch", *words]) == 0
