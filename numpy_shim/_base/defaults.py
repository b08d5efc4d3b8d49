"""The dtypes of arrays made from Python numbers alone; float64 unless changed."""

from __future__ import annotations

import torch

from xp_torch._core.context import MIXED, make_context_local
from xp_torch._core.dtypes import COMPLEX_OF

INT = torch.int64

_float: torch.dtype | None = torch.float64
"""The dtype of Python floats, ``MIXED`` if contexts differ, ``None`` for torch's default."""

module = make_context_local(__name__, "_float")
"""This module: ``set_default_dtype`` sets its ``_float``."""


def float_dtype() -> torch.dtype:
    """The dtype of Python floats in this context."""
    return _float or _rare_float_dtype()


def _rare_float_dtype() -> torch.dtype:
    dtype: torch.dtype | None = _float
    if dtype == MIXED:
        dtype = module.here__float
    return torch.get_default_dtype() if dtype is None else dtype


def complex_dtype() -> torch.dtype:
    """The dtype of Python complex numbers: of the precision of floats."""
    return COMPLEX_OF.get(float_dtype(), torch.complex64)
