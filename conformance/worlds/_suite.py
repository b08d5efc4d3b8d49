"""The commands `worlds` and `portable`."""

from __future__ import annotations

import argparse
import functools
import importlib
import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.markup import escape

from .._namespace import About
from .._options import cpus, positive
from .._results import Result, UnableError, judge
from .._runner import Pytest, Session
from .._suite import Suite
from .._tables import Table
from ._comparison import difference
from ._enter import portable, world
from ._refusals import refusal
from ._summary import WorldsRun, show, table
from ._table import WORLDS, chosen
from ._world import Unportable, World

Calls = list[tuple[Callable[[Callable[..., Any], Any], Any], Any]]
"""Calls of the function under test in a namespace, each with the result on NumPy's arrays."""


class InWorlds(Suite[WorldsRun]):
    """What is run in worlds. The module of a run is the project or the function under test."""

    run_type = WorldsRun
    expected = module = ""
    devices = False
    peers = None
    rows = "world"

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--worlds", default="all", metavar="NAMES", help="default: all")

    def worlds(self) -> list[World]:
        """The chosen worlds."""
        try:
            return chosen(self.options.worlds)
        except ValueError as error:
            raise UnableError(f"--worlds: {error}") from None

    def tables(self, runs: Sequence[WorldsRun]) -> list[Table]:
        return [table(runs[0], self.caption(runs[0]))]

    def show(self, run: WorldsRun) -> None:
        show(self.console, run)
        for problem in run.problems:
            text = f"[bold red]✗[/] {escape(f'{problem.kind}: {problem.subject}')}\n"
            self.console.print(text + escape(problem.message), soft_wrap=True, highlight=False)

    def label(self, run: WorldsRun) -> str:
        return "worlds"

    def title(self, run: WorldsRun) -> str:
        return f"{run.module} in worlds"

    def caption(self, run: WorldsRun) -> str:
        return "worlds"

    def verdict(self, run: WorldsRun) -> str:
        names = dict.fromkeys(result.chapter for result in run.results)
        failed = {result.chapter for result in run.failures}
        runs = f"runs in {len(names) - len(failed)} of {len(names)} worlds"
        return f"{run.module} {runs}: {run.line()}"

    def notes(self, run: WorldsRun) -> list[str]:
        return ["`python -m conformance worlds` says what each world is."]

    def asked(self) -> dict[str, Any]:
        return {"worlds": self.options.worlds, "only": self.selection or None}


class Worlds(InWorlds):
    """A project's tests, in the working folder."""

    name = "worlds"
    help = "list the worlds in which array code is tested; with PATH, run the tests there in them"

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        text = "files or folders of tests that take the fixture xp, below the working folder"
        parser.add_argument("paths", nargs="*", metavar="PATH", help=text)
        super().add_options(parser)
        text = "the tests whose names match, as pytest's -k reads it"
        parser.add_argument("--only", metavar="EXPR", help=text)
        text = "default: the number of CPUs"
        parser.add_argument("--jobs", type=positive, default=cpus(), metavar="N", help=text)

    def find(self) -> str:
        if not self.options.paths:
            return self.listed()
        self.worlds()
        self.options.module = Path.cwd().name
        for path in self.options.paths:
            if not Path(path.partition("::")[0]).exists():
                raise UnableError(f"{path} does not exist")
        return ""

    def listed(self) -> str:
        """Print every world with its sentence."""
        width = max(len(w.name) for w in WORLDS)
        for w in WORLDS:
            absent = "" if w.installed else f" [dim](not installed: {w.needs})[/]"
            line = f"[bold]{w.name:{width}}[/]  {escape(w.sentence)}{absent}"
            self.console.print(line, soft_wrap=True, highlight=False)
        return f"{len(WORLDS)} worlds"

    def describe(self, module: str, device: str | None, environment: dict[str, str]) -> About:
        return About("", "")

    def request(self, module: str, device: str | None) -> Pytest:
        return Pytest(
            module=module,
            folder=Path.cwd(),
            tests=self.options.paths,
            plugin=f"{__package__}.events_plugin",
            options=("--worlds", self.options.worlds),
            jobs=self.options.jobs,
            only=self.options.only,
            timeout=self.options.timeout,
        )

    def read(self, session: Session, request: Pytest, found: About) -> WorldsRun:
        run = super().read(session, request, found)
        for result in run.results:
            fact = session.log.facts[result.id]
            result.chapter = fact["world"]
            if "refusal" in fact:
                run.refuse(result.id, fact["refusal"])
        return run


