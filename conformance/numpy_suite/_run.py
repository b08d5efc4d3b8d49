"""Run NumPy's test files on a namespace, in worker processes that may die.

A worker gets a file and reports each test. If the worker dies or a test hangs, the running test has
failed, and a new worker continues after it.
"""

from __future__ import annotations

import json
import os
import queue
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .. import _expected
from .._namespace import about, search_path
from .._results import OfModule, Outcomes, Problem, Result, grouped
from .._runner import POLL, STALL, Log, Tail, Watcher, kill, last_output
from ..pytest_plugin import EVENTS
from ._files import TestFile, TestFunction, function_id, matches
from ._foreseen import Expectations
from ._scope import reason

# Tests that need more memory than this skip themselves.
AVAILABLE = "2 GB"
# A test hangs if its CPU time exceeds the limit, or its wall time exceeds this multiple of the
# limit: a busy machine makes tests wait.
PATIENCE = 4
OUT = "out of scope"
XFAIL = "marked by the suite"


@dataclass(frozen=True)
class Settings:
    """How to run a namespace. Only modules in `may_convert` may convert a tensor to NumPy."""

    module: str
    jobs: int
    only: tuple[str, ...] = ()
    timeout: float = 60.0
    suite: str | None = None
    may_convert: tuple[str, ...] | None = None

    def repeat(self, test_id: str) -> str:
        """The shell command that repeats one test function."""
        suite = ["--suite", self.suite] if self.suite else []
        allowed = ["--no-numpy", *self.may_convert] if self.may_convert is not None else []
        words = [
            "conformance",
            "numpy",
            "--module",
            self.module,
            *suite,
            "--only",
            test_id,
            *allowed,
        ]
        return f"python -m {shlex.join(words)}"


@dataclass
class NumpyRun(OfModule, Outcomes):
    """The results of NumPy's tests for one namespace, one result per test function."""

    settings: Settings
    version: str

    @property
    def in_scope(self) -> int:
        """The number of test functions in scope."""
        return sum(r.outcome not in (OUT, "skipped") for r in self.results)

    def out_of_scope(self) -> list[tuple[str, list[Result]]]:
        """The test functions out of scope, by the row that excludes them."""
        return grouped(r for r in self.results if r.outcome == OUT)

    @property
    def share(self) -> float:
        """The share of them that passed, in percent."""
        return 100 * self.counts()["passed"] / max(self.in_scope, 1)


@dataclass
class _Part:
    """The work and the results of one file."""

    file: TestFile
    wanted: list[TestFunction]
    skip: list[str]
    done: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    log: Log = field(default_factory=lambda: Log(lambda i: (i.split("::")[0], function_id(i))))

    def told(self, test_id: str) -> None:
        """Count a test function when one of its parameter sets has ended."""
        self.done.add(function_id(test_id))
        result = self.log.results.get(test_id)
        if result is not None and result.outcome == "failed":
            self.failed.add(function_id(test_id))


def environment(settings: Settings) -> dict[str, str]:
    """The variables of a worker."""
    variables = {
        **os.environ,
        "PYTHONPATH": search_path(),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "NPY_AVAILABLE_MEM": AVAILABLE,
        # As in NumPy's conftest.
        "NUMPY_EXPERIMENTAL_DTYPE_API": "1",
    }
    variables.setdefault("OMP_NUM_THREADS", "1")  # threads slow small arrays down
    variables.pop("PYTEST_ADDOPTS", None)
    return variables


def memory(jobs: int) -> int:
    """The address space of a worker in bytes, so that all workers leave the machine some memory."""
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 0
    return max(int(total * 0.8 / jobs), 6 << 30)


