"""Questions to trees where the points asked for are: by the distances of all pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import finalize

import numpy
import torch
from scipy.spatial import KDTree, cKDTree
from torch import Tensor

from xp_torch._kernels.special.series import readable

from ..._array.ndarray import wrap
from ..._convert.arguments import as_tensor
from ..._numpys.names import on_its_device
from .._standing import OnTheHostError
from ._distance_pybind import BLOCK, root

MANY = 1 << 24
"""The distances beyond which a tree on the host is asked."""

_points: dict[int, dict[torch.device, Tensor]] = {}
"""By the array of a tree's points, while it lives, the points on each device asked from."""


def method_of(real: Any, name: str) -> Callable[..., Any] | None:
    """A method of one of SciPy's trees; ``None`` if it has none of ours."""
    if name != "query" or not isinstance(real, cKDTree):
        return None

    def query(
        x: Any, k: Any = 1, eps: float = 0, p: float = 2, distance_upper_bound: float = numpy.inf,
        workers: int = 1,
    ) -> tuple[Any, Any]:  # fmt: skip
        """The nearest points, as ``KDTree.query``; exact for any ``eps``."""
        if isinstance(real, KDTree) and k is None:
            raise ValueError("k must be an integer or a sequence of integers")
        wanted = _asked(x)
        _check(real, wanted, k, eps, p, workers)
        ranks = numpy.arange(1, k + 1) if numpy.ndim(k) == 0 else numpy.asarray(k)
        found = _nearest(real, wanted.reshape(-1, real.m), ranks, p, distance_upper_bound)
        is_one = numpy.ndim(k) == 0 and k == 1
        shape = wanted.shape[:-1] if is_one else (*wanted.shape[:-1], len(ranks))
        distances, places = (wrap(values.reshape(shape)) for values in found)
        return distances, places

    return on_its_device(query)


def _asked(x: Any) -> Tensor:
    tensor = as_tensor("query", x)
    if tensor.is_complex():
        raise TypeError("KDTree does not work with complex data")
    return tensor.double()


def _check(real: Any, x: Tensor, k: Any, eps: float, p: float, workers: int) -> None:
    """Leave to SciPy, with its own words, what it refuses, and what takes too long here."""
    ranks = numpy.asarray(k)
    is_whole = ranks.dtype.kind in "iu" and ranks.ndim < 2 and ranks.size and ranks.min() > 0
    fits = x.dim() and x.shape[-1] == real.m and bool(x.isfinite().all())
    if not (is_whole and fits and p >= 1 and eps >= 0 and (workers > 0 or workers == -1)):
        raise OnTheHostError("SciPy has other answers for such arguments")
    if real.boxsize is not None:
        raise OnTheHostError("its box has no ends")
    if real.n == 0 or real.m == 0:
        raise OnTheHostError("the tree has no values")
    if not x.is_cpu and x.numel() // real.m * real.n > MANY:
        raise OnTheHostError("a tree on the host needs fewer distances")


def _nearest(real: Any, x: Tensor, ranks: Any, p: float, limit: float) -> tuple[Tensor, Tensor]:
    """The distances to the points of some ranks, and their indices, for each row."""
    data = _points_on(real, x.device)
    places = _places(real, x.detach(), data, ranks, p)
    apart = _length(x[:, None, :] - data[places.clamp(max=real.n - 1)], p)
    is_near = (places < real.n) & (apart < limit)
    return torch.where(is_near, apart, torch.inf), torch.where(is_near, places, real.n)


def _places(real: Any, x: Tensor, data: Tensor, ranks: Any, p: float) -> Tensor:
    """The indices of the points of some ranks; where there are not so many, their number."""
    if readable(x):  # on the CPU: the tree says it
        return torch.from_numpy(cKDTree.query(real, x.numpy(), ranks, p=p)[1])
    most, step = min(int(ranks.max()), real.n), max(1, BLOCK // data.numel())
    blocks = torch.split(x, step) if len(x) else [x]
    order = [
        torch.topk(_length(part[:, None, :] - data, p), most, largest=False)[1] for part in blocks
    ]
    taken = torch.as_tensor(ranks - 1).to(x.device)
    found = torch.cat(order)[:, taken.clamp(max=most - 1)]
    return torch.where(taken < most, found, real.n)


def _length(apart: Tensor, p: float) -> Tensor:
    """The length of each difference; at 0 its derivative is 0."""
    if p == 2:
        return root((apart**2).sum(-1))
    if p == 1:
        return apart.abs().sum(-1)
    if p == numpy.inf:
        return apart.abs().amax(-1)
    powers = (apart.abs() ** p).sum(-1)
    is_zero = powers == 0
    return torch.where(is_zero, powers, torch.where(is_zero, 1.0, powers) ** (1 / p))


def _points_on(real: Any, device: torch.device) -> Tensor:
    """The points of a tree, which go to a device once."""
    known = id(real.data)
    if known not in _points:
        _points[known] = {}
        finalize(real.data, _points.pop, known, None)
    kept = _points[known]
    if device not in kept:
        kept[device] = torch.from_numpy(numpy.array(real.data)).to(device)
    return kept[device]
