"""Objects that make arrays when indexed (``r_``, ``c_``, ``mgrid``, ``ogrid``), and iterators."""

from __future__ import annotations

import builtins
import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar, overload

import numpy
import torch
from torch.compiler import is_dynamo_compiling

from xp_torch._core.errors import sized

from .._array.ndarray import array_of, ndarray
from .._array.scalars import TensorScalar
from .._convert.arguments import as_array, as_tensor, common
from .._convert.host_dtypes import hand_over
from .._core.axes import normalize_shape
from .._core.dtypes import HostDtypeError
from .._core.host_setting import may_hand
from .._core.promotion import PYTHON_NUMBERS
from .._core.typing import ArrayLike
from .._kernels.casting import cast
from .index_arrays import grid
from .joining import concatenate
from .manipulation import ndim
from .ranges import arange
from .spaced import linspace

__all__ = ["c_", "index_exp", "mgrid", "ndenumerate", "ndindex", "ogrid", "r_", "s_"]


_T = TypeVar("_T")


class IndexExpression:
    """``s_[...]`` returns the index in the brackets; ``index_exp`` always returns a tuple.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.s_[2::2]
    slice(2, None, 2)
    >>> np.index_exp[2::2]
    (slice(2, None, 2),)
    """

    def __init__(self, maketuple: bool) -> None:
        self.maketuple = maketuple

    def __getitem__(self, item: _T) -> _T | tuple[_T]:
        if self.maketuple and not isinstance(item, tuple):
            return (item,)
        return item


s_ = IndexExpression(maketuple=False)
index_exp = IndexExpression(maketuple=True)


def _is_complex(step: Any) -> bool:
    return isinstance(step, (complex, numpy.complexfloating)) or (
        isinstance(step, TensorScalar) and step.dtype.kind == "c"
    )


def _size(step: Any) -> int:
    """The number of points of a complex step."""
    return int(builtins.abs(complex(step)))


class _Grid:
    """The base class of ``mgrid`` and ``ogrid``."""

    _sparse: bool
    __slots__ = ()

    @sized
    def __getitem__(self, key: slice | Sequence[slice]) -> ndarray | tuple[ndarray, ...]:
        if isinstance(key, slice):
            return _points(key)
        slices = list(key)
        sizes: list[int] = []
        numbers: list[Any] = [0]
        for item in slices:
            start = 0 if item.start is None else item.start
            step = 1 if item.step is None else item.step
            if _is_complex(step):
                sizes.append(_size(step))
                step = float(builtins.abs(complex(step)))
            else:
                sizes.append(math.ceil((item.stop - start) / step))
            numbers += [start, item.stop, step]
        dtype = common("mgrid", *numbers)[0].dtype
        vectors = []
        for k, item in enumerate(slices):
            start = 0 if item.start is None else item.start
            step = 1 if item.step is None else item.step
            if _is_complex(step):
                step = _between(start, item.stop, _size(step))
            count = torch.arange(builtins.max(sizes[k], 0))
            made = as_tensor("mgrid", array_of(cast(count, dtype)) * step + start)
            shape = [-1 if j == k else 1 for j in range(len(slices))]
            vectors.append(cast(made, dtype).reshape(shape))
        if self._sparse:
            return tuple([array_of(v) for v in vectors])
        shape = list(normalize_shape("mgrid", tuple(sizes)))
        device = vectors[0].device if vectors else None
        return array_of(grid(vectors, shape, dtype, device))


def _between(start: Any, stop: Any, size: int) -> Any:
    return 1 if size == 1 else (stop - start) / float(size - 1)


@sized
def _points(key: slice) -> ndarray:
    """The points of one slice, 1-D."""
    start = 0 if key.start is None else key.start
    if not _is_complex(key.step):
        return arange(start, key.stop, 1 if key.step is None else key.step)
    size = _size(key.step)
    step = _between(start, key.stop, size)
    dtype = common("mgrid", start, key.stop, float(size))[0].dtype
    made: ndarray = array_of(cast(torch.arange(size), dtype)) * step + start
    return made


