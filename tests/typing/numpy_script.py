"""A NumPy script as type checkers see it; ``make lint`` checks it, and a test runs it.

``import numpy_shim as np`` is the only line that differs from NumPy's. Scalars are arrays
without axes here, so what may be either is an ``ndarray``.
"""

from __future__ import annotations

import contextlib
from typing import assert_type

import numpy
import torch

import numpy_shim as np
from numpy_shim.typing import ArrayLike, DTypeLike, NDArray


def standardized(x: ArrayLike, dtype: DTypeLike = None) -> NDArray[np.float64]:
    """Rows of ``x`` without their mean, in units of their deviation."""
    a = np.asarray(x, dtype=dtype)
    return (a - a.mean(axis=0)) / np.maximum(a.std(axis=0), 1e-12)


def main() -> None:
    """Use a little of everything, and say what type it has."""
    a = standardized([[1, 2], [3, 5], [5, 11]], "float64")
    assert_type(a + 1, np.ndarray)
    assert_type(2.0 * a[1:], np.ndarray)
    assert_type(-a @ a.T, np.ndarray)
    assert_type(a > 0, np.ndarray)
    assert_type(a == a, np.ndarray)
    assert_type(a.sum(axis=0), np.ndarray)
    assert_type(np.sin(a), np.ndarray)
    assert_type(np.add(a, 1), np.ndarray)
    assert_type(np.divmod(a, 2), tuple[np.ndarray, np.ndarray])
    assert_type(np.linalg.norm(a), np.ndarray)
    assert_type(np.fft.fft(a), np.ndarray)
    assert_type(np.argmax(a), np.ndarray)
    assert_type(np.float64(2), np.float64)
    assert_type(float(a[0, 0]), float)
    assert_type(len(a), int)
    assert_type(a.shape, tuple[int, ...])
    assert_type(a.tensor, torch.Tensor)
    assert_type(np.pi, float)
    assert isinstance(a.dtype, numpy.dtype)
    for row in a:
        assert_type(row, np.ndarray)
    a[0] += 1
    values: NDArray[np.float64] = np.zeros((2, 3))
    values[:, 0] = a[:2, 0]
    with contextlib.suppress(AttributeError):
        np.no_such_function  # type: ignore[attr-defined]  # noqa: B018


if __name__ == "__main__":
    main()
