"""Sorting every dtype: complex numbers as pairs, NaN last, equals in their order."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numpy_shim
from numpy_shim._base.release import RELEASE
from tests.differential import Spec
from tests.numpy_shim.calls import compare_call, lines
from tests.numpy_shim.differential import compare
from tests.strategies import arrays, shapes

one_axis = st.one_of(st.none(), st.integers(-4, 4))


@given(arrays(), one_axis)
def test_sort(a: Spec, axis: Any):
    """Every dtype along every axis; which of two equal zeros comes first is left open."""
    compare(lambda np, x: np.sort(x, axis), a, signed_zeros=False)
    compare(lambda np, x: np.sort(x, axis, stable=True), a)
    compare(lambda np, x: np.sort(x, axis, kind="stable"), a)


@given(arrays(), one_axis)
def test_argsort(a: Spec, axis: Any):
    """Equal elements in their order."""
    compare(lambda np, x: np.argsort(x, axis, stable=True), a)
    compare(lambda np, x: np.argsort(x, axis, kind="mergesort"), a)


@pytest.mark.skipif(RELEASE < (2, 5), reason="NumPy 2.5 was the first to sort descending")
@given(arrays(), one_axis)
def test_descending(a: Spec, axis: Any):
    """The largest first, equal elements in their order, NaN last."""
    compare(lambda np, x: np.sort(x, axis, descending=True), a, signed_zeros=False)
    compare(lambda np, x: np.sort(x, axis, stable=True, descending=True), a)
    compare(lambda np, x: np.argsort(x, axis, stable=True, descending=True), a)
    compare(lambda np, x: x.argsort(stable=True, descending=True), a)
    compare(lambda np, x: (x.sort(stable=True, descending=True), x), a)


@pytest.mark.parametrize(
    ("values", "order"),
    [
        ([1, 3, 2, 3], [1, 3, 2, 0]),
        ([1.0, numpy.nan, -0.0, 0.0, numpy.inf], [4, 0, 2, 3, 1]),
        ([1j, 2, complex(numpy.nan, 1), complex(2, numpy.nan), 1], [1, 4, 0, 3, 2]),
        ([False, True, False, True], [1, 3, 0, 2]),
        (numpy.array([1, 2**63, 0], numpy.uint64), [1, 0, 2]),
        (numpy.array([1, 2, numpy.nan], numpy.float16), [1, 0, 2]),
    ],
)
def test_descending_beside_any_numpy(values: Any, order: list[int]):
    x = numpy_shim.array(values)
    assert numpy_shim.argsort(x, descending=True).tolist() == order
    assert numpy_shim.array_equal(numpy_shim.sort(x, descending=True), x[order], equal_nan=True)
    with pytest.raises(ValueError, match="`kind` and keyword parameters"):
        numpy_shim.sort(x, kind="stable", descending=True)
    x.sort(descending=None)
    assert numpy_shim.array_equal(x, numpy_shim.sort(values), equal_nan=True)


@given(st.lists(arrays(shape=(2, 3)), min_size=1, max_size=3), st.integers(-3, 3))
def test_lexsort(keys: list[Spec], axis: int):
    """Several keys of any dtypes."""
    compare(lambda np, *xs: np.lexsort(xs, axis), *keys)


@given(arrays(shape=shapes(min_dims=1)), st.integers(-5, 5), one_axis)
def test_partition(a: Spec, kth: int, axis: Any):
    """The element at index ``kth``, and the smaller elements before it."""

    def body(np: Any, x: Any) -> Any:
        parts = np.partition(x, kth, axis)
        axis_of = -1 if axis is None else axis
        chosen = np.take(parts, kth, axis_of)
        return chosen, np.sort(parts, axis_of)

    if a.values.size:
        compare(body, a, signed_zeros=False, kind=False)

    def indices(np: Any, x: Any) -> Any:
        return np.sort(np.argpartition(x, kth, axis), -1 if axis is None else axis)

    compare(indices, a)


@given(arrays())
def test_sort_complex(a: Spec):
    """Every dtype as a complex one."""
    compare(lambda np, x: np.sort_complex(x), a, signed_zeros=False)


def test_sort_does_not_change_its_argument():
    """Not even where it is sorted already."""

    def body(np: Any) -> Any:
        x = np.array([1.0, 2.0])
        np.sort(x)[0] = 9
        return x

    compare(body)


@pytest.mark.parametrize("size", [17, 1000])
@pytest.mark.parametrize("dtype", ["f2", "f8", "c8", "u8", "i1", "?"])
def test_long_rows_are_stable(size: int, dtype: str):
    """Beyond the sizes for which simple algorithms are stable by themselves."""
    values = numpy.random.default_rng(size).integers(0, 5, size).astype(dtype)
    compare(lambda np, x: np.argsort(x, kind="stable"), Spec(values))
    compare(lambda np, x: np.sort(x), Spec(values))


CALLS = r"""
np.sort([3, 1, 2])
np.sort([[3, 1], [2, 5]], axis=0)
np.sort([[3, 1], [2, 5]], axis=None)
np.sort(3)
np.sort(np.array(3))
np.sort(np.array(3), axis=None)
np.sort([3, 1], axis=1)
np.sort([3, 1], kind="zzz")
np.sort([3, 1], kind="stable")
np.sort([3, 1], kind="quicksort", stable=True)
np.sort([3, 1], stable=True)
np.sort([3, 1], kind="m")
np.sort([3, 1], kind=1)
np.sort([3, 1], order="x")
np.sort([3, np.nan, 1, -np.nan])
np.sort([3, np.nan, 1j, 1 + 1j, 1 - 1j, complex(np.nan, 1), complex(1, np.nan)])
np.sort([True, False])
np.sort(np.array([1, 2**63], np.uint64))
np.sort(np.array([3, 1], np.float16))
np.sort([])
np.argsort([3, 1, 2])
np.argsort([3, 1, 2, 1, 3, 1], stable=True)
np.argsort([[3, 1], [2, 5]], axis=0)
np.argsort([[3, 1], [2, 5]], axis=None)
np.argsort(3)
np.argpartition(3, 0)
np.argpartition(np.array(3.0), 0, axis=None)
np.argpartition(3, 0, axis=1)
np.argpartition(3, 1)
np.argsort([3, 1], axis=1)
np.argsort([3, 1], kind="x")
np.argsort([1 + 1j, 1, 0, np.nan], kind="stable")
np.argsort([])
np.lexsort(([1, 2, 1], [2, 1, 2]))
np.lexsort(np.array([[1, 2, 1], [2, 1, 2]]))
np.lexsort([3, 1, 2])
np.lexsort(())
np.lexsort(([1, 2], [1, 2, 3]))
np.lexsort(([[1, 2], [2, 1]], [[1, 1], [0, 1]]), axis=0)
np.lexsort(([1, 2, 1], [2, 1, 2]), axis=1)
np.lexsort(([1, 2],))
np.lexsort((1, 2))
np.lexsort(([np.nan, 1, 0],))
np.partition([3, 1, 2, 5], 1)[1]
np.partition([3, 1, 2, 5], [1, 2])
np.partition([3, 1, 2, 5], 9)
np.partition([3, 1, 2, 5], -9)
np.partition([3, 1, 2, 5], 1.5)
np.partition([3, 1, 2, 5], 1, kind="z")
np.partition([[3, 1], [2, 5]], 0, axis=None)[0]
np.partition([3, 1, 2, 5], 1, axis=1)
np.argpartition([3, 1, 2, 5], 0)[0]
np.argpartition([3, 1, 2, 5], 9)
np.partition(3, 0)
np.partition([3, 1], True)
np.sort_complex([3, 1, 2])
np.sort_complex([3 + 1j, 3, 2j])
np.sort_complex(np.array([3, 1], np.int8))
np.sort_complex(np.array([3, 1], np.float32))
np.sort_complex(np.array([3, 1], np.uint16))
"""


@pytest.mark.parametrize("call", lines(CALLS))
def test_call(call: str):
    """Every argument, and every kind of error."""
    compare_call(call, signed_zeros=False)
