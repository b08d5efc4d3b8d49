"""``scipy.linalg`` where the arrays are: SciPy's own Python code, over kernels of ours.

The installed SciPy's modules are executed with our functions in the place of NumPy's, with
``lapack`` of this folder in the place of LAPACK, and the other modules of this folder in the place
of SciPy's compiled ones. ``functions`` has what is written here instead.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import scipy.linalg

from ...lib.stride_tricks import as_strided
from .._text import execute, of_arrays, public
from . import (
    _batched_linalg,
    _cythonized_array_utils,
    _decomp_lu_cython,
    _internal_matfuncs,
    _linalg_pythran,
    _matfuncs_sqrtm_triu,
    _solve_toeplitz,
    blas,
    functions,
    lapack,
)

_BY_STEPS = "it goes from row to row in LAPACK, and torch has no kernel of it"

ON_THE_HOST = {
    "clarkson_woodruff_transform": "it makes a sparse matrix of SciPy's",
    "cossin": _BY_STEPS,
    "find_best_blas_type": "it gives a name of BLAS",
    "get_blas_funcs": "it gives routines of BLAS",
    "get_lapack_funcs": "it gives routines of LAPACK",
    "hessenberg": _BY_STEPS,
    "ldl": _BY_STEPS,
    "matrix_balance": _BY_STEPS,
    "ordqz": _BY_STEPS,
    "qr_delete": _BY_STEPS,
    "qr_insert": _BY_STEPS,
    "qr_update": _BY_STEPS,
    "qz": _BY_STEPS,
    "solve_continuous_are": "it needs ordqz",
    "solve_discrete_are": "it needs ordqz",
}
"""The public functions that SciPy computes on a copy on the host, with the reason."""

INSIDE: dict[str, Any] = {}
"""By name, what SciPy's text finds in ``scipy.linalg``."""

_MODULES = (
    "_misc", "_decomp", "_decomp_svd", "_basic", "_decomp_lu", "_decomp_cholesky", "_decomp_qr",
    "_decomp_polar", "_decomp_schur", "_special_matrices", "_procrustes", "_expm_frechet",
    "_matfuncs", "_matfuncs_sqrtm", "_matfuncs_inv_ssq", "_solvers",
)  # fmt: skip


def _found() -> dict[str, Any]:
    """By name, the public functions that run here."""
    if find_spec("scipy.linalg._matfuncs_expm") is not None:  # before SciPy 1.18
        # SciPy's compiled code, in the place of which kernels are written here
        expm = import_module("scipy.linalg._matfuncs_expm")
        sys.modules[f"{__name__}._matfuncs_expm"] = expm
        sys.modules[f"{__name__}._matfuncs_schur_sqrtm"] = _internal_matfuncs
    made: dict[str, Any] = {}
    INSIDE.update(
        LinAlgError=scipy.linalg.LinAlgError, LinAlgWarning=scipy.linalg.LinAlgWarning,
        bandwidth=_cythonized_array_utils.bandwidth, get_lapack_funcs=lapack.get_lapack_funcs,
    )  # fmt: skip
    for name in _MODULES:
        if name == "_solvers":
            made["_decomp_qz"] = execute(__name__, "scipy.linalg._decomp_qz")
        made[name] = execute(__name__, f"scipy.linalg.{name}")
        room = vars(made[name])
        _replace(name, room)
        INSIDE.update({key: room[key] for key in room.get("__all__", ()) if key in room})
    made["_cythonized_array_utils"] = _cythonized_array_utils
    names = set(scipy.linalg.__all__) - ON_THE_HOST.keys()
    return public(made.values(), names)


def _replace(name: str, room: dict[str, Any]) -> None:
    """What is written here, in the place of what an executed module has under its name."""
    one_by_one = of_arrays()._apply_over_batch
    theirs = vars(import_module(f"scipy.linalg.{name}"))
    classes = {key: x for key, x in theirs.items() if isinstance(x, type)}
    room.update({key: x for key, x in classes.items() if issubclass(x, Exception)})
    if name == "_special_matrices":
        room["_toeplitz"] = one_by_one(("c", 1), ("r", 1))(functions.toeplitz_of)
        for key in ("invhilbert", "invpascal", "pascal"):
            room[key] = functions.of_numbers(theirs[key])
        room.update(circulant=functions.circulant, as_strided=as_strided)
    elif name == "_basic":
        room["det"] = functions.det
        room["pinv"] = one_by_one(("a", 2))(functions.with_torchs_inverse(room["pinv"]))
    elif name == "_decomp":
        room["_geneig"] = functions.with_eigenvalues(room["_make_eigvals"])
    elif name == "_solvers":
        room["solve_sylvester"] = one_by_one(("a", 2), ("b", 2), ("q", 2))(
            functions.solve_sylvester
        )  # fmt: skip
        lyapunov = functions.with_lyapunovs_derivative(room["solve_continuous_lyapunov"])
        lyapunov = one_by_one(("a", 2), ("q", 2))(lyapunov)
        room["solve_continuous_lyapunov"] = room["solve_lyapunov"] = lyapunov
    elif name == "_decomp_qr":
        room["safecall"] = _called
        stacked = one_by_one(("a", 2))
        if "_batched_linalg" not in room:  # before SciPy 1.18
            room["qr"] = stacked(functions.with_torchs_factors(room["qr"]))
        room["rq"] = stacked(functions.rq)
    elif name == "_matfuncs_inv_ssq":
        room["_onenormest_m1_power"] = functions.norm_of_power
    elif name == "_matfuncs":
        room["expm"] = functions.expm
        for key in ("sqrtm", "logm", "fractional_matrix_power"):
            room[key] = functions.with_derivative(room[key], key)


def _called(f: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """A routine's results; it finds memory by itself."""
    found = f(*args, **kwargs)
    if found[-1] < 0:
        raise ValueError(f"illegal value in {-found[-1]}th argument of internal {name}")
    return found[:-2]


FUNCTIONS = _found()
__all__ = ["FUNCTIONS", "INSIDE", "ON_THE_HOST"]
