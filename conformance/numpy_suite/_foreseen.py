"""The expected failures of NumPy's tests: of a whole function, or of its parameter sets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from .._results import STALE, Problem, Result, judge_pass
from ._files import function_id


@dataclass
class Foreseen:
    """Which results of one test function are expected to fail, with the reason of each."""

    reasons: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


class Expectations:
    """The entries of a file of expected failures, by function.

    An entry `file.py::test` stands for every parameter set, so that none may pass;
    `file.py::test[params]` stands for one.
    """

    def __init__(self, entries: dict[str, str]) -> None:
        self._whole = {i: reason for i, reason in entries.items() if function_id(i) == i}
        self._sets: dict[str, dict[str, str]] = {}
        for test_id, reason in entries.items():
            if test_id not in self._whole:
                self._sets.setdefault(function_id(test_id), {})[test_id] = reason

    def unknown(self, functions: Collection[str]) -> list[Problem]:
        """The entries with a function that the suite does not have."""
        message = "is expected to fail, but the suite has no such test"
        absent = [i for i in (*self._whole, *self._sets) if i not in functions]
        return [Problem(STALE, test_id, message) for test_id in absent]

    def of(self, function: str, found: Sequence[Result], collected: Iterable[str]) -> Foreseen:
        """Apply the entries of a function to its results.

        `collected` are all parameter sets; a run may have only some of them.
        """
        whole, sets = self._whole.get(function), self._sets.get(function, {})
        foreseen = Foreseen()
        if whole is not None and sets:
            message = "is listed as a whole and by parameter sets"
            foreseen.problems.append(Problem(STALE, function, message))
        reasons = {r.id: sets.get(r.id, whole) for r in found}
        foreseen.reasons = {
            r.id: reason
            for r in found
            if r.outcome == "failed" and (reason := reasons[r.id]) is not None
        }
        if whole is not None and not found:  # it could not be collected
            foreseen.reasons[function] = whole
        for result in found:
            if result.outcome == "passed" and result.id in sets:
                foreseen.problems += judge_pass(result.id, sets[result.id])
        passed = [r for r in found if r.outcome == "passed" and r.id not in sets]
        if whole is not None and passed and foreseen.reasons:
            some = f"{len(passed)} of {len(found)}"
            message = f"is expected to fail, but {some} parameter sets pass: name those that fail"
            foreseen.problems.append(Problem(STALE, function, message))
        elif whole is not None and passed:
            foreseen.problems += judge_pass(function, whole)
        known = set(collected)
        if any(function_id(i) == function for i in known):
            message = "is expected to fail, but the suite has no such parameter set"
            foreseen.problems += [Problem(STALE, i, message) for i in sets if i not in known]
        return foreseen
