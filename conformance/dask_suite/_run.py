"""Run Dask's tests of CuPy with a module in the place of CuPy."""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import sys
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from .. import _expected
from .._causes import Cause, Group, groups
from .._namespace import about, search_path
from .._results import Outcomes, Problem, Result, judge
from .._runner import Watcher, has_xdist
from .._session import PLUGINS, SessionLog, limits
from .._session import run as run_session
from ..backends._run import CONFIGURATION
from ..pytest_plugin import DEVICE
from ..session_plugin import MODULE
from .plugin import DASK, FAILS, PASSES

PLUGIN = "conformance.dask_suite.plugin"
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


@dataclass(frozen=True)
class Settings:
    """The settings of a run; file names are relative to the folder `root`."""

    module: str
    root: Path
    files: tuple[str, ...]
    jobs: int
    timeout: float = 120.0
    only: str | None = None
    device: str | None = None

    def words(self) -> list[str]:
        """The pytest command."""
        options = ["--continue-on-collection-errors", "--tb=short", *limits(self.timeout)]
        if has_xdist():
            options += ["-n", str(self.jobs), "--max-worker-restart", "1000000"]
        if self.only:
            options += ["-k", self.only]
        return [sys.executable, *self._pytest(), *options, *self.files]

    def _pytest(self) -> list[str]:
        folder = str(self.root)
        paths = ["-c", str(CONFIGURATION), "--rootdir", folder, "--confcutdir", folder]
        return ["-m", "pytest", *paths, "-p", "no:cacheprovider"]

    def _named(self) -> dict[str, str]:
        device = {DEVICE: self.device} if self.device else {}
        return {"PYTHONPATH": search_path(), DASK: json.dumps(self.module), **device}

    def variables(self) -> dict[str, str]:
        """The environment of the tests."""
        variables = {
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
            MODULE: self.module,
        }
        variables.setdefault("OMP_NUM_THREADS", "1")  # threads slow small arrays down
        for name in ("PYTEST_ADDOPTS", DEVICE):
            variables.pop(name, None)
        variables["PYTEST_PLUGINS"] = ",".join((*PLUGINS, PLUGIN))
        return variables | self._named()

    def repeat(self, test_id: str) -> str:
        """The shell command that repeats one test."""
        named = {**self._named(), "PYTEST_PLUGINS": f"{PLUGINS[0]},{PLUGIN}"}
        told = " ".join(f"{k}={shlex.quote(v)}" for k, v in named.items())
        words = shlex.join(["python", *self._pytest(), test_id])
        return f"cd {shlex.quote(str(self.root))} && {told} {words}"


@dataclass
class DaskRun(Outcomes):
    """The results of Dask's tests of CuPy for a module."""

    settings: Settings
    version: str
    dask: str = field(default_factory=lambda: metadata.version("dask"))
    designs: dict[str, str] = field(default_factory=dict)
    causes: dict[str, Cause] = field(default_factory=dict)

    @property
    def module(self) -> str:
        return self.settings.module

    @property
    def name(self) -> str:
        return f"{self.module} {self.version}".strip()

    def repeat(self, test_id: str) -> str:
        return self.settings.repeat(test_id)

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
