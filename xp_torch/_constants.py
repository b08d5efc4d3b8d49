"""The chapter *Constants*: Python objects, and the name for a new axis."""

from __future__ import annotations

import math

__all__ = ["e", "inf", "nan", "newaxis", "pi"]

e: float = math.e
"""Euler's number."""

inf: float = math.inf
"""Positive infinity."""

nan: float = math.nan
"""Not a number: unequal to everything, itself included."""

newaxis: None = None
"""``None``, as an index: a new axis of length 1."""

pi: float = math.pi
"""The ratio of a circle's circumference to its diameter."""
