"""The pytest plug-in inside the suite: it sets the device and writes events as JSON lines.

It is loaded before the suite's conftest, in every process of pytest-xdist. Without its
environment variables it only keeps the suite's folder clean, so that a single test can be
repeated by hand with `-p conformance.pytest_plugin`.

Events, one JSON object a line: `collected` and `selected` (ids), `start` (id, pid), `report`
(id, when, outcome, …), `finish` (id), `collect-error` (id, detail).
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Generator, Sequence
from typing import Any

import pytest

from conformance._device import set_default

EVENTS = "XP_TORCH_CONFORMANCE_EVENTS"
DEVICE = "XP_TORCH_CONFORMANCE_DEVICE"
LIMIT = 20_000
ESSENCE = "conformance_essence"

sys.dont_write_bytecode = True
os.environ.setdefault(
    "HYPOTHESIS_STORAGE_DIRECTORY", os.path.join(tempfile.gettempdir(), "xp-torch-hypothesis")
)
if device := os.environ.get(DEVICE):
    set_default(device)


def emit(event: str, **fields: Any) -> None:
    """Append one event. A single write in append mode is not interleaved."""
    path = os.environ.get(EVENTS)
    if path:
        line = json.dumps({"event": event, **fields}) + "\n"
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            os.write(handle, line.encode())
        finally:
            os.close(handle)


def _worker(config: pytest.Config) -> str | None:
    """The name of this pytest-xdist worker; None in the controller process."""
    found = getattr(config, "workerinput", None)
    return None if found is None else str(found["workerid"])


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


def pytest_configure(config: pytest.Config) -> None:
    """Register the runner's and the reporter's hooks; pytest-xdist separates the two."""
    distributed = bool(getattr(config.option, "numprocesses", None))
    if _worker(config) or not distributed:
        config.pluginmanager.register(_Worker())
    if not _worker(config):
        config.pluginmanager.register(_Controller())


class _Worker:
    """The events of the process that runs tests: ids, pids, exceptions."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: Sequence[pytest.Item]
    ) -> None:
        if _worker(config) in (None, "gw0"):
            emit("collected", ids=[item.nodeid for item in items])

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if _worker(session.config) in (None, "gw0"):
            emit("selected", ids=[item.nodeid for item in session.items])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        emit("start", id=nodeid, pid=os.getpid())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if report.outcome == "failed" and call.excinfo is not None:
            report.user_properties.append((ESSENCE, _essence(call.excinfo.value)))
        return report


class _Controller:
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
        if report.outcome == "failed":
            emit("collect-error", id=report.nodeid, detail=str(report.longrepr)[-LIMIT:])
