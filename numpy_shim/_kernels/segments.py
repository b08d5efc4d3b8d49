"""Folds of the slices of an axis, many in one call."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from xp_torch._core.dtypes import NATIVE_INTEGER, WIDE_UNSIGNED
from xp_torch._kernels.host_reads import possible
from xp_torch._kernels.unsigned import as_signed, from_signed

_INTEGERS = NATIVE_INTEGER | WIDE_UNSIGNED
_ROW = 16
"""How many integers are added at once where slices are long."""
_LONG = 4096
"""From this length on, folding a slice by itself is faster than copying it."""
_NATIVE = {"add": ("sum", -0.0), "multiply": ("prod", 1.0), "maximum": ("max", None),
           "minimum": ("min", None)}  # fmt: skip
_SHORT = {torch.float32: 1024, torch.float64: 65536}
"""Up to this length, adding in order is nearly as exact as adding pairwise."""


def folded(
    name: str, fold: Callable[[Tensor, int], Tensor], x: Tensor, starts: Tensor, axis: int
) -> Tensor:
    """``fold`` along ``axis`` of each slice from a start to the next, as ``ufunc.reduceat``.

    ``starts`` is int64 on the CPU and inside the axis; ``fold`` takes a tensor and an axis,
    which it removes. Slices of equal length are folded together.
    """
    size = x.shape[axis]
    ends = torch.cat([starts[1:], starts.new_full((1,), size)])[: starts.numel()]
    lengths = ends - starts
    if _is_native(name, x, lengths):
        return _native(name, x, starts, lengths)
    if name == "add" and x.dtype in _INTEGERS:
        return _sums(x, starts, torch.where(lengths > 0, ends, starts + 1), axis)
    lengths = lengths.clamp_min(1)
    order = torch.argsort(lengths, stable=True)
    widths, counts = torch.unique_consecutive(lengths[order], return_counts=True)
    around = x.numel() // max(size, 1)
    parts: list[Tensor] = []
    done = 0
    for width, count in zip(widths.tolist(), counts.tolist(), strict=True):
        first = starts[order[done : done + count]]
        done += count
        if count == 1 or width * around >= _LONG:
            results = [fold(x.narrow(axis, start, width), axis) for start in first.tolist()]
            parts.append(torch.stack(results, axis))
            continue
        places = first.unsqueeze(1) + torch.arange(width, device=first.device)
        indices = places.reshape(-1).to(x.device)
        taken = from_signed(as_signed(x).index_select(axis, indices), x.dtype)
        shape = (*x.shape[:axis], count, width, *x.shape[axis + 1 :])
        parts.append(fold(taken.reshape(shape), axis + 1))
    joined = torch.cat([as_signed(part) for part in parts], axis)
    if not bool((lengths[1:] >= lengths[:-1]).all()):
        joined = joined.index_select(axis, torch.argsort(order).to(x.device))
    return from_signed(joined, parts[0].dtype)


def _sums(x: Tensor, starts: Tensor, stops: Tensor, axis: int) -> Tensor:
    """The sums of slices of integers: differences of running sums, which are exact modulo 2**n."""
    bits = as_signed(x)
    if x.dim() == 1 and starts.numel() * _ROW < x.numel():
        sums = _heads(bits, stops.to(x.device)) - _heads(bits, starts.to(x.device))
        return from_signed(sums, x.dtype)
    running = torch.cumsum(bits, axis, dtype=bits.dtype)
    sums = running.index_select(axis, (stops - 1).to(x.device))
    before = running.index_select(axis, (starts - 1).clamp_min(0).to(x.device))
    shape = [1] * x.dim()
    shape[axis] = -1
    first = (starts == 0).reshape(shape).to(x.device)
    return from_signed(sums - before.masked_fill_(first, 0), x.dtype)


def _heads(x: Tensor, stops: Tensor) -> Tensor:
    """The sums of the elements before each stop: of whole rows, of a part of a row, of the end."""
    whole = x.numel() // _ROW
    table = x[: whole * _ROW].reshape(whole, _ROW)
    inside = stops.clamp_max(whole * _ROW)
    row = inside.div(_ROW, rounding_mode="floor")
    beyond = torch.arange(_ROW, device=x.device) >= (inside - row * _ROW).unsqueeze(1)
    part = table.index_select(0, row.clamp_max(whole - 1)).masked_fill_(beyond, 0)
    rows = _running(table.sum(1, dtype=x.dtype)).index_select(0, row)
    end = _running(x[whole * _ROW :]).index_select(0, stops - inside)
    return rows + part.sum(1, dtype=x.dtype) + end


def _running(x: Tensor) -> Tensor:
    """The sums of the first elements: of none, of one, and so on."""
    return torch.cat([x.new_zeros(1), torch.cumsum(x, 0, dtype=x.dtype)])


def _is_native(name: str, x: Tensor, lengths: Tensor) -> bool:
    """Whether torch can fold the segments of a row: floats on the CPU, added in order."""
    if name not in _NATIVE or x.dim() != 1 or x.dtype not in (torch.float32, torch.float64):
        return False
    if x.requires_grad or not possible(x) or lengths.numel() < 16:
        return False
    exact = name in ("maximum", "minimum") or int(lengths.max()) <= _SHORT[x.dtype]
    return exact and int(lengths.min()) >= 0


def _native(name: str, x: Tensor, starts: Tensor, lengths: Tensor) -> Tensor:
    """torch's folds of segments; where a start is repeated, the first segment has one element."""
    reduction, initial = _NATIVE[name]
    proper = lengths > 0
    offsets = torch.cat([starts[proper], starts.new_full((1,), x.numel())]) - starts[0]
    rows = x[int(starts[0]) :].contiguous()
    result = torch.segment_reduce(rows, reduction, offsets=offsets, unsafe=True, initial=initial)
    if result.numel() == starts.numel():
        return result
    return x[starts].masked_scatter_(proper, result)
