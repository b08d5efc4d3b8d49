"""Conversions of ``scipy.constants`` where the arrays are: SciPy's own Python code."""

from __future__ import annotations

from .._text import functions

ON_THE_HOST = {name: "it reads a table of names" for name in ("find", "precision", "unit", "value")}
"""The public functions that take and give no array."""

FUNCTIONS = functions(__name__, ON_THE_HOST)
INSIDE = FUNCTIONS
