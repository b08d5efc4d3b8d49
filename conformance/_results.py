"""The results of one run of the suite, and their counts."""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

OUTCOMES = ("passed", "failed", "skipped", "xfailed")


@dataclass
class Result:
    """One test. `how` says more about a failure: failed, error, crashed or hung.

    `essence` is the most important line: of the failure, or the reason of a skip or an expected
    failure. `function` is the standard's name that the test is for, or "".
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
class Settings:
    """The settings of a run."""

    module: str
    suite: Path
    seed: int
    max_examples: int
    jobs: int
    device: str | None = None
    api_version: str | None = None
    only: str | None = None
    timeout: float = 900.0

    def repeat(self, test_id: str) -> str:
        """The shell command that repeats one test with the same examples."""
        variables = {
            "PYTHONPATH": str(Path(__file__).parents[1]),
            "ARRAY_API_TESTS_MODULE": self.module,
            "ARRAY_API_TESTS_VERSION": self.api_version,
            "XP_TORCH_API_VERSION": self.api_version,
            "XP_TORCH_CONFORMANCE_DEVICE": self.device,
        }
        named = " ".join(f"{k}={shlex.quote(v)}" for k, v in variables.items() if v)
        return (
            f"cd {shlex.quote(str(self.suite))} && {named} python -m pytest "
            f"-p no:cacheprovider -p conformance.pytest_plugin {shlex.quote(test_id)} "
            f"--max-examples {self.max_examples} --disable-deadline --hypothesis-seed={self.seed}"
        )


@dataclass(kw_only=True)
class Outcomes(ABC):
    """The results of a suite for one namespace, as far as all suites share them."""

    results: list[Result] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    seconds: float = 0.0

    @property
    @abstractmethod
    def module(self) -> str:
        """The namespace."""

    @abstractmethod
    def repeat(self, test_id: str) -> str:
        """The shell command that repeats one test."""

    @property
    def failures(self) -> list[Result]:
        return [r for r in self.results if r.outcome == "failed"]

    @property
    def ok(self) -> bool:
        """True only if tests ran, none failed, and no expectation is stale."""
        return bool(self.results) and not self.failures and not self.problems

    def counts(self) -> Counter[str]:
        return Counter(r.outcome for r in self.results)

    def by_chapter(self) -> dict[str, Counter[str]]:
        """The outcomes counted per chapter, chapters in alphabetical order."""
        table: dict[str, Counter[str]] = {}
        for result in self.results:
            table.setdefault(result.chapter, Counter())[result.outcome] += 1
        return dict(sorted(table.items()))

    def skip_reasons(self) -> list[tuple[str, list[Result]]]:
        """The skipped tests grouped by reason, most frequent first."""
        return grouped(r for r in self.results if r.outcome == "skipped")

    def expected_failures(self) -> list[tuple[str, list[Result]]]:
        """The tests that failed as expected, grouped by reason."""
        return grouped(r for r in self.results if r.outcome == "xfailed")


class OfModule:
    """The run of a module whose settings name it, and repeat a test of it; before ``Outcomes``."""

    settings: Any
    version: str

    @property
    def module(self) -> str:
        return str(self.settings.module)

    @property
    def name(self) -> str:
        """The module and its version, where it has one."""
        return f"{self.module} {self.version}".strip()

    def repeat(self, test_id: str) -> str:
        return str(self.settings.repeat(test_id))


@dataclass
class Run(Outcomes):
    """The results of array-api-tests for one namespace."""

    settings: Settings
    version: str
    api_version: str

    @property
    def module(self) -> str:
        return self.settings.module

    def repeat(self, test_id: str) -> str:
        return self.settings.repeat(test_id)


def grouped(results: Iterable[Result]) -> list[tuple[str, list[Result]]]:
    """Group results by essence, the largest group first."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(result.essence, []).append(result)
    return sorted(groups.items(), key=lambda item: -len(item[1]))


def judge(run: Outcomes, expected: dict[str, str], collected: set[str]) -> None:
    """Apply the expected failures to a run, in place.

    A failure with an entry becomes `xfailed`. An entry whose test passed, or that names no test of
    the suite, is a problem. An entry whose test was not selected or was skipped has no effect.
    """
    by_id = {r.id: r for r in run.results}
    for test_id, reason in expected.items():
        result = by_id.get(test_id)
        if result is not None and result.outcome == "failed":
            result.outcome, result.essence = "xfailed", reason
        elif result is not None and result.outcome == "passed":
            message = f"passes, but is expected to fail: {reason}"
            run.problems.append(Problem("stale expectation", test_id, message))
        elif result is None and test_id not in collected:
            message = "is expected to fail, but the suite has no such test"
            run.problems.append(Problem("stale expectation", test_id, message))
