"""Reductions."""

from __future__ import annotations

from tests.surface import INTEGER_RESULT, Case

MATRIX = ([[0.3, 0.6, 0.9], [1.2, -0.7, 2.0]],)

CASES = [
    Case("sum", lambda np, a: np.sum(a), MATRIX, nodes=1),
    Case("sum", lambda np, a: np.sum(a, (0, 1), keepdims=True, initial=2), MATRIX),
    Case("prod", lambda np, a: np.prod(a, 0), MATRIX, nodes=1),
    Case("max", lambda np, a: np.max(a, 0), MATRIX, nodes=1),
    Case("amax", lambda np, a: np.amax(a, where=[True, False, True], initial=-9), MATRIX),
    Case("min", lambda np, a: np.min(a), MATRIX, nodes=1),
    Case("amin", lambda np, a: np.amin(a, -1, keepdims=True), MATRIX),
    Case("max", lambda np, a: np.max(a, 1), ([[1 + 2j, 0.5 - 1j], [3, 2j]],), dtype="complex128"),
    Case("any", lambda np, a: np.any(a, 0), MATRIX, grad=INTEGER_RESULT, nodes=1),
    Case("all", lambda np, a: np.all(a), MATRIX, grad=INTEGER_RESULT, nodes=1),
    Case("ptp", lambda np, a: np.ptp(a, 1), MATRIX),
    Case("trace", lambda np, a: np.trace(a, 1), MATRIX),
]
