"""Run a suite on one namespace: start pytest in a subprocess and read its events."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ._causes import Cause
from ._namespace import search_path
from ._results import Problem, Result
from .pytest_plugin import DEVICE, DONE, EVENTS, MODULE

POLL = 0.1
# Starting workers and collecting may take longer than a short time limit for one test.
STALL = 180.0
PLUGIN = "conformance.pytest_plugin"
# The pytest statuses for which the events are complete, and the one for a wrong command line.
COMPLETE = (0, 1, 2, 5)
USAGE = 4
# The message of pytest-timeout for a test that it stopped.
STOPPED = "Failed: Timeout"
Watcher = Callable[[int, int, int], None]


def has_xdist() -> bool:
    """Whether tests can run in separate processes, so that a crash loses only one test."""
    return importlib.util.find_spec("xdist") is not None


@dataclass(frozen=True, kw_only=True)
class Pytest:
    """A run of pytest on a module.

    `variables` and `plugin` put the module in its place; a variable that is None is removed.
    `options` are needed to repeat a test, `more` are not. Test ids are relative to `folder`; unless
    `inside`, the working folder is an empty one. With 0 `jobs` pytest-xdist starts no
    process. With `stops` pytest-timeout stops a test that takes too long; without it, and where
    it cannot, the process is ended. With `again`, the remaining tests are run after a crash.
    """

    module: str
    folder: Path
    inside: bool = True
    tests: Sequence[str] = ()
    variables: Mapping[str, str | None] = field(default_factory=dict)
    plugin: str = ""
    options: Sequence[str] = ()
    more: Sequence[str] = ("--tb=short",)
    python: str = sys.executable
    launcher: Sequence[str] = ()
    jobs: int = 1
    only: str | None = None
    device: str | None = None
    timeout: float = 60.0
    stops: bool = True
    again: bool = True

    def _plugins(self) -> list[str]:
        return [PLUGIN, *filter(None, [self.plugin])]

    def _pytest(self, python: str) -> list[str]:
        words = [python, *self.launcher, "-m", "pytest", "-p", "no:cacheprovider"]
        return [*words, "--rootdir", str(self.folder), *self.options]

    def words(self) -> list[str]:
        """The command."""
        words = [*self._pytest(self.python), *self.more, "--continue-on-collection-errors"]
        if self.stops:
            words += [f"--timeout={self.timeout:g}", "--timeout-method=signal"]
        if not self.jobs:
            words += [word for plugin in self._plugins() for word in ("-p", plugin)]
        if has_xdist():
            words += ["-n", str(self.jobs), "--max-worker-restart", "1000000"]
        if self.only:
            words += ["-k", self.only]
        return [*words, *self.tests]

    def _named(self) -> dict[str, str | None]:
        device = {DEVICE: self.device} if self.device else {}
        return {"PYTHONPATH": search_path(), **device, **self.variables}

    def environment(self) -> dict[str, str]:
        """The variables of the process."""
        variables = {
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "1",
            # Parameters held in sets must have the same order in all workers of pytest-xdist.
            "PYTHONHASHSEED": "0",
            # A suite may ask git for its own version, which may refresh the index.
            "GIT_OPTIONAL_LOCKS": "0",
            MODULE: self.module,
        }
        variables.setdefault("OMP_NUM_THREADS", "1")  # threads slow small arrays down
        for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", DEVICE):
            variables.pop(name, None)
        if self.jobs:
            # With -p, a worker of pytest-xdist loads the plug-ins after the suite's conftest.
            variables["PYTEST_PLUGINS"] = ",".join(self._plugins())
        for name, value in self._named().items():
            variables.pop(name, None)
            if value is not None:
                variables[name] = value
        return variables

    def repeat(self, test_id: str) -> str:
        """The shell command that repeats one test."""
        named = " ".join(f"{k}={shlex.quote(v)}" for k, v in self._named().items() if v)
        python = "python" if self.python == sys.executable else self.python
        plugins = [word for plugin in self._plugins() for word in ("-p", plugin)]
        words = shlex.join([*self._pytest(python), *plugins, test_id])
        return f"cd {shlex.quote(str(self.folder))} && {named} {words}"


@dataclass
class Log:
    """The state after the events so far; `about` is the chapter and function of a test."""

    about: Callable[[str], tuple[str, str]] = lambda test_id: (test_id.split("::")[0], "")
    collected: list[str] = field(default_factory=list)
    selected: dict[str, None] = field(default_factory=dict)
    running: dict[str, tuple[int, float, float]] = field(default_factory=dict)
    hung: set[str] = field(default_factory=set)
    results: dict[str, Result] = field(default_factory=dict)
    causes: dict[str, Cause] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    skipped_files: dict[str, str] = field(default_factory=dict)
    # The events `about` of a suite's plug-in, by test.
    facts: dict[str, dict[str, Any]] = field(default_factory=dict)
    failed: int = 0

    def take(self, event: dict[str, Any]) -> None:
        """Process one event of the plug-ins."""
        kind, test_id = event["event"], event.get("id", "")
        if kind == "collected":
            self.collected = event["ids"]
        elif kind == "selected":
            # A later process selects only the remaining tests of the first one.
            self.selected |= dict.fromkeys(event["ids"])
        elif kind == "start":
            self.running[test_id] = (event["pid"], time.monotonic(), _busy(event["pid"]))
        elif kind == "report":
            self._report(test_id, event)
        elif kind == "finish":
            self.running.pop(test_id, None)
        elif kind == "cause":
            fields = {name: event[name] for name in ("kind", "message", "frame")}
            self.causes.setdefault(test_id, Cause(**fields))
        elif kind == "about":
            self.facts[test_id] = event
        elif kind == "collect-skip":
            self.skipped_files[test_id] = event["detail"]
        elif kind == "collect-error":
            problem = Problem("not collected", test_id, _last_line(event["detail"]))
            if problem not in self.problems:
                self.problems.append(problem)

    def _report(self, test_id: str, event: dict[str, Any]) -> None:
        known = self.results.get(test_id)
        seconds = event["seconds"] + (known.seconds if known else 0.0)
        result = Result(test_id, *self.about(test_id), "passed")
        if event["outcome"] == "failed":
            # pytest-xdist reports a worker that died without naming a phase.
            how = {"call": "failed", "setup": "error", "teardown": "error"}.get(event["when"])
            result = self.failure(test_id, how or "crashed", event["essence"], event["detail"])
        elif event["outcome"] == "skipped":
            reason = event["detail"].removeprefix("Skipped: ")
            result.outcome, result.essence = "skipped", reason
            if event["xfail"] is not None:
                reason = event["xfail"].removeprefix("reason: ")
                result.outcome, result.essence = "xfailed", f"marked by the suite: {reason}"
        if known is None or known.outcome == "passed":
            self.results[test_id] = result
            self.failed += result.outcome == "failed"
        self.results[test_id].seconds = seconds

    def failure(self, test_id: str, how: str, essence: str | None, detail: str) -> Result:
        """A failed test. A worker killed for a hang counts as hung, not as crashed."""
        if how == "crashed":
            if test_id in self.hung:
                how, essence = "hung", "did not end within the time limit and was killed"
            else:
                essence = "the process died while running the test"
            self.running.pop(test_id, None)
        line = essence or _last_line(detail)
        if line.startswith(STOPPED):
            how = "hung"
        if how in ("hung", "crashed"):
            self.causes[test_id] = Cause(how)
        return Result(test_id, *self.about(test_id), "failed", how, line, detail)

    def died(self, output: str, earlier: Set[str]) -> None:
        """Record the tests that were running when their process died.

        `earlier` are the tests that an earlier process has run.
        """
        for test_id in list(self.running):
            # Started and never finished: the report of its setup is not its outcome.
            self.results[test_id] = self.failure(test_id, "crashed", None, "")
        for result in self.results.values():
            if result.how == "crashed" and result.id not in earlier:
                # Python's fault handler writes the traceback to the output of the process.
                result.detail += f"\n{output}"

    def overdue(self, computing: float, waiting: float) -> Iterator[tuple[str, int]]:
        """The tests that compute or wait for too many seconds, with their process.

        A busy machine makes tests wait.
        """
        now = time.monotonic()
        for test_id, (pid, since, before) in list(self.running.items()):
            waited = now - since
            if test_id not in self.hung and (
                waited > waiting or (waited > computing and _busy(pid) - before > computing)
            ):
                yield test_id, pid


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


def _busy(pid: int) -> float:
    """The CPU seconds that a process has used; the time where the system does not tell them."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return time.monotonic()


