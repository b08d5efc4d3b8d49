"""The methods of ``ndarray`` that are functions of the namespace.

Where a function takes the array first and then what the method takes, the method *is* that
function: no call in between.
"""

# The methods below are written as if on ndarray itself, which they are hung on.
# mypy: disable-error-code="misc"

from __future__ import annotations

from typing import Any

from torch import Tensor

from . import (
    _axis_order,
    _cumulative,
    _diagonals,
    _indexing_functions,
    _manipulation,
    _numerical,
    _products,
    _rearranging,
    _reductions,
    _rounding,
    _searching,
    _sorting,
    _statistics,
    _variances,
    _writing_functions,
)
from ._axes import normalize_axis
from ._convert import assign
from ._ndarray import ndarray, view_of


class Thin:
    """Methods; see ``ndarray``."""

    __slots__ = ()

    all = _reductions.all
    any = _reductions.any
    argmax = _searching.argmax
    argmin = _searching.argmin
    argpartition = _sorting.argpartition
    argsort = _sorting.argsort
    cumprod = _cumulative.cumprod
    cumsum = _cumulative.cumsum
    diagonal = _diagonals.diagonal
    max = _reductions.max
    mean = _statistics.mean
    min = _reductions.min
    nonzero = _searching.nonzero
    prod = _reductions.prod
    ravel = _manipulation.ravel
    repeat = _rearranging.repeat
    round = _rounding.round
    searchsorted = _searching.searchsorted
    squeeze = _manipulation.squeeze
    std = _variances.std
    sum = _reductions.sum
    swapaxes = _axis_order.swapaxes
    take = _indexing_functions.take
    trace = _diagonals.trace
    var = _variances.var

    def clip(
        self: ndarray, /, min: Any = None, max: Any = None, out: Any = None, **kwargs: Any
    ) -> ndarray:
        """The elements between two bounds; see ``numpy_shim.clip``."""
        return _numerical.clip(self, min, max, out, **kwargs)

    def choose(self: ndarray, /, *choices: Any, out: Any = None, mode: str = "raise") -> ndarray:
        """For each element that one of several arrays it numbers; see ``numpy_shim.choose``.

        The arrays are given in one sequence or one by one.
        """
        if not choices:
            raise TypeError("choose: missing the choices")
        given = choices[0] if len(choices) == 1 else choices
        return _indexing_functions.choose(self, given, out, mode)

    def dot(self: ndarray, /, b: Any, out: Any = None) -> ndarray:
        """The dot product; see ``numpy_shim.dot``."""
        return _products.dot(self, b, out)

    def compress(self: ndarray, /, condition: Any, axis: Any = None, out: Any = None) -> ndarray:
        """The slices along an axis where a condition holds; see ``numpy_shim.compress``."""
        return _indexing_functions.compress(condition, self, axis, out)

    def put(self: ndarray, /, indices: Any, values: Any, mode: str = "raise") -> None:
        """Replace the elements at flat indices; see ``numpy_shim.put``."""
        _writing_functions.put(self, indices, values, mode)

    def sort(
        self: ndarray,
        /,
        axis: int = -1,
        kind: str | None = None,
        order: Any = None,
        *,
        stable: bool | None = None,
        descending: bool | None = None,
    ) -> None:
        """Sort in place along an axis; see ``numpy_shim.sort``."""
        normalize_axis("sort", axis, self.ndim)
        result = _sorting.sort(self, axis, kind, order, stable=stable, descending=descending)
        assign(self, result._tensor)

    def partition(
        self: ndarray, /, kth: Any, axis: int = -1, kind: str = "introselect", order: Any = None
    ) -> None:
        """Partition in place along an axis; see ``numpy_shim.partition``."""
        normalize_axis("partition", axis, self.ndim)
        assign(self, _sorting.partition(self, kth, axis, kind, order)._tensor)

    def reshape(
        self: ndarray, /, *shape: Any, order: str = "C", copy: bool | None = None
    ) -> ndarray:
        """The same elements in another shape, given as integers or as a tuple.

        A view where the memory allows it and a copy otherwise; see ``numpy_shim.reshape``.
        """
        t = self._tensor
        if type(t) is Tensor and type(self) is ndarray and order == "C" and copy is None:
            try:
                tensor = self._tensor.view(*shape)
            except (RuntimeError, TypeError):
                pass  # the function copies, or says what is wrong
            else:
                if type(tensor) is Tensor:  # sizes that are arrays of ours lead torch back to us
                    return view_of(self, tensor)
        wanted = shape[0] if len(shape) == 1 else shape
        return _manipulation.reshape(self, wanted, order, copy=copy)

    def transpose(self: ndarray, /, *axes: Any) -> ndarray:
        """The view with its axes in another order, given as integers or as a tuple."""
        if not axes:
            return self.T
        wanted = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        return _axis_order.transpose(self, wanted)
