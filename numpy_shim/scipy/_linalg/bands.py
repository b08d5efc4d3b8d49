"""LAPACK's systems of bands in torch: in blocks of rows, with a derivative as dense matrices.

The elimination along a band goes from row to row, which a device does slowly. Beyond
``factors.LARGEST`` rows a dense matrix costs more than the way to the host.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from . import blocks
from .factors import check_size, cholesky_solved, columns, number, whole
from .spectra import band_as_matrix


def general_band(ab: Tensor, kl: int, ku: int) -> Tensor:
    """The matrix whose diagonals are the rows of ``ab``."""
    n = ab.shape[1]
    check_size(n)
    i = torch.arange(n, device=ab.device)
    row, column = i.unsqueeze(1), i.unsqueeze(0)
    place = ku + row - column
    inside = (place >= 0) & (place <= kl + ku)
    return torch.where(inside, ab[place.clamp(0, kl + ku), column], 0)


def _solved(a: Tensor, b: Tensor) -> tuple[Tensor, int]:
    lu, pivots, info = torch.linalg.lu_factor_ex(a)
    found = number(info)
    if found:
        return b, found
    return torch.linalg.lu_solve(lu, pivots, columns(b)).reshape(b.shape), 0


def _band_solved(ab: Tensor, kl: int, ku: int, b: Tensor) -> tuple[Tensor, int]:
    if not blocks.is_worth(ab.shape[1], ab, b):
        return _solved(general_band(ab, kl, ku), b)
    x = blocks.solved(ab, kl, ku, columns(b))
    return (b, 1) if x is None else (x.reshape(b.shape), 0)


def gbsv(
    kl: int, ku: int, ab: Tensor, b: Tensor, overwrite_ab: bool = False, overwrite_b: bool = False
) -> Any:
    """The first ``kl`` rows of ``ab`` are room for the factorization."""
    band = ab[int(kl) :]
    return band, None, *_band_solved(band, int(kl), int(ku), b)


def gbcon(kl: int, ku: int, lu: Tensor, ipiv: Any, anorm: Any, norm: str = "1") -> Any:
    """The reciprocal of the condition number; ``lu`` is the band that ``gbsv`` gave back."""
    inverse, info = torch.linalg.inv_ex(general_band(lu.detach(), int(kl), int(ku)))
    if number(info):
        return 0.0, 0
    return float(1 / (inverse.abs().sum(0 if norm == "1" else 1).amax() * float(anorm))), 0


def gtsv(
    dl: Tensor, d: Tensor, du: Tensor, b: Tensor, overwrite_dl: bool = False,
    overwrite_d: bool = False, overwrite_du: bool = False, overwrite_b: bool = False,
) -> Any:  # fmt: skip
    pad = torch.nn.functional.pad
    ab = torch.stack([pad(du, (1, 0)), d, pad(dl, (0, 1))])
    return None, None, None, *_band_solved(ab, 1, 1, b)


def _positive(ab: Tensor, b: Tensor, lower: Any) -> tuple[Tensor, Tensor, int]:
    """Cholesky's factor of a band, of which ``ab`` has a half, and the solution."""
    factor, info = pbtrf(ab, lower)
    return (ab, b, info) if info else (factor, pbtrs(factor, b, lower)[0], 0)


def ptsv(
    d: Tensor, e: Tensor, b: Tensor, overwrite_d: bool = False, overwrite_e: bool = False,
    overwrite_b: bool = False,
) -> Any:  # fmt: skip
    """The diagonal and what stands below it of the factors ``l d l'``, and the solution."""
    ab = torch.stack([d.to(e.dtype), torch.nn.functional.pad(e, (0, 1))])
    factor, x, info = _positive(ab, b, True)
    if info:
        return d, e, b, info
    roots = factor[0].real
    return roots**2, factor[1, :-1] / roots[:-1], x, 0


def _lower(ab: Tensor, lower: Any) -> Tensor:
    a = band_as_matrix(ab, lower)
    return a if lower else a.mT.conj()


def pbsv(
    ab: Tensor, b: Tensor, lower: Any = False, overwrite_ab: Any = False, overwrite_b: Any = False
) -> Any:
    return _positive(ab, b, lower)


def pbtrf(ab: Tensor, lower: Any = False, overwrite_ab: Any = False) -> Any:
    """Cholesky's factor of a band, as a band; what ``ab`` has beyond the matrix stays."""
    u, n = ab.shape[0] - 1, ab.shape[1]
    place = torch.arange(u + 1, device=ab.device).unsqueeze(1)
    column = torch.arange(n, device=ab.device).unsqueeze(0)
    row = place + column if lower else place + column - u
    inside = (row >= 0) & (row < n)
    if blocks.is_worth(n, ab):
        band = blocks.cholesky(ab if lower else blocks.downwards(ab))
        if band is not None:
            return torch.where(inside, band if lower else blocks.upwards(band), ab), 0
    factor, info = torch.linalg.cholesky_ex(whole(_lower(ab, lower), True))
    found = number(info)
    if found:
        return ab, found
    c = factor if lower else factor.mT.conj()
    return torch.where(inside, c[row.clamp(0, n - 1), column], ab), 0


def pbtrs(ab: Tensor, b: Tensor, lower: Any = False, overwrite_b: Any = False) -> Any:
    u, n = ab.shape[0] - 1, ab.shape[1]
    if blocks.is_worth(n, ab, b):
        down, up = (ab, blocks.upwards(ab)) if lower else (blocks.downwards(ab), ab)
        half = blocks.solved(down, u, 0, columns(b))
        x = None if half is None else blocks.solved(up, 0, u, half)
        if x is not None:
            return x.reshape(b.shape), 0
    return cholesky_solved(_lower(ab, lower), b), 0


__all__ = ["gbcon", "gbsv", "gtsv", "pbsv", "pbtrf", "pbtrs", "ptsv"]
