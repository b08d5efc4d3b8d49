"""Arguments of a library's call on the host, and its results back on the device."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from typing import Any

import numpy
import torch

from .._array.ndarray import AnyArray, ndarray
from .._array.scalars import TensorScalar
from .._base.dtypes import TORCH, HostDtypeError
from .._convert.arguments import as_array
from .._convert.foreign import is_subclass
from .._convert.to_numpy import shared
from . import crossings
from .frames import pass_over


def to_host(value: object, what: str) -> Any:
    """An argument with NumPy's arrays for ours, also in lists, tuples and dictionaries.

    On the CPU they share the memory. On a device they are copies, which are counted as needed for
    ``what``, the full name of a function; ``TypeError`` where such copies are refused.
    """

    def theirs(x: object) -> Any:
        if not isinstance(x, AnyArray):
            return x
        values = shared(what, x)
        return values[()] if isinstance(x, TensorScalar) else values

    return replaced(value, theirs)


def back(value: object, device: torch.device, what: str = "__array__") -> Any:
    """A result with our arrays on ``device`` for NumPy's arrays of numbers, also in containers.

    On the CPU they share the memory, and stay NumPy's where torch cannot describe it. Scalars,
    other dtypes and subclasses of NumPy's class stay as they are. ``what`` is the function that
    made the result.
    """

    def ours(x: object) -> Any:
        if not isinstance(x, numpy.ndarray) or x.dtype not in TORCH or is_subclass(x):
            return x
        start = time.perf_counter()
        try:
            made = as_array("back", x, "result", device)
        except HostDtypeError:
            return x
        if device.type != "cpu":
            crossings.came_back(what, x.nbytes, time.perf_counter() - start)
        return made

    return replaced(value, ours)


@pass_over
def call(
    theirs: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    device: torch.device,
    what: str,
) -> Any:
    """The result of a library's function that may write to its arguments, or return them.

    On a device it gets copies, and an array is written where its copy was. An argument that is the
    result is the program's own array.
    """
    copies: list[tuple[AnyArray, Any, bytes]] = []
    given: dict[int, tuple[AnyArray, Any]] = {}

    def host(x: Any) -> Any:
        values = to_host(x, what) if isinstance(x, AnyArray) else x
        if values is x or not isinstance(values, numpy.ndarray):
            return values
        if not x._tensor.is_cpu:
            values = values if values.flags.writeable else values.copy()
            copies.append((x, values, values.tobytes()))
        given[id(values)] = x, values
        return values

    args, kwargs = replaced(args, host), replaced(kwargs, host)
    try:
        result = theirs(*args, **kwargs)
    finally:
        for x, values, before in copies:
            if values.tobytes() != before:
                x[...] = back(values, x._tensor.device, what)
    result = replaced(result, lambda r: given[id(r)][0] if id(r) in given else r)
    return back(result, device, what)


def device_of(value: object) -> torch.device | None:
    """The device of the first array of ours in a value or container; ``None`` without one."""
    found: list[torch.device] = []

    def look(x: object) -> Any:
        if isinstance(x, AnyArray):
            found.append(x._tensor.device)
        return x

    replaced(value, look)
    return next((d for d in found if d.type != "cpu"), found[0] if found else None)


def replaced(value: Any, one: Callable[[Any], Any]) -> Any:
    """A value, or a container of values, with each item replaced; itself where nothing changes."""
    kind = type(value)
    if kind is ndarray or kind is numpy.ndarray:
        return one(value)
    if isinstance(value, (list, tuple)):
        items = [replaced(x, one) for x in value]
        if all(a is b for a, b in zip(items, value, strict=True)):
            return value
        if kind is list:
            return items
        if kind is tuple:
            return tuple(items)
        if hasattr(value, "_fields"):
            return kind(*items)
        return value  # a class of its own, which may hold anything else
    if issubclass(kind, dict):  # of its own class, too, as results of scikit-learn
        made = {k: replaced(x, one) for k, x in value.items()}
        if all(made[k] is x for k, x in value.items()):
            return value
        if kind is dict:
            return made
        other = copy.copy(value)
        other.update(made)
        return other
    return one(value)
