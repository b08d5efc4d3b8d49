"""Averages, variances and correlations."""

from __future__ import annotations

from tests.surface import Case

MATRIX = ([[0.3, 0.6, 0.9], [1.2, -0.7, 2.0]],)

CASES = [
    Case("mean", lambda np, a: np.mean(a), MATRIX, nodes=1),
    Case("mean", lambda np, a: np.mean(a, 1, where=[True, False, True]), MATRIX),
    Case("var", lambda np, a: np.var(a, 0), MATRIX, nodes=1),
    Case("var", lambda np, a: np.var(a, 1, ddof=1, where=[True, False, True]), MATRIX),
    Case("std", lambda np, a: np.std(a, ddof=1), MATRIX, nodes=1),
    Case("std", lambda np, a: np.std(a, 1, mean=np.mean(a, 1, keepdims=True)), MATRIX),
    Case("average", lambda np, a: np.average(a, 1, weights=[1, 2, 3], returned=True), MATRIX),
    Case("average", lambda np, a: np.average(a, 0), MATRIX),
    Case("cov", lambda np, a: np.cov(a), MATRIX),
    Case("cov", lambda np, a: np.cov(a, a, aweights=[1, 2, 3], fweights=[1, 2, 1]), MATRIX),
    Case("corrcoef", lambda np, a: np.corrcoef(a), MATRIX),
]
