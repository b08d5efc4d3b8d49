"""Special functions and windows against NumPy."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import given, settings

from tests.differential import Spec
from tests.numpy_shim.differential import compare, few_roundings
from tests.strategies import arrays

CLOSE = few_roundings()


@pytest.mark.parametrize("name", ["i0", "sinc"])
@settings(max_examples=80)
@given(arrays())
def test_special_functions(name: str, a: Spec):
    # The sine of a huge number is all rounding.
    values = numpy.where(abs(a.values.astype(complex)) < 80, a.values, 3).astype(a.values.dtype)
    compare(lambda np, x: getattr(np, name)(x), Spec(values, a.layout), atol=1e-14, of_norm=CLOSE)


@pytest.mark.parametrize("name", ["bartlett", "blackman", "hamming", "hanning"])
@pytest.mark.parametrize("size", [-1, 0, 0.5, 1, 2, 5, 6, 4.5, 51])
def test_windows(name: str, size: Any):
    compare(lambda np: getattr(np, name)(size), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("size", [-1, 0, 1, 2, 5, 12])
@pytest.mark.parametrize("beta", [0, 1, 8.6, 14.0])
def test_kaiser(size: int, beta: float):
    compare(lambda np: np.kaiser(size, beta), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(
    "body",
    [
        lambda np: np.i0(0.0),
        lambda np: np.i0([0, 1]),
        lambda np: np.i0(1j),
        lambda np: np.sinc(0),
        lambda np: np.sinc([0, 0.5, 1j]),
        lambda np: np.sinc([True, False]),
    ],
)
def test_arguments_and_errors(body: Any):
    compare(body, rtol=1e-13, atol=1e-15)
