"""Run a library's tests with NumPy, then with a module instead, and compare the results.

The module is a launcher: `python -m MODULE -m pytest` runs pytest, and files below the working
folder get the module when they import `numpy`.
"""

from __future__ import annotations

import importlib.util
import os
import shlex
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from .. import _expected
from .._causes import UNKNOWN, Cause, Group, groups
from .._namespace import NamespaceError, about, search_path
from .._results import OfModule, Outcomes, Problem, Result, judge
from .._runner import Watcher, has_xdist
from .._session import PLUGINS, Session, SessionLog, limits
from .._session import run as run_session
from ..pytest_plugin import DEVICE
from ..session_plugin import MODULE
from ._environment import CONTROL, Environment
from ._source import Source

MISSING = "missing"
# pytest's status for a wrong command line.
USAGE = 4


class ControlError(Exception):
    """The tests cannot be run with NumPy; the message says why."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run; `extra` are environment variables."""

    module: str
    source: Source
    environment: Environment
    timeout: float = 60.0
    only: str | None = None
    tests: tuple[str, ...] = ()
    device: str | None = None
    extra: tuple[tuple[str, str], ...] = ()
    # Whether to use the library's own pytest options.
    addopts: bool = True

    def _pytest(self, module: str) -> list[str]:
        launcher = [] if module == CONTROL else ["-m", module]
        own = [] if self.addopts else ["-o", "addopts="]
        return [self.environment.python, *launcher, "-m", "pytest", "-p", "no:cacheprovider", *own]

    def words(self, module: str) -> list[str]:
        """The pytest command with a module instead of NumPy, or with NumPy itself."""
        options = [word for plugin in PLUGINS for word in ("-p", plugin)]
        options += ["--rootdir", str(self.source.root), "--tb=short", "--maxfail=0"]
        options += ["--continue-on-collection-errors", *limits(self.timeout)]
        if has_xdist():
            # The launcher does not start the processes of pytest-xdist.
            options += ["-n", "0"]
        if self.only:
            options += ["-k", self.only]
        return [*self._pytest(module), *options, *self.tests]

    def _named(self, module: str) -> dict[str, str]:
        device = {DEVICE: self.device} if self.device and module != CONTROL else {}
        path = os.pathsep.join([*self.environment.path, search_path()])
        return {"PYTHONPATH": path, "MPLBACKEND": "Agg", **dict(self.extra), **device}

    def variables(self, module: str) -> dict[str, str]:
        """The environment of the tests."""
        variables = {
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
            MODULE: module,
        }
        variables.setdefault("OMP_NUM_THREADS", "1")  # threads slow small arrays down
        for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", DEVICE):
            variables.pop(name, None)
        return variables | self._named(module)

    def repeat(self, test_id: str, module: str) -> str:
        """The shell command that repeats one test."""
        named = " ".join(f"{k}={shlex.quote(v)}" for k, v in self._named(module).items())
        device = ["-p", "conformance.pytest_plugin"] if DEVICE in self._named(module) else []
        words = shlex.join([*self._pytest(module), *device, test_id])
        return f"cd {shlex.quote(str(self.source.root))} && {named} {words}"


@dataclass
class LibraryRun(OfModule, Outcomes):
    """The results of a library's tests for a module, of the tests that NumPy passes."""

    settings: Settings
    version: str
    numpy: str
    control: Session
    wall: float = 0.0
    causes: dict[str, Cause] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def repeat(self, test_id: str) -> str:
        return self.settings.repeat(test_id, self.module)

    @property
    def share(self) -> float:
        """The passed share, in percent."""
        return 100 * self.counts()["passed"] / max(len(self.results), 1)

    @property
    def times(self) -> float | None:
        """The time of the tests that pass with both, over NumPy's time; None if that is 0."""
        before = {r.id: r.seconds for r in self.control.results}
        passed = [r for r in self.results if r.outcome == "passed"]
        control = sum(before[r.id] for r in passed)
        return sum(r.seconds for r in passed) / control if control else None

    def groups(self) -> list[Group]:
        """The failures by their causes."""
        return groups(self.failures, self.causes)