class _Worker:
    """A worker process, started again where it has died."""

    def __init__(self, settings: Settings, folder: Path, stopped: threading.Event) -> None:
        folder.mkdir()
        self._settings, self._folder, self._stopped = settings, folder, stopped
        self._process: subprocess.Popen[bytes] | None = None
        self._tail = Tail(folder / "events.jsonl")
        (folder / "pytest.ini").write_text("[pytest]\n")

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        variables = environment(self._settings) | {
            EVENTS: str(self._folder / "events.jsonl"),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(self._folder / "hypothesis"),
        }
        settings = self._settings
        arguments = [settings.module, str(memory(settings.jobs)), json.dumps(settings.may_convert)]
        with (self._folder / "output.txt").open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "conformance.numpy_suite.worker", *arguments],
                cwd=self._folder,
                env=variables,
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        return self._process

    def close(self) -> None:
        if self._process is not None:
            kill(self._process)
        self._tail.close()

    def run(self, part: _Part, watch: Callable[[], None]) -> None:
        """Run a file to its end, even if workers die."""
        log = part.log
        while not self._stopped.is_set():
            before = len(log.results)
            if self._once(part, watch):
                return
            for test_id in list(log.running):
                log.results[test_id] = log.failure(test_id, "crashed", None, "")
                part.told(test_id)
                if log.results[test_id].how == "crashed":
                    log.results[test_id].detail = last_output(self._folder / "output.txt", 40)
            if len(log.results) == before:
                message = "the process died outside of the tests\n"
                message += last_output(self._folder / "output.txt")
                log.problems.append(Problem("crashed", part.file.name, message))
                return

    def _once(self, part: _Part, watch: Callable[[], None]) -> bool:
        """Run the rest of a file once. False if the worker died."""
        process, log = self._start(), part.log
        command = {
            "root": str(part.file.root),
            "file": part.file.name,
            "config": str(self._folder / "pytest.ini"),
            "skip": part.skip,
            "done": list(log.results),
            "only": self._settings.only,
        }
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(command).encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            process.wait()
        return self._follow(process, part, watch)

    def _follow(
        self, process: subprocess.Popen[bytes], part: _Part, watch: Callable[[], None]
    ) -> bool:
        log = part.log
        quiet_since = time.monotonic()
        limit = self._settings.timeout
        started: dict[str, float] = {}
        while not self._stopped.is_set():
            dead = process.poll() is not None
            for event in self._tail.events():
                quiet_since = time.monotonic()
                if event["event"] == "ended":
                    return True
                if event["event"] == "collect-skip":
                    log.problems.append(Problem("skipped", event["id"], event["detail"]))
                log.take(event)
                if event["event"] == "finish":
                    part.told(event["id"])
            watch()
            if dead:
                return False
            for test_id in log.running:
                started.setdefault(test_id, _busy(process.pid))
            hung = [
                (test_id, pid)
                for test_id, pid in log.overdue(limit)
                if _busy(process.pid) - started.get(test_id, 0.0) > limit
            ] or list(log.overdue(PATIENCE * limit))
            log.hung.update(test_id for test_id, _ in hung)
            if hung or (not log.running and time.monotonic() - quiet_since > max(limit, STALL)):
                kill(process)
            time.sleep(POLL)
        return True


