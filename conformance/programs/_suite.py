"""`python -m conformance programs PATH`: every script below a folder, with NumPy and launched."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .._namespace import About
from .._results import Result, Run, UnableError
from .._runner import Pytest, Session
from .._suite import Suite
from .._tables import Cell, Table, by_run
from ..libraries._suite import check_launcher
from .plugin import ASKED


@dataclass
class ProgramsRun(Run):
    """The results of programs; `crossings` are a program's lines with times and bytes."""

    crossings: dict[str, list[list[Any]]] = field(default_factory=dict)

    def data(self) -> dict[str, Any]:
        return super().data() | {"crossings": self.crossings}


class Programs(Suite[ProgramsRun]):
    run_type = ProgramsRun
    name = "programs"
    help = "run the scripts below a folder with NumPy and by a launcher, and compare"
    expected = "programs/{module}"
    module = "numpy_shim"
    peers = None
    rows = "program"
    causes = False

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("path", type=Path, metavar="PATH", help="a folder of scripts")

    def find(self) -> str:
        self.folder = self.options.path.resolve()
        if not self.folder.is_dir():
            raise UnableError(f"{self.options.path} is no folder")
        check_launcher(self.options.module)
        return ""

    def request(self, module: str, device: str | None) -> Pytest:
        limit = self.options.timeout
        launcher = [module, *(["--device", device] if device else [])]
        asked = {"launcher": launcher, "timeout": limit}
        return Pytest(
            module=module,
            folder=self.folder,
            inside=False,
            tests=(str(self.folder),),
            variables={ASKED: json.dumps(asked)},
            plugin="conformance.programs.plugin",
            options=("-o", "addopts=", "--noconftest"),  # no settings of a project around it
            only=self.options.only,
            timeout=2 * limit,
        )

    def read(self, session: Session, request: Pytest, found: About) -> ProgramsRun:
        run = super().read(session, request, found)
        run.crossings = {key: fact["crossings"] for key, fact in session.log.facts.items()}
        return run

    def tables(self, runs: Sequence[ProgramsRun]) -> list[Table]:
        def counted(column: int) -> Any:
            def cell(program: str) -> Cell:
                found = [
                    row[column]
                    for test_id, rows in runs[0].crossings.items()
                    for row in rows
                    if program in ("", test_id.split("::")[0])
                ]
                return f"{sum(found):,}" if found else ""

            return cell

        more = {"crossed to\nthe host": counted(3), "bytes": counted(4)}
        return [by_run(runs, self.rows, self.caption(runs[0]), more)]

    def label(self, run: ProgramsRun) -> str:
        return f"programs on {self.device}" if self.device else "programs"

    def cell(self, result: Result) -> tuple[str, str]:
        return str(Path(result.chapter).parent), Path(result.chapter).stem

    def asked(self) -> dict[str, Any]:
        return super().asked() | {"folder": self.folder.name}
