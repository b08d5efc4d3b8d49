"""``scipy.interpolate`` where the arrays are: SciPy's own Python code, over kernels of ours."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

import numpy

from ..._convert.from_data import asarray
from ..._numpys.names import on_its_device
from .. import _optimize
from .._text import classes, functions, read_parts
from . import _dierckx

with suppress(ImportError):  # before the text that calls it; not of SciPy 1.18
    from .. import _linalg

_FITPACK = "FITPACK computes it, in Fortran"

SCIPYS = {
    "_aaa": "",
    "_fitpack2": _FITPACK,
    "_fitpack_repro": "its search for knots is SciPy's code in C++",
    "_ndgriddata": "its triangles are those of Qhull",
    "_rbf": "",
}
"""The modules that are SciPy's own in this chapter, with what is said of their functions."""

ON_THE_HOST = {
    "bisplev": _FITPACK,
    "bisplrep": _FITPACK,
    "make_smoothing_spline": "its matrix is one of SciPy's sparse ones",
    "splprep": _FITPACK,
    "splrep": _FITPACK,
    "sproot": _FITPACK,
}
"""The public functions that SciPy computes on a copy on the host, with the reason."""

CLASSES = classes(__name__, [
    "Akima1DInterpolator", "BarycentricInterpolator", "BSpline", "CubicHermiteSpline",
    "CubicSpline", "KroghInterpolator", "PPoly", "PchipInterpolator", "RBFInterpolator",
    "RegularGridInterpolator", "interp1d",
])  # fmt: skip
"""The classes whose objects compute where the arrays are that they were made of."""

_ASARRAY = {"_asarray": asarray}
"""A spline keeps the function that makes its results arrays."""


def method_of(real: Any, name: str) -> Callable[..., Any] | None:
    """A method of one of SciPy's objects, with arrays of ours in it where the arguments are."""
    made = next((c for c in CLASSES.values() if c._stands_for is type(real)), None)
    if made is None or not hasattr(made, name):
        return None

    def call(*args: Any, **kwargs: Any) -> Any:
        ours = object.__new__(made)
        for key, value in read_parts(real).items():
            is_array = isinstance(value, numpy.ndarray)
            setattr(ours, key, asarray(value) if is_array else _ASARRAY.get(key, value))
        return getattr(ours, name)(*args, **kwargs)

    return on_its_device(call)


_bsplines: Any = import_module(f"{__name__}._bsplines")
_bsplines._lsq_solve_qr = _dierckx.solve_least_squares
FUNCTIONS = {**functions(__name__, ON_THE_HOST), **CLASSES}
INSIDE = FUNCTIONS
