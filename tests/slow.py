"""Cases that take long and stand near others: ``pytest --slow`` runs them, too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(number: int, cases: Iterable[Any]) -> list[Any]:
    """The cases of a parametrised test: the first of each ``number`` is always run.

    >>> [bool(getattr(case, "marks", ())) for case in one_in(2, "abc")]
    [False, True, False]
    """
    return [case if i % number == 0 else slow(case) for i, case in enumerate(cases)]


def slow(case: Any) -> Any:
    """One case of a parametrised test that takes long."""
    values = case if type(case) is tuple else (case,)
    return pytest.param(*values, marks=pytest.mark.slow)


def deselect(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests out, unless they are asked for, or named themselves."""
    if config.getoption("--slow"):
        return
    named = tuple([str(name) for name in config.args if "::" in str(name)])
    left = [
        item
        for item in items
        if item.get_closest_marker("slow") and not item.nodeid.startswith(named)
    ]
    if left:
        config.hook.pytest_deselected(items=left)
        dropped = set(map(id, left))
        items[:] = [item for item in items if id(item) not in dropped]
