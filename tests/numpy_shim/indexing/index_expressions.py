"""Random index expressions, and what they do in NumPy and in ``numpy_shim``.

``Expressions(seed)`` draws keys of every form, most of them valid; ``check`` runs one example in
both namespaces: a chain of views, then reading, writing through what was read, or assigning.
"""

from __future__ import annotations

import operator
import random
import warnings
from typing import Any

import numpy
import torch

import numpy_shim
from tests.numpy_shim.differential import same_array, same_error

DTYPES = ("float64", "int64", "float32", "int8", "uint8", "uint16", "uint64", "bool", "complex64")
INDEX_DTYPES = ("int64", "int64", "int32", "int8", "uint8", "uint16", "uint64")
WRONG: list[Any] = [1.0, "x", 9, -9, slice(1.0), slice(None, None, 0), 2**70, {1}, [1.5], [[1], 2]]


class Expressions:
    """Keys and values drawn from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def shape(self, most: int = 4) -> tuple[int, ...]:
        """A shape of at most ``most`` axes; sizes of 0 and 1 are common."""
        pick = self.random
        return tuple(pick.choice((0, 1, 2, 3, 3, 4, 5)) for _ in range(pick.randint(0, most)))

    def array(self, shape: tuple[int, ...], dtype: str | None = None) -> numpy.ndarray:
        """An array in which every element says where it stands."""
        dtype = dtype or self.random.choice(DTYPES)
        count = int(numpy.prod(shape, dtype=int))
        start = self.random.randint(0, 3)
        values = numpy.arange(start, start + count).reshape(shape)
        if dtype == "bool":
            return (
                numpy.asarray([self.random.random() < 0.5 for _ in range(count)])
                .reshape(shape)
                .astype(bool)
            )
        return numpy.asarray(values % 100, dtype)

    def slice(self, size: int) -> slice:
        """A slice with bounds in and out of range, and any step."""
        pick = self.random
        if pick.random() < 0.25:
            return slice(None, None, pick.choice((None, 1, -1, -1, 2, -2)))
        bound = [None, None, *range(-size - 2, size + 3)]
        step = pick.choice((None, None, 1, 2, 3, -1, -1, -2, -3, 7, -7, 2**62))
        return slice(pick.choice(bound), pick.choice(bound), step)

    def integer(self, size: int) -> Any:
        """An integer in range as a rule: Python's, a scalar, or a 0-D array."""
        pick = self.random
        value = pick.randint(-size, size - 1) if size and pick.random() < 0.97 else size
        form = pick.random()
        if form < 0.7:
            return value
        kind = pick.choice(INDEX_DTYPES)
        if kind.startswith("u"):
            value = abs(value)
            if value >= size and pick.random() < 0.9:
                value = 0
        return numpy.dtype(kind).type(value) if form < 0.85 else numpy.asarray(value, kind)

    def indices(self, size: int, shape: tuple[int, ...]) -> Any:
        """An index array, in range as a rule."""
        pick = self.random
        kind = pick.choice(INDEX_DTYPES)
        low = 0 if kind.startswith("u") else -size
        high = max(size - 1, 0)
        beyond = pick.random() < 0.02
        count = int(numpy.prod(shape, dtype=int))
        values = [pick.randint(low, high + beyond) for _ in range(count)]
        made = numpy.asarray(values, kind).reshape(shape)
        return made.tolist() if pick.random() < 0.2 and made.size else made

    def mask(self, sizes: tuple[int, ...]) -> Any:
        """A mask for these axes; of another shape now and then."""
        pick = self.random
        if sizes and pick.random() < 0.03:
            sizes = (*sizes[:-1], sizes[-1] + 1)
        likely = pick.choice((0.2, 0.5, 0.9))
        count = int(numpy.prod(sizes, dtype=int))
        made = numpy.asarray([pick.random() < likely for _ in range(count)], bool).reshape(sizes)
        return made.tolist() if pick.random() < 0.1 and made.size else made

    def basic(self, shape: tuple[int, ...]) -> Any:
        """Python integers, slices, ``None`` and an ellipsis."""
        pick = self.random
        key: list[Any] = []
        for size in shape:
            if size and pick.random() < 0.25:
                key.append(pick.randint(-size, size - 1))
            else:
                key.append(self.slice(size) if pick.random() < 0.8 else slice(None))
        return self.finished(key)

    def finished(self, key: list[Any]) -> Any:
        """The key with an ellipsis and new axes, shortened, or as its only item, at random."""
        pick = self.random
        if key and pick.random() < 0.2:
            del key[pick.randrange(len(key)) :]
        if pick.random() < 0.3:
            start = pick.randint(0, len(key))
            key[start : pick.randint(start, len(key))] = [...]
        while pick.random() < 0.15:
            key.insert(pick.randint(0, len(key)), None)
        if len(key) == 1 and pick.random() < 0.6:
            return key[0]
        return tuple(key)

    def key(self, shape: tuple[int, ...]) -> Any:
        """A key of any form for an array of this shape."""
        pick = self.random
        if pick.random() < 0.3:
            return self.basic(shape)
        key: list[Any] = []
        common = self.shape(2) if pick.random() < 0.15 else (pick.randint(1, 4),)
        left = list(shape)
        while left:
            form = pick.random()
            if form < 0.3:
                part = common
                if pick.random() < 0.3:
                    part = tuple(1 if pick.random() < 0.5 else n for n in common)
                if pick.random() < 0.2:
                    part = part[1:]
                if pick.random() < 0.02:
                    part = (*part, 2)
                key.append(self.indices(left.pop(0), part) if part else 0)
            elif form < 0.45:
                count = pick.randint(1, min(len(left), 3))
                key.append(self.mask(tuple(left[:count])))
                del left[:count]
            elif form < 0.5:
                key.append(
                    pick.choice((True, False, numpy.True_, numpy.asarray(pick.random() < 0.5)))
                )
            elif form < 0.65:
                key.append(self.integer(left.pop(0)))
            else:
                key.append(self.slice(left.pop(0)))
        if pick.random() < 0.03:
            key.insert(pick.randint(0, len(key)), pick.choice(WRONG))
        if pick.random() < 0.05:
            key.append(pick.choice((0, True, slice(None), [0], None, ...)))
        return self.finished(key)

    def value(self, target: Any, base: numpy.ndarray) -> Any:
        """What to assign to a selection, ``target``; of a shape that fits, as a rule."""
        pick = self.random
        form = pick.random()
        if form < 0.2 or not isinstance(target, (numpy.ndarray, numpy.generic)):
            return pick.choice((7, 0, True, 3.0, numpy.asarray(5), numpy.float32(2)))
        if form < 0.25:
            return pick.choice((300, -1, float("nan"), 1j, 2**64, "x", None, [[1, 2], [3]]))
        if form < 0.4 and base.size:
            # Memory in common with the target.
            view = _try(operator.getitem, base, self.basic(base.shape))
            if isinstance(view, numpy.ndarray) and view.shape == target.shape:
                return view
            if base.ndim and base.shape == target.shape:
                return base[::-1]
        shape = [1 if pick.random() < 0.15 else n for n in target.shape]
        if pick.random() < 0.2:
            shape = shape[pick.randint(0, len(shape)) :]
        if pick.random() < 0.15:
            shape = [1, *shape]
        if pick.random() < 0.05:
            shape = [*shape, 2]
        made = self.array(tuple(shape))
        as_list = pick.random() < 0.1 and made.size and made.ndim and made.dtype.kind in "ifu"
        return made.tolist() if as_list else made


