"""Statistical functions."""

from __future__ import annotations

from tests.surface import Case

VECTOR = ([0.5, -1.5, 2.0, 3.5],)
MATRIX = ([[0.5, -1.5, 2.0], [3.5, 1.0, 0.25]],)

CASES = [
    Case("cumulative_prod", lambda xp, a: xp.cumulative_prod(a), VECTOR, nodes=1),
    Case(
        "cumulative_prod",
        lambda xp, a: xp.cumulative_prod(a, axis=1, include_initial=True),
        MATRIX,
    ),
    Case("cumulative_sum", lambda xp, a: xp.cumulative_sum(a), VECTOR, nodes=1),
    Case(
        "cumulative_sum", lambda xp, a: xp.cumulative_sum(a, axis=0, include_initial=True), MATRIX
    ),
    Case("max", lambda xp, a: xp.max(a), VECTOR, nodes=1),
    Case("max", lambda xp, a: xp.max(a, axis=(0, 1), keepdims=True), MATRIX, nodes=1),
    Case("mean", lambda xp, a: xp.mean(a), VECTOR, nodes=1),
    Case("mean", lambda xp, a: xp.mean(a, axis=1, keepdims=True), MATRIX, nodes=1),
    Case("min", lambda xp, a: xp.min(a), VECTOR, nodes=1),
    Case("min", lambda xp, a: xp.min(a, axis=0), MATRIX, nodes=1),
    Case("prod", lambda xp, a: xp.prod(a), VECTOR, nodes=1),
    Case("prod", lambda xp, a: xp.prod(a, axis=(0, 1)), MATRIX, nodes=2),
    Case("std", lambda xp, a: xp.std(a), VECTOR, nodes=1),
    Case("std", lambda xp, a: xp.std(a, axis=1, correction=1.5), MATRIX, nodes=1),
    Case("sum", lambda xp, a: xp.sum(a), VECTOR, nodes=1),
    Case("sum", lambda xp, a: xp.sum(a, axis=(0, 1)), MATRIX, nodes=1),
    Case("sum", lambda xp, a: xp.sum(a, axis=()), MATRIX),
    Case("var", lambda xp, a: xp.var(a), VECTOR, nodes=1),
    Case("var", lambda xp, a: xp.var(a, axis=0, correction=1, keepdims=True), MATRIX, nodes=1),
]
