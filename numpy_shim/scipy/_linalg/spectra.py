"""LAPACK's eigenvalues in torch: general, Hermitian, with a second matrix, of bands."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .factors import check_size, whole


def _all_real(w: Tensor) -> bool:
    return bool((w.imag == 0).all())


def _lengths_one(v: Tensor) -> Tensor:
    lengths: Tensor = torch.linalg.vector_norm(v, dim=-2, keepdim=True)
    return v / lengths


def geev(
    a: Tensor, compute_vl: bool = True, compute_vr: bool = True, lwork: int | None = None,
    overwrite_a: bool = False,
) -> Any:  # fmt: skip
    """Eigenvalues; real vectors for a real matrix whose eigenvalues are all real."""
    if not (compute_vl or compute_vr):
        w = torch.linalg.eigvals(a)
        return w, w.new_empty(0), w.new_empty(0), 0
    w, right = torch.linalg.eig(a)
    left = right
    if compute_vl:
        inverse, info = torch.linalg.inv_ex(right)
        if bool(info.any()):
            raise NotImplementedError("eig: the left eigenvectors of a defective matrix")
        left = _lengths_one(inverse.mT.conj())
    if not a.is_complex() and _all_real(w):
        left, right = left.real, right.real
    return w, left.resolve_conj(), right, 0


def generalized(a: Tensor, b: Tensor, left: bool) -> tuple[Tensor, Tensor, Tensor]:
    """Eigenvalues and vectors of ``a @ v = w * b @ v``, for a ``b`` far from singular."""
    sizes = torch.linalg.svdvals(b.detach())
    least = sizes[..., 0] * torch.finfo(sizes.dtype).eps ** 0.5
    if bool((sizes[..., -1] <= least).any()):
        raise NotImplementedError("eig: torch has no eigenvalues for a nearly singular `b`")
    w, _, right, _ = geev(torch.linalg.solve(b, a), False, True)
    if not left:
        return w, right, right
    inverse = torch.linalg.inv(b.to(right.dtype) @ right)
    return w, _lengths_one(inverse.mT.conj()).resolve_conj(), right


def _chosen(w: Tensor, range: Any, vl: Any, vu: Any, il: int, iu: int) -> slice:
    """The eigenvalues that are wanted of all in rising order."""
    if range in ("I", 2):
        return slice(int(il) - 1, int(iu))
    if range in ("V", 1):
        ends = torch.tensor([float(vl), float(vu)], dtype=w.dtype, device=w.device)
        first, last = torch.searchsorted(w.detach().contiguous(), ends, right=True).tolist()
        return slice(first, last)
    return slice(None)


def _eigh(a: Tensor, lower: Any, vectors: Any) -> tuple[Tensor, Tensor]:
    if a.requires_grad:
        a = whole(a, lower)
    uplo = "L" if lower else "U"
    if vectors:
        w, v = torch.linalg.eigh(a, UPLO=uplo)
        return w, v
    return torch.linalg.eigvalsh(a, UPLO=uplo), a.new_empty(0)


def _hermitian(
    a: Tensor, compute_v: int = 1, lower: Any = 0, range: str = "A", il: int = 1, iu: int = 1,
    vl: float = 0.0, vu: float = 1.0, lwork: Any = 0, liwork: Any = 0, lrwork: Any = 0,
    abstol: float = 0.0, overwrite_a: bool = False,
) -> Any:  # fmt: skip
    """The wanted eigenvalues and vectors, how many, and ``info``."""
    w, v = _eigh(a, lower, compute_v)
    part = _chosen(w, range, vl, vu, il, iu)
    if range == "A":
        return w, v, w.shape[0], 0
    w = w[part]
    return w, v[:, part] if compute_v else v, w.shape[0], 0


def _generalized(
    a: Tensor, b: Tensor, itype: int = 1, jobz: str = "V", uplo: str = "L", range: str = "A",
    il: int = 1, iu: int = 1, vl: float = 0.0, vu: float = 1.0, lwork: Any = 0,
    overwrite_a: bool = False, overwrite_b: bool = False,
) -> Any:  # fmt: skip
    """``a v = w b v``, ``a b v = w v`` or ``b a v = w v``, by Cholesky's factor of ``b``."""
    n = a.shape[0]
    lower = uplo == "L"
    factor, info = torch.linalg.cholesky_ex(b if lower else b.mT.conj())
    if int(info):
        return a, a, 0, n + int(info)
    inside = a.tril() if lower else a.triu()
    inside = inside + (a.tril(-1) if lower else a.triu(1)).mT.conj()
    if itype == 1:
        inside = torch.linalg.solve_triangular(factor, inside, upper=False)
        inside = torch.linalg.solve_triangular(
            factor.mT.conj(), inside, upper=True, left=False
        )  # fmt: skip
    else:
        inside = factor.mT.conj() @ inside @ factor
    inside = (inside + inside.mT.conj()) / 2
    vectors = jobz == "V"
    w, y = _eigh(inside, True, vectors)
    if vectors:
        y = factor @ y if itype == 3 else (
            torch.linalg.solve_triangular(factor.mT.conj(), y, upper=True)
        )  # fmt: skip
    part = _chosen(w, range, vl, vu, il, iu)
    w = w[part]
    return w, (y[:, part] if vectors else y), w.shape[0], 0


