"""The methods of ``ndarray`` that are functions of the namespace.

Where a function takes the array first and then what the method takes, the method *is* that
function: no call in between.
"""

# The methods below are written as if on ndarray itself, which they are hung on.
# mypy: disable-error-code="misc"

from __future__ import annotations

from typing import Any

from . import (
    _cumulative,
    _manipulation,
    _products,
    _rearranging,
    _reductions,
    _statistics,
    _ufuncs,
)
from ._call import call, defers
from ._ndarray import ndarray


class Thin:
    """Methods; see ``ndarray``."""

    __slots__ = ()

    all = _reductions.all
    any = _reductions.any
    cumprod = _cumulative.cumprod
    cumsum = _cumulative.cumsum
    diagonal = _manipulation.diagonal
    dot = _products.dot
    max = _reductions.max
    mean = _statistics.mean
    min = _reductions.min
    prod = _reductions.prod
    ravel = _manipulation.ravel
    repeat = _rearranging.repeat
    squeeze = _manipulation.squeeze
    std = _statistics.std
    sum = _reductions.sum
    swapaxes = _manipulation.swapaxes
    trace = _reductions.trace
    var = _statistics.var

    def reshape(
        self: ndarray, /, *shape: Any, order: str = "C", copy: bool | None = None
    ) -> ndarray:
        """The same elements in another shape, given as integers or as a tuple.

        A view where the memory allows it and a copy otherwise; see ``numpy_shim.reshape``.
        """
        wanted = shape[0] if len(shape) == 1 else shape
        return _manipulation.reshape(self, wanted, order, copy=copy)

    def transpose(self: ndarray, /, *axes: Any) -> ndarray:
        """The view with its axes in another order, given as integers or as a tuple."""
        if not axes:
            return self.T
        wanted = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        return _manipulation.transpose(self, wanted)

    def __divmod__(self: ndarray, other: Any, /) -> Any:
        """See ``numpy_shim.divmod``."""
        return NotImplemented if defers(other) else call(_DIVMOD, (self, other))

    def __rdivmod__(self: ndarray, other: Any, /) -> Any:
        """See ``numpy_shim.divmod``."""
        return NotImplemented if defers(other) else call(_DIVMOD, (other, self))


_DIVMOD = _ufuncs.divmod._spec
