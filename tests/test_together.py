"""Cases that are run together are all run, and each that fails is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import together

PROGRAM = """
import pytest

@pytest.fixture
def fixed():
    return 1

@pytest.mark.parametrize("n", range(120))
def test_number(n):
    assert n not in (3, 7), "an odd one"

@pytest.mark.parametrize("n", [1, pytest.param(2, marks=pytest.mark.xfail), 3])
def test_marks(n):
    assert n != 2

@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize("name", ["a", "b"])
def test_skips(name, n):
    pytest.skip("not here")

@pytest.mark.parametrize("n", [1, 2])
def test_with_a_fixture(fixed, n):
    assert n

class TestClass:
    @pytest.mark.parametrize(("n", "m"), [(1, 2), (2, 3)])
    def test_method(self, n, m):
        assert isinstance(self, TestClass) and m - n == 1

    @pytest.mark.parametrize("n", [1, 2])
    def test_fail(self, n):
        if n == 2:
            pytest.fail("by its word")
"""


class Plugin:
    """Gathers the cases, and keeps the reports and the last lines."""

    def __init__(self) -> None:
        self.reports: dict[str, pytest.TestReport] = {}

    def pytest_addoption(self, parser: pytest.Parser) -> None:
        parser.addoption("--apart", action="store_true")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        together.gather(config, items)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.reports[report.nodeid.partition("::")[2]] = report


def run(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> Plugin:
    (folder / "test_cases.py").write_text(PROGRAM)
    (folder / "pytest.ini").write_text("[pytest]\naddopts =\n")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    plugin = Plugin()
    pytest.main(["-q", "--import-mode=importlib", *words], plugins=[plugin])
    return plugin


def test_all_cases_are_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    reports = run(tmp_path, monkeypatch).reports
    assert {name: report.outcome for name, report in reports.items()} == {
        "test_number[0 ... 49]": "failed",
        "test_number[50 ... 99]": "passed",
        "test_number[100 ... 119]": "passed",
        "test_marks[1 ... 3]": "passed",
        "test_marks[2]": "skipped",
        "test_skips[a-1 ... b-2]": "skipped",
        "test_with_a_fixture[1]": "passed",
        "test_with_a_fixture[2]": "passed",
        "TestClass::test_method[1-2 ... 2-3]": "passed",
        "TestClass::test_fail[1 ... 2]": "failed",
    }
    told = reports["test_number[0 ... 49]"].longreprtext
    assert "2 of 50 cases fail" in told
    assert "in test_cases.py::test_number[3]" in told
    assert "in test_cases.py::test_number[7]" in told
    assert "an odd one" in told
    assert "test_number[4]" not in told
    told = reports["TestClass::test_fail[1 ... 2]"].longreprtext
    assert "in test_cases.py::TestClass::test_fail[2]" in told


@pytest.mark.parametrize(
    ("words", "count"),
    [(["--apart"], 133), (["test_cases.py::test_number[3]"], 1), (["-k", "[3]"], 2)],
)
def test_cases_that_are_asked_for(
    words: list[str], count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    assert len(run(tmp_path, monkeypatch, *words).reports) == count
