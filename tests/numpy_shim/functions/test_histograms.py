"""Histograms and counts against NumPy."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import numpy_shim
from numpy_shim._base.release import BINCOUNT_NEEDS_INTEGERS
from numpy_shim._functions import histogram_edges
from tests.differential import Spec
from tests.numpy_shim.differential import ROUNDING, compare
from tests.strategies import arrays
from xp_torch._core import dtypes

ALL_DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64",
]  # fmt: skip
RULES = ["auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt"]
DATA = [1, 0, 3, 7, 4, 5, 120, 3, 2, 2, 9, 1]
RANDOM = numpy.random.RandomState(0).standard_normal(200)


def spec(values: Any, dtype: str = "float64") -> Spec:
    return Spec(numpy.array(values, dtype))


@settings(max_examples=100)
@given(
    arrays(dtypes.REAL_NUMERIC, finite=True),
    st.one_of(
        st.integers(1, 20),
        st.lists(st.integers(-5, 5), min_size=1, max_size=5).map(sorted),
        st.lists(st.floats(-50, 50, width=16), min_size=2, max_size=5).map(sorted),
    ),
    st.sampled_from([None, (-3, 4), (0.5, 7.25), (2, 2)]),
    st.booleans(),
)
def test_histogram(a: Spec, bins: Any, edges: Any, density: bool):
    if a.values.dtype.name in ("int64", "uint64"):
        a = Spec(a.values >> 12, a.layout)  # NumPy's bins are those of float64
    compare(
        lambda np, x: np.histogram(x, bins, edges, density), a, rtol=1e-13, atol=1e-300,
        signed_zeros=False,
    )  # fmt: skip


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("value", [numpy.inf, -numpy.inf, numpy.nan])
def test_rules_refuse_what_is_not_finite(rule: str, value: float, monkeypatch: pytest.MonkeyPatch):
    """On a device too: a rule reads values there, which a number of bins does not."""
    a = spec([1.0, value, 2])
    for function in ("histogram", "histogram_bin_edges"):
        compare(lambda np, x, f=function: getattr(np, f)(x, rule), a)
    monkeypatch.setattr(histogram_edges, "holds_somewhere", lambda condition: False)
    with pytest.raises(ValueError, match="autodetected range of"):
        numpy_shim.histogram([1.0, value, 2], rule)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "float64"])
def test_rules(rule: str, dtype: str):
    for values in (DATA, RANDOM * 20, [1, 2], [3], [5, 5, 5], []):
        a = spec(numpy.array(values).astype(dtype), dtype)
        compare(lambda np, x: np.histogram(x, rule), a, rtol=ROUNDING)
        compare(lambda np, x: np.histogram_bin_edges(x, rule, (0, 5)), a, rtol=ROUNDING)


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_every_dtype(dtype: str):
    a = spec(DATA, dtype)
    compare(lambda np, x: np.histogram(x, 5), a)
    compare(lambda np, x: np.histogram(x, [0, 2, 5, 7]), a)
    compare(lambda np, x: np.histogram(x, 4, (0, 5)), a)
    for weights in [*ALL_DTYPES[1:], "complex64", "complex128"]:
        w = spec(range(len(DATA)), weights)
        compare(lambda np, x, w: np.histogram(x, 5, weights=w), a, w)
        compare(lambda np, x, w: np.histogram(x, [0, 2, 5, 7], weights=w), a, w)
        compare(lambda np, x, w: np.bincount(x, w), spec(DATA), w)


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_bincount_of_every_dtype(dtype: str):
    compare(lambda np, x: np.bincount(x), spec(DATA, dtype))
    compare(lambda np, x: np.bincount(x, minlength=130), spec(DATA, dtype))
    compare(lambda np, x: np.bincount(x, x / 2), spec(DATA, dtype))


@pytest.mark.skipif(BINCOUNT_NEEDS_INTEGERS, reason="an error beside NumPy 2.5")
def test_bincount_warns_of_floats():
    with pytest.warns(DeprecationWarning, match="Non-integer input") as caught:
        numpy_shim.bincount([0.5, 1.2])
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    "body",
    [
        lambda np: np.bincount([1, 2, 2], minlength=-1),
        lambda np: np.bincount([1, 2, 2], minlength=None),
        lambda np: np.bincount([1, 2, 2], minlength="3"),
        lambda np: np.bincount([1, 2, 2], minlength=1.5),
        lambda np: np.bincount([]),
        lambda np: np.bincount([0.5, 1.2]),
        lambda np: np.bincount([], minlength=3),
        lambda np: np.bincount([-1, 2]),
        lambda np: np.bincount([[1]]),
        lambda np: np.bincount(np.zeros(0)),
        lambda np: np.bincount([1, 2], [1]),
        lambda np: np.bincount([1, 2], [1, 2j]),
        lambda np: np.bincount(3),
        lambda np: np.histogram([1, 1], 3),
        lambda np: np.histogram([1, 1], 3, density=True),
        lambda np: np.histogram([], 3),
        lambda np: np.histogram([1, 1.5], [1, 3, 2]),
        lambda np: np.histogram([1, 1.5], 0),
        lambda np: np.histogram([1, 1.5], 2.5),
        lambda np: np.histogram([1, 1.5], [[1, 2]]),
        lambda np: np.histogram([1, np.nan], 3),
        lambda np: np.histogram([1, np.inf], 3),
        lambda np: np.histogram([1, np.nan, 2, 0], [0, 1, 2]),
        lambda np: np.histogram([1, 2], 3, (2, 1)),
        lambda np: np.histogram([1, 2], 3, (0, np.inf)),
        lambda np: np.histogram([1, 2], "wrong"),
        lambda np: np.histogram([1, 2], "auto", weights=[1, 2]),
        lambda np: np.histogram([[1, 2], [3, 4]]),
        lambda np: np.histogram([1, 2], weights=[1]),
        lambda np: np.histogram(5),
        lambda np: np.histogram([1.0, 1.0 + 1e-15], 100),
        lambda np: np.histogram([1, 2, 2, 3], [1, 2, 2]),
        lambda np: np.histogram([1, 2, 2, 3], [2]),
        lambda np: np.histogram2d([1, 2], [3, 4], bins=2),
        lambda np: np.histogram2d([1, 2], [3, 4], bins=[2, 3]),
        lambda np: np.histogram2d([1, 2], [3, 4], bins=[[1, 2, 3], [3, 4]]),
        lambda np: np.histogram2d([1, 2], [3, 4], bins=[1, 2, 3]),
        lambda np: np.histogram2d([1, 2], [3, 4], bins=[2, [1.0, 3.5, 5]]),
        lambda np: np.histogram2d([1, 2], [3, 4], 2, [[0, 3], [2, 8]], True),
        lambda np: np.histogram2d([1, 2], [3, 4, 5]),
        lambda np: np.histogramdd([[1, 2], [3, 4]], bins=2),
        lambda np: np.histogramdd(np.array([[1, 2], [3, 4]]), bins=2),
        lambda np: np.histogramdd(np.array([[1, 2], [3, 4]]), bins=2, weights=[1, 2]),
        lambda np: np.histogramdd(np.array([[1, 2], [3, 4]]), bins=2, density=True),
        lambda np: np.histogramdd(np.array([[1, 2], [3, 4]]), bins=[2]),
        lambda np: np.histogramdd(np.array([[1, 2], [3, 4]]), bins=[2, 0]),
        lambda np: np.histogramdd(np.array([[1, 2], [3, 4]]), bins=[2, 1.5]),
        lambda np: np.histogramdd(np.array([[1, 2], [3, 4]]), range=[(0, 1)]),
        lambda np: np.histogramdd(np.array([[1, 2], [3, 4]]), 2, [None, (0, 9)]),
        lambda np: np.histogramdd(np.array([1, 2]), bins=[2]),
        lambda np: np.histogramdd(np.ones((1, 10)), bins=2**10),
        lambda np: np.histogramdd(np.zeros((2, 2, 2))),
        lambda np: np.histogramdd(np.ones((5, 3), "f4") * 0.1, bins=3),
        lambda np: np.histogramdd(np.zeros((0, 2)), bins=3),
    ],
)
def test_arguments_and_errors(body: Any):
    compare(body, rtol=1e-14)


def test_nothing_waits_for_a_device():
    a = numpy_shim.asarray(torch.ones(7, device="meta"))
    assert numpy_shim.histogram(a, 5)[0]._tensor.shape == (5,)
    assert numpy_shim.histogram2d(a, a, 3, density=True)[0]._tensor.shape == (3, 3)
