"""Constants, and NumPy's objects that are the same for every array library."""

from __future__ import annotations

import math
import sys

__all__ = ["e", "euler_gamma", "inf", "little_endian", "nan", "newaxis", "pi"]

e = math.e
euler_gamma = 0.5772156649015329
inf = math.inf
little_endian = sys.byteorder == "little"
nan = math.nan
newaxis = None
pi = math.pi
