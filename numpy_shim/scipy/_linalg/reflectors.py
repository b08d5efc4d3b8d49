"""QR in LAPACK's packed form: reflections one below the other, with and without pivoting.

torch has it for the CPU and CUDA, and without pivoting.
"""

from __future__ import annotations

import torch
from torch import Tensor


def has_torchs(t: Tensor) -> bool:
    return t.device.type in ("cpu", "cuda")


def packed(a: Tensor, pivoting: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """The reflections below the diagonal and ``r`` above, their factors, the order of columns.

    With pivoting the longest of what is left of the columns comes next. The rest of a column is
    orthogonal to those before it, so that its length has all its digits; LAPACK subtracts.
    """
    t = a.detach().clone()
    m, n = t.shape
    order = torch.arange(n, device=a.device)
    taus = []
    for k in range(min(m, n)):
        if pivoting:
            lengths = torch.linalg.vector_norm(t[k:, k:], dim=0)
            place = k + lengths.argmax()
            both = torch.stack([torch.full_like(place, k), place])
            order[both] = order[both.flip(0)]
            t[:, both] = t[:, both.flip(0)]
        v, tau, beta = _reflection(t[k:, k])
        taus.append(tau)
        right = t[k:, k + 1 :]
        t[k:, k + 1 :] = right - tau.conj() * torch.outer(v, v.conj() @ right)
        t[k:, k] = torch.cat([beta.reshape(1), v[1:]])
    return t, torch.stack(taus) if taus else t.new_empty(0), order


def _reflection(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """``v``, ``tau`` and ``beta``: with ``v[0] = 1``, what takes ``x`` to ``beta`` and zeros."""
    alpha = x[0]
    real = alpha.real if x.is_complex() else alpha
    length = torch.linalg.vector_norm(x)
    nothing = (torch.linalg.vector_norm(x[1:]) == 0) & (alpha == real)
    beta = torch.where(nothing, real, -torch.where(real < 0, -length, length))
    divisor = torch.where(nothing, torch.ones_like(alpha), alpha - beta)
    v = torch.cat([torch.ones_like(x[:1]), x[1:] / divisor])
    tau = (beta - alpha) / torch.where(beta == 0, 1, beta)
    tau = torch.where(nothing, torch.zeros_like(alpha), tau)
    return v, tau, beta.to(x.dtype)


def applied(v: Tensor, tau: Tensor, c: Tensor, adjoint: bool) -> Tensor:
    """The product of the reflections, or its adjoint, times a matrix."""
    c = c.clone()
    places = range(tau.shape[0])
    for k in places if adjoint else reversed(places):
        one = torch.cat([torch.ones_like(v[:1, k]), v[k + 1 :, k]])
        factor = tau[k].conj() if adjoint else tau[k]
        c[k:] = c[k:] - factor * torch.outer(one, one.conj() @ c[k:])
    return c
