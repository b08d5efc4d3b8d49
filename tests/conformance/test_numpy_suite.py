"""`python -m conformance numpy`: what is rewritten, what is in scope, what takes down what."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conformance._cli import main
from conformance.numpy_suite import _files
from conformance.numpy_suite.plugin import WARNED
from tests.conformance.test_reports import Page

# A namespace whose arrays NumPy knows by `__array__` only, and that lacks almost everything.
FAKE = """
import numpy

__version__ = "7.0"
float64 = numpy.float64

class ndarray:
    def __init__(self, values):
        self._values = numpy.array(values)
    def __array__(self, dtype=None, copy=None):
        return self._values
    def __eq__(self, other):
        raise TypeError("not without its namespace")
    __hash__ = None

def asarray(values, dtype=None):
    return ndarray(values)

def arange(n):
    return ndarray(range(n))

def add(x, y):
    return ndarray(numpy.asarray(x) + numpy.asarray(y))
"""

EVERY_OUTCOME = """
import os, time
import pytest
import numpy as np
import numpy._core.umath as ncu
from numpy._core import _umath_tests, arange
from numpy import missing_function
from numpy.testing import assert_array_equal

table = np.missing_table([1, 2])
cases = [np.float64, np.missing_type]

@pytest.fixture(params=np.missing_params())
def broken(request):
    pass

def generated():
    yield np.float64
    raise ValueError("no more parameters")

def test_passes():
    assert_array_equal(np.add(arange(3), 1), [1, 2, 3])

def test_private_name_means_the_public_one():
    assert_array_equal(ncu.add(np.arange(2), np.arange(2)), [0, 2])

def test_wrong():
    assert_array_equal(np.arange(3), [0, 1, 7])

@pytest.mark.parametrize("case", cases)
def test_missing_parameter(case):
    case(1)

@pytest.mark.parametrize("case", generated())
def test_parameters_that_fail(case):
    pass

@pytest.mark.skipif(np.missing_flag > 1, reason="")
def test_decorator_that_fails():
    pass

def test_fixture_that_fails(broken):
    pass

def test_table():
    table[0]

def test_name():
    missing_function(1)

def test_attribute():
    with pytest.raises(AttributeError):
        np.missing_function

class TestClass(np.missing_class):
    def test_in_class(self):
        pass

class TestBody:
    values = np.missing_values()

    def test_uses(self):
        len(self.values)

    def test_does_not(self):
        pass

def test_crash():
    os._exit(7)

def test_hang():
    time.sleep(600)

@pytest.mark.skip(reason="flaky")
def test_skipped():
    pass

@pytest.mark.xfail(reason="known")
def test_marked():
    assert False

def test_object():
    np.add_docstring(np.asarray, "")

def test_after_all_that():
    pass
"""

MakeSuite = Callable[..., Path]


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakeSuite:
    """Make a folder like NumPy's out of the text of one test file, beside a namespace."""
    (tmp_path / "fake_numpy.py").write_text(FAKE)
    monkeypatch.chdir(tmp_path)

    def make(text: str, name: str = "fft/tests/test_helper.py") -> Path:
        path = tmp_path / "suite" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return tmp_path / "suite"

    return make


def conformance(folder: Path | None, *options: object) -> int:
    """The exit status of a run on the fake namespace."""
    words: list[object] = ["numpy", "--module", "fake_numpy", "--jobs", 1, *options]
    return main([str(word) for word in (*words, *(["--suite", folder] if folder else []))])


def outcomes_in(report: Path, run: int = 0) -> dict[str, dict[str, Any]]:
    """The tests of a run in a report, by the name after the file."""
    data = json.loads((report / "report.json").read_text("utf-8"))
    return {test["id"].split("::", 1)[1]: test for test in data["runs"][run]["tests"]}


