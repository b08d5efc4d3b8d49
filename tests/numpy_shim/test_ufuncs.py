"""Ufuncs against NumPy: values over dtypes, shapes and layouts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from tests.numpy_shim.differential import ROUNDING, compare
from tests.strategies import arrays

EXACT = ["negative", "absolute", "square", "floor", "ceil", "trunc", "rint", "sign", "isnan"]


@pytest.mark.parametrize("name", EXACT)
@given(x=arrays())
def test_unary(name: str, x: Any):
    """Exact functions of one operand, bit for bit."""
    compare(lambda np, a: getattr(np, name)(a), x, rtol=ROUNDING if name == "absolute" else 0.0)
