"""``scipy.signal`` where the arrays are: SciPy's own Python code, over kernels of ours.

The installed SciPy's modules are executed with our functions in the place of NumPy's, our modules
in the place of SciPy's, and with the modules of this folder in the place of SciPy's compiled ones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy
import torch

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor
from ..._convert.from_data import asarray
from .. import _fft, _optimize  # which SciPy's text then finds
from .._text import execute, public
from . import _spline
from .short_time import all_at_once

ON_THE_HOST = {
    "find_peaks_cwt": "it follows ridge lines from scale to scale",
    "max_len_seq": "a shift register goes from bit to bit",
    "remez": "its exchange of extrema is SciPy's code in C++",
    "residue": "it needs unique_roots",
    "residuez": "it needs unique_roots",
    "unique_roots": "it asks a tree of SciPy's for neighbours, root by root",
}
"""The public functions that SciPy computes on a copy on the host, with the reason."""

CLASSES = ("CZT", "ShortTimeFFT", "StateSpace", "TransferFunction", "ZerosPolesGain", "ZoomFFT",
           "dlti", "lti")  # fmt: skip
"""The public classes: their objects are SciPy's, and compute on the host."""

_MODULES = (
    "_arraytools", "_polyutils", "_filter_design", "_fir_filter_design", "_lti_conversion",
    "_ltisys", "_upfirdn", "_signaltools", "_wavelets", "_waveforms", "_czt", "_savitzky_golay",
    "_short_time_fft", "_spectral_py", "_spline_filters", "_peak_finding", "_whittaker",
)  # fmt: skip


def _found() -> tuple[dict[str, Any], dict[str, Any]]:
    """By name, the public functions that run here, and those of ``signal.windows``."""
    windows = execute(__name__, "scipy.signal.windows._windows", "windows")
    there = [name for name in _MODULES if find_spec(f"scipy.signal.{name}")]
    made = {name: execute(__name__, f"scipy.signal.{name}") for name in there}
    designs = vars(made["_filter_design"])
    for name in ("besselap", "ellipap"):
        theirs = getattr(import_module("scipy.signal._filter_design"), name)
        old, designs[name] = designs[name], _of_numbers(theirs)
        for functions in designs["filter_dict"].values():
            functions[:] = [designs[name] if f is old else f for f in functions]
    vars(made["_ltisys"])["make_interp_spline"] = _lines
    vars(made["_spline_filters"]).update(_cubic=_spline.cubic, _quadratic=_spline.quadratic)
    short_time = vars(made["_short_time_fft"])
    all_at_once(short_time["ShortTimeFFT"], short_time["detrend"])
    names = set(import_module("scipy.signal").__all__) - ON_THE_HOST.keys()
    of_windows = import_module("scipy.signal.windows").__all__
    return public([windows, *made.values(), _spline], names), public([windows], of_windows)


def _of_numbers(design: Callable[..., Any]) -> Callable[..., Any]:
    """A function of SciPy's from numbers to arrays, which become ours."""

    @wraps(design)
    def call(*args: Any, **kwargs: Any) -> Any:
        kwargs.pop("xp", None), kwargs.pop("device", None)
        found = design(*args, **kwargs)
        return tuple([asarray(x) if isinstance(x, numpy.ndarray) else x for x in found])

    return call


def _lines(x: ndarray, y: ndarray, k: int) -> Callable[[ndarray], ndarray]:
    """``make_interp_spline`` of degree 1: straight lines from point to point, and beyond."""

    def at(places: ndarray) -> ndarray:
        xs, ys = as_tensor("dlsim", x), as_tensor("dlsim", y)
        wanted = as_tensor("dlsim", places)
        i = torch.searchsorted(xs, wanted, right=True).clamp(1, len(xs) - 1) - 1
        part = ((wanted - xs[i]) / (xs[i + 1] - xs[i])).reshape([-1] + [1] * (ys.dim() - 1))
        return wrap(ys[i] * (1 - part) + ys[i + 1] * part)

    return at


FUNCTIONS, WINDOWS = _found()
