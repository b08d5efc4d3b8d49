"""The pytest plug-in that collects NumPy's test files rewritten.

In a process that runs tests it imports the namespace and limits the memory.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import pytest

from ..pytest_plugin import ESSENCE, runs_tests
from . import _conversion_guard
from ._bridge import Bridge, _raising
from ._files import function_id, matches

NUMPY = "XP_TORCH_CONFORMANCE_NUMPY"
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
    """Collects the selected tests; `skip` are functions that are left out."""

    def __init__(self, bridge: Bridge, skip: Sequence[str], only: Sequence[str]) -> None:
        self.bridge, self.skip, self.only = bridge, frozenset(skip), only

    def pytest_pycollect_makemodule(self, module_path: Path, parent: object) -> pytest.Module:
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
            skipped = function_id(item.nodeid) in self.skip
            wanted = not skipped and matches(item.nodeid, self.only)
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


class RewrittenModule(pytest.Module):
    """A test file whose `numpy` is the namespace under test."""

    bridge: Bridge

    def _getobj(self) -> Any:
        try:
            return self.bridge.load(self.path)
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
            raise self.CollectError(message) from error


def _limit_memory(size: int) -> None:
    """Let an allocation beyond the limit fail, if the system supports that."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def pytest_configure(config: pytest.Config) -> None:
    for marker in (*MARKERS, *MARKERS_WITH_ARGUMENTS):
        config.addinivalue_line("markers", f"{marker}: a mark of NumPy's tests")
    asked = json.loads(os.environ.get(NUMPY, "null"))
    if asked is None or not runs_tests(config):
        return
    import hypothesis

    hypothesis.settings.register_profile(
        "numpy",
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    hypothesis.settings.load_profile("numpy")
    if asked["may_convert"] is not None:
        _conversion_guard.close(asked["may_convert"])
    bridge = Bridge(asked["module"])
    if asked["memory"]:
        _limit_memory(asked["memory"])
    config.pluginmanager.register(Plugin(bridge, asked["skip"], asked["only"]))
