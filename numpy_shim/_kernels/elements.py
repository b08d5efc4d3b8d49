"""Find and take elements, and turn their bytes round."""

from __future__ import annotations

import torch
from torch import Tensor

from xp_torch._kernels import searching
from xp_torch._kernels.host_reads import possible

from .host_kernels import or_numpys

nonzero = or_numpys("nonzero")(searching.nonzero)

LARGE = 5000
"""From this number of indices on, ``selected`` is faster than an index."""


def selected(x: Tensor, key: Tensor) -> Tensor:
    """``x[key]`` of many indices, int64 or a mask; torch's errors where it is refused."""
    if key.dtype is torch.int64 and key.dim() == 1 and possible(x):
        try:
            return x.index_select(0, key)
        except (IndexError, RuntimeError):
            pass  # a negative index, or one that the plain call refuses
    return x[key]


@or_numpys("byteswap")
def byteswapped(x: Tensor) -> Tensor:
    """A copy whose elements have their bytes in the other order, row by row."""
    result = x.clone(memory_format=torch.contiguous_format)
    if result.numel():
        count = 2 if x.is_complex() else 1
        parts = result.view(-1).view(torch.uint8).view(-1, x.itemsize // count)
        parts.copy_(parts.flip(1))
    return result
