"""``numpy.fft`` on torch: discrete Fourier transforms.

The precision is kept: float32 gives complex64. Integers and booleans are computed in float64,
16-bit floats in float32. ``norm`` is "backward" (no factor forward, 1/n inverse), "ortho"
(1/sqrt(n) in both directions) or "forward" (1/n forward).
"""

from __future__ import annotations

from .._base.late import loaded as _loaded
from ._frequencies import fftfreq, fftshift, ifftshift, rfftfreq
from ._transforms import (
    fft,
    fft2,
    fftn,
    hfft,
    ifft,
    ifft2,
    ifftn,
    ihfft,
    irfft,
    irfft2,
    irfftn,
    rfft,
    rfft2,
    rfftn,
)

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift",
    "ihfft", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip

_loaded(__name__)
