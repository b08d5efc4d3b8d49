"""Arrays in files and in text, in NumPy's formats."""

from __future__ import annotations

__all__: list[str] = []
