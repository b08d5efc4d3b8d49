"""Functions that get a generator of random numbers: compiled they draw the same."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import numpy_shim

from .with_numba import by_numba, needs_numba, told

pytestmark = [needs_numba, pytest.mark.usefixtures("whatever_it_takes")]
GENERATORS = [np.random.default_rng, numpy_shim.random.default_rng]


def sweep(spins, beta, rng):
    n = len(spins)
    places = rng.integers(0, n, size=(n * n, 2))
    chance = rng.random(n * n)
    for k in range(n * n):
        i, j = places[k]
        around = spins[(i + 1) % n, j] + spins[i - 1, j] + spins[i, (j + 1) % n] + spins[i, j - 1]
        change = 2 * spins[i, j] * around
        if change <= 0 or chance[k] < np.exp(-beta * change):
            spins[i, j] = -spins[i, j]


def walk(rng, n):
    x, far = 0.0, 0.0
    for _ in range(n):
        x += rng.normal(0.0, 1.0) if rng.random() < 0.5 else rng.uniform(-1.0, 1.0)
        far = max(far, abs(x + rng.integers(-2, 3)))
    return x, far, rng.standard_normal(3), rng.exponential(2.0), rng.standard_exponential()


def state(rng: Any) -> str:
    return repr(rng.bit_generator.state)


@pytest.mark.parametrize("make", GENERATORS)
def test_arrays_are_changed_alike(make: Any):
    of = np.asarray if make is np.random.default_rng else numpy_shim.asarray
    f, rng, other = by_numba(sweep), make(0), make(0)
    x, y = (of(np.ones((12, 12), dtype=int)) for _ in range(2))
    for _ in range(3):
        f(x, 0.4, rng)
        sweep(y, 0.4, other)
        assert x.tolist() == y.tolist()
        assert state(rng) == state(other)
    assert f.explain().state == "compiled by Numba"


@pytest.mark.parametrize("make", [
    *GENERATORS, lambda seed: np.random.Generator(np.random.MT19937(seed)),
    lambda seed: np.random.Generator(np.random.SFC64(seed)),
])  # fmt: skip
def test_numbers_are_the_same(make: Any):
    f, rng, other = by_numba(walk), make(1), make(1)
    for _ in range(3):
        assert repr(f(rng, 500)) == repr(walk(other, 500))
        assert state(rng) == state(other)
    (chosen,) = f.explain().choices
    assert (chosen.by, chosen.fast.calls) == ("Numba", 2)


def quotient(rng, x):
    total = 0.0
    for i in range(x.shape[0]):
        total += rng.random() / x[i]
    return total


def test_a_call_that_fails_draws_once():
    f, rng, other = by_numba(quotient), np.random.default_rng(2), np.random.default_rng(2)
    for x in (np.ones(50), np.ones(50), np.zeros(50), np.ones(50)):
        with np.errstate(divide="ignore"):
            assert repr(f(rng, x)) == repr(quotient(other, x))
        assert state(rng) == state(other)
    (chosen,) = f.explain().choices
    assert chosen.missed.calls == 1


def of_a_tuple(pair):
    rng, more = pair
    return rng.random() + more


def of_numpy(n):
    return np.random.random() if n > 3 else 0.5


def test_what_is_not_compiled():
    rng = np.random.default_rng(0)
    f = by_numba(of_a_tuple)
    assert f((rng, 1)) == 1 + np.random.default_rng(0).random()
    assert told(f) == "a generator of random numbers stands in a tuple"
    f = by_numba(of_numpy)
    assert f(1) == 0.5
    assert "random" in told(f)


def test_another_stream_is_chosen_later():
    f, rng = by_numba(quotient), numpy_shim.random.default_rng(0)
    x = numpy_shim.ones(5)
    f(rng, x), f(rng, x)
    assert f.explain().state == "compiled by Numba"
    with numpy_shim.random.set_stream("torch"):
        again = copy.deepcopy(rng)
        assert float(f(rng, x)) == float(quotient(again, x))


def test_torchs_stream_is_torchs():
    f, rng = by_numba(quotient), numpy_shim.random.default_rng(0)
    with numpy_shim.random.set_stream("torch"):
        again = copy.deepcopy(rng)
        found = f(rng, numpy_shim.ones(5)), f(rng, numpy_shim.ones(5))
        expected = quotient(again, numpy_shim.ones(5)), quotient(again, numpy_shim.ones(5))
    assert [float(x) for x in found] == [float(x) for x in expected]
    assert f.explain().state == "runs as it was"
