"""The results of a suite for one namespace, and their counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from ._causes import UNKNOWN, Cause

OUTCOMES = ("passed", "failed", "skipped", "xfailed")
STALE = "stale expectation"
"""The kind of problem that an entry of a file of expected failures is."""
SOME_PROCESSORS = "on some processors"
"""How the reason of an expected failure begins that may pass: last digits are the processor's."""


class UnableError(Exception):
    """A command that cannot run; the message says why."""


@dataclass
class Result:
    """One test. `how` says more about a failure: failed, error, crashed or hung.

    `essence` is the most important line: of the failure, or the reason of a skip or an expected
    failure. `function` is the function that the test is for, or "".
    """

    id: str
    chapter: str
    function: str
    outcome: str
    how: str = ""
    essence: str = ""
    detail: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Problem:
    """A problem that is not a failed test: a stale expectation, an uncollected file."""

    kind: str
    subject: str
    message: str


@dataclass(frozen=True)
class Group:
    """The failures of one cause."""

    cause: Cause
    results: list[Result]


@dataclass
class Run:
    """The results of a suite for one namespace; `repeat` gives the command for one test."""

    outcomes: ClassVar[tuple[str, ...]] = OUTCOMES

    module: str
    version: str = ""
    repeat: Callable[[str], str] = str
    results: list[Result] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    causes: dict[str, Cause] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """The module and its version, where it has one."""
        return f"{self.module} {self.version}".strip()

    @property
    def failures(self) -> list[Result]:
        return [r for r in self.results if r.outcome == "failed"]

    @property
    def faults(self) -> list[Result]:
        """The failures that make a run fail."""
        return self.failures

    @property
    def ok(self) -> bool:
        """True only if tests ran, none failed, and no expectation is stale."""
        return bool(self.results) and not self.faults and not self.problems

    def counts(self) -> Counter[str]:
        return Counter(r.outcome for r in self.results)

    def by_chapter(self) -> dict[str, Counter[str]]:
        """The outcomes counted per chapter, chapters in alphabetical order."""
        table: dict[str, Counter[str]] = {}
        for result in self.results:
            table.setdefault(result.chapter, Counter())[result.outcome] += 1
        return dict(sorted(table.items()))

    def by_reason(self, outcome: str) -> list[tuple[str, list[Result]]]:
        """The tests of an outcome grouped by essence, the largest group first."""
        return grouped(r for r in self.results if r.outcome == outcome)

    def by_cause(self) -> list[Group]:
        """The failures that count by their causes, the largest group first."""
        table: dict[Cause, list[Result]] = {}
        for result in self.faults:
            table.setdefault(self.causes.get(result.id, UNKNOWN), []).append(result)
        found = [Group(cause, results) for cause, results in table.items()]
        return sorted(found, key=lambda group: -len(group.results))

    def advice(self, group: Group) -> list[str]:
        """What is known of a cause beside its message: lines of text."""
        return []

    def cause_data(self) -> list[dict[str, Any]]:
        """The JSON data of the causes."""
        return [
            {
                **asdict(group.cause),
                "tests": [r.id for r in group.results],
                "essence": group.results[0].essence,
                "repeat": self.repeat(group.results[0].id),
            }
            for group in self.by_cause()
        ]

    def shown(self) -> list[str]:
        """The outcomes that a table or a line names."""
        counts = self.counts()
        return [o for o in self.outcomes if counts[o] or o in ("passed", "failed")]

    def line(self) -> str:
        """The counts, and the number of problems."""
        counts = self.counts()
        problems = [f"{len(self.problems)} other problems"] if self.problems else []
        return ", ".join([*(f"{counts[o]} {o}" for o in self.shown()), *problems])

    def data(self) -> dict[str, Any]:
        """The JSON data of the run."""
        return {
            "module": self.module,
            "version": self.version,
            "seconds": round(self.seconds, 3),
            "ok": self.ok,
            "counts": {outcome: self.counts()[outcome] for outcome in self.outcomes},
            "chapters": {
                title: {outcome: counts[outcome] for outcome in self.outcomes}
                for title, counts in self.by_chapter().items()
            },
            "problems": [asdict(problem) for problem in self.problems],
            "skipped": {reason: len(found) for reason, found in self.by_reason("skipped")},
            "tests": [
                asdict(r) | ({"repeat": self.repeat(r.id)} if r.outcome == "failed" else {})
                for r in self.results
            ],
        }


def grouped(results: Iterable[Result]) -> list[tuple[str, list[Result]]]:
    """Group results by essence, the largest group first."""
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(result.essence, []).append(result)
    return sorted(found.items(), key=lambda item: -len(item[1]))


def judge(run: Run, expected: dict[str, str], collected: set[str]) -> None:
    """Apply the expected failures to a run, in place.

    A failure with an entry becomes `xfailed`. An entry whose test passed (if it may not), or that
    names no test of the suite, is a problem. An entry whose test was not selected or was skipped
    has no effect.
    """
    by_id = {r.id: r for r in run.results}
    for test_id, reason in expected.items():
        result = by_id.get(test_id)
        if result is not None and result.outcome == "failed":
            result.outcome, result.essence = "xfailed", reason
        elif result is not None and result.outcome == "passed":
            run.problems += judge_pass(test_id, reason)
        elif result is None and test_id not in collected:
            message = "is expected to fail, but the suite has no such test"
            run.problems.append(Problem(STALE, test_id, message))


def judge_pass(test_id: str, reason: str) -> list[Problem]:
    """The problem of an expected failure that passes: none where only some processors fail."""
    if reason.startswith(SOME_PROCESSORS):
        return []
    return [Problem(STALE, test_id, f"passes, but is expected to fail: {reason}")]
