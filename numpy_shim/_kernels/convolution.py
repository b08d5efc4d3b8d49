"""Sums of products along a line, for every dtype.

Memory stays linear: windows are views, and the number of products held at once is bounded.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._kernels.unsigned import as_signed, from_signed
from xp_torch._torch.internals import transform_level

from .reductions import HALVES

BLOCK = 1 << 22
"""How many products are held at a time."""

CACHED = 1 << 14
"""How many sums the CPU works on at a time."""

MODES = ("valid", "same", "full")


def correlate(a: Tensor, v: Tensor, mode: int) -> Tensor:
    """``sum(a[k + j] * v[j])`` for every k of a mode; ``a`` is at least as long as ``v``.

    Nothing is multiplied beyond the ends of ``a``: an infinity in ``v`` does not meet a zero there.
    """
    dtype = a.dtype
    if dtype in HALVES:
        return correlate(a.float(), v.float(), mode).to(dtype)
    if dtype is torch.bool:
        return correlate(a.to(torch.int64), v.to(torch.int64), mode) != 0
    a, v = as_signed(a), as_signed(v)
    m = v.numel()
    before = (0, m // 2, m - 1)[mode]
    after = (0, m - before - 1, m - 1)[mode]
    mapped = transform_level() is not None  # vmap refuses to add mapped values to other ones
    if is_compiling() or mapped or a.requires_grad or v.requires_grad:
        return from_signed(_by_windows(a, v, before, after), dtype)
    return from_signed(_by_multiples(a, v, before, after), dtype)


def _by_multiples(a: Tensor, v: Tensor, before: int, after: int) -> Tensor:
    """Add shifted multiples of ``a`` one after another: the fewest operations."""
    n = a.numel()
    size = n + before + after - v.numel() + 1
    result = torch.zeros(size, dtype=a.dtype, device=a.device)
    factors = v.unbind()
    # Sums that fit the cache, and that torch would not split among threads, are added at once.
    step = CACHED if a.is_cpu else size
    for low in range(0, size, step):
        high = min(low + step, size)
        for i, factor in enumerate(factors):
            start, stop = max(low, before - i), min(high, n + before - i)
            if start < stop:
                result[start:stop].addcmul_(a[start + i - before : stop + i - before], factor)
    return result


def _by_windows(a: Tensor, v: Tensor, before: int, after: int) -> Tensor:
    """Windows on ``a`` times ``v``: few operators to record, for a trace or a gradient."""
    m = v.numel()
    parts = [_blocks(a.unfold(0, m, 1), lambda windows, _: _sums(windows, v))]
    column = torch.arange(m, device=a.device)
    if before:
        head = torch.cat([a.new_zeros(before), a[: m - 1]]).unfold(0, m, 1)
        parts.insert(0, _blocks(head, _masked(v, lambda row: row + column >= before)))
    if after:
        tail = torch.cat([a[a.numel() - m + 1 :], a.new_zeros(after)]).unfold(0, m, 1)
        parts.append(_blocks(tail, _masked(v, lambda row: row + column < m - 1)))
    return torch.cat(parts)


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
        products = windows * v
        kept = torch.where(inside(rows), products, torch.zeros_like(products))
        return torch.sum(kept, -1, dtype=v.dtype)

    return sums


def _sums(windows: Tensor, v: Tensor) -> Tensor:
    if v.dtype.is_floating_point or v.dtype.is_complex:
        return torch.mv(windows, v)
    return torch.sum(windows * v, -1, dtype=v.dtype)
