"""Elements in another order or number: flip, roll, tile, repeat, pad, insert, delete."""

from __future__ import annotations

__all__: list[str] = []
