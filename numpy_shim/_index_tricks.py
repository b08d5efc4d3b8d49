"""Index tricks: r_, c_, s_, mgrid, ogrid, ndindex, ndenumerate."""

from __future__ import annotations

__all__: list[str] = []
