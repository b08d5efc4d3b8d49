"""Sorting for every dtype: 16-bit floats and complex numbers besides the shared kernels' dtypes.

Complex numbers are ordered by real part, then by imaginary part; those with a NaN in the
imaginary part come after them, then those with a NaN in the real part, then those with both.
"""

from __future__ import annotations

import torch
from torch import Tensor

from xp_torch._kernels import sorting
from xp_torch._kernels.searching import native_searchsorted
from xp_torch._kernels.unsigned import as_signed, from_signed, to_ordered

from .._base.dtypes import HALVES
from .host_kernels import or_numpys
from .selection import is_long
from .selection import partition as select


def comparable(x: Tensor) -> Tensor:
    """Values of the same order in a dtype that torch can compare; not for complex numbers."""
    if x.dtype in HALVES:
        return x.float()
    if x.dtype is torch.bool:
        return x.to(torch.uint8)
    return to_ordered(x)


@or_numpys("argsort")
def argsort(x: Tensor, axis: int, descending: bool = False) -> Tensor:
    """The indices that sort along an axis; equal elements keep their order, NaN goes last."""
    if x.dtype.is_complex:
        imag, real, unknown = complex_keys(x)
        return lexsort([-imag, -real, unknown] if descending else [imag, real, unknown], axis)
    if descending and x.is_floating_point():
        x, descending = -x, False  # torch sorts NaN first, descending
    return sorting.argsort(comparable(x), axis, descending, True)


def complex_keys(x: Tensor) -> list[Tensor]:
    """The sort keys of complex numbers, the most important last."""
    real, imag = x.real, x.imag
    unknown = torch.isnan(real).to(torch.int8) * 2 + torch.isnan(imag).to(torch.int8)
    return [imag, real, unknown]


def lexsort(keys: list[Tensor], axis: int) -> Tensor:
    """The indices that sort by several real keys along an axis, the last key first."""
    return _lexsort(*keys, axis=axis)


@or_numpys("lexsort")
def _lexsort(*keys: Tensor, axis: int) -> Tensor:
    order: Tensor | None = None
    for key in keys:
        ordered = comparable(key)
        if order is None:
            order = torch.argsort(ordered, dim=axis, stable=True)
        else:
            step = torch.argsort(ordered.gather(axis, order), dim=axis, stable=True)
            order = order.gather(axis, step)
    assert order is not None
    return order


@or_numpys("sort")
def sort(x: Tensor, axis: int, stable: bool, descending: bool = False) -> Tensor:
    """The sorted elements along an axis, NaN last."""
    if x.dtype.is_complex:
        return x.gather(axis, argsort(x, axis, descending))
    if descending and x.is_floating_point():
        return -sort(-x, axis, stable)  # torch sorts NaN first, descending
    if x.dtype in HALVES or x.dtype is torch.bool:
        ordered = torch.sort(comparable(x), dim=axis, descending=descending, stable=stable)[0]
        return ordered.to(x.dtype)
    return sorting.sort(x, axis, descending, stable)


def argpartition(x: Tensor, axis: int, positions: list[int]) -> Tensor:
    """The indices that partition along an axis: by selection for a long row, else by sorting."""
    indices = _long_row(x, positions)
    return argsort(x, axis) if indices is None else indices.reshape(x.shape)


def partition(x: Tensor, axis: int, positions: list[int]) -> Tensor:
    """The elements partitioned along an axis: by selection for a long row, else by sorting."""
    indices = _long_row(x, positions)
    if indices is None:
        return sort(x, axis, False)
    return from_signed(as_signed(x).reshape(-1)[indices], x.dtype).reshape(x.shape)


def _long_row(x: Tensor, positions: list[int]) -> Tensor | None:
    """The indices that partition a long row; ``None`` for other tensors."""
    if x.dtype.is_complex or x.dim() != 1 or not 0 < len(positions) <= 16 or not is_long(x):
        return None
    try:
        return select(comparable(x.detach()), positions)
    except RuntimeError:  # under vmap there are no values to read
        return None


def searchsorted(a: Tensor, v: Tensor, right: bool) -> Tensor:
    """Where the elements of ``v`` go into the sorted 1-D ``a``; both have one dtype."""
    if not a.dtype.is_complex:
        return native_searchsorted(comparable(a), comparable(v), right)
    # Sort both together, equal elements of v before or after those of a. The index for an element
    # of v is the number of elements of a before it.
    flat = v.reshape(-1)
    joined = torch.cat([a, flat] if right else [flat, a])
    order = argsort(joined, 0)
    is_a = torch.arange(joined.shape[0], device=a.device)
    is_a = torch.lt(is_a, a.shape[0]) if right else torch.ge(is_a, flat.shape[0])
    count = torch.empty_like(order)
    count = count.scatter(0, order, torch.cumsum(is_a[order].to(torch.int64), 0))
    return (count[a.shape[0] :] if right else count[: flat.shape[0]]).reshape(v.shape)
