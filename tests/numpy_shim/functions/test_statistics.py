"""Means, variances, averages and covariances against NumPy."""

from __future__ import annotations

import warnings
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.differential import compare, few_roundings, roundings
from tests.strategies import arrays, axes
from xp_torch._core import dtypes

CLOSE = few_roundings()
ALL_DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip
DATA = [[1, 0, 3], [4, 5, 60]]


def spec(values: Any, dtype: str = "float64") -> Spec:
    return Spec(numpy.array(values, dtype))


@st.composite
def reductions(draw: Any) -> tuple[Spec, Any, bool]:
    # Sums of values near a dtype's limits differ in the last place by much.
    a = draw(arrays(dtypes.FLOATING, finite=draw(st.booleans())))
    if a.values.dtype.kind == "c":
        a = Spec(numpy.nan_to_num(a.values, posinf=2, neginf=-2), a.layout)
    a = Spec(numpy.where(abs(a.values) > 1e20, 7, a.values).astype(a.values.dtype), a.layout)
    return a, draw(axes(a.values.ndim)), draw(st.booleans())


@pytest.mark.parametrize("name", ["mean", "var", "std"])
@settings(max_examples=80)
@given(reductions(), st.sampled_from([0, 1, 0.5, -1]))
def test_over_axes(name: str, case: tuple[Spec, Any, bool], ddof: float):
    a, axis, keepdims = case
    options = {} if name == "mean" else {"ddof": ddof}
    atol = roundings(a) if name == "mean" else roundings(a, a)
    if name == "std":
        atol **= 0.5  # the root of a variance that is all rounding
    compare(
        lambda np, x: getattr(np, name)(x, axis=axis, keepdims=keepdims, **options), a,
        rtol=CLOSE, atol=atol, signed_zeros=False,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["mean", "var", "std"])
@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_every_dtype_and_option(name: str, dtype: str):
    a = spec(DATA, dtype)
    mask = spec([[True, False, True], [False, False, True]], "bool")
    for axis in (None, 0, (0, 1), ()):
        compare(lambda np, x, axis=axis: getattr(np, name)(x, axis), a, rtol=CLOSE)
        compare(
            lambda np, x, m, axis=axis: getattr(np, name)(x, axis, where=m), a, mask, rtol=CLOSE
        )
    for into in ALL_DTYPES:
        if into in ("bool", "uint8", "uint16", "uint32", "uint64"):
            continue  # NumPy divides zero by zero there, or leaves the cast to the processor
        compare(lambda np, x, into=into: getattr(np, name)(x, dtype=into), a, rtol=CLOSE)
        compare(
            lambda np, x, o: getattr(np, name)(x, 0, out=o), a, spec([0, 0, 0], into), rtol=CLOSE
        )
        compare(
            lambda np, x, o: getattr(np, name)(x, 0, np.float32, o), a, spec([0, 0, 0], into),
            rtol={**CLOSE, "float64": 1e-5, "complex128": 1e-5},
        )  # fmt: skip


@pytest.mark.parametrize(
    "body",
    [
        lambda np, a: np.mean(a, 5),
        lambda np, a: np.mean(np.asarray(1.0), 0),
        lambda np, a: np.var(np.asarray(1.0), -1),
        lambda np, a: np.var(np.asarray(1.0)),
        lambda np, a: np.mean([]),
        lambda np, a: np.mean([], axis=0),
        lambda np, a: np.var(np.zeros((0, 3)), axis=0),
        lambda np, a: np.std(np.zeros((0, 3)), axis=1),
        lambda np, a: np.std(a, ddof=6),
        lambda np, a: np.std(a, ddof=7),
        lambda np, a: np.std(a, ddof=1, correction=1),
        lambda np, a: np.std(a, correction=1),
        lambda np, a: np.var(a, mean=np.mean(a, 1, keepdims=True), axis=1),
        lambda np, a: np.var(a, mean=[[1], [2]], axis=1),
        lambda np, a: np.var(a, mean=np.zeros((2, 4)), axis=1),
        lambda np, a: np.std(a, dtype=int, axis=1),
        lambda np, a: np.std(a, dtype=int),
        lambda np, a: np.mean(a, where=[True, False]),
        lambda np, a: np.mean(a, axis=1, where=[[True], [False]]),
        lambda np, a: np.mean([[1, 2], [3, 4]], (0, 1), keepdims=True),
        lambda np, a: np.mean(3),
        lambda np, a: np.mean(a, out=4),
        lambda np, a: np.var(a, out=np.zeros(7)),
        lambda np, a: np.mean(a, dtype=complex),
        lambda np, a: np.std(a, 0, complex),
    ],
)
def test_arguments_and_errors(body: Any):
    compare(body, spec(DATA), rtol=CLOSE)


def test_warnings_of_too_few():
    for name, match in (("mean", "Mean of empty"), ("var", "Degrees of"), ("std", "Degrees of")):
        for body in (
            lambda np, n=name: getattr(np, n)(np.zeros(0)),
            lambda np, n=name: getattr(np, n)(np.zeros((2, 3)), axis=0, where=False),
        ):
            with pytest.warns(RuntimeWarning, match=match):
                body(numpy_shim)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        numpy_shim.mean(numpy_shim.zeros((2, 3)), axis=0, where=True)


