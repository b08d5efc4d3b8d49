"""What ``scipy.interpolate._rgi_cython`` computes, in torch: places in a grid."""

from __future__ import annotations

from typing import Any

import torch

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor


def find_indices(grid: Any, xi: Any) -> tuple[ndarray, ndarray]:
    """The interval of each place along each axis, and the part of it that lies before."""
    places = as_tensor("RegularGridInterpolator", xi)
    found, parts = [], []
    for points, x in zip(grid, places, strict=True):
        values = as_tensor("RegularGridInterpolator", points)
        if len(values) == 1:
            found.append(torch.zeros_like(x, dtype=torch.int64) - 1)
            parts.append(torch.zeros_like(x))
            continue
        i = torch.searchsorted(values[1:-1].contiguous(), x.contiguous(), right=True)
        found.append(i)
        parts.append((x - values[i]) / (values[i + 1] - values[i]))
    return wrap(torch.stack(found)), wrap(torch.stack(parts))


def evaluate_linear_2d(
    values: Any, indices: Any, norm_distances: Any, grid: Any, out: Any
) -> ndarray:
    """Write the bilinear values in the cells of a grid."""
    table = as_tensor("RegularGridInterpolator", values)
    i, j = as_tensor("RegularGridInterpolator", indices)
    u, v = as_tensor("RegularGridInterpolator", norm_distances)
    i1, j1 = (torch.where(k < 0, 0, k + 1) for k in (i, j))
    i, j = i.clamp(min=0), j.clamp(min=0)
    found = table[i, j] * (1 - u) * (1 - v) + table[i, j1] * (1 - u) * v
    found = found + table[i1, j] * u * (1 - v) + table[i1, j1] * u * v
    out[...] = wrap(found)
    return out  # type: ignore[no-any-return]
