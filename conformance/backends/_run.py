"""Run a library's array API tests on a module and its peers, in one pytest."""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .. import _expected
from .._causes import Cause, Group, groups
from .._namespace import NamespaceError, about, search_path
from .._results import Outcomes, Problem, Result, judge
from .._runner import Watcher, has_xdist
from .._session import PLUGINS, SessionLog, limits
from .._session import run as run_session
from ..pytest_plugin import DEVICE
from ..session_plugin import MODULE
from ._libraries import REFERENCE, Library
from .plugin import BACKEND

CONFIGURATION = Path(__file__).with_name("pytest.ini")
PLUGIN = "conformance.backends.plugin"


@dataclass(frozen=True)
class Settings:
    """The settings of a run; file names are relative to the folder `root`."""

    module: str
    library: Library
    root: Path
    files: tuple[str, ...]
    peers: tuple[str, ...]
    jobs: int
    timeout: float = 300.0
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
        library = self.library
        asked = {
            "kind": library.kind,
            "package": library.package,
            "module": self.module,
            "peers": self.peers,
            "device": self.device,
        }
        device = {DEVICE: self.device, "SCIPY_DEVICE": self.device} if self.device else {}
        return {
            "PYTHONPATH": search_path(),
            BACKEND: json.dumps(asked),
            **library.switch(self.peers),
            **device,
        }

    def variables(self) -> dict[str, str]:
        """The environment of the tests."""
        variables = {
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "1",
            # Parameters held in sets must have the same order in all workers of pytest-xdist.
            "PYTHONHASHSEED": "0",
            MODULE: self.module,
        }
        variables.setdefault("OMP_NUM_THREADS", "1")  # threads slow small arrays down
        for name in ("PYTEST_ADDOPTS", DEVICE, "SCIPY_DEVICE"):
            variables.pop(name, None)
        # With -p, a worker of pytest-xdist loads the plug-in after the library's conftest.
        variables["PYTEST_PLUGINS"] = ",".join((*PLUGINS, PLUGIN))
        return variables | self._named()

    def repeat(self, test_id: str) -> str:
        """The shell command that repeats one test."""
        named = {**self._named(), "PYTEST_PLUGINS": f"{PLUGINS[0]},{PLUGIN}"}
        told = " ".join(f"{k}={shlex.quote(v)}" for k, v in named.items())
        words = shlex.join(["python", *self._pytest(), test_id])
        return f"cd {shlex.quote(str(self.root))} && {told} {words}"


@dataclass
class BackendRun(Outcomes):
    """The results of a library's tests for one backend, the module or a peer."""

    settings: Settings
    backend: str
    version: str
    keys: dict[str, str] = field(default_factory=dict)
    causes: dict[str, Cause] = field(default_factory=dict)
    # The outcomes of the same tests with the reference, by key.
    reference: Mapping[str, str] = field(default_factory=dict)

    @property
    def module(self) -> str:
        return self.backend

    @property
    def name(self) -> str:
        return f"{self.backend} {self.version}".strip()

    def repeat(self, test_id: str) -> str:
        return self.settings.repeat(test_id)

    def other(self, result: Result) -> str:
        """The outcome of the same test with the reference; "" if the reference lacks the test."""
        return self.reference.get(self.keys.get(result.id, ""), "")

    @property
    def regressions(self) -> list[Result]:
        """The failures of tests that pass with the reference."""
        return [r for r in self.failures if self.other(r) == "passed"]

    @property
    def ok(self) -> bool:
        """True only if tests ran, and none failed that passes with the reference."""
        return bool(self.results) and not self.regressions and not self.problems

    def groups(self) -> list[Group]:
        """The failures of tests that pass with the reference, by their causes."""
        return groups(self.regressions, self.causes)


def installed(names: tuple[str, ...]) -> tuple[str, ...]:
    """The installed peers."""
    return tuple(n for n in names if importlib.util.find_spec(n.partition(".")[0]) is not None)


def _version(name: str) -> str:
    try:
        return about(name).version
    except NamespaceError:
        return ""


def run(
    settings: Settings, *, expected: Path | None = None, watcher: Watcher = lambda *_: None
) -> list[BackendRun]:
    """Run the tests; the first result is the module's, then its peers'.

    Raises NamespaceError if the module cannot be imported or put on the device, and
    ExpectationError if its file of expected failures cannot be used.
    """
    library = settings.library
    expectations = _expected.read(f"{library.distribution}/{settings.module}", expected)
    versions = {settings.module: about(settings.module, settings.device).version}
    versions |= {name: _version(name) for name in settings.peers}
    session = run_session(
        settings.words(),
        settings.variables(),
        SessionLog(lambda test_id: (library.area(test_id), "")),
        subject=library.distribution,
        cwd=settings.root,
        timeout=settings.timeout,
        watcher=watcher,
    )
    backends = {event["id"]: event["backend"] for event in session.log.others}
    keys = {event["id"]: event["key"] for event in session.log.others}
    runs = []
    for name, version in versions.items():
        one = BackendRun(settings, name, version, keys=keys, causes=session.log.causes)
        one.results = [r for r in session.results if backends.get(r.id) == name]
        one.seconds = sum(r.seconds for r in one.results)
        runs.append(one)
    reference = {keys[r.id]: r.outcome for one in runs for r in one.results
                 if one.backend == REFERENCE}  # fmt: skip
    for one in runs:
        one.reference = reference
    subject = runs[0]
    subject.problems = session.problems
    if not subject.results and not subject.problems:
        told = f"no test of {library.distribution} was run\n{session.output}"
        subject.problems.append(Problem("broken run", settings.module, told))
    # The tests of other areas were not collected; their entries are not stale.
    areas = frozenset(map(library.area, settings.files))
    expectations = {i: why for i, why in expectations.items() if library.area(i) in areas}
    if expectations:
        judge(subject, expectations, set(keys))
    return runs
