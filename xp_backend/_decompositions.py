"""Operators that torch leaves to a device's kernels, in terms of simpler ones."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from . import _random
from ._operators import aten

UNIQUE = aten("_unique2.default")


def full_like(
    x: Tensor, value: Any, *, dtype: torch.dtype | None = None, device: Any = None, **_: Any
) -> Tensor:
    """A new tensor of the same shape: ``torch.full`` on the device of ``x``."""
    return torch.full(x.shape, value, dtype=dtype or x.dtype, device=device or x.device)


def fill(x: Tensor, value: Any) -> Tensor:
    """What ``fill_`` leaves in ``x``."""
    return torch.full(x.shape, value, dtype=x.dtype, device=x.device)


def fill_tensor(x: Tensor, value: Tensor) -> Tensor:
    return value.to(x.dtype).expand(x.shape).clone()


def equal(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors have the same shape and values; reads one value."""
    return a.shape == b.shape and bool((a == b).all())


def isclose(
    a: Tensor, b: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """Whether elements differ by no more than ``atol + rtol * abs(b)``."""
    if a.dtype is not b.dtype or rtol < 0 or atol < 0:
        return NotImplemented  # type: ignore[no-any-return]  # torch says what is wrong
    close = a == b
    if not (a.is_floating_point() or a.is_complex()):
        if not rtol and not atol:
            return close
    elif equal_nan:
        close = close | ((a != a) & (b != b))
    apart = (a - b).abs()
    return close | (apart.isfinite() & (apart <= atol + (rtol * b).abs()))


def allclose(
    a: Tensor, b: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> bool:
    """Whether all elements are close; reads one value."""
    return bool(torch.isclose(a, b, rtol, atol, equal_nan).all())


def vector_norm(
    x: Tensor,
    ord: float = 2,
    dim: list[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: torch.dtype | None = None,
) -> Tensor:
    """The root of the sum of squares of real floats; torch's own rule has the other norms."""
    if ord != 2 or dtype is not None or x.dtype not in (torch.float32, torch.float64):
        return NotImplemented  # type: ignore[no-any-return]
    squares = x * x
    total = squares.sum() if dim is None and not keepdim else squares.sum(dim, keepdim)
    return total.sqrt()


def put(x: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """A copy of ``x`` with elements written to positions of its C order."""
    flat = x.reshape(-1)
    written = flat.index_put((index.reshape(-1),), source.reshape(-1), accumulate=accumulate)
    return written.reshape(x.shape)


def unique(x: Tensor, sorted: bool = True, return_inverse: bool = False) -> tuple[Tensor, Tensor]:
    """The values and where each element is among them."""
    values, inverse, _ = UNIQUE(x, sorted, return_inverse)
    return values, inverse


def unique_consecutive(
    x: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """The first element, or row along ``dim``, of each run of equal ones.

    Then each one's run, and the lengths.
    """
    rows = x.reshape(-1) if dim is None else x.movedim(dim, 0)
    positions, runs, counts = _runs(rows)
    if dim is None:
        return rows[positions], runs.reshape(x.shape), counts
    return rows[positions].movedim(0, dim), runs, counts


def unique_dim(
    x: Tensor,
    dim: int,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """The different rows along ``dim`` in order, which of them each row is, and how often."""
    rows = x.movedim(dim, 0)
    order = torch.arange(len(rows), device=x.device)
    for column in reversed(rows[:, None].flatten(1).unbind(1)):
        order = order[torch.argsort(column[order], stable=True)]
    positions, runs, counts = _runs(rows[order])
    inverse = torch.empty_like(order).index_put((order,), runs)
    return rows[order[positions]].movedim(0, dim), inverse, counts


def _runs(rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Where runs of equal rows start, each row's run, and the lengths of the runs."""
    starts = torch.ones(len(rows), dtype=torch.bool, device=rows.device)
    starts[1:] = (rows[1:] != rows[:-1])[:, None].flatten(1).any(1)
    (positions,) = starts.nonzero(as_tuple=True)
    ends = torch.cat([positions[1:], positions.new_full((1,), len(rows))[: positions.numel()]])
    return positions, starts.cumsum(0) - 1, ends - positions


def bincount(x: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each integer from 0 occurs, or the sum of its weights; reads the largest."""
    if x.ndim != 1 or x.is_floating_point() or (x.numel() and bool((x < 0).any())):
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is not None and weights.shape != x.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    length = max(minlength, int(x.max()) + 1 if x.numel() else 0)
    if weights is None:
        weights = torch.ones(x.shape, dtype=torch.int64, device=x.device)
    elif weights.dtype is not torch.float32:
        weights = weights.to(torch.float64)
    counts = torch.zeros(length, dtype=weights.dtype, device=x.device)
    return counts.index_add(0, x.to(torch.int64), weights)


def histc(x: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> Tensor:
    """How many elements are in each of the equal bins between two numbers; reads the range."""
    x = x.reshape(-1)
    if min == max and x.numel():
        min, max = float(x.min()), float(x.max())
    if min == max:
        min, max = min - 1, max + 1
    inside = x[(x >= min) & (x <= max)]
    found = ((inside - min) * (bins / (max - min))).to(torch.int64).clamp(max=bins - 1)
    return torch.bincount(found, minlength=bins).to(x.dtype)


def _factors(a: Tensor) -> tuple[Tensor, Tensor]:
    """The LU factors as torch's gradients expect them: of the transpose where A is contiguous."""
    turned = a.is_contiguous() and not a.is_complex()
    factors, pivots, _ = torch.linalg.lu_factor_ex(a.mT if turned else a)
    return factors, pivots


def _parity(pivots: Tensor) -> Tensor:
    """1 or -1 by the number of rows that were exchanged."""
    rows = torch.arange(1, pivots.shape[-1] + 1, dtype=pivots.dtype, device=pivots.device)
    return 1 - 2 * ((pivots != rows).sum(-1) % 2)


def det(a: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The determinant and the factors that its gradient needs."""
    factors, pivots = _factors(a)
    diagonal = factors.diagonal(dim1=-2, dim2=-1)
    return diagonal.prod(-1) * _parity(pivots), factors, pivots


def slogdet(a: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Sign and logarithm of the determinant, and the factors that the gradient needs."""
    factors, pivots = _factors(a)
    diagonal = factors.diagonal(dim1=-2, dim2=-1)
    sign = torch.sgn(diagonal).prod(-1) * _parity(pivots)
    return sign, diagonal.abs().log().sum(-1), factors, pivots


OWN = {
    aten("equal.default"): equal,
    aten("isclose.default"): isclose,
    aten("allclose.default"): allclose,
    aten("linalg_vector_norm.default"): vector_norm,
    aten("_linalg_det.default"): det,
    aten("_linalg_slogdet.default"): slogdet,
    aten("full_like.default"): full_like,
    aten("fill.Scalar"): fill,
    aten("fill.Tensor"): fill_tensor,
    aten("_unique.default"): unique,
    aten("unique_consecutive.default"): unique_consecutive,
    aten("unique_dim.default"): unique_dim,
    aten("bincount.default"): bincount,
    aten("histc.default"): histc,
    aten("put.default"): put,
    **_random.DECOMPOSITIONS,
}
