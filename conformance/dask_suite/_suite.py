"""Dask's tests of CuPy, with a module in the place of CuPy."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from .._installed import Installed
from .._namespace import About
from .._results import Result, Run, UnableError
from .._runner import Pytest, Session
from .plugin import DASK, FAILS, PASSES


@dataclass
class DaskRun(Run):
    """The results of Dask's tests; `designs` tells what Dask says of each with CuPy."""

    designs: dict[str, str] = field(default_factory=dict)

    @property
    def asked(self) -> list[Result]:
        """The tests that CuPy passes, as Dask marks them."""
        return [r for r in self.results if self.designs.get(r.id) == PASSES]

    @property
    def passed(self) -> int:
        """How many of those the module passes."""
        return sum(r.outcome == "passed" for r in self.asked)

    @property
    def share(self) -> float:
        """Their share, in percent; expected failures are not passed."""
        return 100 * self.passed / max(len(self.asked), 1)

    @property
    def beyond(self) -> list[Result]:
        """The passed tests that CuPy fails, as Dask marks them."""
        found = (r for r in self.results if self.designs.get(r.id) == FAILS)
        return [r for r in found if r.outcome == "passed"]


class Dask(Installed[DaskRun]):
    run_type = DaskRun
    name = package = distribution = "dask"
    help = "run Dask's own tests of CuPy with a module in the place of CuPy"
    expected = "dask/{module}"
    module = "numpy_shim"
    timeout = 120.0
    rows = "area"
    plugin = "conformance.dask_suite.plugin"
    contents = "tests of CuPy"
    files = "test_cupy_*.py"
    areas = "test files without test_cupy_ and .py (default: all)"
    left_out: ClassVar = {
        "sparse": "chunks of cupyx.scipy.sparse, which is another library than CuPy"
    }

    @classmethod
    def area(cls, test_id: str) -> str:
        return Path(test_id.split("::")[0]).stem.removeprefix("test_cupy_")

    def find(self) -> str:
        if self.options.against:
            text = "--against: these tests know CuPy alone; run each module by itself"
            raise UnableError(text)
        return super().find()

    def variables(self, module: str, device: str | None) -> dict[str, str | None]:
        return {DASK: json.dumps(module)}

    def read(self, session: Session, request: Pytest, found: About) -> DaskRun:
        run = super().read(session, request, found)
        run.designs = {test_id: fact["design"] for test_id, fact in session.log.facts.items()}
        return run

    def label(self, run: DaskRun) -> str:
        return "Dask's tests of CuPy"

    def caption(self, run: DaskRun) -> str:
        return f"Dask {self.version}: tests of CuPy, on {run.name}"

    def verdict(self, run: DaskRun) -> str:
        beyond = f"; {len(run.beyond)} more, which CuPy fails" if run.beyond else ""
        return (
            f"Dask {self.version} on {run.name}: {run.passed} of the {len(run.asked)} "
            f"tests that CuPy passes ({run.share:.1f} %; {run.line()}){beyond}"
        )

    def data(self, runs: Sequence[DaskRun]) -> dict[str, Any]:
        (run,) = runs
        return {
            **super().data(runs),
            "dask": self.version,
            "asked": len(run.asked),
            "passed": run.passed,
            "share": round(run.share, 2),
            "beyond": [r.id for r in run.beyond],
            "out_of_scope": self.left_out,
            "expected": {why: len(tests) for why, tests in run.by_reason("xfailed")},
            "causes": run.cause_data(),
        }
