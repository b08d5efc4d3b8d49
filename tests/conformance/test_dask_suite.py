"""`python -m conformance dask`: a module in the place of CuPy, and some of Dask's tests on ours."""

from __future__ import annotations

import json
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from conformance import _expected
from conformance._cli import main, parser
from conformance.dask_suite._suite import Dask
from tests.conformance.test_reports import Page

pytest.importorskip("dask.array")

# A module with NumPy's arrays but one function. What it does wrong is what the tests are about.
MODULE = """
from numpy import *
import numpy

random = numpy.random

__version__ = "7.0"

class ndarray(numpy.ndarray):
    pass

def arange(*args):
    return numpy.arange(*args).view(ndarray)
"""
TESTS = """
import numpy as np
import pytest

pytestmark = pytest.mark.gpu
import dask.array as da
cupy = pytest.importorskip("cupy")

def test_names():
    assert cupy.__name__ == "cupy"
    assert type(cupy.arange(3)) is cupy.ndarray
    assert type(cupy.arange(3).get()) is type(cupy.asnumpy(cupy.arange(3))) is np.ndarray
    assert cupy.random.XORWOW is np.random.PCG64

def test_classes():
    assert isinstance(cupy.arange(3), cupy.ndarray)
    assert not isinstance(np.arange(3), cupy.ndarray)
    assert isinstance(np.arange(3), (int, np.ndarray))
    assert isinstance(3, int)

def test_chunks():
    d = da.from_array(cupy.arange(4), chunks=2, asarray=False)
    assert type(d._meta) is cupy.ndarray
    assert d.sum().compute() == 6

@pytest.mark.parametrize("n", [3, 4])
def test_wrong(n):
    assert cupy.arange(n).sum() == n

@pytest.mark.xfail(reason="CuPy cannot")
def test_more_than_cupy():
    assert cupy.arange(3)[1] == 1

@pytest.mark.skip("CuPy hangs")
def test_skipped():
    assert 0
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "fake_cupy.py").write_text(MODULE)
    (tmp_path / "test_cupy_fake.py").write_text(TESTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)

    monkeypatch.setattr(Dask, "folders", lambda self: (tmp_path, tmp_path))
    return tmp_path


def outcomes(report: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((report / "report.json").read_text("utf-8"))
    return data


def test_a_module_takes_the_place_of_cupy(folder: Path, capsys: pytest.CaptureFixture[str]):
    """What CuPy fails or skips does not count; what fails gives status 1 and can be repeated."""
    report = folder / "report"
    words = ["dask", "--module", "fake_cupy", "--jobs", "1", "--report", str(report)]
    assert main(words) == 1
    data = outcomes(report)
    (run,) = data["runs"]
    assert {t["id"].split("::")[1]: t["outcome"] for t in run["tests"]} == {
        "test_names": "passed",
        "test_classes": "passed",
        "test_chunks": "passed",
        "test_wrong[3]": "passed",
        "test_wrong[4]": "failed",
        "test_more_than_cupy": "passed",
        "test_skipped": "skipped",
    }
    assert (data["asked"], data["passed"], data["share"]) == (5, 4, 80.0)
    assert [i.split("::")[1] for i in data["beyond"]] == ["test_more_than_cupy"]
    assert "4 of the 5 tests that CuPy passes" in " ".join(capsys.readouterr().out.split())
    reader = Page()
    reader.feed((report / "report.html").read_text("utf-8"))
    assert not reader.open
    assert not reader.fetched
    assert "| fake | 5 | 1 | 1 |" in (report / "report.md").read_text("utf-8")


def test_expected_failures_have_reasons(folder: Path):
    """An expected failure is no failure and is not passed; one that passes is a problem."""
    expected, report = folder / "expected.txt", folder / "report"
    words = ["dask", "--module", "fake_cupy", "--jobs", "1", "--expected", str(expected)]
    expected.write_text("test_cupy_fake.py::test_wrong[4]  # six is not four\n")
    assert main([*words, "--report", str(report)]) == 0
    data = outcomes(report)
    assert data["share"] == 80.0
    assert data["expected"] == {"six is not four": 1}
    expected.write_text("test_cupy_fake.py::test_wrong[3]  # three is three\n")
    assert main([*words, "--only", "test_wrong and 3"]) == 1


def files(*areas: str) -> list[str]:
    """The test files of these areas of the installed Dask."""
    suite = Dask(Console(), parser().parse_args(["dask", *areas]))
    suite.find()
    return suite.tests


def test_areas(capsys: pytest.CaptureFixture[str]):
    names = {Path(f).name for f in files("gufunc", "overlap")}
    assert names == {"test_cupy_gufunc.py", "test_cupy_overlap.py"}
    assert not any("sparse" in f for f in files())
    assert main(["dask", "nothing"]) == 2
    assert "no tests of CuPy in nothing" in " ".join(capsys.readouterr().out.split())
    assert main(["dask", "sparse"]) == 2


@pytest.mark.skipif(
    "numpy_shim" not in entry_points(group="dask.array.backends").names,
    reason="the installed metadata has no entry point of Dask's: pip install -e . again",
)
def test_some_of_dasks_tests_pass(tmp_path: Path):
    """All of them are run by the command; these take few seconds."""
    words = ["dask", "gufunc", "reductions", "slicing", "--jobs", "1"]
    assert main([*words, "--report", str(tmp_path)]) == 0
    data = outcomes(tmp_path)
    assert data["asked"] == data["passed"] > 50


def test_every_expected_failure_is_of_a_test_that_is_there():
    """The list is for the Dask that constraints.txt names; a file of it is one that is run."""
    entries = _expected.read("dask/numpy_shim")
    assert entries
    assert {i.split("::")[0] for i in entries} <= set(files())
