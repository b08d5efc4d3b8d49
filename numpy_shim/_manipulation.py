"""The shape of an array: reshape, transpose, and their like."""

from __future__ import annotations

__all__: list[str] = []
