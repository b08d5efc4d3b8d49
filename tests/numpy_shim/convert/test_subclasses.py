"""Arrays of a subclass of NumPy's: what stays NumPy's, and what becomes ours."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import numpy_shim as ours
from numpy_shim._host import numpy_calls


def test_matrices_are_numpys():
    """They are a subclass of NumPy's arrays, and stay one in functions."""
    a = ours.array([[1.0, 2.0], [3.0, 4.0]])
    m = ours.matrix(a)
    assert type(m) is numpy.matrix
    assert type(ours.exp(m)) is type(a * m) is type(ours.add(m, a)) is numpy.matrix
    assert (a @ m).tolist() == [[7.0, 10.0], [15.0, 22.0]]
    assert type(ours.asarray(m)) is type(a)


def test_numbers_of_a_subclass_are_ours_without_a_call_of_numpys(monkeypatch: pytest.MonkeyPatch):
    """``array`` copies them, ``asarray`` shares the memory, an assignment reads the values."""
    kind: Any = type("Named", (numpy.ndarray,), {})
    named = numpy.arange(4.0).view(kind)

    def refuse(*args: Any) -> Any:
        raise AssertionError("the call was handed to NumPy")

    monkeypatch.setattr(numpy_calls, "_call", refuse)
    copied, shared, rows = ours.array(named, dtype=float), ours.asarray(named), ours.zeros((2, 4))
    rows[1] = named
    rows[0, 1:] = named[1:] * 2
    named[0] = 7
    assert type(copied) is type(shared) is ours.ndarray
    assert copied.tolist() == [0, 1, 2, 3]
    assert shared.tolist() == [7, 1, 2, 3]
    assert rows.tolist() == [[0, 2, 4, 6], [0, 1, 2, 3]]
    monkeypatch.undo()
    assert type(ours.array(named, subok=True)) is type(ours.asanyarray(named)) is kind


@pytest.mark.parametrize("mode", ["numpy", "error"])
def test_operators_beside_a_subclass(mode: str):
    """NumPy's class computes, with our array as an operand that it may not write to."""
    seen = []

    class Named(numpy.ndarray):
        def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
            seen.append(ufunc.__name__)
            assert not any(type(x) is numpy.ndarray and x.flags.writeable for x in inputs)
            inputs = tuple(numpy.asarray(x) for x in inputs)
            return getattr(ufunc, method)(*inputs, **options).view(Named)

    a, named = ours.array([[1.0, 2.0], [3.0, 4.0]]), numpy.eye(2).view(Named)
    with ours.set_host_dtypes(mode):
        found = [a - named, named - a, a @ named, ours.add(named, 1.0), ours.add(a, named)]
    expected = [[[0, 2], [3, 3]], [[0, -2], [-3, -3]], [[1, 2], [3, 4]], [[2, 1], [1, 2]]]
    assert [x.tolist() for x in found[:4]] == expected
    assert found[4].tolist() == [[2, 2], [3, 5]]
    if mode == "numpy":
        assert seen == ["subtract", "subtract", "matmul", "add", "add"]
        assert {type(x) for x in found} == {Named}
    else:
        assert type(found[0]) is type(found[4]) is ours.ndarray