def test_each_failure_takes_down_only_its_tests(
    suite: MakeSuite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names, parameters, decorators, fixtures, classes, a crash and a hang; the rest goes on."""
    report = tmp_path / "report"
    folder = suite(EVERY_OUTCOME)
    assert conformance(folder, "--timeout", 2, "--report", report) == 1
    found = {name: (t["outcome"], t["how"]) for name, t in outcomes_in(report).items()}
    passed, failed, skipped = ("passed", ""), ("failed", "failed"), ("skipped", "")
    assert found == {
        "test_passes": passed,
        "test_private_name_means_the_public_one": passed,
        "test_wrong": failed,
        "test_missing_parameter": failed,
        "test_parameters_that_fail": failed,
        "test_decorator_that_fails": failed,
        "test_fixture_that_fails": ("failed", "error"),
        "test_table": failed,
        "test_name": failed,
        "test_attribute": passed,
        "TestClass::test_in_class": failed,
        "TestBody::test_uses": failed,
        "TestBody::test_does_not": passed,
        "test_crash": ("failed", "crashed"),
        "test_hang": ("failed", "hung"),
        "test_skipped": skipped,
        "test_marked": skipped,
        "test_object": ("out of scope", ""),
        "test_after_all_that": passed,
    }
    essence = outcomes_in(report)["test_missing_parameter"]["essence"]
    assert "fake_numpy.missing_type is missing" in essence
    assert "[1 of 2 parameter sets]" in essence
    assert "Mismatched elements: 1 / 3" in outcomes_in(report)["test_wrong"]["essence"]
    assert outcomes_in(report, run=1)["test_wrong"]["outcome"] == "failed", "numpy is the control"
    page = (report / "report.html").read_text("utf-8")
    assert "calls functions that NumPy keeps to itself" in page
    reader = Page()
    reader.feed(page)
    assert not reader.open
    assert not reader.fetched
    assert "31.2 %" in (report / "report.md").read_text("utf-8")
    assert "31.2 % of 16 test functions" in " ".join(capsys.readouterr().out.split())


def test_printed_command_repeats_one_test(suite: MakeSuite, tmp_path: Path) -> None:
    """The command in the report runs that test alone, and fails the same way."""
    report = tmp_path / "report"
    conformance(suite(EVERY_OUTCOME), "--only", "test_wrong", "--report", report)
    command = outcomes_in(report)["test_wrong"]["repeat"].replace(
        "python ", f"{sys.executable} ", 1
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=False, env={"PYTHONPATH": root}
    )
    assert done.returncode == 1
    assert "0 passed, 1 failed" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("entry", "status", "told"),
    [
        ("test_two  # upstream issue 7", 0, "1 expected to fail: upstream issue 7"),
        ("test_two  # on some processors, the last digit", 0, "1 expected to fail: on some"),
        ("test_one  # on some processors, the last digit", 0, "1 passed, 0 failed"),
        ("test_one  # it fails", 1, "passes, but is expected to fail"),
        ("test_gone  # it was renamed", 1, "the suite has no such test"),
        ("test_two", 2, "no reason given"),
    ],
)
def test_expected_failures(
    suite: MakeSuite,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    entry: str,
    status: int,
    told: str,
) -> None:
    """An entry is a test function with a reason; one that passes or names no test is an error."""
    expected = tmp_path / "expected.txt"
    expected.write_text(f"fft/tests/test_helper.py::{entry}\n")
    folder = suite("def test_one():\n    pass\ndef test_two():\n    assert 0\n")
    only = "test_two" if "test_two" in entry and status == 0 else "test_one"
    assert conformance(folder, "--expected", expected, "--only", only) == status
    assert told in " ".join(capsys.readouterr().out.split())


SETS = """
import pytest

@pytest.mark.parametrize("case", ["one", "two # 2", "three"])
def test_some(case):
    assert case == "one"

@pytest.mark.parametrize("case", ["one", "two"])
def test_all(case):
    assert False
"""


@pytest.mark.parametrize(
    ("entries", "status", "told"),
    [
        (["test_some[two # 2]", "test_some[three]", "test_all"], 0, "2 xfailed"),
        (["test_some[two # 2]", "test_some[three]", "test_all[one]", "test_all[two]"], 0,
         "2 xfailed"),
        (["test_some[three]", "test_all"], 1, "[1 of 3 parameter sets]"),
        (["test_some", "test_all"], 1, "1 of 3 parameter sets pass: name those that fail"),
        (["test_some[one]", "test_some[two # 2]", "test_some[three]", "test_all"], 1,
         "passes, but is expected to fail: reason"),
        (["test_some[two # 2]", "test_some[three]", "test_some[four]", "test_all"], 1,
         "the suite has no such parameter set"),
        (["test_some[two # 2]", "test_some[three]", "test_all", "test_all[one]"], 1,
         "is listed as a whole and by parameter sets"),
        (["test_some[two # 2]", "test_some[three]", "test_all", "test_gone[one]"], 1,
         "the suite has no such test"),
    ],
)  # fmt: skip
def test_expected_failures_of_parameter_sets(
    suite: MakeSuite,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    entries: list[str],
    status: int,
    told: str,
) -> None:
    """An entry may be one parameter set, and one for the whole function lets no set pass."""
    expected = tmp_path / "expected.txt"
    lines = [f"fft/tests/test_helper.py::{entry}  # reason" for entry in entries]
    expected.write_text("\n".join(lines))
    assert conformance(suite(SETS), "--expected", expected) == status
    assert told in " ".join(capsys.readouterr().out.split())


def test_expected_failures_of_one_parameter_set_run_alone(
    suite: MakeSuite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The others are in the suite, though they are not run."""
    expected = tmp_path / "expected.txt"
    lines = [
        f"fft/tests/test_helper.py::test_some[{case}]  # reason" for case in ("two # 2", "three")
    ]
    expected.write_text("\n".join(lines))
    assert conformance(suite(SETS), "--expected", expected, "--only", "test_some[three]") == 0
    assert "1 xfailed" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("pattern", "matched"),
    [
        ("test_x", True),
        ("test_linalg", True),
        ("linalg/", True),
        ("TestNorm::test_x", True),
        ("Test*::test_?", True),
        ("test_y", False),
        ("test_x[3-a]", True),
        ("test_xx[3-a]", False),
    ],
)
def test_only_matches_files_and_ids(pattern: str, matched: bool) -> None:
    """A part of the id, wild cards, or an id with parameters for the function they belong to."""
    test_id = "linalg/tests/test_linalg.py::TestNorm::test_x"
    assert _files.matches(test_id, [pattern]) is matched
    assert _files.matches(test_id, ["nothing", pattern]) is matched


