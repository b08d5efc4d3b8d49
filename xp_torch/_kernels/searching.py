"""Searching for every dtype, from torch's."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.compiler import is_compiling

from .._core.dtypes import WIDE_UNSIGNED
from .unsigned import as_signed, from_signed, to_ordered

Number = bool | int | float | complex


def argmax(x: Tensor, axis: int | None, keepdims: bool) -> Tensor:
    """The index of the first largest element, or of the first NaN."""
    y = to_ordered(x)
    if axis is None:
        result = torch.argmax(y)
        return result.reshape((1,) * x.ndim) if keepdims else result
    return torch.argmax(y, axis, keepdims)


def argmin(x: Tensor, axis: int | None, keepdims: bool) -> Tensor:
    """The index of the first smallest element, or of the first NaN."""
    y = to_ordered(x)
    if axis is None:
        result = torch.argmin(y)
        return result.reshape((1,) * x.ndim) if keepdims else result
    return torch.argmin(y, axis, keepdims)


def nonzero(x: Tensor) -> tuple[Tensor, ...]:
    """The indices of the elements that are not zero, one tensor per axis."""
    return torch.nonzero(as_signed(x), as_tuple=True)


def where(condition: Tensor, a: Tensor | Number, b: Tensor | Number) -> Tensor:
    """``a`` where the condition holds, else ``b``; one dtype, or one of them a number."""
    if isinstance(a, Tensor) and isinstance(b, Tensor) and a.dtype in WIDE_UNSIGNED:
        return from_signed(torch.where(condition, as_signed(a), as_signed(b)), a.dtype)
    return torch.where(condition, a, b)


def searchsorted(x1: Tensor, x2: Tensor, right: bool, sorter: Tensor | None) -> Tensor:
    """Where the elements of ``x2`` go into the sorted ``x1``; both have one dtype."""
    if sorter is not None:
        # torch's own sorter= reads the indices to check them, which synchronises.
        x1 = from_signed(as_signed(x1).gather(0, sorter), x1.dtype)
    return native_searchsorted(to_ordered(x1), to_ordered(x2), right)


_FEW = 32
"""Up to this many values, a list of them is cheaper than an index."""


def native_searchsorted(a: Tensor, b: Tensor, right: bool) -> Tensor:
    """``searchsorted`` for the dtypes that torch can compare.

    NaN counts as greater than any number, as it does in ``sort``. torch's search compares
    as it finds, and a NaN in ``a`` sends it past everything: there NaN is searched for as
    an infinity, and the ones found beyond the numbers are put back.
    """
    # torch warns of a copy that it makes itself where these are not contiguous.
    if not (a.is_contiguous() and b.is_contiguous()):
        a, b = a.contiguous(), b.contiguous()
    ends_with_number = not a.is_floating_point()
    if not ends_with_number and not is_compiling() and a.is_cpu:
        # A NaN would be last, and a look at the last element waits for nothing.
        try:
            last = a.tolist()[-1] if a.numel() <= _FEW else a[-1].item()
            ends_with_number = last == last
        except (RuntimeError, IndexError):
            pass  # under vmap, of a fake tensor, or without elements
    if ends_with_number:
        return torch.searchsorted(a, b, right=True) if right else torch.searchsorted(a, b)
    inf = float("inf")
    found = torch.searchsorted(torch.nan_to_num(a, inf, inf, -inf), b, right=right)
    numbers = torch.count_nonzero(torch.eq(a, a))
    within = torch.minimum(found, numbers)
    return torch.where(torch.eq(b, b), within, a.shape[0]) if right else within
