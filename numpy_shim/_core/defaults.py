"""The dtypes of arrays made from Python numbers alone; float64 unless changed."""

from __future__ import annotations

import torch

from xp_torch._core.dtypes import COMPLEX_OF

INT = torch.int64

_float: torch.dtype | None = torch.float64


def float_dtype() -> torch.dtype:
    """The dtype of Python floats."""
    return torch.get_default_dtype() if _float is None else _float


def complex_dtype() -> torch.dtype:
    """The dtype of Python complex numbers: of the precision of floats."""
    return COMPLEX_OF.get(float_dtype(), torch.complex64)


def set_float_dtype(dtype: torch.dtype | None) -> None:
    """Set the dtype of Python floats; ``None`` follows ``torch.get_default_dtype()``."""
    global _float
    _float = dtype
