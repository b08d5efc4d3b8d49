"""``pad``: every mode, width and option."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.differential import Spec
from tests.numpy_shim.calls import compare_call, lines
from tests.numpy_shim.differential import compare, roundings
from tests.strategies import arrays, elements, shapes
from xp_torch._core import dtypes

small = shapes(max_dims=2, min_dims=1)
width = st.integers(0, 6)
widths = st.one_of(width, st.tuples(width, width), st.lists(st.tuples(width, width), max_size=2))


@pytest.mark.parametrize("mode", ["constant", "edge", "wrap", "reflect", "symmetric"])
@given(arrays(shape=small), widths)
def test_modes_that_move_values(mode: str, a: Spec, around: Any):
    """Exact in every dtype."""
    compare(lambda np, x: np.pad(x, around, mode), a)


@given(arrays(shape=small, finite=True), widths, st.sampled_from(["reflect", "symmetric"]))
def test_odd_reflections(a: Spec, around: Any, mode: str):
    """Mirrored at the value of the edge too."""
    compare(lambda np, x: np.pad(x, around, mode, reflect_type="odd"), a, atol=roundings(a))


@given(
    arrays(dtypes.REAL_NUMERIC, small), widths, st.sampled_from(["maximum", "minimum"]), st.data()
)
def test_extrema(a: Spec, around: Any, mode: str, data: Any):
    """Of all values, or of those next to the edge."""
    length = data.draw(st.one_of(st.none(), st.integers(0, 5)))
    compare(lambda np, x: np.pad(x, around, mode, stat_length=length), a, signed_zeros=False)


@given(
    arrays(dtypes.REAL_FLOATING, small, finite=True), widths, st.sampled_from(["mean", "median"])
)
def test_averages(a: Spec, around: Any, mode: str):
    """Within rounding; those of integers are rounded, which the calls below compare."""
    compare(lambda np, x: np.pad(x, around, mode), a, atol=roundings(a), signed_zeros=False)


@given(arrays(dtypes.REAL_FLOATING, small, finite=True), widths, st.integers(-9, 9))
def test_ramps(a: Spec, around: Any, end: int):
    """From an end value to the edge."""
    compare(
        lambda np, x: np.pad(x, around, "linear_ramp", end_values=end),
        a,
        atol=roundings(Spec(numpy.append(a.values, a.values.dtype.type(end)))),
        signed_zeros=False,
    )


@given(arrays(shape=small), widths, st.data())
def test_constants(a: Spec, around: Any, data: Any):
    """Values of the dtype, one, two or a pair for each axis."""
    value = elements(a.values.dtype)
    constant = data.draw(st.one_of(value, st.tuples(value, value)))
    compare(lambda np, x: np.pad(x, around, constant_values=constant), a)


@given(arrays(shape=small), widths)
def test_empty_has_the_values_in_its_middle(a: Spec, around: Any):
    """And the right shape; what is around them may be anything."""
    compare(lambda np, x: np.pad(x, around, "empty").shape, a)


CALLS = r"""
np.pad([1, 2, 3], 1)
np.pad([1, 2, 3], (1, 2))
np.pad([1, 2, 3], ((1, 2),))
np.pad([[1, 2], [3, 4]], ((1, 0), (0, 2)))
np.pad([[1, 2], [3, 4]], ((1,), (2,)))
np.pad([[1, 2], [3, 4]], ((1, 0), (0, 2)), constant_values=7)
np.pad([[1, 2], [3, 4]], 1, constant_values=(7, 8))
np.pad([[1, 2], [3, 4]], 1, constant_values=((7, 8), (9, 10)))
np.pad([[1, 2], [3, 4]], 1, constant_values=((7,), (9,)))
np.pad([[1, 2], [3, 4]], {0: 1, -1: (0, 2)})
np.pad([[1, 2], [3, 4]], {0: 1, 2: (0, 2)})
np.pad([1, 2], -1)
np.pad([1, 2], 1.5)
np.pad([1, 2], (1, 2, 3))
np.pad([1, 2], True)
np.pad([1, 2], np.array([1, 2], np.uint8))
np.pad(3, 1)
np.pad([1.5], 1, constant_values=np.nan)
np.pad(np.array([1, 2], np.uint8), 1, constant_values=255)
np.pad(np.array([1, 2], np.uint16), 1, constant_values=65535)
np.pad(np.array([1, 2], np.uint64), 1, constant_values=2**63)
np.pad([True], 1)
np.pad([True], 1, constant_values=True)
np.pad([1j], 1, constant_values=2j)
np.pad(np.array([1, 2], np.float16), 1, constant_values=0.5)
np.pad([1, 2], 1, constant_values=1.7)
np.pad([], 1)
np.pad([], 1, mode="edge")
np.pad(np.zeros((0, 2)), ((0, 0), (1, 1)), mode="edge")
np.pad([1, 2, 3], (2, 3), mode="edge")
np.pad([[1, 2], [3, 4]], ((1, 2), (3, 0)), "edge")
np.pad([1, 2, 3], (2, 3), mode="linear_ramp")
np.pad([1, 2, 3], (2, 3), mode="linear_ramp", end_values=(5, -4))
np.pad([1.0, 2, 3], (2, 3), mode="linear_ramp", end_values=(5, -4.5))
np.pad([[1, 2], [3, 4]], ((1, 2), (3, 0)), "linear_ramp", end_values=9)
np.pad(np.array([10, 20], np.uint8), 3, "linear_ramp")
np.pad(np.array([10, 20], np.float32), 3, "linear_ramp")
np.pad(np.array([10, 20], np.float16), 3, "linear_ramp")
np.pad([1 + 2j, 3], 3, "linear_ramp")
np.pad([1, 5, 3], 2, mode="maximum")
np.pad([1, 5, 3], 2, mode="maximum", stat_length=1)
np.pad([1, 5, 3, 9], 2, mode="maximum", stat_length=(2, 3))
np.pad([[1, 5], [3, 9]], ((1, 2), (2, 1)), mode="maximum")
np.pad([[1, 5], [3, 9]], ((1, 2), (2, 1)), mode="minimum", stat_length=((1, 2), (2, 1)))
np.pad([1, 2, 4], 2, mode="mean")
np.pad([1, 2], 2, mode="mean")
np.pad([1.5, 2, 4], 2, mode="mean", stat_length=2)
np.pad([[1, 5], [3, 9]], ((1, 2), (2, 1)), mode="mean")
np.pad([[1, 5], [3, 9]], ((1, 2), (2, 1)), mode="median")
np.pad([1, 2, 5, 9], 2, mode="median")
np.pad([1, 2], 2, mode="maximum", stat_length=0)
np.pad([1.0, 2], 2, mode="mean", stat_length=0)
np.pad([1.0, 2], 2, mode="mean", stat_length=-1)
np.pad([1.0, 2], 2, mode="mean", stat_length=100)
np.pad([1, 2, 3], 2, mode="reflect")
np.pad([1, 2, 3], 7, mode="reflect")
np.pad([1, 2, 3], (7, 2), mode="reflect")
np.pad([1, 2, 3], (2, 11), mode="reflect")
np.pad([1, 2, 3], 7, mode="reflect", reflect_type="odd")
np.pad([1, 2, 3], (7, 3), mode="symmetric")
np.pad([1, 2, 3], (7, 3), mode="symmetric", reflect_type="odd")
np.pad([1], 2, mode="reflect")
np.pad([1], 2, mode="symmetric")
np.pad([[1, 2, 3], [4, 5, 6]], ((3, 1), (2, 5)), mode="reflect")
np.pad([[1, 2, 3], [4, 5, 6]], ((3, 1), (2, 5)), mode="symmetric")
np.pad([[1, 2, 3], [4, 5, 6]], ((3, 1), (2, 5)), mode="symmetric", reflect_type="odd")
np.pad([True, False, True], 4, mode="reflect", reflect_type="odd")
np.pad(np.array([1, 200, 3], np.uint8), 4, mode="reflect", reflect_type="odd")
np.pad(np.array([1, 200, 3], np.uint16), 4, mode="reflect", reflect_type="odd")
np.pad(np.array([1, 200, 3], np.float16), 4, mode="reflect", reflect_type="odd")
np.pad([1, 2, 3], 7, mode="wrap")
np.pad([1, 2, 3], (1, 10), mode="wrap")
np.pad([[1, 2, 3], [4, 5, 6]], ((3, 1), (2, 5)), mode="wrap")
np.pad([1, 2, 3], (10, 0), mode="wrap")
np.pad([1, 2], 1, mode="zzz")
np.pad([1, 2], 1, mode="edge", constant_values=1)
np.pad([1, 2], 1, mode="constant", zzz=1)
np.pad([1, 2], 1, mode="empty").shape
np.pad([1, 2], 0)
np.pad(np.reshape(np.arange(6), (2, 3)), 1, lambda v, w, a, k: v.__setitem__(slice(0, w[0]), a + 1))
np.pad(np.ones((2, 3)), (1, 2), lambda v, w, a, k: v.__setitem__(slice(0, w[0]), k["z"]), z=5)
np.pad([[1, 2]], [(0, 1)])
np.pad([[1, 2]], ((1, 2), (3, 4), (5, 6)))
"""


@pytest.mark.parametrize("call", lines(CALLS))
def test_call(call: str):
    """Every argument, and every kind of error."""
    compare_call(call)
