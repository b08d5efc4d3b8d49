"""Functions made from Python functions."""

from __future__ import annotations

from typing import Any

from tests.surface import Case

ONE = ([0.3, 0.6, 0.9],)
MATRIX = ([[0.3, 0.6], [0.9, 0.2]],)

CASES = [
    Case("vectorize", lambda np, a: np.vectorize(lambda x: x * x, otypes=[float])(a), ONE),
    Case(
        "vectorize",
        lambda np, a: np.vectorize(lambda r: r * r.sum(), signature="(n)->(n)")(a),
        MATRIX,
    ),
    Case(
        "frompyfunc",
        lambda np, a: np.asarray(np.frompyfunc(lambda x: x * x, 1, 1)(a), float, device=a.device),
        ONE,
    ),
    Case("apply_along_axis", lambda np, a: np.apply_along_axis(lambda r: r * r[0], 1, a), MATRIX),
    Case("apply_over_axes", lambda np, a: np.apply_over_axes(np.sum, a, [0, 1]), MATRIX),
    Case(
        "piecewise",
        lambda np, a: np.piecewise(a, [a < 0.5], [lambda x: x * x, 2.0]),
        ONE,
    ),
    Case("errstate", lambda np, a: dividing(np, a), ONE),
]


def dividing(np: Any, a: Any) -> Any:
    with np.errstate(all="ignore"):
        return a / 0.5
