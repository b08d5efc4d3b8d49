"""Element-wise functions."""

from __future__ import annotations

from tests.surface import Case

CASES = [
    Case("add", lambda xp, a, b: xp.add(a, b), ([1.0, 2.0], [0.5, -1.5]), nodes=1),
]
