"""What ``scipy.special`` has in Python text: SciPy's own code, over our special functions.

``numpy_shim.special`` is asked first; here is what SciPy makes of such functions.
"""

from __future__ import annotations

from typing import Any

from .._text import execute, public

NAMES = ("assoc_laguerre", "diric", "ivp", "jvp", "kvp", "yvp")
"""The functions of SciPy's text that compute where the arrays are."""

FUNCTIONS: dict[str, Any] = public([execute(__name__, "scipy.special._basic")], NAMES)
