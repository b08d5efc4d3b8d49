"""The way of an array to the host for SciPy, and of SciPy's arrays back to a device."""

from __future__ import annotations

from typing import Any

import numpy
import torch

from xp_torch._core.devices import default_is_cpu

from .._array.host_view import of_memory
from .._array.ndarray import AnyArray, array_of
from .._array.scalars import TensorScalar
from .._base.dtypes import TORCH
from .._convert.foreign import from_numpy, is_describable
from .._convert.one_storage import on_memory_of
from .._convert.printing import host


def to_host(array: AnyArray, what: str) -> Any:
    """The values of an array as NumPy's: a copy of a device's, a number of a scalar."""
    values = host(array)
    return values[()] if isinstance(array, TensorScalar) else values


def back(x: numpy.ndarray[Any, Any], device: torch.device | None, is_shared: bool = True) -> Any:
    """SciPy's array as one of ours, on ``device``, or else on the default device.

    On the CPU it has the same memory; ``is_shared`` says that another array may have it, too. What
    torch has no storage for stays NumPy's.
    """
    dtype = x.dtype
    if dtype not in TORCH and dtype.newbyteorder("=") not in TORCH:
        return x
    if default_is_cpu() if device is None else device.type == "cpu":
        flags = x.flags
        if not is_shared and flags.behaved and flags.forc and dtype.isnative:
            return array_of(of_memory(x))
        if flags.writeable and is_describable(x):
            made = on_memory_of("scipy", x, "result")
            if made is not None:
                return made
        return array_of(from_numpy("scipy", x, "result", _CPU))
    return array_of(from_numpy("scipy", x, "result", device or torch.get_default_device()))


_CPU = torch.device("cpu")
