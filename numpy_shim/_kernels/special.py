"""Special functions that torch supports for some dtypes only."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from .reductions import HALVES


def i0(x: Tensor) -> Tensor:
    """The modified Bessel function of order 0; infinite where it overflows."""
    if x.dtype in HALVES:
        return torch.i0(x.float()).to(x.dtype)
    return torch.i0(x)


def sinc(x: Tensor) -> Tensor:
    """``sin(pi x) / (pi x)`` of floating-point numbers."""
    if x.dtype in HALVES:
        return torch.sinc(x.float()).to(x.dtype)
    if not x.dtype.is_complex:
        return torch.sinc(x)
    scaled = math.pi * torch.where(x == 0, 1e-20, x)
    return torch.sin(scaled) / scaled
