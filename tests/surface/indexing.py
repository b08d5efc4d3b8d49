"""Indexing and assignment of arrays, and the indexing functions."""

from __future__ import annotations

from typing import Any

from tests.surface import DATA_DEPENDENT, Case

VECTOR = ([1.0, 2.0, 3.0, 4.0],)
MATRIX = ([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],)


def assigned(xp: Any, x: Any, key: Any, value: Any) -> Any:
    """A copy of ``x`` after an assignment."""
    result = xp.asarray(x, copy=True)
    result[key] = value
    return result


CASES = [
    Case("Array.__getitem__", lambda xp, a: a[2], VECTOR, nodes=1),
    Case("Array.__getitem__", lambda xp, a: a[1:3], VECTOR, nodes=1),
    Case("Array.__getitem__", lambda xp, a: a[::-1], VECTOR, nodes=1),
    Case("Array.__getitem__", lambda xp, a: a[1, ::-2], MATRIX, nodes=2),
    Case("Array.__getitem__", lambda xp, a: a[None, ..., -1], MATRIX, nodes=1),
    Case("Array.__getitem__", lambda xp, a: a[xp.argsort(-a) - 2], VECTOR),
    Case("Array.__getitem__", lambda xp, a: a[1, xp.argsort(a[0, :])], MATRIX),
    Case("Array.__getitem__", lambda xp, a: a[a > 2.5], VECTOR),
    Case("Array.__setitem__", lambda xp, a: assigned(xp, a, 2, 9.0), VECTOR),
    Case("Array.__setitem__", lambda xp, a: assigned(xp, a, (0, slice(1, None)), 9.0), MATRIX),
    Case("Array.__setitem__", lambda xp, a: assigned(xp, a, slice(1, None), a[:-1]), VECTOR),
    Case("Array.__setitem__", lambda xp, a: assigned(xp, a, slice(None, None, -1), a), VECTOR),
    Case("Array.__setitem__", lambda xp, a: assigned(xp, a, a > 2.5, 0.5), VECTOR),
    Case("Array.__setitem__", lambda xp, a: assigned(xp, a, a > 2.5, a[0]), VECTOR),
    Case(
        "Array.__setitem__",
        lambda xp, a: assigned(xp, a, a > 2.5, a[:2]),
        VECTOR,
        trace=DATA_DEPENDENT,
    ),
    Case(
        "Array.__setitem__",
        lambda xp, a: assigned(xp, a, xp.argsort(-a), a * 2.0),
        VECTOR,
    ),
    Case("take", lambda xp, a: xp.take(a, xp.argsort(a) - 2), VECTOR),
    Case("take", lambda xp, a: xp.take(a, xp.argsort(a[0, :]), axis=1), MATRIX),
    Case("take_along_axis", lambda xp, a: xp.take_along_axis(a, xp.argsort(a) - 1), MATRIX),
]
