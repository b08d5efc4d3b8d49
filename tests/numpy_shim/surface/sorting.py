"""Sorting."""

from __future__ import annotations

from tests.surface import INTEGER_RESULT, Case

ROW = ([0.3, 0.9, 0.6, 0.2],)
MATRIX = ([[0.3, 0.6, 0.4], [0.9, 0.1, 0.7]],)
PAIR = ([0.3, 0.9, 0.6], [0.2, 0.1, 0.4])

CASES = [
    Case("sort", lambda np, a: np.sort(a), ROW),
    Case("sort", lambda np, a: np.sort(a, axis=None), MATRIX),
    Case("sort", lambda np, a: np.sort(a + 1j), ROW),
    Case("sort", lambda np, a: np.sort(a, descending=True), ROW),
    Case("argsort", lambda np, a: np.argsort(a), ROW, grad=INTEGER_RESULT, nodes=1),
    Case("lexsort", lambda np, a, b: np.lexsort((a, b)), PAIR, grad=INTEGER_RESULT),
    Case("partition", lambda np, a: np.partition(a, 1), ROW),
    Case("argpartition", lambda np, a: np.argpartition(a, 1), ROW, grad=INTEGER_RESULT),
    Case("sort_complex", lambda np, a: np.sort_complex(a), ROW),
]
