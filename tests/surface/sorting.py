"""Sorting functions."""

from __future__ import annotations

from tests.surface import INTEGER_RESULT, Case

VECTOR = ([0.5, -1.5, 2.0, 3.5],)

CASES = [
    Case("argsort", lambda xp, a: xp.argsort(a), VECTOR, grad=INTEGER_RESULT, nodes=1),
    Case("sort", lambda xp, a: xp.sort(a), VECTOR),
    Case("sort", lambda xp, a: xp.sort(a, axis=0, descending=True, stable=False), VECTOR),
]
