"""Utility functions."""

from __future__ import annotations

from tests.surface import INTEGER_RESULT, Case

VECTOR = ([0.5, -1.5, 2.0, 3.5],)
MATRIX = ([[0.5, -1.5, 2.0], [3.5, 1.0, 0.25]],)

CASES = [
    Case("all", lambda xp, a: xp.all(a), VECTOR, grad=INTEGER_RESULT, nodes=1),
    Case("any", lambda xp, a: xp.any(a, axis=(0, 1)), MATRIX, grad=INTEGER_RESULT, nodes=1),
    Case("diff", lambda xp, a: xp.diff(a), VECTOR, nodes=1),
    Case("diff", lambda xp, a: xp.diff(a, axis=0, n=2, prepend=a, append=a), MATRIX, nodes=2),
]
