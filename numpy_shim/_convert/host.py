"""Arguments and results of NumPy's own functions, which do the work for random numbers and files.

NumPy's functions never compute on arrays.
"""

from __future__ import annotations

from typing import Any

import numpy
import torch

from xp_torch._core.devices import default_device, default_is_cpu

from .._array.host_view import of_memory
from .._array.ndarray import AnyArray, array_of, wrap
from .._base.dtypes import NUMPY, TORCH, torch_dtype
from .._base.host_setting import may_hand
from .._base.promotion import PYTHON_NUMBERS
from .foreign import from_numpy, is_common
from .printing import host


def to_host(x: Any) -> Any:
    """An argument for NumPy: the values of our arrays; our scalars and dtypes as NumPy's."""
    if x is None or type(x) in PYTHON_NUMBERS:
        return x
    if isinstance(x, AnyArray):
        values = host(x)
        return values[()] if values.ndim == 0 else values
    if isinstance(x, torch.Tensor):
        return x.detach().cpu().resolve_conj().resolve_neg().numpy()
    if isinstance(x, tuple):
        return tuple.__new__(type(x), map(to_host, x))  # a named one has a constructor of its own
    if isinstance(x, list):
        return type(x)(to_host(v) for v in x)
    if isinstance(x, dict):
        return {key: to_host(v) for key, v in x.items()}
    if isinstance(x, torch.dtype) or (isinstance(x, type) and issubclass(x, AnyArray)):
        return NUMPY[torch_dtype("dtype", x)]
    if hasattr(type(x), "__array__") and not isinstance(x, (numpy.ndarray, numpy.generic)):
        made = x.__array__()
        if isinstance(made, AnyArray):  # NumPy would refuse it
            return to_host(made)
    return x


def from_host(x: object) -> Any:
    """A result of NumPy's on the default device; Python numbers as they are."""
    kind = type(x)
    if kind in PYTHON_NUMBERS:
        return x
    if is_common(x):
        return array_of(of_memory(x))
    if isinstance(x, (numpy.ndarray, numpy.generic)):
        if may_hand() and (x.dtype.kind == "T" or x.dtype.newbyteorder("=") not in TORCH):
            return x  # torch has no storage for it
        tensor = from_numpy("result", x, "values")
        if tensor.is_cpu and not default_is_cpu():
            tensor = tensor.to(default_device())
        return array_of(tensor) if isinstance(x, numpy.ndarray) else wrap(tensor)
    if isinstance(x, list):
        return [from_host(v) for v in x]
    return x
