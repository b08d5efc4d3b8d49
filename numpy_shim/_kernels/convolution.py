"""Sums of products along a line, for every dtype, from windows on the longer array.

Windows are views; what is multiplied at once is bounded, so that memory stays linear.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from xp_torch._kernels.unsigned import as_signed, from_signed

from .reductions import HALVES

BLOCK = 1 << 22
"""How many products are held at a time."""

MODES = ("valid", "same", "full")


def correlate(a: Tensor, v: Tensor, mode: int) -> Tensor:
    """``sum(a[k + j] * v[j])`` for every k of a mode; ``a`` is at least as long as ``v``.

    Beyond the ends of ``a`` there is nothing: an infinity in ``v`` meets no zeros there.
    """
    dtype = a.dtype
    if dtype in HALVES:
        return correlate(a.float(), v.float(), mode).to(dtype)
    a, v = as_signed(a), as_signed(v)
    m = v.numel()
    before = (0, m // 2, m - 1)[mode]
    after = (0, m - before - 1, m - 1)[mode]
    parts = [_blocks(a.unfold(0, m, 1), lambda windows, _: _sums(windows, v))]
    place = torch.arange(m, device=a.device)
    if before:
        head = torch.cat([a.new_zeros(before), a[: m - 1]]).unfold(0, m, 1)
        parts.insert(0, _blocks(head, _masked(v, lambda row: row + place >= before)))
    if after:
        tail = torch.cat([a[a.numel() - m + 1 :], a.new_zeros(after)]).unfold(0, m, 1)
        parts.append(_blocks(tail, _masked(v, lambda row: row + place < m - 1)))
    return from_signed(torch.cat(parts), dtype)


def turned(x: Tensor) -> Tensor:
    """The elements in the opposite order."""
    return from_signed(torch.flip(as_signed(x), (0,)), x.dtype)


def _blocks(windows: Tensor, sums: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
    """The sums of all windows, some of them at a time, with the windows' numbers."""
    rows = torch.arange(windows.shape[0], device=windows.device).unsqueeze(-1)
    size = max(BLOCK // windows.shape[1], 1)
    if windows.shape[0] <= size:
        return sums(windows, rows)
    return torch.cat(
        [
            sums(w, r)
            for w, r in zip(torch.split(windows, size), torch.split(rows, size), strict=True)
        ]
    )


def _masked(v: Tensor, inside: Callable[[Tensor], Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    def sums(windows: Tensor, rows: Tensor) -> Tensor:
        products = windows & v if v.dtype is torch.bool else windows * v
        return _total(torch.where(inside(rows), products, torch.zeros_like(products)))

    return sums


def _sums(windows: Tensor, v: Tensor) -> Tensor:
    if v.dtype.is_floating_point or v.dtype.is_complex:
        return torch.mv(windows, v)
    return _total(windows & v if v.dtype is torch.bool else windows * v)


def _total(products: Tensor) -> Tensor:
    if products.dtype is torch.bool:
        return torch.any(products, -1)
    return torch.sum(products, -1, dtype=products.dtype)
