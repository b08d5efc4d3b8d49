"""Functions of Python that go through an array by elements, for text that is executed here.

``sum(window)`` in SciPy's text adds the elements of a NumPy array one by one. On a device each
step would be an operator, and each comparison of ``max`` would wait: an array is reduced at once.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from functools import wraps
from typing import Any

from .._array.ndarray import ndarray
from .._functions.searching import where
from .._ufunc.declarations import isnan


def _is_row(x: Any) -> bool:
    return type(x) is ndarray and x.ndim == 1 and x.size > 0


@wraps(builtins.all)
def _all(x: Any, /) -> bool:
    return bool(x.all()) if _is_row(x) else builtins.all(x)


@wraps(builtins.any)
def _any(x: Any, /) -> bool:
    return bool(x.any()) if _is_row(x) else builtins.any(x)


@wraps(builtins.sum)
def _sum(x: Any, /, start: Any = 0) -> Any:
    if type(x) is not ndarray or not x.ndim or not x.size:
        return builtins.sum(x, start)
    return start + x.sum(axis=0, dtype=None if x.dtype.kind == "b" else x.dtype)


def _extremum(of_python: Callable[..., Any], reduction: str) -> Callable[..., Any]:
    """``max`` or ``min``: a NaN is passed over, unless it is the first element."""

    @wraps(of_python)
    def call(*args: Any, **kwargs: Any) -> Any:
        if len(args) != 1 or kwargs or not _is_row(args[0]) or args[0].dtype.kind == "c":
            return of_python(*args, **kwargs)
        (x,) = args
        if x.dtype.kind not in "biu":
            x = where(isnan(x), x[0], x)
        return getattr(x, reduction)()

    return call


OF_PYTHON = {
    "all": _all,
    "any": _any,
    "max": _extremum(builtins.max, "max"),
    "min": _extremum(builtins.min, "min"),
    "sum": _sum,
}
"""Such functions under Python's names."""
