"""Indexing, the functions that select and write by index, and those that make indices."""

from __future__ import annotations

from typing import Any

from tests.surface import INTEGER_RESULT, NO_INPUT, Case

VECTOR = ([0.3, 0.6, 0.9, 1.2],)
MATRIX = ([[0.3, 0.6, 0.9], [0.4, 0.5, 0.8]],)
BOTH = (*MATRIX, [1.0, 2.0, 3.0])
VALUES_READ = "it iterates over values or shapes in Python"


def written(change: Any) -> Any:
    """A body that changes a copy of its first input and returns it."""

    def body(np: Any, a: Any, *rest: Any) -> Any:
        b = np.multiply(a, 1.0)
        change(np, b, *rest)
        return b

    return body


def setting(key: Any, value: Any = None) -> Any:
    """A body that assigns ``value``, or its second input, to a key (a function of ``np``)."""

    def change(np: Any, b: Any, *rest: Any) -> None:
        b[key(np)] = rest[0] if value is None else value

    return written(change)


def getting(key: Any) -> Any:
    """A body that reads at a key (a function of ``np``)."""
    return lambda np, a: a[key(np)]


CASES = [
    Case("ndarray.__getitem__", lambda np, a: a[1], VECTOR, nodes=2),
    Case("ndarray.__getitem__", lambda np, a: a[1:3], VECTOR, nodes=2),
    Case("ndarray.__getitem__", lambda np, a: a[::-1], VECTOR),
    Case("ndarray.__getitem__", lambda np, a: a[0, ::-2], MATRIX),
    Case("ndarray.__getitem__", lambda np, a: a[..., None, 1], MATRIX, nodes=2),
    Case("ndarray.__getitem__", lambda np, a: a[[2, 0, 2]], VECTOR),
    Case("ndarray.__getitem__", lambda np, a: a[np.array([2, 0, -1])], VECTOR),
    Case("ndarray.__getitem__", lambda np, a: a[:, np.array([2, 0, -1])], MATRIX),
    Case("ndarray.__getitem__", lambda np, a: a[0, :, None][np.array([[1], [0]])], MATRIX),
    Case("ndarray.__getitem__", getting(lambda np: (np.array([0, 1]), np.array([1, 2]))), MATRIX),
    Case("ndarray.__getitem__", getting(lambda np: (np.array([0, 1]), None, 1)), MATRIX),
    Case("ndarray.__getitem__", lambda np, a: a[np.argmax(a)], VECTOR),
    Case("ndarray.__getitem__", lambda np, a: a[np.argmax(a[:, 0]), 1:], MATRIX),
    Case("ndarray.__getitem__", lambda np, a: a[np.array([0, 1], dtype=np.uint8)], VECTOR),
    Case("ndarray.__getitem__", lambda np, a: a[a > 0.5], VECTOR),
    Case("ndarray.__setitem__", setting(lambda np: 1, 7.0), VECTOR),
    Case("ndarray.__setitem__", setting(lambda np: slice(1, 3), 7.0), VECTOR),
    Case("ndarray.__setitem__", setting(lambda np: (slice(None), 1), 7.0), MATRIX),
    Case("ndarray.__setitem__", setting(lambda np: 0), BOTH),
    Case("ndarray.__setitem__", setting(lambda np: (0, slice(None, None, -1))), BOTH),
    Case("ndarray.__setitem__", setting(lambda np: np.array([1, 0])), BOTH),
    Case("ndarray.__setitem__", setting(lambda np: (slice(None), np.array([1, 0])), 7.0), MATRIX),
    Case("ndarray.__setitem__", setting(lambda np: ([0, 1], slice(None), None), 7.0), MATRIX),
    Case(
        "ndarray.__setitem__",
        written(lambda np, b: b.__setitem__(b > 0.55, 7.0)),
        VECTOR,
    ),
    Case("ndarray.__setitem__", written(lambda np, b: b[::-1].__setitem__(0, 7.0)), VECTOR),
    Case("ndarray.__setitem__", written(lambda np, b: b[1:].__imul__(2.0)), VECTOR),
    Case("ndarray.__setitem__", written(lambda np, b: b[::-1].__iadd__(b)), VECTOR),
    Case("take", lambda np, a: np.take(a, np.array([2, 0])), VECTOR),
    Case("take", lambda np, a: np.take(a, [[2, -1]], axis=1), MATRIX),
    Case("take", lambda np, a: np.take(a, [9, -9], mode="wrap"), VECTOR),
    Case("take_along_axis", lambda np, a: np.take_along_axis(a, np.array([[2], [0]]), 1), MATRIX),
    Case("choose", lambda np, a, b: np.choose(np.array([0, 1, 0]), [a, b]), BOTH),
    Case("compress", lambda np, a: np.compress([1, 0, 1], a, 1), MATRIX),
    Case("extract", lambda np, a: np.extract(a > 0.5, a), VECTOR),
    Case("select", lambda np, a, b: np.select([a > 0.55, a > 0.45], [a * 2, b], 1.0), BOTH),
    Case("put", written(lambda np, b: np.put(b, [0, -1], [5.0, 6.0])), MATRIX),
    Case("put", written(lambda np, b: np.put(b.T, [0, -1], [5.0, 6.0])), MATRIX),
    Case(
        "put_along_axis",
        written(lambda np, b: np.put_along_axis(b, np.array([[2], [0]]), 5.0, 1)),
        MATRIX,
    ),
    Case("putmask", written(lambda np, b, v: np.putmask(b, b > 0.55, v)), BOTH),
    Case("place", written(lambda np, b, v: np.place(b, b > 0.55, v)), BOTH),
    Case("copyto", written(lambda np, b, v: np.copyto(b, v)), BOTH),
    Case("copyto", written(lambda np, b, v: np.copyto(b, v, where=b > 0.55)), BOTH),
    Case("fill_diagonal", written(lambda np, b: np.fill_diagonal(b, 5.0)), MATRIX),
    Case("diag_indices", lambda np: np.diag_indices(3), grad=NO_INPUT),
    Case(
        "diag_indices_from",
        lambda np, a: np.diag_indices_from(a[:, :2]),
        MATRIX,
        grad=INTEGER_RESULT,
    ),
    Case("tril_indices", lambda np: np.tril_indices(3, 1), grad=NO_INPUT),
    Case("tril_indices_from", lambda np, a: np.tril_indices_from(a), MATRIX, grad=INTEGER_RESULT),
    Case("triu_indices", lambda np: np.triu_indices(3, 1, 2), grad=NO_INPUT),
    Case("triu_indices_from", lambda np, a: np.triu_indices_from(a), MATRIX, grad=INTEGER_RESULT),
    Case("mask_indices", lambda np: np.mask_indices(3, np.triu), grad=NO_INPUT),
    Case("indices", lambda np: np.indices((2, 3)), grad=NO_INPUT),
    Case("indices", lambda np: np.indices((2, 3), sparse=True), grad=NO_INPUT),
    Case("ix_", lambda np: np.ix_([0, 1], np.array([2, 0])), grad=NO_INPUT),
    Case("ravel_multi_index", lambda np: np.ravel_multi_index(([1], [2]), (3, 4)), grad=NO_INPUT),
    Case("unravel_index", lambda np: np.unravel_index([5, 7], (3, 4)), grad=NO_INPUT),
    Case("r_", lambda np, a: np.r_[a, 1.0, 0:2], VECTOR),
    Case("c_", lambda np, a: np.c_[a, a * 2], VECTOR),
    Case("s_", lambda np, a: a[np.s_[1:3]], VECTOR),
    Case("index_exp", lambda np, a: a[np.index_exp[1:3]], VECTOR),
    Case("mgrid", lambda np: np.mgrid[0:2, 0:1:3j], grad=NO_INPUT),
    Case("ogrid", lambda np: np.ogrid[0:2, 0:3], grad=NO_INPUT),
    Case("ndindex", lambda np, a: [a[i] for i in np.ndindex(2, 3)], MATRIX),
    Case("ndenumerate", lambda np, a: [x for _, x in np.ndenumerate(a)], MATRIX),
]
