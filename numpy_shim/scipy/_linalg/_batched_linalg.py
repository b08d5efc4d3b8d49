"""``scipy.linalg._batched_linalg`` for arrays of ours: systems and factors of stacks of matrices.

SciPy 1.17 has systems and inverses there, 1.18 most factors, too. A matrix has one of SciPy's
numbers for its structure. Beside the results stand descriptions of what is wrong with a matrix,
which SciPy's Python code makes an error or a warning of.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_compiling

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor
from . import factors, spectra, systems
from ._cythonized_array_utils import bandwidth, find_det_from_lu
from .reflectors import has_torchs, packed

_DIAGONAL, _UPPER, _LOWER, _TRIDIAGONAL = 11, 21, 22, 31
_POSITIVE, _SYMMETRIC, _HERMITIAN = 101, 201, 211


def _with_structure(a: Tensor, structure: int, lower: bool) -> Tensor:
    """The matrix that the elements stand for which its structure lets LAPACK read."""
    if structure == _DIAGONAL:
        return torch.diag_embed(a.diagonal(dim1=-2, dim2=-1))
    if structure == _TRIDIAGONAL:
        return a.triu(-1).tril(1)
    if structure == _UPPER:
        return a.triu()
    if structure == _LOWER:
        return a.tril()
    if structure in (_POSITIVE, _SYMMETRIC, _HERMITIAN):
        half, other = (a.tril(), a.tril(-1).mT) if lower else (a.triu(), a.triu(1).mT)
        return half + (other if structure == _SYMMETRIC else other.conj())
    return a


def _norm(a: Tensor) -> Tensor:
    """The largest sum of sizes along columns, of each matrix."""
    return a.abs().sum(-2).amax(-1)


def _of_inverse(lu: Tensor, pivots: Tensor) -> Tensor:
    """From below, close to ``_norm`` of the inverse: Hager's and Higham's estimate."""
    n = lu.shape[-1]

    def solved(x: Tensor, adjoint: bool = False) -> Tensor:
        found: Tensor = torch.linalg.lu_solve(lu, pivots, x.unsqueeze(-1), adjoint=adjoint)
        return found.squeeze(-1)

    x = lu.new_full(lu.shape[:-1], 1 / n)
    best = lu.abs().new_zeros(lu.shape[:-2])
    for _ in range(3):
        y = solved(x)
        best = torch.maximum(best, y.abs().sum(-1))
        size = y.abs()
        signs = torch.where(size == 0, torch.ones_like(y), y / torch.where(size == 0, 1, size))
        place = solved(signs, adjoint=True).abs().argmax(-1, keepdim=True)
        x = torch.zeros_like(x).scatter(-1, place, 1.0)
    i = torch.arange(n, device=lu.device)
    other = ((1 + i / max(n - 1, 1)) * (1 - 2 * (i % 2))).to(lu.dtype)
    y = solved(other.expand(lu.shape[:-1]))
    return torch.maximum(best, 2 * y.abs().sum(-1) / (3 * n))


def _described(a: Tensor, info: Tensor, inverse_norm: Tensor) -> list[dict[str, Any]]:
    """What is wrong with the matrices, one by one; nothing where nothing is."""
    rcond = 1 / (_norm(a) * inverse_norm)
    ill = ~(rcond >= torch.finfo(a.dtype).eps / 2)
    wrong = (info != 0) | ill
    if not bool(wrong.any()):
        return []
    columns = [x.reshape(-1).tolist() for x in (info, ill, rcond)]
    return [
        {
            "is_singular": i != 0, "lapack_info": i, "rcond": r,
            "is_ill_conditioned": i == 0 and bad,
        }
        for i, bad, r in zip(*columns, strict=True)
    ]  # fmt: skip


def _not_positive(a: Tensor, structure: int) -> Any:
    """Not 0 for each matrix that is not positive definite, where that was promised."""
    return torch.linalg.cholesky_ex(a.detach()).info if structure == _POSITIVE else 0


def _solve(
    a: ndarray, b: ndarray, structure: int, lower: bool, transposed: bool, overwrite_a: bool,
    overwrite_b: bool,
) -> Any:  # fmt: skip
    """The solutions for stacks of matrices and of right-hand sides."""
    ta = _with_structure(as_tensor("solve", a, "a"), structure, bool(lower))
    tb = as_tensor("solve", b, "b")
    if transposed:
        ta = ta.mT
    if is_compiling():
        return wrap(torch.linalg.solve(ta, tb)), []
    lu, pivots, info = torch.linalg.lu_factor_ex(ta)
    x = torch.linalg.lu_solve(lu, pivots, tb)
    with torch.no_grad():
        info = info | _not_positive(ta, structure)
        return wrap(x), _described(ta, info, _of_inverse(lu, pivots))


def _inv(a: ndarray, structure: int, overwrite_a: bool, lower: bool) -> Any:
    """The inverses of a stack of matrices."""
    ta = _with_structure(as_tensor("inv", a, "a"), structure, bool(lower))
    if is_compiling():
        return wrap(torch.linalg.inv(ta)), []
    inverse, info = torch.linalg.inv_ex(ta)
    with torch.no_grad():
        info = info | _not_positive(ta, structure)
        return wrap(inverse), _described(ta, info, _norm(inverse))


_bandwidth = bandwidth


def _det(a: ndarray, overwrite_a: bool) -> Any:
    """The determinants of a stack of matrices, in double precision."""
    return find_det_from_lu(a)


def _lstsq(
    a: ndarray, b: ndarray, cond: float, driver: str, overwrite_a: bool, overwrite_b: bool
) -> Any:
    """The solutions with what they leave below them, the ranks, and the singular values."""
    ta, tb = as_tensor("lstsq", a, "a"), as_tensor("lstsq", b, "b")
    x, rank, s = systems.with_rest(ta, tb, cond)
    return wrap(x), wrap(rank)[()], None if driver == "gelsy" else wrap(s), []


def _eig(
    a: ndarray, left: bool, right: bool, overwrite_a: bool, overwrite_b: bool,
    b: ndarray | None = None,
) -> Any:  # fmt: skip
    """Eigenvalues, nothing to divide them by, and the vectors that are wanted."""
    ta = as_tensor("eig", a, "a")
    if b is None:
        w, vl, vr, _ = spectra.geev(ta, left, right)
    else:
        w, vl, vr = spectra.generalized(ta, as_tensor("eig", b, "b"), bool(left))
    return wrap(w), None, wrap(vl) if left else None, wrap(vr) if right else None, []


def _failed(info: Tensor) -> list[dict[str, int]]:
    """The first matrix of a stack whose factors LAPACK has not found."""
    if is_compiling() or not bool(info.any()):
        return []
    place = int((info != 0).flatten().int().argmax())
    return [{"num": place, "lapack_info": int(info.flatten()[place])}]


def _cholesky(a: ndarray, lower: bool, overwrite_a: bool, clean: bool) -> Any:
    """Cholesky's factors of a stack of matrices; the other triangle is 0, as in SciPy's copies."""
    factor, info = factors.cholesky(as_tensor("cholesky", a), lower)
    return wrap(factor), _failed(info)


def _lu(a: ndarray, permute_l: bool, overwrite_a: bool) -> tuple[ndarray, ndarray, ndarray]:
    """By matrix, the row of the lower factor that is row ``i`` of it, and the factors."""
    p, lower, upper = torch.lu_unpack(*torch.linalg.lu_factor_ex(as_tensor("lu", a))[:2])
    order = p.real.argmax(-1)
    if permute_l:
        lower = torch.take_along_dim(lower, order.unsqueeze(-1), -2)
        order = order.new_empty(0)
    return wrap(order.to(torch.int32)), wrap(lower), wrap(upper)


_FULL, _ONLY_R, _PACKED, _ECONOMIC = 1, 11, 21, 31


def _qr(a: ndarray, overwrite_a: bool, mode: int, pivoting: bool) -> Any:
    """QR of a stack of matrices: q, r, the factors of LAPACK's form, the order of the columns."""
    t = as_tensor("qr", a)
    m, n = t.shape[-2:]
    if mode == _PACKED:
        factors.without_derivative("qr", t)
        form, tau, order = _packed(t, pivoting)
        r = form[..., : min(m, n), :].triu()
        return wrap(form), wrap(r), wrap(tau), wrap(order) if pivoting else None, []
    order = t.new_empty(0)
    if pivoting:
        order = _packed(t, pivoting)[2]
        t = torch.take_along_dim(t, order.long().unsqueeze(-2), -1)
    q, r = torch.linalg.qr(t, mode="complete" if mode == _FULL else "reduced")
    if mode == _ONLY_R and m > n:
        r = torch.cat([r, r.new_zeros(*r.shape[:-2], m - n, n)], -2)
    return (
        None if mode == _ONLY_R else wrap(q),
        wrap(r),
        None,
        wrap(order) if pivoting else None,
        [],
    )


def _packed(t: Tensor, pivoting: bool) -> tuple[Tensor, Tensor, Tensor]:
    """LAPACK's forms of a stack of matrices, their factors, the orders of columns."""
    if has_torchs(t) and not pivoting:
        form, tau = torch.geqrf(t)
        return form, tau, form.new_empty(0)
    found = [packed(x, pivoting) for x in t.reshape(-1, *t.shape[-2:])]
    form, tau, order = (
        torch.stack(x).reshape(*t.shape[:-2], *x[0].shape) for x in zip(*found, strict=True)
    )
    return form, tau, order.to(torch.int32)


def _svd(a: ndarray, driver: str, compute_uv: bool, full_matrices: bool, overwrite_a: bool) -> Any:
    """Singular values of a stack of matrices, between the vectors where they are wanted."""
    u, s, vh, info = factors.gesdd(as_tensor("svd", a), compute_uv, full_matrices)
    wrong = [{"num": 0, "lapack_info": info}] if info else []
    return (wrap(u), wrap(s), wrap(vh), wrong) if compute_uv else (wrap(s), wrong)
