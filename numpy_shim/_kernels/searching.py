"""The indices of extrema for every dtype: the first of equal elements, or the first NaN."""

from __future__ import annotations

import torch
from torch import Tensor

from xp_torch._kernels import blocks
from xp_torch._kernels.blocks import is_large

from .sorting import comparable


def arg_extremum(x: Tensor, axis: int, keepdims: bool, largest: bool) -> Tensor:
    """The index of the first largest (or smallest) element along an axis, or of the first NaN."""
    function = torch.argmax if largest else torch.argmin
    if not x.dtype.is_complex:
        if is_large(x):
            ordered = x if x.dtype is torch.bool else comparable(x)
            return blocks.arg_extremum(ordered, axis, keepdims, largest)
        return function(comparable(x), axis, keepdims)
    chosen = _extreme(x, axis, largest)
    return torch.argmax(chosen.to(torch.uint8), axis, keepdims)


def _extreme(x: Tensor, axis: int, largest: bool) -> Tensor:
    """Which complex numbers equal the extremum, by real, then imaginary part, or are NaN."""
    worst = float("-inf") if largest else float("inf")
    extremum = torch.amax if largest else torch.amin
    unknown = torch.isnan(x)
    real = torch.where(unknown, worst, x.real)
    among = torch.eq(real, extremum(real, axis, keepdim=True))
    imag = torch.where(among, x.imag, worst)
    known = among & torch.eq(imag, extremum(imag, axis, keepdim=True))
    return torch.where(torch.any(unknown, axis, keepdim=True), unknown, known)
