"""Joining arrays, and splitting them."""

from __future__ import annotations

__all__: list[str] = []
