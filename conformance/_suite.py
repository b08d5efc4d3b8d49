"""The description of a suite, its command, and its run from the options to the reports."""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from rich.console import Console

from . import _console, _expected, _runner
from ._endings import OK, Ending, end, say, unable, warn
from ._history import Written
from ._namespace import About, NamespaceError, about
from ._options import cpus, positive
from ._results import Result, Run, UnableError, judge
from ._runner import Log, Pytest, Session
from ._tables import Table, by_outcome

R = TypeVar("R", bound=Run)


class Suite(Generic[R]):
    """One suite. A subclass says where its tests come from, how a namespace is put in place, how

    results are read, which failures are expected, and what its reports show. An instance belongs to
    one command.
    """

    run_type: type[R]
    """The class of its results."""

    name: str
    """Its command."""

    help: str
    """A line about the command."""

    expected: str
    """The file of expected failures, below `expected` and without `.txt`."""

    module = "xp_torch"
    """The namespace that is tested by default; "" where the command takes none."""

    timeout = 300.0
    """Seconds for one test; 0 where it is run in this process."""

    needed: tuple[str, ...] = ("pytest", "pytest_timeout")
    """The packages without which it cannot run."""

    peers: tuple[str, ...] | None = ()
    """Namespaces beside the module by default; None where it is run with the module alone."""

    devices = True
    """Whether it can be run on a device of torch."""

    rows = "file"
    """What a row of its table is."""

    causes = True
    """Whether its failures are shown by their causes."""

    def __init__(self, console: Console, options: argparse.Namespace) -> None:
        self.console, self.options = console, options
        self.warnings: list[str] = []

    # What a suite says of itself.

    @classmethod
    def of(cls, console: Console, options: argparse.Namespace) -> Suite[Any]:
        """The suite that a command with these options runs."""
        return cls(console, options)

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """The options that only this suite has."""

    def describe(self, module: str, device: str | None, environment: dict[str, str]) -> About:
        """The versions of the namespace, and where it makes arrays."""
        return about(module, device, environment)

    def find(self) -> str:
        """Find the tests or raise UnableError. A text in place of "" is all the command says."""
        return ""

    def request(self, module: str, device: str | None) -> Pytest:
        """The run of pytest in which a namespace is in its place."""
        raise NotImplementedError

    def about(self, test_id: str) -> tuple[str, str]:
        """The chapter of a test, a row of the table; and the function that it is for, or ""."""
        return test_id.split("::")[0], ""

    def read(self, session: Session, request: Pytest, found: About) -> R:
        """The results of a namespace."""
        run = self.run_type(request.module, found.version, request.repeat)
        run.results, run.seconds = session.results, session.seconds
        run.problems, run.causes = session.log.problems, session.log.causes
        return run

    def judge(self, run: R, expectations: dict[str, str], session: Session) -> None:
        """Apply the expected failures."""
        judge(run, expectations, set(session.log.facts or session.log.collected))

    def chosen(self, test_id: str) -> bool:
        """Whether a test is in the chosen part of the suite."""
        return True

    def tables(self, runs: Sequence[R]) -> list[Table]:
        """The tables; the first run is the subject."""
        return [by_outcome(runs[0], self.rows, self.caption(runs[0]))]

    def label(self, run: R) -> str:
        """The name of the suite on the badge."""
        raise NotImplementedError

    def title(self, run: R) -> str:
        """The title of the reports."""
        label = self.label(run)
        return f"{label[0].upper()}{label[1:]} on {run.module}"

    def caption(self, run: R) -> str:
        """The title of the table in the terminal."""
        return f"{self.label(run)} on {run.name}"

    def verdict(self, run: R) -> str:
        """One line: what was run and how it ended."""
        return f"{self.label(run)} on {run.name}: {run.line()}"

    def notes(self, run: R) -> list[str]:
        """Sentences for the reports."""
        return []

    def show(self, run: R) -> None:
        """Print the failures."""
        (_console.causes if self.causes else _console.failures)(self.console, run)

    def cell(self, result: Result) -> tuple[str, str] | None:
        """The chapter and the name of a test in the picture of the HTML report, if it is there."""
        return result.chapter, result.id.split("::", 1)[-1]

    def picture(self) -> dict[str, tuple[str, ...]]:
        """The names that the picture has in any case, by chapter."""
        return {}

    def data(self, runs: Sequence[R]) -> dict[str, Any]:
        """What the JSON report says beside the runs."""
        run = runs[0]
        own = {"tests": self.label(run), "module": run.module, "version": run.version}
        return own | self.asked()

    def write(self, runs: Sequence[R], folder: Path, past: Path | None) -> Written:
        """Write the reports; with a folder of earlier ones, they show what changed."""
        # A local import, so that a run without reports does not need jinja2.
        from ._report import write

        return write(self, runs, folder, past)

    # What is the same for all suites.

    def asked(self) -> dict[str, Any]:
        """The options that decide which tests are run, and where."""
        return {"device": self.device, "only": self.options.only}

    def warn(self, sentence: str) -> None:
        """A warning on the screen and in the reports."""
        self.warnings.append(sentence)
        warn(self.console, sentence)

    @property
    def device(self) -> str | None:
        found: str | None = getattr(self.options, "device", None)
        return found

    @property
    def selection(self) -> str:
        """What --only says."""
        return self.options.only or ""

    def expectations(self, module: str, given: Path | None, device: str | None) -> dict[str, str]:
        """The reasons of expected failures by test, of the chosen part."""
        read = _expected.read(self.expected.format(module=module, suite=self), given, device)
        return {test_id: reason for test_id, reason in read.items() if self.chosen(test_id)}

    def session(self, request: Pytest) -> Session:
        """Run pytest and show its progress."""
        with _console.progress(self.console, request.module) as watcher:
            return _runner.run(request, Log(self.about), watcher)

    def run_on(self, module: str, device: str | None, expected: Path | None = None) -> R:
        """Run the suite on one namespace. Raises UnableError."""
        expectations = self.expectations(module, expected, device)
        request = self.request(module, device)
        found = self.describe(module, device, request.environment())
        session = self.session(request)
        run = self.read(session, request, found)
        self.judge(run, expectations, session)
        return run

    def run(self) -> list[R]:
        """Run the suite on the module, then on its peers."""
        options = self.options
        runs = [self.run_on(options.module, self.device, options.expected)]
        for peer in options.against if self.peers is not None else ():
            try:
                runs.append(self._run_peer(peer))
            except UnableError as error:
                warn(self.console, f"left out: {error}")
        return runs

    def _run_peer(self, peer: str) -> R:
        """Run it on the same device, or without a device if the peer does not accept one."""
        try:
            return self.run_on(peer, self.device)
        except NamespaceError:
            if not self.device:
                raise
            return self.run_on(peer, None)


