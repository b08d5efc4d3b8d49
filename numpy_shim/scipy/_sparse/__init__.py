"""``scipy.sparse`` where the arrays are: products with SciPy's matrices, and systems of equations.

A sparse matrix is SciPy's, on the host. What is dense stays on its device.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import scipy.sparse.linalg

from ..._array.ndarray import AnyArray
from .._standing import Held
from .._text import functions
from . import linalg
from .matrices import product_of

_PRODUCTS = "it computes with sparse matrices, which are on the host"
_SUPERLU = "SuperLU factors it, in C"

SCIPYS = {
    "_sputils": "",
    "linalg._dsolve": _SUPERLU,
    "linalg._svdp": "",
    "linalg._expm_multiply": _PRODUCTS,
    "linalg._funm_multiply_krylov": _PRODUCTS,
    "linalg._matfuncs": _PRODUCTS,
    "linalg._norm": _PRODUCTS,
    "linalg._onenormest": _PRODUCTS,
}
"""The modules that are SciPy's own in this chapter, with what is said of their functions."""

ON_THE_HOST = {
    "is_sptriangular": _PRODUCTS,
    "spbandwidth": _PRODUCTS,
    "use_solver": "it sets the solver of SciPy's code",
}
"""The public functions that SciPy computes on a copy on the host, with the reason."""


def _answer_of(question: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def answer(x: Any) -> bool:
        if isinstance(x, AnyArray):
            return False
        return question(x._scipys if issubclass(type(x), Held) else x)

    return answer


FUNCTIONS = {
    name: _answer_of(getattr(scipy.sparse, name))
    for name in scipy.sparse.__all__
    if name.startswith(("issparse", "isspmatrix"))
}
INSIDE = FUNCTIONS


def method_of(real: Any, name: str) -> Callable[..., Any] | None:
    """A product of one of SciPy's matrices, or operators, with an array where the array is."""
    if isinstance(real, scipy.sparse.linalg.LinearOperator):
        from . import operators

        return operators.product_of(real, name)
    return product_of(real, name) if scipy.sparse.issparse(real) else None


def __getattr__(name: str) -> Any:
    """The functions of ``scipy.sparse.linalg``, whose text asks for other chapters."""
    if name != "LINALG":
        raise AttributeError(name)
    from .blas import give_routines
    from .eigen import of_eigenvalues
    from .solving import with_derivatives

    give_routines()
    found = of_eigenvalues(with_derivatives(functions(__name__, ON_THE_HOST, ".linalg")))
    del ON_THE_HOST["spsolve"]
    globals()[name] = found
    return found
