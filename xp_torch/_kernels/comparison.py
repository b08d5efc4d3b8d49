"""Comparisons, extrema, logic and the tests for NaN and infinities."""

from __future__ import annotations

import torch
from torch import Tensor

from .._core.dtypes import BOOLEAN, FLOATING, NATIVE_INTEGER, REAL_FLOATING
from .kernel import Kernel
from .unsigned import as_signed, comparison, in_order

_REAL = NATIVE_INTEGER | REAL_FLOATING.dtypes
_ALL = BOOLEAN.dtypes | NATIVE_INTEGER | FLOATING.dtypes


def _equal(a: Tensor, b: Tensor) -> Tensor:
    return torch.eq(as_signed(a), as_signed(b))


def _not_equal(a: Tensor, b: Tensor) -> Tensor:
    return torch.ne(as_signed(a), as_signed(b))


equal = Kernel("equal", torch.eq, _ALL, _equal, scalar=True)
not_equal = Kernel("not_equal", torch.ne, _ALL, _not_equal, scalar=True)
less = Kernel("less", torch.lt, _REAL, comparison(torch.lt), scalar=True)
less_equal = Kernel("less_equal", torch.le, _REAL, comparison(torch.le), scalar=True)
greater = Kernel("greater", torch.gt, _REAL, comparison(torch.gt), scalar=True)
greater_equal = Kernel("greater_equal", torch.ge, _REAL, comparison(torch.ge), scalar=True)

maximum = Kernel("maximum", torch.maximum, _REAL, in_order(torch.maximum))
minimum = Kernel("minimum", torch.minimum, _REAL, in_order(torch.minimum))

logical_and = Kernel("logical_and", torch.logical_and, BOOLEAN.dtypes, torch.logical_and)
logical_or = Kernel("logical_or", torch.logical_or, BOOLEAN.dtypes, torch.logical_or)
logical_xor = Kernel("logical_xor", torch.logical_xor, BOOLEAN.dtypes, torch.logical_xor)
logical_not = Kernel("logical_not", torch.logical_not, BOOLEAN.dtypes, torch.logical_not)


def _isfinite(x: Tensor) -> Tensor:
    if x.dtype in FLOATING.dtypes:
        return torch.isfinite(x)
    return torch.ones_like(x, dtype=torch.bool)


def _isinf(x: Tensor) -> Tensor:
    return torch.isinf(x) if x.dtype in FLOATING.dtypes else torch.zeros_like(x, dtype=torch.bool)


def _isnan(x: Tensor) -> Tensor:
    return torch.isnan(x) if x.dtype in FLOATING.dtypes else torch.zeros_like(x, dtype=torch.bool)


isfinite = Kernel("isfinite", torch.isfinite, FLOATING.dtypes, _isfinite)
isinf = Kernel("isinf", torch.isinf, FLOATING.dtypes, _isinf)
isnan = Kernel("isnan", torch.isnan, FLOATING.dtypes, _isnan)
