"""A library's tests with NumPy, then with a module instead; the results are compared.

The module is a launcher: `python -m MODULE -m pytest` runs pytest, and files below the working
folder get the module when they import `numpy`.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .._causes import UNKNOWN, Cause
from .._namespace import NamespaceError, about, search_path
from .._results import OUTCOMES, Problem, Result, Run, UnableError
from .._runner import USAGE, Pytest, Session
from .._suite import Suite
from . import _environment, _source
from ._environment import CONTROL

MISSING = "missing"


@dataclass
class LibraryRun(Run):
    """The results of a library's tests for a module, of the tests that pass with NumPy.

    `control` are the results with NumPy, `wall` the seconds of the module's run alone.
    """

    control: Run = field(default_factory=lambda: Run(CONTROL))
    wall: float = 0.0

    @property
    def share(self) -> float:
        """The passed share, in percent."""
        return 100 * self.counts()["passed"] / max(len(self.results), 1)

    @property
    def times(self) -> float | None:
        """The time of the tests that pass with both, over NumPy's time; None if that is 0."""
        before = {r.id: r.seconds for r in self.control.results}
        passed = [r for r in self.results if r.outcome == "passed"]
        control = sum(before[r.id] for r in passed)
        return sum(r.seconds for r in passed) / control if control else None


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{text} is not NAME=VALUE")
    return name, value


class Library(Suite[LibraryRun]):
    run_type = LibraryRun
    name = "library"
    help = "run a library's own tests with NumPy, and with a module instead of NumPy"
    expected = "library/{suite.distribution}/{module}"
    module = "numpy_shim"
    timeout = 60.0
    peers = None
    distribution = "NAME"

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        text = "NAME or NAME==VERSION, from PyPI; or a checkout: a path with a separator in it"
        add("library", metavar="NAME|PATH", help=text)
        text = "files or folders of tests, relative to the sources (default: pytest's choice)"
        add("--tests", nargs="+", default=[], metavar="PATH", help=text)
        add("--needs", nargs="+", default=[], metavar="REQ", help="more that the tests need")
        text = "variables of the tests' environment"
        add("--env", nargs="+", default=[], type=_variable, metavar="NAME=VALUE", help=text)
        add("--no-install", action="store_true", help="only with what is installed here")
        add("--upgrade", action="store_true", help="get and install all anew")

    def find(self) -> str:
        options = self.options
        check_launcher(options.module)
        self.source = source = _source.find(options.library, options.upgrade)
        self.distribution, self.recipe = source.name, source.recipe()
        where = f"{source.title}: {source.root}"
        self.console.print(where, soft_wrap=True, highlight=False)
        if options.no_install:
            self.environment = _environment.running(source)
        else:
            self.console.print("installing what its tests need", highlight=False)
            needs = [*self.recipe.get("needs", []), *options.needs]
            made = _environment.make(source, needs, options.module, options.upgrade)
            self.environment = made
        return ""

    def request(self, module: str, device: str | None) -> Pytest:
        options = self.options
        path = os.pathsep.join([*self.environment.path, search_path()])
        extra = self.recipe.get("variables", {}) | dict(options.env)
        return Pytest(
            module=module,
            folder=self.source.root,
            tests=options.tests or self.recipe.get("tests", []),
            variables={"PYTHONPATH": path, "MPLBACKEND": "Agg", **extra},
            more=("--tb=short", "--maxfail=0"),
            python=self.environment.python,
            launcher=() if module == CONTROL else ("-m", module),
            jobs=0,  # the launcher does not start the processes of pytest-xdist
            only=options.only,
            device=device,
            timeout=options.timeout,
        )

    def run(self) -> list[LibraryRun]:
        """Run the tests twice. A test that passes with NumPy and is missing has failed."""
        module = self.options.module
        expectations = self.expectations(module, self.options.expected, self.device)
        version = about(module, self.device).version
        control, before = self.control()
        request = replace(self.request(module, self.device), options=control.options)
        after = self.session(request)
        run = LibraryRun(module, version, request.repeat, wall=after.seconds)
        run.results, run.causes = compared(before, after)
        run.seconds = before.seconds + after.seconds
        run.control = Run(CONTROL, about(CONTROL).version, results=before.results)
        run.control.seconds = before.seconds
        for sentence in self.environment.warnings:
            self.warn(sentence)
        if control.options:
            self.warn("run without the options that the library gives pytest (addopts)")
        for problem in before.log.problems:
            line = (problem.message.splitlines() or [""])[0]
            self.warn(f"with NumPy, {problem.kind}: {problem.subject}: {line}")
        # Uncollected files and dead processes lose tests, and those are counted as failed.
        if not after.results and after.log.problems:
            run.problems = [Problem("broken run", module, after.log.problems[-1].message)]
        self.judge(run, expectations, before)
        return [run]

    def control(self) -> tuple[Pytest, Session]:
        """Run the tests with NumPy; return the run of pytest that works, too."""
        request = self.request(CONTROL, None)
        session = self.session(request)
        if session.status == USAGE and not session.results:
            # The library's own options may need plug-ins that it does not declare.
            request = replace(request, options=("-o", "addopts="))
            session = self.session(request)
        if not any(r.outcome == "passed" for r in session.results):
            problems = session.log.problems
            message = problems[0].message if problems else session.output
            raise UnableError(f"no test of {self.source.title} passes with NumPy\n{message}")
        return request, session

    def label(self, run: LibraryRun) -> str:
        return f"tests of {self.source.name}"

    def title(self, run: LibraryRun) -> str:
        return f"Tests of {self.source.title} on {run.module}"

    def caption(self, run: LibraryRun) -> str:
        return f"{self.source.title} on {run.name}: what passes with NumPy"

    def verdict(self, run: LibraryRun) -> str:
        times = f", {run.times:.1f} times NumPy's time" if run.times else ""
        return (
            f"{self.source.title} on {run.name}: {run.share:.1f} % of the {len(run.results)} "
            f"tests that pass with NumPy {run.control.version} ({run.line()}{times})"
        )

    def notes(self, run: LibraryRun) -> list[str]:
        return [f"The sources are from {self.source.origin}."]

    def data(self, runs: Sequence[LibraryRun]) -> dict[str, Any]:
        (run,) = runs
        source, control = self.source, run.control
        return {
            **super().data(runs),
            "library": {"name": source.name, "version": source.version, "origin": source.origin},
            "share": round(run.share, 2),
            "times": None if run.times is None else round(run.times, 2),
            "warnings": self.warnings,
            "causes": run.cause_data(),
            "control": {
                "module": CONTROL,
                "version": control.version,
                "counts": {outcome: control.counts()[outcome] for outcome in OUTCOMES},
                "seconds": round(control.seconds, 3),
            },
            "wall": round(run.wall, 3),
        }


