"""Tests run with an original, then with a module in its place; the results are compared.

Only what passes with the original counts. A test that is missing from the second run has failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ._causes import UNKNOWN, Cause
from ._namespace import about
from ._results import OUTCOMES, Problem, Result, Run, UnableError
from ._runner import Pytest, Session
from ._suite import Suite

MISSING = "missing"


@dataclass
class TwiceRun(Run):
    """The results of the tests for a module, of those that pass with the original.

    `control` are the results with the original, `wall` the seconds of the module's run alone.
    """

    control: Run = field(default_factory=lambda: Run(""))
    wall: float = 0.0

    @property
    def share(self) -> float:
        """The passed share, in percent."""
        return 100 * self.counts()["passed"] / max(len(self.results), 1)

    @property
    def times(self) -> float | None:
        """The time of the tests that pass with both, over the original's; None if that is 0."""
        before = {r.id: r.seconds for r in self.control.results}
        passed = [r for r in self.results if r.outcome == "passed"]
        control = sum(before[r.id] for r in passed)
        return sum(r.seconds for r in passed) / control if control else None


class Twice(Suite[TwiceRun]):
    """A suite whose module takes the place of an original."""

    run_type = TwiceRun

    original: str
    """The module that the tests are written for."""

    original_name: str
    """Its name in sentences."""

    @property
    def subject(self) -> str:
        """What is tested, in sentences."""
        raise NotImplementedError

    def namespace(self, module: str) -> str:
        """The namespace that a module belongs to."""
        return module

    def run(self) -> list[TwiceRun]:
        """Run the tests twice."""
        module, device = self.options.module, self.device
        expectations = self.expectations(module, self.options.expected, device)
        version = about(self.namespace(module), device).version
        control, before = self.control()
        request = replace(self.request(module, device), options=control.options)
        after = self.session(request)
        run = TwiceRun(module, version, request.repeat, wall=after.seconds)
        run.results, run.causes = compared(before, after)
        run.seconds = before.seconds + after.seconds
        run.control = Run(self.original, about(self.original).version, results=before.results)
        run.control.seconds = before.seconds
        # Uncollected files and dead processes lose tests, and those are counted as failed.
        if not after.results and after.log.problems:
            run.problems = [Problem("broken run", module, after.log.problems[-1].message)]
        self.judge(run, expectations, before)
        return [run]

    def control(self) -> tuple[Pytest, Session]:
        """Run the tests with the original; return the run of pytest that works, too."""
        request = self.request(self.original, None)
        return request, self.checked(self.session(request))

    def checked(self, session: Session) -> Session:
        """The run with the original. Raises UnableError if nothing passes in it."""
        if not any(r.outcome == "passed" for r in session.results):
            problems = session.log.problems
            message = problems[0].message if problems else session.output
            what = f"no test of {self.tested} passes with {self.original_name}"
            raise UnableError(f"{what}\n{message}")
        return session

    @property
    def tested(self) -> str:
        """Whose tests they are."""
        return self.subject

    def caption(self, run: TwiceRun) -> str:
        return f"{self.subject} on {run.name}: what passes with {self.original_name}"

    def verdict(self, run: TwiceRun) -> str:
        name = self.original_name
        times = f", {run.times:.1f} times {name}'s time" if run.times else ""
        return (
            f"{self.subject} on {run.name}: {run.share:.1f} % of the {len(run.results)} tests that "
            f"pass with {name} {run.control.version} ({run.line()}{times})"
        )

    def library(self) -> dict[str, Any]:
        """The name and the version of the library whose tests they are, for the JSON report."""
        raise NotImplementedError

    def data(self, runs: Sequence[TwiceRun]) -> dict[str, Any]:
        (run,) = runs
        control = run.control
        return {
            **super().data(runs),
            "library": self.library(),
            "share": round(run.share, 2),
            "times": None if run.times is None else round(run.times, 2),
            "warnings": self.warnings,
            "causes": run.cause_data(),
            "control": {
                "module": self.original,
                "version": control.version,
                "counts": {outcome: control.counts()[outcome] for outcome in OUTCOMES},
                "seconds": round(control.seconds, 3),
            },
            "wall": round(run.wall, 3),
        }


def compared(control: Session, subject: Session) -> tuple[list[Result], dict[str, Cause]]:
    """The outcome of each test that passes with the original. A missing test has failed."""
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
