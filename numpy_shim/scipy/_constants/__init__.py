"""Conversions of ``scipy.constants`` where the arrays are: SciPy's own Python code."""

from __future__ import annotations

from .._text import functions

ON_THE_HOST = dict.fromkeys(("find", "precision", "unit", "value"), "it reads a table of names")
"""The public functions that take and give no array."""

FUNCTIONS = functions(__name__, ON_THE_HOST)
INSIDE = FUNCTIONS