def ours(item: Any, pick: random.Random, held: dict[int, Any] | None = None) -> Any:
    """What ``numpy_shim`` is given for a key or value: arrays of ours, tensors, or NumPy's own."""
    if held and id(item) in held:
        return held[id(item)]
    if isinstance(item, tuple):
        return tuple(ours(i, pick) for i in item)
    if isinstance(item, numpy.generic):
        return numpy_shim._array.ndarray.wrap(torch.from_numpy(numpy.array(item)))
    if isinstance(item, numpy.ndarray):
        form = pick.random()
        if form < 0.1:
            return item
        tensor = torch.from_numpy(item.copy())
        return tensor if form < 0.2 else numpy_shim.asarray(tensor)
    return item


class DifferenceError(AssertionError):
    """The two namespaces disagree."""


def _try(function: Any, *args: Any) -> Any:
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*args)
        except Exception as error:
            return error


def _same(mine: Any, theirs: Any) -> None:
    if isinstance(mine, Exception) or isinstance(theirs, Exception):
        same_error(mine, theirs)
    elif isinstance(theirs, (numpy.ndarray, numpy.generic)):
        same_array(mine, theirs, 0.0, 0.0, False, True, "result")


def check(seed: int) -> None:
    """One random example; ``DifferenceError`` tells it in full."""
    draw = Expressions(seed)
    pick = draw.random
    reference = draw.array(draw.shape())
    base = numpy_shim.asarray(torch.from_numpy(reference.copy()))
    told = [f"a: {reference.dtype}{reference.shape}"]
    a, b = reference, base  # NumPy's and ours
    try:
        while pick.random() < 0.4:
            key = draw.basic(a.shape)
            told.append(f"a = a[{key!r}]")
            found = _try(operator.getitem, a, key)
            mine = _try(operator.getitem, b, key)
            _same(mine, found)
            if not isinstance(found, numpy.ndarray):
                return
            a, b = found, mine
        if pick.random() < 0.2 and a.ndim:
            axes = pick.sample(range(a.ndim), a.ndim)
            told.append(f"a = a.transpose({axes})")
            a, b = a.transpose(axes), numpy_shim._array.views.transposed(b, axes)
        key = draw.key(a.shape)
        our_key = ours(key, pick)
        told.append(f"a[{key!r}]")
        found = _try(operator.getitem, a, key)
        if pick.random() < 0.5:
            mine = _try(operator.getitem, b, our_key)
            _same(mine, found)
            if isinstance(found, numpy.ndarray) and isinstance(mine, numpy_shim.ndarray):
                # Only a view carries this to the base.
                told.append("[...] = 99")
                found[...] = 99
                mine[...] = 99
                _same(mine, found)
        else:
            value = draw.value(found, a)
            told.append(f" = {value!r}")
            our_value: Any
            if isinstance(value, numpy.ndarray) and numpy.shares_memory(value, reference):
                told.append(" (a view of a)")
                our_value = numpy_shim._array.views.strided(
                    base, value.shape, [s // a.itemsize for s in value.strides],
                    (_address(value) - _address(reference)) // a.itemsize,
                )  # fmt: skip
                # What memory in common must not matter to: NumPy itself copies in the wrong
                # order where strides differ in one dimension, and through a whole mask.
                value = value.copy()
            else:
                our_value = ours(value, pick)
            theirs = _try(operator.setitem, a, key, value)
            mine = _try(operator.setitem, b, our_key, our_value)
            _same(mine, theirs)
        _same(base, reference)
    except Exception as error:
        where = f"seed {seed}: {' '.join(told)}"
        raise DifferenceError(f"{where}\n{type(error).__name__}: {error}") from error


def _address(a: numpy.ndarray) -> int:
    return int(a.__array_interface__["data"][0])
