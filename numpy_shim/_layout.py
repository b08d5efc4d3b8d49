"""How a tensor lies in memory."""

from __future__ import annotations

from torch import Tensor


def reversed_axes(tensor: Tensor) -> Tensor:
    """The tensor with its axes in the other order; a view."""
    return tensor.permute(tuple(range(tensor.dim()))[::-1])


def is_fortran(tensor: Tensor) -> bool:
    """Whether a tensor lies column by column and not also row by row."""
    return tensor.dim() > 1 and not tensor.is_contiguous() and reversed_axes(tensor).is_contiguous()
