"""Make tensors of Python numbers."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from xp_torch._kernels import creation

from .._base import error_checks
from .._base import error_states as errstate
from .._base.dtypes import COMPLEXES, FLOATS, HALVES, INTEGERS, NUMPY
from .._base.tracing import constant
from .casting import half_of, narrowed


def full_scalar(
    name: str,
    argument: str,
    number: Any,
    dtype: torch.dtype,
    device: Any = None,
    shape: tuple[int, ...] = (),
) -> Tensor:
    """A tensor of a Python number, in a dtype of its kind or above (NEP 50); 0-D by default.

    Raises ``OverflowError`` for an int out of the dtype's range, as NumPy does.
    """
    if dtype in INTEGERS:
        number = int(number)
        bounds = torch.iinfo(dtype)
        if not bounds.min <= number <= bounds.max:
            raise OverflowError(f"{name}: Python integer {number} out of bounds for {NUMPY[dtype]}")
    elif dtype in FLOATS:
        number = float(number)
    elif dtype in COMPLEXES:
        number = complex(number)
    else:
        number = bool(number)
    make = _full_half if dtype in HALVES else creation.full
    full = make(shape, number, dtype, device)
    if errstate.active:
        error_checks.check_numbers([number], full)
    return full


_half = constant(half_of)  # Dynamo cannot trace ``struct``


def _full_half(shape: tuple[int, ...], number: float, dtype: torch.dtype, device: object) -> Tensor:
    """A tensor of a number in a 16-bit dtype, rounded once."""
    if dtype is torch.bfloat16:
        return narrowed(creation.full(shape, number, torch.float64, device), dtype)
    return creation.full(shape, _half(number), torch.float32, device).to(dtype)
