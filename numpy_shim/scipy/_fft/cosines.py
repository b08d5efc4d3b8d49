"""Cosine and sine transforms of the last axis, types I to IV, as Fourier transforms of its length.

Types II and III follow Makhoul (1980): the even elements and then the odd ones backwards have a
real Fourier transform of the same length. Type IV of an even length is a complex transform of half
the length. The sine transforms are cosine transforms of the elements backwards or with signs.
"""

from __future__ import annotations

import math
from functools import cache

import torch
from torch import Tensor

from xp_torch._core.dtypes import COMPLEX_OF


def dct(t: Tensor, type: int) -> Tensor:
    """The cosine transform without a factor."""
    if type == 1:
        return _first(t)
    if type == 2:
        return _second(t)
    return _third(t) if type == 3 else _fourth(t)


def dst(t: Tensor, type: int) -> Tensor:
    """The sine transform without a factor."""
    if type == 1:
        zero = torch.zeros_like(t[..., :1])
        odd: Tensor = torch.fft.rfft(torch.cat([zero, t, zero, -t.flip(-1)], -1))
        return -odd.imag[..., 1:-1]
    if type == 2:
        return _second(_signed(t)).flip(-1)
    if type == 3:
        return _signed(_third(t.flip(-1)))
    return _signed(_fourth(t.flip(-1)))


def _signed(t: Tensor) -> Tensor:
    """Every second element with the other sign."""
    signs = torch.ones(t.shape[-1], dtype=t.dtype, device=t.device)
    signs[1::2] = -1
    return t * signs


def _turns(count: int, first: float, step: float, t: Tensor) -> Tensor:
    """``exp(1j * pi * (first + step * k))`` for the first ``count`` numbers ``k``."""
    k = torch.arange(count, dtype=torch.float64, device=t.device)
    angle = (k * step + first) * math.pi
    return torch.complex(angle.cos(), angle.sin()).to(COMPLEX_OF[t.dtype])


def _first(t: Tensor) -> Tensor:
    if t.shape[-1] < 2:
        raise RuntimeError("zero-length FFT requested")
    even: Tensor = torch.fft.rfft(torch.cat([t, t[..., 1:-1].flip(-1)], -1))
    return even.real


def _second(t: Tensor) -> Tensor:
    n = t.shape[-1]
    mixed = torch.cat([t[..., ::2], t[..., 1::2].flip(-1)], -1)
    spectrum = torch.fft.rfft(mixed)
    turned = spectrum * (2 * _turns(spectrum.shape[-1], 0.0, -0.5 / n, t))
    return torch.cat([turned.real, -turned.imag[..., 1 : (n + 1) // 2].flip(-1)], -1)


def _third(t: Tensor) -> Tensor:
    n = t.shape[-1]
    half = n // 2 + 1
    back = torch.cat([torch.zeros_like(t[..., :1]), t[..., n - half + 1 :].flip(-1)], -1)
    spectrum = torch.complex(t[..., :half], -back) * _turns(half, 0.0, 0.5 / n, t)
    mixed = torch.fft.irfft(spectrum, n, norm="forward")
    evens = (n + 1) // 2
    out = torch.stack([mixed[..., :evens], _padded(mixed[..., evens:].flip(-1), evens)], -1)
    return out.flatten(-2)[..., :n]


def _padded(t: Tensor, n: int) -> Tensor:
    return t if t.shape[-1] == n else torch.nn.functional.pad(t, (0, n - t.shape[-1]))


def _fourth(t: Tensor) -> Tensor:
    n = t.shape[-1]
    if n % 2:
        turned: Tensor = torch.fft.fft(t * _turns(n, 0.0, -0.5 / n, t), 2 * n)[..., :n]
        return (turned * (2 * _turns(n, -0.25 / n, -0.5 / n, t))).real
    pairs = torch.complex(t[..., ::2], t[..., 1::2].flip(-1))
    turns = _turns(n // 2, -0.25 / n, -1 / n, t)
    spectrum = torch.fft.fft(pairs * turns) * (2 * _turns(n // 2, 0.0, -1 / n, t))
    return torch.stack([spectrum.real, -spectrum.imag.flip(-1)], -1).flatten(-2)


@cache
def _first_and_last(dct: bool, type: int) -> tuple[bool, bool]:
    """Whether an orthogonal transform has another factor at its first and at its last element."""
    if dct:
        return type < 4, type == 1
    return False, type in (2, 3)


def _scale_ends(t: Tensor, dct: bool, type: int, before: bool) -> Tensor:
    """The ends times sqrt(2) before, or divided by it after the transform."""
    first, last = _first_and_last(dct, type)
    if not (first or last) or (type, before) in ((2, True), (3, False)):
        return t
    factor = math.sqrt(2) if before else math.sqrt(0.5)
    factors = torch.ones(t.shape[-1], dtype=t.dtype, device=t.device)
    if first:
        factors[0] = factor
    if last:
        factors[-1] = factor
    return t * factors


def scale_dct_ends(t: Tensor, type: int, before: bool) -> Tensor:
    """What makes a cosine transform orthogonal, beside the factor of all elements."""
    return _scale_ends(t, True, type, before)


def scale_dst_ends(t: Tensor, type: int, before: bool) -> Tensor:
    """What makes a sine transform orthogonal, beside the factor of all elements."""
    return _scale_ends(t, False, type, before)
