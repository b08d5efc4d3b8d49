"""Flipped, rolled, repeated, put in and taken out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.differential import Spec
from tests.numpy_shim.calls import compare_call, lines
from tests.numpy_shim.differential import compare
from tests.strategies import arrays, axes, shapes

integers = st.integers(-4, 4)
several = st.one_of(integers, st.lists(integers, max_size=3))


@given(arrays(), axes(3), integers)
def test_flips(a: Spec, axis: Any, turns: int):
    """Along every axis, wrong ones too."""
    if not isinstance(axis, list):
        compare(lambda np, x: np.flip(x, axis), a)
    compare(lambda np, x: np.fliplr(x), a)
    compare(lambda np, x: np.flipud(x), a)
    compare(lambda np, x: np.rot90(x, turns), a)


@given(arrays(), several.map(lambda v: tuple(v) if isinstance(v, list) else v), axes(3))
def test_roll(a: Spec, shift: Any, axis: Any):
    """By every distance along every axis."""
    assume(() not in (shift, axis))  # nothing to roll by, or along
    # Several shifts of one row are left out.
    assume(axis is not None or not isinstance(shift, tuple) or len(shift) == 1)
    if isinstance(axis, (int, tuple, type(None))) and (
        not isinstance(axis, tuple) or all(isinstance(i, int) for i in axis)
    ):
        compare(lambda np, x: np.roll(x, shift, axis), a)


@given(arrays(), several, st.one_of(st.none(), integers))
def test_tile_and_repeat(a: Spec, count: Any, axis: Any):
    """So many times, or so many each."""
    if a.values.size:  # NumPy looks at counts only where there is something to repeat
        compare(lambda np, x: np.tile(x, count), a)
        compare(lambda np, x: np.repeat(x, count, axis), a)


@given(arrays(), shapes())
def test_resize(a: Spec, shape: Any):
    """Larger and smaller."""
    compare(lambda np, x: np.resize(x, shape), a)


PLACES = st.one_of(
    integers,
    st.lists(integers, max_size=4),
    st.lists(st.booleans(), min_size=1, max_size=4),
    st.slices(4),
)


@given(arrays(), PLACES, st.one_of(st.none(), integers))
def test_delete(a: Spec, indices: Any, axis: Any):
    """By integers, lists, masks and slices."""
    compare(lambda np, x: np.delete(x, indices, axis), a)


# NumPy takes a negative index out of bounds, among several, as an index into the result.
several_indices = st.lists(st.integers(0, 5), max_size=4)


@given(arrays(), st.one_of(integers, several_indices), st.one_of(st.none(), integers))
def test_insert(a: Spec, indices: Any, axis: Any):
    """One value or several, at one index or several."""
    compare(lambda np, x: np.insert(x, indices, 1, axis), a)
    compare(lambda np, x: np.insert(x, indices, [1, 0], axis), a)


@given(arrays(), st.sampled_from(["f", "b", "fb"]), axes(3))
def test_trim_zeros(a: Spec, ends: str, axis: Any):
    """At either end, along every axis."""
    compare(lambda np, x: np.trim_zeros(x, ends, axis), a)


CALLS = r"""
np.flip([1, 2, 3])
np.flip([[1, 2], [3, 4]])
np.flip([[1, 2], [3, 4]], 1)
np.flip([[1, 2], [3, 4]], (0, 1))
np.flip([[1, 2], [3, 4]], 2)
np.flip([[1, 2], [3, 4]], (0, 0))
np.flip(3)
np.flip([1], ())
np.fliplr([[1, 2], [3, 4]])
np.fliplr([1])
np.flipud([1, 2])
np.flipud(1)
np.rot90([[1, 2], [3, 4]])
np.rot90([[1, 2], [3, 4]], 2)
np.rot90([[1, 2], [3, 4]], 3)
np.rot90([[1, 2], [3, 4]], 4)
np.rot90([[1, 2], [3, 4]], -1)
np.rot90([[[1, 2], [3, 4]]], 1, (1, 2))
np.rot90([[1, 2], [3, 4]], 1, (0, 0))
np.rot90([[1, 2], [3, 4]], 1, (0, 2))
np.rot90([[1, 2], [3, 4]], 1, (0, -2))
np.rot90([1, 2])
np.roll([1, 2, 3], 1)
np.roll([[1, 2], [3, 4]], 1)
np.roll([[1, 2], [3, 4]], 1, 0)
np.roll([[1, 2], [3, 4]], (1, 1), (0, 1))
np.roll([[1, 2], [3, 4]], 1, (0, 1))
np.roll([[1, 2], [3, 4]], (1, 2), 0)
np.roll([[1, 2], [3, 4]], (1, 1), (0, 0))
np.roll([1, 2, 3], -5)
np.roll([1, 2, 3], 1.5)
np.roll([], 1)
np.roll(3, 1)
np.roll([1, 2], 1, 1)
np.roll([1, 2, 3], 10**20)
np.roll([1, 2, 3], np.array([1]))
np.roll([[1, 2], [3, 4]], np.array([1, 1]), np.array([0, 1]))
np.tile([1, 2], 2)
np.tile([1, 2], (2, 2))
np.tile([[1, 2]], 2)
np.tile(3, 2)
np.tile(3, ())
np.tile([1, 2], ())
np.tile([1, 2], 0)
np.tile(np.broadcast_to(1.0, (2, 0)), (3, 1, 2)).flags.writeable
np.tile(np.zeros((2, 0)), (3, 1, 2)).flags.writeable
np.tile([1, 2], -1)
np.tile([1, 2], 1.5)
np.tile([1, 2], np.array([2, 1]))
np.repeat([1, 2], 2)
np.repeat([[1, 2], [3, 4]], 2, axis=0)
np.repeat([[1, 2], [3, 4]], [1, 2], axis=0)
np.repeat([[1, 2], [3, 4]], [1, 2], axis=1)
np.repeat([1, 2], [1, 2, 3])
np.repeat([1, 2], [3])
np.repeat(3, 2)
np.repeat(3, 2, axis=0)
np.repeat([1, 2], -1)
np.repeat([1, 2], 1.5)
np.repeat([1, 2], [1.5, 2])
np.repeat([1, 2], 2, axis=1)
np.repeat([1, 2], [True, False])
np.repeat([1, 2], [-1, 1])
np.repeat([], 2)
np.resize([1, 2, 3], (2, 2))
np.resize([1, 2, 3], 5)
np.resize([], (2, 2))
np.resize([1, 2], (0, 2))
np.resize([1, 2], (-1, 2))
np.resize([1, 2], ())
np.delete([1, 2, 3], 1)
np.delete([1, 2, 3], -1)
np.delete([1, 2, 3], 3)
np.delete([1, 2, 3], [0, 1])
np.delete([1, 2, 3], [0, 0])
np.delete([1, 2, 3], [])
np.delete([1, 2, 3], [5])
np.delete([1, 2, 3], slice(None, None, 2))
np.delete([1, 2, 3], slice(2, None, -1))
np.delete([[1, 2], [3, 4]], 0, axis=1)
np.delete([[1, 2], [3, 4]], 0)
np.delete([[1, 2], [3, 4]], 0, axis=2)
np.delete([1, 2, 3], [True, False, True])
np.delete([1, 2, 3], np.array([True, False]))
np.delete([1, 2, 3], 1.5)
np.delete([1, 2, 3], True)
np.delete([1, 2, 3], np.array([1]))
np.delete(3, 0)
np.insert([1, 2, 3], 1, 9)
np.insert([1, 2, 3], 1, [8, 9])
np.insert([1, 2, 3], [1], [8, 9])
np.insert([1, 2, 3], [1, 2], [8, 9])
np.insert([1, 2, 3], [2, 1], [8, 9])
np.insert([1, 2, 3], [1, 1], [8, 9])
np.insert([1, 2, 3], [1, 3], 9)
np.insert([1, 2, 3], -1, 9)
np.insert([1, 2, 3], 4, 9)
np.insert([1, 2, 3], [1, 5], 9)
np.insert([[1, 2], [3, 4]], 1, 5, axis=1)
np.insert([[1, 2], [3, 4]], 1, [5, 6], axis=1)
np.insert([[1, 2], [3, 4]], [1], [[5], [6]], axis=1)
np.insert([[1, 2], [3, 4]], [0, 1], [[5], [6]], axis=1)
np.insert([[1, 2], [3, 4]], 1, [5, 6], axis=0)
np.insert([[1, 2], [3, 4]], 1, 5)
np.insert([1, 2, 3], slice(0, 2), 9)
np.insert([1, 2, 3], [], 9)
np.insert([1, 2, 3], [], [])
np.insert(np.array([1, 2], np.uint8), 0, 300)
np.insert(np.array([1, 2]), 0, 3.7)
np.insert([1, 2, 3], [[1]], 9)
np.insert([1, 2, 3], [1, 2], [1, 2, 3])
np.insert([1, 2, 3], np.array([True, False, True]), 9)
np.insert(np.reshape(np.arange(8), (2, 2, 2)), 1, [[1, 2], [3, 4]], axis=2)
np.insert([[1, 2], [3, 4]], 0, [[7, 8], [9, 10]], axis=0)
np.insert([[1, 2], [3, 4]], 1, [[7, 8], [9, 10]], axis=1)
np.trim_zeros([0, 0, 1, 2, 0])
np.trim_zeros(np.array([0, 0, 1, 2, 0]))
np.trim_zeros(np.array([0, 0, 1, 2, 0]), "f")
np.trim_zeros(np.array([0, 0, 1, 2, 0]), "B")
np.trim_zeros(np.array([0, 0]))
np.trim_zeros(np.array([0, 0]), "x")
np.trim_zeros(np.array([[0, 0], [0, 1]]))
np.trim_zeros(np.array([[0, 0], [0, 1]]), axis=0)
np.trim_zeros(np.array([[0, 0], [0, 1]]), axis=(0, 2))
np.trim_zeros(np.array([np.nan, 0.0]))
"""


@pytest.mark.parametrize("call", lines(CALLS))
def test_call(call: str):
    """Every argument, and every kind of error."""
    compare_call(call)
