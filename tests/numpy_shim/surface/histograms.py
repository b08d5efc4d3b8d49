"""Histograms and counts."""

from __future__ import annotations

from tests.surface import INTEGER_RESULT, Case

TWO = ([0.3, 0.6, 0.9], [0.4, 0.5, 0.8])

CASES = [
    Case(
        "bincount", lambda np, a: np.bincount(a), ([1, 2, 2],), dtype="int64",
        grad=INTEGER_RESULT,
    ),
    Case("histogram", lambda np, a, b: np.histogram(a, [0.0, 0.5, 1.0], weights=b)[0], TWO),
    Case("histogram", lambda np, a, b: np.histogram(a, 5, density=True)[0], TWO),
    Case("histogram_bin_edges", lambda np, a, b: np.histogram_bin_edges(a, 4), TWO),
    Case("histogram2d", lambda np, a, b: np.histogram2d(a, b, 3)[0], TWO, grad=INTEGER_RESULT),
    Case("histogramdd", lambda np, a, b: np.histogramdd([a, b], 3)[1], TWO),
]  # fmt: skip
