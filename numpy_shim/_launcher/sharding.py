"""``--shard-above SIZE``: large arrays that the program makes are split over the processes.

Only functions that make arrays from shapes, numbers and files are wrapped; everything else follows
its operands.
"""

from __future__ import annotations

import functools
import math
import os
import re
import types
from collections.abc import Callable
from typing import Any

import numpy

from .device import LaunchError

_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9,
          "kib": 2**10, "mib": 2**20, "gib": 2**30}  # fmt: skip
_SHAPED = ("zeros", "ones", "empty", "full")
_MADE = ("array", "asarray", "arange", "linspace", "loadtxt", "fromfile", "eye", "identity",
         "fromfunction", "logspace", "geomspace")  # fmt: skip
_DRAWN_WHOLE = {"choice", "permutation"}


def size_in_bytes(text: str) -> int:
    """A size as ``64MB`` or ``1.5GiB`` in bytes.

    >>> size_in_bytes("64MB")
    64000000
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]*)\s*", text)
    unit = _UNITS.get(found.group(2).lower()) if found else None
    if found is None or unit is None:
        raise LaunchError(f"--shard-above takes a size as 64MB, not {text!r}")
    return int(float(found.group(1)) * unit)


def axis_of(shape: tuple[int, ...], axis: str, ranks: int) -> int:
    """The axis to split: the one that is named, or the first that has a row for every process.

    >>> axis_of((2, 100), "auto", 4)
    1
    """
    if axis != "auto":
        return min(int(axis), len(shape) - 1)
    long = [i for i, n in enumerate(shape) if n >= ranks]
    return long[0] if long else max(range(len(shape)), key=lambda i: shape[i])


def shard_above(namespace: Any, limit: int, axis: str) -> None:
    """Wrap the functions of a namespace that make arrays, before the program imports them."""
    if axis != "auto" and not axis.isdigit():
        raise LaunchError(f"--shard-axis takes auto or the number of an axis, not {axis!r}")
    from .. import distributed
    from ..random._parts import BY_BLOCKS, draw_of

    mesh = distributed.mesh()
    ndarray = namespace.ndarray

    def spread(made: Any) -> Any:
        if (
            type(made) is ndarray
            and made.ndim
            and made.nbytes > limit
            and not distributed.placements(made)
        ):
            return distributed.shard(made, axis_of(made.shape, axis, mesh.size()))
        return made

    def wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: object, **kwargs: object) -> Any:
            return spread(function(*args, **kwargs))

        return call

    def by_parts(function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of a shape: each process makes its part only."""

        @functools.wraps(function)
        def call(shape: object, *args: object, **kwargs: object) -> Any:
            size = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
            probe = function((0,), *args, **kwargs) if not _has_arrays(args) else None
            if (
                probe is None
                or type(probe) is not ndarray
                or not all(type(n) is int and n >= 0 for n in size)
                or math.prod(size) * probe.itemsize <= limit
            ):
                return spread(function(shape, *args, **kwargs))
            place = axis_of(size, axis, mesh.size())
            return distributed.from_parts(
                lambda part: function(part, *args, **kwargs), size, place, mesh
            )

        return call

    def by_draws(function: Callable[..., Any]) -> Callable[..., Any]:
        """A drawing method, or a function that is one: each process keeps its part of the draw."""

        @functools.wraps(function)
        def call(*args: object, **kwargs: object) -> Any:
            method, given = function, args
            if not hasattr(function, "__self__"):
                method, given = types.MethodType(function, args[0]), args[1:]
            if not given and not kwargs:
                return method()
            made = draw_of(method, given, kwargs)
            if made is None or not made.shape:
                return spread(method(*given, **kwargs))
            if math.prod(made.shape) * made.dtype.itemsize <= limit:
                return method(*given, **kwargs)
            place = axis_of(made.shape, axis, mesh.size())
            return distributed.draw(method, *given, axis=place, mesh=mesh, **kwargs)

        return call

    def load(*args: object, **kwargs: object) -> Any:
        """A ``.npy`` file that is large enough: each process reads its part."""
        if len(args) == 1 and not kwargs and isinstance(args[0], (str, os.PathLike)):
            shape = _large_file(args[0], limit)
            if shape:
                return distributed.load(args[0], axis_of(shape, axis, mesh.size()), mesh)
        return spread(whole_load(*args, **kwargs))

    def save(file: Any, arr: Any, *args: object, **kwargs: object) -> None:
        """A distributed array and the name of a file: each process writes its part."""
        if (
            isinstance(file, (str, os.PathLike))
            and type(arr) is ndarray
            and distributed.placements(arr)
        ):
            distributed.save(file, arr)
        else:
            whole_save(file, arr, *args, **kwargs)

    whole_load, whole_save = namespace.load, namespace.save
    namespace.load = functools.wraps(whole_load)(load)
    namespace.save = functools.wraps(whole_save)(save)
    for name in _SHAPED:
        setattr(namespace, name, by_parts(getattr(namespace, name)))
    for name in _MADE:
        setattr(namespace, name, wrapped(getattr(namespace, name)))
    for name in sorted(BY_BLOCKS | _DRAWN_WHOLE):
        for owner in (namespace.random, namespace.random.Generator, namespace.random.RandomState):
            if hasattr(owner, name):
                setattr(owner, name, by_draws(getattr(owner, name)))


def _large_file(file: Any, limit: int) -> tuple[int, ...]:
    """The shape of the array in a ``.npy`` file with more bytes than ``limit``, else no shape."""
    try:
        if os.path.getsize(file) <= limit:
            return ()
        held = numpy.load(file, mmap_mode="r")
    except (OSError, ValueError):
        return ()  # the function says what is wrong
    return held.shape if isinstance(held, numpy.memmap) and held.nbytes > limit else ()


def _has_arrays(args: tuple[object, ...]) -> bool:
    return any(hasattr(a, "shape") and a.shape != () for a in args)
