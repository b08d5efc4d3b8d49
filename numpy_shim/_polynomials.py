"""NumPy's older polynomials: coefficients from the highest power down."""

from __future__ import annotations

__all__: list[str] = []
