"""Functions that change an argument change one of NumPy's own arrays too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch

import numpy_shim as np

WRITES: dict[str, Callable[[Any, Any], Any]] = {
    "copyto": lambda xp, x: xp.copyto(x, xp.arange(9.0)),
    "copyto, overlapping": lambda xp, x: xp.copyto(x[1:], x[:-1]),
    "copyto, where": lambda xp, x: xp.copyto(x, 5, where=xp.asarray([True, False, False] * 3)),
    "put": lambda xp, x: xp.put(x, xp.asarray([0, 3]), xp.asarray([5.0, 6.0])),
    "place": lambda xp, x: xp.place(x, xp.asarray(x) > 1, [5, 6]),
    "putmask": lambda xp, x: xp.putmask(x, x > 1, xp.arange(3.0)),
    "fill_diagonal": lambda xp, x: xp.fill_diagonal(x.reshape(3, 3), 5),
    "put_along_axis": lambda xp, x: xp.put_along_axis(x, xp.asarray([1, 2]), 5, 0),
    "add.at": lambda xp, x: xp.add.at(x, [0, 0, 2], 5),
    "add.at, ours": lambda xp, x: xp.add.at(x, xp.asarray([0, 0, 2]), xp.arange(3.0)),
    "negative.at": lambda xp, x: xp.negative.at(x, [0, 0, 2]),
    "nan_to_num": lambda xp, x: xp.nan_to_num(x, copy=False, nan=7),
    "shuffle": lambda xp, x: xp.random.default_rng(0).shuffle(x),
    "random": lambda xp, x: xp.random.default_rng(0).random(out=x),
    "permuted": lambda xp, x: xp.random.default_rng(0).permuted(x, out=x),
    "nditer": lambda xp, x: [
        v.__setitem__(..., 2 * v) for v in xp.nditer(x, op_flags=["readwrite"])
    ],
    "nditer, two": lambda xp, x: [
        v.__setitem__(..., w)
        for v, w in xp.nditer([x, xp.arange(9.0)], op_flags=[["readwrite"], ["readonly"]])
    ],
}


def numbers() -> Any:
    x = numpy.arange(9.0)
    x[4] = numpy.nan
    return x


@pytest.mark.parametrize("write", WRITES)
def test_written(write: str):
    expected, x = numbers(), numbers()
    theirs = WRITES[write](numpy, expected)
    ours = WRITES[write](np, x)
    numpy.testing.assert_array_equal(x, expected)
    assert not numpy.array_equal(expected, numbers(), equal_nan=True)
    if isinstance(theirs, numpy.ndarray):
        assert numpy.shares_memory(numpy.asarray(ours), x)
    else:
        assert (ours is None) is (theirs is None)


@pytest.mark.parametrize(
    "write",
    ["copyto", "copyto, where", "put", "putmask", "put_along_axis", "add.at", "negative.at"],
)
def test_tensors_are_written(write: str):
    expected, t = numbers(), torch.from_numpy(numbers())
    WRITES[write](numpy, expected)
    WRITES[write](np, t)
    numpy.testing.assert_array_equal(t.numpy(), expected)


@pytest.mark.parametrize("write", WRITES)
def test_locked(write: str):
    """A read-only array is refused as by NumPy, and not changed; NumPy's ``at`` changes it."""
    for xp in (np,) if ".at" in write else (numpy, np):
        x = numbers()
        x.flags.writeable = False
        with pytest.raises(ValueError, match=r"read-only|writable"):
            WRITES[write](xp, x)
        numpy.testing.assert_array_equal(x, numbers())


@pytest.mark.parametrize("write", ["copyto", "put", "putmask", "add.at", "nditer"])
def test_where_host_dtypes_are_errors(write: str):
    """NumPy is not called then, so the array is refused."""
    x = numbers()
    with np.set_host_dtypes("error"), pytest.raises(TypeError):
        WRITES[write](np, x)
    numpy.testing.assert_array_equal(x, numbers())


@pytest.mark.parametrize("first", [[1.0, 2.0], 3.0, None])
@pytest.mark.parametrize("write", ["copyto", "put", "fill_diagonal", "add.at"])
def test_refused(write: str, first: Any):
    for xp in (numpy, np):
        with pytest.raises((TypeError, AttributeError)):
            {
                "copyto": lambda xp=xp: xp.copyto(first, 1),
                "put": lambda xp=xp: xp.put(first, [0], 1),
                "fill_diagonal": lambda xp=xp: xp.fill_diagonal(first, 1),
                "add.at": lambda xp=xp: xp.add.at(first, [0], 1),
            }[write]()


def test_tensors_are_repaired():
    """``copy=False`` changes a tensor as it changes an array."""
    t = torch.tensor([1.0, float("nan")])
    result = np.nan_to_num(t, copy=False)
    assert t.tolist() == [1.0, 0.0]
    result[0] = 5
    assert t.tolist() == [5.0, 0.0]
