"""Functions whose results are complex where real ones are not defined."""

from __future__ import annotations

from typing import Any

import pytest

from tests.numpy_shim.differential import ROUNDING, compare


@pytest.mark.parametrize("name", ["sqrt", "log", "log2", "log10", "arccos", "arcsin", "arctanh"])
@pytest.mark.parametrize("values", [[0.5, 0.25], [-0.5, 2.0], [-2, 3], [0.5j, 1.0], 0.5, -2])
def test_complex_domain(name: str, values: Any):
    compare(lambda np: getattr(np.emath, name)(np.array(values)), rtol=ROUNDING, kind=False)


@pytest.mark.parametrize("name", ["sqrt", "log", "log2", "arccos", "arctanh"])
@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "i8", "f2", "f4", "f8", "F"])
def test_width_of_complex_results(name: str, dtype: str):
    """Single precision where it holds the values; NumPy leaves float16 out."""
    values = [2, 3] if dtype.startswith("u") else [-2, 3]
    compare(lambda np: getattr(np.emath, name)(np.array(values, dtype)), rtol=ROUNDING)


@pytest.mark.parametrize("args", [(2, [4.0, 8.0]), (2, -4.0), (-2, 4)])
def test_emath_logn(args: Any):
    compare(lambda np: np.emath.logn(*args), rtol=ROUNDING, kind=False)


@pytest.mark.parametrize("args", [([2, 4], 2), ([2, 4], -2), ([-2.0, 4.0], 0.5), ([-2, 4], 2)])
def test_emath_power(args: Any):
    compare(lambda np: np.emath.power(*[np.array(a) for a in args]), rtol=ROUNDING, atol=1e-15)
