"""LAPACK's systems of bands in torch: as dense matrices, up to a size.

The elimination along a band goes from row to row, which a device does slowly. Beyond
``factors.LARGEST`` rows a dense matrix costs more than the way to the host.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

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


def gbsv(
    kl: int, ku: int, ab: Tensor, b: Tensor, overwrite_ab: bool = False, overwrite_b: bool = False
) -> Any:
    """The first ``kl`` rows of ``ab`` are room for the factorization."""
    a = general_band(ab[int(kl) :], int(kl), int(ku))
    x, info = _solved(a, b)
    return a, None, x, info


def gbcon(kl: int, ku: int, lu: Tensor, ipiv: Any, anorm: Any, norm: str = "1") -> Any:
    """The reciprocal of the condition number; ``lu`` is the matrix that ``gbsv`` gave back."""
    inverse, info = torch.linalg.inv_ex(lu.detach())
    if number(info):
        return 0.0, 0
    return float(1 / (inverse.abs().sum(0 if norm == "1" else 1).amax() * float(anorm))), 0


def gtsv(
    dl: Tensor, d: Tensor, du: Tensor, b: Tensor, overwrite_dl: bool = False,
    overwrite_d: bool = False, overwrite_du: bool = False, overwrite_b: bool = False,
) -> Any:  # fmt: skip
    check_size(d.shape[0])
    x, info = _solved(torch.diag(d) + torch.diag(dl, -1) + torch.diag(du, 1), b)
    return None, None, None, x, info


def _positive(a: Tensor, b: Tensor) -> tuple[Tensor, int]:
    """The solution with the lower triangle of a positive definite matrix."""
    factor, info = torch.linalg.cholesky_ex(whole(a, True))
    found = number(info)
    return (b if found else cholesky_solved(factor, b)), found


def ptsv(
    d: Tensor, e: Tensor, b: Tensor, overwrite_d: bool = False, overwrite_e: bool = False,
    overwrite_b: bool = False,
) -> Any:  # fmt: skip
    check_size(d.shape[0])
    return None, None, *_positive(torch.diag(d) + torch.diag(e, -1), b)


def _lower(ab: Tensor, lower: Any) -> Tensor:
    a = band_as_matrix(ab, lower)
    return a if lower else a.mT.conj()


def pbsv(
    ab: Tensor, b: Tensor, lower: Any = False, overwrite_ab: Any = False, overwrite_b: Any = False
) -> Any:
    return None, *_positive(_lower(ab, lower), b)


def pbtrf(ab: Tensor, lower: Any = False, overwrite_ab: Any = False) -> Any:
    """Cholesky's factor of a band, as a band; what ``ab`` has beyond the matrix stays."""
    factor, info = torch.linalg.cholesky_ex(whole(_lower(ab, lower), True))
    found = number(info)
    if found:
        return ab, found
    c = factor if lower else factor.mT.conj()
    u, n = ab.shape[0] - 1, ab.shape[1]
    place = torch.arange(u + 1, device=ab.device).unsqueeze(1)
    column = torch.arange(n, device=ab.device).unsqueeze(0)
    row = place + column if lower else place + column - u
    inside = (row >= 0) & (row < n)
    return torch.where(inside, c[row.clamp(0, n - 1), column], ab), 0


def pbtrs(ab: Tensor, b: Tensor, lower: Any = False, overwrite_b: Any = False) -> Any:
    factor = _lower(ab, lower)
    return cholesky_solved(factor, b), 0


__all__ = ["gbcon", "gbsv", "gtsv", "pbsv", "pbtrf", "pbtrs", "ptsv"]
