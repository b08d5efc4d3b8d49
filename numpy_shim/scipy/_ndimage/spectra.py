"""The factors by which ``fourier_*`` multiplies a spectrum."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from xp_torch._kernels.special.bessel import j1

GAUSSIAN, UNIFORM, ELLIPSOID = range(3)


def frequencies(shape: Sequence[int], n: int, axis: int, like: Tensor) -> list[tuple[Tensor, int]]:
    """For each axis the numbers of the waves, and the length that they are counted on."""
    found = []
    for a, size in enumerate(shape):
        at = torch.arange(size, dtype=torch.float64, device=like.device)
        real = a == axis and n >= 0
        if not real:
            at = torch.where(at < (size + 1) // 2, at, at - size)
        found.append(
            (at.reshape([-1 if b == a else 1 for b in range(len(shape))]), n if real else size)
        )
    return found


def filter_factors(like: Tensor, sizes: list[float], n: int, axis: int, kind: int) -> Tensor:
    """Those of a filter of these sizes: a Gaussian, a box or an ellipsoid."""
    lines = frequencies(like.shape, n, axis, like)
    factor = torch.ones([], dtype=torch.float64, device=like.device)
    if kind == ELLIPSOID:
        phases = [
            at * (math.pi * size / length) for (at, length), size in zip(lines, sizes, strict=True)
        ]
        return _ellipsoid(phases)
    for (at, length), size in zip(lines, sizes, strict=True):
        if at.numel() <= 1:
            continue
        if kind == GAUSSIAN:
            exponent = -2.0 * (size * math.pi / length) ** 2 * at * at
            factor = factor * torch.where(exponent.abs() > 50.0, 0.0, exponent.exp())
        else:
            phase = at * (math.pi * size / length)
            wave = torch.sin(phase) / phase if size > 0 else torch.zeros_like(phase)
            factor = factor * torch.where(at == 0, 1.0, wave)
    return factor


def _ellipsoid(phases: list[Tensor]) -> Tensor:
    if len(phases) == 1:
        r = phases[0]
        return torch.where(r == 0, 1.0, torch.sin(r) / r)
    square: Tensor | float = 0.0
    for phase in phases:
        square = square + phase * phase
    assert isinstance(square, Tensor)
    r = square.sqrt()
    if len(phases) == 2:
        return torch.where(r > 0, 2.0 * j1(r) / r, 1.0)
    return torch.where(r > 0, 3.0 * (torch.sin(r) - r * torch.cos(r)) / (r * r * r), 1.0)


def shift_factors(like: Tensor, shifts: list[float], n: int, axis: int) -> Tensor:
    """The waves that shift an array by so many elements."""
    phase = torch.zeros([], dtype=torch.float64, device=like.device)
    for (at, length), shift in zip(frequencies(like.shape, n, axis, like), shifts, strict=True):
        if at.numel() > 1:
            phase = phase + at * (-2.0 * math.pi * shift / length)
    return torch.polar(torch.ones_like(phase), phase)
