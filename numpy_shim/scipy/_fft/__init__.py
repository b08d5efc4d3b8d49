"""``scipy.fft`` where the arrays are: SciPy's own Python code, over kernels of ours.

The installed SciPy's modules are executed with our functions in the place of NumPy's, and with
``pypocketfft`` of this folder in the place of SciPy's C++.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy

from ..._array.ndarray import ndarray
from ..._base.typing import ArrayLike
from ..._convert.from_data import asarray
from .._text import execute, public
from . import pypocketfft
from .pypocketfft import KERNELS

ON_THE_HOST = {
    "fhtoffset": "it takes numbers and gives a number",
    "get_workers": "it gives a setting of SciPy's",
    "next_fast_len": "it takes a number and gives a number",
    "prev_fast_len": "it takes a number and gives a number",
    "register_backend": "it takes a backend of SciPy's",
    "set_backend": "it takes a backend of SciPy's",
    "set_global_backend": "it takes a backend of SciPy's",
    "set_workers": "it sets the threads of SciPy's code",
    "skip_backend": "it takes a backend of SciPy's",
}
"""The public names that are SciPy's own: no array goes in, and none comes out."""


def _of_floats(x: ArrayLike) -> ndarray:
    """SciPy's dtypes, without its question for the order of bytes, at which a graph would end."""
    x = asarray(x)
    if x.dtype == numpy.float16:
        return x.astype(numpy.float32)
    return x if x.dtype.kind in "fc" else x.astype(numpy.float64)


def _found() -> dict[str, Any]:
    """By name, the public functions that run here."""
    room = globals()
    sys.modules[f"{__name__}.py{KERNELS[1:]}"] = pypocketfft
    helper = execute(__name__, f"scipy.fft.{KERNELS}.helper")
    vars(helper)["_config"] = SimpleNamespace()  # the threads are torch's
    vars(helper)["_asfarray"] = _of_floats
    rooms = ("basic", "realtransforms")
    inside = [execute(__name__, f"scipy.fft.{KERNELS}.{name}") for name in rooms]
    kernels = room[KERNELS] = sys.modules[f"{__name__}.{KERNELS}"] = ModuleType(KERNELS)
    vars(kernels).update({k: v for m in inside for k, v in vars(m).items()}, helper=helper)
    # the modules that choose among implementations have the parameters of the public names
    plain = execute(__name__, "scipy.fft._basic_backend")
    sys.modules[f"{__name__}._basic"] = plain
    cosines = execute(__name__, "scipy.fft._realtransforms_backend")
    hankel = execute(__name__, "scipy.fft._fftlog_backend")
    vars(hankel)["fhtcoeff"] = import_module("scipy.fft._fftlog_backend").fhtcoeff  # of numbers
    grids = execute(__name__, "scipy.fft._helper")
    names = set(import_module("scipy.fft").__all__) - ON_THE_HOST.keys()
    return public([plain, cosines, hankel, grids], names)


FUNCTIONS = _found()
