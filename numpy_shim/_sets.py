"""Arrays as sets."""

from __future__ import annotations

__all__: list[str] = []
