"""Run a pytest command to its end, even if processes die.

If the process dies, the running test has failed, and the command is started again for the remaining
tests. pytest-timeout stops a test that hangs. A test that hangs in compiled code is stopped by
ending its process.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ._causes import Cause
from ._results import Problem, Result
from ._runner import TOLD, Log, Tail, Watcher, follow, last_output, session
from .session_plugin import DONE

PLUGINS = ("conformance.pytest_plugin", "conformance.session_plugin")
# The message of pytest-timeout for a test that it stopped.
STOPPED = "Failed: Timeout"
# Kill a process if pytest-timeout has not stopped the test after this multiple of the limit.
PATIENCE = 3


@dataclass
class SessionLog(Log):
    """The events of all processes of a session."""

    causes: dict[str, Cause] = field(default_factory=dict)
    others: list[dict[str, Any]] = field(default_factory=list)

    def take(self, event: dict[str, Any]) -> None:
        kind = event["event"]
        if kind == "cause":
            fields = {name: event[name] for name in ("kind", "message", "frame")}
            self.causes.setdefault(event["id"], Cause(**fields))
        elif kind == "selected":
            # A later process selects only the remaining tests of the first one.
            known = frozenset(self.selected)
            self.selected += [i for i in event["ids"] if i not in known]
        elif kind == "about":
            self.others.append(event)
        else:
            super().take(event)

    def failure(self, test_id: str, how: str, essence: str | None, detail: str) -> Result:
        result = super().failure(test_id, how, essence, detail)
        if result.essence.startswith(STOPPED):
            result.how = "hung"
        if result.how in ("hung", "crashed"):
            self.causes[test_id] = Cause(result.how)
        return result


@dataclass
class Session:
    """The results of a session. `seconds` is its duration, including the start."""

    log: SessionLog
    problems: list[Problem]
    output: str
    status: int
    seconds: float

    @property
    def results(self) -> list[Result]:
        """The tests in the order of their files."""
        order = {test_id: i for i, test_id in enumerate(self.log.selected)}
        found = self.log.results.values()
        return sorted(found, key=lambda result: order.get(result.id, len(order)))


def limits(timeout: float) -> list[str]:
    """The options of pytest-timeout."""
    return [f"--timeout={timeout:g}", "--timeout-method=signal"]


def run(
    words: Sequence[str],
    variables: Mapping[str, str],
    log: SessionLog,
    *,
    subject: str,
    cwd: Path,
    timeout: float,
    watcher: Watcher = lambda *_: None,
) -> Session:
    """Run a pytest command that loads the plug-ins, in a folder, until no test is left.

    `subject` is the name in reported problems.
    """
    began = time.monotonic()
    problems: list[Problem] = []
    with tempfile.TemporaryDirectory(prefix="conformance-") as name:
        folder = Path(name)
        tail = Tail(folder / "events.jsonl")
        done = folder / "done.txt"
        try:
            while True:
                before = len(log.results)
                done.write_text("".join(f"{i}\n" for i in log.results), "utf-8")
                with session(words, {**variables, DONE: str(done)}, folder, cwd) as process:
                    alive = follow(process, tail, log, PATIENCE * timeout, watcher)
                output = last_output(folder / "output.txt", 40)
                for test_id in list(log.running):
                    log.results[test_id] = log.failure(test_id, "crashed", None, output)
                missing = [i for i in log.selected if i not in log.results]
                status = process.returncode
                if alive and not missing and (status in TOLD or len(log.results) == before):
                    break
                if len(log.results) == before:
                    what = f"pytest ended with {len(missing)} of {len(log.selected)} tests not run"
                    problems.append(Problem("broken run", subject, f"{what}\n{output}"))
                    break
        finally:
            tail.close()
    if status not in TOLD and not log.results:
        problems.append(Problem("broken run", subject, f"pytest ended with {status}\n{output}"))
    problems = [*log.problems, *problems]
    return Session(log, problems, output, status, time.monotonic() - began)
