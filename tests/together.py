"""The cases of a parametrised test run together, 50 at a time: pytest needs 4 ms for each test.

Most cases take less than one. So those that want no fixture are run one after the other as one
test, which fails with the errors of all cases that fail, each with its name: ``pytest NAME`` runs
that case. With ``--apart`` each case is a test. Cases that are expected to fail stay apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import is_hypothesis_test

NUMBER = 50
"""How many cases are one test, at most."""


class Cases(pytest.Item):
    """Cases of one test function."""

    cases: list[pytest.Function]

    def runtest(self) -> None:
        errors: list[BaseException] = []
        skipped: list[BaseException] = []
        for case in self.cases:
            try:
                case.obj(**case.callspec.params)
            except pytest.skip.Exception as reason:
                skipped.append(reason)
            except (Exception, pytest.fail.Exception) as error:
                error.add_note(f"in {case.nodeid}")
                errors.append(error)
        if errors:
            names = "\n".join(error.__notes__[-1] for error in errors)
            text = f"{len(errors)} of {len(self.cases)} cases fail:\n{names}\n"
            raise BaseExceptionGroup(text, errors[:5])
        if len(skipped) == len(self.cases):
            raise skipped[0]

    def reportinfo(self) -> Any:
        return self.cases[0].reportinfo()


def gather(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put one item in the place of many, unless a case is asked for by its name."""
    if config.getoption("--apart") or any("[" in str(word) for word in config.args):
        return
    groups: dict[object, list[Any]] = {}
    for item in items:
        groups.setdefault(_group(item), []).append(item)
    items[:] = [item for group in groups.values() for item in _tests(group)]


def _tests(group: list[Any]) -> Iterator[pytest.Item]:
    for i in range(0, len(group), NUMBER):
        cases = group[i : i + NUMBER]
        first, last = cases[0], cases[-1]
        if first is last:
            yield first
            continue
        name = f"{first.name[:-1]} ... {last.name.partition('[')[2]}"
        made = Cases.from_parent(first.parent, name=name)
        made.cases = cases
        made.own_markers = first.own_markers
        made.keywords.update({mark.name: mark for mark in first.own_markers})
        made.user_properties.append(("cases", len(cases)))
        yield made


def _group(item: pytest.Item) -> object:
    """What is equal for the cases that can be run together."""
    if (
        not isinstance(item, pytest.Function)
        or not hasattr(item, "callspec")
        or is_hypothesis_test(item.obj)
        or item.get_closest_marker("xfail")
    ):
        return item
    given = {"device", "where"}  # of pytest_generate_tests
    for mark in item.iter_markers("parametrize"):
        if not mark.kwargs.get("indirect"):
            names = mark.args[0]
            given |= {n.strip() for n in names.split(",")} if isinstance(names, str) else set(names)
    if set(item.fixturenames) != set(item.callspec.params) or not given.issuperset(
        item.fixturenames
    ):
        return item
    marks = tuple(id(mark) for mark in item.own_markers if mark.name != "parametrize")
    return item.nodeid.partition("[")[0], marks


class Count:
    """How many cases the tests had, for the last lines."""

    def __init__(self) -> None:
        self.cases = self.tests = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.tests += 1
            number: Any = dict(report.user_properties).get("cases", 1)
            self.cases += number

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.cases != self.tests:
            terminalreporter.write_line(f"{self.cases:,} cases in {self.tests:,} tests")
