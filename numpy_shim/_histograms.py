"""Histograms and counts."""

from __future__ import annotations

__all__: list[str] = []
