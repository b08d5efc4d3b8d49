"""Padding along one axis: blocks before and after, from the values between them."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from xp_torch._kernels import manipulation
from xp_torch._kernels.unsigned import as_signed, from_signed

from .._base.dtypes import FLOATS, INTEGERS, promote
from . import spacing
from .casting import cast

Widths = tuple[int, int]


def extended(x: Tensor, axis: int, before: Tensor | None, after: Tensor | None) -> Tensor:
    """``x`` with blocks of its dtype around it along an axis."""
    parts = [p for p in (before, x, after) if p is not None]
    return x if len(parts) == 1 else manipulation.concat(parts, axis)


def _repeated(part: Tensor, axis: int, width: int) -> Tensor | None:
    """Repeat a part of size 1 along an axis ``width`` times; ``None`` for none."""
    if not width:
        return None
    sizes = list(part.shape)
    sizes[axis] = width
    return part.expand(sizes)


def constant(x: Tensor, axis: int, widths: Widths, values: tuple[Tensor, Tensor]) -> Tensor:
    """A value on either side, each a 0-D tensor."""
    parts = []
    for width, value in zip(widths, values, strict=True):
        sizes = list(x.shape)
        sizes[axis] = width
        parts.append(cast(value, x.dtype).expand(sizes) if width else None)
    return extended(x, axis, *parts)


def edge(x: Tensor, axis: int, widths: Widths) -> Tensor:
    """Pad with the first and the last value."""
    last = x.shape[axis] - 1
    return extended(
        x,
        axis,
        _repeated(x.narrow(axis, 0, 1), axis, widths[0]),
        _repeated(x.narrow(axis, last, 1), axis, widths[1]),
    )


def linear_ramp(x: Tensor, axis: int, widths: Widths, ends: tuple[Tensor, Tensor]) -> Tensor:
    """Values that run evenly from an end value to the edge."""
    last = x.shape[axis] - 1
    ramps: list[Tensor | None] = []
    for side, (width, end) in enumerate(zip(widths, ends, strict=True)):
        if not width:
            ramps.append(None)
            continue
        kind = promote("pad", x.dtype, end.dtype)
        if kind not in FLOATS and not kind.is_complex:
            kind = promote("pad", kind, torch.float64)
        stop = cast(x.select(axis, last if side else 0), kind)
        ramp = spacing.linspace(cast(end, kind), stop, width, False)[0]
        ramp = cast(torch.floor(ramp) if x.dtype in INTEGERS else ramp, x.dtype)
        ramp = ramp.movedim(0, axis)
        ramps.append(manipulation.flip(ramp, (axis,)) if side else ramp)
    return extended(x, axis, *ramps)


def statistic(
    x: Tensor,
    axis: int,
    widths: Widths,
    lengths: tuple[int | None, int | None],
    function: Callable[[Tensor, int], Tensor],
) -> Tensor:
    """Pad with ``function`` of the values nearest to each edge; rounded for integers."""
    size = x.shape[axis]
    counts = [size if n is None else min(n, size) for n in lengths]
    parts = []
    for width, count, start in zip(widths, counts, (0, size - counts[1]), strict=True):
        value = function(x.narrow(axis, start, count), axis)
        if x.dtype in INTEGERS and (value.dtype in FLOATS or value.is_complex()):
            value = torch.round(value)
        parts.append(_repeated(cast(value, x.dtype), axis, width))
    return extended(x, axis, *parts)


def reflect(x: Tensor, axis: int, widths: Widths, odd: bool, with_edge: bool) -> Tensor:
    """The values in reverse, with or without the edge; ``odd`` mirrors them at its value too."""
    period = x.shape[axis]
    if period == 1:
        return edge(x, axis, widths)
    dtype = x.dtype
    x = as_signed(x)
    before, after = widths
    skip = 0 if with_edge else 1
    while before or after:
        size = x.shape[axis]
        # Only a whole number of reflections can be reflected again.
        length = size // period * period if with_edge else (size - 1) // (period - 1) * (period - 1)
        left, right = min(length, before), min(length, after)
        parts: list[Tensor | None] = []
        for count, start, border in ((left, skip, 0), (right, size - skip - right, size - 1)):
            if not count:
                parts.append(None)
                continue
            part = torch.flip(x.narrow(axis, start, count), (axis,))
            if odd:
                truth = dtype is torch.bool  # torch cannot subtract booleans
                mirrored = 2 * x.narrow(axis, border, 1) - (part.to(torch.int8) if truth else part)
                part = mirrored.to(torch.bool) if truth else mirrored
            parts.append(part)
        x = extended(x, axis, *parts)
        before, after = before - left, after - right
    return from_signed(x, dtype)


def wrap(x: Tensor, axis: int, widths: Widths) -> Tensor:
    """Repeat the values."""
    period = x.shape[axis]
    before, after = widths
    while before or after:
        size = x.shape[axis]
        length = size // period * period
        left, right = min(length, before), min(length, after)
        x = extended(
            x,
            axis,
            x.narrow(axis, length - left, left) if left else None,
            x.narrow(axis, size - length, right) if right else None,
        )
        before, after = before - left, after - right
    return x
