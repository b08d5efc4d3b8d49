"""``a.flat``: the elements in row-major order, to loop over, to index and to assign to."""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Iterator
from typing import Any, NoReturn

import numpy
import torch
from torch import Tensor

from .._array import views
from .._array.iteration import scalars
from .._array.ndarray import array_of, ndarray
from .._base.axes import check_flat
from .._base.dtypes import INTEGERS, HostDtypeError
from .._base.tracing import caller
from .._base.typing import ArrayLike, DTypeLike
from .._convert.arguments import as_tensor
from .._convert.foreign import OWN, as_index
from .._host.loop_reads import elements
from .._kernels.casting import cast
from .keys import value_of
from .selection import places_in_memory, replacement

_TOO_MANY = (
    "flat: too many indices for flat iterator: flat iterator is 1-dimensional, but {} were indexed"
)
_INDICES = (
    "flat: only integers, slices (`:`), ellipsis (`...`) and integer or boolean arrays are valid "
    "indices"
)


class flatiter:
    """A 1-D iterator over an array in row-major order; what ``a.flat`` gives.

    Elements come out as copies; ``flat[key] = values`` writes to the array and repeats the values
    as often as needed.

    Parameters
    ----------
    array : ndarray
        The array.
    base : ndarray, optional
        What ``base`` gives; by default ``array``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> x = np.array([[1, 2], [3, 4]])
    >>> [int(element) for element in x.flat]
    [1, 2, 3, 4]
    >>> x.flat[1:] = [5, 6]
    >>> x
    array([[1, 5],
           [6, 5]])
    """

    __slots__ = ("_array", "_base", "_items", "_next")

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, array: ndarray, base: ndarray | None = None) -> None:
        check_flat("flat", len(array.shape))
        self._array = array
        self._base = array if base is None else base
        self._items: Iterator[ndarray] | None = None
        self._next = 0

    @property
    def base(self) -> ndarray:
        """The array iterated over; for a broadcast array, the array before broadcasting.

        Examples
        --------
        >>> import numpy_shim as np
        >>> x = np.array([1, 2])
        >>> x.flat.base is x
        True
        """
        return self._base

    @property
    def index(self) -> int:
        """The flat index of the next element.

        Examples
        --------
        >>> import numpy_shim as np
        >>> flat = np.array([[1, 2], [3, 4]]).flat
        >>> next(flat), flat.index
        (np.int64(1), 1)
        """
        return self._next

    @property
    def coords(self) -> tuple[int, ...]:
        """The indices of the next element.

        Examples
        --------
        >>> import numpy_shim as np
        >>> flat = np.array([[1, 2], [3, 4]]).flat
        >>> next(flat), flat.coords
        (np.int64(1), (0, 1))
        """
        shape = self._array.shape
        if self._next >= math.prod(shape):  # past the end the first index keeps growing
            return (shape[0], *[0] * (len(shape) - 1)) if shape else ()
        return _coordinates(self._next, shape)

    def copy(self, /) -> ndarray:
        """The elements as a 1-D array with memory of its own.

        Returns
        -------
        ndarray
            1-D, in the dtype of the array.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([[1, 2], [3, 4]]).flat.copy()
        array([1, 2, 3, 4])
        """
        return array_of(self._array._tensor.reshape(-1).clone())

    def __len__(self) -> int:
        return self._array.size

    def __iter__(self) -> flatiter:
        return self

    def __next__(self) -> ndarray:
        if self._items is None:
            self._items = elements(self._array) or scalars(self._array)
        item = next(self._items)
        self._next += 1
        return item

    def __array__(
        self, dtype: DTypeLike = None, /, *, copy: bool | None = None
    ) -> numpy.ndarray[Any, Any]:
        return self.copy().__array__(dtype, copy=copy)

    def __getitem__(self, key: object, /) -> ndarray:
        a = self._array
        parsed = _parsed(key, a.size)
        if type(parsed) is int:
            return a[_coordinates(parsed, a.shape)]
        if isinstance(parsed, Tensor) and parsed.dim():
            parsed = array_of(parsed)
        found = array_of(a._tensor.reshape(-1))[parsed]
        return found.copy() if found.base is not None else found

    def __delitem__(self, key: object, /) -> NoReturn:
        raise TypeError("flat: elements cannot be deleted")

    def __setitem__(self, key: object, value: ArrayLike, /) -> None:
        a = self._array
        if not views.is_writeable(a):
            raise ValueError("flat: array is read-only")
        if isinstance(key, tuple) and (not key or (len(key) == 1 and key[0] is Ellipsis)):
            raise IndexError("flat: Assigning to a flat iterator with a 0-D index is not supported")
        parsed = _parsed(key, a.size)
        if type(parsed) is int:
            try:
                a[_coordinates(parsed, a.shape)] = value
            except (TypeError, ValueError, OverflowError):
                raise ValueError("flat: Error setting single item of array.") from None
            return
        values = replacement("flat", a._tensor, value).reshape(-1)
        if not values.numel():
            return  # NumPy does not check the bounds then either
        found = places_in_memory(a)
        if found is not None:
            a, parsed = array_of(found[0]), array_of(found[1].reshape(-1))[parsed]
        whole = views.reshaped(a, (a.size,))
        target = array_of(a._tensor.reshape(-1)) if whole is None else whole
        selected = target[parsed]
        if selected.size:
            repeated = _repeated(values, selected.size)
            target[parsed] = array_of(repeated.reshape(selected._tensor.shape))
            if whole is None:
                a[...] = target.reshape(a.shape)

    def __eq__(self, other: object) -> ndarray:  # type: ignore[override]
        return self.copy() == other

    def __ne__(self, other: object) -> ndarray:  # type: ignore[override]
        return self.copy() != other

    def __lt__(self, other: ArrayLike) -> ndarray:
        return self.copy() < other

    def __le__(self, other: ArrayLike) -> ndarray:
        return self.copy() <= other

    def __gt__(self, other: ArrayLike) -> ndarray:
        return self.copy() > other

    def __ge__(self, other: ArrayLike) -> ndarray:
        return self.copy() >= other


