"""What the tests of ``nditer`` go through, and what they ask of an iterator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import torch

import numpy_shim
from tests.numpy_shim.differential import compare


def compare_loops(body: Callable[[Any], Any]) -> Any:
    """``compare`` for a body that gives values of a loop: on the CPU these are NumPy's own."""
    return compare(lambda np: as_arrays_of(np, body(np)))


def as_arrays_of(np: Any, found: Any) -> Any:
    """What a body found, with NumPy's arrays as arrays of ``np``."""
    if isinstance(found, (list, tuple)):
        return [as_arrays_of(np, x) for x in found]
    return numpy_shim.asarray(found) if type(found) is numpy.ndarray is not np.ndarray else found


def grid(np: Any, *shape: int, dtype: str = "int64") -> Any:
    """Counted elements."""
    return np.arange(torch.Size(shape).numel(), dtype=dtype).reshape(shape)


def layouts(np: Any, shape: tuple[int, ...]) -> list[Any]:
    """Arrays of about this shape that lie in memory in several ways."""
    a = grid(np, *shape)
    twice = grid(np, *[2 * n for n in shape])
    found = [a, a.T, twice[tuple(slice(None, None, 2) for _ in shape)]]
    for turned in range(2 ** len(shape)):
        key = tuple(slice(None, None, -1 if turned >> i & 1 else 1) for i in range(len(shape)))
        found += [a[key], a[key].T]
    return found


def steps(it: Any) -> list[Any]:
    """What every step gives, copied."""
    return [[y.copy() for y in x] if isinstance(x, tuple) else x.copy() for x in it]


def facts(it: Any) -> tuple[Any, ...]:
    """The attributes that need no index."""
    return (
        it.ndim, it.nop, it.itersize, it.iterrange, it.iterindex, it.shape, it.finished,
        it.has_index, it.has_multi_index, it.has_delayed_bufalloc, it.iterationneedsapi, len(it),
    )  # fmt: skip
