"""NumPy's own tests on a namespace and its peers.

pytest collects the files rewritten, so that `numpy` in them is the namespace, and runs each
parameter set. The results are those of test functions.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._installed import CONFIGURATION
from .._results import Problem, Result, Run
from .._runner import Log, Pytest, Session
from .._suite import Suite
from .._tables import Cell, Table, apart
from . import _files
from ._files import TestFile, TestFunction, function_id, matches
from ._foreseen import Expectations
from ._scope import TABLE, reason
from .plugin import NUMPY

CONTROL = "numpy"
SAMPLE = Path(__file__).with_name("sample.txt")
# Tests that need more memory than this skip themselves.
AVAILABLE = "2 GB"
OUT = "out of scope"


@dataclass
class NumpyRun(Run):
    """The results of NumPy's tests for one namespace, one result per test function."""

    outcomes = ("passed", "failed", "xfailed", "skipped", OUT)
    only: Sequence[str] = ()

    @property
    def in_scope(self) -> int:
        """The number of test functions in scope."""
        return sum(r.outcome not in (OUT, "skipped") for r in self.results)

    @property
    def share(self) -> float:
        """The share of them that passed, in percent."""
        return 100 * self.counts()["passed"] / max(self.in_scope, 1)

    def areas(self) -> dict[str, Counter[str]]:
        """The outcomes of each area, in alphabetical order."""
        table: dict[str, Counter[str]] = {}
        for file, counts in self.by_chapter().items():
            table.setdefault(file.split("/")[0], Counter()).update(counts)
        return table

    def data(self) -> dict[str, Any]:
        return {
            "only": self.only,
            "in_scope": self.in_scope,
            "share": round(self.share, 2),
            "areas": {
                area: {outcome: counts[outcome] for outcome in self.outcomes}
                for area, counts in self.areas().items()
            },
            "out_of_scope": {title: len(found) for title, found in self.by_reason(OUT)},
            **super().data(),
        }


def percent(counts: Counter[str]) -> str:
    """The share of the tests in scope that passed."""
    in_scope = counts["passed"] + counts["failed"] + counts["xfailed"]
    return f"{100 * counts['passed'] / in_scope:.1f} %" if in_scope else ""


def sample() -> list[str]:
    """The patterns of the fixed sample."""
    lines = (line.split("#")[0].strip() for line in SAMPLE.read_text("utf-8").splitlines())
    return [line for line in lines if line]


def memory(jobs: int) -> int:
    """The address space of a process in bytes, so that all of them leave the machine some."""
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 0
    return max(int(total * 0.8 / jobs), 6 << 30)


def divided(
    files: Iterable[TestFile], only: Sequence[str]
) -> tuple[list[TestFunction], list[Result]]:
    """The selected test functions to run, and the results of those out of scope."""
    wanted: list[TestFunction] = []
    out: list[Result] = []
    for file in files:
        for test in (test for test in file.functions if matches(test.id, only)):
            if row := reason(file, test):
                out.append(Result(test.id, file.name, test.id, OUT, "", row.title))
            else:
                wanted.append(test)
    return wanted, out


