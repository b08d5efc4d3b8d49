"""Comparisons, extrema, logic and the tests for NaN and infinities."""

from __future__ import annotations

import operator

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._core.dtypes import BOOLEAN, FLOATING, NATIVE_INTEGER, REAL_FLOATING
from .kernel import Kernel, Numbers
from .large_numbers import rounded
from .unsigned import as_signed, comparison, in_order

_REAL = NATIVE_INTEGER | REAL_FLOATING.dtypes
_ALL = BOOLEAN.dtypes | NATIVE_INTEGER | FLOATING.dtypes


def _equal(a: Tensor, b: Tensor) -> Tensor:
    return torch.eq(as_signed(a), as_signed(b))


def _not_equal(a: Tensor, b: Tensor) -> Tensor:
    return torch.ne(as_signed(a), as_signed(b))


_EQUAL = BOOLEAN.dtypes | _REAL

# Tensor operators call the same functions with less argument parsing, except ==.
equal = Kernel("equal", torch.eq, _ALL, _equal, Numbers(_EQUAL, torch.eq, torch.eq))
not_equal = Kernel("not_equal", operator.ne, _ALL, _not_equal, Numbers(_EQUAL, torch.ne, torch.ne))
less = Kernel("less", operator.lt, _REAL, comparison(torch.lt), Numbers(_REAL, torch.lt, torch.gt))
less_equal = Kernel(
    "less_equal", operator.le, _REAL, comparison(torch.le), Numbers(_REAL, torch.le, torch.ge)
)
greater = Kernel(
    "greater", operator.gt, _REAL, comparison(torch.gt), Numbers(_REAL, torch.gt, torch.lt)
)
greater_equal = Kernel(
    "greater_equal", operator.ge, _REAL, comparison(torch.ge), Numbers(_REAL, torch.ge, torch.le)
)


def _max_by(x: Tensor, number: float) -> Tensor:
    if is_dynamo_compiling():
        number = rounded(number, x.dtype)
    # Clamping gives a tie the whole gradient, and the maximum of two tensors half of it.
    return torch.maximum(x, x.new_full((), number)) if x.requires_grad else x.clamp_min(number)


def _min_by(x: Tensor, number: float) -> Tensor:
    if is_dynamo_compiling():
        number = rounded(number, x.dtype)
    return torch.minimum(x, x.new_full((), number)) if x.requires_grad else x.clamp_max(number)


maximum = Kernel(
    "maximum",
    torch.maximum,
    _REAL,
    in_order(torch.maximum),
    Numbers(_REAL, _max_by, _max_by),
)
minimum = Kernel(
    "minimum",
    torch.minimum,
    _REAL,
    in_order(torch.minimum),
    Numbers(_REAL, _min_by, _min_by),
)

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
