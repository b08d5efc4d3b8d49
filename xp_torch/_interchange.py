"""The doors: to torch, to another device, to DLPack and to NumPy."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ._array import Array
from ._core import devices
from ._core.box import box
from ._dispatch import tensor_of

__all__ = ["to_torch"]


def to_torch(x: Array, /) -> Tensor:
    """The tensor of an array: the door out, without a copy, the gradient kept."""
    return tensor_of("to_torch", "x", x)


def to_device(array: Array, device: Any, stream: Any) -> Array:
    """See ``Array.to_device``."""
    return box(Array, array._tensor.to(devices.normalize_device("to_device", device)))


def to_dlpack(array: Array, stream: Any, max_version: Any, dl_device: Any, copy: Any) -> Any:
    """See ``Array.__dlpack__``."""
    return array._tensor.__dlpack__(
        stream=stream, max_version=max_version, dl_device=dl_device, copy=copy
    )


def to_numpy(array: Array, dtype: Any, copy: Any) -> Any:
    """See ``Array.__array__``."""
    return array._tensor.numpy()
