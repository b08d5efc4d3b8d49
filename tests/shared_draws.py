"""Many examples of many functions: the cases of a parametrised property share their draws.

Drawing an example costs ten times what it costs to run a function on it. With the environment
variable ``XP_TORCH_SHARED_DRAWS`` set, a test that is parametrised over functions draws each
example once and runs every case on it, so 10,000 examples of each function take minutes:

    XP_TORCH_SHARED_DRAWS=1 XP_TORCH_EXAMPLES=10000 XP_TORCH_SEED=1 python -m pytest tests

The count holds for tests that ask for fewer examples too. The last lines of the run give the
cases that were left out of an example most often, by an assumption of the test.
"""

from __future__ import annotations

import copy
import os
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, is_hypothesis_test, settings
from hypothesis.errors import UnsatisfiedAssumption

ran: Counter[str] = Counter()
"""How many examples each case has run on."""


def requested() -> bool:
    return bool(os.environ.get("XP_TORCH_SHARED_DRAWS"))


def _copied(value: Any) -> Any:
    """A case's own example: a test may change what it was given."""
    if isinstance(value, tuple):
        return tuple(_copied(v) for v in value)
    return copy.deepcopy(value) if type(value).__name__ == "Spec" else value


def _all_cases(test: Callable[..., None], cases: list[pytest.Function]) -> Callable[..., None]:
    def run(**drawn: Any) -> None:
        satisfied = False
        for case in cases:
            parameters = case.callspec.params
            arguments = {name: _copied(value) for name, value in drawn.items()}
            try:
                test(**(arguments | parameters))
            except UnsatisfiedAssumption:
                continue
            except BaseException as error:
                error.add_note(f"case: {case.nodeid}")
                raise
            satisfied = True
            ran[case.nodeid] += 1
        assume(satisfied)

    return run


def share(items: list[pytest.Item]) -> None:
    """Keep one item of each parametrised property, which runs all of its cases."""
    groups: dict[tuple[str, str], list[pytest.Function]] = {}
    kept = []
    for item in items:
        if not isinstance(item, pytest.Function) or not is_hypothesis_test(item.obj):
            kept.append(item)
            continue
        group = groups.setdefault((item.parent.nodeid, item.originalname), [])
        if not group:
            kept.append(item)
        group.append(item)
    for cases in groups.values():
        test = cases[0].obj
        # A decorator refuses a test that has settings of its own, and @given kept them here.
        own = test._hypothesis_internal_use_settings
        count = settings.default.max_examples
        test._hypothesis_internal_use_settings = settings(own, max_examples=count)
        if hasattr(cases[0], "callspec"):
            test.hypothesis.inner_test = _all_cases(test.hypothesis.inner_test, cases)
    items[:] = kept


def summary() -> list[str]:
    """The cases that ran on the fewest examples."""
    return [f"{count:6d} examples: {case}" for case, count in ran.most_common()[:-11:-1]]
