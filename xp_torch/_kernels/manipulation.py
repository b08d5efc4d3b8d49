"""Move elements of every dtype with torch functions that lack some dtypes.

Moving elements does not depend on how their bits are read, so the wide unsigned dtypes are viewed
as the signed dtype of their width. Some of these functions support them on the CPU, fewer do on
CUDA: https://github.com/pytorch/pytorch/issues/58734
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from .._core.dtypes import ALL, SIGNED_TWIN, WIDE_UNSIGNED

NATIVE = ALL.dtypes - WIDE_UNSIGNED
"""The dtypes that torch's functions support on every device."""


def moving(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """A kernel for every dtype from a function ``(tensor, *rest)`` that moves its elements."""

    def general(x: Tensor, *rest: object) -> Tensor:
        dtype = x.dtype
        if dtype not in WIDE_UNSIGNED:
            return function(x, *rest)
        return function(x.view(SIGNED_TWIN[dtype]), *rest).view(dtype)

    return general


def joining(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The same for a function whose first argument is a sequence of tensors of one dtype."""

    def general(tensors: Sequence[Tensor], *rest: object) -> Tensor:
        dtype = tensors[0].dtype
        if dtype not in WIDE_UNSIGNED:
            return function(tensors, *rest)
        twin = SIGNED_TWIN[dtype]
        return function([t.view(twin) for t in tensors], *rest).view(dtype)

    return general


concat = joining(torch.cat)
stack = joining(torch.stack)
flip = moving(torch.flip)
roll = moving(torch.roll)
tile = moving(torch.tile)


def _repeat(x: Tensor, repeats: int | Tensor, axis: int, total: int | None) -> Tensor:
    return torch.repeat_interleave(x, repeats, axis, output_size=total)


repeat = moving(_repeat)
