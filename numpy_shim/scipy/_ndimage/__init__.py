"""``scipy.ndimage`` where the arrays are: SciPy's own Python code, over kernels of ours.

The installed SciPy's modules are executed with our functions in the place of NumPy's, and with
``_nd_image``, ``_ni_label`` and ``_rank_filter_1d`` of this folder in the place of SciPy's C. So
arguments, errors, dtypes and shapes are SciPy's; the values come from torch, with gradients.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import FunctionType
from typing import Any

from ..._numpys import executed
from ..._numpys.names import on_its_device

ON_THE_HOST = {
    "distance_transform_bf": "SciPy's code in C has no kernel of ours",
    "find_objects": "the slices are numbers of the host",
    "generic_filter": "it calls a function of the program for each element",
    "generic_filter1d": "it calls a function of the program for each line",
    "generic_gradient_magnitude": "it calls a function of the program",
    "generic_laplace": "it calls a function of the program",
    "geometric_transform": "it calls a function of the program for each element",
    "histogram": "it collects the histograms of the labels as objects",
    "labeled_comprehension": "it calls a function of the program",
    "value_indices": "the result is a dictionary of numbers of the host",
    "vectorized_filter": "it calls a function of the program",
    "watershed_ift": "it goes from element to element in the order of their values",
}
"""The public functions that SciPy computes on a copy on the host, with the reason."""

_MODULES = ("_ni_support", "_filters", "_fourier", "_interpolation", "_morphology", "_measurements")


def _found() -> dict[str, Any]:
    """By name, the public functions that run here."""
    docstrings = import_module("scipy.ndimage._ni_docstrings")
    sys.modules[f"{__name__}._ni_docstrings"] = globals()["_ni_docstrings"] = docstrings
    names = set(import_module("scipy.ndimage").__all__)
    found = {}
    for module in _MODULES:
        made = executed(f"scipy.ndimage.{module}", f"{__name__}.{module}", __name__)
        globals()[module] = made
        for name in names.intersection(vars(made)) - ON_THE_HOST.keys():
            if isinstance(vars(made)[name], FunctionType):
                found[name] = on_its_device(vars(made)[name])
    return found


FUNCTIONS = _found()
