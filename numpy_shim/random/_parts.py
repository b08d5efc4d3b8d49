"""A part of a draw: the numbers that the whole draw has there, without the memory of the whole.

The stream of a generator is one sequence, so a part needs what comes before. ``random`` and
``uniform`` of a ``Generator`` over ``PCG64`` take one step of the generator for each number:
the others are skipped, in the time of the part. All other distributions take a number of
steps that depends on the values: everything is drawn, block by block, and the blocks of the others
are forgotten, in the time of the whole and the memory of the part.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy

from ._generator import Generator
from ._legacy import RandomState
from ._streams import is_native

_BLOCK = 1 << 16
_ONE_STEP = {"random", "uniform"}
_SHAPES = {"rand", "randn"}
"""Functions that take the shape as their arguments."""
BY_BLOCKS = {
    "beta", "binomial", "chisquare", "exponential", "f", "gamma", "geometric", "gumbel",
    "hypergeometric", "integers", "laplace", "logistic", "lognormal", "logseries",
    "negative_binomial", "noncentral_chisquare", "noncentral_f", "normal", "pareto", "poisson",
    "power", "rand", "randint", "randn", "random", "random_sample", "rayleigh", "standard_cauchy",
    "standard_exponential", "standard_gamma", "standard_normal", "standard_t", "triangular",
    "uniform", "vonmises", "wald", "weibull", "zipf",
}  # fmt: skip
"""Draws that give the same numbers in one call and in several."""


class Draw:
    """A call of one of NumPy's drawing methods that can be made part by part.

    ``shape`` and ``dtype`` are those of the whole.
    """

    def __init__(
        self, source: Any, name: str, shape: tuple[int, ...], call: Callable[[int], Any]
    ) -> None:
        self.source, self.name, self.shape = source, name, shape
        self._call = call
        self._numbers = math.prod(shape)
        self.dtype: numpy.dtype[Any] = call(0).dtype  # a draw of none leaves the stream

    def numbers(self, start: int, stop: int) -> numpy.ndarray[Any, Any]:
        """The numbers ``start`` to ``stop`` of the whole; the generator ends as after the whole."""
        if self.name in _ONE_STEP and _skips(self.source) and self.dtype == numpy.float64:
            bits = self.source.bit_generator
            _skip(bits, start)
            drawn = self._call(stop - start)
            _skip(bits, self._numbers - stop)
            return drawn  # type: ignore[no-any-return]
        kept = []
        for a in range(0, self._numbers, _BLOCK):
            b = min(a + _BLOCK, self._numbers)
            block = self._call(b - a)
            if a < stop and b > start:
                kept.append(block[max(start - a, 0) : stop - a].copy())
        return numpy.concatenate([numpy.empty(0, self.dtype), *kept])


def draw_of(method: Any, args: Any, kwargs: Any) -> Draw | None:
    """A call of a generator's method that can be made part by part; ``None`` for any other."""
    owner = getattr(method, "__self__", None)
    if not isinstance(owner, (Generator, RandomState)) or is_native():
        return None
    source: Any = owner._source
    name: str = method.__name__
    if name not in BY_BLOCKS or not all(_is_plain(a) for a in (*args, *kwargs.values())):
        return None
    method = getattr(source, name)
    if name in _SHAPES:
        if kwargs or not args or any(type(n) is not int or n < 0 for n in args):
            return None
        return Draw(source, name, args, method)
    try:
        kind: Any = type(source)
        given = _signature(kind, name).bind(source, *args, **kwargs).arguments
    except TypeError:
        return None  # NumPy says what is wrong
    size = given.pop("size", None)
    if size is None or given.pop("out", None) is not None:
        return None
    rest = {k: v for k, v in given.items() if k != "self"}
    if any(isinstance(v, (tuple, list)) for v in rest.values()):
        return None  # a parameter for each number
    shape = _shape(size)
    if any(n < 0 for n in shape):
        return None
    made = Draw(source, name, shape, lambda n: method(**rest, size=n))
    # Numbers of fewer bits are cut from one word, the rest of which each call forgets.
    return None if made.dtype.itemsize < 4 else made


@functools.cache
def _signature(kind: Any, name: str) -> inspect.Signature:
    return inspect.signature(getattr(kind, name))


def _is_plain(x: Any) -> bool:
    return x is None or isinstance(
        x, (int, float, str, tuple, list, type, numpy.dtype, numpy.generic)
    )


def _shape(size: Any) -> tuple[int, ...]:
    return tuple(int(n) for n in size) if isinstance(size, (tuple, list)) else (int(size),)


def _skips(source: Any) -> bool:
    return isinstance(source, numpy.random.Generator) and isinstance(
        source.bit_generator, (numpy.random.PCG64, numpy.random.PCG64DXSM)
    )


def _skip(bits: Any, steps: int) -> None:
    """Go on by so many steps; ``advance`` would forget the half of a word that is kept."""
    if steps:
        before = bits.state
        bits.advance(steps)
        bits.state = {**bits.state, **{k: before[k] for k in ("has_uint32", "uinteger")}}
