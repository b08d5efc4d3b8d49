"""Run Dask's tests of CuPy with a module in the place of CuPy."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from .. import _expected
from .._causes import Cause, Group, groups
from .._installed_tests import InstalledTests
from .._namespace import about, search_path
from .._results import OfModule, Outcomes, Problem, Result, judge
from .._runner import Watcher
from .._session import SessionLog
from .._session import run as run_session
from .plugin import DASK, FAILS, PASSES

PREFIX = "test_cupy_"
OUT_OF_SCOPE = {"sparse": "chunks of cupyx.scipy.sparse, which is another library than CuPy"}


class DaskError(Exception):
    """Dask's tests are not there; the message says what is missing."""


def area(test_id: str) -> str:
    """The name of a test file between `test_cupy_` and `.py`."""
    return Path(test_id.split("::")[0]).stem.removeprefix(PREFIX)


def find(areas: list[str]) -> tuple[Path, list[str]]:
    """The folder that test ids are relative to, and the test files of these areas (default: all).

    They are in the installed package. Raises DaskError.
    """
    spec = importlib.util.find_spec("dask")
    folders = (spec and spec.submodule_search_locations) or []
    if not folders or importlib.util.find_spec("numpy") is None:
        raise DaskError('Dask is not installed: pip install "dask[array]"')
    root = Path(folders[0]).parent
    files = [p.relative_to(root) for p in sorted(root.glob(f"dask/array/tests/{PREFIX}*.py"))]
    known = {area(str(f)): f.as_posix() for f in files}
    if not known:
        raise DaskError("the installed Dask has no tests of CuPy")
    if unknown := [a for a in areas if a not in known or a in OUT_OF_SCOPE]:
        names = ", ".join(name for name in known if name not in OUT_OF_SCOPE)
        raise DaskError(
            f"Dask has no tests of CuPy in {', '.join(unknown)}; it has them in {names}"
        )
    wanted = [a for a in known if a not in OUT_OF_SCOPE and (not areas or a in areas)]
    return root, [known[a] for a in wanted]


@dataclass(frozen=True, kw_only=True)
class Settings(InstalledTests):
    """The settings of a run of Dask's tests."""

    plugin = "conformance.dask_suite.plugin"

    timeout: float = 120.0

    def named(self) -> dict[str, str]:
        """The module that takes the place of CuPy."""
        return {"PYTHONPATH": search_path(), DASK: json.dumps(self.module), **self.on_device()}


@dataclass
class DaskRun(OfModule, Outcomes):
    """The results of Dask's tests of CuPy for a module."""

    settings: Settings
    version: str
    dask: str = field(default_factory=lambda: metadata.version("dask"))
    designs: dict[str, str] = field(default_factory=dict)
    causes: dict[str, Cause] = field(default_factory=dict)

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

    def groups(self) -> list[Group]:
        """The failures by their causes."""
        return groups(self.failures, self.causes)


def run(
    settings: Settings, *, expected: Path | None = None, watcher: Watcher = lambda *_: None
) -> DaskRun:
    """Run the tests.

    Raises NamespaceError if the module cannot be imported or put on the device, and
    ExpectationError if its file of expected failures cannot be used.
    """
    expectations = _expected.read(f"dask/{settings.module}", expected)
    version = about(settings.module, settings.device).version
    session = run_session(
        settings.words(),
        settings.variables(),
        SessionLog(lambda test_id: (area(test_id), "")),
        subject="dask",
        cwd=settings.root,
        timeout=settings.timeout,
        watcher=watcher,
    )
    designs = {event["id"]: event["design"] for event in session.log.others}
    found = DaskRun(settings, version, designs=designs, causes=session.log.causes)
    found.results, found.seconds = session.results, session.seconds
    found.problems = session.problems
    if not found.results and not found.problems:
        told = f"no test of Dask was run\n{session.output}"
        found.problems.append(Problem("broken run", settings.module, told))
    # The tests of other areas were not collected; their entries are not stale.
    areas = frozenset(map(area, settings.files))
    expectations = {i: why for i, why in expectations.items() if area(i) in areas}
    if expectations:
        judge(found, expectations, set(designs))
    return found
