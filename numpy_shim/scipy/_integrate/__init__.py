"""``scipy.integrate`` where the arrays are: SciPy's own Python code, with our functions in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

import numpy
import torch

from ..._array.ndarray import ndarray
from ..._convert.from_data import asarray
from .. import _linalg, _optimize
from .._text import functions, leaving, place_methods, standing_in

_QUADPACK = "QUADPACK integrates, in C, from number to number"

SCIPYS = {
    "_bvp": "its linear systems are sparse",
    "_lebedev": "its table is of the host",
    "_odepack_py": "ODEPACK solves it, in C",
    "_quadpack_py": _QUADPACK,
}
"""The modules that are SciPy's own in this chapter, with what is said of their functions."""

ON_THE_HOST = {
    "newton_cotes": "its weights are numbers of the host",
    "qmc_quad": "its points are those of an object of SciPy's",
}
"""The public functions that SciPy computes on a copy on the host, with the reason."""

_METHODS = ("RK23", "RK45", "DOP853")
"""The methods of ``solve_ivp`` that compute here; the stiff ones need SciPy's sparse matrices."""


def _why_stiff(given: dict[str, Any]) -> str:
    """Why ``solve_ivp`` is SciPy's for these arguments."""
    method = given.get("method", "RK45")
    return "" if method in _METHODS else f"method {method!r} solves linear systems of SciPy's"


def _with_constants(init: Callable[..., None]) -> Callable[..., None]:
    """Give a solver its tables of coefficients, on the device of its first values."""

    @wraps(init)
    def __init__(self: Any, fun: Any, t0: Any, y0: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        device = y0.device if isinstance(y0, ndarray) else torch.get_default_device()
        for name in _TABLES:
            table = getattr(type(self), name, None)
            if isinstance(table, ndarray):
                setattr(self, name, asarray(table, device=device))
        init(self, fun, t0, y0, *args, **kwargs)

    return __init__


_TABLES = ("A", "B", "C", "E", "P", "E3", "E5", "D", "A_EXTRA", "C_EXTRA")


def _float64(x: Any) -> Any:
    """``numpy.float64`` of an array: its values in float64."""
    return asarray(x, dtype="float64")


_float64.dtype = numpy.dtype("float64")  # type: ignore[attr-defined]  # it is a data type, too

FUNCTIONS = functions(__name__, ON_THE_HOST)
FUNCTIONS["solve_ivp"] = leaving(FUNCTIONS["solve_ivp"], _why_stiff)
_common: Any = import_module(f"{__name__}._ivp.common")
_rk: Any = import_module(f"{__name__}._ivp.rk")
for _solver in (_rk.RungeKutta, _rk.DOP853):
    _solver.__init__ = _with_constants(_solver.__init__)
for _solution in (_rk.DenseOutput, _common.OdeSolution):
    place_methods(_solution)
vars(import_module(f"{__name__}._quadrature")).update(np=standing_in(float64=_float64))
INSIDE = FUNCTIONS
