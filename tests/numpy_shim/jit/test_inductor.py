"""``jit`` with its default backend, inductor, which compiles C++ on the CPU."""

from __future__ import annotations

from typing import Any

import numpy
import numpy as np
from torch._inductor.utils import run_and_get_code

import numpy_shim
from tests.numpy_shim.jit.test_jit import assert_whole, scaled


def distances(a: Any, b: Any) -> Any:
    return np.sqrt(np.sum((a[:, None, :] - b[None, :, :]) ** 2, axis=-1))


def test_short_reductions():
    """inductor unrolls them on the CPU; without the option, each result is a loop of its own.

    A user's option comes first.
    """
    points = np.linspace(-1, 1, 160).reshape(20, 8)
    codes = []
    for options in (None, {"unroll_reductions_threshold": 1}):
        f = numpy_shim.jit(distances, compiler="torch", options=options)
        found, code = run_and_get_code(f, points, points[::-1].copy())
        numpy.testing.assert_allclose(found, distances(points, points[::-1]), rtol=1e-15)
        codes.append("".join(code))
    assert ["x2" in code for code in codes] == [False, True]  # the third loop


def test_default_backend():
    """The same values, in one graph."""
    f = numpy_shim.jit(scaled, compiler="torch")
    x = np.linspace(-1, 1, 4)
    numpy.testing.assert_allclose(f(x), scaled(x), rtol=1e-15)
    assert_whole(f)
