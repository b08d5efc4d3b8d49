"""``scipy.cluster`` where the arrays are: SciPy's own Python code, over kernels of ours."""

from __future__ import annotations

import sys
from typing import Any

from .._text import functions, leaving
from . import _vq

SCIPYS = {"hierarchy": "it joins cluster after cluster, SciPy's code in C"}
"""The modules that are SciPy's own in this chapter, with what is said of their functions."""

ON_THE_HOST = {"kmeans2": "it may draw its first centres, and then goes on from them"}
"""The public functions that SciPy computes on a copy on the host, with the reason."""

sys.modules[f"{__name__}.vq._vq"] = _vq  # where it is from SciPy 1.18 on
FUNCTIONS: dict[str, Any] = {}
VQ = functions(__name__, ON_THE_HOST, ".vq")


def _why_drawn(given: dict[str, Any]) -> str:
    """Why ``kmeans`` is SciPy's for these arguments."""
    first = given["k_or_guess"]
    is_count = getattr(first, "ndim", 0) == 0 and not isinstance(first, (list, tuple))
    return "it draws its first centres" if is_count else ""


VQ["kmeans"] = leaving(VQ["kmeans"], _why_drawn)
