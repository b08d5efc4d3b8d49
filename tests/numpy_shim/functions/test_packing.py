"""Bits in bytes: ``packbits`` and ``unpackbits``."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from tests.differential import Spec
from tests.numpy_shim.differential import compare


@pytest.mark.parametrize("axis", [None, 0, 1, -1, 2])
@pytest.mark.parametrize("bitorder", ["big", "little"])
@pytest.mark.parametrize("dtype", ["uint8", "bool", "int64"])
@pytest.mark.parametrize("shape", [(3, 9), (8,), (0, 3)])
def test_packbits(axis: Any, bitorder: str, dtype: str, shape: tuple[int, ...]):
    x = Spec(numpy.random.RandomState(0).randint(0, 2, shape).astype(dtype))
    compare(lambda np, a: np.packbits(a, axis, bitorder), x)


@pytest.mark.parametrize("kwargs", [{"bitorder": "other"}, {"axis": 5}], ids=str)
def test_packing_refuses(kwargs: Any):
    compare(lambda np: np.packbits(np.array([1, 0]), **kwargs))
    compare(lambda np: np.unpackbits(np.array([1, 0], "uint8"), **kwargs))
    compare(lambda np: np.packbits(np.array([1.0, 0.0])))


def test_packing_refuses_an_order_that_is_no_text():
    compare(lambda np: np.unpackbits(np.array([1], "uint8"), bitorder=10))
    compare(lambda np: np.packbits(np.array([1]), bitorder=10))


@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("count", [None, 0, 5, 40, -3, -100])
@pytest.mark.parametrize("bitorder", ["big", "little"])
@pytest.mark.parametrize("dtype", ["uint8", "int16"])
def test_unpackbits(axis: Any, count: Any, bitorder: str, dtype: str):
    x = Spec(numpy.random.RandomState(0).randint(0, 256, (2, 3)).astype(dtype))
    compare(lambda np, a: np.unpackbits(a, axis, count, bitorder), x)
