"""Ufuncs: calls, options and methods."""

from __future__ import annotations

from tests.surface import INTEGER_RESULT, PIECEWISE_CONSTANT, Case

ONE = ([0.3, 0.6, 0.9],)
TWO = ([0.3, 0.6, 0.9], [0.4, 0.5, 0.8])

CASES = [
    Case("add", lambda np, a, b: np.add(a, b), TWO, nodes=1),
    Case("add", lambda np, a: np.add(a, 2), ONE, nodes=1),
    Case("sin", lambda np, a: np.sin(a), ONE, nodes=1),
    Case("floor", lambda np, a: np.floor(a), ONE, grad=PIECEWISE_CONSTANT, nodes=1),
    Case("less", lambda np, a, b: np.less(a, b), TWO, grad=INTEGER_RESULT, nodes=1),
]
