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


def root(t: Tensor) -> Tensor:
    """The square root of an upper triangular matrix; RuntimeError where there is none."""
    n = t.shape[-1]
    if n <= _SMALL:
        return _by_diagonals(t)
    k = n // 2
    first, last = root(t[:k, :k]), root(t[k:, k:])
    beside, _ = triangular_sylvester(first, last, t[:k, k:])
    return torch.cat([torch.cat([first, beside], 1), torch.cat([0 * t[k:, :k], last], 1)])


def _by_diagonals(t: Tensor) -> Tensor:
    diagonal = t.diagonal().sqrt()
    r = torch.diag(diagonal)
    for p in range(1, t.shape[-1]):
        rest = t.diagonal(p) - (r @ r).diagonal(p)
        divisor = diagonal[p:] + diagonal[:-p]
        zero = divisor == 0
        if bool((zero & (rest != 0)).any()):
            raise RuntimeError("failed to find the matrix square root")
        r = r + torch.diag(torch.where(zero, 0, rest / torch.where(zero, 1, divisor)), p)
    return r


def within_block_loop(
    r: ndarray, t: ndarray, start_stop_pairs: Sequence[tuple[int, int]], nblocks: int
) -> None:
    """Write the roots of the blocks on the diagonal."""
    whole = as_tensor("sqrtm", t)
    for start, stop in start_stop_pairs:
        r[start:stop, start:stop] = wrap(root(whole[start:stop, start:stop]))
