"""SciPy's own tests with SciPy, then with a package in SciPy's place; the results are compared.

The package is a module `scipy` of a namespace, as `numpy_shim.scipy`. The test files get it where
they import `scipy`, and the namespace where they import `numpy`.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

from .._installed import Installed
from .._namespace import NamespaceError, about
from .._results import Problem, Run, UnableError
from .._tables import Table, by_outcome
from ..libraries._suite import LibraryRun, compared
from .in_place_plugin import IN_PLACE

CONTROL = "scipy"


class SciPyInPlace(Installed[LibraryRun]):
    """The whole of SciPy's test-suite; only what passes with SciPy counts."""

    run_type = LibraryRun
    name = package = distribution = "scipy"
    help = "run SciPy's tests with a package in its place"
    expected = "scipy/{module}"
    peers = ()
    rows = "sub-package"
    contents = "tests"
    plugin = "conformance.backends.in_place_plugin"
    timeout = 120.0
    areas = "sub-packages, or files: special, special/test_basic (default: all)"

    @classmethod
    def area(cls, test_id: str) -> str:
        """The sub-package of a test."""
        return PurePosixPath(test_id.split("::")[0]).parts[1]

    def choose(self, folder: Any) -> list[str]:
        """The test files of the chosen sub-packages, or the chosen files."""
        whole = {name.partition("/")[0] for name in self.options.areas}
        asked, self.options.areas = self.options.areas, sorted(whole)
        names = super().choose(folder)
        wanted = {name for name in asked if "/" in name}
        if not wanted:
            return names
        kept = [
            name
            for name in names
            if self.area(name) in asked or f"{self.area(name)}/{PurePosixPath(name).stem}" in wanted
        ]
        if not kept:
            raise UnableError(f"scipy has no test file {', '.join(sorted(wanted))}")
        return kept

    def variables(self, module: str, device: str | None) -> dict[str, str | None]:
        place = None if module == CONTROL else module
        return {IN_PLACE: place, "SCIPY_ARRAY_API": None}

    def find(self) -> str:
        module = self.options.module
        try:
            found = importlib.util.find_spec(module)
        except ModuleNotFoundError:  # its parent
            found = None
        if found is None:
            raise NamespaceError(f"there is no module named {module!r}")
        return super().find()

    def run(self) -> list[LibraryRun]:
        """Run the tests twice. A test that passes with SciPy and is missing has failed."""
        module, device = self.options.module, self.device
        expectations = self.expectations(module, self.options.expected, device)
        version = about(module.rpartition(".")[0], device).version
        before = self.session(self.request(CONTROL, None))
        if not any(r.outcome == "passed" for r in before.results):
            problems = before.log.problems
            message = problems[0].message if problems else before.output
            raise UnableError(f"no test of SciPy passes with SciPy\n{message}")
        request = self.request(module, device)
        after = self.session(request)
        run = LibraryRun(module, version, request.repeat, wall=after.seconds)
        run.results, run.causes = compared(before, after)
        run.seconds = before.seconds + after.seconds
        run.control = Run(CONTROL, self.version, results=before.results)
        if not after.results and after.log.problems:
            run.problems = [Problem("broken run", module, after.log.problems[-1].message)]
        self.judge(run, expectations, before)
        return [run]

    def tables(self, runs: Sequence[LibraryRun]) -> list[Table]:
        title = f"SciPy's tests on {runs[0].name}: what passes with SciPy"
        return [by_outcome(runs[0], self.rows, title)]

    def verdict(self, run: LibraryRun) -> str:
        times = f", {run.times:.1f} times SciPy's time" if run.times else ""
        return (
            f"SciPy's tests on {run.name}: {run.share:.1f} % of the {len(run.results)} tests that "
            f"pass with SciPy {run.control.version} ({run.line()}{times})"
        )

    def data(self, runs: Sequence[LibraryRun]) -> dict[str, Any]:
        (run,) = runs
        return {
            **super().data(runs),
            "library": {"name": self.distribution, "version": self.version},
            "share": round(run.share, 2),
            "causes": run.cause_data(),
        }
