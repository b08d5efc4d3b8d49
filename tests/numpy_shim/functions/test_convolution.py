"""Convolution and correlation against NumPy."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numpy_shim._functions import convolution
from tests.differential import Spec
from tests.numpy_shim.differential import compare, few_roundings, roundings
from tests.strategies import arrays

CLOSE = few_roundings()
ALL_DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip


def spec(values: Any, dtype: str = "float64") -> Spec:
    return Spec(numpy.array(values, dtype))


@pytest.mark.parametrize("name", ["convolve", "correlate"])
@settings(max_examples=120)
@given(
    arrays(shape=st.integers(0, 6).map(lambda n: (n,)), finite=True),
    arrays(shape=st.integers(0, 6).map(lambda n: (n,)), finite=True),
    st.sampled_from(["valid", "same", "full"]),
)
def test_modes(name: str, a: Spec, v: Spec, mode: str):
    compare(
        lambda np, x, y: getattr(np, name)(x, y, mode), a, v, rtol=CLOSE, atol=roundings(a, v),
        signed_zeros=False,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["convolve", "correlate"])
@pytest.mark.parametrize("mode", ["valid", "same", "full"])
@pytest.mark.parametrize("sizes", [(9, 9), (64, 9), (65, 64), (200, 70), (9, 300), (3000, 2100)])
def test_long_sequences(name: str, mode: str, sizes: tuple[int, int]):
    """They are products of matrices on the CPU, unless an element is infinite or NaN."""
    generator = numpy.random.default_rng(sum(sizes))
    for dtype in ("float64", "float32", "complex128"):
        a, v = (Spec(generator.normal(size=n).astype(dtype)) for n in sizes)
        compare(
            lambda np, x, y: getattr(np, name)(x, y, mode), a, v, rtol=CLOSE, atol=roundings(a, v)
        )
    a = Spec(numpy.where(numpy.arange(sizes[0]) == 2, numpy.inf, numpy.arange(sizes[0]) - 1.0))
    v = Spec(numpy.arange(sizes[1]) + 1.0)
    compare(lambda np, x, y: getattr(np, name)(x, y, mode), a, v, rtol=CLOSE)


@pytest.mark.parametrize("name", ["convolve", "correlate"])
@pytest.mark.parametrize("dtype", ALL_DTYPES)
@pytest.mark.parametrize("other", ALL_DTYPES)
def test_every_pair_of_dtypes(name: str, dtype: str, other: str):
    a, v = spec([1, 0, 3, 4, 5], dtype), spec([1, 0, 200 if other != "int8" else 100], other)
    compare(lambda np, x, y: getattr(np, name)(x, y, "same"), a, v, rtol=CLOSE)


@pytest.mark.parametrize(
    "body",
    [
        lambda np: np.convolve([1, 2, 3], [np.inf, 1, 2]),
        lambda np: np.convolve([1, 2, np.nan, 5], [1, 1], "same"),
        lambda np: np.correlate([1, 2, 3, 4], [np.inf, -1.0, 2], "full"),
        lambda np: np.correlate([1, 2, 3j], [0, 1, 0.5j, 3], "same"),
        lambda np: np.correlate([1, 2], [0, 1, 0.5j, 3], "valid"),
        lambda np: np.convolve([], [1]),
        lambda np: np.convolve([1], []),
        lambda np: np.convolve(1, 2),
        lambda np: np.convolve([[1]], [1]),
        lambda np: np.convolve([1, 2], [1, 2], 0),
        lambda np: np.convolve([1, 2], [1, 2], "wrong"),
        lambda np: np.convolve([1, 2], [1, 2], 3),
        lambda np: np.correlate([], [1]),
        lambda np: np.correlate(1, 2),
        lambda np: np.correlate([[1]], [1]),
        lambda np: np.correlate([1, 2], [1, 2], mode="same"),
    ],
)
def test_arguments_and_errors(body: Any):
    compare(body)


@pytest.mark.parametrize("dtype", ALL_DTYPES)
@pytest.mark.parametrize("mode", convolution._MODES)
def test_windows_give_what_multiples_give(monkeypatch: pytest.MonkeyPatch, dtype: str, mode: str):
    """The way for traces and gradients, block by block, has the same result."""
    monkeypatch.setattr(convolution, "_CACHED", 7)
    compare(
        lambda np, x, y: np.correlate(x, y, mode),
        spec(range(50), dtype), spec(range(9), dtype), rtol=CLOSE,
    )  # fmt: skip
    monkeypatch.setattr(convolution, "_BLOCK", 16)
    monkeypatch.setattr(convolution, "is_compiling", lambda: True)
    compare(
        lambda np, x, y: np.correlate(x, y, mode),
        spec(range(50), dtype), spec(range(9), dtype), rtol=CLOSE,
    )  # fmt: skip
    compare(
        lambda np, x, y: np.convolve(x, y, mode),
        spec([1, 2, numpy.inf, 4, 5]), spec([numpy.inf, 2, 1]),
    )  # fmt: skip
