"""Medians, percentiles and quantiles."""

from __future__ import annotations

from tests.surface import Case

MATRIX = ([[0.3, 0.6, 0.9, 0.1], [1.2, -0.7, 2.0, 1.4]],)

CASES = [
    Case("median", lambda np, a: np.median(a), MATRIX),
    Case("median", lambda np, a: np.median(a, 1, keepdims=True), MATRIX),
    Case("percentile", lambda np, a: np.percentile(a, 30, (0, 1)), MATRIX),
    Case("percentile", lambda np, a: np.percentile(a, [20, 90], 1, method="hazen"), MATRIX),
    Case("quantile", lambda np, a: np.quantile(a, 0.3), MATRIX),
    Case(
        "quantile",
        lambda np, a: np.quantile(a, 0.3, 1, weights=[1, 2, 1, 1], method="inverted_cdf"),
        MATRIX,
    ),
]
