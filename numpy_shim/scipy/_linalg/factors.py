"""LAPACK's factorizations in torch: LU, Cholesky, QR and singular values, and what uses them."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_compiling

from .reflectors import applied, has_torchs, packed

LARGEST = 2048
"""A band of at most so many rows is taken as a whole matrix."""


def check_size(n: int) -> None:
    if n > LARGEST:
        raise NotImplementedError(
            f"a band of {n} rows: torch would need the whole matrix; up to {LARGEST} rows it does"
        )


def number(info: Tensor) -> int:
    """A routine's ``info``. In a graph it is 0: torch raises where the graph runs."""
    return 0 if is_compiling() else int(info)


def columns(b: Tensor) -> Tensor:
    """Right-hand sides as columns."""
    return b.unsqueeze(-1) if b.dim() == 1 else b


def has_derivative(*tensors: Tensor) -> bool:
    """Whether a derivative of what is made of the tensors may be asked for."""
    return torch.is_grad_enabled() and any(t.requires_grad for t in tensors)


def without_derivative(name: str, *tensors: Tensor) -> None:
    """An error where a derivative would be lost."""
    if has_derivative(*tensors):
        raise NotImplementedError(f"{name}: torch has no derivative of this factorization")


def getrf(a: Tensor, overwrite_a: bool = False) -> Any:
    """LU with the rows' exchanges, counted from 0."""
    if is_compiling():
        lu, pivots = torch.linalg.lu_factor(a)
        return lu, pivots - 1, 0
    lu, pivots, info = torch.linalg.lu_factor_ex(a)
    return lu, pivots - 1, int(info)


def getrs(lu: Tensor, piv: Tensor, b: Tensor, trans: int = 0, overwrite_b: bool = False) -> Any:
    if trans not in (0, 1, 2):
        return b, -1
    pivots = piv.to(torch.int32) + 1
    right = columns(b)
    if trans == 1 and lu.is_complex():  # torch solves with the adjoint alone
        x = torch.linalg.lu_solve(lu, pivots, right.conj(), adjoint=True).conj()
    else:
        x = torch.linalg.lu_solve(lu, pivots, right, adjoint=trans > 0)
    return x.resolve_conj().reshape(b.shape), 0


def whole(a: Tensor, lower: Any) -> Tensor:
    """The Hermitian matrix of which a triangle is read.

    torch reads a triangle too. Its derivative takes the matrix for Hermitian, so that one with a
    derivative needs both.
    """
    if not a.requires_grad:
        return a if lower else a.mT.conj()
    half = a.tril(-1) if lower else a.triu(1).mT.conj()
    diagonal = a.diagonal(dim1=-2, dim2=-1)
    diagonal = diagonal.real if a.is_complex() else diagonal
    return half + half.mT.conj() + torch.diag_embed(diagonal).to(a.dtype)


def cholesky(a: Tensor, lower: Any) -> tuple[Tensor, Tensor]:
    """Cholesky's factors of a stack of matrices, and LAPACK's ``info`` of each."""
    given = whole(a, lower)
    if is_compiling():
        factor = torch.linalg.cholesky(given)
        info = torch.zeros(a.shape[:-2], dtype=torch.int32, device=a.device)
    else:
        factor, info = torch.linalg.cholesky_ex(given)
    if not lower:
        factor = factor.mT.conj().resolve_conj()
    return factor, info


def potrf(a: Tensor, lower: bool = False, overwrite_a: bool = False, clean: bool = True) -> Any:
    """Cholesky's factor; without ``clean`` the other triangle stays that of ``a``."""
    factor, info = cholesky(a, lower)
    if not clean:
        factor = factor + (a.triu(1) if lower else a.tril(-1))
    return factor, number(info)


def potrs(c: Tensor, b: Tensor, lower: Any = False, overwrite_b: bool = False) -> Any:
    if isinstance(lower, Tensor):  # that of a stack of factors, which are all of one kind
        lower = bool(lower.flatten()[0])
    return cholesky_solved(c if lower else c.mT.conj(), b), 0


def cholesky_solved(factor: Tensor, b: Tensor) -> Tensor:
    """The solution with a lower factor; what is above its diagonal is not read."""
    right = torch.linalg.solve_triangular(factor, columns(b), upper=False)
    x: Tensor = torch.linalg.solve_triangular(factor.mT.conj(), right, upper=True)
    return x.reshape(b.shape)


