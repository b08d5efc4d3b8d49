"""The pytest plug-in: the fixtures, the mark, the option, the table, and what it leaves alone."""

from __future__ import annotations

import re
import resource
from pathlib import Path

import pytest

from tests.conformance.worlds.runs import run_tests

TESTS = """
import numpy as np
import pytest
import small

def test_standardize(xp, portable):
    y = portable(small.standardize)(xp.asarray([1.0, 2.0, 3.0]))
    assert abs(float(xp.sum(y))) < 1e-6

def test_total(xp):
    assert small.total(xp.asarray([1.0, 2.0])) == 3

def test_ramp(xp):
    np.testing.assert_array_equal(np.asarray(small.ramp(xp.zeros(3))), [1, 1, 1])

def test_without(tmp_path):
    pass
"""


def outcomes(printed: str) -> dict[str, str]:
    """The outcome of each test by its name."""
    found = re.findall(r"^test_small.py::(\S.*?) (PASSED|FAILED|SKIPPED|XFAIL)", printed, re.M)
    return dict(found)


def test_tests_run_in_strict_by_default(tmp_path: Path):
    """Without the option there is one run of each test, and no table."""
    printed = run_tests(tmp_path, TESTS)
    assert outcomes(printed) == {
        "test_standardize[strict]": "PASSED",
        "test_total[strict]": "PASSED",
        "test_ramp[strict]": "PASSED",
        "test_without": "PASSED",
    }
    assert "worlds" not in printed.partition("test session starts")[2].partition("plugins")[0]
    assert "━" not in printed


def test_the_table_and_the_refusals(tmp_path: Path):
    """Each refusal names the library's line, the call, and what to write there."""
    printed = run_tests(tmp_path, TESTS, "--worlds", "strict,device,two devices,foreign")
    found = outcomes(printed)
    assert found["test_total[device]"] == found["test_ramp[two devices]"] == "FAILED"
    assert found["test_ramp[device]"] == "PASSED"
    assert found["test_standardize[foreign]"] == "PASSED"
    assert "test_total[foreign]" not in found  # it does not say what is under test
    rows = re.findall(r"^│ (\S[\w ]*?) +│ +(\S+) │ +(\S+) │$", printed, re.M)
    assert rows == [
        ("strict", "3", "·"), ("device", "2", "1"), ("two devices", "1", "2"),
        ("foreign", "1", "·"),
    ]  # fmt: skip
    summary = printed.partition("━")[2]
    assert "2 ✗ small.py:12 in total\n    np.asarray(x)\n" in summary
    assert "in device, two devices. Use functions of xp" in summary
    assert "1 ✗ small.py:18 in ramp\n    x + ones\n" in summary
    assert "the other array was made at small.py:17 in ramp\n" in summary
    assert "Pass device=x.device where the array is made." in summary


MARKED = """
import pytest
import small

@pytest.mark.worlds(only=["device", "immutable"])
def test_only(xp): pass

@pytest.mark.worlds(skip="device")
def test_skip(xp): pass

@pytest.mark.worlds(xfail={"device": "it reads the values", "immutable": "wrong"})
def test_xfail(xp): small.total(xp.asarray([1.0, 2.0]))

@pytest.mark.worlds(only="real jax")
def test_none(xp): pass
"""


def test_marks(tmp_path: Path):
    """`only` and `skip` choose; a failure that does not come is a failure."""
    found = outcomes(run_tests(tmp_path, MARKED, "--worlds", "strict,device,immutable"))
    assert found == {
        "test_only[device]": "PASSED",
        "test_only[immutable]": "PASSED",
        "test_skip[strict]": "PASSED",
        "test_skip[immutable]": "PASSED",
        "test_xfail[strict]": "PASSED",
        "test_xfail[device]": "XFAIL",
        "test_xfail[immutable]": "FAILED",
        "test_none[no world]": "SKIPPED",
    }


