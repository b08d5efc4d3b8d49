"""What is marked slow is left out, unless it is asked for or named."""

from __future__ import annotations

from pathlib import Path

import pytest

PROGRAM = """
import pytest
from tests.slow import one_in


@pytest.mark.parametrize("n", one_in(3, range(7)))
def test_number(n):
    assert n >= 0


@pytest.mark.parametrize("pair", one_in(2, [[1, 2], [3, 4]]))
def test_pair(pair):
    assert len(pair) == 2
"""


@pytest.mark.parametrize(
    ("named", "count"),
    [(["test_n.py"], 4), (["--slow", "test_n.py"], 9), (["test_n.py::test_number"], 7)],
)
def test_what_is_collected(
    named: list[str], count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    class Collected:
        def __init__(self) -> None:
            self.found: list[str] = []

        def pytest_addoption(self, parser: pytest.Parser) -> None:
            parser.addoption("--slow", action="store_true")

        def pytest_collection_modifyitems(
            self, config: pytest.Config, items: list[pytest.Item]
        ) -> None:
            from tests import slow

            config.addinivalue_line("markers", "slow")
            slow.deselect(config, items)
            self.found = [item.name for item in items]

    (tmp_path / "test_n.py").write_text(PROGRAM)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts =\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    collected = Collected()
    options = ["-q", "-p", "no:cacheprovider", "--import-mode=importlib"]
    assert pytest.main([*options, *named], plugins=[collected]) == 0
    assert len(collected.found) == count
