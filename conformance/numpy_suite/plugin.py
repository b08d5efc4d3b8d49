"""The pytest plug-in that collects NumPy's test files rewritten; `worker` registers it.

It is used together with `conformance.pytest_plugin`, which writes the events.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from pathlib import Path
from typing import Any

import pytest

from ..pytest_plugin import ESSENCE, emit
from ._bridge import Bridge, _raising
from ._files import function_id, matches

# NumPy's conftest would register these.
MARKERS = ("slow", "slow_pypy", "leaks_references", "valgrind_error", "thread_unsafe")
ESSENCE_LENGTH = 300
MARKERS_WITH_ARGUMENTS = ("parallel_threads(n)", "iterations(n)")
WARNED = (
    "_core/tests/test_errstate.py",
    "_core/tests/test_nep50_promotions.py",
    "_core/tests/test_numeric.py::TestSeterr",
    "_core/tests/test_umath.py::TestDivisionIntegerOverflowsAndDivideByZero",
    "_core/tests/test_umath.py::TestLog2::test_log2_special",
    "_core/tests/test_umath.py::TestPower::test_zero_power_nonzero",
    "lib/tests/test_function_base.py::TestMedian::test_empty",
)
"""Tests of the warnings that NumPy gives by default, as `--only` takes them.

A namespace may check for floating-point errors only on request, with another algorithm. All other
tests run with its defaults.
"""


class Plugin:
    """Collects the selected tests of one file."""

    def __init__(
        self, bridge: Bridge, skip: Collection[str], done: Collection[str], only: Sequence[str]
    ) -> None:
        self.bridge = bridge
        self.skip, self.done, self.only = frozenset(skip), frozenset(done), only

    def pytest_configure(self, config: pytest.Config) -> None:
        for marker in (*MARKERS, *MARKERS_WITH_ARGUMENTS):
            config.addinivalue_line("markers", f"{marker}: a mark of NumPy's tests")

    def pytest_pycollect_makemodule(self, module_path: Path, parent: Any) -> pytest.Module:
        made: RewrittenModule = RewrittenModule.from_parent(parent, path=module_path)
        made.bridge = self.bridge
        return made

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Generator[None, object, object]:
        self.bridge.collecting = True
        try:
            return (yield)
        finally:
            self.bridge.collecting = False

    @pytest.hookimpl(wrapper=True)
    def pytest_pycollect_makeitem(
        self, collector: Any, name: str, obj: Any
    ) -> Generator[None, Any, Any]:
        """Keep a function whose parameters raise an error; the function then raises that error."""
        try:
            return (yield)
        except (Exception, pytest.fail.Exception) as error:
            if not collector.istestfunction(obj, name):
                raise
            return [
                pytest.Function.from_parent(collector, name=name, callobj=_raising(name, error))
            ]

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        kept: list[pytest.Item] = []
        dropped: list[pytest.Item] = []
        for item in items:
            wanted = (
                function_id(item.nodeid) not in self.skip
                and item.nodeid not in self.done
                and matches(item.nodeid, self.only)
            )
            (kept if wanted else dropped).append(item)
        items[:] = kept
        config.hook.pytest_deselected(items=dropped)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        if matches(item.nodeid, WARNED):
            with self.bridge.warning():
                return (yield)
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Join the several lines of a message of NumPy's assertions."""
        report = yield
        if report.outcome == "failed" and call.excinfo is not None:
            error = call.excinfo.value
            text = " ".join(str(error).split())[:ESSENCE_LENGTH]
            report.user_properties.append((ESSENCE, f"{type(error).__name__}: {text}"))
        return report

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            detail = report.longrepr
            reason = detail[2] if isinstance(detail, tuple) else str(detail)
            emit("collect-skip", id=report.nodeid, detail=reason.removeprefix("Skipped: "))


class RewrittenModule(pytest.Module):
    """A test file whose `numpy` is the namespace under test."""

    bridge: Bridge

    def _getobj(self) -> Any:
        try:
            return self.bridge.load(self.path)
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
            raise self.CollectError(message) from error
