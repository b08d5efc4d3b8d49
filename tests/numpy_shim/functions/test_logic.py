"""Closeness, equality of arrays, and what numbers are, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.differential import Spec
from tests.numpy_shim.calls import compare_call, lines
from tests.numpy_shim.differential import compare
from tests.strategies import arrays, pairs
from xp_torch._core import dtypes

ALL_DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip


def spec(values: Any, dtype: str = "float64") -> Spec:
    return Spec(numpy.array(values, dtype))


@settings(max_examples=200)
@given(pairs(dtypes.ALL), st.booleans(), st.sampled_from([{}, {"rtol": 0.1}, {"atol": 2}]))
def test_isclose(pair: tuple[Spec, Spec], equal_nan: bool, options: dict[str, Any]):
    compare(lambda np, a, b: np.isclose(a, b, equal_nan=equal_nan, **options), *pair)
    compare(lambda np, a, b: np.allclose(a, b, equal_nan=equal_nan, **options), *pair)


@settings(max_examples=200)
@given(pairs(dtypes.ALL), st.booleans())
def test_equality(pair: tuple[Spec, Spec], equal_nan: bool):
    compare(lambda np, a, b: np.array_equal(a, b, equal_nan=equal_nan), *pair)
    compare(lambda np, a, b: np.array_equiv(a, b), *pair)
    compare(lambda np, a: np.array_equal(a, a, equal_nan=equal_nan), pair[0])


@pytest.mark.parametrize("dtype", ALL_DTYPES)
@pytest.mark.parametrize("other", ALL_DTYPES)
def test_every_pair_of_dtypes(dtype: str, other: str):
    a, b = spec([1, 0, 3], dtype), spec([1, 1, 3], other)
    compare(lambda np, a, b: np.isclose(a, b), a, b)
    compare(lambda np, a, b: np.isclose(a, b, rtol=a, atol=b), a, b)
    compare(lambda np, a, b: np.array_equal(a, b), a, b)
    compare(lambda np, a, b: np.array_equal(b, b, True), a, b)
    compare(lambda np, a, b: np.array_equiv(a, b), a, b)


@pytest.mark.parametrize("name", ["isreal", "iscomplex", "isposinf", "isneginf"])
@settings(max_examples=100)
@given(arrays())
def test_kinds_of_numbers(name: str, a: Spec):
    compare(lambda np, x: getattr(np, name)(x), a)


@pytest.mark.parametrize(
    "body",
    [
        lambda np: np.isclose(1, 1),
        lambda np: np.isclose(1.0, 1.0 + 1e-9),
        lambda np: np.isclose([1e10, 1e-7], [1.00001e10, 1e-8]),
        lambda np: np.isclose([1.0, np.nan], [1.0, np.nan], equal_nan=True),
        lambda np: np.isclose([1.0, 2.0], [1.0, 2.0, 3.0]),
        lambda np: np.isclose([1.0], [2.0], rtol=-1.0),
        lambda np: np.isclose([1.0, 2.0], [1.1, 2.5], rtol=[0.2, 0.1]),
        lambda np: np.allclose([1.0, 2.0], [1.0, 2.0, 3.0]),
        lambda np: np.allclose([], []),
        lambda np: np.array_equal([1, 2], "ab"),
        lambda np: np.array_equal(3, 3),
        lambda np: np.array_equal([1, 2], [1, 2, 3]),
        lambda np: np.array_equiv([1, 2], [[1, 2], [1, 3]]),
        lambda np: np.array_equiv([1, 2], [1, 2, 3]),
        lambda np: np.isreal(1),
        lambda np: np.isreal(1j),
        lambda np: np.iscomplex(1j),
        lambda np: np.isreal([1, 2j]),
        lambda np: np.isposinf(1.0),
        lambda np: np.isposinf([1j]),
        lambda np: np.isneginf([1.0, -np.inf], np.zeros(2, bool)),
        lambda np: np.isposinf([1.0, -np.inf], out=np.zeros(2)),
    ],
)
def test_arguments_and_errors(body: Any):
    compare(body)


CLOSE_BOOLEANS = """
np.allclose(np.ones(3, bool), True)
np.allclose(np.zeros(3, bool), True)
np.allclose(True, np.ones(3, bool))
np.isclose(np.ones(3, bool), True)
np.isclose(True, True)
np.isclose(True, False)
np.isclose(np.ones(3, bool), 2)
"""


@pytest.mark.parametrize("call", lines(CLOSE_BOOLEANS))
def test_close_booleans(call: str):
    """Python booleans are compared as numbers."""
    compare_call(call)
