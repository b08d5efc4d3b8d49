"""The pytest plug-in of worlds: the fixtures `xp` and `portable`, the mark and the option.

It imports neither torch nor a namespace unless a test takes a fixture of it. A conftest that has a
fixture `xp` keeps its own.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack
from dataclasses import asdict
from fnmatch import fnmatch
from functools import cache
from pathlib import PurePath
from types import FrameType
from typing import Any

import pytest

from ._enter import Entered, enter
from ._enter import portable as call_portably
from ._frames import TestCode
from ._refusals import note, refusal
from ._table import chosen, find
from ._world import World

FIXTURE = "conformance_world"
WORLD, REFUSAL = "world", "world_refusal"
"""The properties of a test's report."""

_stack: pytest.StashKey[ExitStack] = pytest.StashKey()
_MARK = (
    "worlds(only=(), skip=(), xfail={}): the worlds in which the test runs, by name; those in "
    "which it must fail, each with a reason"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the setting."""
    group = parser.getgroup("worlds", "worlds: portable array code")
    group.addoption(
        "--worlds",
        metavar="NAMES",
        help="run tests with the fixture xp in these worlds, with commas: `strict,no float64`, "
        "`all`, `real`. `python -m conformance worlds` lists them. Default: strict",
    )
    parser.addini(
        "worlds_test_code",
        "files whose code may read values in every world, as patterns",
        type="args",
        default=["conftest.py", "test_*.py", "*_test.py"],
    )


def pytest_configure(config: pytest.Config) -> None:
    """Describe the mark; refuse unknown worlds."""
    config.addinivalue_line("markers", _MARK)
    try:
        chosen(config.getoption("worlds") or "")
    except ValueError as error:
        raise pytest.UsageError(f"--worlds: {error}") from None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test with the fixtures of this module once in each of its worlds."""
    if FIXTURE in metafunc.fixturenames:
        worlds = _worlds_of(metafunc)
        # Tests stay in their order: the scope of the fixture would sort them by world.
        metafunc.parametrize(FIXTURE, worlds, indirect=True, scope="function")


def _worlds_of(metafunc: pytest.Metafunc) -> list[Any]:
    """The parameters of a test: the chosen worlds that its marks allow."""
    worlds = chosen(metafunc.config.getoption("worlds") or "strict")
    reasons: dict[str, str] = {}
    for mark in metafunc.definition.iter_markers("worlds"):
        only, skip, xfail = _marked(mark, metafunc.definition.nodeid)
        worlds = [w for w in worlds if (w.name in only or not only) and w.name not in skip]
        reasons |= xfail
    if "portable" not in metafunc.fixturenames:
        worlds = [w for w in worlds if not w.needs_function]
    if worlds:
        return [_parameter(world, reasons) for world in worlds]
    left_out = pytest.mark.skip(reason="its marks leave out all chosen worlds")
    return [pytest.param(None, marks=left_out, id="no world")]


def _marked(mark: pytest.Mark, test: str) -> tuple[set[str], set[str], dict[str, str]]:
    """The arguments of a mark, checked."""
    try:
        if mark.args or mark.kwargs.keys() - {"only", "skip", "xfail"}:
            raise TypeError("it takes only=, skip= and xfail=")
        only, skip = (_names(mark.kwargs.get(key, ())) for key in ("only", "skip"))
        xfail = dict(mark.kwargs.get("xfail", {}))
        for name in (*only, *skip, *xfail):
            find(name)
    except (TypeError, ValueError) as error:
        raise pytest.UsageError(f"the mark worlds of {test}: {error}") from None
    return only, skip, xfail


def _names(value: str | Iterable[str]) -> set[str]:
    return {value} if isinstance(value, str) else set(value)


def _parameter(world: World, reasons: dict[str, str]) -> Any:
    marks: list[pytest.MarkDecorator] = []
    if not world.installed:
        marks.append(pytest.mark.skip(reason=f"{world.needs} is not installed"))
    if world.name in reasons:
        marks.append(pytest.mark.xfail(reason=reasons[world.name], strict=True))
    return pytest.param(world, marks=marks, id=world.name)


# The fixtures belong to the session, because hypothesis refuses those of a function. Each test has
# a parameter of its own, so that no other test gets its value.


@pytest.fixture(scope="session", name=FIXTURE)
def world_of_test(request: pytest.FixtureRequest) -> Entered:
    """The world of the test, in force."""
    entered: Entered = request.param
    return entered


@pytest.fixture(scope="session")
def xp(conformance_world: Entered) -> Any:
    """An array namespace: that of the world in which the test runs."""
    return conformance_world.namespace


@pytest.fixture(scope="session")
def portable(conformance_world: Entered) -> Callable[..., Callable[..., Any]]:
    """`portable(function)(*args)` calls a function under test as the world requires."""
    return call_portably


def world_of(item: pytest.Item) -> World | None:
    """The world of a test; None if it takes none."""
    found = getattr(item, "callspec", None)
    value = found.params.get(FIXTURE) if found is not None else None
    return value.world if isinstance(value, Entered) else value


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    """Enter the world before the test's fixtures are made."""
    world = world_of(item)
    if world is not None and world.installed:
        stack = item.stash[_stack] = ExitStack()
        code = _test_code(tuple(item.config.getini("worlds_test_code")))
        namespace = stack.enter_context(enter(world, code))
        item.callspec.params[FIXTURE] = Entered(world, namespace)  # type: ignore[attr-defined]
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """Leave the world after the test's fixtures are gone."""
    try:
        return (yield)
    finally:
        item.stash.get(_stack, ExitStack()).close()


@cache
def _test_code(patterns: tuple[str, ...]) -> TestCode:
    """The code of tests by the names of its files."""

    @cache
    def matches(file: str) -> bool:
        name = PurePath(file).name
        return any(fnmatch(file if "/" in p else name, p) for p in patterns)

    def is_test(frame: FrameType) -> bool:
        return matches(frame.f_code.co_filename)

    return TestCode(is_test, is_test)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say in the report in which world the test ran, and what its error means."""
    world = world_of(item)
    error = call.excinfo.value if call.excinfo is not None else None
    counts = world is not None and isinstance(error, Exception)
    if world is not None and counts and error is not None:
        note(world, error)
    report = yield
    if world is not None:
        report.user_properties.append((WORLD, world.name))
        if counts and error is not None and report.outcome == "failed":
            report.user_properties.append((REFUSAL, asdict(refusal(world, error))))
    return report


def pytest_terminal_summary(terminalreporter: object, config: pytest.Config) -> None:
    """The table of worlds and test modules, and the refusals by their causes."""
    if config.getoption("worlds"):
        # A local import: it needs rich, which plain runs do without.
        from ._summary import summarise

        summarise(terminalreporter)
