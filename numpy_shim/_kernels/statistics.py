"""The variance in NumPy's steps, weighted averages and covariances."""

from __future__ import annotations

import torch
from torch import Tensor

from xp_torch._kernels.blocks import Axes, is_large
from xp_torch._kernels.reductions import count
from xp_torch._torch.internals import is_known

from .._base.dtypes import promote
from .reductions import divided, masked, sum


def counted(x: Tensor, axes: Axes, keepdims: bool, mask: Tensor | None) -> Tensor | int:
    """How many elements take part: a number, or a tensor where there is a mask."""
    if mask is None:
        return count(x, axes)
    return sum(mask, axes, keepdims, torch.int64)


def total(x: Tensor, axes: Axes, keepdims: bool, dtype: torch.dtype, mask: Tensor | None) -> Tensor:
    """The sum of the elements that take part."""
    return sum(x if mask is None else masked(x, mask, 0.0), axes, keepdims, dtype)


def deviations(
    x: Tensor, axes: Axes, dtype: torch.dtype, mask: Tensor | None, mean: Tensor | None
) -> Tensor:
    """The squares of the distances from the mean, which is computed in ``dtype``."""
    if mean is None:
        divisor = counted(x, axes, True, mask)
        mean = divided(total(x, axes, True, dtype, mask), divisor)
    away = distance(x, mean)
    if x.dtype.is_complex:
        return torch.square(away.real) + torch.square(away.imag)
    if is_large(away) and not away.requires_grad:
        return away.square_()
    return torch.square(away)


def distance(x: Tensor, mean: Tensor) -> Tensor:
    """The distances from the mean, in a dtype that holds their values."""
    common = promote("var", x.dtype, mean.dtype)
    if common in _NO_DIFFERENCE:
        common = torch.float64
    if x.dtype is not common and is_large(x) and mean.dim() <= x.dim() and not mean.requires_grad:
        return x.to(common).sub_(mean.to(common))
    return x.to(common) - mean.to(common)


_NO_DIFFERENCE = frozenset({torch.bool, torch.uint16, torch.uint32, torch.uint64})
"""The dtypes in which torch cannot subtract."""


def variance(
    squares: Tensor,
    axes: Axes,
    keepdims: bool,
    dtype: torch.dtype,
    mask: Tensor | None,
    ddof: float,
    into: torch.dtype,
) -> Tensor:
    """The sum of the squares over the count less ``ddof``; infinite or NaN for too few elements."""
    divisor = counted(squares, axes, keepdims, mask)
    added = total(squares, axes, keepdims, dtype, mask).to(into)
    if isinstance(divisor, Tensor):
        return divided(added, torch.clamp_min(divisor - ddof, 0))
    free = divisor - ddof
    if not is_known(free):  # the count may depend on data
        return divided(added, torch.sym_max(free, 0))
    return divided(added, max(free, 0))


def spread_of_large(x: Tensor, axis: int, ddof: int, root: bool) -> Tensor:
    """The variance along an axis of a large tensor, or its square root.

    torch's own function goes through the other axes with steps of a row, unless it is the last.
    """
    if x.stride(axis) == 1 or x.requires_grad:
        return (torch.std if root else torch.var)(x, axis, correction=ddof)
    squares = x - torch.mean(x, axis, keepdim=True)
    result = torch.sum(squares.square_(), axis).div_(x.shape[axis] - ddof)
    return result.sqrt_() if root else result


def weighted(
    x: Tensor, weights: Tensor, axes: Axes, keepdims: bool, dtype: torch.dtype
) -> tuple[Tensor, Tensor]:
    """The average of ``x`` and the sum of the weights; both have one shape."""
    w = weights.to(dtype)
    divisor = sum(w.expand(x.shape), axes, keepdims, dtype)
    return divided(sum(x.to(dtype) * w, axes, keepdims, dtype), divisor), divisor


def covariance(rows: Tensor, weights: Tensor | None, aweights: Tensor | None, ddof: int) -> Tensor:
    """The covariances of the rows; ``weights`` are the products of all weights.

    The divisor is that of NumPy's ``cov``: frequencies count as repetitions, ``aweights`` as
    reliabilities.
    """
    if weights is None:
        mean = torch.mean(rows, 1, True)
        centred = rows - mean
        divisor: Tensor | float = max(rows.shape[1] - ddof, 0)
        right = centred
    else:
        w = weights.to(rows.dtype)
        mass = torch.sum(w)
        centred = rows - (torch.sum(rows * w, 1, True) / mass)
        right = centred * w
        if ddof == 0:
            free = mass
        elif aweights is None:
            free = mass - ddof
        else:
            free = mass - ddof * torch.sum(weights * aweights).to(rows.dtype) / mass
        divisor = torch.clamp_min(free.real, 0)
    product = torch.matmul(centred, right.mT.conj())
    return product / divisor


def normalized(c: Tensor) -> Tensor:
    """Correlations from covariances, their parts within -1 and 1."""
    deviation = torch.sqrt(torch.diagonal(c).real)
    r = c / deviation[:, None] / deviation
    if r.dtype.is_complex:
        return torch.complex(torch.clamp(r.real, -1, 1), torch.clamp(r.imag, -1, 1))
    return torch.clamp(r, -1, 1)
