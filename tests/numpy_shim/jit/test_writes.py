"""What a compiled function writes to its arguments and globals, its caller sees."""

from __future__ import annotations

import functools
from typing import Any

import numpy
import numpy as np
import pytest

import numpy_shim

from .test_jit import assert_whole

pytestmark = [
    pytest.mark.filterwarnings("error::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore:Guards may run slower on Python 3.13.0"),  # torch's
]

jit = functools.partial(numpy_shim.jit, backend="eager")
count = 0
shared_part: Any = None


def test_writes_to_arrays():
    @jit
    def f(x, out):
        x *= 2
        x[0] = 7
        np.add(x, 1, out=out)
        return out

    x, out = np.ones(3), np.empty(3)
    assert f(x, out) is out
    assert x.tolist() == [7, 2, 2]
    assert out.tolist() == [8, 3, 3]
    assert_whole(f)


def test_writes_to_arrays_that_overlap():
    @jit
    def f(a, b):
        a += 1
        return b * 2

    whole = np.arange(6.0)
    assert f(whole[:4], whole[2:]).tolist() == [6, 8, 8, 10]
    assert f(whole, whole[::2]).tolist() == [4, 8, 10]
    assert whole.tolist() == [2, 3, 4, 5, 5, 6]


def test_writes_to_a_part_of_an_array_and_by_name():
    @jit
    def f(a, b=None):
        a += b
        return a

    whole, other = np.arange(6.0), np.linspace(0.0, 2.0, 3)  # linspace gives a part
    part = whole[1::2]
    for _ in range(2):
        assert f(part, b=other) is part
    assert whole.tolist() == [0, 1, 2, 5, 4, 9]
    assert other.tolist() == [0, 1, 2]
    assert f(whole, b=whole) is whole
    assert whole.tolist() == [0, 2, 4, 10, 8, 18]


def test_writes_to_one_memory_in_a_list():
    """Of an array of NumPy's, and of a buffer that none of its arrays owns."""

    @jit
    def f(arrays):
        a, b = arrays
        a += 1
        return b * 2

    whole = np.arange(4.0)
    for first, second in (
        (whole, whole[1:]),
        (whole[:3], whole[1:]),
        (np.frombuffer(memory := bytearray(32)), np.frombuffer(memory)[1:]),
    ):
        expected = second.copy()
        expected[: len(first) - 1] += 1
        assert f([first, second]).tolist() == (2 * expected).tolist()


def test_writes_to_what_cannot_be_written():
    @jit
    def f(a):
        a += 1
        return a

    fixed = np.ones(2)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        f(fixed)
    with pytest.raises(ValueError, match="read-only"):
        f(np.broadcast_to(np.ones(1), 3))


def test_writes_to_memory_that_a_global_is_on(monkeypatch):
    @jit
    def f(a):
        a += 1
        return shared_part * 2

    whole = np.arange(4.0)
    f_of_others = whole.copy()
    monkeypatch.setitem(globals(), "shared_part", f_of_others[:2])
    assert f(f_of_others).tolist() == [2, 4]
    monkeypatch.setitem(globals(), "shared_part", numpy_shim.asarray(whole)[2:])
    assert f(whole).tolist() == [6, 8]


def test_writes_to_lists_and_dictionaries():
    @jit
    def f(x, items, table):
        items.append(x * 2)
        items[0] = 5
        table["new"] = x
        del table["old"]

    x = np.ones(2)
    items, table = [x], {"old": 1, "kept": x}
    f(x, items, table)
    assert items[0] == 5
    assert type(items[1]) is numpy.ndarray
    assert items[1].tolist() == [2, 2]
    assert table == {"kept": x, "new": x}


def test_writes_to_globals():
    @jit
    def f(x):
        global count
        count += 1
        return x * count

    global count
    count = 0
    assert f(np.ones(1)).tolist() == [1]
    assert f(np.ones(1)).tolist() == [2]
    count = 10
    assert f(np.ones(1)).tolist() == [11]
    assert count == 11


def test_a_read_only_array_is_not_written():
    @jit
    def f(x):
        x[0] = 1
        return x

    x = np.zeros(2)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        f(x)
    assert x.tolist() == [0, 0]
