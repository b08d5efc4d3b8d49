"""How a tensor lies in memory."""

from __future__ import annotations

from torch import Tensor


def reversed_axes(tensor: Tensor) -> Tensor:
    """The tensor with its axes in the other order; a view."""
    return tensor.permute(tuple(range(tensor.dim()))[::-1])


def is_fortran(tensor: Tensor) -> bool:
    """Whether a tensor lies column by column and not also row by row."""
    return tensor.dim() > 1 and not tensor.is_contiguous() and reversed_axes(tensor).is_contiguous()


def in_columns(tensor: Tensor) -> Tensor:
    """The tensor laid out column by column; itself if it is."""
    turned = reversed_axes(tensor)
    return tensor if turned.is_contiguous() else reversed_axes(turned.contiguous())


def laid_out(name: str, tensor: Tensor, order: str | None) -> Tensor:
    """The tensor in one of NumPy's memory orders, itself where it has it; 'K' is any."""
    wanted = order.upper() if isinstance(order, str) else order
    if wanted == "C":
        return tensor.contiguous()
    if wanted == "F":
        return in_columns(tensor)
    if wanted == "A":
        return tensor if is_fortran(tensor) else tensor.contiguous()
    if wanted is None or wanted == "K":
        return tensor
    raise ValueError(f"{name}: order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
