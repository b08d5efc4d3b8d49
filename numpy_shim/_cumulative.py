"""Running sums and products, differences."""

from __future__ import annotations

__all__: list[str] = []
