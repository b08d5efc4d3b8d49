"""Reversed and read-only arrays: they read, write and reshape as NumPy's views do."""

from __future__ import annotations

import copy
import operator
import pickle
from typing import Any

import numpy
import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

import numpy_shim
from numpy_shim._array import views
from tests.differential import Spec
from tests.numpy_shim.calls import compare_call, lines
from tests.numpy_shim.differential import compare
from tests.numpy_shim.indexing.index_expressions import Expressions

MATRIX = Spec(numpy.arange(12).reshape(3, 4))
WAVES = Spec(numpy.arange(6.0).reshape(2, 3) * (1 + 2j))


def cases(*bodies: Any) -> Any:
    """One test for each body: a view of a view of the array."""
    return pytest.mark.parametrize("body", bodies)


@cases(
    lambda np, a: a[::-1],
    lambda np, a: a[::-1].T,
    lambda np, a: a[:, ::-1].transpose(1, 0)[::-1],
    lambda np, a: a[::-1, ::-1].reshape(2, 6),
    lambda np, a: a[::-1].reshape(3, 2, 2),
    lambda np, a: a[::-1].reshape(-1),
    lambda np, a: a[:, ::-1].reshape(3, 2, 2)[:, ::-1],
    lambda np, a: a[::-1, ::-1].ravel(),
    lambda np, a: a[::-1].swapaxes(0, 1),
    lambda np, a: np.moveaxis(a[::-1], 0, 1),
    lambda np, a: np.expand_dims(a[::-1], 1),
    lambda np, a: np.squeeze(a[::-1][None], 0),
    lambda np, a: a[::-1].diagonal(),
    lambda np, a: np.diagonal(a[:, ::-1], 1),
    lambda np, a: np.diagonal(a[::-1, ::-1], -1),
    lambda np, a: a[::-1].real,
    lambda np, a: a[::-1].view(np.uint64),
    lambda np, a: np.flip(a),
    lambda np, a: np.fliplr(a)[::2],
    lambda np, a: np.rot90(a),
    lambda np, a: np.split(a[::-1], 3)[1],
    lambda np, a: a[::-1][::-1],
    lambda np, a: a[:1][::-1],
    lambda np, a: a[:0][::-1],
)
def test_views_of_reversed_views(body):
    """The values, whether a write through one reaches the base, and the reverse."""

    def whole(np: Any, a: Any) -> Any:
        view = body(np, a)
        before = view + 0
        a[1, 1] = 77
        seen = view + 0
        if view.flags.writeable and view.size:
            view[(-1,) * view.ndim] = -5
            view += 100
        strides = [s for s, n in zip(view.strides, view.shape, strict=True) if n > 1]
        return before, seen, strides, a

    compare(whole, MATRIX)


@cases(
    lambda np, a: a[::-1].real,
    lambda np, a: a[:, ::-1].imag,
    lambda np, a: a.real[::-1],
)
def test_parts_of_complex_arrays(body):
    """Written through, with the imaginary parts left alone."""

    def whole(np: Any, a: Any) -> Any:
        view = body(np, a)
        view[0] = 7
        view *= 2
        return view, a

    compare(whole, WAVES)


