"""Read the values of a small tensor, so that a kernel need not compute for the worst case.

A torch call on a small tensor costs more than its values in a Python list. So a kernel whose torch
function is wrong for some rare values may call it first and check for such values. This happens on
the CPU only, where nothing waits for a value, and never in a trace, which has no values. Elsewhere
the check fails, and the kernel uses its code for all values. The result is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from math import nan
from typing import Any

from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._core import box as _box

FEW = 64
"""Up to this number of values, a list is cheaper than another torch call."""
LITTLE = 8 * FEW
"""The same limit in bytes, which are faster to read."""

memory_of: dict[type, Callable[[Any], Tensor]] = {}
"""Classes of tensors that show the memory of another tensor, and what finds that one."""


def possible(x: Tensor) -> bool:
    """Whether the values can be read without waiting.

    Kernels where the call costs too much inline this.
    """
    # Fake tensors have another type; reading them would add values to a graph. is_cpu alone would
    # suffice, but costs as much as the two tests before it.
    return (
        not is_dynamo_compiling()
        and (type(x) is Tensor or _shows_memory(x))
        and (not _box.several_devices or x.is_cpu)
    )


def _shows_memory(x: Tensor) -> bool:
    find = memory_of.get(type(x))
    return find is not None and type(find(x)) is Tensor


def no_nan(x: Tensor) -> bool:
    """Whether the values were read and no part of an element is NaN."""
    try:
        return possible(x) and x.equal(x)
    except RuntimeError:  # under vmap and similar transforms
        return False


def few_values(x: Tensor) -> list[Any] | None:
    """The values of a small tensor as a flat list; ``None`` if it is large or unreadable."""
    if not possible(x) or x.numel() > FEW:
        return None
    try:
        values: list[Any] = x.tolist()
    except RuntimeError:  # under vmap and similar transforms
        return None
    return values if x.ndim == 1 else flat(values)


def flat(values: object) -> list[Any]:
    """Flatten the result of ``tolist``, nested lists or a number."""
    row: list[Any] = values if type(values) is list else [values]
    while row and type(row[0]) is list:
        row = list(chain.from_iterable(row))
    return row


def total(x: Tensor) -> Any:
    """The sum of the values, or NaN if they cannot be read.

    It is NaN if one of them is, and finite only if all of them are.
    """
    if not possible(x):
        return nan
    try:
        if x.numel() > FEW:
            return x.sum().item()
        return sum(flat(x.tolist()))
    except RuntimeError:  # under vmap and similar transforms
        return nan


def finite(x: Tensor) -> bool:
    """Whether the values were read and all elements are finite, in both parts.

    False if the sum overflows.
    """
    found = total(x)
    return bool(found - found == 0)
