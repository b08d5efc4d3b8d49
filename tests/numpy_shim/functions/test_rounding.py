"""Rounding against NumPy."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.differential import Spec
from tests.numpy_shim.calls import compare_call, lines
from tests.numpy_shim.differential import compare
from tests.strategies import arrays

ALL_DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip
DATA = [[1, 0, 3], [4, 5, 120]]


def spec(values: Any, dtype: str = "float64") -> Spec:
    return Spec(numpy.array(values, dtype))


@pytest.mark.parametrize("name", ["round", "around"])
@settings(max_examples=200)
@given(arrays(), st.sampled_from([0, 1, 2, 5, 12, 30, 400, True]))
def test_to_decimals(name: str, a: Spec, decimals: int):
    compare(lambda np, x: getattr(np, name)(x, decimals), a)


@settings(max_examples=100)
@given(arrays(finite=True), st.sampled_from([-1, -2, -3, -400]))
def test_to_tens(a: Spec, decimals: int):
    if a.values.dtype.name in ("uint64", "int64"):
        # Their limits round to what no integer holds.
        a = Spec(a.values // 4, a.layout)
    elif a.values.dtype.kind in "iu":
        a = Spec(a.values // 2, a.layout)
    if a.values.dtype.kind in "iu" and decimals == -400:
        decimals = -300  # 0 times an infinite power is NaN, for which C has no integer
    compare(lambda np, x: np.round(x, decimals), a)


@pytest.mark.parametrize("dtype", ALL_DTYPES)
@pytest.mark.parametrize("decimals", [0, 1, -1])
def test_every_dtype_and_out(dtype: str, decimals: int):
    a = spec(DATA, dtype)
    compare(lambda np, x: np.round(x, decimals), a)
    for out in ALL_DTYPES:
        compare(lambda np, x, o: np.round(x, decimals, o), a, spec(DATA, out))
    compare(lambda np, x: np.fix(x), a)


@pytest.mark.parametrize(
    "body",
    [
        lambda np, a: np.round(5),
        lambda np, a: np.round(5.5),
        lambda np, a: np.round([1.25, 2.35], 1),
        lambda np, a: np.round(a, 1.5),
        lambda np, a: np.round(a, decimals=2, out=np.zeros(3)),
        lambda np, a: np.round(1.25 + 2.35j, 1),
        lambda np, a: np.fix(a / 7),
        lambda np, a: np.fix(-1.5),
        lambda np, a: np.fix([1.5, -2.5], np.zeros(2)),
        lambda np, a: np.fix(1j),
    ],
)
def test_arguments_and_errors(body: Any):
    compare(body, spec(DATA))


ROUND_INTO_ANOTHER_SHAPE = """
np.round([1.4, 2.6], out=np.zeros((3, 2)))
np.round([1.4, 2.6], out=np.zeros((1, 2)))
np.round([1.4, 2.6], 1, out=np.zeros((3, 2)))
np.round([1, 2], out=np.zeros((3, 2), int))
np.round(np.array([True, False]), out=np.zeros((3, 2), "f2"))
np.round(1.5, out=np.zeros(1))
np.round(1.5, out=np.zeros((2, 2)))
np.array([1.5]).round(out=np.zeros((2, 2)))
"""


@pytest.mark.parametrize("call", lines(ROUND_INTO_ANOTHER_SHAPE))
def test_round_into_another_shape(call: str):
    """``out`` has as many elements as the input: nothing is broadcast."""
    compare_call(call)
