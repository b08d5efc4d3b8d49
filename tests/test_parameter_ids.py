"""Parameter sets are named by what they are, not by where they stand."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

from tests.parameter_ids import LONGEST, parameter_id


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (lambda np, a: np.sum(a, axis=0), "np.sum(a, axis=0)"),
        (lambda: [f(1) for f in (lambda x: -x, lambda x: x + 1)], "[f(1) for f in (lambda x: -x, "
         "lambda x: x + 1)]"),
        ([(1, 2), None, ...], "[(1, 2), None, Ellipsis]"),
        (slice(None, -1), "slice(None, -1, None)"),
        (np.array([0, 1]), "array([0, 1])"),
        (np.True_, "np.True_"),
        ([object()], None),
        (operator.add, None),
        (1.5, None),
        ("text", None),
    ],
    ids=range(10),
)  # fmt: skip
def test_parameter_id(value: Any, expected: str | None):
    """The text of a lambda or of plain values; pytest's own id for everything else."""
    assert parameter_id(value) == expected


def test_lambdas_on_one_line():
    """Each has its own text."""
    first, second = (lambda x: x + 1), (lambda x: x + 2)
    assert (parameter_id(first), parameter_id(second)) == ("x + 1", "x + 2")


def test_long_ids_are_cut():
    found = parameter_id(list(range(100)))
    assert found is not None
    assert len(found) == LONGEST
