"""The table of checks, and what they compare with."""

from __future__ import annotations

from collections.abc import Callable

import numpy

import numpy_shim as np
from numpy_shim import distributed

CHECKS: dict[str, Callable[[], None]] = {}


def check(function: Callable[[], None]) -> Callable[[], None]:
    CHECKS[function.__name__] = function
    return function


def pair(*shape: int) -> tuple[np.ndarray, numpy.ndarray]:
    """A distributed array split along its first axis, and NumPy's array of the same values."""
    values = numpy.random.default_rng(0).standard_normal(shape)
    return distributed.shard(np.asarray(values.copy())), values


def same(a: object, b: object) -> None:
    whole = distributed.gather(a)._tensor.numpy() if isinstance(a, np.ndarray) else a
    numpy.testing.assert_allclose(whole, b, rtol=1e-12, atol=1e-12)
