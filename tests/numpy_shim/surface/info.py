"""Conversions of dtype."""

from __future__ import annotations

from tests.surface import Case

CASES = [Case("astype", lambda np, a: np.astype(a, np.complex128), ([0.5, -1.5, 2.0],))]
