"""What ``scipy.cluster._vq`` computes in Cython, in torch."""

from __future__ import annotations

from typing import Any

import torch

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor

BLOCK = 2**22  # distances that are held at once


def vq(obs: Any, code_book: Any) -> tuple[ndarray, ndarray]:
    """The nearest row of the code book to each row, and how far it is."""
    rows, centres = as_tensor("vq", obs), as_tensor("vq", code_book)
    if rows.dim() == 1:
        rows, centres = rows[:, None], centres[:, None]
    step = max(1, BLOCK // max(centres.numel(), 1))
    parts = [((part[:, None, :] - centres) ** 2).sum(-1).min(1) for part in torch.split(rows, step)]
    squares = torch.cat([p.values for p in parts])
    codes = torch.cat([p.indices for p in parts])
    return wrap(codes.to(torch.int32)), wrap(squares.sqrt())


def update_cluster_means(obs: Any, labels: Any, nc: int) -> tuple[ndarray, ndarray]:
    """The mean of the rows of each label, and which labels have rows."""
    rows, places = as_tensor("kmeans", obs), as_tensor("kmeans", labels).long()
    counts = torch.zeros(nc, dtype=rows.dtype, device=rows.device)
    counts.index_add_(0, places, torch.ones_like(places, dtype=rows.dtype))
    sums = torch.zeros(nc, *rows.shape[1:], dtype=rows.dtype, device=rows.device)
    sums.index_add_(0, places, rows)
    shape = [-1] + [1] * (rows.dim() - 1)
    return wrap(sums / counts.clamp(min=1).reshape(shape)), wrap(counts > 0)
