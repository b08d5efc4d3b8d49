"""Sets: distinct values of every dtype, NaN equal to itself or not."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.differential import Spec
from tests.numpy_shim.calls import compare_call, lines
from tests.numpy_shim.differential import compare
from tests.strategies import elements, shapes

KINDS = ["?", "i1", "u2", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]


@st.composite
def repeating(draw: Any, shape: Any = None, kinds: Any = KINDS) -> Spec:
    """An array of few values, each of them often; a NaN among them now and then."""
    dtype = numpy.dtype(draw(st.sampled_from(kinds)))
    size = draw(shapes() if shape is None else shape)
    few = draw(st.lists(elements(dtype), min_size=1, max_size=3))
    if dtype.kind == "c":
        few = [0 if v != v else v for v in few] + [complex("nan")]
    return Spec(draw(hnp.arrays(dtype, size, elements=st.sampled_from(few), fill=st.nothing())))


def is_open(a: Spec, equal_nan: bool) -> bool:
    """Whether several NaN differ, whose order NumPy leaves open without ``return_index``."""
    return not equal_nan and int(numpy.isnan(a.values).sum()) > 1


@given(repeating(), st.booleans())
def test_unique(a: Spec, equal_nan: bool):
    """With everything that can be asked for besides."""
    for asked in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)):
        if asked == (0, 1, 0) and is_open(a, equal_nan):
            continue
        compare(
            lambda np, x, asked=asked: np.unique(x, *map(bool, asked), equal_nan=equal_nan),
            a,
            signed_zeros=False,
        )


@given(repeating(), st.integers(-3, 3))
def test_unique_parts(a: Spec, axis: int):
    """Along every axis; parts with a NaN are distinct."""
    # NumPy compares the bytes of a NaN, in an order of its own.
    assume(not numpy.isnan(a.values).any())
    compare(lambda np, x: np.unique(x, True, True, True, axis), a, signed_zeros=False)


@given(repeating())
def test_standard_names(a: Spec):
    """The array API standard's functions, in which every NaN is another."""
    for name in ("unique_all", "unique_counts", "unique_inverse"):
        if name == "unique_inverse" and is_open(a, False):
            continue
        compare(lambda np, x, name=name: tuple(getattr(np, name)(x)), a, signed_zeros=False)
    compare(lambda np, x: np.sort(np.unique_values(x)), a, signed_zeros=False)


@pytest.mark.parametrize("name", ["intersect1d", "union1d", "setdiff1d", "setxor1d"])
@given(repeating(), repeating())
def test_pairs_of_sets(name: str, a: Spec, b: Spec):
    """Any two dtypes and shapes."""
    compare(lambda np, x, y: getattr(np, name)(x, y), a, b, signed_zeros=False)


@pytest.mark.parametrize(("a", "b"), [([0.0, 1.0], [-0.0, 1.0]), ([-0.0], [0.0])])
def test_first_of_equal_zeros(a: list[float], b: list[float]):
    compare(lambda np, x, y: np.intersect1d(x, y), Spec(numpy.array(a)), Spec(numpy.array(b)))


@given(repeating(), repeating())
def test_indices_of_an_intersection(a: Spec, b: Spec):
    """Where each common value is first."""
    compare(lambda np, x, y: np.intersect1d(x, y, return_indices=True), a, b, signed_zeros=False)


@given(repeating(), repeating(), st.booleans())
def test_isin(a: Spec, b: Spec, invert: bool):
    """Any two dtypes, exactly: uint64 beside int64 too."""
    compare(lambda np, x, y: np.isin(x, y, invert=invert), a, b)


@given(repeating(), st.one_of(st.none(), st.integers(0, 3)), st.one_of(st.none(), st.just([1, 2])))
def test_ediff1d(a: Spec, begin: Any, end: Any):
    """Differences, with values around them."""
    compare(lambda np, x: np.ediff1d(x, end, begin), a, signed_zeros=False)


@pytest.mark.parametrize("size", [10, 1000])
def test_isin_of_many(size: int):
    """Where few are looked for in many, and many in few."""
    rng = numpy.random.default_rng(size)
    for dtype in ("i8", "u8", "f8", "c16"):
        many, few = rng.integers(0, 50, size).astype(dtype), rng.integers(0, 99, 20).astype(dtype)
        compare(lambda np, x, y: np.isin(x, y), Spec(many), Spec(few))
        compare(lambda np, x, y: np.isin(y, x), Spec(many), Spec(few))


