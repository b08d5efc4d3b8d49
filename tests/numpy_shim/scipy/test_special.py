"""Functions of ``scipy.special`` that are SciPy's Python text over ours, beside SciPy."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import scipy.special

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim.scipy import special
from numpy_shim.scipy._special import FUNCTIONS, NAMES

from .beside import compare_calls

X = numpy.array([0.3, 1.0, 2.5, 7.0, 12.0])
EDGES = numpy.array([0.0, -0.0, -3.2, numpy.nan, numpy.inf])
ROUND = numpy.array([0.0, 2 * numpy.pi, 4 * numpy.pi, 1e-9])
ORDERS = numpy.array([0, 1, 2])
CALLS: list[tuple[Any, ...]] = [
    ("diric", X, 3), ("diric", X[::2], ORDERS), ("diric", X.astype("f"), 4), ("diric", ROUND, 4),
    ("diric", numpy.arange(5), 2), ("diric", X[:0], 3), ("diric", X[0:1].reshape(()), 3),
    ("diric", EDGES, 5), ("assoc_laguerre", X, 3), ("assoc_laguerre", X, 2, 1.5),
    *((name, *args) for name in ("jvp", "yvp", "ivp", "kvp") for args in [
        (2, X), (2, X, 0), (1.5, X, 3), (ORDERS, X[:3]), (ORDERS[:, None], X), (0, X[:0]),
        (0, X[:1].reshape(())), (1, X, -1), (1, X, 1.5), (0, X.astype("f")),
    ]),
]  # fmt: skip


def test_the_names_are_all_here():
    assert {*FUNCTIONS} == {*NAMES}


@pytest.mark.parametrize("case", range(len(CALLS)))
def test_samples(case: int, where: str):
    """On the device an array that would cross to the host is an error."""
    name, *args = CALLS[case]
    compare_calls(FUNCTIONS[name], getattr(scipy.special, name), args, {}, where)


@pytest.mark.parametrize("name", ["jvp", "yvp", "ivp", "kvp"])
def test_the_gradient_is_the_next_derivative(name: str):
    x = np.asarray(X[:3], device="npy")
    slope = np.grad(lambda x: getattr(special, name)(1, x).sum())(x)
    assert str(slope.device).startswith("npy")
    expected = getattr(scipy.special, name)(1, X[:3], 2)
    numpy.testing.assert_allclose(numpy.asarray(slope.tolist()), expected, rtol=1e-12)
