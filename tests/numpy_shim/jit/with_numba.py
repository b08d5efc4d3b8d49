"""What the tests of ``jit`` with Numba share."""

from __future__ import annotations

import functools
import importlib.util
from typing import Any

import numpy as np
import pytest

import numpy_shim

has_numba = importlib.util.find_spec("numba") is not None
needs_numba = pytest.mark.skipif(not has_numba, reason="Numba is an optional extra")
by_numba = functools.partial(numpy_shim.jit, compiler="numba", eager_compile=True)


def eliminated(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[k, j]
            a[i, j] /= a[j, j]
        for j in range(i, n):
            for k in range(i):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def matrix(n: int = 24) -> Any:
    return np.random.default_rng(0).random((n, n)) + n * np.eye(n)


def told(f: Any, name: str = "Numba") -> str:
    (chosen,) = f.explain().choices
    return chosen.told[name]
