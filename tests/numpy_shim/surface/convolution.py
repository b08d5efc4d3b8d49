"""Convolution and correlation."""

from __future__ import annotations

from tests.surface import Case

TWO = ([0.3, 0.6, 0.9, 0.2], [0.4, 0.5, 0.8])

CASES = [
    Case("convolve", lambda np, a, b: np.convolve(a, b), TWO),
    Case("correlate", lambda np, a, b: np.correlate(a, b, "same"), TWO),
]