def add_command(commands: Any, suite: type[Suite[Any]]) -> None:
    """Add the suite's command to the command line."""
    parser: argparse.ArgumentParser = commands.add_parser(suite.name, help=suite.help)
    add = parser.add_argument
    if suite.module:
        text = f"the namespace to test (default: {suite.module})"
        add("--module", default=suite.module, metavar="M", help=text)
    suite.add_options(parser)
    if suite.devices:
        add("--device", metavar="D", help="torch's default device during the tests")
        add("--only", metavar="EXPR", help="the tests whose names match, as pytest's -k reads it")
    if suite.peers is not None:
        text = "default: the number of CPUs"
        add("--jobs", type=positive, default=cpus(), metavar="N", help=text)
        text = "peers to show beside the namespace"
        add("--against", nargs="+", default=list(suite.peers), metavar="M", help=text)
    text = "write report.json, .md, .html, .xml (JUnit), badge.json, badge.svg"
    add("--report", type=Path, metavar="DIR", help=text)
    text = "earlier JSON reports: --report shows the trend and what changed, and adds this one"
    add("--history", type=Path, metavar="DIR", help=text)
    text = "expected failures"
    if suite.module:
        file = suite.expected.format(module="M", suite=suite)
        text += f" (default: expected/{file}.txt)"
    add("--expected", type=Path, metavar="FILE", help=text)
    if suite.timeout:
        text = f"seconds for one test ({suite.timeout:g})"
        add("--timeout", type=float, default=suite.timeout, metavar="S", help=text)
    parser.set_defaults(act=lambda console, options: execute(suite.of(console, options)))


def execute(suite: Suite[Any]) -> Ending:
    """Run a suite on a module and its peers, show and write the reports."""
    console, options = suite.console, suite.options
    try:
        if answer := suite.find():
            return Ending(OK, answer)
        absent = [name for name in suite.needed if importlib.util.find_spec(name) is None]
        if absent:
            names = ", ".join(absent)
            raise UnableError(f'the suite needs {names}: pip install "xp-torch[conformance]"')
        runs = suite.run()
    except UnableError as error:
        return unable(console, str(error))
    subject, *peers = runs
    for table in suite.tables(runs):
        console.print(table.grid())
    suite.show(subject)
    _console.skips(console, subject)
    if options.report:
        try:
            _console.written(console, suite.write(runs, options.report, options.history))
        except UnableError as error:
            return unable(console, str(error))
    for peer in peers:
        say(console, peer.ok, suite.verdict(peer))
    return end(console, subject.ok, suite.verdict(subject))
