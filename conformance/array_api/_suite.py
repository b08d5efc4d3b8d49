"""The public suite on a namespace and its peers."""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.markup import escape

from .. import _runner, _standard
from .._endings import warn
from .._history import Written
from .._namespace import About
from .._options import positive
from .._results import Result, Run, UnableError
from .._runner import Pytest, Session
from .._suite import Suite
from .._tables import Table, by_run
from . import _chapters, _data_apis
from ._checkout import TESTS, VARIABLE, locate, pinned

OTHER = "Other tests"


@dataclass
class ArrayApiRun(Run):
    """The results of the public suite."""

    api_version: str = ""
    device: str | None = None
    seed: int = 0
    max_examples: int = 0
    only: str | None = None
    target: dict[str, str] = field(default_factory=dict)

    def data(self) -> dict[str, Any]:
        own = ("api_version", "device", "seed", "max_examples", "only", "target")
        return {name: getattr(self, name) for name in own} | super().data()


class ArrayApi(Suite[ArrayApiRun]):
    run_type = ArrayApiRun
    name = "array-api"
    help = "run the public suite data-apis/array-api-tests on a namespace"
    expected = "{module}"
    timeout = 900.0
    # The packages that the suite's conftest and tests import.
    needed = ("pytest", "pytest_jsonreport", "hypothesis", "ndindex")
    rows = "chapter"
    causes = False

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        text = f"the suite's checkout (default: ${VARIABLE}, the cache)"
        add("--suite", metavar="DIR", help=text)
        add("--max-examples", type=positive, default=100, metavar="N", help="default: 100")
        add("--seed", type=int, metavar="S", help="of the examples (default: a new one, shown)")
        add("--api-version", metavar="V", help="the version of the standard, such as 2023.12")
        text = "of --report: pages (the default), or data-apis, the Consortium's dashboard"
        add("--report-format", choices=("pages", "data-apis"), default="pages", help=text)
        text = "only say where the suite is; status 2 if nowhere"
        add("--locate", action="store_true", help=text)

    def find(self) -> str:
        options, console = self.options, self.console
        if options.report_format == "data-apis":
            if not options.report:
                raise UnableError("--report-format data-apis needs --report DIR")
            if options.only or options.history:
                raise UnableError("--report-format data-apis is for the whole suite, of one run")
        self.checkout = found = locate(options.suite)
        where = escape(f"suite: {found.path} at {found.revision[:12] or 'an unknown revision'}")
        console.print(where, soft_wrap=True, highlight=False)
        for sentence in found.warnings():
            self.warn(sentence)
        if options.locate:
            return str(found.path)
        versions = found.versions()
        if options.api_version and versions and options.api_version not in versions:
            text = f"--api-version {options.api_version}: the suite has {', '.join(versions)}"
            raise UnableError(text)
        if not _runner.has_xdist():
            warn(console, "without pytest-xdist there is one process, and a crash ends the run")
        self.seed = random.randrange(2**32) if options.seed is None else options.seed
        return ""

    def request(self, module: str, device: str | None) -> Pytest:
        options, path = self.options, self.checkout.path
        return Pytest(
            module=module,
            folder=path,
            inside=False,
            tests=[str(path / TESTS)],
            variables={
                "ARRAY_API_TESTS_MODULE": module,
                "ARRAY_API_TESTS_VERSION": options.api_version,
                **({"XP_TORCH_API_VERSION": options.api_version} if options.api_version else {}),
            },
            options=(
                *("-c", str(path / "pytest.ini"), "--max-examples", str(options.max_examples)),
                *("--disable-deadline", f"--hypothesis-seed={self.seed}"),
            ),
            more=("-q",),
            jobs=options.jobs,
            only=options.only,
            device=device,
            timeout=options.timeout,
            # A signal amid the examples of a test would be taken for a failure of one of them.
            stops=False,
            again=False,
        )

    def about(self, test_id: str) -> tuple[str, str]:
        return _chapters.about(test_id)

    def read(self, session: Session, request: Pytest, found: About) -> ArrayApiRun:
        run = super().read(session, request, found)
        options = self.options
        # Without a version of the namespace, the pinned suite uses the newest version.
        run.api_version = options.api_version or found.api_version or _standard.VERSION
        run.device, run.only = request.device, options.only
        run.seed, run.max_examples = self.seed, options.max_examples
        run.target = found.target
        return run

    def write(self, runs: Sequence[ArrayApiRun], folder: Path, past: Path | None) -> Written:
        if self.options.report_format == "pages":
            return super().write(runs, folder, past)
        paths = []
        for run in runs:
            try:
                paths.append(_data_apis.write(run, self.checkout.revision, folder))
            except UnableError as error:
                if run is runs[0]:
                    raise
                self.warn(f"left out: {error}")
        return Written(paths, None)

    def tables(self, runs: Sequence[ArrayApiRun]) -> list[Table]:
        return [by_run(runs, self.rows, self.caption(runs[0]))]

    def caption(self, run: ArrayApiRun) -> str:
        return f"{run.name}, {self.label(run)}"

    def label(self, run: ArrayApiRun) -> str:
        return f"array API {run.api_version}"

    def title(self, run: ArrayApiRun) -> str:
        return f"Array API conformance of {run.module}"

    def verdict(self, run: ArrayApiRun) -> str:
        on_device = f" on {run.device}" if run.device else ""
        return (
            f"{run.name}{on_device}, {self.label(run)}: {run.line()} "
            f"({run.max_examples} examples, seed {run.seed}, {run.seconds:.0f} s)"
        )

    def notes(self, run: ArrayApiRun) -> list[str]:
        return [f"Suite: data-apis/array-api-tests at {self.checkout.revision or 'unknown'}."]

    def cell(self, result: Result) -> tuple[str, str]:
        if result.function:
            return _chapters.titles()[result.function], result.function
        return OTHER, result.id.split("::", 1)[-1].split("[")[0]

    def picture(self) -> dict[str, tuple[str, ...]]:
        return _chapters.groups()

    def data(self, runs: Sequence[ArrayApiRun]) -> dict[str, Any]:
        checkout = self.checkout
        return {
            "suite": {
                "path": str(checkout.path),
                "revision": checkout.revision,
                "standard_revision": checkout.standard_revision,
                "pinned": pinned(),
                "warnings": self.warnings,
            }
        }
