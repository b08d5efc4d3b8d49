"""Sets of values, for every dtype."""

from __future__ import annotations

import torch
from torch import Tensor

from .._core.dtypes import ALL, COMPLEX_FLOATING, WIDE_UNSIGNED
from .unsigned import as_signed, from_signed, to_ordered

NATIVE = ALL.dtypes - COMPLEX_FLOATING.dtypes - WIDE_UNSIGNED


def _order(flat: Tensor) -> Tensor:
    """The stable permutation that sorts.

    torch cannot sort complex numbers. They are ordered by real and then by imaginary part, with NaN
    last.
    """
    if not flat.dtype.is_complex:
        return torch.sort(to_ordered(flat), stable=True)[1]
    real, imag = flat.real, flat.imag
    nans = torch.isnan(real).to(torch.int8) * 2 + torch.isnan(imag).to(torch.int8)
    order = torch.sort(imag, stable=True)[1]
    for key in (real, nans):
        order = order[torch.sort(key[order], stable=True)[1]]
    return order


def _groups(x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The flat elements, their stable order, the mask of group starts, and their indices."""
    flat = as_signed(x).reshape(-1)
    order = _order(x.reshape(-1))
    ordered = flat[order]
    first = torch.ones(flat.shape, dtype=torch.bool, device=x.device)
    first[1:] = torch.ne(ordered[1:], ordered[:-1])
    return flat, order, first, torch.nonzero(first, as_tuple=True)[0]


def _native(x: Tensor) -> bool:
    """Whether ``torch.unique`` supports ``x``: no gradient and no complex numbers."""
    return x.dtype in NATIVE and not x.requires_grad


def unique_values(x: Tensor) -> Tensor:
    """The distinct values in ascending order; every NaN is distinct."""
    if _native(x):
        return torch.unique(x)  # type: ignore[no-any-return]
    flat, order, _, starts = _groups(x)
    return from_signed(flat[order[starts]], x.dtype)


def unique_counts(x: Tensor) -> tuple[Tensor, Tensor]:
    """The distinct values and the counts."""
    if _native(x):
        return torch.unique(x, return_counts=True)  # type: ignore[no-any-return]
    values, _, _, counts = unique_all(x)
    return values, counts


def unique_inverse(x: Tensor) -> tuple[Tensor, Tensor]:
    """The distinct values and the inverse indices."""
    if _native(x):
        return torch.unique(x, return_inverse=True)  # type: ignore[no-any-return]
    values, _, inverse, _ = unique_all(x)
    return values, inverse


def unique_all(x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The distinct values, their first indices, the inverse indices and the counts."""
    flat, order, first, starts = _groups(x)
    indices = order[starts]
    ends = torch.cat([starts[1:], starts.new_full((1,), flat.shape[0])])
    inverse = torch.empty_like(order)
    inverse[order] = torch.cumsum(first, 0) - 1
    counts = ends[: starts.shape[0]] - starts
    return from_signed(flat[indices], x.dtype), indices, inverse.reshape(x.shape), counts


def isin(a: Tensor, b: Tensor, invert: bool) -> Tensor:
    """Whether each element of ``a`` is among those of ``b``; both have one integer dtype."""
    a, b = as_signed(a), as_signed(b)
    if b.ndim != 1:  # torch.isin views it as flat, and refuses noncontiguous tensors
        b = b.reshape(-1)
    if b.numel() < 10 * a.numel() ** 0.145:
        return torch.isin(a, b, invert=invert)
    # Beyond this size torch.isin removes duplicates first, which synchronises.
    b = torch.sort(b)[0]
    found = torch.searchsorted(b, a.contiguous()).clamp(max=b.shape[0] - 1)
    return (torch.ne if invert else torch.eq)(b[found], a)