def _busy(pid: int) -> float:
    """The CPU seconds that a process has used; 0 if the system does not report them."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0


def _merged(
    test: TestFunction, found: Sequence[Result], log: Log, reasons: Mapping[str, str]
) -> Result:
    """The outcome of a test function from those of its parameter sets.

    `reasons` are the reasons of expected failures. If all failures are expected, the function
    counts as expected to fail, even if some of its sets pass.
    """
    about = (test.file, test.id)
    if not found:
        told = [p for p in log.problems if p.subject.split("::")[0] == test.file]
        skipped = next((p.message for p in told if p.kind == "skipped"), None)
        if skipped is not None:
            return Result(test.id, *about, "skipped", "", skipped)
        if test.id in reasons:
            return Result(test.id, *about, "xfailed", "", reasons[test.id])
        line = told[0].message.splitlines()[0] if told else "was not collected"
        detail = told[0].message if told else ""
        return Result(test.id, *about, "failed", "error", f"not collected: {line}", detail)
    seconds = sum(r.seconds for r in found)
    bad = [r for r in found if r.outcome == "failed" and r.id not in reasons]
    if bad:
        worst = min(bad, key=lambda r: ("hung", "crashed", "failed", "error").index(r.how))
        many = f" [{len(bad)} of {len(found)} parameter sets]" if len(found) > 1 else ""
        detail = "\n".join([*(r.id for r in bad[:50]), worst.detail])
        return Result(test.id, *about, "failed", worst.how, worst.essence + many, detail, seconds)
    if reasons:
        essence = "; ".join(dict.fromkeys(reasons.values()))
        detail = "\n".join(reasons)
        return Result(test.id, *about, "xfailed", "", essence, detail, seconds)
    if any(r.outcome == "passed" for r in found):
        return Result(test.id, *about, "passed", seconds=seconds)
    # NumPy expects all sets to fail, so there is nothing to pass.
    return Result(test.id, *about, "skipped", "", found[0].essence, seconds=seconds)


def plan(files: Iterable[TestFile], only: Sequence[str]) -> tuple[list[_Part], list[Result]]:
    """The tests to run in each file, and the results of tests out of scope."""
    parts, out = [], []
    for file in files:
        wanted, skip = [], []
        for test in file.functions:
            if not matches(test.id, only):
                continue
            why = reason(file, test)
            if why is None:
                wanted.append(test)
            else:
                skip.append(test.id)
                out.append(Result(test.id, file.name, test.id, OUT, "", why.title))
        if wanted:
            parts.append(_Part(file, wanted, skip))
    return parts, out


def run(
    settings: Settings,
    files: Sequence[TestFile],
    *,
    expected: Path | None = None,
    watcher: Watcher = lambda *_: None,
) -> NumpyRun:
    """Run the files on one namespace.

    `watcher` is called with the number of finished test functions, of all and of failures. Raises
    NamespaceError and ExpectationError as the runner of array-api-tests does.
    """
    expectations = Expectations(_expected.read(f"numpy/{settings.module}", expected))
    found = about(settings.module, None, environment(settings))
    began = time.monotonic()
    parts, out = plan(files, settings.only)
    total = sum(len(p.wanted) for p in parts)
    # Run the longest files first, so that all jobs end at about the same time.
    todo: queue.SimpleQueue[_Part] = queue.SimpleQueue()
    for part in sorted(parts, key=lambda p: -p.file.path.stat().st_size):
        todo.put(part)
    stopped = threading.Event()
    lock = threading.Lock()

    def watch() -> None:
        with lock:
            watcher(sum(len(p.done) for p in parts), total, sum(len(p.failed) for p in parts))

    with tempfile.TemporaryDirectory(prefix="conformance-") as name:
        workers = [_Worker(settings, Path(name) / str(i), stopped) for i in range(settings.jobs)]
        threads = [threading.Thread(target=_drain, args=(w, todo, watch)) for w in workers]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(POLL)
        finally:
            stopped.set()
            for thread in threads:
                thread.join()
            for worker in workers:
                worker.close()
    result = NumpyRun(settings, found.version)
    for part in parts:
        by_function: dict[str, list[Result]] = {}
        for one in part.log.results.values():
            by_function.setdefault(one.function, []).append(one)
        for test in part.wanted:
            sets = by_function.get(test.id, [])
            foreseen = expectations.of(test.id, sets, part.log.collected)
            result.results.append(_merged(test, sets, part.log, foreseen.reasons))
            result.problems += foreseen.problems
    result.results += out
    result.problems += expectations.unknown({t.id for f in files for t in f.functions})
    if not total:
        asked = " ".join(settings.only)
        result.problems.append(Problem("broken run", settings.module, f"no test matches {asked!r}"))
    result.seconds = time.monotonic() - began
    return result


def _drain(worker: _Worker, todo: queue.SimpleQueue[_Part], watch: Callable[[], None]) -> None:
    while True:
        try:
            part = todo.get_nowait()
        except queue.Empty:
            return
        worker.run(part, watch)
