"""Quantiles of sorted rows, by the rules of Hyndman and Fan and NumPy's own.

Rows are sorted along the last axis. The number of elements that count is a number, or a
tensor with one count per row (where NaN, which is sorted last, is ignored).

Source of the rules: R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages",
The American Statistician 50(4), 1996; the rules' names and the rounding are NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from xp_torch._kernels.arithmetic import subtract
from xp_torch._kernels.unsigned import as_signed, from_signed, to_ordered

Count = int | Tensor

_CONTINUOUS: dict[str, tuple[float, float]] = {
    "interpolated_inverted_cdf": (0.0, 1.0),
    "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0),
    "median_unbiased": (1 / 3.0, 1 / 3.0),
    "normal_unbiased": (3 / 8.0, 3 / 8.0),
}
"""The constants alpha and beta of the rules that are continuous in the probability."""


def _inverted_cdf(n: Count, q: Tensor) -> Tensor:
    index = n * q - 1
    return torch.ceil(index)


def _closest_observation(n: Count, q: Tensor) -> Tensor:
    index = n * q - 1 - 0.5
    below = torch.floor(index)
    stays = (index == below) & (torch.remainder(below, 2) == 1)
    return torch.where(stays, below, below + 1)


_DISCRETE: dict[str, Callable[[Count, Tensor], Tensor]] = {
    "inverted_cdf": _inverted_cdf,
    "closest_observation": _closest_observation,
    "lower": lambda n, q: torch.floor((n - 1) * q),
    "higher": lambda n, q: torch.ceil((n - 1) * q),
    "nearest": lambda n, q: torch.round((n - 1) * q),
}
"""The rules that return one of the elements: they give its index."""

METHODS = (
    *_DISCRETE, *_CONTINUOUS, "linear", "midpoint", "averaged_inverted_cdf",
)  # fmt: skip
"""All rules."""


def interpolates(method: str) -> bool:
    """Whether a rule interpolates between elements."""
    return method not in _DISCRETE


def _take(rows: Tensor, index: Tensor) -> Tensor:
    """The elements at ``index``, which has one row for all or a row for each."""
    bits = as_signed(rows)
    if index.dim() == 1:
        taken = bits.index_select(-1, index)
    else:
        taken = bits.gather(-1, index)
    return from_signed(taken, rows.dtype)


def _clamped(index: Tensor, n: Count) -> Tensor:
    whole = index.to(torch.int64)
    if isinstance(n, Tensor):
        return torch.minimum(whole, n - 1).clamp_min(0)
    return whole.clamp(0, n - 1)


def quantiles(
    rows: Tensor,
    q: Tensor,
    method: str,
    n: Count,
    dtype: torch.dtype | None,
    take: Callable[[Tensor, Tensor], Tensor] = _take,
) -> Tensor:
    """The quantiles of sorted rows: of shape (..., number of probabilities).

    ``q`` is 1-D and floating-point. Interpolation is computed in ``dtype``;
    ``None`` returns elements as they are. With another ``take``
    the rows need not be sorted.
    """
    if isinstance(n, Tensor):
        n = n.unsqueeze(-1)
    if method in _DISCRETE:
        return take(rows, _clamped(_DISCRETE[method](n, q), n))
    if method == "linear":
        index = (n - 1) * q
    elif method == "midpoint":
        exact = (n - 1) * q
        index = 0.5 * (torch.floor(exact) + torch.ceil(exact))
    elif method == "averaged_inverted_cdf":
        index = n * q - 1
    else:
        alpha, beta = _CONTINUOUS[method]
        index = n * q + (alpha + q * (1 - alpha - beta)) - 1
    below = torch.floor(index)
    fraction = index - below
    if method == "midpoint":
        fraction = torch.where(fraction == 0, 0.0, 0.5)
    elif method == "averaged_inverted_cdf":
        fraction = torch.where(fraction == 0, 0.5, 1.0)
    # Beyond either end both neighbours are the last element.
    if dtype is None:
        return take(rows, _clamped(below, n))
    both = take(rows, torch.cat([_clamped(below, n), _clamped(below + 1, n)], -1))
    lower, upper = both[..., : q.numel()], both[..., q.numel() :]
    return _between(lower, upper, fraction.to(q.dtype), dtype)


def _between(a: Tensor, b: Tensor, t: Tensor, dtype: torch.dtype) -> Tensor:
    """``a + (b - a) * t``, from the nearer end, in NumPy's roundings."""
    distance = subtract.general(b, a).to(dtype)
    near = a.to(dtype) + distance * t.to(dtype)
    far = b.to(dtype) - distance * (1 - t).to(dtype)
    return torch.where(t >= 0.5, far, near)


def weighted(rows: Tensor, weights: Tensor, q: Tensor) -> tuple[Tensor, Tensor]:
    """The inverted distribution function of weighted rows, and the total weights.

    The rows need not be sorted. ``q`` is 1-D.
    """
    order = torch.argsort(to_ordered(rows), -1)
    ordered = _take_along(rows, order)
    mass = torch.cumsum(weights.gather(-1, order).to(torch.float64), -1)
    total = mass[..., -1:]
    cdf = mass / total
    if q.dtype.is_floating_point:
        cdf = cdf.to(q.dtype)
    # An element of weight 0 is never a quantile, not even for probability 0.
    cdf = torch.where(cdf == 0, -1.0, cdf)
    wanted = q.to(cdf.dtype).expand(*rows.shape[:-1], -1)
    position = torch.searchsorted(cdf.contiguous(), wanted.contiguous())
    return _take_along(ordered, position.clamp_max(rows.shape[-1] - 1)), total


def _take_along(rows: Tensor, index: Tensor) -> Tensor:
    return from_signed(as_signed(rows).gather(-1, index), rows.dtype)


def middle(rows: Tensor, n: Count) -> tuple[Tensor, Tensor]:
    """The two middle elements of sorted rows; the middle one twice for an odd number."""
    if isinstance(n, Tensor):
        low = torch.clamp_min((n - 1) // 2, 0).unsqueeze(-1)
        high = (n // 2).unsqueeze(-1).clamp_max(rows.shape[-1] - 1)
        return _take_along(rows, low).squeeze(-1), _take_along(rows, high).squeeze(-1)
    return rows[..., (n - 1) // 2], rows[..., n // 2]
