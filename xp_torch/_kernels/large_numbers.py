"""Python numbers beyond the range of a dtype, in a trace."""

from __future__ import annotations

import math

import torch

from .._torch.internals import is_known

_INFINITE_FROM: dict[torch.dtype, float] = {
    torch.float16: 65520.0,
    torch.bfloat16: 2.0**128 - 2.0**119,
    torch.float32: 2.0**128 - 2.0**103,
}
"""The smallest number that rounds to infinity: half a unit above the largest of each dtype."""


def rounded(number: float, dtype: torch.dtype) -> float:
    """The number, or what it rounds to where it is above the largest number of a dtype.

    torch refuses such a number in ``clamp``, ``where`` and ``fill_``. Outside of a trace the caller
    catches the error and takes a tensor; a trace cannot catch it. Numbers that are inputs of the
    graph stay as they are: a comparison would make the graph one for that number alone.
    """
    limit = _INFINITE_FROM.get(dtype)
    if limit is None or not is_known(number):
        return number
    largest = torch.finfo(dtype).max
    if number > largest:
        return math.inf if number >= limit else largest
    if number < -largest:
        return -math.inf if number <= -limit else -largest
    return number
