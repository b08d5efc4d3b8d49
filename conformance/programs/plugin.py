"""The pytest plug-in that collects programs: each file is one test, run with NumPy and launched."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..pytest_plugin import emit
from ._comparison import NUMBER, difference, run

ASKED = "XP_TORCH_CONFORMANCE_PROGRAMS"


class DifferenceError(Exception):
    """A program does not do with the launcher what it does with NumPy."""


class Program(pytest.Item):
    def runtest(self) -> None:
        asked = json.loads(os.environ[ASKED])
        with tempfile.TemporaryDirectory(prefix="conformance-programs-") as name:
            folder = Path(name)
            expected = run(self.path, folder / "numpy", (), asked["timeout"])
            if expected.status:
                last = (expected.errors.strip().splitlines() or [""])[-1]
                pytest.skip(f"fails with NumPy: {last}")
            found = run(self.path, folder / "launched", asked["launcher"], asked["timeout"])
            line = difference(expected, found)
            again = run(self.path, folder / "again", (), asked["timeout"]) if line else expected
        emit("about", id=self.nodeid, crossings=found.crossings)
        if found.status == again.status and (varies := difference(expected, again)):
            pytest.skip(f"two runs with NumPy differ: {re.sub(NUMBER, '#', varies)}")
        if line:
            self.add_report_section("call", "stderr", found.errors[-5000:])
            raise DifferenceError(line)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        return f"{excinfo.type.__name__}: {excinfo.value}"

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.path.name


class ProgramFile(pytest.File):
    def collect(self) -> Iterator[Program]:
        yield Program.from_parent(self, name=self.path.stem)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ProgramFile | None:
    if file_path.suffix != ".py" or file_path.name.startswith("_"):
        return None
    return ProgramFile.from_parent(parent, path=file_path)