class Tail:
    """The complete lines added to a growing file since the last call."""

    def __init__(self, path: Path) -> None:
        path.touch()
        self._file = path.open("rb")
        self._rest = b""

    def events(self) -> Iterator[dict[str, Any]]:
        *lines, self._rest = (self._rest + self._file.read()).split(b"\n")
        for line in lines:
            yield json.loads(line)

    def close(self) -> None:
        self._file.close()


def kill(process: subprocess.Popen[bytes]) -> None:
    """End pytest and its workers, which are one process group if the system has groups."""
    if process.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()


@contextmanager
def _started(request: Pytest, folder: Path, done: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run pytest in its own process group; the context manager ends it.

    It writes `output.txt` and the plug-ins' events, `events.jsonl`, to the folder.
    """
    variables = request.environment() | {
        EVENTS: str(folder / "events.jsonl"),
        DONE: str(done),
        # A database of examples would repeat those of earlier runs.
        "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
    }
    with (folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(
            request.words(),
            cwd=request.folder if request.inside else folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            kill(process)


def _follow(
    request: Pytest, process: subprocess.Popen[bytes], tail: Tail, log: Log, watcher: Watcher
) -> bool:
    """Read events until pytest ends. False if it was stopped because it made no progress."""
    limit = request.timeout
    limits = (3 * limit, 3 * limit) if request.stops else (limit, 4 * limit)
    quiet_since = time.monotonic()
    while True:
        ended = process.poll() is not None
        for event in tail.events():
            quiet_since = time.monotonic()
            log.take(event)
        watcher(len(log.results.keys() - log.running.keys()), len(log.selected), log.failed)
        if ended:
            return True
        for test_id, pid in log.overdue(*limits):
            log.hung.add(test_id)
            quiet_since = time.monotonic()
            with suppress(ProcessLookupError):
                os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        if not log.running and time.monotonic() - quiet_since > max(limit, STALL):
            return False
        time.sleep(POLL)


def _last_output(path: Path, lines: int) -> str:
    """The last lines of what a process has written, without colours."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", path.read_text("utf-8", errors="replace"))
    return "\n".join(text.strip().splitlines()[-lines:])


