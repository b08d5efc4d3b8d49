"""Find and take elements, and turn their bytes round."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from xp_torch._kernels import reductions, searching
from xp_torch._kernels.host_reads import possible

from .host_kernels import or_numpys

nonzero = or_numpys("nonzero")(searching.nonzero)

LARGE = 5000
"""From this number of indices on, ``selected`` is faster than an index."""


@or_numpys("picked")
def picked(x: Tensor, *key: Any) -> Tensor:
    """``x[key]`` of a tuple."""
    return x[key]


@or_numpys("masked")
def masked(x: Tensor, mask: Tensor) -> Tensor:
    """``x[mask]``; torch's function keeps the place of every element that it takes."""
    return x[mask]


@or_numpys("count_nonzero")
def count_true(x: Tensor) -> Tensor:
    """The number of true elements of a tensor of booleans."""
    return reductions.count_nonzero(x, tuple(range(x.dim())), False)


def selected(x: Tensor, key: Tensor) -> Tensor:
    """``x[key]`` of many indices, int64 or a mask; torch's errors where it is refused."""
    if key.dtype is torch.int64 and key.dim() == 1 and possible(x):
        try:
            return x.index_select(0, key)
        except (IndexError, RuntimeError):
            pass  # a negative index, or one that the plain call refuses
    return masked(x, key) if key.dtype is torch.bool else x[key]


@or_numpys("byteswap")
def byteswapped(x: Tensor) -> Tensor:
    """A copy whose elements have their bytes in the other order, row by row."""
    result = x.clone(memory_format=torch.contiguous_format)
    if result.numel():
        count = 2 if x.is_complex() else 1
        parts = result.view(-1).view(torch.uint8).view(-1, x.itemsize // count)
        parts.copy_(parts.flip(1))
    return result