syev = syevd = syevr = syevx = heev = heevd = heevr = heevx = _hermitian
sygv = sygvd = sygvx = hegv = hegvd = hegvx = _generalized


def band_as_matrix(ab: Tensor, lower: Any) -> Tensor:
    """The triangle that a Hermitian band stores, in a matrix that is zero elsewhere."""
    u, n = ab.shape[0] - 1, ab.shape[1]
    check_size(n)
    i = torch.arange(n, device=ab.device)
    row, column = i.unsqueeze(1), i.unsqueeze(0)
    place = row - column if lower else u + row - column
    inside = (place >= 0) & (place <= u) & ((row >= column) if lower else (row <= column))
    return torch.where(inside, ab[place.clamp(0, u), column], 0)


def _band(
    ab: Tensor, vl: Any = 0.0, vu: Any = 1.0, il: Any = 1, iu: Any = 1, compute_v: Any = True,
    mmax: Any = 0, range: Any = 0, lower: Any = False, abstol: Any = 0.0, overwrite_ab: Any = True,
) -> Any:  # fmt: skip
    w, v = _eigh(band_as_matrix(ab, lower), lower, compute_v)
    part = _chosen(w, range, vl, vu, il, iu)
    w = w[part]
    return w, (v[:, part] if compute_v else v), w.shape[0], None, 0


def _whole_band(
    ab: Tensor, compute_v: Any = True, lower: Any = False, overwrite_ab: Any = True
) -> Any:
    w, v = _eigh(band_as_matrix(ab, lower), lower, compute_v)
    return w, v, 0


sbevd = hbevd = _whole_band
sbevx = hbevx = _band


def _tridiagonal(d: Tensor, e: Tensor, vectors: Any) -> tuple[Tensor, Tensor]:
    n = d.shape[0]
    check_size(n)
    return _eigh(torch.diag(d) + torch.diag(e[: n - 1], -1), True, vectors)


def sterf(d: Tensor, e: Tensor) -> Any:
    return _tridiagonal(d, e, False)[0], 0


def stevd(d: Tensor, e: Tensor, compute_v: Any = True) -> Any:
    return (*_tridiagonal(d, e, compute_v), 0)


stev = stevd


def stemr(
    d: Tensor, e: Tensor, range: Any, vl: Any, vu: Any, il: Any, iu: Any, compute_v: Any = True,
    lwork: Any = 0, liwork: Any = 0,
) -> Any:  # fmt: skip
    w, v = _tridiagonal(d, e, compute_v)
    part = _chosen(w, range, vl, vu, il, iu)
    w = w[part]
    return w.shape[0], w, (v[:, part] if compute_v else v), 0


def stebz(
    d: Tensor, e: Tensor, range: Any, vl: Any, vu: Any, il: Any, iu: Any, tol: Any, order: str
) -> Any:
    """The wanted eigenvalues; their places among all are what ``stein`` is told as blocks."""
    w, _ = _tridiagonal(d, e, False)
    part = _chosen(w, range, vl, vu, il, iu)
    places = torch.arange(w.shape[0], device=w.device)[part]
    return w[part].shape[0], w[part], places, places, 0


def stein(d: Tensor, e: Tensor, w: Tensor, iblock: Tensor, isplit: Tensor) -> Any:
    return _tridiagonal(d, e, True)[1][:, iblock.real.long()], 0


__all__ = [
    "geev", "hbevd", "hbevx", "heev", "heevd", "heevr", "heevx", "hegv", "hegvd", "hegvx",
    "sbevd", "sbevx", "stebz", "stein", "stemr", "sterf", "stev", "stevd", "syev",
    "syevd", "syevr", "syevx", "sygv", "sygvd", "sygvx",
]  # fmt: skip
