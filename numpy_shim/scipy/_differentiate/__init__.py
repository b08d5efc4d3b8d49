"""``scipy.differentiate`` where the arrays are: SciPy's own Python code."""

from __future__ import annotations

from .._text import functions

ON_THE_HOST: dict[str, str] = {}

FUNCTIONS = functions(__name__, ON_THE_HOST)
INSIDE = FUNCTIONS
