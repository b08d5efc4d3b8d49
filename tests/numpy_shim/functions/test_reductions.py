"""Sums, products, extrema and truth: every dtype, axis and option against NumPy."""

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
from tests.numpy_shim.differential import compare, outcome, roundings
from tests.strategies import arrays, axes

# Sums of large cancelling terms are compared in test_sum_of_small_numbers_is_close.
SUM = {"float16": 1e-2, "float32": 1e-5, "float64": 1e-12, "complex64": 1e-4, "complex128": 1e-11}
ALL_DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip


def spec(values: Any, dtype: str = "float64") -> Spec:
    return Spec(numpy.array(values, dtype))


@st.composite
def reductions(draw: Any) -> tuple[Spec, Any, bool]:
    a = draw(arrays())
    return a, draw(axes(a.values.ndim)), draw(st.booleans())


@pytest.mark.parametrize("name", ["max", "min", "any", "all", "ptp"])
@settings(max_examples=60)
@given(reductions())
def test_exact_reductions(name: str, case: tuple[Spec, Any, bool]):
    a, axis, keepdims = case
    compare(
        lambda np, x: getattr(np, name)(x, axis=axis, keepdims=keepdims), a,
        signed_zeros=False,
    )  # fmt: skip


def moderate(values: numpy.ndarray) -> numpy.ndarray:
    """Factors that neither overflow nor vanish in whatever order they are multiplied.

    Else the order decides whether a zero or an infinity among them gives NaN.
    """
    limit = float(numpy.finfo(values.dtype).max) ** (0.9 / max(values.size, 1)) / 2
    sizes = numpy.abs(values)
    kept = (sizes == 0) | ~numpy.isfinite(sizes)
    wanted = numpy.where(kept, 1, sizes.clip(1 / limit, limit))
    return (values / numpy.where(kept, 1, sizes) * wanted).astype(values.dtype)


@pytest.mark.parametrize("name", ["sum", "prod"])
@settings(max_examples=60)
@given(reductions())
def test_sum_and_prod(name: str, case: tuple[Spec, Any, bool]):
    a, axis, keepdims = case
    if a.values.dtype.kind == "c":
        a = Spec(numpy.nan_to_num(a.values, posinf=2, neginf=-2), a.layout)
    atol = roundings(a) if name == "sum" else 0.0
    if name == "prod" and a.values.dtype.kind in "fc":
        a = Spec(moderate(a.values), a.layout)
    if name == "prod" and a.values.dtype.kind == "c":
        # One part of a product may be what cancelling leaves of numbers as large as the whole.
        sizes = outcome(lambda np, x: np.abs(x).prod(axis).max(initial=0), numpy, [a.numpy()])
        if not isinstance(sizes, Exception):
            eps = float(numpy.finfo(a.values.dtype).eps)
            atol = max(atol, 4 * a.values.size * eps * float(sizes))
    compare(
        lambda np, x: getattr(np, name)(x, axis=axis, keepdims=keepdims), a,
        signed_zeros=False, rtol=SUM, atol=atol,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "any", "all"])
@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_every_dtype(name: str, dtype: str):
    a = spec([[1, 0, 3], [4, 5, 60]], dtype)
    for axis in (None, 0, (0, 1), ()):
        compare(lambda np, x, axis=axis: getattr(np, name)(x, axis), a)
        compare(lambda np, x, axis=axis: getattr(np, name)(x, axis, keepdims=True), a)


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "uint64", "float16", "complex64"])
@pytest.mark.parametrize("out", ["bool", "int8", "float32", "complex128"])
def test_out_and_where_and_initial(name: str, dtype: str, out: str):
    a, o = spec([[1, 0, 3], [4, 5, 6]], dtype), spec([1, 1, 1], out)

    def with_out(np: Any, x: Any, o: Any) -> Any:
        result = getattr(np, name)(x, 0, out=o)
        assert result is o
        return result

    compare(with_out, a, o)
    mask = spec([[True, False, True], [False, False, True]], "bool")
    compare(lambda np, x, m: getattr(np, name)(x, 0, where=m, initial=1), a, mask)
    compare(lambda np, x, m: getattr(np, name)(x, 0, where=m), a, mask)
    compare(lambda np, x: getattr(np, name)(x, initial=2.5), a)
    compare(lambda np, x: getattr(np, name)(x, 1, initial=-1), a)
    compare(lambda np, x: getattr(np, name)(x, initial=300), a)
    compare(lambda np, x: getattr(np, name)(x, initial=1j), a)
    compare(lambda np, x: getattr(np, name)(x, initial=None), a)
    compare(lambda np, x: getattr(np, name)(x, initial=None), spec([], dtype))
    compare(lambda np, x: getattr(np, name)(x, where=[True, False, True], initial=0), a)


