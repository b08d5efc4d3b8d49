"""Averages, variances, covariances, order statistics."""

from __future__ import annotations

__all__: list[str] = []
