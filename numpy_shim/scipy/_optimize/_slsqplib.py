"""``scipy.optimize._slsqplib``, of which ``nnls`` runs where the arrays are.

The matrix is factored on the device. Which variables are above 0 is found on the host, from the
factor of the size of the variables. Their values, and the derivatives of these, are those of the
least squares of their columns.
"""

from __future__ import annotations

from typing import Any

import numpy
import torch
from scipy.optimize import _slsqplib as scipys

from ..._array.ndarray import array_of, ndarray
from .._solutions import has_derivative, plain
from .trust_region import read


def nnls(A: ndarray, b: ndarray, maxiter: int) -> tuple[ndarray, Any, int]:
    """The least squares of ``A x - b`` for ``x`` not below 0, their norm, and 3 if that failed."""
    a, right = A._tensor, b._tensor
    small, known = plain(a), plain(right)
    if len(a) > a.shape[1]:
        q, small = torch.linalg.qr(small)
        known = q.mT @ known
    found, info = numpy.zeros(a.shape[1]), 1
    if a.numel():  # SciPy's C reads beyond an empty matrix
        found, _, info = scipys.nnls(*read(small, known), maxiter)
    free = torch.tensor(numpy.flatnonzero(found), device=a.device)
    x = a.new_zeros(a.shape[1])
    if len(free):
        q, r = torch.linalg.qr(a[:, free])
        values = torch.linalg.solve_triangular(r, (q.mT @ right)[:, None], upper=True)[:, 0]
        x = x.index_put((free,), values.clamp(min=0))
    left = right - a @ x
    norm = torch.linalg.vector_norm(left) if len(free) < len(a) else 0 * left.sum()
    return array_of(x), array_of(norm) if has_derivative(norm) else float(norm), info
