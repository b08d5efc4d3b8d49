"""What a creation function falls back to: the default floating-point dtypes and the device.

The integer default is int64 everywhere: torch, NumPy and array-api-strict agree on it.
"""

from __future__ import annotations

import torch

from .dtypes import COMPLEX_OF

INT = torch.int64

_float: torch.dtype | None = torch.float64


def float_dtype() -> torch.dtype:
    """The default real floating-point dtype."""
    if _float is not None:
        return _float
    dtype = torch.get_default_dtype()
    return dtype if dtype in COMPLEX_OF else torch.float32


def complex_dtype() -> torch.dtype:
    """The default complex dtype: the one whose parts have the default real dtype."""
    return COMPLEX_OF[float_dtype()]


def set_float_dtype(dtype: torch.dtype | None) -> None:
    """Set the default real dtype; ``None`` follows ``torch.get_default_dtype()``."""
    global _float
    _float = dtype


def get_float_dtype() -> torch.dtype | None:
    """What ``set_float_dtype`` was last given."""
    return _float
