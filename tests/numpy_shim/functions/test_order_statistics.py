"""Medians, percentiles and quantiles against NumPy."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.differential import compare, roundings
from tests.strategies import arrays, axes
from xp_torch._core import dtypes

CLOSE = {"float16": 2e-3, "float32": 2e-6, "float64": 1e-14, "complex64": 2e-6, "complex128": 1e-14}
REAL = [
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64",
]  # fmt: skip
METHODS = [
    "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf",
    "hazen", "weibull", "linear", "median_unbiased", "normal_unbiased", "lower", "higher",
    "midpoint", "nearest",
]  # fmt: skip
DATA = [[5, 0, 3, 7], [4, 5, 120, 3], [2, 2, 9, 1]]


def spec(values: Any, dtype: str = "float64") -> Spec:
    return Spec(numpy.array(values, dtype))


@st.composite
def reductions(draw: Any) -> tuple[Spec, Any, bool]:
    a = draw(arrays())
    return a, draw(axes(a.values.ndim)), draw(st.booleans())


@settings(max_examples=200)
@given(reductions())
def test_median(case: tuple[Spec, Any, bool]):
    a, axis, keepdims = case
    # NumPy cannot merge several axes of an empty array.
    assume(a.values.size or not isinstance(axis, tuple))
    if a.values.dtype.kind == "c":
        a = Spec(numpy.nan_to_num(a.values), a.layout)  # which NaN it is depends on the sort
    compare(
        lambda np, x: np.median(x, axis=axis, keepdims=keepdims), a,
        rtol=CLOSE, signed_zeros=False,
    )  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=25)
@given(
    arrays(dtypes.REAL_NUMERIC, finite=True),
    st.one_of(st.floats(0, 1), st.lists(st.floats(0, 1), max_size=3), st.sampled_from([0, 1])),
    st.sampled_from([None, 0, -1, (0, 1), 5]),
    st.booleans(),
)
def test_quantile(method: str, a: Spec, q: Any, axis: Any, keepdims: bool):
    # NumPy cannot merge several axes of an empty array.
    assume(a.values.size or not (isinstance(axis, tuple) or q == []))
    compare(
        lambda np, x: np.quantile(x, q, axis, method=method, keepdims=keepdims), a,
        rtol=CLOSE, atol=roundings(a) or 1e-13, signed_zeros=False,
    )  # fmt: skip


@settings(max_examples=60)
@given(arrays(dtypes.REAL_FLOATING), st.sampled_from(METHODS), st.sampled_from([0.3, [0.2, 0.9]]))
def test_quantile_with_special_values(a: Spec, method: str, q: Any):
    compare(
        lambda np, x: np.quantile(x, q, 0, method=method), a, rtol=CLOSE, atol=roundings(a),
        signed_zeros=False,
    )  # fmt: skip


@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("method", METHODS)
def test_every_dtype(dtype: str, method: str):
    a = spec(DATA, dtype)
    for q in (30, 62.5, [0, 12.5, 100], [[10, 20], [30, 40]]):
        for axis in (None, 1):
            compare(
                lambda np, x, q=q, axis=axis: np.percentile(x, q, axis, method=method), a,
                rtol=CLOSE,
            )  # fmt: skip
    for kind in ("float16", "float32", "float64"):
        compare(
            lambda np, x, q: np.quantile(x, q, 0, method=method), a, spec([0.25, 0.5], kind),
            rtol={**CLOSE, "float64": 1e-12},
        )  # fmt: skip
    compare(lambda np, x: np.median(x, 0), a)


@pytest.mark.parametrize("dtype", REAL)
def test_weights(dtype: str):
    a, w = spec(DATA, dtype), spec([[1, 2, 0, 1], [0, 0, 1, 3], [1, 1, 1, 1]])
    for q in (0.3, [0, 0.5, 1.0]):
        for axis in (None, 0, 1, (0, 1)):
            compare(
                lambda np, x, w, q=q, axis=axis: np.quantile(
                    x, q, axis, method="inverted_cdf", weights=w
                ), a, w,
            )  # fmt: skip


@pytest.mark.parametrize(
    "body",
    [
        lambda np, a: np.median(5),
        lambda np, a: np.median([]),
        lambda np, a: np.median(np.zeros((0, 3)), axis=0),
        lambda np, a: np.median(np.zeros((0, 3)), axis=1),
        lambda np, a: np.median([True, False]),
        lambda np, a: np.median([1j, 2]),
        lambda np, a: np.median([1.0, np.nan, 3.0]),
        lambda np, a: np.median(a, axis=[0, 1], keepdims=True),
        lambda np, a: np.median(a, axis=7),
        lambda np, a: np.median(a, 0, np.zeros(4, "int32")),
        lambda np, a: np.median(a, 0, np.zeros(3)),
        lambda np, a: np.median(a, out=np.zeros((1, 1)), keepdims=True),
        lambda np, a: np.quantile([], 0.5),
        lambda np, a: np.quantile(np.zeros((0, 3)), [0.5, 0.2], axis=1),
        lambda np, a: np.quantile(np.zeros((0, 3)), 0.5, axis=0),
        lambda np, a: np.quantile(a, 1.5),
        lambda np, a: np.quantile(a, [0.5, -1]),
        lambda np, a: np.quantile(a, np.nan),
        lambda np, a: np.percentile(a, 101),
        lambda np, a: np.quantile(a, [[[0.5]]]),
        lambda np, a: np.quantile(a, 0.5, method="wrong"),
        lambda np, a: np.quantile([1j], 0.5),
        lambda np, a: np.quantile([True, False], 0.5),
        lambda np, a: np.quantile([True, False], 0.5, method="lower"),
        lambda np, a: np.quantile(a, 0.5, 0, np.zeros(4)),
        lambda np, a: np.quantile(a, 0.5, 0, np.zeros(4, "float32")),
        lambda np, a: np.quantile(a, 0.5, 0, np.zeros(4, int)),
        lambda np, a: np.quantile(a, 0.5, 0, np.zeros(4, int), method="lower"),
        lambda np, a: np.quantile(a, 0.5, 0, np.zeros(3)),
        lambda np, a: np.quantile(a, [0.5, 0.1], 0, np.zeros((2, 1, 4)), keepdims=True),
        lambda np, a: np.quantile(a, 0.5, weights=a),
        lambda np, a: np.quantile(a, 0.5, weights=[1, 2], method="inverted_cdf"),
        lambda np, a: np.quantile(a, 0.5, 1, weights=[1, 2, 3, 4], method="inverted_cdf"),
        lambda np, a: np.quantile(a, 0.5, 1, weights=[1, 2, 3], method="inverted_cdf"),
        lambda np, a: np.quantile(a, 0.5, weights=-a, method="inverted_cdf"),
        lambda np, a: np.quantile(a, 0.5, weights=a * 0, method="inverted_cdf"),
        lambda np, a: np.quantile(a, 0.5, weights=a * np.nan, method="inverted_cdf"),
        lambda np, a: np.quantile(a + 0, 0.5, 1, overwrite_input=True),
        lambda np, a: np.quantile([1.0, np.inf], 1),
        lambda np, a: np.quantile([1.0, np.inf], 1.0),
        lambda np, a: np.quantile(a, True),
        lambda np, a: np.quantile(a, np.array(0)),
    ],
)
def test_arguments_and_errors(body: Any):
    compare(body, spec(DATA))


def test_nothing_waits_for_a_device():
    a = numpy_shim.asarray(torch.ones((2, 3), device="meta"))
    assert numpy_shim.median(a, 0)._tensor.shape == (3,)
    assert numpy_shim.quantile(a, [0.1, 0.2], 0)._tensor.shape == (2, 3)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_median_of_repeated_elements(dtype: str):
    """Of an axis that repeats one element in memory."""
    a = Spec(numpy.array([[1, 7, 3], [0, 0, 0]], dtype), "broadcast")
    compare(lambda np, x: [np.median(x, axis=i) for i in (None, 0, 1)], a)


def _long(kind: str) -> numpy.ndarray:
    """A row that is too long to be sorted for a few of its elements."""
    random = numpy.random.default_rng(0)
    row = random.normal(size=30_001)
    made = {
        "float64": row,
        "float32": row.astype(numpy.float32),
        "in order": numpy.sort(row),
        "periodic": numpy.tile(row[:31], 900),
        "integers": (row * 1e6).astype(numpy.int64),
        "few values": (row * 2).astype(numpy.int8),
        "one value": numpy.full(30_000, 3.0),
        "infinities": numpy.where(abs(row) > 1, numpy.inf * row, row),
        "nan": numpy.where(row > 3, numpy.nan, row),
        "rows": row[:30_000].reshape(3, 10_000),
        "uint32": (row * 1e6).astype(numpy.uint32),
    }
    return made[kind]


@pytest.mark.parametrize("kind", [
    "float64", "float32", "in order", "periodic", "integers", "few values", "one value",
    "infinities", "nan", "rows", "uint32",
])  # fmt: skip
@pytest.mark.parametrize("q", [0.0, 0.5, 0.937, 1.0, [0.1, 0.9], [0.25, 0.5, 0.75]], ids=str)
def test_long_rows(kind: str, q: Any):
    """Elements that are selected are those that sorting finds, by every rule."""
    row = Spec(_long(kind))
    for method in ("linear", "lower", "midpoint", "hazen", "inverted_cdf"):
        compare(lambda np, a: np.quantile(a, q, axis=-1, method=method), row)  # noqa: B023
    compare(lambda np, a: np.median(a, axis=-1), row)
    compare(lambda np, a: np.median(a[..., ::-1][..., :-1]), row)
