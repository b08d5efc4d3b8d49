"""Sets: most results have sizes that depend on the values, and trace all the same."""

from __future__ import annotations

from tests.surface import DATA_DEPENDENT, INTEGER_RESULT, Case

ROW = ([0.3, 0.9, 0.6, 0.2],)
PAIR = ([0.3, 0.9, 0.6], [0.2, 0.8, 0.4])

CASES = [
    Case("unique", lambda np, a: np.unique(a), ROW),
    Case("unique_all", lambda np, a: np.unique_all(a), ROW),
    Case("unique_counts", lambda np, a: np.unique_counts(a), ROW),
    Case("unique_inverse", lambda np, a: np.unique_inverse(a), ROW),
    Case("unique_values", lambda np, a: np.unique_values(a), ROW),
    Case("intersect1d", lambda np, a: np.intersect1d(a, a[::-1]), ROW),
    Case("union1d", lambda np, a, b: np.union1d(a, b), PAIR),
    Case("setdiff1d", lambda np, a, b: np.setdiff1d(a, b), PAIR, trace=DATA_DEPENDENT),
    Case("setxor1d", lambda np, a, b: np.setxor1d(a, b), PAIR),
    Case("isin", lambda np, a, b: np.isin(a, b), PAIR, grad=INTEGER_RESULT),
    Case("ediff1d", lambda np, a: np.ediff1d(a), ROW),
    Case("ediff1d", lambda np, a: np.ediff1d(a, to_begin=0.5, to_end=[1, 2]), ROW),
]
