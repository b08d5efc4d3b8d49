"""Reductions that leave NaN out."""

from __future__ import annotations

__all__: list[str] = []
