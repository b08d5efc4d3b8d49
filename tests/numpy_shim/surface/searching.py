"""Searching."""

from __future__ import annotations

from tests.surface import INTEGER_RESULT, Case

ROW = ([0.3, 0.9, 0.6, 0.2],)
MATRIX = ([[0.3, 0.6, 0.4], [0.9, 0.1, 0.7]],)
SORTED = ([0.1, 0.5, 0.8], [0.3, 0.9])
PAIR = ([0.3, 0.9, 0.6], [0.2, 0.1, 0.4])

CASES = [
    Case("argmax", lambda np, a: np.argmax(a), MATRIX, grad=INTEGER_RESULT, nodes=1),
    Case("argmin", lambda np, a: np.argmin(a, 1, keepdims=True), MATRIX, grad=INTEGER_RESULT),
    Case("argmax", lambda np, a: np.argmax(a + 1j), MATRIX, grad=INTEGER_RESULT),
    Case("nanargmax", lambda np, a: np.nanargmax(a, 1), MATRIX, grad=INTEGER_RESULT),
    Case("nanargmin", lambda np, a: np.nanargmin(a), MATRIX, grad=INTEGER_RESULT),
    Case("argwhere", lambda np, a: np.argwhere(a), ROW, grad=INTEGER_RESULT),
    Case("nonzero", lambda np, a: np.nonzero(a), ROW, grad=INTEGER_RESULT),
    Case(
        "flatnonzero",
        lambda np, a: np.flatnonzero(a),
        ROW,
        grad=INTEGER_RESULT,
    ),
    Case("where", lambda np, a, b: np.where(a > 0.5, a, b), PAIR, nodes=2),
    Case("where", lambda np, a: np.where(a > 0.5, a, 0.0), ROW, nodes=2),
    Case("where", lambda np, a: np.where([True, False, True, False], 1, a), ROW),
    Case("searchsorted", lambda np, a, b: np.searchsorted(a, b), SORTED, grad=INTEGER_RESULT),
    Case("count_nonzero", lambda np, a: np.count_nonzero(a), MATRIX, grad=INTEGER_RESULT, nodes=1),
    Case("digitize", lambda np, a, b: np.digitize(b, a), SORTED, grad=INTEGER_RESULT),
]
