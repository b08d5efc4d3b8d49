"""``scipy.interpolate._dfitpack``, where SciPy has splines of one variable before 1.18."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy

from ..._array.ndarray import ndarray
from . import _fitpack

types = SimpleNamespace(intvar=SimpleNamespace(dtype=numpy.dtype("int32")))
"""The integers of FITPACK."""

splev, splint, spalde = _fitpack.splev, _fitpack.integrals, _fitpack.spalde


def splder(t: Any, c: Any, k: int, x: Any, nu: int, ext: int) -> tuple[ndarray | None, int]:
    return _fitpack.splder(t, c, k, nu, x, ext)