CALLS = r"""
np.unique([3, 1, 1])
np.unique([[3, 1], [1, 2]])
np.unique([3, 1, 1], return_index=True)
np.unique([3, 1, 1], return_inverse=True)
np.unique([3, 1, 1], return_counts=True)
np.unique([3, 1, 1], True, True, True)
np.unique([[3, 1], [1, 3]], return_inverse=True)
np.unique([[3, 1], [1, 3], [3, 1]], axis=0)
np.unique([[3, 1], [1, 3], [3, 1]], True, True, True, axis=0)
np.unique([[3, 1, 3], [1, 3, 1]], axis=1)
np.unique([[3, 1], [1, 3]], axis=2)
np.unique([np.nan, 1, np.nan])
np.unique([np.nan, 1, np.nan], return_counts=True, return_inverse=True, return_index=True)
np.unique([np.nan, 1, np.nan], equal_nan=False)
np.unique([np.nan, 1, np.nan], equal_nan=False, return_counts=True)
np.unique([1j, 1, 1j])
np.unique([complex(np.nan, 1), complex(1, np.nan), 1], return_counts=True)
np.unique([[np.nan, 1], [np.nan, 1]], axis=0)
np.unique([])
np.unique([], return_inverse=True, return_counts=True)
np.unique(np.zeros((0, 2)), axis=0)
np.unique(np.zeros((2, 0)), axis=0)
np.unique(3)
np.unique(3, return_inverse=True)
np.unique([True, False, True])
np.unique([-0.0, 0.0])
np.unique([3, 1, 1], sorted=True)
np.unique([[[1, 2], [3, 4]], [[1, 2], [3, 4]]], axis=0)
np.unique(np.array([3, 1, 1], np.float16))
np.unique(np.array([3, 1, 1], np.uint64))
np.unique_all([3, 1, 1])
np.unique_all([[3, 1], [1, 1]]).inverse_indices
np.unique_counts([3, 1, 1, np.nan, np.nan])
np.unique_inverse([3, 1, 1])
np.intersect1d([1, 2, 2], [2, 3, 2])
np.intersect1d([1, 2, 3], [3, 2], return_indices=True)
np.intersect1d([1, 2, 3], [3, 2], assume_unique=True, return_indices=True)
np.intersect1d([[1, 2]], [[2]])
np.intersect1d([1.5], [1])
np.intersect1d([], [1])
np.intersect1d([1, 1, 2, 3], [1, 3, 3], return_indices=True)
np.union1d([1, 2], [2, 3.5])
np.union1d([[1, 2]], [[2, 3]])
np.union1d(np.float32(1), 2)
np.union1d(np.array([1], 'f4'), 2.5)
np.union1d(3, np.int8(2))
np.union1d(np.complex64(1), 0)
np.setdiff1d([1, 2, 3, 2], [2])
np.setdiff1d([3, 2, 1], [2], assume_unique=True)
np.setdiff1d([1, 2, 3, 2], [])
np.setxor1d([1, 2, 3, 2], [2, 4])
np.setxor1d([1, 2, 3], [2, 4], assume_unique=True)
np.setxor1d([], [])
np.setxor1d([1, 2], [])
np.isin([1, 2, 3], [2])
np.isin([1, 2, 3], [2], invert=True)
np.isin([[1, 2], [3, 4]], [2, 4])
np.isin(3, [3])
np.isin([1, 2], [])
np.isin([1, 2], 3)
np.isin([np.nan, 1], [np.nan])
np.isin([1, 2], [1.0, 2.5])
np.isin([1, 2], [2], kind="table")
np.isin([1, 2], [2], kind="sort")
np.isin([1.0, 2], [2], kind="table")
np.isin([1, 2], [2], kind="zzz")
np.isin([1j, 2], [1j])
np.isin([1, 2], [2], assume_unique=True)
np.isin([True, False], [True])
np.isin(np.array([1, 2], np.uint8), np.array([-1, 2], np.int64))
np.isin(np.arange(100), np.arange(0, 200, 3))
np.isin([], [1])
np.isin([1.5, 2.5, np.nan, 0], np.linspace(0, 50, 201))
np.ediff1d([1, 2, 4])
np.ediff1d([1, 2, 4], to_begin=9)
np.ediff1d([1, 2, 4], to_end=[8, 9], to_begin=7)
np.ediff1d([[1, 2], [4, 7]])
np.ediff1d([])
np.ediff1d([1])
np.ediff1d([1, 2], to_end=1.5)
np.ediff1d(np.array([1, 2], np.uint8), to_end=300)
np.ediff1d([True, False])
np.ediff1d(5)
"""


@pytest.mark.parametrize("call", lines(CALLS))
def test_call(call: str):
    """Every argument, and every kind of error."""
    compare_call(call, signed_zeros=False)


def test_unique_takes_integers_for_axes():
    for axis in (0.0, "a", (0,)):
        compare(lambda np, axis=axis: np.unique(np.ones((2, 2)), axis=axis))
    compare(lambda np: np.unique(np.ones((2, 2)), axis=np.int8(1)))
