"""The table of the kernels and of their inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

KERNELS: dict[str, Callable[..., Any]] = {}
INPUTS: dict[str, Callable[[numpy.random.Generator], tuple[Any, ...]]] = {}
DATA_DEPENDENT = {"go_fast_while", "crc16", "azimint_masks", "mandelbrot_masks", "unique_counts"}
"""Kernels whose shapes or control flow depend on values: they need not compile whole."""


def kernel(inputs: Callable[[numpy.random.Generator], tuple[Any, ...]]) -> Callable[..., Any]:
    """Put a function into the table, with the function that draws its arguments."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        KERNELS[function.__name__] = function
        INPUTS[function.__name__] = inputs
        return function

    return register


def arguments(name: str, np: Any) -> tuple[Any, ...]:
    """Inputs of a kernel, with arrays of the namespace for NumPy's."""
    given = INPUTS[name](numpy.random.default_rng(7))
    return tuple(np.asarray(a) if isinstance(a, numpy.ndarray) else a for a in given)