def hold(control: Session, subject: Session) -> tuple[list[Result], dict[str, Cause]]:
    """The outcome of each test that passes with NumPy. A missing test has failed."""
    found = subject.log.results
    causes = dict(subject.log.causes)
    results = []
    for passed in control.results:
        if passed.outcome != "passed":
            continue
        result = found.get(passed.id)
        if result is None:
            file = passed.chapter
            causes[passed.id] = causes.get(file) or _told(subject)
            line = f"not collected: {causes[passed.id]}"
            result = Result(passed.id, file, "", "failed", MISSING, line)
        results.append(result)
    return results, causes


def _told(subject: Session) -> Cause:
    """The cause of tests that are missing from a collected file."""
    if subject.log.results:
        return Cause("not collected", "no test has this name")
    lines = [x[1:].strip() for x in subject.output.splitlines() if x.startswith("E ")]
    return Cause("not collected", lines[-1]) if lines else UNKNOWN


def _log() -> SessionLog:
    return SessionLog(lambda test_id: (test_id.split("::")[0], ""))


def _session(settings: Settings, module: str, watcher: Watcher) -> Session:
    return run_session(
        settings.words(module),
        settings.variables(module),
        _log(),
        subject=module,
        cwd=settings.source.root,
        timeout=settings.timeout,
        watcher=watcher,
    )


def control(settings: Settings, watcher: Watcher) -> tuple[Settings, Session]:
    """Run the tests with NumPy; return the settings that work, too. Raises ControlError."""
    session = _session(settings, CONTROL, watcher)
    if session.status == USAGE and not session.results and settings.addopts:
        # The library's own options may need plug-ins that it does not declare.
        settings = Settings(**{**vars(settings), "addopts": False})
        session = _session(settings, CONTROL, watcher)
    if not any(r.outcome == "passed" for r in session.results):
        told = session.problems[0].message if session.problems else session.output
        raise ControlError(f"no test of {settings.source.title} passes with NumPy\n{told}")
    return settings, session


def _silent(_: str) -> AbstractContextManager[Watcher]:
    return nullcontext(lambda *_: None)


def run(
    settings: Settings,
    *,
    expected: Path | None = None,
    progress: Callable[[str], AbstractContextManager[Watcher]] = _silent,
) -> LibraryRun:
    """Run the tests twice. Raises NamespaceError, ExpectationError and ControlError.

    `progress` gets the name of the module and returns its watcher.
    """
    module = settings.module
    expectations = _expected.read(f"library/{settings.source.name}/{module}", expected)
    found = about(module, settings.device)
    with progress(CONTROL) as watcher:
        settings, before = control(settings, watcher)
    with progress(module) as watcher:
        after = _session(settings, module, watcher)
    result = LibraryRun(settings, found.version, about(CONTROL).version, before)
    result.results, result.causes = hold(before, after)
    result.seconds, result.wall = before.seconds + after.seconds, after.seconds
    result.warnings = [*settings.environment.warnings]
    if not settings.addopts:
        result.warnings.append("run without the options that the library gives pytest (addopts)")
    for problem in before.problems:
        line = (problem.message.splitlines() or [""])[0]
        result.warnings.append(f"with NumPy, {problem.kind}: {problem.subject}: {line}")
    # Uncollected files and dead processes lose tests, and those are counted as failed.
    if not after.results and after.problems:
        result.problems = [Problem("broken run", module, after.problems[-1].message)]
    if expectations:
        judge(result, expectations, {r.id for r in before.results})
    return result


def check_launcher(module: str) -> None:
    """Raise NamespaceError for a module that cannot replace NumPy."""
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:
        spec = None
    if spec is None:
        raise NamespaceError(f"there is no module named {module!r}")
    folders = spec.submodule_search_locations or []
    if not any((Path(folder) / "__main__.py").is_file() for folder in folders):
        raise NamespaceError(
            f"{module} cannot take NumPy's place: `python -m {module} -m pytest` would have to"
        )
