"""``scipy.cluster`` where the arrays are: SciPy's own Python code, over kernels of ours."""

from __future__ import annotations

from typing import Any

from .._text import functions

SCIPYS = {"hierarchy": "it joins cluster after cluster, SciPy's code in C"}
"""The modules that are SciPy's own in this chapter, with what is said of their functions."""

ON_THE_HOST = {"kmeans2": "it may draw its first centres, and then goes on from them"}
"""The public functions that SciPy computes on a copy on the host, with the reason."""

FUNCTIONS: dict[str, Any] = {}
VQ = functions(__name__, ON_THE_HOST, ".vq")
