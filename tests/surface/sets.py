"""Set functions."""

from __future__ import annotations

from tests.surface import INTEGER_RESULT, Case

VECTOR = ([0.5, -1.5, 2.0, 3.5],)
NUMBERS = ([1, 2, 3], [3, 1])

CASES = [
    Case(
        "isin",
        lambda xp, a, b: xp.isin(a, b),
        NUMBERS,
        dtype="int64",
        grad=INTEGER_RESULT,
    ),
    Case(
        "isin",
        lambda xp, a, b: xp.isin(a, xp.tile(b, (64,)), invert=True),
        NUMBERS,
        dtype="int64",
        grad=INTEGER_RESULT,
    ),
    Case("unique_all", lambda xp, a: xp.unique_all(a).values, VECTOR),
    Case("unique_counts", lambda xp, a: xp.unique_counts(a).values, VECTOR),
    Case("unique_inverse", lambda xp, a: xp.unique_inverse(a).values, VECTOR),
    Case("unique_values", lambda xp, a: xp.unique_values(a), VECTOR),
]
