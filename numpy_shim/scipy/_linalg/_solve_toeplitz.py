"""``scipy.linalg._solve_toeplitz`` for arrays of ours: the recursion of Levinson."""

from __future__ import annotations

from typing import Any

import torch
from numpy.linalg import LinAlgError
from torch.compiler import is_compiling

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor


def levinson(a: ndarray, b: ndarray) -> tuple[ndarray, Any]:
    """The solution for the Toeplitz matrix of the ``2 n - 1`` elements ``a``, row by row of it.

    ``forward`` and ``backward`` are solutions for the leading block of a size, with the first and
    the last column of the identity on the right.
    """
    t, right = as_tensor("solve_toeplitz", a), as_tensor("solve_toeplitz", b)
    n = right.shape[0]
    middle = t[n - 1]
    divisors = [middle]
    forward = backward = (1 / middle).reshape(1)
    x = (right[0] / middle).reshape(1)
    zero = t.new_zeros(1)
    for k in range(1, n):
        row = t[n : n + k].flip(0)  # the row below the block
        below = row @ forward
        beside = t[n - 1 - k : n - 1].flip(0) @ backward  # the row of the corner
        divisor = 1 - below * beside
        divisors.append(divisor)
        longer, later = torch.cat([forward, zero]), torch.cat([zero, backward])
        forward = (longer - below * later) / divisor
        backward = (later - beside * longer) / divisor
        x = torch.cat([x, zero]) + (right[k] - row @ x) * backward
    if not is_compiling() and bool((torch.stack(divisors) == 0).any()):
        raise LinAlgError("Singular principal minor")
    return wrap(x), None
