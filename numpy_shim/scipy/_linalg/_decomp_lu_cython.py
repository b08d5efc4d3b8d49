"""``scipy.linalg._decomp_lu_cython`` for arrays of ours."""

from __future__ import annotations

from ..._array.ndarray import ndarray
from ._batched_linalg import _lu


def lu_dispatcher(a: ndarray, u: ndarray, piv: ndarray, permute_l: bool) -> None:
    """Write the factors to ``a`` and ``u``, the smaller one to ``u``, and the rows' order."""
    order, lower, upper = _lu(a.copy(), permute_l, False)
    a[...], u[...] = (lower, upper) if a.shape[0] > a.shape[1] else (upper, lower)
    if not permute_l:
        piv[...] = order
