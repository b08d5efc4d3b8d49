"""Comparing whole arrays and asking what numbers are."""

from __future__ import annotations

from tests.surface import INTEGER_RESULT, Case

TWO = ([0.3, 0.6, 0.9], [0.3, 0.5, 0.9])
ONE = ([0.3, 0.6, 0.9],)
PYTHON_BOOL = "the result is a Python bool, which is known only from the values"

CASES = [
    Case("isclose", lambda np, a, b: np.isclose(a, b), TWO, grad=INTEGER_RESULT, nodes=1),
    Case("isclose", lambda np, a, b: np.isclose(a, b, rtol=[0.1]), TWO, grad=INTEGER_RESULT),
    Case("allclose", lambda np, a, b: np.allclose(a, b), TWO, grad=INTEGER_RESULT),
    Case(
        "array_equal", lambda np, a, b: np.array_equal(a, b), TWO,
        trace=PYTHON_BOOL, grad=INTEGER_RESULT,
    ),
    Case("array_equiv", lambda np, a, b: np.array_equiv(a, b), TWO, grad=INTEGER_RESULT),
    Case("isreal", lambda np, a: np.isreal(a), ONE, grad=INTEGER_RESULT),
    Case("iscomplex", lambda np, a: np.iscomplex(a), ONE, grad=INTEGER_RESULT),
    Case("isposinf", lambda np, a: np.isposinf(a), ONE, grad=INTEGER_RESULT),
    Case("isneginf", lambda np, a: np.isneginf(a), ONE, grad=INTEGER_RESULT),
]  # fmt: skip
