"""Lets ``torch.from_numpy`` take arrays of ours.

It is compiled and takes NumPy's class alone. A program under the launcher cannot convert the array
for it either, for its ``numpy`` is ours.
"""

from __future__ import annotations

from functools import wraps

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._array.ndarray import ndarray
from .._convert.to_numpy import shared

_plain = torch.from_numpy


@wraps(_plain)
def from_numpy(a: object, /) -> Tensor:
    """A tensor on the memory of an array: where torch has one it is that, on its device.

    A tensor of its own, so that ``requires_grad_`` leaves the array as it is.
    """
    if type(a) is not ndarray:
        return _plain(a)
    t = a._tensor
    if is_dynamo_compiling() or t.requires_grad or not t.is_cpu:
        return a.tensor.view_as(a.tensor)
    return _plain(shared("from_numpy", a))


from_numpy.__module__, from_numpy.__qualname__ = "torch", "from_numpy"  # where pickle looks for it


def install() -> None:
    """Replace torch's function, for the program and the libraries that it calls."""
    torch.from_numpy = from_numpy  # type: ignore[assignment]
