"""``a.flat``: the elements in row-major order, to loop over, to index and to assign to."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from . import _views as views
from ._convert import as_tensor
from ._iteration import scalars
from ._ndarray import array_of, ndarray

_INDICES = (
    "flat: only integers, slices (`:`), ellipsis (`...`) and integer or boolean arrays are valid "
    "indices"
)


class flatiter:
    """A 1-D iterator over an array in row-major order; what ``a.flat`` gives.

    Elements come out as copies; ``flat[key] = values`` writes to the array, going through the
    values as often as it takes.
    """

    __slots__ = ("_array", "_items", "_next")

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, array: ndarray) -> None:
        self._array = array
        self._items: Iterator[ndarray] | None = None
        self._next = 0

    @property
    def base(self) -> ndarray:
        """The array iterated over."""
        return self._array

    @property
    def index(self) -> int:
        """The flat index of the next element."""
        return self._next

    @property
    def coords(self) -> tuple[int, ...]:
        """The indices of the next element."""
        shape = self._array.shape
        if self._next >= math.prod(shape):  # past the end the first index goes on
            return (shape[0], *[0] * (len(shape) - 1)) if shape else ()
        return _coordinates(self._next, shape)

    def copy(self) -> ndarray:
        """The elements as a 1-D array with memory of its own."""
        return array_of(self._array._tensor.reshape(-1).clone())

    def __len__(self) -> int:
        return self._array.size

    def __iter__(self) -> flatiter:
        return self

    def __next__(self) -> ndarray:
        if self._items is None:
            self._items = scalars(self._array._tensor)
        item = next(self._items)
        self._next += 1
        return item

    def __array__(self, dtype: Any = None, /, *, copy: bool | None = None) -> Any:
        return self.copy().__array__(dtype, copy=copy)

    def __getitem__(self, key: Any, /) -> Any:
        place = _integer(key)
        if place is not None:
            return self._array[_coordinates(self._checked(place), self._array.shape)]
        found = array_of(self._array._tensor.reshape(-1))[_checked_key(key)]
        return found.copy() if found.base is not None else found

    def __setitem__(self, key: Any, value: Any, /) -> None:
        a = self._array
        values = as_tensor("flat", value, "value", a.device).reshape(-1)
        place = _integer(key)
        if place is not None:
            coordinates = _coordinates(self._checked(place), a.shape)
            if values.numel() != 1:
                raise ValueError("flat: Error setting single item of array.")
            a[coordinates] = array_of(values.reshape(()))
            return
        key = _checked_key(key)
        whole = views.reshaped(a, (a.size,))
        target = array_of(a._tensor.reshape(-1)) if whole is None else whole
        count = a.size if key is Ellipsis else target[key].size
        if count and values.numel():
            target[key] = array_of(_repeated(values, count).reshape(target[key]._tensor.shape))
            if whole is None:
                a[...] = target.reshape(a.shape)

    def _checked(self, place: int) -> int:
        size = self._array.size
        if not -size <= place < size:
            raise IndexError(f"flat: index {place} is out of bounds for size {size}")
        return place % size

    def __eq__(self, other: object) -> Any:
        return self.copy() == other

    def __ne__(self, other: object) -> Any:
        return self.copy() != other

    def __lt__(self, other: Any) -> Any:
        return self.copy() < other

    def __le__(self, other: Any) -> Any:
        return self.copy() <= other

    def __gt__(self, other: Any) -> Any:
        return self.copy() > other

    def __ge__(self, other: Any) -> Any:
        return self.copy() >= other


def _coordinates(place: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    result = []
    for size in reversed(shape):
        place, index = divmod(place, size)
        result.append(index)
    return tuple(result[::-1])


def _integer(key: Any) -> int | None:
    """A key as one integer, or ``None``."""
    if isinstance(key, tuple) and len(key) == 1:
        key = key[0]
    if isinstance(key, (bool, list, slice)):
        return None
    try:
        return operator.index(key)
    except TypeError:
        return None


def _checked_key(key: Any) -> Any:
    """A key of one axis: a slice, an ellipsis or an array of integers or booleans."""
    if isinstance(key, tuple) and len(key) <= 1:
        key = key[0] if key else Ellipsis
    if isinstance(key, (slice, list, ndarray, Tensor)) or key is Ellipsis:
        return key
    if isinstance(key, tuple):
        raise IndexError(
            "too many indices for flat iterator: flat iterator is 1-dimensional, but "
            f"{len(key)} were indexed"
        )
    if hasattr(key, "dtype"):
        return array_of(as_tensor("flat", key, "index"))
    raise IndexError(_INDICES)


def _repeated(values: Tensor, count: int) -> Tensor:
    """As many values as asked for, from the start again where there are too few."""
    size = values.numel()
    if size >= count:
        return values[:count]
    return values[torch.arange(count, device=values.device) % size]
