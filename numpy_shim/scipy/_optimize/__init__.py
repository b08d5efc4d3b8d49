"""``scipy.optimize`` where the arrays are: SciPy's own Python code, with our functions in it."""

from __future__ import annotations

import sys
from functools import partial
from types import SimpleNamespace
from typing import Any

from .. import _linalg
from .._text import classes, functions, leaving
from ._lbfgsb import DRIVERS, zeros
from ._minpack import invert_triangle

_LINEAR = "HiGHS solves it, in C++"
_LOOPS = "its loop is SciPy's code in C"
_RANDOM = "it draws a number at a time, and calls the program's function at each point"

SCIPYS = {
    "_basinhopping": _RANDOM,
    "_bglu_dense": "",
    "_cobyla_py": "its loop is PRIMA, in C++",
    "_constraints": "",
    "_differentialevolution": _RANDOM,
    "_direct_py": _LOOPS,
    "_dual_annealing": _RANDOM,
    "_hessian_update_strategy": "",
    "_highspy": "",
    "_isotonic": _LOOPS,
    "_linprog": _LINEAR,
    "_milp": _LINEAR,
    "_qap": _LOOPS,
    "_remove_redundancy": "",
    "_shgo": _RANDOM,
    "_slsqp_py": _LOOPS,
    "_tnc": _LOOPS,
    "_lsq.lsq_linear": "its methods choose among steps of SciPy's sparse algebra",
}
"""The modules that are SciPy's own in this chapter, with what is said of their functions."""

ON_THE_HOST = {
    "bisect": _LOOPS,
    "brenth": _LOOPS,
    "brentq": _LOOPS,
    "brute": "it calls the program's function at each point of a grid",
    "broyden1": "its low-rank matrices call routines of BLAS",
    "broyden2": "its low-rank matrices call routines of BLAS",
    "linear_sum_assignment": "its loop is SciPy's code in C++",
    "newton_krylov": "its linear steps are those of SciPy's sparse algebra",
    "ridder": _LOOPS,
    "show_options": "it prints a text",
}
"""The public functions that SciPy computes on a copy on the host, with the reason."""

_BY_METHOD = {
    "minimize": ("nelder-mead", "powell", "cg", "bfgs", "newton-cg", "dogleg", "trust-ncg",
                 "trust-exact", "l-bfgs-b"),
    "root": ("hybr", "lm", "anderson", "linearmixing", "diagbroyden", "excitingmixing", "df-sane"),
    "root_scalar": ("newton", "halley", "secant", "toms748"),
    "least_squares": ("trf", "dogbox", "lm"),
}  # fmt: skip
"""The methods that are written in Python; the others SciPy computes on the host."""


def _why_compiled(name: str, given: dict[str, Any]) -> str:
    """Why a function is SciPy's for these arguments; empty where it computes here."""
    method = _method(name, given)
    return "" if method in _BY_METHOD[name] else f"method {method!r} is SciPy's compiled code"


def _method(name: str, given: dict[str, Any]) -> Any:
    """The method that SciPy will choose for these arguments."""
    method = given.get("method")
    if method is None and name == "minimize":
        bounded = given.get("bounds") is not None
        method = "slsqp" if given.get("constraints", ()) else "l-bfgs-b" if bounded else "bfgs"
    elif method is None and name == "root_scalar":
        derived = (
            "halley" if given.get("fprime2") else "newton" if given.get("fprime") else "secant"
        )
        method = "brentq" if given.get("bracket") is not None else derived
    elif method is None:
        method = "trf" if name == "least_squares" else "hybr"
    return method.lower() if isinstance(method, str) else method


FUNCTIONS = functions(__name__, ON_THE_HOST)
_lbfgsb_py: Any = sys.modules[f"{__name__}._lbfgsb_py"]
_lbfgsb_py.np, _lbfgsb_py.zeros = DRIVERS, zeros
classes(__name__, ["LbfgsInvHessProduct"])
_minpack_py: Any = sys.modules[f"{__name__}._minpack_py"]
_minpack_py.linalg = SimpleNamespace(get_lapack_funcs=lambda *_: invert_triangle)
FUNCTIONS.update({n: leaving(FUNCTIONS[n], partial(_why_compiled, n)) for n in _BY_METHOD})
ELEMENTWISE = functions(__name__, ON_THE_HOST, ".elementwise")
INSIDE = FUNCTIONS
