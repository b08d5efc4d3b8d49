"""Functions of numbers alone, for a launched program whose default device is not the CPU.

``np.mean([x, y])``, ``np.linalg.norm([3.0, 4.0])`` and ``np.isclose(0.1, 0.3)`` of Python's and
NumPy's numbers would copy the list to the device, compute there, and wait for the value: such
numbers are a loop's, and not the data. So the result is NumPy's own scalar, as that of a ufunc is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch.compiler import is_compiling

from xp_torch._core.devices import default_is_cpu

from .._base import defaults
from .._base.promotion import PYTHON_NUMBERS
from .._base.scalar_types import STORED
from . import crossings

WITH_SCALARS = frozenset({
    "all", "allclose", "amax", "amin", "angle", "any", "argmax", "argmin", "around", "array_equal",
    "average", "clip", "count_nonzero", "dot", "imag", "inner", "interp", "isclose",
    "linalg.det", "linalg.norm", "max", "mean", "median", "min", "nan_to_num", "nanmax", "nanmean",
    "nanmedian", "nanmin", "nanprod", "nanstd", "nansum", "nanvar", "percentile", "prod",
    "ptp", "quantile", "real", "round", "searchsorted", "std", "sum", "trapezoid", "var",
    "vdot",
})  # fmt: skip
"""Functions that may have a scalar as their result."""

_NUMBERS = PYTHON_NUMBERS | frozenset(STORED)
_LISTS = frozenset({list, tuple})
HEADS = _NUMBERS | _LISTS
"""The types of a first argument for which it is worth asking."""


def may_be_scalar(args: tuple[Any, ...]) -> bool:
    """Whether a call of numbers alone may have a scalar as its result, in such a program."""
    return (
        not is_compiling()
        and bool(crossings.mode())
        and _is_of_numbers(args[0])
        and not default_is_cpu()
        and defaults.float_dtype() is torch.float64
    )


def scalar_of(theirs: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """NumPy's scalar, or ``None`` where the call is for the device, or the result an array."""
    if not all(x is None or _is_of_numbers(x) for x in (*args, *kwargs.values())):
        return None
    try:
        found = theirs(*args, **kwargs)
    except Exception:  # ours says what is wrong
        return None
    return found if type(found) in _NUMBERS else None


def _is_of_numbers(x: Any) -> bool:
    """Whether an argument is a number, or lists of numbers alone."""
    if type(x) in _LISTS:
        kinds = set(map(type, x))
        return kinds <= _NUMBERS or (kinds <= _LISTS and all(map(_is_of_numbers, x)))
    return type(x) in _NUMBERS
