"""What ``scipy.sparse`` says of arrays of ours: none is sparse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import scipy.sparse

from .._array.ndarray import AnyArray
from ._standing import Held


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
