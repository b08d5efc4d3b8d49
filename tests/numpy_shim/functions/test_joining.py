"""Joining arrays of every dtype and shape."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import numpy_shim
from numpy_shim._base.dtypes import TORCH
from tests.differential import Spec
from tests.numpy_shim.calls import compare_call, lines
from tests.numpy_shim.differential import compare
from tests.strategies import arrays, shapes

DTYPES = [d for d in TORCH if d.name != "bfloat16"]
JOINS = ["concatenate", "stack", "hstack", "vstack", "dstack", "column_stack", "block"]


@st.composite
def alike(draw: Any) -> list[Spec]:
    """One to three arrays of one shape, but for one axis now and then; any dtypes."""
    shape = list(draw(shapes(max_side=3)))
    made = []
    for _ in range(draw(st.integers(1, 3))):
        if shape and draw(st.integers(0, 3)) == 0:
            shape[draw(st.integers(0, len(shape) - 1))] = draw(st.integers(0, 3))
        made.append(draw(arrays(shape=tuple(shape))))
    return made


@pytest.mark.parametrize("name", JOINS)
@given(alike())
def test_joins(name: str, parts: list[Spec]):
    """Values and dtype, or the error of shapes that do not fit."""
    compare(lambda np, *xs: getattr(np, name)(list(xs)), *parts)


@given(alike(), st.one_of(st.none(), st.integers(-4, 4)))
def test_along_an_axis(parts: list[Spec], axis: Any):
    """Every axis, wrong ones too."""
    compare(lambda np, *xs: np.concatenate(xs, axis), *parts)
    if axis is not None:
        compare(lambda np, *xs: np.stack(xs, axis), *parts)
    compare(lambda np, *xs: np.append(xs[0], xs[-1], axis), *parts)


@given(alike(), st.sampled_from(DTYPES), st.sampled_from(["no", "safe", "same_kind"]))
def test_in_a_dtype(parts: list[Spec], dtype: Any, casting: str):
    """Which casts are allowed."""
    compare(lambda np, *xs: np.concatenate(xs, dtype=dtype, casting=casting), *parts)


@given(alike(), st.sampled_from(DTYPES))
def test_into_out(parts: list[Spec], dtype: Any):
    """An output of the right shape, or of a wrong one, and of every dtype."""
    assume(all(p.values.ndim for p in parts))
    shape = (sum(p.values.shape[0] for p in parts), *parts[0].values.shape[1:])

    def body(np: Any, *xs: Any) -> Any:
        out = np.zeros(shape, dtype)
        result = np.concatenate(xs, out=out)
        assert result is out
        return out

    compare(body, *parts)


CALLS = r"""
np.concatenate(([1, 2], [3.5]))
np.concatenate(([1, 2], [[3]]))
np.concatenate(([[1, 2]], [[3]]))
np.concatenate(([[1, 2]], [[3]]), axis=1)
np.concatenate(([[1, 2]], [[3]]), axis=-1)
np.concatenate(([[1, 2]], [[3]]), axis=None)
np.concatenate(([[1, 2]], [[3]]), axis=2)
np.concatenate((1, 2))
np.concatenate((1, 2), axis=None)
np.concatenate((np.zeros(2, np.float32), 1.0), axis=None)
np.concatenate(())
np.concatenate(3)
np.concatenate([[1, 2]])
np.concatenate(np.reshape(np.arange(6), (2, 3)))
np.concatenate((np.zeros(0), np.zeros((2, 2))))
np.concatenate((np.zeros(0), np.zeros(2, int)))
np.concatenate(([1], [2]), dtype=np.float32)
np.concatenate(([1.5], [2]), dtype=int)
np.concatenate(([1.5], [2]), dtype=int, casting="unsafe")
np.concatenate(([1], [2]), out=np.zeros(2))
np.concatenate(([1], [2]), out=np.zeros(3))
np.concatenate(([1.5], [2]), out=np.zeros(2, int))
np.concatenate(([1.5], [2]), out=np.zeros(2, int), casting="unsafe")
np.concatenate(([1], [2]), out=np.zeros(2), dtype=float)
np.concatenate(([1], [2]), casting="zzz")
np.concatenate((np.array([1]), np.array([2])), casting="zzz")
np.stack((np.array([1]), np.array([2])), casting="zzz")
np.vstack((np.array([1]), np.array([2])), casting="zzz")
np.hstack((np.array([1]), np.array([2])), casting="zzz")
np.concatenate(([1.5], np.array([1.0, 2.0]), (3,)))
np.concatenate((np.array([1.0, 2.0]), [3], [2**60 + 1, -1]))
np.concatenate((np.array([1.0]), [True], []))
np.concatenate((np.ones((1, 2)), [[1, 2], [3, 4]]))
np.concatenate((np.array([1], "f4"), [0.1]))
np.concatenate((np.array([1], "i4"), [1], [2]))
np.hstack((np.array([1.0, 2]), [3], 4))
np.vstack((np.array([1.0, 2]), [3, 4]))
np.vstack((np.array([1.0, 2]), [3]))
np.concat(([1], [2]))
np.concatenate((np.array([1], np.uint64), np.array([1], np.int64)))
np.concatenate((np.array([1], np.uint16), np.array([1], np.uint16)))
np.concatenate((x for x in [[1], [2]]))
np.stack(([1, 2], [3, 4]))
np.stack(([1, 2], [3, 4]), axis=-1)
np.stack(([1, 2], [3, 4]), axis=2)
np.stack(([1, 2], [3]))
np.stack(())
np.stack((1, 2))
np.stack(([1, 2], [3, 4]), out=np.zeros((2, 2)))
np.stack(([1, 2], [3, 4.0]), dtype=np.float32)
np.stack(np.reshape(np.arange(6), (2, 3)))
np.stack((x for x in [[1], [2]]))
np.hstack(([1, 2], [3]))
np.hstack((1, 2))
np.hstack((1.5, np.array([1.0, 2])))
np.hstack((np.array([1.0, 2]), 2**53 + 1, np.float64(3)))
np.hstack((np.array([1, 2]), 1.5))
np.hstack((np.array([1, 2]), 2**63))
np.hstack((np.array([1], "f4"), 1.5))
np.hstack((np.array([1], "f4"), np.float32(1.5)))
np.hstack((True, np.array([1, 2]), 3))
np.hstack((1.0, np.ones((2, 2))))
np.hstack((np.ones((1, 2)), 1.0))
np.hstack((np.array(2.0), 1.0))
np.hstack((np.float64(2.0), 1))
np.hstack(([[1]], [[2]]))
np.hstack(([[1]], [2]))
np.hstack(())
np.hstack(np.reshape(np.arange(6), (2, 3)))
np.vstack(([1, 2], [3, 4]))
np.vstack((1, 2))
np.vstack(([1, 2], [[3, 4]]), dtype=float)
np.dstack(([1, 2], [3, 4]))
np.dstack(([[1], [2]], [[3], [4]]))
np.column_stack(([1, 2], [3, 4]))
np.column_stack(([1, 2], [[3], [4]]))
np.column_stack((1, 2))
np.append([1, 2], 3)
np.append([1, 2], [[3, 4]])
np.append([[1, 2]], [[3, 4]], axis=0)
np.append([[1, 2]], [3, 4], axis=0)
np.append([1, 2], [3.5])
np.append([], [1])
np.block([[np.eye(2), np.zeros((2, 1))], [np.ones((1, 3))]])
np.block([1, 2, 3])
np.block([[1, 2], [3, 4]])
np.block([[1, 2], 3])
np.block([])
np.block([[]])
np.block(5)
np.block([[[1, 2]], [[3, 4]]])
np.block((1, 2))
np.block([(1, 2)])
np.block([[np.ones(2)], [np.ones(3)]])
np.block([np.ones((2, 2)), 2])
np.concatenate(([], []), axis=1)
np.append([], [], 1)
np.concatenate(([], []), axis=-2)
np.stack((np.int8(1), np.uint16(2), np.float32(3)))
"""


def test_row_stack():
    """A second name of ``vstack``, which stays where NumPy 2.5 has none."""
    assert numpy_shim.row_stack is numpy_shim.vstack


@pytest.mark.parametrize("call", lines(CALLS))
def test_call(call: str):
    """Every argument, and every kind of error."""
    compare_call(call)


@pytest.mark.parametrize("nested", [
    [1, []], [[], 2], [1, [2]], [[]], [], [[[]], []], [[1, 2], []], [[[1], []], [[2]]],
], ids=repr)  # fmt: skip
def test_nesting_of_blocks(nested: list[Any]):
    """Depths are compared before lists are found to be empty."""
    ours, theirs = outcome(numpy_shim, nested), outcome(numpy, nested)
    assert ("mismatched" in ours) == ("mismatched" in theirs)
    assert ("empty" in ours) == ("empty" in theirs)


def outcome(np: Any, nested: list[Any]) -> str:
    """The text of the error that ``block`` raises."""
    with pytest.raises(ValueError, match=r"block|List") as told:
        np.block(nested)
    return str(told.value)


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("orders", ["FF", "FC", "CF", "CC"])
def test_order_of_joined_arrays(orders: str, axis: int):
    """Arrays in Fortran order make one in Fortran order."""

    def body(np: Any) -> Any:
        parts = [np.asarray(np.arange(24.0).reshape(2, 3, 4), order=order) for order in orders]
        made = np.concatenate(parts, axis=axis)
        blocks = np.block([[parts[0], parts[1]], [parts[1], parts[0]]])
        flags = [x.flags[f"{o}_CONTIGUOUS"] for x in (made, blocks) for o in "CF"]
        return made, blocks, flags

    compare(body)
