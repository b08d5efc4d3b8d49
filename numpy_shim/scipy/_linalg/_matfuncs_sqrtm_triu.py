"""``scipy.linalg._matfuncs_sqrtm_triu`` for arrays of ours: roots of triangular matrices."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor
from .forms import triangular_sylvester

_SMALL = 32
"""A matrix of at most so many rows is taken diagonal by diagonal, a larger one in halves."""


def root(t: Tensor, checked: bool = True) -> Tensor:
    """The square root of an upper triangular matrix.

    Where there is none it is a RuntimeError if ``checked``, and otherwise has infinities or NaNs.
    """
    n = t.shape[-1]
    if n <= _SMALL:
        return _by_diagonals(t, checked)
    k = n // 2
    first, last = root(t[:k, :k], checked), root(t[k:, k:], checked)
    beside, _ = triangular_sylvester(first, last, t[:k, k:])
    return torch.cat([torch.cat([first, beside], 1), torch.cat([0 * t[k:, :k], last], 1)])


def _by_diagonals(t: Tensor, checked: bool) -> Tensor:
    diagonal = t.diagonal().sqrt()
    r = torch.diag(diagonal)
    for p in range(1, t.shape[-1]):
        rest = t.diagonal(p) - (r @ r).diagonal(p)
        divisor = diagonal[p:] + diagonal[:-p]
        both = (divisor == 0) & (rest == 0)
        if checked and bool(((divisor == 0) & ~both).any()):
            raise RuntimeError("failed to find the matrix square root")
        r.diagonal(p)[...] = torch.where(both, 0, rest / torch.where(both, 1, divisor))
    return r


def within_block_loop(
    r: ndarray, t: ndarray, start_stop_pairs: Sequence[tuple[int, int]], nblocks: int
) -> None:
    """Write the roots of the blocks on the diagonal."""
    whole = as_tensor("sqrtm", t)
    for start, stop in start_stop_pairs:
        r[start:stop, start:stop] = wrap(root(whole[start:stop, start:stop]))
