"""Sorting for every real dtype, by torch's functions. NaN counts as greater than any number."""

from __future__ import annotations

import torch
from torch import Tensor

from .unsigned import from_ordered, to_ordered


def sort(x: Tensor, axis: int, descending: bool, stable: bool) -> Tensor:
    """The sorted elements."""
    ordered = torch.sort(to_ordered(x), dim=axis, descending=descending, stable=stable)[0]
    return from_ordered(ordered, x.dtype)


def argsort(x: Tensor, axis: int, descending: bool, stable: bool) -> Tensor:
    """The indices that sort; equal elements keep their order if ``stable``."""
    return torch.argsort(to_ordered(x), dim=axis, descending=descending, stable=stable)
