"""``--shard-above SIZE``: large arrays that the program makes are split over the processes.

Only functions that make arrays from shapes, numbers and files are wrapped; everything else follows
its operands.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable
from typing import Any

from .device import LaunchError

_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9,
          "kib": 2**10, "mib": 2**20, "gib": 2**30}  # fmt: skip
_SHAPED = ("zeros", "ones", "empty", "full")
_MADE = ("array", "asarray", "arange", "linspace", "load", "loadtxt", "fromfile", "eye", "identity",
         "fromfunction", "logspace", "geomspace")  # fmt: skip
_DRAWN = ("rand", "randn", "random", "random_sample", "uniform", "normal", "standard_normal",
          "randint", "integers", "exponential", "poisson", "choice", "permutation", "gamma", "beta",
          "binomial", "standard_exponential", "lognormal")  # fmt: skip


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
        def call(*args: Any, **kwargs: Any) -> Any:
            return spread(function(*args, **kwargs))

        return call

    def by_parts(function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of a shape: each process makes its part only."""

        @functools.wraps(function)
        def call(shape: Any, *args: Any, **kwargs: Any) -> Any:
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

    for name in _SHAPED:
        setattr(namespace, name, by_parts(getattr(namespace, name)))
    for name in _MADE:
        setattr(namespace, name, wrapped(getattr(namespace, name)))
    for name in _DRAWN:
        for owner in (namespace.random, namespace.random.Generator, namespace.random.RandomState):
            if hasattr(owner, name):
                setattr(owner, name, wrapped(getattr(owner, name)))


def _has_arrays(args: tuple[Any, ...]) -> bool:
    return any(hasattr(a, "shape") and a.shape != () for a in args)
