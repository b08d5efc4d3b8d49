"""Functions that select, write and make indices, against NumPy."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.calls import compare_call, lines
from tests.numpy_shim.differential import compare
from tests.strategies import arrays, shapes
from xp_torch._core.dtypes import ALL

VECTOR = Spec(numpy.arange(3))
FLOATS = Spec(numpy.arange(3.0))
MATRIX = Spec(numpy.arange(6).reshape(2, 3))
BYTES = Spec(numpy.zeros(3, numpy.uint8))
EMPTY = Spec(numpy.zeros((0, 3)))


def cases(*bodies: Any) -> Any:
    """One test for each body."""
    return pytest.mark.parametrize("body", bodies)


@cases(
    lambda np, a, f, m, u, e: np.take(np.zeros((0, 0)), [0], axis=1),
    lambda np, a, f, m, u, e: np.take(np.zeros((0, 0)), [0], axis=0),
    lambda np, a, f, m, u, e: np.take(np.zeros((0, 0)), [0], axis=0, mode="clip"),
    lambda np, a, f, m, u, e: np.take(np.zeros((0, 0)), [0]),
    lambda np, a, f, m, u, e: np.take(np.zeros((0, 3)), [5], axis=1),
    lambda np, a, f, m, u, e: np.take(np.zeros((3, 0)), [5], axis=0),
    lambda np, a, f, m, u, e: np.take(np.zeros((3, 0)), [5], axis=0, mode="wrap"),
    lambda np, a, f, m, u, e: np.take(np.zeros((2, 0, 2)), [0], axis=1),
    lambda np, a, f, m, u, e: np.take(a, []),
    lambda np, a, f, m, u, e: np.take(a, [True, False]),
    lambda np, a, f, m, u, e: np.take(a, 1.0),
    lambda np, a, f, m, u, e: np.take(a, np.array([1.0])),
    lambda np, a, f, m, u, e: np.take(a, np.array([1], dtype=np.uint64)),
    lambda np, a, f, m, u, e: np.take(a, 0),
    lambda np, a, f, m, u, e: np.take(a, np.array(0)),
    lambda np, a, f, m, u, e: np.take(a, np.array([[0, -1], [1, 1]])),
    lambda np, a, f, m, u, e: np.take(m, np.array([5, -6])),
    lambda np, a, f, m, u, e: np.take(m, 0, axis=0),
    lambda np, a, f, m, u, e: np.take(m, np.array([2, -3]), axis=1),
    lambda np, a, f, m, u, e: np.take(m, np.array([2, -3]), axis=-1),
    lambda np, a, f, m, u, e: np.take(m, np.array([3]), axis=-1),
    lambda np, a, f, m, u, e: np.take(m, [[0, 1], [1, 0]], 1),
    lambda np, a, f, m, u, e: np.take(5, 0),
    lambda np, a, f, m, u, e: np.take(np.array(5), [0, 0], axis=0),
    lambda np, a, f, m, u, e: np.take(np.array(5), 0, axis=-1),
    lambda np, a, f, m, u, e: np.take(a, 5),
    lambda np, a, f, m, u, e: np.take(a, np.array([5])),
    lambda np, a, f, m, u, e: np.take(a, [5], mode="wrap"),
    lambda np, a, f, m, u, e: np.take(a, [-7], mode="clip"),
    lambda np, a, f, m, u, e: np.take(a, [0], mode="bad"),
    lambda np, a, f, m, u, e: np.take(a, [9], mode=1),
    lambda np, a, f, m, u, e: np.take(np.zeros(0), [0]),
    lambda np, a, f, m, u, e: np.take(np.zeros(0), [0], mode="wrap"),
    lambda np, a, f, m, u, e: np.take(e, [], axis=0),
    lambda np, a, f, m, u, e: np.take(e.T, [5], axis=0),
    lambda np, a, f, m, u, e: np.take(a, [0], axis=1),
    lambda np, a, f, m, u, e: np.take(a, [0, 1], out=np.zeros(2, int)),
    lambda np, a, f, m, u, e: np.take(a, [0, 1], out=np.zeros(3, int)),
    lambda np, a, f, m, u, e: np.take(a, [0, 1], out=np.zeros(2, "f4")),
    lambda np, a, f, m, u, e: np.take(a, [0, 1], out=np.zeros(2, "i4")),
    lambda np, a, f, m, u, e: np.take(a, [0, 1], out=np.zeros(2, "i4"), mode="clip"),
    lambda np, a, f, m, u, e: np.compress([1, 0, 1], m, axis=-1, out=np.zeros((2, 2), "f8")),
    lambda np, a, f, m, u, e: np.take(a, 0, out=np.array(0)),
    lambda np, a, f, m, u, e: np.take(m[::-1], np.array([0, 1])),
)
def test_take(body):
    """Every dtype and shape of indices, each mode, errors."""
    compare(body, VECTOR, FLOATS, MATRIX, BYTES, EMPTY)


@cases(
    lambda np, a, f, m, u, e: np.choose(5, [1, 2]),
    lambda np, a, f, m, u, e: np.choose([0, 1], [[1, 2], [3, 4]]),
    lambda np, a, f, m, u, e: np.choose(0, [1, 2]),
    lambda np, a, f, m, u, e: np.choose([-1], [1, 2]),
    lambda np, a, f, m, u, e: np.choose([3], [1, 2], mode="wrap"),
    lambda np, a, f, m, u, e: np.choose([-3, 3], [1, 2], mode="clip"),
    lambda np, a, f, m, u, e: np.choose([0.5], [1, 2]),
    lambda np, a, f, m, u, e: np.choose([True], [1, 2.5]),
    lambda np, a, f, m, u, e: np.choose([0], []),
    lambda np, a, f, m, u, e: np.choose([0, 1], [1, 2], out=np.zeros(2, int)),
    lambda np, a, f, m, u, e: np.choose(np.array([0, 1], dtype=np.uint64), [1, 2]),
    lambda np, a, f, m, u, e: np.choose(np.array([0, 1], dtype=np.uint8), [u, f[:, None]][:1]),
    lambda np, a, f, m, u, e: np.choose(0, [1] * 63),
    lambda np, a, f, m, u, e: np.choose(0, [1] * 64),
    lambda np, a, f, m, u, e: np.choose(np.zeros((1,) * 32, int), [1]),
    lambda np, a, f, m, u, e: np.choose(np.zeros((1,) * 33, int), [1]),
    lambda np, a, f, m, u, e: np.choose(m % 2, [a, f]),
    lambda np, a, f, m, u, e: np.choose(a % 2, [m, m * 2]),
    lambda np, a, f, m, u, e: np.compress([1, 0, 1, 0, 1], a),
    lambda np, a, f, m, u, e: np.compress([1, 0, 1, 0], a),
    lambda np, a, f, m, u, e: np.compress([[1]], a),
    lambda np, a, f, m, u, e: np.compress([True], m, axis=1),
    lambda np, a, f, m, u, e: np.compress(1, a),
    lambda np, a, f, m, u, e: np.compress([0.5, 0], a),
    lambda np, a, f, m, u, e: np.compress([1, 0, 1], m),
    lambda np, a, f, m, u, e: np.compress([1, 0, 1], m, axis=-1, out=np.zeros((2, 2), int)),
    lambda np, a, f, m, u, e: np.extract([1, 0, 1], a),
    lambda np, a, f, m, u, e: np.extract([[1, 0], [0, 1]], m),
    lambda np, a, f, m, u, e: np.extract([1, 0, 1, 0, 1], a),
    lambda np, a, f, m, u, e: np.extract(m > 2, m),
    lambda np, a, f, m, u, e: np.extract(1, 5),
    lambda np, a, f, m, u, e: np.select([a > 1], [a]),
    lambda np, a, f, m, u, e: np.select([], []),
    lambda np, a, f, m, u, e: np.select([a > 1], [a, a]),
    lambda np, a, f, m, u, e: np.select([1], [a]),
    lambda np, a, f, m, u, e: np.select([True], [5]),
    lambda np, a, f, m, u, e: np.select([a > 1, a > 0], [a, a * 1.5], default=7),
    lambda np, a, f, m, u, e: np.select([a > 1], [u], default=-1.5),
    lambda np, a, f, m, u, e: np.select([a > 1], [u], default=7),
    lambda np, a, f, m, u, e: np.select([a > 1], [u], default=300),
    lambda np, a, f, m, u, e: np.choose([0, 1, 0], (1000, u)),
    lambda np, a, f, m, u, e: np.choose([0], (1.0, np.float32(3))),
    lambda np, a, f, m, u, e: np.select([True], [np.array(5)], default=[1, 2]),
    lambda np, a, f, m, u, e: np.select(a > 1, [a]),
    lambda np, a, f, m, u, e: np.select((m > 1, a > 1), (a, 2)),
)
def test_choosing(body):
    """choose, compress, extract and select."""
    compare(body, VECTOR, FLOATS, MATRIX, BYTES, EMPTY)


@cases(
    lambda np, a, f, m, u, e: np.put(a, [0, 1], []),
    lambda np, a, f, m, u, e: np.put(a, [0], 1.7),
    lambda np, a, f, m, u, e: np.put(a, [5], 1),
    lambda np, a, f, m, u, e: np.put(a, [0, 1, 2], [7, 8]),
    lambda np, a, f, m, u, e: np.put(a, [0], [1, 2, 3]),
    lambda np, a, f, m, u, e: np.put([1], [0], 1),
    lambda np, a, f, m, u, e: np.put(a, [-1], 9),
    lambda np, a, f, m, u, e: np.put(a, [7], 9, mode="wrap"),
    lambda np, a, f, m, u, e: np.put(a, [7, -7], [8, 9], "clip"),
    lambda np, a, f, m, u, e: np.put(a, [0.5], 1),
    lambda np, a, f, m, u, e: np.put(u, [0], 300),
    lambda np, a, f, m, u, e: np.put(m, [0, 5, -2], [[7, 8], [9, 10]]),
    lambda np, a, f, m, u, e: np.put(m.T, [0, 5, -2], [7, 8, 9]),
    lambda np, a, f, m, u, e: np.put(m[::-1], [0, 5, -2], [7, 8, 9]),
    lambda np, a, f, m, u, e: np.put(m[:, ::-2], [0, 3], m),
    lambda np, a, f, m, u, e: np.put(a, [True, False], 5),
    lambda np, a, f, m, u, e: np.put(a, [], [1]),
    lambda np, a, f, m, u, e: np.put(a, [1, 1], [5, 6]),
    lambda np, a, f, m, u, e: np.put(e, [], [1]),
    lambda np, a, f, m, u, e: np.put(e, [0], [1]),
    lambda np, a, f, m, u, e: np.putmask(a, [1, 0, 1], [7, 8]),
    lambda np, a, f, m, u, e: np.putmask(a, [1, 0], [7]),
    lambda np, a, f, m, u, e: np.putmask(a, [True, True, True], []),
    lambda np, a, f, m, u, e: np.putmask(a, a > 0, 1.7),
    lambda np, a, f, m, u, e: np.putmask(u, u == 0, 300),
    lambda np, a, f, m, u, e: np.putmask([1], [1], [1]),
    lambda np, a, f, m, u, e: np.putmask(m, [1, 0, 0, 0, 1, 1], 9),
    lambda np, a, f, m, u, e: np.putmask(m[:, ::-1], m > 2, m * 10),
    lambda np, a, f, m, u, e: np.putmask(a, True, 1),
    lambda np, a, f, m, u, e: np.putmask(f, f > 0, 1j),
    lambda np, a, f, m, u, e: np.place(a, [1, 0, 1], [7, 8]),
    lambda np, a, f, m, u, e: np.place(a, [1, 1, 1], []),
    lambda np, a, f, m, u, e: np.place(a, [0, 0, 0], []),
    lambda np, a, f, m, u, e: np.place(a, [1, 1, 1], 1.7),
    lambda np, a, f, m, u, e: np.place(a, [1, 1], 1),
    lambda np, a, f, m, u, e: np.place([1], [1], 1),
    lambda np, a, f, m, u, e: np.place(f, [1, 1, 1], [7, 8]),
    lambda np, a, f, m, u, e: np.place(m.T, (m > 1).T, [7, 8, 9]),
    lambda np, a, f, m, u, e: np.place(m[::-1], m > 1, [7, 8, 9]),
    lambda np, a, f, m, u, e: np.place(u, [1, 1, 1], 300),
    lambda np, a, f, m, u, e: np.place(u, [1, 1, 1], np.array([300])),
    lambda np, a, f, m, u, e: np.place(f, [1, 0, 1], 1j),
    lambda np, a, f, m, u, e: np.copyto(u, 300),
    lambda np, a, f, m, u, e: np.copyto(a, 1.5),
    lambda np, a, f, m, u, e: np.copyto(a, 1.5, casting="unsafe"),
    lambda np, a, f, m, u, e: np.copyto(m, 2**63, casting="unsafe"),
    lambda np, a, f, m, u, e: np.copyto(f, 1 + 2j, casting="unsafe"),
    lambda np, a, f, m, u, e: np.copyto(f, a),
    lambda np, a, f, m, u, e: np.copyto(a, f),
    lambda np, a, f, m, u, e: np.copyto(f, a, casting="no"),
    lambda np, a, f, m, u, e: np.copyto([1], 1),
    lambda np, a, f, m, u, e: np.copyto(a, [1, 2]),
    lambda np, a, f, m, u, e: np.copyto(a, np.array([[1, 2, 3]])),
    lambda np, a, f, m, u, e: np.copyto(a, 5, where=[1, 0, 1]),
    lambda np, a, f, m, u, e: np.copyto(a, 5, where=[True, False, True]),
    lambda np, a, f, m, u, e: np.copyto(m, a * 10, where=[True, False, True]),
    lambda np, a, f, m, u, e: np.copyto(m[:, ::-1], a * 10, where=[True, False, True]),
    lambda np, a, f, m, u, e: np.copyto(a[::-1], a),
    lambda np, a, f, m, u, e: np.copyto(a[1:], a[:-1]),
    lambda np, a, f, m, u, e: np.copyto(a, 5, where=[[True, False, True]]),
    lambda np, a, f, m, u, e: np.copyto(a, 5, casting="x"),
    lambda np, a, f, m, u, e: np.copyto(u, -1),
    lambda np, a, f, m, u, e: np.copyto(f, np.array(1j)),
    lambda np, a, f, m, u, e: np.copyto(a, np.float32(3)),
    lambda np, a, f, m, u, e: np.fill_diagonal(m, 5),
    lambda np, a, f, m, u, e: np.fill_diagonal(m, [1, 2, 3, 4]),
    lambda np, a, f, m, u, e: np.fill_diagonal(m.T, [7, 8]),
    lambda np, a, f, m, u, e: np.fill_diagonal(m.T, 7, wrap=True),
    lambda np, a, f, m, u, e: np.fill_diagonal(m[::-1], 7),
    lambda np, a, f, m, u, e: np.fill_diagonal(m.T[:, :1], [7, 8], True),
    lambda np, a, f, m, u, e: np.fill_diagonal(a, 1),
    lambda np, a, f, m, u, e: np.fill_diagonal(np.zeros((2, 2, 3)), 1),
    lambda np, a, f, m, u, e: np.fill_diagonal(m, 1.5),
    lambda np, a, f, m, u, e: np.fill_diagonal(m, []),
    lambda np, a, f, m, u, e: np.fill_diagonal(m, [[1, 2]]),
    lambda np, a, f, m, u, e: np.fill_diagonal(e, 1),
    lambda np, a, f, m, u, e: np.put_along_axis(m, np.array([[1], [0]]), 9, 1),
    lambda np, a, f, m, u, e: np.put_along_axis(m, np.array([[1], [0]]), [[1], [2]], axis=1),
    lambda np, a, f, m, u, e: np.put_along_axis(m, np.array([1, 0]), [7, 8], axis=None),
    lambda np, a, f, m, u, e: np.put_along_axis(m, np.array([[1], [0]]), [1, 2, 3], 1),
    lambda np, a, f, m, u, e: np.put_along_axis(m, np.array([[1], [0]]), 1.7, 1),
    lambda np, a, f, m, u, e: np.put_along_axis(m, np.array([[0, 0], [1, 1]]), [3, 4], 1),
    lambda np, a, f, m, u, e: np.put_along_axis(m, np.array([[7]]), 1, 1),
    lambda np, a, f, m, u, e: np.put_along_axis(m, np.array([[0.5]]), 1, 1),
    lambda np, a, f, m, u, e: np.put_along_axis(m[::-1], np.array([[1], [0]]), 9, 1),
)
def test_writing(body):
    """put, putmask, place, copyto, fill_diagonal, put_along_axis: what they leave behind."""
    compare(body, VECTOR, FLOATS, MATRIX, BYTES, EMPTY)


def test_fill_diagonal_of_a_cube():
    """The elements whose indices are all the same."""
    compare(lambda np, a: np.fill_diagonal(a, [1, 2]), Spec(numpy.zeros((3, 3, 3))))


def test_writing_refuses_what_is_read_only():
    """A locked array keeps its values."""

    def body(np: Any, a: Any) -> Any:
        b = np.broadcast_to(a, (2, 3))
        return np.put(b, [0], 1)

    compare(body, VECTOR)


@cases(
    lambda np, m: np.take_along_axis(m, np.array([[0], [2]]), 1),
    lambda np, m: np.take_along_axis(m, np.array([[0], [5]]), 1),
    lambda np, m: np.take_along_axis(m, np.array([[-1, 0, -2]]), 0),
    lambda np, m: np.take_along_axis(m, np.array([[0.0]]), 1),
    lambda np, m: np.take_along_axis(m, np.array([0]), 1),
    lambda np, m: np.take_along_axis(m, np.array([0, -1]), None),
    lambda np, m: np.take_along_axis(m, np.array([[0]]), None),
    lambda np, m: np.take_along_axis(m, np.array([[1, 0, 1]], dtype=np.uint8), 0),
    lambda np, m: np.take_along_axis(m, np.array([[1], [0], [1]]), 1),
    lambda np, m: np.take_along_axis(m, np.array([[True]]), 1),
    lambda np, m: np.take_along_axis(m[:1], np.array([[1], [0], [1]]), 1),
    lambda np, m: np.take_along_axis(m, np.array([[1, 0, 1]]), 2),
    lambda np, m: np.take_along_axis(m, np.array([[]], dtype=int), 1),
    lambda np, m: np.take_along_axis(m, np.array([[1], [0]])),
)
def test_take_along_axis(body):
    """Broadcasting, negative indices, errors."""
    compare(body, MATRIX)


@cases(
    lambda np: np.ravel_multi_index((3, 1), (6, 7)),
    lambda np: np.ravel_multi_index(([3], [1]), (6, 7)),
    lambda np: np.ravel_multi_index((7, 1), (6, 7)),
    lambda np: np.ravel_multi_index((7, 1), (6, 7), mode="wrap"),
    lambda np: np.ravel_multi_index((np.zeros((0, 1), dtype=int), [9]), (3, 0)),
    lambda np: np.ravel_multi_index((7, -1), (6, 7), mode=("clip", "wrap")),
    lambda np: np.ravel_multi_index((3, 1), (6, 7), order="F"),
    lambda np: np.ravel_multi_index((3.0, 1), (6, 7)),
    lambda np: np.ravel_multi_index((True, 1), (6, 7)),
    lambda np: np.ravel_multi_index((3,), (6, 7)),
    lambda np: np.ravel_multi_index(np.array([[1, 2], [3, 4]]), (6, 7)),
    lambda np: np.ravel_multi_index(([], []), (6, 7)),
    lambda np: np.ravel_multi_index((np.array([], int), np.array([], int)), (6, 7)),
    lambda np: np.ravel_multi_index((-1, 0), (6, 7)),
    lambda np: np.ravel_multi_index(([1, 2], 3), (6, 7)),
    lambda np: np.ravel_multi_index(([1, 2], [1, 2, 3]), (6, 7)),
    lambda np: np.ravel_multi_index(3, (6, 7)),
    lambda np: np.ravel_multi_index([3], (6,)),
    lambda np: np.ravel_multi_index([3], 6),
    lambda np: np.ravel_multi_index((3, 1), (6, 7), order="A"),
    lambda np: np.ravel_multi_index((3, 1), (2**40, 2**40)),
    lambda np: np.ravel_multi_index((0, 0), (0, 7)),
    lambda np: np.ravel_multi_index((np.uint8(3), 1), (6, 7)),
    lambda np: np.ravel_multi_index((), ()),
    lambda np: np.unravel_index(22, (7, 6)),
    lambda np: np.unravel_index([22, 41], (7, 6)),
    lambda np: np.unravel_index([22, 41], (7, 6), order="F"),
    lambda np: np.unravel_index(50, (7, 6)),
    lambda np: np.unravel_index(-1, (7, 6)),
    lambda np: np.unravel_index(1.0, (7, 6)),
    lambda np: np.unravel_index([], (7, 6)),
    lambda np: np.unravel_index(np.array([], int), (7, 6)),
    lambda np: np.unravel_index(3, 6),
    lambda np: np.unravel_index(0, ()),
    lambda np: np.unravel_index([0], ()),
    lambda np: np.unravel_index([1], ()),
    lambda np: np.unravel_index(1, (2**32 - 1, 2**31 + 1)),
    lambda np: np.ravel_multi_index(np.zeros((3, 0), dtype=int), (2, 1, 0), mode="wrap"),
    lambda np: np.ravel_multi_index(np.zeros((3, 1), dtype=int), (2, 1, 0), mode="clip"),
    lambda np: np.unravel_index([[1, 2]], (7, 6)),
    lambda np: np.unravel_index(True, (7, 6)),
    lambda np: np.unravel_index(np.array([5, 99], dtype=np.uint8), (7, 3, 6)),
    lambda np: np.unravel_index(5, (0, 6)),
    lambda np: np.unravel_index(np.array([], int), (0, 6)),
    lambda np: np.unravel_index([1], (7, 6), order="K"),
    lambda np: np.unravel_index(5, (-1, 6)),
    lambda np: np.tril_indices(3),
    lambda np: np.tril_indices(2, 5, 3),
    lambda np: np.tril_indices(2, -5),
    lambda np: np.tril_indices(0),
    lambda np: np.tril_indices(-1),
    lambda np: np.triu_indices(3, 1, 4),
    lambda np: np.triu_indices(3, -9, 2),
    lambda np: np.triu_indices(3, 9, m=2),
    lambda np: np.tril_indices_from(np.zeros((2, 3)), 1),
    lambda np: np.triu_indices_from(np.zeros((2, 3)), -1),
    lambda np: np.tril_indices_from(np.zeros(3)),
    lambda np: np.triu_indices_from(np.zeros((2, 2, 2))),
    lambda np: np.diag_indices(3),
    lambda np: np.diag_indices(3, 0),
    lambda np: np.diag_indices(2, 3),
    lambda np: np.diag_indices(-2),
    lambda np: np.diag_indices_from(np.zeros((2, 3))),
    lambda np: np.diag_indices_from(np.zeros((2, 2, 2))),
    lambda np: np.diag_indices_from(np.zeros(2)),
    lambda np: np.mask_indices(3, np.triu),
    lambda np: np.mask_indices(3, np.tril, -1),
    lambda np: np.mask_indices(3, lambda x, k: 1),
    lambda np: np.indices((2, 3)),
    lambda np: np.indices((2,), float),
    lambda np: np.indices((2, 1), dtype=np.uint16),
    lambda np: np.indices(()),
    lambda np: np.indices(3),
    lambda np: np.indices((2, 3), sparse=True),
    lambda np: np.indices([2, 3], "float32"),
    lambda np: np.indices((2, -1)),
    lambda np: np.indices((), sparse=True),
    lambda np: np.indices((2, 0)),
    lambda np: np.ix_([0, 1], [True, False]),
    lambda np: np.ix_([], [1]),
    lambda np: np.ix_(),
    lambda np: np.ix_([[1]]),
    lambda np: np.ix_([1.5]),
    lambda np: np.ix_(1),
    lambda np: np.ix_([0], np.array([], bool)),
    lambda np: np.arange(10).reshape(2, 5)[np.ix_([True, True], [2, 4])],
)
def test_index_arrays(body):
    """Diagonals, triangles, grids and coordinates."""
    compare(body)


@pytest.mark.parametrize("body", [
    lambda np, a: np.ix_(a, a[::-1])[1].__setitem__((0, 0), 5),
    lambda np, a: np.ix_(a[:0])[0],
    lambda np, a: np.ix_(numpy.zeros(0))[0],
    lambda np, a: setattr(a[:0], "flat", 1),
    lambda np, a: a.flat.__setitem__(slice(0), 1),
    lambda np, a: np.array(1 + 2j).conj(),
    lambda np, a: np.array(1.5).conj(),
])  # fmt: skip
def test_read_only_and_empty(body):
    """What is read-only stays so in views, and is refused before a key that selects nothing."""

    def program(np):
        a = np.arange(3.0)
        a.flags.writeable = False
        return body(np, a)

    compare(program)


@given(arrays(ALL, shapes(2, 1)), st.data())
def test_take_of_every_dtype(a, data):
    """Along any axis, in any layout."""
    ndim = a.values.ndim
    axis = data.draw(st.one_of(st.none(), st.integers(-ndim, ndim - 1)))
    size = a.values.size if axis is None else a.values.shape[axis]
    picked = data.draw(st.lists(st.integers(-size - 1, size), max_size=4))
    mode = data.draw(st.sampled_from(["raise", "wrap", "clip"]))
    compare(lambda np, x: np.take(x, np.array(picked, int), axis, mode=mode), a)


@given(arrays(ALL, shapes(2)), st.data())
def test_putmask_and_place_of_every_dtype(a, data):
    """Values that are too few, too many, or just as many."""
    size = a.values.size
    mask = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    values = Spec(numpy.arange(data.draw(st.integers(0, 5))).astype(a.values.dtype))
    for name in ("putmask", "place"):

        def body(np: Any, x: Any, v: Any, name: str = name) -> Any:
            getattr(np, name)(x, mask, v)
            return x

        compare(body, Spec(a.values.copy()), values)


def test_repeated_indices_of_many_values_keep_the_last():
    """As in NumPy, with as many threads as there are."""
    generator = numpy.random.default_rng(0)
    picked = generator.integers(0, 50, 200_000)
    values = numpy.arange(200_000.0)
    before = torch.get_num_threads()
    torch.set_num_threads(4)
    try:

        def body(np: Any) -> Any:
            a, b, c = np.zeros(50), np.zeros((7, 50)), np.zeros(50)
            a[np.asarray(picked)] = np.asarray(values)
            b[3, np.asarray(picked)] = np.asarray(values)
            np.put(c, np.asarray(picked), np.asarray(values))
            return a, b, c

        compare(body, allow_numpy=True)
    finally:
        torch.set_num_threads(before)


def test_indices_take_a_device():
    """Functions that create indices have the keyword ``device``."""
    for made in (
        numpy_shim.indices((2,), device="meta"),
        numpy_shim.tril_indices(2, device="meta")[0],
        numpy_shim.diag_indices(2, device="meta")[0],
    ):
        assert made.device.type == "meta"


@pytest.mark.parametrize("function", ["putmask", "place"])
@pytest.mark.parametrize("values", [
    "np.array(2.0)", "np.array([2.0])", "np.float64(2.0)", "2.0", "[2.0]", "np.array([2])",
    "np.array([2], np.int8)", "np.int64(2)",
])  # fmt: skip
def test_masked_values_cast_safely(function: str, values: str):
    """An array of values is not cast to a smaller dtype; scalars and lists are."""

    def body(np: Any, a: Any) -> Any:
        a = a.copy()
        getattr(np, function)(a, np.ones(3, bool), eval(values, {"np": np}))
        return a

    compare(body, Spec(numpy.zeros(3, numpy.int8)))


PUT_INTO_NOTHING = """
np.put(np.array([], int), [0], [1])
np.put(np.array([], int), [0], [])
np.put(np.array([], int), [], [1])
np.put(np.array([], int), [0], [1], mode="clip")
np.put(np.array([], int), [0], [1], mode="wrap")
np.put(np.array([], "u1"), [0], -1)
np.put(np.array([], int), [0], "x")
np.put(np.array([], int), [], "x")
np.put(np.zeros((0, 3)), [0], [1], mode="wrap")
np.array([], int).put([0], 1)
np.put(np.ones(2), [5], [])
"""


@pytest.mark.parametrize("call", lines(PUT_INTO_NOTHING))
def test_put_into_nothing(call: str):
    """An array without elements takes no index, in any mode."""
    compare_call(call)


@pytest.mark.parametrize("dtype", ["bool", "float32"])
@pytest.mark.parametrize("places", ["np.nonzero(x)[0]", "np.argwhere(x)"])
def test_nonzero_while_another_thread_writes(dtype: str, places: str):
    """It gives the indices of some moment; torch's own nonzero ends the process or raises."""
    program = f"""if True:
        import threading
        import numpy_shim as np
        x = np.ones(100, "{dtype}")

        def work(i):
            for n in range(300):
                if i == 0:
                    x[::2] = n % 2
                else:
                    assert {places}.size in range(50, 101)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        print("ended")
    """
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300
    )
    assert (done.stdout, done.stderr) == ("ended\n", "")
