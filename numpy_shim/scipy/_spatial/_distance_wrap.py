"""What ``scipy.spatial._distance_wrap`` computes in C: it writes to its last array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from ..._array.ndarray import wrap
from ..._convert.arguments import as_tensor
from ._distance_pybind import Metric, condensed, pairs, root


def _cosine(u: Tensor, v: Tensor) -> Tensor:
    lengths: Tensor = torch.linalg.vector_norm(u, dim=-1) * torch.linalg.vector_norm(v, dim=-1)
    return 1 - ((u * v).sum(-1) / lengths).clamp(-1, 1)


def _seuclidean(u: Tensor, v: Tensor, V: Tensor) -> Tensor:
    return root(((u - v) ** 2 / V).sum(-1))


def _mahalanobis(u: Tensor, v: Tensor, VI: Tensor) -> Tensor:
    apart = u - v
    return root(((apart @ VI) * apart).sum(-1))


def _jensenshannon(u: Tensor, v: Tensor) -> Tensor:
    p, q = u / u.sum(-1, keepdim=True), v / v.sum(-1, keepdim=True)
    middle = (p + q) / 2
    found = (_entropy(p, middle) + _entropy(q, middle)).sum(-1) / 2
    is_none = ((u < 0) | (v < 0)).any(-1)  # no probabilities
    is_none = is_none | (u.sum(-1) == 0) | (v.sum(-1) == 0)
    return torch.where(is_none, torch.inf, root(found.clamp(min=0)))


def _entropy(p: Tensor, q: Tensor) -> Tensor:
    some = p > 0
    return torch.where(some, p * (torch.where(some, p, 1.0) / torch.where(some, q, 1.0)).log(), 0.0)


def _between(metric: Metric) -> Callable[..., None]:
    def write(x: Any, y: Any, out: Any, **options: Any) -> None:
        named = {key: as_tensor("cdist", value) for key, value in options.items()}
        a, b = as_tensor("cdist", x), as_tensor("cdist", y)
        out[...] = wrap(pairs(lambda u, v: metric(u, v, **named), a, b))

    return write


def _within(metric: Metric) -> Callable[..., None]:
    def write(x: Any, out: Any, **options: Any) -> None:
        named = {key: as_tensor("pdist", value) for key, value in options.items()}
        a = as_tensor("pdist", x)
        out[...] = wrap(condensed(lambda u, v: metric(u, v, **named), a))

    return write


cdist_cosine_double_wrap, pdist_cosine_double_wrap = _between(_cosine), _within(_cosine)
cdist_jensenshannon_double_wrap = _between(_jensenshannon)
pdist_jensenshannon_double_wrap = _within(_jensenshannon)
cdist_mahalanobis_double_wrap = _between(_mahalanobis)
pdist_mahalanobis_double_wrap = _within(_mahalanobis)
cdist_seuclidean_double_wrap, pdist_seuclidean_double_wrap = (
    _between(_seuclidean),
    _within(_seuclidean),
)


def to_squareform_from_vector_wrap(matrix: Any, vector: Any) -> None:
    """Write a vector of distances above and below the diagonal."""
    n = len(matrix)
    found, values = as_tensor("squareform", matrix), as_tensor("squareform", vector)
    above = torch.ones(n, n, dtype=torch.bool, device=found.device).triu(1)
    found.masked_scatter_(above, values)
    found.copy_(torch.where(above, found, found.mT))


def to_vector_from_squareform_wrap(matrix: Any, vector: Any) -> None:
    """Write what is above the diagonal to a vector."""
    values = as_tensor("squareform", matrix)
    vector[...] = wrap(values[torch.ones_like(values, dtype=torch.bool).triu(1)])
