"""``scipy.sparse`` where the arrays are: products with SciPy's matrices, and systems of equations.

A sparse matrix is SciPy's, on the host. What is dense stays on its device.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import scipy.sparse

from ..._array.ndarray import AnyArray
from .._standing import Held
from .matrices import product_of


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
    """A product of one of SciPy's matrices with an array where the array is."""
    return product_of(real, name) if scipy.sparse.issparse(real) else None
