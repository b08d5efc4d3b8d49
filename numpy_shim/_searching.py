"""Where elements are, and where they would go."""

from __future__ import annotations

__all__: list[str] = []
