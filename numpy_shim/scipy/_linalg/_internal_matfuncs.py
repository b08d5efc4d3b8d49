"""``scipy.linalg._internal_matfuncs`` for arrays of ours: exponentials, and roots by Schur's form.

Before SciPy 1.18 the roots stand in ``_matfuncs_schur_sqrtm``.
"""

from __future__ import annotations

import torch
from torch import Tensor

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor
from . import exponentials
from ._matfuncs_sqrtm_triu import root
from .forms import schur
from .reflectors import has_torchs


def matrix_exponential(a: ndarray) -> tuple[ndarray, int]:
    """The exponentials of a stack of matrices, and ``info``."""
    t = as_tensor("expm", a)
    return wrap(torch.linalg.matrix_exp(t) if has_torchs(t) else exponentials.expm(t)), 0


def recursive_schur_sqrtm(a: ndarray) -> tuple[ndarray, bool, bool, int]:
    """The roots of a stack of matrices, whether one is ill-conditioned or singular, and ``info``.

    The roots of real matrices are real, if no eigenvalue of theirs is negative.
    """
    t = as_tensor("sqrtm", a)
    real = not t.is_complex()
    wide = t.to(torch.promote_types(t.dtype, torch.complex64))
    roots, ill, singular, some_negative = [], False, False, False
    for one in wide.reshape(-1, *wide.shape[-2:]):
        form, basis = _triangular(one)
        values = form.diagonal()
        size = values.abs()
        rounding = size.amax() * torch.finfo(size.dtype).eps
        if real:
            # Of the roots of a negative number SciPy takes that above 0, whatever the sign of 0 i.
            negative = (values.real < 0) & (values.imag.abs() <= 4 * len(form) * rounding)
            some_negative = some_negative or bool(negative.any())
            values = torch.where(negative, values.real.to(form.dtype), values)
            form = form.triu(1) + torch.diag(values)
        found = root(form, checked=False)
        roots.append(found if basis is None else basis @ found @ basis.mT.conj())
        singular = singular or bool((size == 0).any())
        ill = ill or bool((size < rounding).any()) or not bool(torch.isfinite(found.abs()).all())
    result = torch.stack(roots).reshape(wide.shape)
    result = result.real.contiguous() if real and not some_negative else result
    return wrap(result), ill, singular, 0


def _triangular(a: Tensor) -> tuple[Tensor, Tensor | None]:
    """Schur's form of a matrix, and the basis; no basis for a triangle."""
    if not bool(a.tril(-1).any()):
        return a, None
    form, basis, _ = schur(a)
    return form, basis
