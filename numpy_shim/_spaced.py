"""Evenly spaced values, and grids of coordinates."""

from __future__ import annotations

__all__: list[str] = []
