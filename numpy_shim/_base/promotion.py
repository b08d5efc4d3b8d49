"""The dtypes that Python numbers take: alone, in sequences, and beside arrays (NEP 50)."""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy
import torch

from xp_torch._core.dtypes import EXACT

from . import defaults
from .dtypes import TORCH, HostIntegerError, promote

PYTHON_NUMBERS = frozenset({bool, int, float, complex})
WEAK = frozenset({int, float, complex})
"""The Python types that NEP 50 makes weak; a Python bool is as strong as an array."""


def default_dtype(name: str, number: Any) -> torch.dtype:
    """The dtype of a Python number that stands alone."""
    kind = type(number)
    if kind is bool:
        return torch.bool
    if kind is int:
        if -(2**63) <= number < 2**63:
            return defaults.INT
        if 0 <= number < 2**64:
            return torch.uint64
        raise HostIntegerError(f"{name}: the Python integer {number} fits in no 64-bit dtype")
    return defaults.float_dtype() if kind is float else defaults.complex_dtype()


def promote_kinds(name: str, numbers: list[Any], kinds: set[type]) -> torch.dtype:
    """The dtype of Python numbers in one sequence: the default of the widest kind among them.

    An int beyond 64 bits makes NumPy's sequence one of objects, whatever stands beside it.
    """
    if int in kinds and (float in kinds or complex in kinds):
        integers = [v for v in numbers if type(v) is int]
        default_dtype(name, min(integers))
        default_dtype(name, max(integers))
    if complex in kinds:
        return defaults.complex_dtype()
    if float in kinds or not kinds:
        return defaults.float_dtype()
    if int not in kinds:
        return torch.bool
    low, high = int(min(numbers)), int(max(numbers))  # min() may return a bool
    if high < 2**63 or low >= 2**63:
        return promote(name, default_dtype(name, low), default_dtype(name, high))
    default_dtype(name, high)
    return torch.float64  # one fits in int64 only, another in uint64 only


def beside_number(dtype: torch.dtype, kind: type) -> torch.dtype:
    """The dtype of an array of ``dtype`` beside a weak Python number of type ``kind``."""
    return _BESIDE[dtype, kind]


def _beside() -> dict[tuple[torch.dtype, type], torch.dtype]:
    table = {}
    for numpy_dtype, dtype in TORCH.items():
        for kind in WEAK:
            if numpy_dtype.name == "bfloat16":
                table[dtype, kind] = torch.complex64 if kind is complex else dtype
                continue
            one = numpy.ones(1, numpy_dtype)
            table[dtype, kind] = TORCH[numpy.result_type(one, kind(1))]
    return table


_BESIDE = _beside()


def is_double(number: object) -> TypeGuard[float]:
    """Whether a Python number is real, and the same in double precision."""
    return type(number) is float or (type(number) is int and -EXACT <= number <= EXACT)