def test_nothing_waits_for_a_device():
    a = numpy_shim.asarray(torch.ones((2, 3), device="meta"))
    for name in ("mean", "var", "std", "average"):
        assert getattr(numpy_shim, name)(a, 0)._tensor.shape == (3,)
    mask = numpy_shim.asarray(torch.ones((2, 3), device="meta", dtype=torch.bool))
    assert numpy_shim.var(a, 0, where=mask)._tensor.shape == (3,)
    assert numpy_shim.average(a, 1, weights=a)._tensor.shape == (2,)
    assert numpy_shim.cov(a)._tensor.shape == (2, 2)


AVERAGES = [
    lambda np, a: np.average(a),
    lambda np, a: np.average(a, 0, returned=True),
    lambda np, a: np.average(a, 0, returned=True, keepdims=True),
    lambda np, a: np.average(a, weights=a),
    lambda np, a: np.average(a, 1, weights=[1, 2, 3], returned=True),
    lambda np, a: np.average(a, (1,), weights=[1, 2, 3], keepdims=True),
    lambda np, a: np.average(a, (0, 1), weights=[[1, 2, 3], [4, 5, 6]]),
    lambda np, a: np.average(a, (1, 0), weights=[[1, 2], [3, 4], [5, 6]]),
    lambda np, a: np.average(a, (0, 1), weights=[[1, 2], [3, 4], [5, 6]]),
    lambda np, a: np.average(a, weights=[1, 2, 3]),
    lambda np, a: np.average(a, 0, weights=[1, 2, 3]),
    lambda np, a: np.average(a, 1, weights=np.asarray([1.0, 2, 3], dtype=np.float32)),
    lambda np, a: np.average(a, 1, weights=[1j, 2, 3]),
    lambda np, a: np.average(a, 1, weights=[0, 0, 0]),
    lambda np, a: np.average(3),
    lambda np, a: np.average(3, weights=2),
    lambda np, a: np.average(a, 2),
]


@pytest.mark.parametrize("body", AVERAGES)
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float32", "complex64"])
def test_average(body: Any, dtype: str):
    compare(body, spec(DATA, dtype), rtol=CLOSE, atol=1e-12)


COVARIANCES = [
    lambda np, a: np.cov(a),
    lambda np, a: np.cov(a, rowvar=False),
    lambda np, a: np.cov(a, a),
    lambda np, a: np.cov(a, a, rowvar=False),
    lambda np, a: np.cov(a, [1, 2, 3]),
    lambda np, a: np.cov(a, [[1, 2, 3]], False),
    lambda np, a: np.cov([1, 2, 3], [4, 5, 7]),
    lambda np, a: np.cov([1, 2, 3]),
    lambda np, a: np.cov(5),
    lambda np, a: np.cov(a, bias=True),
    lambda np, a: np.cov(a, ddof=2),
    lambda np, a: np.cov(a, ddof=1.5),
    lambda np, a: np.cov(a, fweights=[1, 2, 3]),
    lambda np, a: np.cov(a, aweights=[1, 0.5, 3]),
    lambda np, a: np.cov(a, aweights=[1, 0.5, 3], ddof=0),
    lambda np, a: np.cov(a, fweights=[1, 2, 1], aweights=[1, 0.5, 3]),
    lambda np, a: np.cov(a, fweights=[1, 2.5, 1]),
    lambda np, a: np.cov(a, fweights=[1, -2, 1]),
    lambda np, a: np.cov(a, aweights=[1, -2, 1]),
    lambda np, a: np.cov(a, fweights=[1, 2]),
    lambda np, a: np.cov(a, aweights=[[1, 2, 3]]),
    lambda np, a: np.cov(a, fweights=[0, 0, 0]),
    lambda np, a: np.cov(a, dtype=np.float32),
    lambda np, a: np.cov(np.zeros((1, 2, 3))),
    lambda np, a: np.cov(np.zeros((0, 3))),
    lambda np, a: np.cov(np.zeros((2, 0))),
    lambda np, a: np.corrcoef(a),
    lambda np, a: np.corrcoef(a, rowvar=False),
    lambda np, a: np.corrcoef(a, [1, 2, 3]),
    lambda np, a: np.corrcoef([1, 2, 3]),
    lambda np, a: np.corrcoef([[1, 2, 3], [3, 3, 3]]),
]


@pytest.mark.parametrize("body", COVARIANCES)
@pytest.mark.parametrize("dtype", ["int8", "uint64", "float16", "float64", "complex64"])
def test_covariance(body: Any, dtype: str):
    a = spec(numpy.array(DATA) * (1 + 0.5j) if dtype == "complex64" else DATA, dtype)
    compare(body, a, rtol={**CLOSE, "float32": 1e-4}, atol=1e-12)


@pytest.mark.parametrize("dtype", ["int8", "uint64", "float16", "float64", "complex64"])
def test_covariance_of_too_few_observations(dtype: str):
    """Infinite, and NaN where infinity meets a zero.

    The means are whole numbers, so that the products are exact. Where they are not, the BLAS
    kernel of NumPy decides: one that fuses multiplication and addition leaves 1e-17 for the
    imaginary part of a variance, which is then infinite.
    """
    values = numpy.array([[1, 0, 2], [4, 5, 60]])
    a = spec(values * (1 + 0.5j) if dtype == "complex64" else values, dtype)
    compare(lambda np, x: np.cov(x, ddof=5), a)
