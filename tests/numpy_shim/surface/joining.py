"""Joining arrays."""

from __future__ import annotations

from tests.surface import Case

PAIR = ([0.3, 0.6, 0.9], [1.4, 1.5, 1.8])
MATRICES = ([[0.3, 0.6], [0.9, 0.1]], [[1.3, 1.6], [1.9, 1.1]])

CASES = [
    Case("concatenate", lambda np, a, b: np.concatenate((a, b)), PAIR, nodes=1),
    Case("concatenate", lambda np, a, b: np.concatenate((a, b), axis=None), MATRICES),
    Case("concatenate", lambda np, a, b: np.concatenate((a, [1, 2], b)), PAIR),
    Case("concat", lambda np, a, b: np.concat([a, b], axis=1), MATRICES, nodes=1),
    Case("stack", lambda np, a, b: np.stack((a, b), 1), PAIR, nodes=1),
    Case("hstack", lambda np, a, b: np.hstack((a, b)), PAIR, nodes=1),
    Case("vstack", lambda np, a, b: np.vstack((a, b)), PAIR),
    Case("row_stack", lambda np, a, b: np.row_stack((a, b)), PAIR),
    Case("dstack", lambda np, a, b: np.dstack((a, b)), MATRICES),
    Case("column_stack", lambda np, a, b: np.column_stack((a, b)), PAIR),
    Case("append", lambda np, a, b: np.append(a, b), PAIR),
    Case("block", lambda np, a, b: np.block([[a, b], [b, a]]), MATRICES),
]
