"""Each world catches what it is for, at the library's line, and lets the portable form through."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from conformance.worlds import WORLDS, World, portable, world
from conformance.worlds._comparison import difference
from tests.conformance.worlds import library
from tests.conformance.worlds.cases import CASES

NAMES = [w.name for w in WORLDS]


def call(name: str, function: Any, inputs: tuple[list[float], ...]) -> Any:
    """A function under test in a world."""
    with world(name) as xp:
        return portable(function)(*(xp.asarray(values) for values in inputs))


@pytest.fixture(params=WORLDS, ids=NAMES)
def each(request: pytest.FixtureRequest) -> World:
    found: World = request.param
    assert found.name in CASES, f"{found.name} has nothing that it must catch"
    if not found.installed:
        pytest.skip(f"{found.needs} is not installed")
    return found


def test_it_catches(each: World):
    """The function runs elsewhere, and in the world it raises at a line of the library."""
    caught = CASES[each.name].caught
    call(caught.runs_in, caught.function, caught.inputs)
    with pytest.raises(Exception, match=re.escape(caught.text)) as raised:
        call(each.name, caught.function, caught.inputs)
    note = "\n".join(raised.value.__notes__)
    assert note.startswith(f"world {each.name!r} at {library.__file__}:")
    assert f" in {caught.function.__name__}" in note
    assert caught.call in note
    assert note.rstrip().endswith(".")


def test_it_lets_through(each: World):
    """The portable function gives in the world what it gives on NumPy's arrays."""
    case = CASES[each.name]
    got = call(each.name, case.let_through, case.inputs)
    wanted = case.let_through(*map(np.asarray, case.inputs))
    assert not difference(got, wanted, 1e-5, dtypes=False)


def test_every_case_is_of_a_world():
    assert list(CASES) == NAMES


def test_worlds_say_what_they_are():
    for w in WORLDS:
        assert w.sentence
        assert not w.sentence.endswith(".")
        assert w.remedy.endswith(".")
