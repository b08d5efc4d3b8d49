"""What the namespace says of itself, and conversions of dtype."""

from __future__ import annotations

import numpy
import pytest

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.differential import compare

GRID = Spec(numpy.arange(24.0).reshape(4, 6))


def test_namespace_info():
    """The array API standard's questions."""
    info = numpy_shim.__array_namespace_info__()
    assert info.default_dtypes()["integral"] == numpy.int64
    assert set(info.dtypes(kind="real floating")) == {"float32", "float64"}
    assert info.default_device() in info.devices()
    with pytest.raises(ValueError, match="kind"):
        info.dtypes(kind="nonsense")
    with pytest.raises(ValueError, match="device"):
        info.default_dtypes(device="nonsense")


@pytest.mark.parametrize("dtype", ["float32", "int64", "complex128"])
@pytest.mark.parametrize("copy", [True, False])
def test_astype(dtype: str, copy: bool):
    compare(lambda np, a: np.astype(a, dtype, copy=copy), GRID)
    compare(lambda np, a: np.astype([1, 2], dtype, copy=copy), GRID)
    compare(lambda np, a: np.astype(a, dtype, copy=copy, device="nowhere"), GRID)
    compare(lambda np, a: np.isfortran(a.T), GRID)
    compare(lambda np: np.isfortran([[1, 2], [3, 4]]))
    compare(lambda np: np.isfortran(np.array([["a", "b"], ["c", "d"]]).T))


@pytest.mark.parametrize("dtype", ["float32", "int8", "complex64", "bool"])
def test_astype_of_scalars(dtype: str):
    """A scalar, NumPy's own, in another dtype."""
    compare(lambda np: np.astype(np.array([1, 2])[1], dtype))
    compare(lambda np: np.astype(np.array([True])[0], dtype, copy=False))
    compare(lambda np: np.astype([1], dtype))
