"""A look at the values of a tensor, where it spares a kernel computing for the worst case.

A torch call on a small tensor costs more than its values in a Python list. So a kernel whose
torch function is wrong for some rare values may call it first and look whether one was met. Only
on the CPU, where nothing waits for a value, and never in a trace, which has none: there a
look finds nothing out, and the kernel takes its way for all values. The result is the
same either way.
"""

from __future__ import annotations

from itertools import chain
from math import nan
from typing import Any

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._core import box as _box

FEW = 64
"""Up to this many values, a list of them is cheaper than another torch call."""
LITTLE = 8 * FEW
"""The same in bytes, which are asked for sooner."""


def possible(x: Tensor) -> bool:
    """Whether a look at the values costs nothing but its own time.

    Kernels where that time shows write this out.
    """
    # Fake tensors, whose values a graph would be made of, are of another type. is_cpu alone
    # would do, and costs what both questions before it do.
    return (
        not is_dynamo_compiling() and type(x) is Tensor and (not _box.several_devices or x.is_cpu)
    )


def no_nan(x: Tensor) -> bool:
    """Whether a look has shown that no element is NaN, in no part."""
    try:
        return possible(x) and x.equal(x)
    except RuntimeError:  # under vmap and its like
        return False


def few_values(x: Tensor) -> list[Any] | None:
    """The values of a small tensor, flat; ``None`` if it is large or cannot be looked at."""
    if not possible(x) or x.numel() > FEW:
        return None
    try:
        return flat(x.tolist())
    except RuntimeError:  # under vmap and its like
        return None


def flat(values: Any) -> list[Any]:
    """What ``tolist`` gave, nested lists or a number, as one list."""
    row: list[Any] = values if type(values) is list else [values]
    while row and type(row[0]) is list:
        row = list(chain.from_iterable(row))
    return row


def no_zero_parts(x: Tensor) -> bool:
    """Whether a look has shown that no part of a complex element is NaN or zero."""
    values = few_values(x)
    return values is not None and all(v.real and v.imag and v == v for v in values)


def total(x: Tensor) -> Any:
    """The sum of the values, or NaN if they cannot be looked at.

    It is NaN if one of them is, and finite only if all of them are.
    """
    if not possible(x):
        return nan
    try:
        if x.numel() > FEW:
            return x.sum().item()
        return sum(flat(x.tolist()))
    except RuntimeError:  # under vmap and its like
        return nan


def finite(x: Tensor) -> bool:
    """Whether a look has shown that all elements are finite, in both parts.

    A sum that overflows counts as not shown.
    """
    found = total(x)
    return bool(found - found == 0)
