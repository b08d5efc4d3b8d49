"""A look at the values of a tensor, where it spares a kernel computing for the worst case.

A torch call on a small tensor costs more than its values in a Python list. So a kernel whose
torch function is wrong for some rare values may call it first and look whether one was met. Only
on the CPU, where nothing waits for a value, and never in a trace, which has none: there a
look finds nothing out, and the kernel takes its way for all values. The result is the
same either way.
"""

from __future__ import annotations

from math import nan
from typing import Any

from torch import Tensor
from torch.compiler import is_compiling

FEW = 64
"""Up to this many values, a list of them is cheaper than another torch call."""


def possible(x: Tensor) -> bool:
    """Whether a look at the values costs nothing but its own time."""
    return not is_compiling() and x.is_cpu


def no_nan(x: Tensor) -> bool:
    """Whether a look has shown that no element is NaN, in no part."""
    try:
        return not is_compiling() and x.is_cpu and x.equal(x)
    except RuntimeError:  # under vmap, or of a fake tensor
        return False


def few_values(x: Tensor) -> list[Any] | None:
    """The values of a small tensor, flat; ``None`` if it is large or cannot be looked at."""
    if is_compiling() or not x.is_cpu or x.numel() > FEW:
        return None
    try:
        return x.tolist() if x.ndim == 1 else x.reshape(-1).tolist()
    except RuntimeError:  # under vmap, or of a fake tensor
        return None


def no_zero_parts(x: Tensor) -> bool:
    """Whether a look has shown that no part of a complex element is NaN or zero."""
    values = few_values(x)
    return values is not None and all(v.real and v.imag and v == v for v in values)


def total(x: Tensor) -> Any:
    """The sum of the values, or NaN if they cannot be looked at.

    It is NaN if one of them is, and finite only if all of them are.
    """
    if is_compiling() or not x.is_cpu:
        return nan
    try:
        if x.numel() > FEW:
            return x.sum().item()
        return sum(x.tolist() if x.ndim == 1 else x.reshape(-1).tolist())
    except RuntimeError:  # under vmap, or of a fake tensor
        return nan


def finite(x: Tensor) -> bool:
    """Whether a look has shown that all elements are finite, in both parts.

    A sum that overflows counts as not shown.
    """
    found = total(x)
    return bool(found - found == 0)
