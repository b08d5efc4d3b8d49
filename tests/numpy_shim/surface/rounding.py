"""Rounding."""

from __future__ import annotations

from tests.surface import PIECEWISE_CONSTANT, Case

ONE = ([0.3, 0.66, 0.9],)

CASES = [
    Case("round", lambda np, a: np.round(a), ONE, grad=PIECEWISE_CONSTANT, nodes=1),
    Case("round", lambda np, a: np.round(a, 1), ONE, grad=PIECEWISE_CONSTANT),
    Case("around", lambda np, a: np.around(a, -1), ONE, grad=PIECEWISE_CONSTANT),
    Case("fix", lambda np, a: np.fix(a), ONE, grad=PIECEWISE_CONSTANT),
]
