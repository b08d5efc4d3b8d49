"""What ``scipy.spatial._distance_pybind`` computes in C++: distances of all pairs of rows.

A metric is a function from differences, or from two rows, to a number for each pair. The pairs are
taken block by block of rows, so that no more than ``BLOCK`` elements are held.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import torch
from torch import Tensor

from xp_torch._kernels.blocks import is_large
from xp_torch._kernels.special.series import readable

from ..._array.ndarray import wrap
from ..._convert.arguments import as_tensor

BLOCK = 2**22
Metric = Callable[..., Tensor]


def pairs(metric: Metric, a: Tensor, b: Tensor) -> Tensor:
    """The metric of each row of ``a`` and each row of ``b``."""
    step = max(1, _block(a, b) // max(b.numel(), 1))
    parts = [metric(part[:, None, :], b) for part in torch.split(a, step)]
    return torch.cat(parts) if parts else a.new_empty((0, len(b)))


def _block(*arrays: Tensor) -> int:
    """How many elements are taken at once: so few as the cache has, of many without a gradient."""
    is_many = is_large(arrays[0].expand(len(arrays[-1]), *arrays[0].shape))
    return 1 << 15 if is_many and not any(x.requires_grad for x in arrays) else BLOCK


def condensed(metric: Metric, x: Tensor) -> Tensor:
    """The metric of each row and each later one, in the order of ``pdist``."""
    if _block(x) < BLOCK:
        step = max(1, _block(x) // x.numel())
        begins = range(0, len(x) - 1, step)
        blocks = [metric(x[i : i + step, None, :], x[i + 1 :]) for i in begins]
        return torch.cat([line[i:] for block in blocks for i, line in enumerate(block)])
    rows, columns = torch.triu_indices(len(x), len(x), 1).to(x.device)
    step = max(1, BLOCK // max(x.shape[1], 1))
    split = zip(torch.split(rows, step), torch.split(columns, step), strict=True)
    parts = [metric(x[i], x[j]) for i, j in split]
    return torch.cat(parts) if len(rows) else x.new_empty(0)


def root(x: Tensor) -> Tensor:
    """The square root, whose derivative at 0 is 0: that of the distance of a row to itself."""
    is_zero = x == 0
    return torch.where(is_zero, x, torch.where(is_zero, 1.0, x).sqrt())


def quotient(x: Tensor, y: Tensor) -> Tensor:
    """``x / y``, and 0 where both are 0."""
    return torch.where((y == 0) & (x == 0), 0.0, x / torch.where((y == 0) & (x == 0), 1.0, y))


def _sqeuclidean(u: Tensor, v: Tensor, w: Tensor) -> Tensor:
    return (w * (u - v) ** 2).sum(-1)


def _euclidean(u: Tensor, v: Tensor, w: Tensor) -> Tensor:
    return root(_sqeuclidean(u, v, w))


def _cityblock(u: Tensor, v: Tensor, w: Tensor) -> Tensor:
    return (w * (u - v).abs()).sum(-1)


def _chebyshev(u: Tensor, v: Tensor, w: Tensor) -> Tensor:
    far = (u - v).abs()
    far = torch.where((w > 0) & ~torch.isnan(far), far, 0.0)  # no NaN is the largest
    return far.amax(-1) if far.shape[-1] else far.sum(-1)


def _minkowski(u: Tensor, v: Tensor, w: Tensor, p: float = 2.0) -> Tensor:
    if p == numpy.inf:
        return _chebyshev(u, v, w)
    if p == 2:
        return _euclidean(u, v, w)
    return (w * (u - v).abs() ** p).sum(-1) ** (1 / p)


def _canberra(u: Tensor, v: Tensor, w: Tensor) -> Tensor:
    return (w * quotient((u - v).abs(), u.abs() + v.abs())).sum(-1)


def _braycurtis(u: Tensor, v: Tensor, w: Tensor) -> Tensor:
    return (w * (u - v).abs()).sum(-1) / (w * (u + v).abs()).sum(-1)


def _hamming(u: Tensor, v: Tensor, w: Tensor) -> Tensor:
    return (w * (u != v)).sum(-1) / w.sum()


def _jaccard(u: Tensor, v: Tensor, w: Tensor) -> Tensor:
    x, y = u != 0, v != 0
    return quotient((w * (x ^ y)).sum(-1), (w * (x | y)).sum(-1))


def _dice(u: Tensor, v: Tensor, w: Tensor) -> Tensor:
    apart = (w * (u * (1 - v) + v * (1 - u))).sum(-1)
    return apart / (2 * (w * u * v).sum(-1) + apart)


def _weighted_dice(u: Tensor, v: Tensor, w: Tensor) -> Tensor:
    """With weights SciPy compares numbers that are not Booleans in another way."""
    apart = (w * (u != v)).sum(-1)
    return apart / (2 * (w * ((u != 0) & (v != 0))).sum(-1) + apart)


def _rogerstanimoto(u: Tensor, v: Tensor, w: Tensor) -> Tensor:
    apart = (w * ((u != 0) != (v != 0))).sum(-1)
    return 2 * apart / (w.sum() + apart)


def _russellrao(u: Tensor, v: Tensor, w: Tensor) -> Tensor:
    return (w.sum() - (w * ((u != 0) & (v != 0))).sum(-1)) / w.sum()


def _sokalsneath(u: Tensor, v: Tensor, w: Tensor) -> Tensor:
    apart = 2 * (w * ((u != 0) != (v != 0))).sum(-1)
    return apart / ((w * ((u != 0) & (v != 0))).sum(-1) + apart)


def _yule(u: Tensor, v: Tensor, w: Tensor) -> Tensor:
    x, y = u != 0, v != 0
    half = (w * (x & ~y)).sum(-1) * (w * (~x & y)).sum(-1)
    return quotient(2 * half, (w * (x & y)).sum(-1) * (w * (~x & ~y)).sum(-1) + half)


def _given(name: str, *arrays: Any, w: Any) -> tuple[list[Tensor], Tensor]:
    """The rows in the type that SciPy computes with, and the weights."""
    rows = [as_tensor(name, x) for x in arrays]
    if any(x.dim() != 2 for x in rows) or len({x.shape[1] for x in rows}) > 1:
        raise ValueError(f"{name}: arrays must be 2-dimensional, with rows of one length")
    rows = [x.double() for x in rows]
    if w is None:
        return rows, rows[0].new_ones(rows[0].shape[1])
    weights = as_tensor(name, w).to(rows[0].dtype)
    if bool((weights < 0).any()):
        raise ValueError("Input weights should be all non-negative")
    return rows, weights


def _written(found: Tensor, out: Any) -> Any:
    if out is None:
        return wrap(found)
    if out.shape != tuple(found.shape):
        raise ValueError("Output array has incorrect shape.")
    if not out.flags.c_contiguous:
        raise ValueError("Output array must be C-contiguous")
    if out.dtype != numpy.float64:
        raise ValueError("wrong out dtype, expected float64")
    out[...] = wrap(found)
    return out


def _may_be_torchs(*arrays: Tensor) -> bool:
    """Whether arrays are of the CPU, outside of graphs, without a gradient."""
    return all(readable(x) and not x.requires_grad for x in arrays)


_TORCHS: dict[Metric, float] = {_cityblock: 1, _euclidean: 2, _chebyshev: numpy.inf}
"""The metrics that torch has; without gradients of all orders."""

_WEIGHTED: dict[Metric, Metric] = {_dice: _weighted_dice}


def _between(name: str, metric: Metric) -> Callable[..., Any]:
    def call(x: Any, y: Any, *, w: Any = None, out: Any = None, **options: Any) -> Any:
        (a, b), weights = _given(name, x, y, w=w)
        used = metric if w is None else _WEIGHTED.get(metric, metric)
        if w is None and metric in _TORCHS and _may_be_torchs(a, b):
            exact = "donot_use_mm_for_euclid_dist"
            return _written(torch.cdist(a, b, _TORCHS[metric], exact), out)
        return _written(pairs(lambda u, v: used(u, v, weights, **options), a, b), out)

    return call


def _within(name: str, metric: Metric) -> Callable[..., Any]:
    def call(x: Any, *, w: Any = None, out: Any = None, **options: Any) -> Any:
        (a,), weights = _given(name, x, w=w)
        used = metric if w is None else _WEIGHTED.get(metric, metric)
        if w is None and metric in _TORCHS and _may_be_torchs(a):
            found = torch.pdist(a, _TORCHS[metric])
            if metric is not _chebyshev or not bool(torch.isnan(found).any()):
                return _written(found, out)
        return _written(condensed(lambda u, v: used(u, v, weights, **options), a), out)

    return call


cdist_braycurtis, pdist_braycurtis = _between("cdist", _braycurtis), _within("pdist", _braycurtis)
cdist_canberra, pdist_canberra = _between("cdist", _canberra), _within("pdist", _canberra)
cdist_chebyshev, pdist_chebyshev = _between("cdist", _chebyshev), _within("pdist", _chebyshev)
cdist_cityblock, pdist_cityblock = _between("cdist", _cityblock), _within("pdist", _cityblock)
cdist_dice, pdist_dice = _between("cdist", _dice), _within("pdist", _dice)
cdist_euclidean, pdist_euclidean = _between("cdist", _euclidean), _within("pdist", _euclidean)
cdist_hamming, pdist_hamming = _between("cdist", _hamming), _within("pdist", _hamming)
cdist_jaccard, pdist_jaccard = _between("cdist", _jaccard), _within("pdist", _jaccard)
cdist_minkowski, pdist_minkowski = _between("cdist", _minkowski), _within("pdist", _minkowski)
cdist_rogerstanimoto = _between("cdist", _rogerstanimoto)
pdist_rogerstanimoto = _within("pdist", _rogerstanimoto)
cdist_russellrao, pdist_russellrao = _between("cdist", _russellrao), _within("pdist", _russellrao)
cdist_sokalsneath = _between("cdist", _sokalsneath)
pdist_sokalsneath = _within("pdist", _sokalsneath)
cdist_sqeuclidean, pdist_sqeuclidean = (
    _between("cdist", _sqeuclidean),
    _within("pdist", _sqeuclidean),
)
cdist_yule, pdist_yule = _between("cdist", _yule), _within("pdist", _yule)