def _coordinates(position: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    result = []
    for size in reversed(shape):
        position, index = divmod(position, size)
        result.append(index)
    return tuple(result[::-1])


def _parsed(key: Any, size: int) -> Any:
    """A key as an int within bounds, a slice, an ellipsis, an index tensor or a mask."""
    if isinstance(key, tuple):
        key = _only(key)
    if key is Ellipsis or isinstance(key, slice):
        return key
    if key is None or isinstance(key, (str, bytes)):
        raise IndexError(_INDICES)
    if isinstance(key, bool):
        return _truth(key)
    if isinstance(key, (ndarray, Tensor, numpy.ndarray)):
        return _of_array(_index(as_index(key)), size)
    if isinstance(key, numpy.flatiter):
        key = list(key)  # no elements have no dtype: none are selected
    try:
        return _checked(operator.index(key), size)
    except TypeError:
        return _of_data(key, size)


def _index(key: Any) -> Tensor:
    try:
        return as_tensor("flat", key, "index")
    except HostDtypeError:
        raise IndexError(_INDICES) from None


def _only(key: tuple[object, ...]) -> Any:
    """The key in a tuple of one item; an ellipsis for an empty tuple."""
    if len(key) == 1:
        # In a tuple NumPy makes an array of a bool; a bool by itself is a mask.
        return list(key) if isinstance(key[0], bool) else key[0]
    if not key:
        return Ellipsis
    if any(item is None or item is Ellipsis or isinstance(item, str) for item in key):
        raise IndexError(_INDICES)
    raise IndexError(_TOO_MANY.format(len(key)))


def _checked(position: int, size: int) -> int:
    if not -size <= position < size:
        raise IndexError(f"flat: index {position} is out of bounds for size {size}")
    return position % size


def _truth(key: bool) -> Any:
    """A 0-D mask: the first element, or none."""
    _warn(
        "Indexing flat iterators with a 0-dimensional boolean index is deprecated and may be "
        "removed in a future version. (Deprecated NumPy 2.4)"
    )
    return 0 if key else slice(0, 0)


def _of_array(index: Tensor, size: int) -> Any:
    if index.dtype is torch.bool:
        if not index.dim():
            return _truth(bool(index))
        if index.dim() > 1:
            raise IndexError(_TOO_MANY.format(index.dim()))
        if index.shape[0] not in (0, size):
            raise IndexError(
                "flat: boolean index did not match indexed flat iterator along axis 0; size of "
                f"axis is {size} but size of corresponding boolean axis is {index.shape[0]}"
            )
        return index if index.shape[0] else slice(0, 0)
    if index.dtype not in INTEGERS:
        raise IndexError("flat: arrays used as indices must be of integer (or boolean) type")
    known = None if index.dim() else value_of(index)
    return index if known is None else _checked(known, size)


def _of_data(key: Any, size: int) -> Any:
    """A key that becomes an index array; other numbers than integers are still cast."""
    index = _index(key)
    if not index.numel():
        return index.to(torch.int64)
    if index.dtype is torch.bool:
        raise IndexError(
            "flat: boolean indices for iterators are not supported because of previous behavior "
            "that was confusing (valid boolean indices are expected to work in the future)"
        )
    if index.dtype not in INTEGERS:
        _warn(
            "Invalid non-array indices for iterator objects are deprecated and will be removed "
            "in a future version. (Deprecated NumPy 2.4)"
        )
        index = cast(index, torch.int64)
    return _of_array(index, size)


def _warn(message: str) -> None:
    warnings.warn(message, DeprecationWarning, stacklevel=caller())


def _repeated(values: Tensor, count: int) -> Tensor:
    """``values`` repeated from the start, or cut, to the number asked for."""
    size = values.numel()
    if size >= count:
        return values[:count]
    return values[torch.arange(count, device=values.device) % size]


OWN[flatiter] = lambda flat: flat.copy()._tensor
