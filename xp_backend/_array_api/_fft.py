"""Fourier transforms, where the namespace has the fft extension."""

from __future__ import annotations

from typing import Any

import torch

from ._library import Blob, Library, Table

FORWARD = ("backward", "ortho", "forward")
"""The standard's name of a forward transform's norm, by ATen's number: none, root n, n."""
INVERSE = ("forward", "ortho", "backward")


def table(lib: Library) -> Table:
    """The operators of this chapter."""
    fft = getattr(lib.xp, "fft", None)
    if fft is None:
        return {}

    def c2c(x: Blob, dim: Any, normalization: int, forward: bool) -> Blob:
        if not dim:
            return x
        if forward:
            return fft.fftn(x, axes=tuple(dim), norm=FORWARD[normalization])
        return fft.ifftn(x, axes=tuple(dim), norm=INVERSE[normalization])

    def r2c(x: Blob, dim: Any, normalization: int, onesided: bool) -> Blob:
        if onesided:
            return fft.rfftn(x, axes=tuple(dim), norm=FORWARD[normalization])
        single = lib.of(x) is torch.float32
        x = lib.astype(x, torch.complex64 if single else torch.complex128)
        return c2c(x, dim, normalization, True)

    def c2r(x: Blob, dim: Any, normalization: int, last_dim_size: int) -> Blob:
        sizes = [x.shape[d] for d in dim[:-1]] + [last_dim_size]
        return fft.irfftn(x, s=tuple(sizes), axes=tuple(dim), norm=INVERSE[normalization])

    return {"_fft_c2c.default": c2c, "_fft_r2c.default": r2c, "_fft_c2r.default": c2r}