def test_wrong_names_are_refused(tmp_path: Path):
    printed = run_tests(tmp_path, TESTS, "--worlds", "moon")
    assert "--worlds: there is no world 'moon'; the worlds are strict, " in printed
    wrong = "import pytest\n@pytest.mark.worlds(only='moon')\ndef test_f(xp): pass\n"
    printed = run_tests(tmp_path, wrong)
    assert "the mark worlds of test_small.py::test_f: there is no world 'moon'" in printed
    wrong = "import pytest\n@pytest.mark.worlds('device')\ndef test_f(xp): pass\n"
    assert "it takes only=, skip= and xfail=" in run_tests(tmp_path, wrong)


DRAWN = """
import pytest
import small
from hypothesis import HealthCheck, given, settings, strategies

@pytest.fixture
def zeros(xp):
    return xp.zeros(3)

def test_fixture(zeros, xp):
    assert zeros.device == xp.asarray(0.0).device

@settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(n=strategies.integers(1, 5))
def test_ramp(xp, portable, n):
    portable(small.ramp)(xp.zeros(n))
"""


def test_hypothesis_and_processes(tmp_path: Path):
    """A world is in force for each example and in fixtures, in each process of pytest-xdist."""
    printed = run_tests(tmp_path, DRAWN, "--worlds", "strict,two devices,read-only inputs", "-n2")
    for test, outcome in {
        "fixture[strict]": "PASSED", "fixture[two devices]": "PASSED", "ramp[strict]": "PASSED",
        "ramp[two devices]": "FAILED", "ramp[read-only inputs]": "PASSED",
    }.items():  # fmt: skip
        assert f"{outcome} test_small.py::test_{test}" in printed
    assert "1 ✗ small.py:18 in ramp\n" in printed


LEFT_ALONE = """
import sys

def test_own(xp):
    assert xp == "mine"

def test_modules():
    assert "conformance.worlds.pytest_plugin" in sys.modules
    assert not {"torch", "numpy", "rich", "xp_torch"} & sys.modules.keys()
"""


def test_it_leaves_others_alone(tmp_path: Path):
    """A conftest's fixture `xp` stays, and nothing is imported for tests without a world."""
    own = "import pytest\n@pytest.fixture(params=['mine'])\ndef xp(request): return request.param\n"
    (tmp_path / "conftest.py").write_text(own)
    found = outcomes(run_tests(tmp_path, LEFT_ALONE, "-p", "no:hypothesispytest"))
    assert found == {"test_own[mine]": "PASSED", "test_modules": "PASSED"}


READS = """
import helpers
import numpy as np

def test_reads(xp):
    assert float(xp.asarray(1.0)) == 1.0
    np.testing.assert_equal(np.asarray(xp.asarray([1.0])), [1.0])

def test_reads_elsewhere(xp):
    helpers.assert_close(xp.asarray(1.0), 1.0)
"""


def test_code_of_tests_may_read_values(tmp_path: Path):
    """The test's file may, and files that the setting names."""
    (tmp_path / "helpers.py").write_text("def assert_close(x, y): assert float(x) == y\n")
    worlds = ("--worlds", "no values")
    found = outcomes(run_tests(tmp_path, READS, *worlds))
    assert found == {
        "test_reads[no values]": "PASSED", "test_reads_elsewhere[no values]": "FAILED",
    }  # fmt: skip
    (tmp_path / "pytest.ini").write_text("[pytest]\nworlds_test_code = test_*.py helpers.py\n")
    found = outcomes(run_tests(tmp_path, READS, *worlds))
    assert set(found.values()) == {"PASSED"}


PLAIN = """
import pytest
import xp_torch

@pytest.fixture
def xp():
    return xp_torch
"""
MANY = """
import pytest

@pytest.mark.parametrize("n", range(1000))
def test_sum(xp, n):
    x = xp.asarray([1.0, 2.0, float(n)])
    assert float(xp.sum((x - xp.mean(x)) / (xp.std(x) + 1))) < 1
"""


@pytest.mark.slow
def test_strict_takes_at_most_twice_a_plain_run(tmp_path: Path):
    """In processor time: the least of two runs each, with a fixture of one's own and with ours."""
    seconds: dict[str, list[float]] = {PLAIN: [], "": []}
    for _ in range(2):
        for conftest, times in seconds.items():
            (tmp_path / "conftest.py").write_text(conftest)
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            assert "1000 passed" in run_tests(tmp_path, MANY, "-q")
            times.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    assert min(seconds[""]) < 2 * min(seconds[PLAIN])
