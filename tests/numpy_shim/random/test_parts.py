"""A part of a draw has the numbers of the whole draw, and leaves the generator as that does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

import numpy_shim as np
from numpy_shim.random import _parts

PARAMETERS: dict[str, tuple[Any, ...]] = {
    "beta": (2.0, 3.0), "binomial": (10, 0.3), "chisquare": (2.0,), "f": (2.0, 3.0),
    "gamma": (2.0,), "geometric": (0.3,), "hypergeometric": (5, 6, 7), "integers": (7,),
    "logseries": (0.3,), "negative_binomial": (3, 0.4), "noncentral_chisquare": (2.0, 1.0),
    "noncentral_f": (2.0, 3.0, 1.0), "normal": (1.0, 2.0), "pareto": (2.0,), "poisson": (3.0,),
    "power": (2.0,), "randint": (3, 9), "standard_gamma": (2.0,), "standard_t": (3.0,),
    "triangular": (0, 1, 2), "uniform": (-1.0, 2.0), "vonmises": (0, 1), "wald": (1, 1),
    "weibull": (2.0,), "zipf": (2.0,),
}  # fmt: skip
MAKERS: dict[str, Callable[[], Any]] = {
    "PCG64": lambda: np.random.default_rng(3),
    "PCG64DXSM": lambda: np.random.Generator(np.random.PCG64DXSM(3)),
    "Philox": lambda: np.random.Generator(np.random.Philox(3)),
    "MT19937": lambda: np.random.Generator(np.random.MT19937(3)),
    "RandomState": lambda: np.random.RandomState(3),
}
CASES = [(m, n) for m, make in MAKERS.items() for n in sorted(_parts.BY_BLOCKS)
         if hasattr(make(), n)]  # fmt: skip


@pytest.mark.parametrize(("maker", "name"), CASES)
def test_parts_are_those_of_the_whole(maker: str, name: str, monkeypatch: pytest.MonkeyPatch):
    """Also with a half of a word kept from before, which 32-bit integers leave."""
    monkeypatch.setattr(_parts, "_BLOCK", 100)
    shape = (13, 41)
    by_shape = name in ("rand", "randn")
    given = shape if by_shape else PARAMETERS.get(name, ())
    options = {} if by_shape else {"size": shape}
    parts, ends = [], []
    for a, b in ((0, 0), (0, 150), (150, 151), (151, 533)):
        r = MAKERS[maker]()
        getattr(r, "integers" if hasattr(r, "integers") else "randint")(9, size=3, dtype="int32")
        made = _parts.draw_of(getattr(r, name), given, options)
        assert made is not None
        assert made.shape == shape
        parts.append(made.numbers(a, b))
        ends.append(r.standard_normal(2).tolist() + r._source.bytes(4).hex().split())
    r = MAKERS[maker]()
    getattr(r, "integers" if hasattr(r, "integers") else "randint")(9, size=3, dtype="int32")
    whole = numpy.asarray(getattr(r, name)(*given, **options))
    assert numpy.array_equal(numpy.concatenate(parts), whole.reshape(-1))
    assert whole.dtype == parts[0].dtype
    after = r.standard_normal(2).tolist() + r._source.bytes(4).hex().split()
    assert all(end == after for end in ends)


@pytest.mark.parametrize(
    ("name", "args", "options"),
    [
        ("integers", (5,), {"size": 4, "dtype": "int8"}),  # cut from one word
        ("normal", ([0.0, 1.0],), {"size": (3, 2)}),  # a parameter for each number
        ("random", (), {}),  # one number
        ("permutation", (5,), {}),
        ("random", (-1,), {}),
        ("normal", (0, 1, 2, 3), {}),
    ],
)
def test_other_draws_have_no_parts(name: str, args: tuple[Any, ...], options: dict[str, Any]):
    assert _parts.draw_of(getattr(np.random.default_rng(0), name), args, options) is None


def test_a_part_of_uniform_numbers_skips_the_others(monkeypatch: pytest.MonkeyPatch):
    """The generator is asked for the part only."""
    asked: list[Any] = []
    r = np.random.default_rng(0)
    made = _parts.draw_of(r.random, ((1000, 2),), {})
    assert made is not None
    call = made._call
    made._call = lambda n: asked.append(n) or call(n)
    made.numbers(500, 750)
    assert asked == [250]
