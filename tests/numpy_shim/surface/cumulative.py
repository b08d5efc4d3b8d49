"""Running sums and products, and differences."""

from __future__ import annotations

from tests.surface import Case

MATRIX = ([[0.3, 0.6, 0.9], [1.2, -0.7, 2.0]],)

CASES = [
    Case("cumsum", lambda np, a: np.cumsum(a, 1), MATRIX, nodes=1),
    Case("cumsum", lambda np, a: np.cumsum(a), MATRIX),
    Case("cumprod", lambda np, a: np.cumprod(a, 0, out=np.zeros((2, 3))), MATRIX),
    Case("cumulative_sum", lambda np, a: np.cumulative_sum(a, axis=0), MATRIX),
    Case(
        "cumulative_prod",
        lambda np, a: np.cumulative_prod(a, axis=1, include_initial=True),
        MATRIX,
    ),
    Case("diff", lambda np, a: np.diff(a), MATRIX, nodes=1),
    Case("diff", lambda np, a: np.diff(a, 2, prepend=1, append=a), MATRIX),
]
