"""``scipy.interpolate`` where the arrays are: SciPy's own Python code, over kernels of ours."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy

from ..._convert.from_data import asarray
from ..._numpys.names import on_its_device
from .. import _linalg, _optimize
from .._text import NAMESPACE, classes, functions, read_parts
from . import _dierckx

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

_bsplines: Any = import_module(f"{__name__}._bsplines")
_bsplines._lsq_solve_qr = _dierckx.solve_least_squares

_FOR = {made._stands_for: made for made in CLASSES.values()}
"""By SciPy's class, the one of ours. From SciPy 1.18 on a spline holds one of a private class."""

_ROOMS = {"_PPoly": "_interpolate", "_BPoly": "_interpolate", "_BSpline": "_bsplines"}

for _name, _room in _ROOMS.items():
    _real = getattr(import_module(f"scipy.interpolate.{_room}"), _name, None)
    if _real is not None:
        _FOR[_real] = getattr(import_module(f"{__name__}.{_room}"), _name)
        _FOR[_real]._stands_for = _real

_NAMESPACE = {"_asarray": asarray, "_xp": NAMESPACE, "_xp_internal": NAMESPACE}
"""What a spline keeps of the namespace of its arrays, for ours."""


def method_of(real: Any, name: str) -> Callable[..., Any] | None:
    """A method of one of SciPy's objects, with arrays of ours in it where the arguments are."""
    made = _FOR.get(type(real))
    if made is None or not hasattr(made, name):
        return None
    return on_its_device(lambda *args, **kwargs: getattr(_with_ours(real), name)(*args, **kwargs))


def _with_ours(real: Any) -> Any:
    """An object of ours for one of SciPy's, with arrays of ours in the place of NumPy's."""
    ours = object.__new__(_FOR[type(real)])
    for key, value in read_parts(real).items():
        if isinstance(value, numpy.ndarray):
            value = asarray(value)
        setattr(ours, key, _with_ours(value) if type(value) in _FOR else _NAMESPACE.get(key, value))
    return ours


FUNCTIONS = {**functions(__name__, ON_THE_HOST), **CLASSES}
INSIDE = FUNCTIONS
