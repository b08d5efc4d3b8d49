"""The arguments of the kernels at two sizes, as NumPy arrays and Python numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

Arguments = tuple[Any, ...]


def _stencil(ndim: int, small: int, large: int) -> Callable[[Any, bool], Arguments]:
    def make(rng: Any, big: bool) -> Arguments:
        shape = (large if big else small,) * ndim
        return rng.random(shape), rng.random(shape), 4

    return make


def _adi(rng: Any, big: bool) -> Arguments:
    n = 64 if big else 32  # the loops are unrolled: the compiler takes half a minute
    return rng.random((n, n)), 0.3


def _n_body(rng: Any, big: bool) -> Arguments:
    n = 600 if big else 60
    return rng.random((n, 3)), rng.random((n, 3)), rng.random(n), 3, 0.01


def _k_means(rng: Any, big: bool) -> Arguments:
    return rng.random((40_000 if big else 1_000, 4)), rng.random((8, 4))


def _mandelbrot(rng: Any, big: bool) -> Arguments:
    n = 500 if big else 60
    y, x = numpy.mgrid[-1.2 : 1.2 : n * 1j, -2.0 : 0.6 : n * 1j]
    steps = 4  # inductor takes four times as long for each more: 1.5 minutes for six, by hand too
    return numpy.ascontiguousarray(x), numpy.ascontiguousarray(y), steps


def _softmax(rng: Any, big: bool) -> Arguments:
    return (rng.random((2_000, 500) if big else (32, 64)),)


def _conv2d(rng: Any, big: bool) -> Arguments:
    return rng.random((800, 800) if big else (60, 60)), rng.random((5, 5))


def _black_scholes(rng: Any, big: bool) -> Arguments:
    n = 500_000 if big else 2_000
    spot, strike = rng.uniform(50, 150, (2, n))
    return spot, strike, rng.uniform(0.1, 2, n), 0.02, 0.3


def _fft_filter(rng: Any, big: bool) -> Arguments:
    return rng.standard_normal(2**19 if big else 2**11), 0.1


def _floyd_warshall(rng: Any, big: bool) -> Arguments:
    n = 160 if big else 48
    return (rng.random((n, n)),)


def _lu(rng: Any, big: bool) -> Arguments:
    n = 96 if big else 32
    return (rng.random((n, n)) + n * numpy.eye(n),)


def _histogram_filter(rng: Any, big: bool) -> Arguments:
    return (
        rng.random(300_000 if big else 2_000),
        tuple(rng.uniform(0.5, 1, (4, 300_000 if big else 2_000))),
        0.6,
    )


def _gray_scott(rng: Any, big: bool) -> Arguments:
    n = 500 if big else 60
    return rng.random((n, n)), rng.random((n, n)), 4, 0.06, 0.062


def _distance_matrix(rng: Any, big: bool) -> Arguments:
    n = 1_000 if big else 80
    return rng.random((n, 8)), rng.random((n, 8))


def _knapsack(rng: Any, big: bool) -> Arguments:
    weights = tuple(int(w) for w in rng.integers(1, 40, 24))
    return tuple(rng.random(24).tolist()), weights, 200_000 if big else 1_000


KERNELS: dict[str, Callable[[Any, bool], Arguments]] = {
    "stencil_1d": _stencil(1, 2_000, 500_000),
    "stencil_2d": _stencil(2, 60, 700),
    "stencil_3d": _stencil(3, 16, 80),
    "adi": _adi,
    "n_body": _n_body,
    "k_means_step": _k_means,
    "mandelbrot": _mandelbrot,
    "softmax": _softmax,
    "conv2d": _conv2d,
    "black_scholes": _black_scholes,
    "fft_filter": _fft_filter,
    "floyd_warshall": _floyd_warshall,
    "lu": _lu,
    "histogram_filter": _histogram_filter,
    "gray_scott": _gray_scott,
    "distance_matrix": _distance_matrix,
    "knapsack": _knapsack,
}
"""By name, the arguments of a kernel for a generator and whether the size is the larger one."""


def arguments(name: str, big: bool) -> Arguments:
    """The arguments of a kernel, always the same."""
    return KERNELS[name](numpy.random.default_rng(7), big)
