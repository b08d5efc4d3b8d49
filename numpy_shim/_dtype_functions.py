"""Questions about dtypes, and the default dtype."""

from __future__ import annotations

__all__: list[str] = []