def trtrs(
    a: Tensor, b: Tensor, lower: bool = False, trans: int = 0, unitdiag: bool = False,
    overwrite_b: bool = False,
) -> Any:  # fmt: skip
    """The solution with a triangle; ``info`` counts from 1 to the first zero of the diagonal."""
    if not (unitdiag or is_compiling()):
        zeros = a.diagonal() == 0
        if bool(zeros.any()):
            return b, int(zeros.int().argmax()) + 1
    t = a if trans == 0 else a.mT
    if trans == 2:
        t = t.conj()
    x = torch.linalg.solve_triangular(
        t, columns(b), upper=bool(lower) == bool(trans), unitriangular=bool(unitdiag)
    )  # fmt: skip
    return x.reshape(b.shape), 0


def _work(lwork: int | None, least: int) -> int:
    """The ``info`` for the size of the memory that a caller allows."""
    return -7 if lwork is not None and lwork != -1 and lwork < max(1, least) else 0


def geqrf(a: Tensor, lwork: int | None = None, overwrite_a: bool = False) -> Any:
    without_derivative("geqrf", a)
    qr, tau = torch.geqrf(a) if has_torchs(a) else packed(a)[:2]
    return qr, tau, None, _work(lwork, a.shape[1])


def orgqr(a: Tensor, tau: Tensor, lwork: int | None = None, overwrite_a: bool = False) -> Any:
    tau = tau[: a.shape[1]]
    if has_torchs(a):
        q = torch.linalg.householder_product(a, tau)
    else:
        q = applied(a, tau, torch.eye(*a.shape, dtype=a.dtype, device=a.device), False)
    return q, None, _work(lwork, a.shape[1])


def ormqr(
    side: str, trans: str, a: Tensor, tau: Tensor, c: Tensor, lwork: int | None = None,
    overwrite_c: bool = False,
) -> Any:  # fmt: skip
    left, adjoint = side == "L", trans != "N"
    without_derivative("ormqr", a, c)
    if has_torchs(a):
        return torch.ormqr(a, tau, c, left=left, transpose=adjoint), None, 0
    if left:
        return applied(a, tau, c, adjoint), None, 0
    return applied(a, tau, c.mT.conj(), not adjoint).mT.conj().resolve_conj(), None, 0


def geqp3(a: Tensor, lwork: int | None = None, overwrite_a: bool = False) -> Any:
    """QR of the columns in an order of falling lengths of what is left of them."""
    without_derivative("geqp3", a)
    qr, tau, order = packed(a, pivoting=True)
    return qr, order.to(torch.int32) + 1, tau, None, _work(lwork, a.shape[1])


def gesdd(
    a: Tensor, compute_uv: bool = True, full_matrices: bool = True, lwork: int | None = None,
    overwrite_a: bool = False,
) -> Any:  # fmt: skip
    """Singular values; ``info`` is -4 for a NaN, 1 where the iteration does not end."""
    try:
        if not compute_uv:
            s = torch.linalg.svdvals(a)
            return s.new_empty(0), s, s.new_empty(0), 0
        square = a.shape[-2] == a.shape[-1]  # torch has the derivative of the reduced one
        u, s, vh = torch.linalg.svd(a, full_matrices=bool(full_matrices) and not square)
    except torch.linalg.LinAlgError:  # type: ignore[attr-defined]
        empty = a.new_empty(0)
        return empty, empty, empty, -4 if bool(torch.isnan(a).any()) else 1
    return u, s, vh.resolve_conj(), 0


def gesvd(
    a: Tensor, compute_uv: bool = True, full_matrices: bool = True, lwork: int | None = None,
    overwrite_a: bool = False,
) -> Any:  # fmt: skip
    u, s, vh, info = gesdd(a, compute_uv, full_matrices)
    return u, s, vh, abs(info)


def lartg(f: Any, g: Any) -> tuple[Tensor, Tensor, Tensor]:
    """The rotation by ``c`` and ``s`` that takes two numbers to ``r`` and zero."""
    f, g = torch.as_tensor(f), torch.as_tensor(g)  # an element on the CPU is a number of NumPy's
    size = torch.hypot(f.abs(), g.abs())
    one = torch.ones_like(size)
    length = torch.where(size == 0, one, size)
    unit = torch.where(f == 0, one, f / torch.where(f == 0, one, f.abs()))
    return torch.where(size == 0, one, f.abs() / length), unit * g.conj() / length, unit * size


__all__ = [
    "geqp3", "geqrf", "gesdd", "gesvd", "getrf", "getrs", "lartg", "orgqr", "ormqr", "potrf",
    "potrs", "trtrs",
]  # fmt: skip
