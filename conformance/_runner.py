"""Run the suite on one namespace: start pytest in a subprocess and read its events."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import _chapters, _expected, _standard
from ._namespace import about, search_path
from ._results import Problem, Result, Run, Settings, judge
from .pytest_plugin import DEVICE, EVENTS

POLL = 0.1
# Starting workers and collecting may take longer than a short time limit for one test.
STALL = 180.0
PLUGIN = "conformance.pytest_plugin"
# The pytest statuses for which the events are complete.
TOLD = (0, 1, 2, 5)
Watcher = Callable[[int, int, int], None]


def environment(settings: Settings) -> dict[str, str]:
    """The variables that the suite, the plug-in and the namespace read."""
    variables = {
        **os.environ,
        "PYTHONPATH": search_path(),
        "PYTHONDONTWRITEBYTECODE": "1",
        # Parameters held in sets must have the same order in all workers of pytest-xdist.
        "PYTHONHASHSEED": "0",
        # The suite asks git for its own version, which may refresh the index.
        "GIT_OPTIONAL_LOCKS": "0",
        "ARRAY_API_TESTS_MODULE": settings.module,
    }
    variables.setdefault("OMP_NUM_THREADS", "1")  # threads slow small arrays down
    for name in ("PYTEST_ADDOPTS", "ARRAY_API_TESTS_VERSION", DEVICE):
        variables.pop(name, None)
    if settings.api_version:
        variables["ARRAY_API_TESTS_VERSION"] = settings.api_version
        variables["XP_TORCH_API_VERSION"] = settings.api_version
    if settings.device:
        variables[DEVICE] = settings.device
    return variables


def has_xdist() -> bool:
    """Whether tests can run in separate processes, so that a crash loses only one test."""
    return importlib.util.find_spec("xdist") is not None


def command(settings: Settings) -> list[str]:
    """The pytest command. It uses pytest-xdist also for one job, to survive a crash."""
    options = [
        *("-c", str(settings.suite / "pytest.ini"), "--rootdir", str(settings.suite)),
        *("-p", "no:cacheprovider", "-q", "--continue-on-collection-errors"),
        *("--max-examples", str(settings.max_examples), "--disable-deadline"),
        f"--hypothesis-seed={settings.seed}",
    ]
    if has_xdist():
        options += ["-n", str(settings.jobs), "--max-worker-restart", "1000000"]
    if settings.only:
        options += ["-k", settings.only]
    return [sys.executable, "-m", "pytest", *options, str(settings.suite / "array_api_tests")]


@dataclass
class Log:
    """The state after the events so far; `about` is the chapter and function of a test."""

    about: Callable[[str], tuple[str, str]] = _chapters.about
    collected: list[str] = field(default_factory=list)
    selected: list[str] = field(default_factory=list)
    running: dict[str, tuple[int, float]] = field(default_factory=dict)
    hung: set[str] = field(default_factory=set)
    results: dict[str, Result] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    failed: int = 0

    def take(self, event: dict[str, Any]) -> None:
        """Process one event of the plug-in."""
        kind, test_id = event["event"], event.get("id", "")
        if kind == "collected":
            self.collected = event["ids"]
        elif kind == "selected":
            self.selected = event["ids"]
        elif kind == "start":
            self.running[test_id] = (event["pid"], time.monotonic())
        elif kind == "report":
            self._report(test_id, event)
        elif kind == "finish":
            self.running.pop(test_id, None)
        elif kind == "collect-error":
            lines = event["detail"].strip().splitlines()
            problem = Problem("not collected", test_id, lines[-1] if lines else "")
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
        """Record a failed test. A worker killed for a hang counts as hung, not as crashed."""
        if how == "crashed":
            if test_id in self.hung:
                how, essence = "hung", "did not end within the time limit and was killed"
            else:
                essence = "the process died while running the test"
            self.running.pop(test_id, None)
        line = essence or _last_line(detail)
        return Result(test_id, *self.about(test_id), "failed", how, line, detail)

    def overdue(self, limit: float) -> Iterator[tuple[str, int]]:
        """The tests that exceed the time limit, with their process."""
        now = time.monotonic()
        for test_id, (pid, since) in list(self.running.items()):
            if now - since > limit and test_id not in self.hung:
                yield test_id, pid


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


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
def session(
    words: Sequence[str], variables: Mapping[str, str], folder: Path, cwd: Path | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Run pytest in its own process group; the context manager ends it.

    It writes `output.txt` and the plug-in's events, `events.jsonl`, to the folder.
    """
    with (folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(
            words,
            cwd=cwd or folder,
            env={**variables, EVENTS: str(folder / "events.jsonl")},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            kill(process)


def follow(
    process: subprocess.Popen[bytes], tail: Tail, log: Log, limit: float, watcher: Watcher
) -> bool:
    """Read events until pytest ends. False if it was stopped because it made no progress."""
    quiet_since = time.monotonic()
    while True:
        ended = process.poll() is not None
        for event in tail.events():
            quiet_since = time.monotonic()
            log.take(event)
            watcher(len(log.results.keys() - log.running.keys()), len(log.selected), log.failed)
        if ended:
            return True
        for test_id, pid in log.overdue(limit):
            log.hung.add(test_id)
            quiet_since = time.monotonic()
            with suppress(ProcessLookupError):
                os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        if not log.running and time.monotonic() - quiet_since > max(limit, STALL):
            return False
        time.sleep(POLL)


def last_output(path: Path, lines: int = 12) -> str:
    """The last lines of what a process has written, without colours."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", path.read_text("utf-8", errors="replace"))
    return "\n".join(text.strip().splitlines()[-lines:])


def run(
    settings: Settings, *, expected: Path | None = None, watcher: Watcher = lambda *_: None
) -> Run:
    """Run the suite on one namespace.

    `watcher` is called with the number of finished tests, of all tests and of failures.
    Raises NamespaceError if the namespace cannot be imported or put on the device, and
    ExpectationError if its file of expected failures cannot be used.
    """
    expectations = _expected.read(settings.module, expected, settings.device)
    variables = environment(settings)
    found = about(settings.module, settings.device, variables)
    # Without a version of the namespace, the pinned suite uses the newest version.
    version = settings.api_version or found.api_version or _standard.VERSION
    result = Run(settings, found.version, version)
    log = Log()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="conformance-") as name:
        folder = Path(name)
        variables["HYPOTHESIS_STORAGE_DIRECTORY"] = str(folder / "hypothesis")
        # With -p the plug-in would come after the suite's conftest in a worker of pytest-xdist.
        variables["PYTEST_PLUGINS"] = PLUGIN
        tail = Tail(folder / "events.jsonl")
        try:
            with session(command(settings), variables, folder) as process:
                alive = follow(process, tail, log, settings.timeout, watcher)
        finally:
            tail.close()
        for test_id in list(log.running):
            # Started and never finished: the report of its setup is not its outcome.
            log.results[test_id] = log.failure(test_id, "crashed", None, "")
        for crashed in (r for r in log.results.values() if r.how == "crashed"):
            # Python's fault handler writes the traceback to the output of the process.
            crashed.detail += "\n" + last_output(folder / "output.txt", 40)
        order = {test_id: i for i, test_id in enumerate(log.selected)}
        result.results = sorted(log.results.values(), key=lambda r: order.get(r.id, len(order)))
        result.problems = log.problems
        missing = [i for i in log.selected if i not in log.results]
        if not alive or missing or process.returncode not in TOLD or not log.selected:
            result.problems.append(_broken(settings, folder, alive, missing, log))
    result.seconds = time.monotonic() - began
    judge(result, expectations, set(log.collected))
    return result


def _broken(settings: Settings, folder: Path, alive: bool, missing: list[str], log: Log) -> Problem:
    """The reason why a run did not finish."""
    if not alive:
        what = f"pytest did nothing for {max(settings.timeout, STALL):g} s and was stopped"
    elif missing:
        what = f"pytest ended with {len(missing)} of {len(log.selected)} tests not run"
    elif log.collected:
        what = f"no test matches --only {settings.only!r}"
    else:
        what = "pytest collected nothing"
    output = last_output(folder / "output.txt")
    return Problem("broken run", settings.module, f"{what}\n{output}")
