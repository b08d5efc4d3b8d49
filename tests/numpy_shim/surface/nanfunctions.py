"""The functions that leave NaN out."""

from __future__ import annotations

from tests.surface import Case

NAN = float("nan")
MATRIX = ([[0.3, 0.6, 0.9, 0.1], [1.2, -0.7, 2.0, 1.4]],)
HOLES = [[0.0, 0.0, NAN, 0.0], [NAN, 0.0, 0.0, 0.0]]

CASES = [
    Case("nansum", lambda np, a: np.nansum(a + np.array(HOLES), 0), MATRIX),
    Case("nanprod", lambda np, a: np.nanprod(a + np.array(HOLES)), MATRIX),
    Case("nanmax", lambda np, a: np.nanmax(a + np.array(HOLES), 1), MATRIX),
    Case("nanmin", lambda np, a: np.nanmin(a + np.array(HOLES), initial=-3), MATRIX),
    Case("nanmean", lambda np, a: np.nanmean(a + np.array(HOLES), 0, keepdims=True), MATRIX),
    Case("nanvar", lambda np, a: np.nanvar(a + np.array(HOLES)), MATRIX),
    Case("nanstd", lambda np, a: np.nanstd(a + np.array(HOLES), 1, ddof=1), MATRIX),
    Case("nancumsum", lambda np, a: np.nancumsum(a + np.array(HOLES), 1), MATRIX),
    Case("nancumprod", lambda np, a: np.nancumprod(a + np.array(HOLES)), MATRIX),
    Case("nanmedian", lambda np, a: np.nanmedian(a + np.array(HOLES), 1), MATRIX),
    Case("nanpercentile", lambda np, a: np.nanpercentile(a + np.array(HOLES), [20, 90]), MATRIX),
    Case("nanquantile", lambda np, a: np.nanquantile(a + np.array(HOLES), 0.3, 1), MATRIX),
]
