"""The edges of the bins: given, of a number, or estimated."""

from __future__ import annotations

import math
import operator
from typing import Any

import torch
from torch import Tensor

from .._base.dtypes import FLOATS, INTEGERS, promote
from .._base.tracing import warn
from .._convert.arguments import as_tensor
from .._kernels import histograms as kernels
from .._kernels import reductions
from .._kernels.value_checks import holds_somewhere


def _floating(dtype: torch.dtype) -> torch.dtype:
    return dtype if dtype in FLOATS else torch.float64


def outer_edges(name: str, x: Tensor, range: Any, waits: bool = False) -> tuple[Tensor, Tensor]:
    """The first and the last edge, in the dtype used to compute the edges between them.

    ``waits`` says that the caller reads values on every device, so that they are checked there.
    """
    if range is not None:
        low, high = [float(edge) for edge in range]
        if low > high:
            raise ValueError(f"{name}: max must be larger than min in range ({low}, {high})")
        if not -math.inf < low <= high < math.inf:  # a trace knows no isfinite of a number
            raise ValueError(f"{name}: supplied range of [{low}, {high}] is not finite")
        ends = torch.tensor([low, high], dtype=torch.float64, device=x.device).unbind()
    elif not x.numel():
        ends = torch.tensor([0, 1], dtype=_floating(x.dtype), device=x.device).unbind()
    else:
        dtype = _floating(x.dtype)
        ends = tuple(
            extremum(x, (0,), False).to(dtype) for extremum in (reductions.min, reductions.max)
        )
        beyond = ~torch.isfinite(ends[0]) | ~torch.isfinite(ends[1])
        if bool(beyond) if waits else holds_somewhere(beyond):
            raise ValueError(
                f"{name}: autodetected range of [{ends[0].item()}, {ends[1].item()}] is not finite"
            )
    return kernels.widened(*ends)


def edges_of(name: str, x: Tensor, bins: object, range: object, weights: Tensor | None) -> Tensor:
    """The edges of the bins for every form of ``bins``."""
    if isinstance(bins, str):
        if bins != "stone" and bins not in kernels.RULES:
            raise ValueError(f"{name}: {bins!r} is not a valid estimator for bins")
        if weights is not None:
            raise TypeError(
                f"{name}: automated estimation of the number of bins is not supported for "
                "weighted data"
            )
        first, last = outer_edges(name, x, range, waits=True)  # for the number of bins
        return _equal_edges(name, x, first, last, _estimated(x, bins, first, last, range), range)
    if not is_array(bins):
        number = number_of_bins(name, "bins", bins)
        first, last = outer_edges(name, x, range)
        return _equal_edges(name, x, first, last, number, range)
    return given_edges(name, "bins", bins, x)


def is_array(bins: object) -> bool:
    """Whether ``bins`` has axes."""
    shape: Any = getattr(bins, "shape", ())
    return isinstance(bins, (list, tuple)) or bool(shape)


def number_of_bins(name: str, argument: str, bins: Any) -> int:
    try:
        number = operator.index(bins)
    except TypeError:
        raise TypeError(
            f"{name}: {argument} must be an integer, a string, or an array, not {bins!r}"
        ) from None
    if number < 1:
        raise ValueError(f"{name}: {argument} must be positive, when an integer, not {number}")
    return number


def given_edges(name: str, argument: str, bins: Any, x: Tensor) -> Tensor:
    at = as_tensor(name, bins, argument, x.device)
    if at.dim() != 1:
        raise ValueError(f"{name}: {argument} must be 1d, when an array, not of {at.dim()} axes")
    if holds_somewhere(
        at[:-1] > at[1:] if at.dtype in FLOATS else _signed(at[:-1]) > _signed(at[1:])
    ):
        raise ValueError(f"{name}: {argument} must increase monotonically, when an array")
    return at


def _signed(t: Tensor) -> Tensor:
    return t.to(torch.float64) if t.dtype is torch.uint64 else t.to(torch.int64)


def _equal_edges(
    name: str, x: Tensor, first: Tensor, last: Tensor, number: int, range: Any
) -> Tensor:
    dtype = _floating(x.dtype)
    if range is not None:
        # Python numbers are weak.
        strong = [as_tensor(name, e, "range").dtype for e in range if type(e) not in (int, float)]
        dtype = _floating(promote(name, x.dtype, *strong))
    at = kernels.edges(first, last, number).to(dtype)
    if holds_somewhere(at[:-1] >= at[1:]):
        raise ValueError(
            f"{name}: Too many bins for data range. Cannot create {number} finite-sized bins."
        )
    return at


def _estimated(x: Tensor, rule: str, first: Tensor, last: Tensor, range: object) -> int:
    """The number of bins by a rule; it depends on the values and waits for them."""
    values = x.to(torch.float64)
    low, high = first.to(torch.float64), last.to(torch.float64)
    if range is not None:
        values = values[(values >= low) & (values <= high)]
    if not values.numel():
        return 1
    if rule == "stone":
        width, limit = kernels.stone(values, low, high)
        if holds_somewhere(
            width * limit == reductions.max(values, (0,), False) - torch.amin(values)
        ):
            warn("The number of bins estimated may be suboptimal.", RuntimeWarning)
    else:
        width = kernels.RULES[rule](values)
    if x.dtype in INTEGERS:
        width = torch.where((width > 0) & (width < 1), 1.0, width)
    number = torch.where(width == 0, 1.0, torch.ceil((high - low) / width))
    return int(number)
