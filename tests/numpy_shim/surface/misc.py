"""Conversions of dtype, bits in bytes, and what else is in no chapter."""

from __future__ import annotations

from tests.surface import INTEGER_RESULT, Case

X = [0.5, -1.5, 2.0]
BITS = [1, 0, 1, 1, 0, 0, 1, 0, 1]

CASES = [
    Case("astype", lambda np, a: np.astype(a, np.complex128), (X,)),
    Case("packbits", lambda np, a: np.packbits(a), (BITS,), dtype="uint8", grad=INTEGER_RESULT),
    Case("unpackbits", lambda np, a: np.unpackbits(a), (BITS,), dtype="uint8",
         grad=INTEGER_RESULT),
    Case("lib.stride_tricks.sliding_window_view",
         lambda np, a: np.lib.stride_tricks.sliding_window_view(a, 2) * 1, (X,)),
]  # fmt: skip
