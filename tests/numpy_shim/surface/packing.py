"""Bits in bytes."""

from __future__ import annotations

from tests.surface import INTEGER_RESULT, Case

BITS = [1, 0, 1, 1, 0, 0, 1, 0, 1]

CASES = [
    Case("packbits", lambda np, a: np.packbits(a), (BITS,), dtype="uint8", grad=INTEGER_RESULT),
    Case("unpackbits", lambda np, a: np.unpackbits(a), (BITS,), dtype="uint8",
         grad=INTEGER_RESULT),
]  # fmt: skip