class MGridClass(_Grid):
    """``mgrid[a:b, c:d]``: coordinates of a grid, stacked along a new first axis.

    A complex step of a slice is the number of points, and the last point is included. A single
    slice gives its points.

    Raises
    ------
    ZeroDivisionError
        For a step of zero.
    TypeError
        For a key that is not a slice or a tuple of slices, and for bounds that are not numbers.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.mgrid[0:2, 0:3]
    array([[[0, 0, 0],
            [1, 1, 1]],
    <BLANKLINE>
           [[0, 1, 2],
            [0, 1, 2]]])
    >>> np.mgrid[-1:1:5j]
    array([-1. , -0.5,  0. ,  0.5,  1. ])
    """

    __slots__ = ()
    _sparse = False

    if TYPE_CHECKING:

        def __getitem__(self, key: slice | Sequence[slice]) -> ndarray: ...


class OGridClass(_Grid):
    """``ogrid[a:b, c:d]``: coordinates of a grid, each of size 1 along the axes of the others.

    A complex step of a slice is the number of points, and the last point is included. A single
    slice gives its points.

    Raises
    ------
    ZeroDivisionError
        For a step of zero.
    TypeError
        For a key that is not a slice or a tuple of slices, and for bounds that are not numbers.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.ogrid[0:2, 0:3]
    (array([[0],
           [1]]), array([[0, 1, 2]]))
    """

    __slots__ = ()
    _sparse = True

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: slice) -> ndarray: ...
        @overload
        def __getitem__(self, key: Sequence[slice]) -> tuple[ndarray, ...]: ...
        def __getitem__(self, key: slice | Sequence[slice]) -> ndarray | tuple[ndarray, ...]: ...


mgrid = MGridClass()
ogrid = OGridClass()


class _Concatenator:
    """The base class of ``r_`` and ``c_``: join arrays, numbers and slices along an axis."""

    _axis = 0
    _ndmin = 1
    _trans1d = -1
    __slots__ = ()

    def __getitem__(self, key: object) -> ndarray:
        try:
            return self._joined(key)
        except HostDtypeError as error:
            if not may_hand():
                raise error
            theirs = numpy.c_ if isinstance(self, CClass) else numpy.r_
            return hand_over("r_", theirs.__getitem__, (key,), {}, [])

    def _joined(self, key: object) -> ndarray:
        if isinstance(key, str):
            raise TypeError("r_: a string of matrices (bmat) is not supported; use block")
        axis, least, first_axis = self._axis, self._ndmin, self._trans1d
        parts: list[Any] = []
        for k, item in enumerate(key if isinstance(key, tuple) else (key,)):
            if isinstance(item, str):
                if k:
                    raise ValueError("r_: special directives must be the first entry.")
                axis, least, first_axis = self._directive(item)
            elif isinstance(item, slice):
                made = _raised(_sequence(item), least)
                swap = first_axis != -1 and least > 1
                parts.append(made.swapaxes(-1, first_axis) if swap else made)
            elif type(item) in PYTHON_NUMBERS or isinstance(item, (TensorScalar, numpy.generic)):
                parts.append(item)
            else:
                parts.append(_with_new_axes(as_array("r_", item), ndim(item), least, first_axis))
        if not parts:
            return concatenate((), axis)
        return concatenate([_raised(array_of(t), least) for t in common("r_", *parts)], axis)

    def _directive(self, text: str) -> tuple[int, int, int]:
        """The axis, the least number of axes, and the first axis of a part that has fewer."""
        axis, least, first_axis = self._axis, self._ndmin, self._trans1d
        if text in ("r", "c"):
            raise HostDtypeError(f"r_: {text!r} requests a matrix, which is a class of NumPy's")
        try:
            numbers = [int(x) for x in text.split(",")]
        except ValueError:
            raise ValueError(f"r_: unknown special directive {text!r}") from None
        if len(numbers) == 1:
            return numbers[0], least, first_axis
        axis, least = numbers[:2]
        return axis, least, numbers[2] if len(numbers) == 3 else first_axis

    def __len__(self) -> int:
        return 0


def _sequence(item: slice) -> ndarray:
    start = 0 if item.start is None else item.start
    step = 1 if item.step is None else item.step
    if _is_complex(step):
        made: ndarray = linspace(start, item.stop, num=_size(step))
        return made
    return arange(start, item.stop, step)


