"""``scipy.ndimage`` where the arrays are: SciPy's own Python code, over kernels of ours.

The installed SciPy's modules are executed with our functions in the place of NumPy's, and with
``_nd_image``, ``_ni_label`` and ``_rank_filter_1d`` of this folder in the place of SciPy's C. So
arguments, errors, dtypes and shapes are SciPy's; the values come from torch, with gradients.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from .._text import execute, public

ON_THE_HOST = {
    "find_objects": "the slices are numbers of the host",
    "value_indices": "the result is a dictionary of numbers of the host",
    "watershed_ift": "it goes from element to element in the order of their values",
}
"""The public functions that SciPy computes on a copy on the host, with the reason."""

_MODULES = ("_ni_support", "_filters", "_fourier", "_interpolation", "_morphology", "_measurements")


def _found() -> dict[str, Any]:
    """By name, the public functions that run here."""
    docstrings = import_module("scipy.ndimage._ni_docstrings")
    sys.modules[f"{__name__}._ni_docstrings"] = globals()["_ni_docstrings"] = docstrings
    made = [execute(__name__, f"scipy.ndimage.{module}") for module in _MODULES]
    return public(made, set(import_module("scipy.ndimage").__all__) - ON_THE_HOST.keys())


FUNCTIONS = _found()
