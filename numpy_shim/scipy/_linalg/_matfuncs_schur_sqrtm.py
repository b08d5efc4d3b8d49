"""``scipy.linalg._matfuncs_schur_sqrtm`` for arrays of ours: square roots by Schur's form."""

from __future__ import annotations

import torch
from torch import Tensor

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor
from ._matfuncs_sqrtm_triu import root
from .forms import schur


def recursive_schur_sqrtm(a: ndarray) -> tuple[ndarray, bool, bool, int]:
    """The roots of a stack of matrices, whether one is ill-conditioned or singular, and ``info``.

    The roots of real matrices are real, if no eigenvalue of theirs is negative.
    """
    t = as_tensor("sqrtm", a)
    real = not t.is_complex()
    wide = t.to(torch.promote_types(t.dtype, torch.complex64))
    roots, ill, singular = [], False, False
    for one in wide.reshape(-1, *wide.shape[-2:]):
        found, diagonal = _root(one)
        roots.append(found)
        size = diagonal.abs()
        small = size.amax() * torch.finfo(size.dtype).eps
        singular = singular or bool((size == 0).any())
        ill = ill or bool((size < small).any()) or not bool(torch.isfinite(found.abs()).all())
        real = real and not bool(((diagonal.real < 0) & (diagonal.imag.abs() <= small)).any())
    result = torch.stack(roots).reshape(wide.shape)
    return wrap(result.real.contiguous() if real else result), ill, singular, 0


def _root(a: Tensor) -> tuple[Tensor, Tensor]:
    """The root of a matrix, with infinities or NaNs where it has none, and the eigenvalues."""
    if not bool(a.tril(-1).any()):
        return root(a, checked=False), a.diagonal()
    form, basis, _ = schur(a)
    return basis @ root(form, checked=False) @ basis.mT.conj(), form.diagonal()
