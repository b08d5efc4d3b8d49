"""Searching functions."""

from __future__ import annotations

from tests.surface import INTEGER_RESULT, Case

VECTOR = ([0.5, -1.5, 2.0, 3.5],)
TWO = ([0.5, 1.5, 2.0, 3.5], [2.5, 0.25])

CASES = [
    Case("argmax", lambda xp, a: xp.argmax(a), VECTOR, grad=INTEGER_RESULT, nodes=1),
    Case("argmin", lambda xp, a: xp.argmin(a, axis=0), VECTOR, grad=INTEGER_RESULT, nodes=1),
    Case("count_nonzero", lambda xp, a: xp.count_nonzero(a), VECTOR, grad=INTEGER_RESULT, nodes=1),
    Case(
        "nonzero",
        lambda xp, a: xp.nonzero(a),
        VECTOR,
        grad=INTEGER_RESULT,
    ),
    Case("searchsorted", lambda xp, a, b: xp.searchsorted(a, b), TWO, grad=INTEGER_RESULT),
    Case(
        "searchsorted",
        lambda xp, a, b: xp.searchsorted(a, b, side="right"),
        TWO,
        dtype="int64",
        grad=INTEGER_RESULT,
        nodes=1,
    ),
    Case("where", lambda xp, a: xp.where(a > 1.0, a, a * a), VECTOR, nodes=3),
    Case("where", lambda xp, a: xp.where(a > 1.0, a, 0.0), VECTOR, nodes=2),
]
