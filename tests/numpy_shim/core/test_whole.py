"""Python's ``sum``, ``max`` and their like in executed text are as with NumPy's arrays."""

from __future__ import annotations

import builtins
from typing import Any

import numpy
import pytest
from torch.utils._python_dispatch import TorchDispatchMode

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim._numpys.whole import OF_PYTHON

VALUES = {
    "values": [1, 2, 3],
    "zeros": [0, 0],
    "one": [3],
    "empty": [],
    "rows": [[1, 2], [3, 4]],
    "number": 5,
    "NaN first": [float("nan"), 1, 2],
    "NaN inside": [1, float("nan"), 2],
}


def found(function: Any, x: Any) -> tuple[str, ...]:
    """What a function gives: the value and its type, or that of the error."""
    try:
        result = function(x)
    except Exception as error:
        return (type(error).__name__,)
    return str(result), str(getattr(result, "dtype", type(result)))


@pytest.mark.parametrize("name", OF_PYTHON)
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int32", "uint8", "bool"])
@pytest.mark.parametrize("values", VALUES)
def test_as_with_numpy(name: str, dtype: str, values: str) -> None:
    if "NaN" in values and dtype[0] != "f":
        pytest.skip("integers have no NaN")
    x = numpy.array(VALUES[values], dtype)
    expected = found(getattr(builtins, name), x)
    assert found(OF_PYTHON[name], np.asarray(x)) == expected
    assert found(OF_PYTHON[name], x) == expected


@pytest.mark.parametrize("name", ["max", "min", "sum"])
def test_other_arguments(name: str) -> None:
    of_python, ours = getattr(builtins, name), OF_PYTHON[name]
    x = np.asarray([3.0, 1.0])
    assert ours([3.0, 1.0]) == of_python([3.0, 1.0])
    if name == "sum":
        assert ours(x, 2.0) == ours(x, start=2.0) == 6.0
    else:
        assert ours(x, key=lambda v: -v) == of_python(x, key=lambda v: -v)
        assert ours(3.0, 1.0) == of_python(3.0, 1.0)
        assert ours([], default=7) == 7


class Count(TorchDispatchMode):
    """Counts the operators of torch."""

    operators = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.operators += 1
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize("name", OF_PYTHON)
@pytest.mark.parametrize("place", ["cpu", "npy"])
def test_few_operators(name: str, place: str) -> None:
    x = np.ones(1000, device=place)
    x.tensor.requires_grad_(place == "cpu")
    with Count() as count:
        result = OF_PYTHON[name](x)
    assert float(np.asarray(result, device="cpu").tensor) == (1000 if name == "sum" else 1)
    assert 0 < count.operators < 20
