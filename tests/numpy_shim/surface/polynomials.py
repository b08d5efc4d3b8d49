"""NumPy's older polynomials."""

from __future__ import annotations

from tests.surface import DATA_DEPENDENT, Case

TWO = ([0.3, 0.6, 0.9], [0.4, 0.5, 0.8])
POINTS = ([0.0, 1.0, 2.0, 3.5], [1.0, 3.0, 4.0, 2.0])

CASES = [
    Case("polyval", lambda np, a, b: np.polyval(a, b), TWO),
    Case("polyadd", lambda np, a, b: np.polyadd(a, b), TWO),
    Case("polysub", lambda np, a, b: np.polysub(a, b), TWO),
    Case("polymul", lambda np, a, b: np.polymul(a, b), TWO, trace=DATA_DEPENDENT),
    Case("polydiv", lambda np, a, b: np.polydiv(a, b)[0], TWO, trace=DATA_DEPENDENT),
    Case("polyder", lambda np, a, b: np.polyder(a), TWO),
    Case("polyint", lambda np, a, b: np.polyint(a, k=2), TWO),
    Case("polyfit", lambda np, a, b: np.polyfit(a, b, 1), POINTS),
    Case("poly", lambda np, a, b: np.poly(a), TWO),
    Case("roots", lambda np, a, b: np.roots(a), TWO, trace=DATA_DEPENDENT),
    Case("poly1d", lambda np, a, b: np.poly1d(a)(b), TWO, trace=DATA_DEPENDENT),
]
