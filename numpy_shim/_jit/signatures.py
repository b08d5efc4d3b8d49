"""The kind of a call's arguments: what decides which code is fastest, and whether it fits."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Any

import numpy
from torch import Tensor

from .._array.ndarray import AnyArray, ndarray


class World(IntEnum):
    """Whose arrays the arguments are."""

    NUMPY = 0
    OURS = 1
    TORCH = 2
    """Tensors, and arrays with a gradient, on a device, in a trace or on a mesh."""


MANY = 8  # items of a container that are looked at
LAYOUT = 1 | 2 | 0x100 | 0x400  # in ``flags.num``: C, Fortran, aligned, writeable
PLAIN = frozenset({int, float, complex, bool, str, bytes, type(None), slice, range})
ALIKE = PLAIN | set(numpy.sctypeDict.values())
"""Types of which all values are one kind of argument."""


def key_of(arguments: tuple[object, ...], keywords: dict[str, object]) -> tuple[Any, ...]:
    """The kind of a call: dtypes, axes, layouts, sizes by powers of four, what is given twice."""
    key = tuple([_kind(x) for x in arguments])
    if len({id(x) for x in arguments}) < len(arguments):
        key = (*key, *_repeated(arguments))
    if keywords:
        return (*key, *[(name, _kind(x)) for name, x in keywords.items()])
    return key


def _repeated(arguments: tuple[object, ...]) -> list[str]:
    """The arrays that stand at an earlier place, too: Dynamo guards that they are one object."""
    places: dict[int, int] = {}
    for i, x in enumerate(arguments):
        if isinstance(x, (AnyArray, numpy.ndarray)):
            places.setdefault(id(x), i)
    given = [(i, places.get(id(x), i)) for i, x in enumerate(arguments)]
    return [f"argument {i + 1} is argument {first + 1}" for i, first in given if first < i]


def _kind(x: Any) -> Any:
    kind = type(x)
    if kind is numpy.ndarray:
        return x.dtype, x.ndim, x.flags.num & LAYOUT, x.size.bit_length() + 1 >> 1
    if kind in ALIKE:
        return kind
    if kind is ndarray:
        t = x._tensor
        if type(t) is not Tensor or not t.is_cpu or t.requires_grad:
            return World.TORCH
        return World.OURS, t.dtype, t.dim(), t.is_contiguous(), t.numel().bit_length() + 1 >> 1
    if isinstance(x, Tensor):
        return World.TORCH
    if kind is tuple or kind is list:
        return kind, len(x), *[_kind(v) for v in x[:MANY]]
    return _of_object(x, kind)


def _of_object(x: Any, kind: type) -> Any:
    if isinstance(x, AnyArray):
        return World.OURS if x._tensor.is_cpu and not x._tensor.requires_grad else World.TORCH
    if kind is dict:
        return kind, len(x), *[_shallow(v) for v in list(x.values())[:MANY]]
    if isinstance(x, (list, tuple)):
        return kind, len(x), *[_shallow(v) for v in x[:MANY]]
    if isinstance(x, numpy.generic):
        return kind
    names = getattr(x, "__dict__", None)
    if isinstance(names, dict) and not isinstance(x, type) and not callable(x):
        return kind, *[_shallow(v) for v in list(names.values())[: 2 * MANY]]
    return kind


def _shallow(x: Any) -> Any:
    kind = type(x)
    if kind is list:  # that may grow from call to call
        return kind, len(x).bit_length(), *[_kind(v) for v in x[:1]]
    return kind if hasattr(x, "__dict__") and kind is not ndarray else _kind(x)


def world_of(key: tuple[object, ...]) -> World:
    """Whose arrays a call of this kind has."""
    found = World.NUMPY
    for item in _items(key):
        if type(item) is World:
            found = max(found, item)
    return found


def _items(key: object) -> Iterator[Any]:
    if isinstance(key, tuple):
        for item in key:
            yield from _items(item)
    else:
        yield key


def described(key: tuple[object, ...]) -> str:
    """The kind of a call in words: ``float64[2], int``."""
    return ", ".join(_described(item) for item in key)


def _described(item: object) -> str:
    if isinstance(item, str):
        return item
    if isinstance(item, type):
        return item.__name__
    if item is World.TORCH:
        return "tensor"
    if isinstance(item, tuple) and item:
        first, *rest = item
        if isinstance(first, numpy.dtype):
            return f"{first}[{', '.join(':' * rest[0])}]"
        if first is World.OURS:
            return f"{str(rest[0]).removeprefix('torch.')}[{', '.join(':' * rest[1])}]"
        if isinstance(first, str):
            return f"{first}={_described(rest[0])}"
        if isinstance(first, type):
            return first.__name__
    return "array"
