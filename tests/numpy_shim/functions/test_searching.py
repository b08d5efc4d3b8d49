"""Searching: extrema, nonzero elements, choices and insertion points, in every dtype."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from torch import Tensor
from torch.fx.experimental.proxy_tensor import make_fx

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.calls import compare_call, lines
from tests.numpy_shim.differential import compare
from tests.strategies import arrays, axes, elements, pairs, scalars, shapes
from xp_torch._core import dtypes

one_axis = st.one_of(st.none(), st.integers(-4, 4))


@pytest.mark.parametrize("name", ["argmax", "argmin", "nanargmax", "nanargmin"])
@given(arrays(), one_axis, st.booleans())
def test_extrema(name: str, a: Spec, axis: Any, keepdims: bool):
    """The first of equals, and the first NaN."""
    if name.startswith("nan") and a.values.dtype.kind == "c":
        a = Spec(a.values.real, a.layout)  # NumPy puts an infinity without imaginary part
    compare(lambda np, x: getattr(np, name)(x, axis, keepdims=keepdims), a)


@pytest.mark.parametrize("dtype", ["f2", "c8", "c16", "?", "u2", "u8"])
def test_extrema_of_many_equals(dtype: str):
    """Long rows, where a tree of comparisons could take another."""
    values = numpy.random.default_rng(5).integers(0, 3, (50, 40)).astype(dtype)
    for axis in (None, 0, 1):
        compare(lambda np, x, axis=axis: np.argmax(x, axis), Spec(values))
        compare(lambda np, x, axis=axis: np.argmin(x, axis), Spec(values))


@given(arrays())
def test_nonzero(a: Spec):
    """NaN and negative zero are what they are in NumPy."""
    for name in ("nonzero", "argwhere", "flatnonzero"):
        compare(lambda np, x, name=name: getattr(np, name)(x), a)


@pytest.mark.parametrize("size", [0, 1, 64, 65])
@pytest.mark.parametrize("dtype", ["?", "u1", "u8", "i8", "f2", "f8", "c16"])
def test_nonzero_of_vectors(size: int, dtype: str):
    """Those that are read as a list, and the first that is not."""
    values = (numpy.arange(size) % 3).astype(dtype)
    for name in ("nonzero", "flatnonzero", "where", "argwhere"):
        compare(lambda np, x, name=name: getattr(np, name)(x), Spec(values))


@pytest.mark.parametrize("name", ["nonzero", "flatnonzero"])
def test_nonzero_in_a_graph(name: str):
    """The graph has no values of its example."""

    def places(t: Tensor) -> Tensor:
        found = getattr(numpy_shim, name)(numpy_shim.asarray(t))
        return (found[0] if name == "nonzero" else found).tensor

    graph = make_fx(places)(torch.tensor([0.0, 1.0, 1.0]))
    assert graph(torch.tensor([1.0, 0.0, 0.0])).tolist() == [0]


@given(arrays(), axes(3), st.booleans())
def test_count_nonzero(a: Spec, axis: Any, keepdims: bool):
    """Every axis, wrong ones too."""
    compare(lambda np, x: np.count_nonzero(x, axis, keepdims=keepdims), a)


@given(pairs(dtypes.ALL), arrays())
def test_where(both: tuple[Spec, Spec], condition: Spec):
    """Every pair of dtypes; shapes that broadcast and ones that do not."""
    compare(lambda np, c, x, y: np.where(c, x, y), condition, *both)
    compare(lambda np, x, y: np.where(x, x, y), *both)


@given(arrays(), scalars())
def test_where_with_a_number(a: Spec, number: Any):
    """Python numbers are weak."""
    assume(not isinstance(number, int) or -(2**63) <= number < 2**64)
    compare(lambda np, x: np.where(x, x, number), a)
    compare(lambda np, x: np.where(x, number, x), a)


@given(st.data(), st.sampled_from(["left", "right"]))
def test_searchsorted(data: Any, side: str):
    """Every dtype; in a sorted array and in one with a sorter."""
    values = data.draw(arrays(shape=shapes(max_dims=1, min_dims=1, max_side=6)))
    row = numpy.sort(values.numpy())
    sought = data.draw(arrays(row.dtype))
    compare(lambda np, x, v: np.searchsorted(x, v, side), Spec(row), sought)
    sorter = Spec(numpy.argsort(values.numpy(), kind="stable"))
    compare(lambda np, x, v, s: np.searchsorted(x, v, side, s), values, sought, sorter)


@given(st.data(), st.booleans(), st.booleans())
def test_digitize(data: Any, right: bool, falling: bool):
    """Bins that rise and that fall."""
    dtype = numpy.dtype(data.draw(st.sampled_from(["f4", "f8", "i2", "u1", "u8"])))
    edges = sorted(data.draw(st.lists(elements(dtype, finite=True), max_size=5)), reverse=falling)
    bins = Spec(numpy.array(edges, dtype))
    compare(lambda np, x, b: np.digitize(x, b, right), data.draw(arrays(dtypes.REAL_NUMERIC)), bins)


CALLS = r"""
np.argmax([3, 1, 5, 5])
np.argmax([[3, 1], [5, 5]], axis=0)
np.argmax([[3, 1], [5, 5]], axis=1, keepdims=True)
np.argmax([[3, 1], [5, 5]], keepdims=True)
np.argmax([])
np.argmax(np.zeros((0, 2)), axis=0)
np.argmax(np.zeros((0, 2)), axis=1)
np.argmax([1, np.nan, 3])
np.argmax([1, 2], axis=1)
np.argmax(3)
np.argmax(3, axis=0)
np.argmax([True, False])
np.argmax([1 + 1j, 1 + 2j, 0])
np.argmax([1 + 1j, complex(0, np.nan), 5])
np.argmax([[3, 1], [5, 5]], axis=0, out=np.zeros(2, int))
np.argmax([[3, 1], [5, 5]], axis=0, out=np.zeros(3, int))
np.argmax([[3, 1], [5, 5]], axis=0, out=np.zeros(2, float))
np.argmax([[3, 1], [5, 5]], axis=0, out=np.zeros(2, np.int32))
np.argmax(np.array([1, 2**63], np.uint64))
np.argmax(np.array([1, 2], np.float16))
np.argmin([3, 1, 5, 1])
np.argmin([1, np.nan, 3])
np.argmin([[3, 1], [5, 5]], axis=(0, 1))
np.argmin([[3, 1], [5, 5]], axis=-1)
np.nanargmax([1, np.nan, 3])
np.nanargmin([1, np.nan, 3])
np.nanargmax([np.nan, np.nan])
np.nanargmax([[np.nan, 1], [2, 3]], axis=1)
np.nanargmax([[np.nan, np.nan], [2, 3]], axis=1)
np.nanargmax([1, 2, 3])
np.nanargmin([])
np.nanargmax([-np.inf, np.nan])
np.nanargmin([[np.nan, 1], [2, 3]], axis=0, keepdims=True)
np.argwhere([[1, 0], [0, 1]])
np.argwhere(3)
np.argwhere(0)
np.argwhere([np.nan, 0])
np.nonzero([[1, 0], [0, 1]])
np.nonzero(3)
np.nonzero(np.array(3))
np.nonzero([])
np.flatnonzero([[1, 0], [0, 1]])
np.flatnonzero(3)
np.where([True, False], [1, 2], [3, 4.5])
np.where([True, False], 1)
np.where(np.array([True, False]), np.array([1.5, 2]), 0)
np.where(np.array([True, False]), 3, np.array([1.5, 2], "f4"))
np.where(np.array([True, False]), np.array([1.5, 2], "f4"), 2**24 + 1)
np.where(np.array([True, False]), np.float64(0.1), np.array([1.5, 2], "f4"))
np.where(np.array([True, False]), np.float32(0.1), np.array([1.5, 2], "f4"))
np.where(np.array([True, False]), np.array([1.5, 2]), np.float64(0.1))
np.where(np.array([True, False]), np.int64(3), np.array([1, 2]))
np.where(np.array([True, False]), np.array([1, 2]), 3)
np.where(np.array([True, False]), -(2**63), np.array([1, 2]))
np.where(np.array([True, False]), np.array([1, 2]), 2**63)
np.where(np.array([True, False]), 2**64, np.array([1, 2]))
np.where(np.array(True), np.array([1, 2]), 3)
np.where(np.array([True, False]), np.array(1), 3)
np.where(np.array([True, False]), np.array([1, 2], "i1"), 300)
np.where(np.array([True, False]), True, np.array([1.5, 2]))
np.where(["a", ""])
np.where(["a", ""], [1, 2], 3)
np.where([True, False], 1, 2.5)
np.where(True, 1, 2)
np.where([1, 0])
np.where([1, 0], 1)
np.where([[True], [False]], [1, 2], [3, 4])
np.where([True, False], np.zeros(2, np.float32), 1.0)
np.where([True, False], np.array([1, 2], np.int8), 300)
np.where([True, False], np.array([1, 2], np.uint8), 1)
np.where([True, False], [1, 2, 3], 0)
np.where(np.nan, 1, 2)
np.where([1, 0], True, 2)
np.where([1, 0], 1j, 2)
np.where(3)
np.where([True, False], np.array([True, False]), 2**63)
np.where([True, False], -(2**63) - 1, np.array([True, False]))
np.searchsorted([1, 2, 3], 2)
np.searchsorted([1, 2, 3], 2, side="right")
np.searchsorted([1, 2, 3], [2, 5, 0])
np.searchsorted([1, 2, 3], 2.5)
np.searchsorted([3, 1, 2], 2, sorter=[1, 2, 0])
np.searchsorted([3, 1, 2], 2, sorter=[1, 2])
np.searchsorted([3, 1, 2], 2, sorter=[1.0, 2, 0])
np.searchsorted([1, 2, 3], 2, side="zzz")
np.searchsorted([1, 2, 3], 2, side="r")
np.searchsorted([[1, 2, 3]], 2)
np.searchsorted([], 2)
np.searchsorted([1, 2, np.nan], np.nan)
np.searchsorted([1, 2, np.nan], [np.nan, 9], side="right")
np.searchsorted([1, 1 + 1j, 2], [1 + 1j, 1])
np.searchsorted([1, 1 + 1j, 2], [1 + 1j, 1], side="right")
np.searchsorted(np.array([1, 2], np.uint64), np.array([2], np.int64))
np.searchsorted([False, True], True)
np.searchsorted(np.array([1, 2], np.float16), np.array([2], np.float16))
np.searchsorted([1, 2, 3], [[1, 2], [3, 4]])
np.searchsorted(3, 2)
np.count_nonzero([1, 0, 2])
np.count_nonzero([[1, 0], [2, 0]], axis=0)
np.count_nonzero([[1, 0], [2, 0]], axis=(0, 1))
np.count_nonzero([[1, 0], [2, 0]], axis=0, keepdims=True)
np.count_nonzero([[1, 0], [2, 0]], keepdims=True)
np.count_nonzero([[1, 0], [2, 0]], axis=5)
np.count_nonzero([])
np.count_nonzero([np.nan, 0j])
np.count_nonzero(3)
np.digitize([0.2, 6.4, 3.0], [0, 1, 2.5, 4, 10])
np.digitize([0.2, 6.4, 3.0], [10, 4, 2.5, 1, 0])
np.digitize([1, 2], [1, 2, 3], right=True)
np.digitize([1, 2], [3, 2, 1], right=True)
np.digitize(2, [1, 2, 3])
np.digitize(2, [1, 3, 2])
np.digitize(2j, [1, 2])
np.digitize([1], [])
np.digitize([1], [[1, 2]])
np.digitize([1], [2, 2])
np.digitize([np.nan], [1, 2])
np.digitize([np.nan, 2.0], [1, 3])
np.digitize([1.5, 2.0, 9.0], [2.0, 2.0, 1.0], True)
np.digitize(np.arange(70) / 3, np.arange(70) / 2)
np.digitize(np.arange(70) / 3, -np.arange(70) / 2)
"""


@pytest.mark.parametrize("call", lines(CALLS))
def test_call(call: str):
    """Every argument, and every kind of error."""
    compare_call(call)
