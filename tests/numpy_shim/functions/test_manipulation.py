"""Shapes and axes: the values, and that views are views."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import numpy_shim as ours
from tests.differential import Spec
from tests.numpy_shim.calls import compare_call, lines
from tests.numpy_shim.differential import compare, values_of
from tests.strategies import arrays, axes, shapes

integers = st.integers(-4, 4)


ORDERS = ["C", "F", "A of C", "A of F"]


def ordered(np: Any, x: Any, order: str) -> tuple[Any, str]:
    """An array and an ``order=``; 'A' asks how the array lies, which a spec leaves open."""
    return (np.array(x, order=order[-1]), "A") if order.startswith("A") else (x, order)


@given(arrays(), st.one_of(shapes(), integers, st.just(-1)), st.sampled_from(ORDERS))
def test_reshape(a: Spec, shape: Any, order: str):
    """To shapes that fit and ones that do not."""

    def body(np: Any, x: Any) -> Any:
        x, letter = ordered(np, x, order)
        return np.reshape(x, shape, letter)

    compare(body, a)


@given(arrays(), st.sampled_from(ORDERS), st.data())
def test_reshape_to_another_order_of_axes(a: Spec, order: str, data: Any):
    """To a shape of as many elements."""
    shape = data.draw(st.permutations([*a.values.shape, 1]))

    def body(np: Any, x: Any) -> Any:
        x, letter = ordered(np, x, order)
        return np.reshape(x, shape, letter), np.ravel(x, letter)

    compare(body, a)


@given(arrays(), axes(3))
def test_axes_that_come_and_go(a: Spec, axis: Any):
    """``squeeze`` and ``expand_dims``, with wrong axes too."""
    compare(lambda np, x: np.squeeze(x, axis), a)
    compare(lambda np, x: (np.squeeze(x) is x, np.squeeze(x, ()) is x), a)
    if axis is not None:
        compare(lambda np, x: np.expand_dims(x, axis), a)


@given(arrays(), integers, integers)
def test_axes_that_move(a: Spec, first: int, second: int):
    """``swapaxes``, ``moveaxis`` and ``rollaxis``, with wrong axes too."""
    compare(lambda np, x: np.swapaxes(x, first, second), a)
    compare(lambda np, x: np.moveaxis(x, first, second), a)
    compare(lambda np, x: np.rollaxis(x, first, second), a)
    compare(lambda np, x: np.diagonal(x, 1, first, second), a)


@given(arrays(), st.one_of(st.none(), st.permutations(range(3)), st.permutations(range(2))))
def test_transpose(a: Spec, order: Any):
    """By every order of the axes, and ones that do not fit."""
    compare(lambda np, x: np.transpose(x, order), a)


@given(arrays(), arrays(), shapes())
def test_broadcasting(a: Spec, b: Spec, shape: Any):
    """Of arrays and shapes that fit and ones that do not."""
    compare(lambda np, x: np.broadcast_to(x, shape), a)
    compare(lambda np, x, y: np.broadcast_arrays(x, y), a, b)
    compare(lambda np: np.broadcast_shapes(a.values.shape, b.values.shape))


@given(arrays(), st.one_of(st.integers(1, 4), st.lists(st.integers(-5, 5), max_size=3)), integers)
def test_split(a: Spec, where: Any, axis: int):
    """Into equal parts, unequal ones, and at indices."""
    for name in ("split", "array_split"):
        compare(lambda np, x, name=name: getattr(np, name)(x, where, axis), a)
    for name in ("hsplit", "vsplit", "dsplit"):
        compare(lambda np, x, name=name: getattr(np, name)(x, where), a)
    compare(lambda np, x: np.unstack(x, axis=axis), a)


@given(arrays())
def test_least_axes(a: Spec):
    """``atleast_1d``, ``2d`` and ``3d``."""
    for name in ("atleast_1d", "atleast_2d", "atleast_3d"):
        compare(lambda np, x, name=name: getattr(np, name)(x), a)


VIEWS = [
    lambda np, x: np.reshape(x, (3, 2)),
    lambda np, x: np.reshape(x, (3, 2), "F"),
    lambda np, x: np.ravel(x),
    lambda np, x: np.ravel(x.T, "F"),
    lambda np, x: np.ravel(x.T, "K"),
    lambda np, x: np.transpose(x),
    lambda np, x: np.swapaxes(x, 0, 1),
    lambda np, x: np.moveaxis(x, 0, 1),
    lambda np, x: np.expand_dims(x, (0, 3)),
    lambda np, x: np.squeeze(np.expand_dims(x, 0)),
    lambda np, x: np.atleast_3d(x),
    lambda np, x: np.split(x, 3, axis=1)[1],
    lambda np, x: np.unstack(x, axis=1)[2],
    lambda np, x: np.flip(x),
    lambda np, x: np.flip(np.flip(x, 0), 1),
    lambda np, x: np.rot90(x),
    lambda np, x: np.rot90(x, 3).T,
    lambda np, x: np.reshape(np.flip(x), 6),
    lambda np, x: np.split(np.flip(x, 1), 3, axis=1)[0],
]


@pytest.mark.parametrize("view", range(len(VIEWS)))
def test_writes_through_views_reach_the_base(view: int):
    """And writes to the base are seen in the view."""

    def body(np: Any) -> Any:
        base = np.array([[1, 2, 3], [4, 5, 6]])
        part = VIEWS[view](np, base)
        part[0] = 70
        base[1, 1] = 80
        return base, part

    compare(body)


COPIES = [
    lambda np, x: np.reshape(x.T, 6),
    lambda np, x: np.reshape(x, 6, copy=True),
    lambda np, x: np.ravel(x, "F"),
    lambda np, x: np.ravel(x[:, ::2]),
    lambda np, x: np.ravel(np.flip(x)),
]


@pytest.mark.parametrize("copy", range(len(COPIES)))
def test_copies_are_copies(copy: int):
    """Where NumPy copies, a write does not reach the base."""

    def body(np: Any) -> Any:
        base = np.array([[1, 2, 3], [4, 5, 6]])
        COPIES[copy](np, base)[0] = 70
        return base

    compare(body)


def test_broadcast_views_are_locked():
    """``broadcast_to`` and ``diagonal`` give what nobody may write to."""
    for view in (ours.broadcast_to(ours.zeros(2), (2, 2)), ours.diagonal(ours.zeros((2, 2)))):
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 1


def test_broadcast_object_iterates():
    """Element by element, and anew after ``reset``."""
    both = ours.broadcast(ours.array([1, 2]), [[3], [4]])
    pairs = [(int(x), int(y)) for x, y in both]
    assert pairs == [(1, 3), (2, 3), (1, 4), (2, 4)]
    assert both.index == 4
    both.reset()
    assert [int(x) for x, _ in both] == [1, 2, 1, 2]
    assert len(ours.broadcast(both, 5).iters) == 3


def test_strides_of_f_order():
    """A reshape by columns of an array by columns is a view."""
    a = numpy.asfortranarray(numpy.arange(24.0).reshape(2, 3, 4))
    made = ours.reshape(ours.asarray(a), (6, 4), "F")
    expected = a.reshape((6, 4), order="F")
    assert tuple(8 * s for s in made._tensor.stride()) == expected.strides
    assert numpy.array_equal(values_of(made), expected)


CALLS = r"""
np.reshape(np.zeros(6), None)
np.reshape(np.zeros(6), (2, 3), "K")
np.reshape(np.zeros(6), (2, 2))
np.reshape(np.zeros(6), -1)
np.reshape(np.zeros(6), [2, -1])
np.reshape(np.arange(6), (2, 3), order="F")
np.reshape(np.arange(6), (2, 3), copy=False)
np.reshape(np.transpose(np.reshape(np.arange(6), (2, 3))), 6, copy=False)
np.reshape(np.arange(6), (2.0, 3))
np.reshape(3, ())
np.reshape(3, (1, 1))
np.reshape([[1, 2], [3, 4]], 4)
np.reshape(np.arange(1), ())
np.reshape(np.arange(6), (-1, -1))
np.reshape(np.arange(6), np.array([2, 3]))
np.ravel(np.transpose(np.reshape(np.arange(6), (2, 3))))
np.ravel(np.transpose(np.reshape(np.arange(6), (2, 3))), "K")
np.ravel(np.reshape(np.arange(6), (2, 3)), "F")
np.ravel(np.transpose(np.reshape(np.arange(6), (2, 3))), "A")
np.ravel(np.transpose(np.reshape(np.arange(6), (2, 3))[::-1]), "A")
np.reshape(np.transpose(np.reshape(np.arange(6), (2, 3))[::-1]), (2, 3), order="A")
np.reshape(np.arange(6), (2, 3))[::-1].T.flatten("A")
np.reshape(np.arange(6), (2, 3))[::-1].T.tobytes("A")
np.ravel(3)
np.ravel([[1, 2]], "Q")
np.shape(3)
np.shape([[1, 2]])
np.size([[1, 2]])
np.size(np.zeros((2, 3)), 1)
np.size(np.zeros((2, 3)), (0, 1))
np.size(np.zeros((2, 3)), 2)
np.size(3)
np.ndim([[1]])
np.ndim(2)
np.transpose(np.reshape(np.arange(6), (1, 2, 3)))
np.transpose(np.reshape(np.arange(6), (1, 2, 3)), (2, 0, 1))
np.transpose(np.reshape(np.arange(6), (1, 2, 3)), (-1, 0, 1))
np.transpose(np.reshape(np.arange(6), (1, 2, 3)), (0, 0, 1))
np.transpose(np.reshape(np.arange(6), (1, 2, 3)), (0, 1))
np.transpose(np.reshape(np.arange(6), (1, 2, 3)), (0, 1, 3))
np.transpose(np.arange(3), 0)
np.transpose([[1, 2]])
np.transpose(3)
np.permute_dims(np.reshape(np.arange(6), (2, 3)), (1, 0))
np.matrix_transpose(np.reshape(np.arange(6), (1, 2, 3)))
np.matrix_transpose(np.arange(6))
np.swapaxes(np.reshape(np.arange(6), (1, 2, 3)), 0, -1)
np.swapaxes(np.reshape(np.arange(6), (1, 2, 3)), 0, 3)
np.swapaxes(np.arange(6), 0.0, 0)
np.moveaxis(np.reshape(np.arange(6), (1, 2, 3)), 0, -1)
np.moveaxis(np.reshape(np.arange(6), (1, 2, 3)), [0, 1], [-1, -2])
np.moveaxis(np.reshape(np.arange(6), (1, 2, 3)), [0, 1], [-1])
np.moveaxis(np.reshape(np.arange(6), (1, 2, 3)), [0, 0], [1, 2])
np.moveaxis(np.reshape(np.arange(6), (1, 2, 3)), 3, 0)
np.moveaxis(np.reshape(np.arange(6), (1, 2, 3)), 0, 5)
np.rollaxis(np.reshape(np.arange(6), (1, 2, 3)), 2)
np.rollaxis(np.reshape(np.arange(6), (1, 2, 3)), 0, 3)
np.rollaxis(np.reshape(np.arange(6), (1, 2, 3)), 0, 4)
np.rollaxis(np.reshape(np.arange(6), (1, 2, 3)), -1, -2)
np.squeeze(np.zeros((1, 2, 1)))
np.squeeze(np.zeros((1, 2, 1)), 0)
np.squeeze(np.zeros((1, 2, 1)), (0, 2))
np.squeeze(np.zeros((1, 2, 1)), 1)
np.squeeze(np.zeros((1, 2, 1)), 3)
np.squeeze(np.zeros((1, 2, 1)), (0, 0))
np.squeeze(np.zeros((1, 1)))
np.squeeze(3)
np.squeeze(np.zeros((1, 2)), ())
np.expand_dims(np.zeros((2, 3)), 0)
np.expand_dims(np.zeros((2, 3)), -1)
np.expand_dims(np.zeros((2, 3)), (0, -1))
np.expand_dims(np.zeros((2, 3)), 3)
np.expand_dims(np.zeros((2, 3)), -4)
np.expand_dims(np.zeros((2, 3)), (0, 0))
np.expand_dims(3, 0)
np.expand_dims([1], [0, 1])
np.atleast_1d(3)
np.atleast_1d(3, [[1]])
np.atleast_1d()
np.atleast_2d(3)
np.atleast_2d([1, 2])
np.atleast_2d(3, [1], [[[1]]])
np.atleast_3d(3)
np.atleast_3d([1, 2])
np.atleast_3d([[1, 2]])
np.atleast_3d([[[[1, 2]]]], 1)
np.broadcast_to([1, 2], (3, 2))
np.broadcast_to([1, 2], (2, 3))
np.broadcast_to([[1, 2]], 2)
np.broadcast_to(1, 3)
np.broadcast_to(1, ())
np.broadcast_to([1], (-1,))
np.broadcast_to([1, 2, 3], (1,))
np.broadcast_to([1], (0,))
np.broadcast_to([1, 2], (2,)).flags.writeable
np.broadcast_arrays([1, 2], [[1], [2]])
np.broadcast_arrays(1, 2)
np.broadcast_arrays()
np.broadcast_arrays([1, 2], [1, 2, 3])
np.broadcast_shapes((1, 2), (3, 1))
np.broadcast_shapes(3, (1, 3))
np.broadcast_shapes()
np.broadcast_shapes((2,), (3,))
np.broadcast_shapes((-1,), (3,))
np.broadcast_shapes((0,), (1,))
np.broadcast([1, 2], [[3], [4]]).shape
np.broadcast([1, 2], [[3], [4]]).size
np.broadcast([1, 2], [[3], [4]]).nd
np.broadcast([1, 2], [[3], [4]]).numiter
list(np.broadcast([1, 2], [[3], [4]]))
np.broadcast([1, 2], [3, 4, 5])
np.broadcast().shape
[list(i) for i in np.broadcast([1, 2], [[3], [4]]).iters]
[i.base for i in np.broadcast(np.broadcast([1, 2], 3), [[4]]).iters]
np.diagonal([[1, 2], [3, 4]])
np.diagonal([[1, 2], [3, 4]], 1)
np.diagonal([[1, 2], [3, 4]], -5)
np.diagonal([1, 2])
np.diagonal(np.reshape(np.arange(8), (2, 2, 2)), 0, 1, 2)
np.diagonal(np.reshape(np.arange(8), (2, 2, 2)), 0, 1, 1)
np.diagonal(np.reshape(np.arange(8), (2, 2, 2)), 0, 1, 3)
np.diagonal([[1, 2], [3, 4]]).flags.writeable
np.split(np.arange(4), 2)
np.split(np.arange(5), 2)
np.split(np.arange(5), [1, 3])
np.split(np.arange(5), [3, 1])
np.split(np.arange(5), [-2])
np.split(np.arange(5), [10])
np.split(np.arange(5), [])
np.array_split(np.arange(5), 3)
np.array_split(np.arange(5), -3)
np.array_split([1, 2, 3], 2)
np.array_split(np.reshape(np.arange(6), (2, 3)), 2, axis=1)
np.array_split(np.reshape(np.arange(6), (2, 3)), 2, axis=2)
np.array_split(np.arange(2), 4)
np.array_split(np.arange(5), 2.0)
np.split(np.arange(5), np.array([1, 3]))
np.hsplit(np.reshape(np.arange(6), (2, 3)), 3)
np.hsplit(np.arange(4), 2)
np.hsplit(np.array(3), 1)
np.vsplit(np.reshape(np.arange(6), (2, 3)), 2)
np.vsplit(np.arange(4), 2)
np.dsplit(np.reshape(np.arange(8), (2, 2, 2)), 2)
np.dsplit(np.reshape(np.arange(4), (2, 2)), 2)
np.unstack(np.reshape(np.arange(6), (2, 3)))
np.unstack(np.reshape(np.arange(6), (2, 3)), axis=1)
np.unstack(np.arange(3))
np.unstack(np.array(3))
np.unstack(np.arange(3), axis=1)
"""


@pytest.mark.parametrize("call", lines(CALLS))
def test_call(call: str):
    """Every argument, and every kind of error."""
    compare_call(call)
