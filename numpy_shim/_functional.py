"""Functions made from Python functions: vectorize, frompyfunc, apply_along_axis, piecewise."""

from __future__ import annotations

__all__: list[str] = []
