"""The methods of ``ndarray`` that are functions of the namespace.

Where a function takes the array and then the method's arguments, the method *is* that function,
without a call in between.
"""

# The methods below are written as members of ndarray, in which they are installed.
# mypy: disable-error-code="misc"

from __future__ import annotations

from typing import Any

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._array.ndarray import array_of, ndarray, view_of
from .._array.scalars import TensorScalar
from .._base.axes import normalize_axis
from .._convert.arguments import assign
from .._functions import (
    axis_order,
    clipping,
    cumulative,
    diagonals,
    dimensions,
    extreme_positions,
    index_writing,
    indexing,
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
    argmax = extreme_positions.argmax
    argmin = extreme_positions.argmin
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
    squeeze = dimensions.squeeze
    std = variances.std
    sum = reductions.sum
    swapaxes = axis_order.swapaxes
    take = indexing.take
    trace = diagonals.trace
    var = variances.var

    def clip(
        self: ndarray, /, min: Any = None, max: Any = None, out: Any = None, **kwargs: Any
    ) -> ndarray:
        """The elements between two bounds; see ``numpy_shim.clip``.

        Parameters
        ----------
        min, max : array_like or None
            The limits, which broadcast with the array; ``None`` is no limit.
        out : ndarray, optional
            Where the result is written; it is returned.
        **kwargs
            ``where``, ``casting``, ``order``, ``dtype`` and ``subok`` of a ufunc.

        Returns
        -------
        ndarray or scalar
            In the common dtype; NaN stays, and a NaN limit gives NaN.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([1, 5, 9]).clip(2, 8)
        array([2, 5, 8])
        """
        return clipping.clip(self, min, max, out, **kwargs)

    def choose(self: ndarray, /, *choices: Any, out: Any = None, mode: str = "raise") -> ndarray:
        """For each element, pick from the array with that number; see ``numpy_shim.choose``.

        Parameters
        ----------
        *choices : array_like
            The arrays to choose from, in one sequence or one by one.
        out : ndarray, optional
            Where to write the result.
        mode : {'raise', 'wrap', 'clip'}
            How to handle a number that is not that of a choice; checked on the CPU only.

        Returns
        -------
        ndarray or scalar
            Of the common dtype of the choices.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([0, 1, 0]).choose([1, 2, 3], [10, 20, 30])
        array([ 1, 20,  3])
        """
        if not choices:
            raise TypeError("choose: missing the choices")
        given = choices[0] if len(choices) == 1 else choices
        return indexing.choose(self, given, out, mode)

    def dot(self: ndarray, /, b: Any, out: Any = None) -> ndarray:
        """The dot product; see ``numpy_shim.dot``.

        Parameters
        ----------
        b : array_like
            Any numeric dtype or boolean.
        out : ndarray, optional
            Where to put the result; it must have its dtype and shape.

        Returns
        -------
        ndarray or scalar
            Of the promoted dtype.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([1, 2]).dot([3, 4])
        np.int64(11)
        """
        return products.dot(self, b, out)

    def compress(self: ndarray, /, condition: Any, axis: Any = None, out: Any = None) -> ndarray:
        """The slices along an axis where a condition holds; see ``numpy_shim.compress``.

        Parameters
        ----------
        condition : array_like of bool, 1-D
            The slices to take; slices beyond its end are left out.
        axis : int, optional
            The axis; by default the array is flattened.
        out : ndarray, optional
            Where to write the result.

        Returns
        -------
        ndarray
            The slices.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([[1, 2], [3, 4]]).compress([False, True], axis=0)
        array([[3, 4]])
        """
        return indexing.compress(condition, self, axis, out)

    def put(self: ndarray, /, indices: Any, values: Any, mode: str = "raise") -> None:
        """Replace the elements at flat indices; see ``numpy_shim.put``.

        Parameters
        ----------
        indices : array_like of int
            Indices into the flattened array.
        values : array_like
            The values, cast to the dtype of the array; repeated if there are fewer than indices.
        mode : {'raise', 'wrap', 'clip'}
            How to handle an index out of bounds; checked on the CPU only.

        Examples
        --------
        >>> import numpy_shim as np
        >>> a = np.zeros(3)
        >>> a.put([0, 2], [5.0, 6.0])
        >>> a
        array([5., 0., 6.])
        """
        if isinstance(self, TensorScalar):  # NumPy changes a copy of a scalar
            self = array_of(self._tensor.clone())
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
        """Sort in place along an axis; see ``numpy_shim.sort``.

        Parameters
        ----------
        axis : int
            The axis to sort along.
        kind : {'quicksort', 'mergesort', 'heapsort', 'stable'}, optional
            Only the stability of the kind matters.
        order : None
            Field names in NumPy; no dtype here has fields.
        stable : bool, optional
            Whether equal elements keep their order; use it instead of ``kind``.
        descending : bool, optional
            Whether the largest element comes first; use it instead of ``kind``. NaN is still last.

        Examples
        --------
        >>> import numpy_shim as np
        >>> a = np.array([3, 1, 2])
        >>> a.sort()
        >>> a
        array([1, 2, 3])
        """
        sorting.sort_in_place(self, axis, kind, order, stable, descending)

    def partition(
        self: ndarray, /, kth: Any, axis: int = -1, kind: str = "introselect", order: Any = None
    ) -> None:
        """Partition in place along an axis; see ``numpy_shim.partition``.

        Parameters
        ----------
        kth : int or sequence of int
            The positions whose elements come where sorting would put them.
        axis : int
            The axis.
        kind : {'introselect'}
            The only kind.
        order : None
            Field names in NumPy; no dtype here has fields.

        Examples
        --------
        >>> import numpy_shim as np
        >>> a = np.array([3, 1, 2])
        >>> a.partition(1)
        >>> a[1]
        np.int64(2)
        """
        normalize_axis("partition", axis, self.ndim)
        if sorting.partition_in_place(self, kth, kind, order):
            return
        assign(self, sorting.partition(self, kth, axis, kind, order)._tensor)

    def reshape(
        self: ndarray, /, *shape: Any, order: str = "C", copy: bool | None = None
    ) -> ndarray:
        """The same elements in another shape; see ``numpy_shim.reshape``.

        Parameters
        ----------
        *shape : int or tuple of int
            The sizes; one of them may be -1 and is then computed.
        order : {'C', 'F', 'A'}
            The order in which elements are read and written.
        copy : bool, optional
            ``True`` always copies; ``False`` never copies, and raises if a copy is needed.

        Returns
        -------
        ndarray
            A view if the memory layout allows it, else a copy.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([1, 2, 3, 4]).reshape(2, -1)
        array([[1, 2],
               [3, 4]])
        """
        t = self._tensor
        if (
            type(t) is Tensor
            and type(self) is ndarray
            and order == "C"
            and copy is None
            and not is_dynamo_compiling()  # which cannot catch the error of view()
        ):
            try:
                tensor = t.view(*shape)
            except (RuntimeError, TypeError):
                pass  # the function copies, or says what is wrong
            else:
                if type(tensor) is Tensor:  # torch calls us if a size is one of our arrays
                    return view_of(self, tensor)
        wanted = shape[0] if len(shape) == 1 else shape
        return manipulation.reshape(self, wanted, order, copy=copy)

    def transpose(self: ndarray, /, *axes: Any) -> ndarray:
        """The view with its axes in another order.

        Parameters
        ----------
        *axes : int or tuple of int
            The axis of the array that each axis of the view is; by default the order is reversed.

        Returns
        -------
        ndarray
            A view: writing to it writes to the array.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.zeros((2, 3, 4)).transpose(1, 0, 2).shape
        (3, 2, 4)
        """
        if not axes:
            return self.T
        wanted = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        return axis_order.transpose(self, wanted)
