"""a.flat beside NumPy's: its keys, its warnings, as an iterator and as an operand."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from tests.numpy_shim.differential import compare, no_numpy

FLAT_KEYS = [
    0, -1, 7, slice(1, 3), slice(None, None, -1), ..., [0, 1], [], (0,), (0, 1), "a", None,
    numpy.array([True, False] * 3), numpy.array([[0, 1], [2, 3]]), numpy.array([True]),
    True, False, (True,), (...,), (None, 1), [True, 1], [True, True], [1.0, 2.0], 1.5,
    numpy.array(True), numpy.array(1.0), numpy.ones((2, 3), bool), [6, 0], range(2),
]  # fmt: skip


@pytest.mark.parametrize("key", FLAT_KEYS, ids=str)
@pytest.mark.parametrize("layout", ["C", "F", "reversed"])
def test_flat(key: Any, layout: str):
    """Indexing gives copies; assigning goes through the values as often as it takes."""

    def make(np: Any) -> Any:
        a = np.array([[0, 1, 2], [3, 4, 5]])
        return {"C": a, "F": a.T, "reversed": a[:, ::-1]}[layout]

    def read(np: Any) -> Any:
        return make(np).flat[np.array(key.tolist()) if isinstance(key, numpy.ndarray) else key]

    def write(np: Any, values: Any) -> Any:
        a = make(np)
        a.flat[np.array(key.tolist()) if isinstance(key, numpy.ndarray) else key] = values
        return a

    compare(read)
    of_a_truth = isinstance(key, bool) or (isinstance(key, numpy.ndarray) and not key.ndim)
    for values in (9,) if of_a_truth else (9, [7, 8], [1, 2, 3, 4, 5, 6, 7, 8], []):
        compare(lambda np, values=values: write(np, values))


def test_flat_warns_of_odd_keys():
    """NumPy's deprecations, for the caller's line; an iterator over indices is one more key."""
    flat = numpy_shim.arange(6).flat
    for key in (True, numpy_shim.array(False)):
        with pytest.warns(DeprecationWarning, match="0-dimensional boolean index") as caught:
            flat[key]
        assert caught[0].filename == __file__
    with pytest.warns(DeprecationWarning, match="Invalid non-array indices"):
        flat[[1.0]]
    with pytest.raises(IndexError, match="boolean index did not match indexed flat iterator"):
        flat[numpy_shim.ones(7, bool)]
    compare(lambda np: np.arange(9).reshape(3, 3).flat[np.array([0, 5, 6]).flat])


def test_flat_as_iterator():
    """Its index, its length, its comparisons; assigning to ``flat`` itself."""

    def body(np: Any) -> Any:
        a = np.array([[0, 1], [2, 3]])
        flat = a.flat
        steps = [(flat.index, flat.coords, next(flat)) for _ in range(3)]
        a.flat = [5, 6]
        return (
            steps,
            a,
            len(flat),
            flat.copy(),
            flat.base is a,
            a.flat == 5,
            a.flat < 6,
            a.flat != 5,
        )

    compare(body)
    compare(lambda np: list(np.array([]).flat))
    assert numpy.asarray(numpy_shim.array([[1], [2]]).flat).tolist() == [1, 2]


def test_flat_as_an_operand():
    """Taken as the array it goes over: no way through NumPy, and the gradient is kept."""
    t = torch.arange(4.0, requires_grad=True)
    flat = numpy_shim.asarray(t).reshape(2, 2).flat
    with no_numpy():
        assert numpy_shim.dot(numpy_shim.ones((3, 4), "f4"), flat).tensor.requires_grad
        assert (numpy_shim.ones(4) + flat).tensor.requires_grad
    compare(lambda np: np.add(np.arange(6).reshape(2, 3)[:, ::-1].flat, 1))
    compare(lambda np: np.array([np.arange(3).flat, np.arange(3)]))
