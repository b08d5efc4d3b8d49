"""Sums of products over windows of an array: correlation of any axes, and with strides."""

from __future__ import annotations

import math
from typing import Any

import numpy
import torch
from torch import Tensor

from ..._base.dtypes import TORCH
from ..._convert.arguments import as_tensor

_BLOCK = 1 << 22
"""So many elements are taken out of the windows at a time."""

_TAPS = 64
"""A kernel of at most so many elements goes over the array as a whole, element by element."""


def of_dtype(x: Any, dtype: numpy.dtype[Any]) -> Tensor:
    """The tensor of an array in a dtype of NumPy's."""
    return as_tensor("signal", x).to(TORCH[dtype])


def valid(t: Tensor, kernel: Tensor) -> Tensor:
    """The sum of each window of ``t`` times ``kernel``, where the window is inside."""
    shape = [n - k + 1 for n, k in zip(t.shape, kernel.shape, strict=True)]
    if 0 in kernel.shape or any(n < 1 for n in shape):
        return t.new_zeros([max(n, 0) for n in shape])
    if kernel.dtype in (torch.uint16, torch.uint32, torch.uint64):  # torch multiplies no matrices
        return _by_taps(t.long(), kernel.long(), shape).to(kernel.dtype)
    if kernel.numel() <= _TAPS or not (kernel.is_floating_point() or kernel.is_complex()):
        return _by_taps(t, kernel, shape)
    windows = t
    for axis, k in enumerate(kernel.shape):
        windows = windows.unfold(axis, k, 1)
    rows = max(1, _BLOCK * shape[0] // (math.prod(shape) * kernel.numel()))
    flat = kernel.reshape(-1)
    parts = [part.flatten(len(shape)) @ flat for part in torch.split(windows, rows)]
    return parts[0] if len(parts) == 1 else torch.cat(parts)


def _by_taps(t: Tensor, kernel: Tensor, shape: list[int]) -> Tensor:
    """The sum over the kernel's elements of shifted views, which needs no memory for windows."""
    total = t.new_zeros(shape)
    for at in numpy.ndindex(*kernel.shape):
        part = t
        for axis, (begin, n) in enumerate(zip(at, shape, strict=True)):
            part = part.narrow(axis, begin, n)
        total = total + part * kernel[at]
    return total


def strided(t: Tensor, kernel: Tensor, step: int) -> Tensor:
    """The sums of the last axis' windows that begin at each ``step``-th element."""
    windows = t.unfold(-1, len(kernel), step)
    if kernel.numel() <= _TAPS:
        total = windows[..., 0] * kernel[0]
        for i in range(1, len(kernel)):
            total = total + windows[..., i] * kernel[i]
        return total
    rows = max(1, _BLOCK // len(kernel))
    parts = [part @ kernel for part in torch.split(windows, rows, -2)]
    return parts[0] if len(parts) == 1 else torch.cat(parts, -1)
