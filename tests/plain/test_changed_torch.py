"""A torch whose private names have changed: plain programs run as without us, ours right or not.

Each name that is changed of torch is taken away, and given one more parameter or keyword, in torch
and wherever torch uses it (``changed_torch``). Programs on arrays then give what they give in eager
mode, in however many graphs, or are refused.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.slow import one_in
from xp_torch._torch import patches

from .changed_torch import run

patches.install_all()
CHANGED = [
    change
    for change in patches.PATCHES
    if change.state == "installed" and change.module in patches.RULES
]  # fmt: skip
"""What an import of ours changes; ``jit`` alone changes the two others."""
TARGETS = {f"{change.module}:{change.found}": change for change in CHANGED}

SCALARS = {"extremes"}
"""After a break torch makes 0-D arrays of NumPy's scalars: the values are right, not the class."""


@pytest.fixture(scope="session")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What becomes of plain programs without us, and with torch as it is."""
    result: dict[str, Any] = run(tmp_path_factory.mktemp("plain"), "gone", [], without=True)[
        "plain"
    ]
    return result


def check(result: dict[str, Any], reference: dict[str, Any], words: str) -> None:
    for name, outcome in result["plain"].items():
        assert outcome == reference[name], name
    for name, outcome in result["ours"].items():
        assert outcome["wrong"] is None or name in SCALARS, (name, outcome)
        if outcome["error"] is not None:
            assert "--doctor" in str(outcome["error"]), (name, outcome["error"])
            assert words in str(outcome["error"])


@pytest.mark.parametrize("target", one_in(6, TARGETS))
def test_a_name_that_is_gone(target: str, tmp_path: Path, reference: dict[str, Any]):
    change = TARGETS[target]
    check(run(tmp_path, "gone", [target], without=False), reference, f"rule for {change.names[0]}")


VALUE = "should_reinplace_scatter"
"""A function that torch keeps in a table; there the changed torch has another one."""


def groups() -> list[list[str]]:
    """The targets, in lists without two functions of one name; ``VALUE`` has its own."""
    made: dict[tuple[bool, int], list[str]] = {}
    seen: Counter[str] = Counter()
    for target in TARGETS:
        name = target.rpartition(".")[2]
        if not target.endswith(VALUE):
            made.setdefault(("_inductor" in target, seen[name]), []).append(target)
            seen[name] += 1
    return [*made.values(), [target for target in TARGETS if target.endswith(VALUE)]]


@pytest.mark.parametrize("change", ["required", "keyword"])
@pytest.mark.parametrize(
    "targets", one_in(4, groups()), ids=lambda targets: f"{len(targets)} functions"
)
def test_functions_with_more_parameters(
    targets: list[str], change: str, tmp_path: Path, reference: dict[str, Any]
):
    """What our rules do not know is passed on. A rule that calls such a function breaks the graph.

    With one more keyword they work as before.
    """
    result = run(tmp_path, change, targets, without=False)
    check(result, reference, "the rule")
    for name, outcome in result["ours"].items():
        assert outcome["error"] is None, name
        if change == "keyword" and not targets[0].endswith(VALUE):
            assert outcome["wrong"] is None, name
            assert "--doctor" not in str(outcome["breaks"]), name
