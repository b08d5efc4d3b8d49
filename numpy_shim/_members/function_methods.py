"""The methods of ``ndarray`` that are functions of the namespace.

Where a function takes the array and then the method's arguments, the method *is* that function,
without a call in between.
"""

# The methods below are written as members of ndarray, in which they are installed.
# mypy: disable-error-code="misc"

from __future__ import annotations

from typing import Any

from torch import Tensor

from .._array.ndarray import ndarray, view_of
from .._convert.arguments import assign
from .._core.axes import normalize_axis
from .._functions import (
    axis_order,
    cumulative,
    diagonals,
    index_writing,
    indexing,
    interpolation,
    manipulation,
    products,
    rearranging,
    reductions,
    rounding,
    searching,
    sorting,
    statistics,
    variances,
)


class Thin:
    """Methods; see ``ndarray``."""

    __slots__ = ()

    all = reductions.all
    any = reductions.any
    argmax = searching.argmax
    argmin = searching.argmin
    argpartition = sorting.argpartition
    argsort = sorting.argsort
    cumprod = cumulative.cumprod
    cumsum = cumulative.cumsum
    diagonal = diagonals.diagonal
    max = reductions.max
    mean = statistics.mean
    min = reductions.min
    nonzero = searching.nonzero
    prod = reductions.prod
    ravel = manipulation.ravel
    repeat = rearranging.repeat
    round = rounding.round
    searchsorted = searching.searchsorted
    squeeze = manipulation.squeeze
    std = variances.std
    sum = reductions.sum
    swapaxes = axis_order.swapaxes
    take = indexing.take
    trace = diagonals.trace
    var = variances.var

    def clip(
        self: ndarray, /, min: Any = None, max: Any = None, out: Any = None, **kwargs: Any
    ) -> ndarray:
        """The elements between two bounds; see ``numpy_shim.clip``."""
        return interpolation.clip(self, min, max, out, **kwargs)

    def choose(self: ndarray, /, *choices: Any, out: Any = None, mode: str = "raise") -> ndarray:
        """For each element, pick from the array with that number; see ``numpy_shim.choose``.

        The arrays are given in one sequence or one by one.
        """
        if not choices:
            raise TypeError("choose: missing the choices")
        given = choices[0] if len(choices) == 1 else choices
        return indexing.choose(self, given, out, mode)

    def dot(self: ndarray, /, b: Any, out: Any = None) -> ndarray:
        """The dot product; see ``numpy_shim.dot``."""
        return products.dot(self, b, out)

    def compress(self: ndarray, /, condition: Any, axis: Any = None, out: Any = None) -> ndarray:
        """The slices along an axis where a condition holds; see ``numpy_shim.compress``."""
        return indexing.compress(condition, self, axis, out)

    def put(self: ndarray, /, indices: Any, values: Any, mode: str = "raise") -> None:
        """Replace the elements at flat indices; see ``numpy_shim.put``."""
        index_writing.put(self, indices, values, mode)

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
        result = sorting.sort(self, axis, kind, order, stable=stable, descending=descending)
        assign(self, result._tensor)

    def partition(
        self: ndarray, /, kth: Any, axis: int = -1, kind: str = "introselect", order: Any = None
    ) -> None:
        """Partition in place along an axis; see ``numpy_shim.partition``."""
        normalize_axis("partition", axis, self.ndim)
        assign(self, sorting.partition(self, kth, axis, kind, order)._tensor)

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
                if type(tensor) is Tensor:  # torch calls us if a size is one of our arrays
                    return view_of(self, tensor)
        wanted = shape[0] if len(shape) == 1 else shape
        return manipulation.reshape(self, wanted, order, copy=copy)

    def transpose(self: ndarray, /, *axes: Any) -> ndarray:
        """The view with its axes in another order, given as integers or as a tuple."""
        if not axes:
            return self.T
        wanted = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        return axis_order.transpose(self, wanted)