class Portable(InWorlds):
    """A function on drawn arguments, in this process."""

    name = "portable"
    help = "run a function on drawn arguments in all worlds, without a test of it"
    timeout = 0
    needed = ()

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("module", metavar="PACKAGE.FUNCTION", help="a function of arrays")
        super().add_options(parser)
        text = "the arguments in place of drawn ones, such as 'xp.asarray([1.0, 2.0]), axis=0'"
        add("--arguments", metavar="EXPR", help=text)
        text = "calls with different arguments in each world (3)"
        add("--draws", type=positive, default=3, metavar="N", help=text)
        add("--seed", type=int, default=0, metavar="S", help="of the draws (0)")

    @property
    def selection(self) -> str:
        return ""

    def find(self) -> str:
        self.worlds()
        self.function = _resolved(self.options.module)
        self.calls = _calls(self.function, self.options)
        return ""

    def run(self) -> list[WorldsRun]:
        began = time.monotonic()
        run = WorldsRun(self.options.module, repeat=self.repeat)
        for w in self.worlds():
            for i, (call, wanted) in enumerate(self.calls):
                result = Result(f"{run.module}::{i}[{w.name}]", w.name, "", "passed")
                run.results.append(result)
                if (error := self.tried(w, call, wanted)) is not None:
                    found = refusal(w, error)
                    run.refuse(result.id, asdict(found))
                    result.outcome = result.how = "failed"
                    result.essence = f"{found.kind}: {found.text}"
        run.seconds = time.monotonic() - began
        expectations = self.expectations("", self.options.expected, None)
        judge(run, expectations, {result.id for result in run.results})
        return [run]

    def tried(self, w: World, call: Callable[..., Any], wanted: object) -> Exception | None:
        """What a call in a world raises; `Unportable` for another result."""
        function = self.function
        name = getattr(function, "__name__", repr(function))
        try:
            with world(w.name) as xp:
                got = call(portable(function), xp)
                if text := difference(got, wanted, dtypes=False):
                    raise Unportable(f"{name}: {text}, as on NumPy", function)
        except Exception as error:
            return error
        return None

    def repeat(self, test_id: str) -> str:
        """The command that runs the function in the world of a result."""
        options = self.options
        named = ("--worlds", test_id.partition("[")[2].rstrip("]"))
        drawn = ("--draws", str(options.draws), "--seed", str(options.seed))
        given = drawn if options.arguments is None else ("--arguments", options.arguments)
        words = ["python", "-m", "conformance", self.name, options.module, *named, *given]
        return shlex.join(words)

    def asked(self) -> dict[str, Any]:
        names = ("arguments", "draws", "seed")
        return super().asked() | {name: getattr(self.options, name) for name in names}


def _resolved(name: str) -> Callable[..., Any]:
    """The function of a name. A package's function goes before a module of the same name."""
    parts = name.split(".")
    found: Any = None
    for length in range(1, len(parts)):
        try:
            module = importlib.import_module(".".join(parts[:length]))
            found = functools.reduce(getattr, parts[length:], module)
        except (ImportError, AttributeError) as error:
            found, reason = None, error
        if callable(found):
            function: Callable[..., Any] = found
            return function
    if len(parts) > 1 and found is None:
        raise UnableError(f"{name} cannot be imported: {reason}")
    raise UnableError(f"{name} is no function")


def _calls(function: Callable[..., Any], options: argparse.Namespace) -> Calls:
    # Local imports: the list of worlds needs no NumPy.
    import numpy as np

    from ._draws import draw, evaluated

    if options.arguments is None:
        drawn = draw(function, options.draws, options.seed)
        return [(a.call, a.wanted) for a in drawn]

    def call(function: Callable[..., Any], xp: object) -> Any:
        return evaluated(options.arguments, function)(xp)

    try:
        return [(call, call(function, np))]
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        raise UnableError(f"{options.module} on NumPy's arrays: {text}") from error