@pytest.mark.parametrize("name", ["sum", "prod"])
@pytest.mark.parametrize("dtype", ALL_DTYPES)
@pytest.mark.parametrize("into", ALL_DTYPES)
def test_dtype_argument(name: str, dtype: str, into: str):
    compare(lambda np, x: getattr(np, name)(x, dtype=into), spec([1, 2, 3], dtype))


@pytest.mark.parametrize(
    "body",
    [
        lambda np, a: np.sum(a, axis=5),
        lambda np, a: np.sum(a, axis=[0]),
        lambda np, a: np.sum(a, axis=(0, 0)),
        lambda np, a: np.sum(a, axis=0.5),
        lambda np, a: np.sum(a, out=3),
        lambda np, a: np.sum(a, out=np.zeros(7)),
        lambda np, a: np.sum(a, where=np.ones((4, 2, 3), bool)),
        lambda np, a: np.sum(a, where=np.ones(2, bool)),
        lambda np, a: np.sum(a, where=np.ones(3)),
        lambda np, a: np.sum(x for x in [1, 2]),
        lambda np, a: np.max(a, where=[True, False, True]),
        lambda np, a: np.max(np.zeros((0, 3))),
        lambda np, a: np.max(np.zeros((0, 3)), axis=1),
        lambda np, a: np.max(np.zeros((0, 3)), axis=0),
        lambda np, a: np.max(np.zeros((0, 0)), axis=0),
        lambda np, a: np.max(np.zeros((0, 3)), axis=0, initial=3),
        lambda np, a: np.min(a, initial=[1, 2]),
        lambda np, a: np.ptp(np.array([True, False])),
        lambda np, a: np.sum(np.asarray(2.0), axis=0),
        lambda np, a: np.sum(np.asarray(2.0), axis=(0,)),
        lambda np, a: np.sum(a, keepdims=None),
        lambda np, a: np.sum(a, keepdims=2),
        lambda np, a: np.sum([[1, 2], [3, 4]], 0),
        lambda np, a: np.max(5),
        lambda np, a: np.any(a, where=[[True], [False]], axis=1),
        lambda np, a: np.all(a > 0, axis=(0, 1), out=np.zeros((), float)),
        lambda np, a: np.amax(a, 0) + np.amin(a, 0),
        lambda np, a: np.ptp(a, 0, np.zeros(3, "f4")),
        lambda np, a: np.ptp(a, 0, np.zeros(3, int)),
        lambda np, a: np.ptp(a.astype("f2"), 0, np.zeros(3, "f8")),
        lambda np, a: np.ptp(a * 1.1, 0, np.zeros(3, "f2")),
    ],
)
def test_arguments_and_errors(body: Any):
    compare(body, spec([[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]))


def test_complex_extrema_are_lexicographic():
    values = [[1 + 1j, 1 + 2j, 1 - 2j], [0, complex(numpy.nan, 3), complex(4, numpy.nan)]]
    a = spec(values, "complex128")
    for name in ("max", "min"):
        for axis in (None, 0, 1, (0, 1)):
            compare(lambda np, x, n=name, ax=axis: getattr(np, n)(x, ax), a)
            compare(lambda np, x, n=name, ax=axis: getattr(np, n)(x, ax, keepdims=True), a)
    infinite = [complex(numpy.inf, -numpy.inf), complex(numpy.inf, 1), complex(-numpy.inf, 0)]
    for name in ("max", "min"):
        compare(lambda np, x, n=name: getattr(np, n)(x), spec(infinite, "complex128"))


def test_trace():
    a = Spec(numpy.arange(24).reshape(2, 3, 4).astype("int8"))
    compare(lambda np, x: np.trace(x), a)
    compare(lambda np, x: np.trace(x, 1, 1, 2, "float32"), a)
    compare(lambda np, x: np.trace(x, -1, axis1=-1, axis2=0), a)
    compare(lambda np, x: np.trace(x, out=np.zeros((), int)), spec([[1, 2], [3, 4]]))
    compare(lambda np, x: np.trace(x), spec([[1.5, 2], [3, 4]]))
    compare(lambda np, x: np.trace(x), spec([1, 2]))
    for dtype in ("int64", "float32", "complex128", "bool", "uint8", "float16"):
        compare(lambda np, dtype=dtype: np.trace(np.arange(6).reshape(2, 3).astype(dtype)))
    compare(lambda np, x: np.trace(x, axis1=1, axis2=1), a)
    compare(lambda np, x: np.trace(x, axis1=3), a)


def test_nothing_waits_for_a_device():
    a = numpy_shim.asarray(torch.ones((2, 3), device="meta"))
    for name in ("sum", "prod", "max", "min", "any", "all", "ptp"):
        assert getattr(numpy_shim, name)(a, 0)._tensor.shape == (3,)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        numpy_shim.sum(a, where=True)