class Numpy(Suite[NumpyRun]):
    run_type = NumpyRun
    name = "numpy"
    help = "run NumPy's own tests, from the installed NumPy, on a namespace"
    expected = "numpy/{module}"
    module = "numpy_shim"
    timeout = 60.0
    needed = ("pytest", "hypothesis")
    devices = False
    causes = False

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        text = "the tests whose file or id has one of these in it; * and ? are wild"
        add("--only", nargs="+", default=[], metavar="PATTERN", help=text)
        text = "a folder with the tests of another NumPy (default: the installed NumPy's)"
        add("--suite", metavar="DIR", help=text)
        text = "no tensor becomes a NumPy array but below these modules of the namespace; * is wild"
        add("--no-numpy", nargs="*", metavar="MODULE", help=text)
        add("--sample", action="store_true", help=f"only the fixed sample, {SAMPLE.name}")

    def find(self) -> str:
        options = self.options
        self.root = _files.root(options.suite)
        self.files = _files.files(self.root)
        self.only = [*options.only, *(sample() if options.sample else [])]
        self.functions, self.out = divided(self.files, self.only)
        # A report needs its reference: NumPy itself, with the same rewritten tests.
        control = [CONTROL] if options.report and CONTROL not in options.against else []
        options.against = [n for n in (*control, *options.against) if n != options.module]
        return ""

    def request(self, module: str, device: str | None) -> Pytest:
        options = self.options
        files = {test.file: None for test in self.functions}
        asked = {
            "module": module,
            "only": self.only,
            "skip": [result.id for result in self.out if result.chapter in files],
            "memory": memory(options.jobs),
            "may_convert": options.no_numpy if module == options.module else None,
        }
        return Pytest(
            module=module,
            folder=self.root,
            inside=False,
            # The longest files first, so that all processes end at about the same time.
            tests=sorted(map(str, map(self.root.joinpath, files)), key=_size),
            variables={
                NUMPY: json.dumps(asked),
                "NPY_AVAILABLE_MEM": AVAILABLE,
                # As in NumPy's conftest.
                "NUMPY_EXPERIMENTAL_DTYPE_API": "1",
            },
            plugin="conformance.numpy_suite.plugin",
            options=("-c", str(CONFIGURATION), "--noconftest", "--import-mode=importlib"),
            # The first plug-in would collect garbage five times at the end.
            more=("-q", "-p", "no:unraisableexception", "-p", "no:hypothesispytest"),
            jobs=options.jobs,
            timeout=options.timeout,
            stops=False,
        )

    @property
    def selection(self) -> str:
        return " ".join(self.only)

    def repeat(self, test_id: str) -> str:
        """The shell command that repeats one test function."""
        options = self.options
        words = ["conformance", "numpy", "--module", options.module]
        words += ["--suite", options.suite] if options.suite else []
        words += ["--only", test_id]
        words += ["--no-numpy", *options.no_numpy] if options.no_numpy is not None else []
        return f"python -m {shlex.join(words)}"

    def session(self, request: Pytest) -> Session:
        if request.tests:
            return super().session(request)
        what = f"no test matches {self.selection!r}"
        log = Log(self.about, problems=[Problem("broken run", request.module, what)])
        return Session(log, "", 0, 0.0)

    def about(self, test_id: str) -> tuple[str, str]:
        return test_id.split("::")[0], function_id(test_id)

    def judge(self, run: NumpyRun, expectations: dict[str, str], session: Session) -> None:
        """Make the results of test functions from those of their parameter sets."""
        run.only = self.only
        if run.module == self.options.module:
            run.repeat = self.repeat
        # A file that cannot be collected is a failure of its tests.
        run.problems = [p for p in run.problems if p.kind != "not collected"]
        expected = Expectations(expectations)
        sets: dict[str, list[Result]] = {}
        for one in run.results:
            sets.setdefault(one.function, []).append(one)
        collected: dict[str, list[str]] = {}
        for test_id in session.log.collected:
            collected.setdefault(function_id(test_id), []).append(test_id)
        run.results = []
        for test in self.functions:
            found = sets.get(test.id, [])
            foreseen = expected.of(test.id, found, collected.get(test.id, []))
            run.results.append(_merged(test, found, session.log, foreseen.reasons))
            run.problems += foreseen.problems
        run.results += self.out
        run.problems += expected.unknown({t.id for f in self.files for t in f.functions})

    def label(self, run: NumpyRun) -> str:
        return f"NumPy {_files.version()} tests"

    def title(self, run: NumpyRun) -> str:
        return f"NumPy's tests on {run.module}"

    def tables(self, runs: Sequence[NumpyRun]) -> list[Table]:
        subject, *peers = runs
        shown = [o for o in subject.outcomes
                 if o in ("passed", "failed") or any(r.counts()[o] for r in runs)]  # fmt: skip

        def cells(columns: Sequence[Counter[str]]) -> list[Cell]:
            return [*apart(columns[0], shown), *map(percent, columns)]

        headings = ("file", *shown, "share", *(peer.module for peer in peers))
        table = Table("By file", f"NumPy's tests on {subject.name}", headings)
        files, areas = [run.by_chapter() for run in runs], [run.areas() for run in runs]
        for area in areas[0]:
            for file in (f for f in files[0] if f.startswith(f"{area}/")):
                name = file.replace("/tests/", "/").removesuffix(".py")
                table.add(name, *cells([f.get(file, Counter()) for f in files]))
            table.add(area, *cells([a.get(area, Counter()) for a in areas]), total=True)
        table.add("all", *cells([run.counts() for run in runs]), total=True)
        out = Table("Out of scope", "out of scope", ("reason", "tests"))
        reasons = {row.title: row.reason for row in TABLE}
        for title, found in subject.by_reason(OUT):
            out.add(f"{title}: {reasons[title]}", str(len(found)))
        return [table, out] if out.rows else [table]

    def verdict(self, run: NumpyRun) -> str:
        return (
            f"{run.name}: {run.share:.1f} % of {run.in_scope} test functions of NumPy "
            f"in scope ({run.line()}; {run.seconds:.0f} s)"
        )

    def notes(self, run: NumpyRun) -> list[str]:
        return [
            f"The tests are those of NumPy {_files.version()} as it is installed.",
            "A test function passes when all its parameter sets pass.",
            "What is out of scope is decided by the table in conformance/numpy_suite/_scope.py.",
        ]

    def cell(self, result: Result) -> tuple[str, str] | None:
        return None if result.outcome == OUT else super().cell(result)

    def data(self, runs: Sequence[NumpyRun]) -> dict[str, Any]:
        return {"numpy": _files.version(), "rule": {row.title: row.reason for row in TABLE}}


def _size(path: str) -> int:
    return -Path(path).stat().st_size


def _merged(
    test: TestFunction, found: Sequence[Result], log: Log, reasons: Mapping[str, str]
) -> Result:
    """The outcome of a test function from those of its parameter sets.

    `reasons` are the reasons of expected failures. If all failures are expected, the function
    counts as expected to fail, even if some of its sets pass.
    """
    result = Result(test.id, test.file, test.id, "failed", seconds=sum(r.seconds for r in found))
    bad = [r for r in found if r.outcome == "failed" and r.id not in reasons]
    if test.file in log.skipped_files and not found:
        result.outcome, result.essence = "skipped", log.skipped_files[test.file]
    elif bad:
        worst = min(bad, key=lambda r: ("hung", "crashed", "failed", "error").index(r.how))
        many = f" [{len(bad)} of {len(found)} parameter sets]" if len(found) > 1 else ""
        result.how, result.essence = worst.how, worst.essence + many
        result.detail = "\n".join([*(r.id for r in bad[:50]), worst.detail])
    elif reasons:
        result.outcome, result.essence = "xfailed", "; ".join(dict.fromkeys(reasons.values()))
        result.detail = "\n".join(reasons)
    elif not found:
        problems = (p.message for p in log.problems if p.subject == test.file)
        result.how, result.detail = "error", next(problems, "was not collected")
        result.essence = f"not collected: {result.detail}"
    elif any(r.outcome == "passed" for r in found):
        result.outcome = "passed"
    else:
        # NumPy expects all sets to fail, so there is nothing to pass.
        result.outcome, result.essence = "skipped", found[0].essence
    return result
