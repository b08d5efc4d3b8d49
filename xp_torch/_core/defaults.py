"""Defaults of the creation functions: the floating-point dtypes.

The integer default is int64 everywhere: torch, NumPy and array-api-strict agree on it.
"""

from __future__ import annotations

import torch
from torch.compiler import is_dynamo_compiling

from .context import MIXED, here, make_context_local
from .devices import default_is_cpu, lacking_dtypes
from .dtypes import COMPLEX_OF

INT = torch.int64

_float: torch.dtype | None = torch.float64
"""The default real dtype, or ``MIXED`` while contexts differ. ``None`` means torch's."""

_this = make_context_local(__name__, "_float")


def float_dtype() -> torch.dtype:
    """The default real floating-point dtype in this context."""
    return _float or _rare_float_dtype()


def _rare_float_dtype() -> torch.dtype:
    dtype: torch.dtype | None = _float
    if dtype == MIXED:
        dtype = _this.here__float
    if dtype is not None:
        return dtype
    dtype = torch.get_default_dtype()
    return dtype if dtype in COMPLEX_OF else torch.float32


def float_dtype_on(device: torch.device | None) -> torch.dtype:
    """The default real dtype on a device, by default torch's default device.

    It is float32 on a device that does not store the default of this context. A trace cannot ask
    for the default device: there, the default of the context is taken.
    """
    dtype = float_dtype()
    if device is None:
        if is_dynamo_compiling() or default_is_cpu():
            return dtype
        device = torch.get_default_device()
    return torch.float32 if dtype in lacking_dtypes(device) else dtype


def complex_dtype_on(device: torch.device | None) -> torch.dtype:
    """The default complex dtype on a device: its parts have the default real dtype there."""
    return COMPLEX_OF[float_dtype_on(device)]


def set_float_dtype(dtype: torch.dtype | None) -> None:
    """Set the default real dtype of this context; ``None`` follows torch's default dtype."""
    _this._float = dtype


def get_float_dtype() -> torch.dtype | None:
    """The last argument of ``set_float_dtype`` in this context."""
    dtype: torch.dtype | None = here(_this, "_float")
    return dtype
