"""LAPACK's least squares and the norms and condition numbers of its systems, in torch."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .bands import general_band
from .factors import columns


def least_squares(a: Tensor, b: Tensor, cond: float) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The solutions of least length, what they leave, the ranks, and the singular values."""
    s = torch.linalg.svdvals(a) if a.requires_grad else None
    if s is None:
        u, s, vh = torch.linalg.svd(a, full_matrices=False)
        kept = s > cond * s[..., :1]
        inverse = torch.where(kept, 1 / torch.where(kept, s, 1), 0).to(a.dtype)
        x = vh.mT.conj() @ (inverse.unsqueeze(-1) * (u.mT.conj() @ b))
    else:  # the derivative of the singular vectors is infinite where two values are the same
        kept = s > cond * s[..., :1]
        x = torch.linalg.pinv(a, rtol=float(cond)) @ b
    return x, a @ x - b, kept.sum(-1), s


def with_rest(a: Tensor, b: Tensor, cond: float) -> tuple[Tensor, Tensor, Tensor]:
    """The solutions, below each rows with the length of what it leaves; ranks; singular values."""
    m, n = a.shape[-2:]
    if cond < 0:
        cond = torch.finfo(a.dtype).eps / 2
    x, rest, rank, s = least_squares(a, b, cond)
    if m > n:
        left = torch.linalg.vector_norm(rest, dim=-2, keepdim=True).to(x.dtype)
        x = torch.cat([x, left, x.new_zeros(*x.shape[:-2], m - n - 1, x.shape[-1])], -2)
    return x, rank, s


def _gels(a: Tensor, b: Tensor, cond: float) -> tuple[Tensor, int, Tensor]:
    x, rank, s = with_rest(a, columns(b)[: a.shape[0]], cond)
    return x.squeeze(-1) if b.dim() == 1 else x, int(rank), s


def gelsd(a: Tensor, b: Tensor, *rest: Any) -> Any:
    """``rest``: sizes of memory, the cutoff, and what may be overwritten."""
    x, rank, s = _gels(a, b, float(rest[-3]))
    return x, s, rank, 0


def gelss(
    a: Tensor, b: Tensor, cond: float, lwork: int, overwrite_a: bool = False,
    overwrite_b: bool = False,
) -> Any:  # fmt: skip
    x, rank, s = _gels(a, b, float(cond))
    return None, x, s, rank, None, 0


def gelsy(
    a: Tensor, b: Tensor, jptv: Any, cond: float, lwork: int, overwrite_a: bool = False,
    overwrite_b: bool = False,
) -> Any:  # fmt: skip
    x, rank, _ = _gels(a, b, float(cond))
    return None, x, None, rank, 0


def lange(norm: str, a: Tensor) -> Tensor:
    """The largest sum of sizes along columns (``1``) or rows (``I``)."""
    return a.abs().sum(0 if norm == "1" else 1).amax()


def langb(norm: str, kl: int, ku: int, ab: Tensor) -> Tensor:
    """The same of a band matrix."""
    return lange(norm, general_band(ab, kl, ku))


def lantr(norm: str, a: Tensor, uplo: str = "U", diag: str = "N") -> Tensor:
    return lange(norm, a.tril() if uplo == "L" else a.triu())


__all__ = ["gelsd", "gelss", "gelsy", "langb", "lange", "lantr"]
