"""``scipy.signal._upfirdn_apply`` for arrays of ours."""

from __future__ import annotations

import math
from typing import Any

import torch
from scipy.signal._upfirdn_apply import _output_len, mode_enum
from torch import Tensor

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor
from .convolutions import strided

(
    CONSTANT, SYMMETRIC, EDGE, SMOOTH, WRAP, REFLECT, ANTISYMMETRIC, ANTIREFLECT, LINE,
) = (
    mode_enum(name) for name in (
        "constant", "symmetric", "edge", "smooth", "wrap", "reflect", "antisymmetric",
        "antireflect", "line",
    )
)  # fmt: skip


def _apply(
    x: Any, h: Any, out: ndarray, up: int, down: int, axis: int, mode: int, cval: Any
) -> None:
    """Every ``down``-th element of the filtered array with ``up - 1`` zeros between elements.

    ``h`` has the coefficients of each phase, the last first. The outputs of one phase are sums over
    windows of ``x`` at a constant step.
    """
    t = as_tensor("upfirdn", x).movedim(axis, -1)
    phases = as_tensor("upfirdn", h).reshape(up, -1)
    width, count = phases.shape[1], out.shape[axis]
    n = t.shape[-1]
    if not n or not count:
        return
    needed = ((count - 1) * down) // up - n + 1
    t = _extended(t, width - 1, max(needed, 0), mode, cval)
    period = up // math.gcd(up, down)
    step = period * down // up
    made = t.new_zeros((*t.shape[:-1], count))
    for first in range(min(period, count)):
        place, phase = divmod(first * down, up)
        length = -(-(count - first) // period)
        part = t.narrow(-1, place, (length - 1) * step + width)
        made[..., first::period] = strided(part, phases[phase], step)
    out[...] = wrap(made.movedim(-1, axis))


def _extended(t: Tensor, before: int, after: int, mode: int, cval: Any) -> Tensor:
    """``t`` with more elements on its last axis, as SciPy's modes have them."""
    n = t.shape[-1]
    sides = [
        torch.arange(-before, 0, device=t.device), torch.arange(n, n + after, device=t.device)
    ]  # fmt: skip
    first, last = _beyond(t, sides[0], False, mode, cval), _beyond(t, sides[1], True, mode, cval)
    return torch.cat([first, t, last], -1)


def _beyond(t: Tensor, i: Tensor, right: bool, mode: int, cval: Any) -> Tensor:
    """What stands at the places ``i`` left or right of the last axis."""
    n = t.shape[-1]
    if mode == CONSTANT:
        value = torch.as_tensor(cval, device=t.device).to(t.dtype)
        return value.expand(*t.shape[:-1], len(i))
    begin, end = t[..., :1], t[..., -1:]
    if mode == EDGE or (n == 1 and mode in (REFLECT, SMOOTH, LINE, ANTIREFLECT)):
        return (end if right else begin).expand(*t.shape[:-1], len(i))
    if mode == WRAP:
        return t[..., i % n]
    distance = (i - (n - 1) if right else i).to(t.real.dtype if t.is_complex() else t.dtype)
    if mode == SMOOTH:
        slope = end - t[..., -2:-1] if right else t[..., 1:2] - begin
        return (end if right else begin) + distance * slope
    if mode == LINE:
        return (end if right else begin) + distance * ((end - begin) / (n - 1))
    if mode in (SYMMETRIC, ANTISYMMETRIC):
        place = i % (2 * n)
        mirrored = place >= n
        values = t[..., torch.where(mirrored, 2 * n - 1 - place, place)]
        return torch.where(mirrored, -values, values) if mode == ANTISYMMETRIC else values
    place = i % (2 * n - 2)
    mirrored = place >= n
    values = t[..., torch.where(mirrored, 2 * n - 2 - place, place)]
    if mode == REFLECT:
        return values
    rounds = torch.div(i, 2 * n - 2, rounding_mode="floor")
    rise = 2 * (end - begin) * rounds.to(distance.dtype)
    return rise + torch.where(mirrored, 2 * end - values, values)


__all__ = ["_apply", "_output_len", "mode_enum"]
