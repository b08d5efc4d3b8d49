"""Clipping, repairing, interpolating and unwrapping against NumPy."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import numpy_shim as ours
from tests.differential import Spec
from tests.numpy_shim.differential import compare, few_roundings
from tests.strategies import arrays, scalars
from xp_torch._core import dtypes

CLOSE = few_roundings()
ALL_DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip
DATA = [[1, 0, 3], [4, 5, 120]]


def spec(values: Any, dtype: str = "float64") -> Spec:
    return Spec(numpy.array(values, dtype))


@settings(max_examples=200)
@given(arrays(), scalars() | st.none(), scalars() | st.none())
def test_clip_by_numbers(a: Spec, low: Any, high: Any):
    compare(lambda np, x: np.clip(x, low, high), a, signed_zeros=False)


@pytest.mark.parametrize("dtype", ALL_DTYPES)
@pytest.mark.parametrize("other", ALL_DTYPES)
def test_clip_by_arrays(dtype: str, other: str):
    a, b = spec(DATA, dtype), spec([2, 3, 1], other)
    compare(lambda np, x, y: np.clip(x, y, 100), a, b)
    compare(lambda np, x, y: np.clip(x, None, y), a, b)
    compare(lambda np, x, y: np.clip(x, y, y), a, b)
    compare(lambda np, x, o: np.clip(x, 1, 3, o), a, spec(DATA, other))
    compare(lambda np, x: np.clip(x, 1, 3, dtype=other), a)


@pytest.mark.parametrize(
    "body",
    [
        lambda np, a: np.clip(a, 1),
        lambda np, a: np.clip(a),
        lambda np, a: np.clip(a, a_max=2),
        lambda np, a: np.clip(a, min=1),
        lambda np, a: np.clip(a, max=1),
        lambda np, a: np.clip(a, min=1, max=4),
        lambda np, a: np.clip(a, 1, 2, min=3),
        lambda np, a: np.clip(a, 3, 1),
        lambda np, a: np.clip(a, [1, 2], 4),
        lambda np, a: np.clip(a, -(2**70), 2**64),
        lambda np, a: np.clip(np.float32(a), 2**70, 0),
        lambda np, a: np.clip(3, 1, 2),
        lambda np, a: np.clip(0.5, 0, 1),
        lambda np, a: np.clip(np.float32(0.5), 0.75, 1),
        lambda np, a: np.clip(np.float64(np.nan), 0.0, 1.0),
        lambda np, a: np.clip(True, 2, 3.0),
        lambda np, a: np.clip(np.int8(3), 1, 300),
        lambda np, a: np.clip(2, np.uint8(3), np.float16(4)),
        lambda np, a: np.clip(a[0, 0], None, 3),
        lambda np, a: np.clip([1, 5], 2.5, 4),
        lambda np, a: np.clip(a, np.nan, 1),
        lambda np, a: np.clip(a, 1, 3, a, casting="unsafe"),
        lambda np, a: np.clip(a, 1, 3, where=[True, False, True], out=np.zeros((2, 3))),
        lambda np, a: np.clip(a, 1, 3, wrong=3),
        lambda np, a: np.nan_to_num(3),
        lambda np, a: np.nan_to_num([1, np.nan]),
        lambda np, a: np.nan_to_num(3, copy=False),
        lambda np, a: np.nan_to_num([1, np.nan], copy=False),
        lambda np, a: np.nan_to_num(np.float64(1), copy=False),
        lambda np, a: np.nan_to_num(np.array(np.nan), copy=False),
        lambda np, a: np.nan_to_num(a, nan=[1, 2, 3]),
        lambda np, a: np.nan_to_num(np.array([np.nan, 1, 2]), nan=[[7, 8, 9]]),
        lambda np, a: np.nan_to_num(np.array([np.nan, 1, 2]), nan=[[7, 8, 9], [7, 8, 9]]),
        lambda np, a: np.nan_to_num(np.array([np.inf, 1, 2]), posinf=[7, 8]),
        lambda np, a: np.interp(a, [1, 2, 3], [4, 5, 6], 1),
        lambda np, a: np.interp(2.5, [1, 2, 3], [4, 5, 7]),
        lambda np, a: np.interp(a, [1, 2, 3], [4, 5, 7j], left=1j, right=3),
        lambda np, a: np.interp(a, [1, 2, 3], [4, 5, 7j], period=4),
        lambda np, a: np.interp(a, [1, 2, 3], [4, 5, 7], period=-4),
        lambda np, a: np.interp(a, [1, 2, 3], [4, 5, 7], period=0),
        lambda np, a: np.interp(a, [1, 2], [4, 5, 7]),
        lambda np, a: np.interp(0.5, [0, np.nan], [0, 10]),
        lambda np, a: np.interp(0.5, [np.nan, 1], [0, 10]),
        lambda np, a: np.interp(np.nan, [0, 1], [0, 10]),
        lambda np, a: np.interp(np.inf, [0, 1], [0, 10]),
        lambda np, a: np.interp(a, [], []),
        lambda np, a: np.interp(a, [1], [7]),
        lambda np, a: np.interp(a, [[1]], [[7]]),
        lambda np, a: np.interp(a * 1j, [1], [7]),
        lambda np, a: np.interp([], [1, 2], [7, 8]),
        lambda np, a: np.unwrap(a),
        lambda np, a: np.unwrap(a, axis=0, period=4),
        lambda np, a: np.unwrap([0, 3, 1, 2, 7], period=4),
        lambda np, a: np.unwrap([0, 3, 1, 2, 7], period=3),
        lambda np, a: np.unwrap([0.0, 3.0, -3.0], discont=5),
        lambda np, a: np.unwrap(a, axis=4),
        lambda np, a: np.unwrap(3),
    ],
)
def test_arguments_and_errors(body: Any):
    compare(body, spec(DATA), rtol=CLOSE)


@settings(max_examples=100)
@given(arrays(), st.sampled_from([{}, {"nan": 3}, {"posinf": 2, "neginf": -1.5}]), st.booleans())
def test_nan_to_num(a: Spec, options: dict[str, Any], copy: bool):
    def body(np: Any, x: Any) -> Any:
        result = np.nan_to_num(x, copy, **options)
        return result, result is x

    compare(body, Spec(a.values, "contiguous"))


def test_nan_to_num_of_read_only_integers():
    """Nothing is written."""

    def body(np: Any, dtype: str) -> Any:
        x = np.zeros(3, dtype).imag
        return x.flags.writeable, np.nan_to_num(x, copy=False) is x

    for dtype in ("i8", "?", "f8"):
        compare(lambda np, dtype=dtype: body(np, dtype))


@pytest.mark.parametrize(
    "x", ["numpy.ones(3, bool).imag", "numpy.broadcast_to(numpy.arange(2), (2, 2))",
          "numpy.array(3).T", "numpy.broadcast_to(numpy.arange(2.0), (2, 2))"],
)  # fmt: skip
def test_nan_to_num_of_numpys_read_only_arrays(x: str):
    compare(lambda np: np.nan_to_num(eval(x, {"numpy": numpy}), copy=False))


@settings(max_examples=200)
@given(
    arrays(dtypes.REAL_NUMERIC),
    st.lists(st.floats(-50, 50, width=32), min_size=1, max_size=6, unique=True).map(sorted),
    st.lists(st.sampled_from([0.0, 1.5, -2, 7, numpy.nan, numpy.inf]), min_size=6, max_size=6),
)
def test_interp(x: Spec, points: list[float], values: list[float]):
    values = values[: len(points)]
    compare(
        lambda np, x, p, v: np.interp(x, p, v), x, spec(points), spec(values),
        rtol=CLOSE, atol=1e-12, signed_zeros=False,
    )  # fmt: skip


@pytest.mark.parametrize("number", [0.0, 1, 1.25, 2, 2.5, 7.0, 9, numpy.nan, numpy.inf, -numpy.inf])
@pytest.mark.parametrize("ends", [{}, {"left": -1}, {"right": numpy.nan}, {"period": 3}])
def test_interp_of_a_number_and_of_many(number: Any, ends: dict[str, Any]):
    """Few numbers take Python's arithmetic, many take torch's: the values are the same."""
    few, long = spec([1.0, 2, 2, 7]), spec([3.0, numpy.inf, -4, numpy.nan])
    for points, values in (
        (few, long),
        (few, spec([0.1, 0.7, -3.3, 5])),
        (spec([2.0]), spec([5.0])),
    ):
        compare(lambda np, p, v: np.interp(number, p, v, **ends), points, values, rtol=CLOSE)
        compare(lambda np, p, v: np.interp([number], p, v, **ends), points, values, rtol=CLOSE)
        one = ours.interp(number, points.values, values.values, **ends)
        many = ours.interp([number] * 20, points.values, values.values, **ends)
        numpy.testing.assert_allclose(many.tolist(), [one] * 20, rtol=1e-15)


def test_interp_of_a_number_keeps_the_gradient():
    """A value, a point or the number itself that needs a gradient stays in the graph."""
    for i in range(3):
        tensors = [torch.tensor(1.25), torch.tensor([1.0, 2.0]), torch.tensor([3.0, 7.0])]
        tensors[i].requires_grad_()
        found = ours.interp(*map(ours.asarray, tensors))
        found.tensor.backward()
        assert tensors[i].grad is not None
        assert tensors[i].grad.abs().sum() > 0


@pytest.mark.parametrize("dtype", ALL_DTYPES[1:12])
def test_unwrap_of_every_dtype(dtype: str):
    compare(lambda np, x: np.unwrap(x, period=5), spec([1, 3, 7, 0, 9], dtype), rtol=CLOSE)
    compare(lambda np, x: np.unwrap(x), spec([1, 3, 7, 0, 9], dtype), rtol=CLOSE)
