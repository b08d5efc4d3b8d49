"""Convert between flat indices and coordinates."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def strides(shape: Sequence[int], by_columns: bool = False) -> list[int]:
    """The stride of each axis of a contiguous array, in elements."""
    result = []
    step = 1
    for size in shape if by_columns else reversed(shape):
        result.append(step)
        step *= size
    return result if by_columns else result[::-1]


def ravel(coordinates: Sequence[Tensor], shape: Sequence[int], by_columns: bool = False) -> Tensor:
    """The flat index of coordinates that are within bounds."""
    total = None
    for x, step in zip(coordinates, strides(shape, by_columns), strict=True):
        part = x if step == 1 else x * step
        total = part if total is None else total + part
    assert total is not None
    return total


def unravel_one(index: int, shape: Sequence[int], by_columns: bool = False) -> list[int]:
    """The coordinates of one index that is known."""
    steps = strides(shape, by_columns)
    return [index // step % size for size, step in zip(shape, steps, strict=True)]


def unravel(indices: Tensor, shape: Sequence[int], by_columns: bool = False) -> tuple[Tensor, ...]:
    """The coordinates of flat indices that are within bounds and not negative."""
    return tuple(
        [
            torch.remainder(torch.div(indices, step, rounding_mode="floor"), size)
            for size, step in zip(shape, strides(shape, by_columns), strict=True)
        ]
    )
