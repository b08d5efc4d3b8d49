"""The methods of ``ndarray`` that are functions of the namespace.

Where a function takes the array first and then what the method takes, the method *is* that
function: no call in between.
"""

# The methods below are written as if on ndarray itself, which they are hung on.
# mypy: disable-error-code="misc"

from __future__ import annotations

from typing import Any

from . import _cumulative, _products, _reductions, _statistics, _ufuncs
from ._call import call
from ._ndarray import ndarray
from ._operators import defers


class Thin:
    """Methods; see ``ndarray``."""

    __slots__ = ()

    all = _reductions.all
    any = _reductions.any
    cumprod = _cumulative.cumprod
    cumsum = _cumulative.cumsum
    dot = _products.dot
    max = _reductions.max
    mean = _statistics.mean
    min = _reductions.min
    prod = _reductions.prod
    std = _statistics.std
    sum = _reductions.sum
    trace = _reductions.trace
    var = _statistics.var

    def __divmod__(self: ndarray, other: Any, /) -> Any:
        """See ``numpy_shim.divmod``."""
        return NotImplemented if defers(other) else call(_DIVMOD, (self, other))

    def __rdivmod__(self: ndarray, other: Any, /) -> Any:
        """See ``numpy_shim.divmod``."""
        return NotImplemented if defers(other) else call(_DIVMOD, (other, self))


_DIVMOD = _ufuncs.divmod._spec
