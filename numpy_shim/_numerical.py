"""Interpolation, gradients, integrals, convolutions, rounding."""

from __future__ import annotations

__all__: list[str] = []
