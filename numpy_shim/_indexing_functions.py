"""Selecting and replacing elements by function."""

from __future__ import annotations

__all__: list[str] = []
