"""Rearranging elements."""

from __future__ import annotations

from tests.surface import DATA_DEPENDENT, Case

ROW = ([0.3, 0.6, 0.9, 0.2],)
MATRIX = ([[0.3, 0.6, 0.4], [0.9, 0.1, 0.7]],)

CASES = [
    Case("flip", lambda np, a: np.flip(a), MATRIX),
    Case("flip", lambda np, a: np.flip(a, 0) + 1, MATRIX),
    Case("fliplr", lambda np, a: np.fliplr(a), MATRIX),
    Case("flipud", lambda np, a: np.flipud(a), MATRIX),
    Case("rot90", lambda np, a: np.rot90(a), MATRIX),
    Case("roll", lambda np, a: np.roll(a, 1), MATRIX),
    Case("roll", lambda np, a: np.roll(a, (1, -1), (0, 1)), MATRIX, nodes=1),
    Case("tile", lambda np, a: np.tile(a, (2, 1)), ROW, nodes=1),
    Case("repeat", lambda np, a: np.repeat(a, 2), ROW),
    Case("repeat", lambda np, a: np.repeat(a, [1, 2], axis=0), MATRIX),
    Case("resize", lambda np, a: np.resize(a, (2, 3)), ROW),
    Case("delete", lambda np, a: np.delete(a, 1), ROW),
    Case("delete", lambda np, a: np.delete(a, slice(1, 3)), ROW),
    Case("insert", lambda np, a: np.insert(a, 1, 0.5), ROW),
    Case("insert", lambda np, a: np.insert(a, slice(0, 2), a[0]), ROW),
    Case("trim_zeros", lambda np, a: np.trim_zeros(a), ROW, trace=DATA_DEPENDENT),
]
