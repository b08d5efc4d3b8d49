"""The pytest plug-in inside every suite: it sets the device and writes events as JSON lines.

It is loaded before the suite's conftest, in every process of pytest-xdist. Without its
environment variables it only keeps the suite's folder clean, so that a single test can be
repeated by hand with `-p conformance.pytest_plugin`.

Events, one JSON object a line: `collected` and `selected` (ids), `start` (id, pid), `report`
(id, when, outcome, …), `finish` (id), `collect-error` and `collect-skip` (id, detail), and `cause`
(the id of a test or of a file that could not be collected, and the fields of a `Cause`).
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import tempfile
from collections.abc import Generator
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conformance._causes import cause
from conformance._device import set_default

EVENTS = "XP_TORCH_CONFORMANCE_EVENTS"
DEVICE = "XP_TORCH_CONFORMANCE_DEVICE"
MODULE = "XP_TORCH_CONFORMANCE_MODULE"
DONE = "XP_TORCH_CONFORMANCE_DONE"
LIMIT = 20_000
ESSENCE = "conformance_essence"

sys.dont_write_bytecode = True
os.environ.setdefault(
    "HYPOTHESIS_STORAGE_DIRECTORY", os.path.join(tempfile.gettempdir(), "xp-torch-hypothesis")
)
if device := os.environ.get(DEVICE):
    set_default(device)


def emit(event: str, **fields: object) -> None:
    """Append one event. A single write in append mode is not interleaved."""
    path = os.environ.get(EVENTS)
    if path:
        line = json.dumps({"event": event, **fields}) + "\n"
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            os.write(handle, line.encode())
        finally:
            os.close(handle)


def process(config: pytest.Config) -> str | None:
    """The name of this pytest-xdist worker; None in the controller, and without pytest-xdist."""
    found = getattr(config, "workerinput", None)
    return None if found is None else str(found["workerid"])


def speaks(config: pytest.Config) -> bool:
    """Whether this process tells what all of them have collected."""
    return process(config) in (None, "gw0")


def runs_tests(config: pytest.Config) -> bool:
    """Whether this process runs tests; the controller of pytest-xdist does not."""
    return bool(process(config)) or not getattr(config.option, "numprocesses", None)


def _essence(error: BaseException) -> str:
    """One line for an exception; hypothesis groups distinct failures in an ExceptionGroup."""
    if isinstance(error, BaseExceptionGroup):
        first = _essence(error.exceptions[0])
        more = len(error.exceptions) - 1
        return first + (f" (and {more} more distinct failures)" if more else "")
    # The rewritten assertion follows the message on separate lines.
    lines = str(error).strip().splitlines()
    text = " ".join(lines[0].split()) if lines else ""
    name = type(error).__name__
    if isinstance(error, AssertionError) and text:
        return text
    return f"{name}: {text}" if text else name


@cache
def _folder() -> Path | None:
    """The folder of the module under test."""
    name = os.environ.get(MODULE, "").partition(".")[0]
    spec = importlib.util.find_spec(name) if name else None
    folders = (spec and spec.submodule_search_locations) or []
    return Path(folders[0]) if folders else None


def _emit_cause(test_id: str, error: BaseException) -> None:
    if isinstance(error, pytest.Collector.CollectError) and error.__cause__ is not None:
        error = error.__cause__
    emit("cause", id=test_id, **asdict(cause(error, _folder())))


def pytest_configure(config: pytest.Config) -> None:
    """Register the hooks of runners and of the reporter; pytest-xdist separates the two."""
    if runs_tests(config):
        config.pluginmanager.register(_Runner())
    if process(config) is None:
        config.pluginmanager.register(_Reporter())


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Leave out Hypothesis' part of the summary, which imports Hypothesis: a second."""
    if "hypothesis" not in sys.modules:
        session.config.pluginmanager.unregister(name="hypothesispytest")


class _Runner:
    """The events of a process that runs tests: ids, pids, exceptions."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        if speaks(config):
            emit("collected", ids=[item.nodeid for item in items])
        if path := os.environ.get(DONE):
            done = frozenset(Path(path).read_text("utf-8").splitlines())
            config.hook.pytest_deselected(items=[item for item in items if item.nodeid in done])
            items[:] = [item for item in items if item.nodeid not in done]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if speaks(session.config):
            emit("selected", ids=[item.nodeid for item in session.items])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        emit("start", id=nodeid, pid=os.getpid())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if report.outcome == "failed" and call.excinfo is not None:
            report.user_properties.append((ESSENCE, _essence(call.excinfo.value)))
            _emit_cause(item.nodeid, call.excinfo.value)
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        report = yield
        call: Any = getattr(report, "call", None)
        if report.outcome == "failed" and call is not None and call.excinfo is not None:
            _emit_cause(collector.nodeid, call.excinfo.value)
        return report


class _Reporter:
    """The events that pytest-xdist gathers, including the crash of a worker."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        detail = report.longrepr
        skipped = report.outcome == "skipped"
        if skipped and isinstance(detail, tuple):
            detail = detail[2]
        emit(
            "report",
            id=report.nodeid,
            when=report.when,
            outcome=report.outcome,
            xfail=getattr(report, "wasxfail", None),
            seconds=getattr(report, "duration", 0.0),
            essence=dict(report.user_properties).get(ESSENCE),
            detail="" if report.outcome == "passed" else str(detail)[-LIMIT:],
        )

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        emit("finish", id=nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        detail = report.longrepr
        if report.failed:
            emit("collect-error", id=report.nodeid, detail=str(detail)[-LIMIT:])
        elif report.skipped:
            reason = detail[2] if isinstance(detail, tuple) else str(detail)
            emit("collect-skip", id=report.nodeid, detail=reason.removeprefix("Skipped: "))
