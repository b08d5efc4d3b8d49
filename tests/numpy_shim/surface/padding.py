"""Padding, every mode."""

from __future__ import annotations

from tests.surface import Case

ROW = ([0.3, 0.6, 0.9, 0.2],)
MATRIX = ([[0.3, 0.6, 0.4], [0.9, 0.1, 0.7]],)


def fill_with_first(vector, width, axis, options):
    vector[: width[0]] = 2 * vector[width[0]]


CASES = [
    Case("pad", lambda np, a: np.pad(a, 1), MATRIX, nodes=1),
    Case("pad", lambda np, a: np.pad(a, (1, 2), constant_values=2.5), ROW, nodes=1),
    Case("pad", lambda np, a: np.pad(a, 1, constant_values=(1, 2)), MATRIX),
    *[
        Case("pad", lambda np, a, mode=mode: np.pad(a, ((1, 2), (0, 4)), mode), MATRIX)
        for mode in (
            "edge", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect",
            "symmetric", "wrap",
        )
    ],
    Case("pad", lambda np, a: np.pad(a, 3, "reflect", reflect_type="odd"), ROW),
    Case("pad", lambda np, a: np.pad(a, (2, 1), fill_with_first), ROW),
]  # fmt: skip
