"""Truth, and the comparison of whole arrays."""

from __future__ import annotations

__all__: list[str] = []