@dataclass
class Session:
    """What pytest did. `seconds` is its duration, including the start."""

    log: Log
    output: str
    status: int
    seconds: float

    @property
    def results(self) -> list[Result]:
        """The tests in the order of their files."""
        order = {test_id: i for i, test_id in enumerate(self.log.selected)}
        found = self.log.results.values()
        return sorted(found, key=lambda result: order.get(result.id, len(order)))


def run(request: Pytest, log: Log, watcher: Watcher = lambda *_: None) -> Session:
    """Run pytest to its end.

    If its process dies, the running test has failed, and with `again` another process runs the
    remaining tests. `watcher` is called with the number of finished tests, of all tests and of
    failures.
    """
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="conformance-") as name:
        folder = Path(name)
        done = folder / "done.txt"
        tail = Tail(folder / "events.jsonl")
        try:
            while True:
                before = frozenset(log.results)
                done.write_text("".join(f"{i}\n" for i in before), "utf-8")
                with _started(request, folder, done) as process:
                    alive = _follow(request, process, tail, log, watcher)
                output = _last_output(folder / "output.txt", 40)
                log.died(output, before)
                missing = len(log.selected.keys() - log.results.keys())
                complete = alive and not missing and process.returncode in COMPLETE
                if complete or not request.again or len(log.results) == len(before):
                    break
        finally:
            tail.close()
    if not complete or not log.selected:
        what = f"pytest ended with {process.returncode}"
        if not alive:
            what = f"pytest did nothing for {max(request.timeout, STALL):g} s and was stopped"
        elif missing:
            what = f"pytest ended with {missing} of {len(log.selected)} tests not run"
        elif not log.collected:
            what = "pytest collected nothing"
        elif not log.selected:
            what = f"no test matches --only {request.only!r}"
        message = "\n".join([what, *output.splitlines()[-12:]])
        log.problems.append(Problem("broken run", request.module, message))
    return Session(log, output, process.returncode, time.monotonic() - began)
