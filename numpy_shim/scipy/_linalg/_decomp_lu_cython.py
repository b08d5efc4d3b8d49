"""``scipy.linalg._decomp_lu_cython`` for arrays of ours."""

from __future__ import annotations

import torch

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor


def lu_dispatcher(a: ndarray, u: ndarray, piv: ndarray, permute_l: bool) -> None:
    """Write the factors to ``a`` and ``u``, the smaller one to ``u``, and the rows' order."""
    t = as_tensor("lu", a).clone()
    m, n = t.shape
    p, lower, upper = torch.lu_unpack(*torch.linalg.lu_factor_ex(t)[:2])
    order = p.real.argmax(1)  # the row of the lower factor that is row i of the matrix
    if permute_l:
        lower = lower[order]
    a[...], u[...] = (wrap(lower), wrap(upper)) if m > n else (wrap(upper), wrap(lower))
    piv[...] = wrap(order)
