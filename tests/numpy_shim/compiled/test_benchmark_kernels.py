"""Each kernel of ``benchmarks/kernels`` compiles whole, and gives what it gives with NumPy."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from benchmarks.kernels import programs
from benchmarks.kernels.contestants import OPTIONS, program_on
from benchmarks.kernels.inputs import KERNELS, arguments
from tests.slow import one_in

SHIM = program_on("numpy_shim")


def reduced(x: Any) -> Any:
    """An argument so small that loops which the compiler unrolls are short."""
    if isinstance(x, numpy.ndarray):
        return x[(slice(12),) * x.ndim].copy()
    if isinstance(x, tuple):
        return tuple([reduced(item) for item in x[:4]])
    return min(x, 2) if isinstance(x, int) and x < 10 else x


def given(x: Any) -> Any:
    if isinstance(x, tuple):
        return tuple([given(item) for item in x])
    return numpy_shim.array(x) if isinstance(x, numpy.ndarray) else x


@pytest.mark.parametrize("name", one_in(3, KERNELS))
def test_compiles_whole(name: str):
    args = tuple(map(reduced, arguments(name, False)))
    ours = given(args)
    torch.compiler.reset()
    function = torch.compile(getattr(SHIM, name), fullgraph=True, dynamic=False, options=OPTIONS)
    got, expected = function(*ours), getattr(programs, name)(*args)
    many = isinstance(expected, tuple)
    for g, e in zip(got, expected, strict=True) if many else [(got, expected)]:
        numpy.testing.assert_allclose(numpy.asarray(g), e, rtol=1e-9, atol=1e-12)
    for g, e in zip(ours, args, strict=True):
        if isinstance(e, numpy.ndarray):
            numpy.testing.assert_allclose(numpy.asarray(g), e, rtol=1e-9, atol=1e-12)
