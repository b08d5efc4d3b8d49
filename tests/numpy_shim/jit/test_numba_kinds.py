"""Numbers whose kind the data decide: Numba tells it beside the result."""

from __future__ import annotations

import math
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from .with_numba import by_numba, needs_numba, told

pytestmark = [needs_numba, pytest.mark.usefixtures("whatever_it_takes")]


def totalled(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i]
    return total


def totalled_from_an_integer(x):
    total = 0
    for v in x:
        total = total + v * 2.0
    return total, -1, total


def one_of_two(x):
    found = 1
    for i in range(x.shape[0]):
        if x[i] > 0:
            found = 0.5
    return found


def mean(x):
    total = 0
    count = 0
    for v in x:
        if v > 0:
            total += v
            count += 1
    if count == 0:
        return 0.0
    return total / count


def extremes(x):
    largest, smallest, at = 0.0, 5.0, -1
    for i in range(x.shape[0]):
        largest = max(largest, abs(x[i]))
        smallest = min(x[i], smallest)
        if x[i] > 2:
            at = i
    return largest, -smallest, at, largest > 1


def folded(x):
    total = 0
    largest, place = 0.0, -1
    for i in range(0, x.shape[0], 100):
        total += np.sum(x[i : i + 100]) + x[i : i + 100].mean()
        largest = max(largest, np.dot(x[i : i + 9], x[i : i + 9]))
        place = x[i : i + 100].argmax()
    return total, largest, place


def square(x):
    return x * x


def distance(x, i, j):
    return math.sqrt(square(x[i] - x[j]) + square(i - j))


def by_helpers(x):
    total, largest = 0.0, 0.0
    counted = 0
    for i in range(1, x.shape[0]):
        total += square(x[i])
        largest = max(largest, distance(x, i, i - 1))
        counted = square(i)
    return total, largest, counted, square(largest)


def item_or_none(x):
    for v in x:
        if v > 0:
            return v
    return None


@pytest.mark.parametrize(
    "function",
    [
        totalled,
        totalled_from_an_integer,
        one_of_two,
        mean,
        extremes,
        folded,
        by_helpers,
        item_or_none,
    ],
)
def test_kinds_of_results(function: FunctionType):
    f = by_numba(function)
    some_nan = np.full(2000, np.nan)
    some_nan[3] = 2.0
    for x in (
        np.ones(2000), np.ones(2000), np.zeros(0), np.full(2000, -1.0), np.full(2000, 3.0),
        np.zeros(2000), some_nan,
    ):  # fmt: skip
        assert repr(f(x)) == repr(function(x))
    assert {c.by for c in f.explain().choices} == {"Numba"}
    assert sum(c.fast.calls for c in f.explain().choices) >= 4


def kept_or_limit(x: Any, limit: Any, n: Any) -> Any:
    best = limit
    for i in range(n):
        if x[i] > 0.5:
            return i
        best = limit * 2
    return best


def test_kinds_of_arguments():
    f = by_numba(kept_or_limit)
    for limit in (7, np.int64(7)):
        for x in (np.zeros(2000), np.zeros(2000), np.linspace(0, 1, 2000)):
            for n in (2000, 0):
                assert repr(f(x, limit, n)) == repr(kept_or_limit(x, limit, n))
    assert {c.by for c in f.explain().choices} == {"Numba"}


def in_a_call(x):
    return totalled(x), x.shape[0]


def two_kinds(x):
    if x.shape[0] > 3:
        return x.shape[0]
    return 0.5


@pytest.mark.parametrize("function", [in_a_call, two_kinds])
def test_what_cannot_be_followed(function: FunctionType):
    f = by_numba(function)
    for x in (np.ones(2000), np.ones(2000)):
        assert repr(f(x)) == repr(function(x))
    assert "depends on the data" in told(f)


def lowest(x):
    least = 5.0
    for v in x:
        least = min(least, v)
    return 1 / least


def test_an_error_is_the_functions():
    f = by_numba(lowest)
    assert repr(f(np.ones(2000))) == repr(lowest(np.ones(2000)))
    with np.errstate(divide="ignore"):
        assert repr(f(np.zeros(2000))) == repr(lowest(np.zeros(2000)))
    assert f(np.zeros(0)) == 0.2
