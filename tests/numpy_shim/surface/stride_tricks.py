"""Views of sliding windows."""

from __future__ import annotations

from tests.surface import Case

CASES = [
    Case("lib.stride_tricks.sliding_window_view",
         lambda np, a: np.lib.stride_tricks.sliding_window_view(a, 2) * 1, ([0.5, -1.5, 2.0],)),
]  # fmt: skip
