"""Products of vectors and matrices, einsum."""

from __future__ import annotations

__all__: list[str] = []