def _raised(x: ndarray, least: int) -> ndarray:
    """The array with new axes of size 1 in front, up to ``least``."""
    t = x._tensor
    missing = least - t.dim()
    return x if missing <= 0 else array_of(t.reshape([1] * missing + list(t.shape)))


def _with_new_axes(x: ndarray, given: int, least: int, first_axis: int) -> ndarray:
    """The array with new axes of size 1 around its own; its own start at ``first_axis``."""
    raised = _raised(x, least)
    if first_axis == -1 or given >= least:
        return raised
    new = least - given
    first = first_axis + new + 1 if first_axis < 0 else first_axis
    axes = list(range(least))
    return array_of(raised._tensor.permute(axes[:first] + axes[new:] + axes[first:new]))


class RClass(_Concatenator):
    """``r_[a, b, 1:5]``: arrays, numbers and slices joined along the first axis.

    A first string ``'axis'``, ``'axis,ndim'`` or ``'axis,ndim,first_axis'`` gives the axis to
    join along, the least number of axes, and the first axis of a part that has fewer. After
    ``'r'`` or ``'c'`` the result is one of NumPy's matrices.

    Raises
    ------
    ValueError
        For parts that do not fit together, for no parts, and for an unknown string.
    AxisError
        For an axis that is not there.
    TypeError
        For a string that requests a matrix, where ``set_host_dtypes`` refuses NumPy's arrays.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.r_[np.array([1, 2]), 0, 4:6]
    array([1, 2, 0, 4, 5])
    >>> np.r_["0,2", [1, 2], [3, 4]]
    array([[1, 2],
           [3, 4]])
    """

    __slots__ = ()


class CClass(_Concatenator):
    """``c_[a, b]``: arrays, numbers and slices as columns; ``r_['-1,2,0', a, b]``.

    Raises
    ------
    ValueError
        For parts that do not fit together, for no parts, and for an unknown string.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.c_[np.array([1, 2]), np.array([3, 4])]
    array([[1, 3],
           [2, 4]])
    """

    _axis = -1
    _ndmin = 2
    _trans1d = 0
    __slots__ = ()


r_ = RClass()
c_ = CClass()


class ndindex:
    """An iterator over the indices of an array of a given shape, the last axis fastest.

    Parameters
    ----------
    *shape : ints, or one tuple of ints
        The shape.

    Raises
    ------
    ValueError
        For a negative size.
    TypeError
        For a size that is not an integer.

    Examples
    --------
    >>> import numpy_shim as np
    >>> list(np.ndindex(2, 2))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """

    def __init__(self, *shape: SupportsIndex | Sequence[SupportsIndex]) -> None:
        if len(shape) == 1 and isinstance(shape[0], tuple):
            (shape,) = shape  # type: ignore[assignment]
        sizes = normalize_shape("ndindex", shape)
        self._indices = itertools.product(*[range(n) for n in sizes])

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        # Dynamo cannot trace a StopIteration that passes through __next__.
        return self._indices if is_dynamo_compiling() else self

    def __next__(self) -> tuple[int, ...]:
        """The next index."""
        return next(self._indices)


class ndenumerate:
    """An iterator over the indices and elements of an array.

    Parameters
    ----------
    arr : array_like
        The array.

    Raises
    ------
    ValueError
        For nested lists of different lengths.

    Examples
    --------
    >>> import numpy_shim as np
    >>> [(i, int(x)) for i, x in np.ndenumerate([[1, 2], [3, 4]])]
    [((0, 0), 1), ((0, 1), 2), ((1, 0), 3), ((1, 1), 4)]
    """

    def __init__(self, arr: ArrayLike) -> None:
        self._pairs: Iterator[tuple[tuple[int, ...], Any]]
        try:
            a = as_array("ndenumerate", arr, "arr")
        except HostDtypeError:
            if not may_hand():
                raise
            self._pairs = numpy.ndenumerate(arr)
        else:
            self._pairs = zip(ndindex(tuple(a._tensor.shape)), a.flat, strict=True)

    def __iter__(self) -> Iterator[tuple[tuple[int, ...], Any]]:
        return self._pairs if is_dynamo_compiling() else self  # as for ndindex

    def __next__(self) -> tuple[tuple[int, ...], ndarray]:
        """The next index and element."""
        return next(self._pairs)