QUIET = """
import contextlib

state = {"divide": "ignore"}

def geterr():
    return dict(state)

@contextlib.contextmanager
def errstate(**modes):
    before = geterr()
    state.update(modes)
    yield
    state.update(before)
"""


def test_what_numpy_warns_of_by_default_is_warned_of(suite: MakeSuite, tmp_path: Path) -> None:
    """In the tests of that only, where a namespace does not by itself."""
    (tmp_path / "quiet.py").write_text(QUIET)
    for name, mode in (("test_errstate", "warn"), ("test_half", "ignore")):
        test = f"def test_default():\n    assert np.geterr()['divide'] == '{mode}'\n"
        folder = suite("import numpy as np\n" + test, f"_core/tests/{name}.py")
    assert conformance(folder, "--module", "quiet") == 0
    tests = [t.id for f in _files.files(_files.root()) for t in f.functions]
    assert all(any(_files.matches(t, [pattern]) for t in tests) for pattern in WARNED)


def test_numpy_passes_its_own_tests(capsys: pytest.CaptureFixture[str]) -> None:
    """The control: rewritten tests of the installed NumPy, run on NumPy."""
    words = ["numpy", "--module", "numpy", "--jobs", "1", "--only", "fft/", "test_errstate"]
    assert main(words) == 0
    assert "100.0 %" in capsys.readouterr().out


@pytest.mark.parametrize(("allowed", "status"), [([], 1), (["fake_to*"], 0)])
def test_what_numpy_computes_is_found(
    suite: MakeSuite,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    allowed: list[str],
    status: int,
) -> None:
    """Only the named modules and the comparison of results may convert a tensor to NumPy."""
    (tmp_path / "fake_torch.py").write_text(
        "import torch\nfrom torch import arange\n"
        "def add(x, y):\n    return torch.from_numpy(x.numpy() + y)\n"
    )
    folder = suite(
        "import numpy as np\n"
        "def test_arange():\n    np.testing.assert_equal(np.arange(2), [0, 1])\n"
        "def test_add():\n    np.testing.assert_equal(np.add(np.arange(2), 1), [1, 2])\n"
    )
    words = ("--module", "fake_torch", "--no-numpy", *allowed)
    assert conformance(folder, *words) == status
    printed = capsys.readouterr().out
    assert ("Tensor.numpy() called by fake_torch" in printed) == bool(status)
    assert f"{2 - status} passed, {status} failed" in " ".join(printed.split())


def test_nothing_is_run_where_nothing_matches(
    suite: MakeSuite, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pattern that matches no test is a mistake, as is a folder without tests."""
    assert conformance(suite("def test_one():\n    pass\n"), "--only", "test_none") == 1
    assert conformance(Path("/nowhere")) == 2
    assert "has no tests" in capsys.readouterr().out
