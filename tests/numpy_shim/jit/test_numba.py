"""Numba gives what the function gives: where it would compute otherwise, the function runs."""

from __future__ import annotations

import math
import warnings
from types import FunctionType
from typing import Any

import numpy
import numpy as np
import pytest

import numpy_shim

from .with_numba import by_numba, eliminated, matrix, needs_numba

pytestmark = pytest.mark.usefixtures("whatever_it_takes")

OFFSET = 3


@needs_numba
class TestNumba:
    def test_a_loop(self):
        f = by_numba(eliminated)
        for _ in range(3):
            a, b = matrix(), matrix()
            assert f(a) is a
            numpy.testing.assert_allclose(a, eliminated(b), rtol=1e-14)
        assert f.explain().state == "compiled by Numba"

    def test_our_arrays(self):
        f = by_numba(eliminated)
        for _ in range(2):
            a = numpy_shim.asarray(matrix())
            assert type(f(a)) is numpy_shim.ndarray
            numpy.testing.assert_allclose(numpy.asarray(a), eliminated(matrix()), rtol=1e-13)

    def test_scalars_are_of_the_functions_kind(self):
        def f(x):
            total = x[0]
            for i in range(1, x.shape[0]):
                total += x[i] * x[i]
            return total, x.shape[0], math.sqrt(total), total > 3, 2 * x.shape[0] / 3

        g = by_numba(f)
        for _ in range(2):
            kinds = [type(v) for v in g(np.arange(2000.0))]
            assert kinds == [numpy.float64, int, float, numpy.bool_, float]
        assert g.explain().state == "compiled by Numba"

    def test_globals_that_change(self, monkeypatch: pytest.MonkeyPatch):
        f = by_numba(shifted)
        for _ in range(2):
            assert f(np.zeros(500)).tolist() == [3] * 500
        monkeypatch.setitem(globals(), "OFFSET", 5)
        assert f(np.zeros(500)).tolist() == [5] * 500


def shifted(x):
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        out[i] = x[i] + OFFSET
    return out


def quotients(x, y):
    for i in range(x.shape[0]):
        x[i] = x[i] / y[i]
    return x


def whole_quotients(x, y):
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        out[i] = x[i] // y[i]
    return out


def gathered(x, index):
    out = np.zeros(index.shape[0])
    for i in range(index.shape[0]):
        x[i] = i
        out[i] = x[index[i]]
    return out


def multiplied(x, n):
    for i in range(x.shape[0]):
        x[i] = x[i] * 0.5
    total = 1
    for _ in range(n):
        total = total * 3
    return x + total


def fibonacci(x, n):
    for i in range(x.shape[0]):
        x[i] = x[i] * 0.5
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return x + float(b)


def increased(x, n):
    for i in range(x.shape[0]):
        x[i] = x[i] * 0.5
    return x, n + 1


def decreased(x, n):
    for i in range(x.shape[0]):
        x[i] = x[i] * 0.5
    return x, n - 2


def negated(x, n):
    for i in range(x.shape[0]):
        x[i] = x[i] * 0.5
    return x, -n


def absolute(x, n):
    for i in range(x.shape[0]):
        x[i] = x[i] * 0.5
    return x, abs(n)


def paired(x):
    out = np.zeros(x.shape[0], dtype=np.int64)
    for i in range(1, x.shape[0]):
        out[i] = x[i] + x[i - 1]
    return out


def unused_quotient(x, n):
    for i in range(x.shape[0]):
        x[i] = x[i] * 0.5
    2.5 / n
    return x, 5 / n, n / 2.5


def backwards(x, n):
    steps = 0
    for _ in range(10, n, -1):
        steps += 1
        if steps > x.shape[0]:
            break
    return x, steps


def ratio(x, n):
    for i in range(x.shape[0]):
        x[i] = x[i] * 0.5
    return x, n / 3


def roots(x):
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        out[i] = math.sqrt(x[i])
    return out


def failing(x, n):
    for i in range(n):
        x[i] = 7.0
        if i == 1000:
            raise LookupError("a thousand")
    return x


def is_equal(x, n):
    for i in range(x.shape[0]):
        x[i] = x[i] * 0.5
    return x, n == 9007199254740992.0, n > 9007199254740992.0


ONES = np.ones(2000)
INDICES = np.arange(2000)
LARGEST = 2**63 - 1


@needs_numba
@pytest.mark.parametrize(
    ("function", "usual", "unusual"),
    [
        (quotients, (ONES, ONES), (ONES, np.zeros(2000))),
        (whole_quotients, (INDICES, INDICES + 1), (INDICES, INDICES)),
        (whole_quotients, (ONES, ONES), (ONES, np.zeros(2000))),
        (gathered, (ONES, INDICES), (ONES, INDICES + 1)),
        (gathered, (ONES, INDICES), (ONES, -INDICES - 1)),
        (gathered, (ONES, INDICES), (ONES, -INDICES - 2)),
        (multiplied, (ONES, 30), (ONES, 60)),
        (fibonacci, (ONES, 50), (ONES, 200)),
        (increased, (ONES, 3), (ONES, LARGEST)),
        (decreased, (ONES, 3), (ONES, -LARGEST)),
        (negated, (ONES, 3), (ONES, -LARGEST - 1)),
        (absolute, (ONES, 3), (ONES, -LARGEST - 1)),
        (is_equal, (ONES, 3), (ONES, 2**53 + 1)),
        (is_equal, (ONES, 3), (ONES, -(2**53) - 1)),
        (unused_quotient, (ONES, -1), (ONES, 0)),
        (backwards, (ONES, 3), (ONES, -LARGEST)),
        (paired, (INDICES,), (INDICES + (LARGEST - 1999),)),
        (ratio, (ONES, 7), (ONES, 2**62 + 3)),
        (roots, (ONES,), (-ONES,)),
        (failing, (ONES, 900), (ONES, 1200)),
    ],
)
def test_numbas_differences(function: FunctionType, usual: Any, unusual: Any):
    """What Numba computes otherwise runs as it is: results, errors, warnings, arguments."""

    def outcome(f: Any, arguments: Any) -> tuple[Any, ...]:
        given = [v.copy() if hasattr(v, "copy") else v for v in arguments]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                result, error = f(*given), None
            except Exception as found:
                result, error = None, (type(found), str(found))
        told = sorted({(w.category, str(w.message)) for w in caught}, key=str)
        results = result if isinstance(result, tuple) else (result,)
        return [(type(v), numpy.asarray(v).tolist()) for v in (*results, *given)], error, told

    compiled = by_numba(function)
    for arguments in (usual, usual, unusual, usual):
        theirs, ours = outcome(function, arguments), outcome(compiled, arguments)
        assert str(ours) == str(theirs)
    (chosen,) = compiled.explain().choices
    assert chosen.by == "Numba", chosen


def overlapping(x, y):
    for i in range(x.shape[0]):
        x[i] = y[i] + 1.0
    return x


@needs_numba
def test_arrays_that_share_memory():
    """Two arguments on one memory run as they are."""
    compiled = by_numba(overlapping)
    compiled(ONES.copy(), ONES)
    ours, theirs = np.arange(50.0), np.arange(50.0)
    compiled(ours[1:], ours[:-1])
    overlapping(theirs[1:], theirs[:-1])
    assert ours.tolist() == theirs.tolist()