@given(st.integers(0, 2**32))
def test_reshape_of_random_views(seed):
    """A view exactly where NumPy gives one."""
    draw = Expressions(seed)
    reference = draw.array(draw.shape(3), "int64")
    ours = numpy_shim.asarray(reference.copy())
    a, b = reference, ours
    for _ in range(draw.random.randint(1, 2)):
        key = draw.basic(a.shape)
        try:
            assume(isinstance(a[key], numpy.ndarray))
        except IndexError:
            reject()
        a, b = a[key], b[key]
    assume(a.size)
    sizes = [n for n in range(1, a.size + 1) if a.size % n == 0]
    first = draw.random.choice(sizes)
    shape = (first, a.size // first)
    theirs, mine = a.reshape(shape), views.reshaped(b, shape)
    assert (mine is not None) == numpy.shares_memory(theirs, reference), (a.shape, a.strides, shape)
    if mine is not None:
        mine[...] = 9
        theirs[...] = 9
        assert ours.tolist() == reference.tolist()


def test_a_reversed_view_is_an_ndarray():
    """To ``isinstance``, ``type(...).__name__``, copying and pickling."""
    a = numpy_shim.arange(4)
    b = a[::-1]
    assert isinstance(b, numpy_shim.ndarray)
    assert type(b).__name__ == "ndarray"
    assert repr(b) == "array([3, 2, 1, 0])"
    assert b.base is a
    for made in (copy.copy(b), copy.deepcopy(b), pickle.loads(pickle.dumps(b)), b.copy()):
        assert type(made) is numpy_shim.ndarray
        made[0] = 9
        assert a.tolist() == [0, 1, 2, 3]


@cases(
    lambda np, a: a[::-1].__setitem__(0, 1),
    lambda np, a: a.reshape(-1).__setitem__(0, 1),
    lambda np, a: a.T.__iadd__(1),
    lambda np, a: np.add(a, 1, out=a[:, ::-1]),
    lambda np, a: operator.setitem(a[0, 0], (), 1),
    lambda np, a: a.copy().__setitem__(0, 1),
)
def test_views_of_read_only_arrays(body):
    """Are read-only, and copies are not."""

    def whole(np: Any, a: Any) -> Any:
        a.flags.writeable = False
        try:
            return body(np, a)
        finally:
            a.flags.writeable = True

    compare(whole, MATRIX)


def test_unlocking():
    """``flags.writeable`` locks and unlocks plain and reversed arrays."""

    def body(np: Any, a: Any) -> Any:
        b = a[::-1]
        b.flags.writeable = False
        try:
            b[0] = 1
        except ValueError:
            b.flags.writeable = True
            b[0] = 5
        return a, b

    compare(body, MATRIX)


def test_a_view_of_a_scalar_is_a_copy():
    """A scalar never changes. A view of one of NumPy's own is an array of NumPy's own."""

    def body(np: Any, a: Any) -> Any:
        s = a[0, 0]
        b = s[None]
        c = s[...]
        b[0] = 99
        return s, np.asarray(b), np.asarray(c)

    compare(body, MATRIX)


REPEATED = [
    "y[...] = 5", "y[...] = [[1, 2, 3], [4, 5, 6]]", "y[...] = [[1], [2]]", "y[0] = [1, 2, 3]",
    "y[:, 1] = 9", "y[:, ::-1] = [[1, 2, 3], [4, 5, 6]]", "y[::-1] = [[1, 2, 3], [4, 5, 6]]",
    "y.fill(3)", "np.copyto(y, 8)", "np.add(1, [[1, 2, 3], [4, 5, 6]], out=y)", "y[...] = [[1, 2]]",
]  # fmt: skip


@pytest.mark.parametrize("line", REPEATED)
@pytest.mark.parametrize("strides", [(0, 8), (0, 0)])
def test_writing_to_repeated_elements(line: str, strides: tuple[int, int]):
    """Each element of the memory gets the last value that is written to it."""

    def body(np: Any) -> Any:
        x = np.arange(3.0)
        y = np.lib.stride_tricks.as_strided(x, (2, 3), strides)
        exec(line, {"np": np, "y": y})
        return x, y

    compare(body)


CHANGED = [
    "np.add.at(y, 0, 10)", "np.add.at(y, [0, 1, 1], 1)", "np.add.at(y, [0, 1], np.ones((2, 3)))",
    "np.add.at(y, ([0, 1], [1, 1]), 5)", "np.add.at(y, y == y, 1)", "np.add.at(y, ..., 1)",
    "np.multiply.at(y, [0, 1], 2)", "np.subtract.at(y, slice(None), 1)",
    "np.maximum.at(y, [0, 1], 2)", "np.power.at(y, [0], 2)", "np.negative.at(y, [0, 1])",
    "np.add.at(y[::-1, ::-1], [0, 1, 1], [[1, 2, 3]])", "np.add.at(y[:, :1], 0, 2)", "y += 1",
    "y *= 2.0", "y **= 2", "y /= 2", "y[:, ::-1] += 1",
]  # fmt: skip


@pytest.mark.parametrize("line", CHANGED)
@pytest.mark.parametrize("strides", [(0, 8), (8, 0), (0, 0), (8, 8), (16, 8), (8, 24), (24, 8)])
@pytest.mark.parametrize("dtype", ["float64", "int64"])
def test_changing_repeated_elements(line: str, strides: tuple[int, int], dtype: str):
    """``at`` changes it for each time that it is indexed; operators change it once."""

    def body(np: Any) -> Any:
        x = np.arange(12).astype(dtype)
        y = np.lib.stride_tricks.as_strided(x, (3, 3), strides)
        exec(line, {"np": np, "y": y})
        return x, y

    compare(body)


VIEWS_OF_ANOTHER_SIZE = """
np.array([], bool).view("u4")
np.zeros((0, 4), bool).view("u4")
np.zeros((4, 0), bool).view("u4")
np.zeros((4, 0), "u4").view("u1")
np.zeros((0, 3), bool).view("u4")
np.zeros((0, 3), "u4").view("u8")
np.zeros((3, 0), "f8").view("c16")
np.zeros((2, 3, 0), "u2").view("u4")
np.zeros((2, 0), "u2")[::-1].view("u4")
np.zeros((0, 3), "c16").view("f8")
np.ones(3, "u2").view("u4")
np.ones((4, 3), "u4").T[:, :1].view("u1")
np.ones((4, 3), "u4").T.view("u1")
np.ones((3, 4), "u1")[:, ::-1].view("u2")
np.ones((3, 4), "u1")[::-1].view("u2")
np.ones((1, 6), "u1")[:, :4].view("u4")
np.array(1, "u4").view("u1")
"""


@pytest.mark.parametrize("call", lines(VIEWS_OF_ANOTHER_SIZE))
def test_views_of_another_size(call: str):
    """The bytes of the last axis as elements of another size, none among them."""
    compare_call(call)


@pytest.mark.parametrize("columns", [slice(0, 4), slice(2, 6)])
def test_views_that_torch_cannot_read(columns: slice):
    """Elements that would not begin at multiples of their size are refused in our words."""
    a = numpy_shim.ones((3, 6), "u1")[:, columns]
    with pytest.raises(ValueError, match="copy the array first"):
        a.view("u4")
