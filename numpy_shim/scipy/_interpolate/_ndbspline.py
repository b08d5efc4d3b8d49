"""Splines of several variables, which SciPy computes on the host."""

from __future__ import annotations

from typing import Any

import scipy.interpolate._ndbspline

from .._standing import OnTheHostError


def make_ndbspl(*args: Any, **kwargs: Any) -> Any:
    """What ``RegularGridInterpolator`` calls for its methods that are splines."""
    raise OnTheHostError("its splines of several variables are SciPy's code in C++")


def __getattr__(name: str) -> Any:
    return getattr(scipy.interpolate._ndbspline, name)
