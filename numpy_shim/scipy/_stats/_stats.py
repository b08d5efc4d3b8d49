"""What ``scipy.stats._stats`` computes in Cython, in torch."""

from __future__ import annotations

from typing import Any

import scipy.stats._stats
import torch

from ..._array.ndarray import ndarray
from ..._convert.arguments import as_tensor


def _kendall_dis(x: ndarray, y: ndarray) -> int:
    """The pairs that two rankings order differently.

    ``x`` is sorted, and ``y`` where elements of ``x`` are equal. So they are the inversions of
    ``y``: counted as it is merged from pairs of sorted parts, of a length that doubles.
    """
    ranks = as_tensor("kendalltau", y)
    count = max(ranks.numel() - 1, 1).bit_length()
    merged = torch.full(
        (2**count,), torch.iinfo(ranks.dtype).max, device=ranks.device, dtype=ranks.dtype
    )
    merged[: ranks.numel()] = ranks
    found = torch.zeros((), dtype=torch.int64, device=ranks.device)
    for level in range(count):
        first, second = merged.reshape(-1, 2, 2**level).unbind(1)
        places = torch.searchsorted(first.contiguous(), second.contiguous(), right=True)
        found += (2**level - places).sum()
        merged = merged.reshape(-1, 2 ** (level + 1)).sort(1).values
    return int(found)


def __getattr__(name: str) -> Any:
    """What is not written here is SciPy's."""
    return getattr(scipy.stats._stats, name)
