"""Views by strides and of sliding windows."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.differential import compare

GRID = Spec(numpy.arange(24.0).reshape(4, 6))


@pytest.mark.parametrize("window", [2, (2, 3), (5, 1), -1, (1, 2, 3)])
@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1), (1, 1), 5])
@pytest.mark.parametrize("backwards", [False, True])
def test_sliding_window_view(window: Any, axis: Any, backwards: bool):
    """A view, read-only unless asked for otherwise, of arrays that run backwards too."""

    def body(np: Any, a: Any) -> Any:
        x = a[::-1] if backwards else a
        made = np.lib.stride_tricks.sliding_window_view(x, window, axis)
        again = np.lib.stride_tricks.sliding_window_view(x, window, axis, writeable=True)
        again[(0,) * again.ndim] = 100.0
        return made.copy(), made.flags.writeable, a

    compare(body, GRID)


@pytest.mark.parametrize("strides", [(48, 8), (8, 8), (0, 16), (4, 8), (8,), (48, 800)])
def test_as_strided(strides: Any):
    def body(np: Any, a: Any) -> Any:
        if strides == (48, 800) or strides == (4, 8):
            raise ValueError("NumPy reads what lies beyond the array, or between its elements")
        return np.lib.stride_tricks.as_strided(a, (3, 2), strides).copy()

    compare(body, GRID)
    if strides in ((48, 800), (4, 8)):
        with pytest.raises(ValueError, match="as_strided"):
            numpy_shim.lib.stride_tricks.as_strided(numpy_shim.arange(24.0), (3, 2), strides)
