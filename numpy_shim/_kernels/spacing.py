"""Evenly spaced values, rounded as NumPy rounds them."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor


def fill_from_two(first: Tensor, second: Tensor, count: int) -> Tensor:
    """``count`` values that continue the first two: ``first + i * (second - first)``.

    NumPy's ``arange`` fills floating-point arrays in this way in their own dtype, 16-bit floats
    through float32. torch's computes in double precision and differs in the last bits.
    """
    dtype = first.dtype
    if dtype is torch.float16 or dtype is torch.bfloat16:
        first, second = first.float(), second.float()
    steps = torch.arange(count, device=first.device).to(first.dtype)
    spaced = steps * (second - first) + first
    # The first two are themselves, not what the sum rounds to.
    spaced = torch.cat([first.reshape(1), second.reshape(1), spaced[2:]])[:count]
    return spaced.to(dtype)


def fill_from_numbers(start: float, second: float, count: int, device: Any) -> Tensor:
    """The values that NumPy's ``arange`` has in float64, from Python numbers."""
    delta = second - start
    spaced = torch.arange(count, dtype=torch.float64, device=device)
    if delta != 1.0:
        spaced.mul_(delta)
    if not (start == 0.0 and delta > 0):  # then the sum would change nothing
        spaced.add_(start)
    # The first two are themselves, not what the sum rounds to.
    if start == 0.0 and math.copysign(1.0, start) < 0:
        spaced[:1].fill_(start)
    if count > 1 and delta + start != second:
        spaced[1:2].fill_(second)
    return spaced


def linspace_numbers(
    start: float, stop: float, num: int, endpoint: bool, device: Any
) -> tuple[Tensor, float]:
    """``num`` values from ``start`` to ``stop`` in float64, and the step between them."""
    parts = num - 1 if endpoint else num
    spaced = torch.arange(num, dtype=torch.float64, device=device)
    delta = stop - start
    if parts > 0:
        step = delta / parts
        if step != 0:
            spaced.mul_(step)
        else:  # it underflows: https://github.com/numpy/numpy/issues/5437
            spaced.div_(parts).mul_(delta)
    else:
        step = float("nan")
        spaced.mul_(delta)
    if not (start == 0.0 and delta > 0):  # then the sum would change nothing
        spaced.add_(start)
    if endpoint and num > 1 and (stop == 0 or parts * step + start != stop):
        spaced[-1:].fill_(stop)
    return spaced, step


def linspace(
    start: Tensor, stop: Tensor, num: int, endpoint: bool
) -> tuple[Tensor, Tensor | float]:
    """Evenly spaced values along a new first axis, between tensors of one inexact dtype."""
    parts = num - 1 if endpoint else num
    delta = stop - start
    spaced = torch.arange(num, device=start.device).to(start.dtype)
    spaced = spaced.reshape((-1,) + (1,) * delta.dim())
    step: Tensor | float
    if parts > 0:
        step = delta / parts
        # A step that underflows to zero: https://github.com/numpy/numpy/issues/5437
        vanished = torch.eq(step, 0).any()
        spaced = torch.where(vanished, spaced / parts * delta, spaced * step)
    else:
        step = float("nan")
        spaced = spaced * delta
    spaced = spaced + start
    if endpoint and num > 1:
        spaced = torch.cat([spaced[:-1], stop.expand(delta.shape)[None]])
    return spaced, step