def compared(control: Session, subject: Session) -> tuple[list[Result], dict[str, Cause]]:
    """The outcome of each test that passes with NumPy. A missing test has failed."""
    found = subject.log.results
    causes = dict(subject.log.causes)
    results = []
    for passed in control.results:
        if passed.outcome != "passed":
            continue
        result = found.get(passed.id)
        if result is None:
            file = passed.chapter
            causes[passed.id] = causes.get(file) or _not_collected(subject)
            line = f"not collected: {causes[passed.id]}"
            result = Result(passed.id, file, "", "failed", MISSING, line)
        results.append(result)
    return results, causes


def _not_collected(subject: Session) -> Cause:
    """The cause of tests that are missing from a collected file."""
    if subject.log.results:
        return Cause("not collected", "no test has this name")
    lines = [x[1:].strip() for x in subject.output.splitlines() if x.startswith("E ")]
    return Cause("not collected", lines[-1]) if lines else UNKNOWN


def check_launcher(module: str) -> None:
    """Raise NamespaceError for a module that cannot replace NumPy."""
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:
        spec = None
    if spec is None:
        raise NamespaceError(f"there is no module named {module!r}")
    folders = spec.submodule_search_locations or []
    if not any((Path(folder) / "__main__.py").is_file() for folder in folders):
        raise NamespaceError(
            f"{module} cannot take NumPy's place: `python -m {module} -m pytest` would have to"
        )
