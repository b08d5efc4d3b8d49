"""The pytest plug-in for `_session`: it skips finished tests and reports causes.

It adds to `conformance.pytest_plugin` the event `cause`: the id of a test, or of a file that could
not be collected, and the fields of a `Cause`.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Generator
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ._causes import cause
from .pytest_plugin import emit

MODULE = "XP_TORCH_CONFORMANCE_MODULE"
DONE = "XP_TORCH_CONFORMANCE_DONE"


@cache
def _folder() -> Path | None:
    """The folder of the module under test."""
    name = os.environ.get(MODULE, "").partition(".")[0]
    spec = importlib.util.find_spec(name) if name else None
    folders = (spec and spec.submodule_search_locations) or []
    return Path(folders[0]) if folders else None


def _tell(test_id: str, error: BaseException) -> None:
    if isinstance(error, pytest.Collector.CollectError) and error.__cause__ is not None:
        error = error.__cause__
    emit("cause", id=test_id, **asdict(cause(error, _folder())))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    path = os.environ.get(DONE)
    if not path:
        return
    done = frozenset(Path(path).read_text("utf-8").splitlines())
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in done])
    items[:] = [item for item in items if item.nodeid not in done]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.outcome == "failed" and call.excinfo is not None:
        _tell(item.nodeid, call.excinfo.value)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    call: Any = getattr(report, "call", None)
    if report.outcome == "failed" and call is not None and call.excinfo is not None:
        _tell(collector.nodeid, call.excinfo.value)
    return report
