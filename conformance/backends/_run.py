"""Run a library's array API tests on a module and its peers, in one pytest."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .. import _expected
from .._causes import Cause, Group, groups
from .._installed_tests import InstalledTests
from .._namespace import NamespaceError, about, search_path
from .._results import Outcomes, Problem, Result, judge
from .._runner import Watcher
from .._session import SessionLog
from .._session import run as run_session
from ..pytest_plugin import DEVICE
from ._libraries import REFERENCE, Library
from .plugin import BACKEND


@dataclass(frozen=True, kw_only=True)
class Settings(InstalledTests):
    """The settings of a run of a library's array API tests."""

    plugin = "conformance.backends.plugin"
    devices = (DEVICE, "SCIPY_DEVICE")

    library: Library
    peers: tuple[str, ...]

    def named(self) -> dict[str, str]:
        """The module and its peers, and the library's own switches."""
        library = self.library
        asked = {
            "kind": library.kind,
            "package": library.package,
            "module": self.module,
            "peers": self.peers,
            "device": self.device,
        }
        return {
            "PYTHONPATH": search_path(),
            BACKEND: json.dumps(asked),
            **library.switch(self.peers),
            **self.on_device(),
        }


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
