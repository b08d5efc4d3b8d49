"""Rounding, limits, and the real functions of two arguments that need floating point."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from .._core.dtypes import INTEGER, REAL_FLOATING, WIDE_UNSIGNED
from .complex_parts import by_parts
from .kernel import Kernel, Numbers
from .unsigned import from_ordered, to_ordered

_REAL = REAL_FLOATING.dtypes

copysign = Kernel("copysign", torch.copysign, _REAL, torch.copysign, Numbers(_REAL, torch.copysign))
hypot = Kernel("hypot", torch.hypot, _REAL, torch.hypot)
atan2 = Kernel("atan2", torch.atan2, _REAL, torch.atan2)
logaddexp = Kernel("logaddexp", torch.logaddexp, _REAL, torch.logaddexp)
nextafter = Kernel("nextafter", torch.nextafter, _REAL, torch.nextafter)
signbit = Kernel("signbit", torch.signbit, _REAL, torch.signbit)


def _rounding(function: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """A rounding function for every dtype: integers are unchanged."""
    complex_function = by_parts(function)

    def general(x: Tensor) -> Tensor:
        if x.dtype in INTEGER.dtypes:
            return x.clone()
        return complex_function(x) if x.dtype.is_complex else function(x)

    return general


ceil = Kernel("ceil", torch.ceil, _REAL, _rounding(torch.ceil))
floor = Kernel("floor", torch.floor, _REAL, _rounding(torch.floor))
round = Kernel("round", torch.round, _REAL, _rounding(torch.round))
trunc = Kernel("trunc", torch.trunc, _REAL, _rounding(torch.trunc))


def clip(x: Tensor, low: Tensor | None, high: Tensor | None) -> Tensor:
    """``x`` between ``low`` and ``high``, all of one dtype; NaN wherever one of them is NaN."""
    dtype = x.dtype
    if dtype not in WIDE_UNSIGNED:
        return torch.clamp(x, low, high)
    return from_ordered(
        torch.clamp(
            to_ordered(x),
            None if low is None else to_ordered(low),
            None if high is None else to_ordered(high),
        ),
        dtype,
    )
