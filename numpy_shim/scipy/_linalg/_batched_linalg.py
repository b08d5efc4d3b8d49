"""``scipy.linalg._batched_linalg`` for arrays of ours: systems and inverses of stacks of matrices.

A matrix has one of SciPy's numbers for its structure. With it come for each matrix whose numbers
say so a description of what is wrong, which SciPy's Python code makes an error or a warning of.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_compiling

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor

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
