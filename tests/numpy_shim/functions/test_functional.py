"""Functions made from Python functions: vectorize, frompyfunc, apply_along_axis, piecewise."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from tests.numpy_shim.differential import compare

EXPRESSIONS = """
np.vectorize(lambda a, b: a if a > b else b)([1, 5, 3], 2)
np.vectorize(lambda a: a + 1)(3)
np.vectorize(lambda a: a * 2)(np.array([1, 2], np.int8))
np.vectorize(lambda a: a > 1)([1, 2])
np.vectorize(lambda a: 1.5 if a else 2)([0, 1])
np.vectorize(lambda a: 1.5 if a else 2)([1, 0])
np.vectorize(lambda a: (a, -a))([1, 2])
np.vectorize(lambda a: (a, -a), otypes="df")([1, 2])
np.vectorize(lambda a: a, otypes=[float])([])
np.vectorize(lambda a: a, otypes=["f4"])([1, 2])
np.vectorize(lambda a: a)([])
np.vectorize(lambda a: a, otypes=3)
np.vectorize(lambda a: a, otypes=["foo"])
np.vectorize(lambda a, b=1: a + b)([1, 2], b=[10, 20])
np.vectorize(lambda p, x: sum(c * x for c in p), excluded=[0])([1, 2, 3], [4, 5])
np.vectorize(lambda p, x: sum(c * x for c in p), excluded={"p"})(p=[1, 2, 3], x=[4, 5])
np.vectorize(lambda a: a, signature="(n)->()")(3)
np.vectorize(lambda a: a, signature="foo")
np.vectorize(lambda a: a.sum(), signature="(n)->()")([[1, 2], [3, 4]])
np.vectorize(lambda a: a * 2, signature="(n)->(n)")([[1, 2], [3, 4]])
np.vectorize(lambda a, b: a @ b, signature="(m,n),(n)->(m)")(np.ones((2, 2, 3)), [1.0, 2, 3])
np.vectorize(lambda a: a, signature="(n)->(n)")(np.ones((0, 3)))
np.vectorize(lambda a: a, signature="(n)->(n)", otypes=[float])(np.ones((0, 3)))
np.vectorize(lambda a: (a.sum(), a), signature="(n)->(),(n)")([[1, 2], [3, 4]])
np.vectorize(lambda a: a, signature="(n),(n)->()")([1], [1, 2])
np.vectorize(lambda a: a[:-1], signature="(n)->(n)")([1, 2])
np.vectorize(lambda a: a, signature="(n)->(n),(n)")([1, 2])
np.vectorize(otypes=[float])(lambda a: a + 1)([1, 2])
np.vectorize(3)
np.vectorize(lambda: 5)()
np.apply_along_axis(lambda r: r.sum(), 0, np.arange(6).reshape(2, 3))
np.apply_along_axis(lambda r: r * 2, 1, np.arange(6).reshape(2, 3))
np.apply_along_axis(lambda r: np.array([[r[0], r[1]]]), 0, np.arange(12).reshape(2, 3, 2))
np.apply_along_axis(lambda r, k, scale=1: r.sum() * k * scale, -1, [[1, 2], [3, 4]], 2, scale=3)
np.apply_along_axis(lambda r: r[0] / 2, 0, [[1, 2], [3, 4]])
np.apply_along_axis(lambda r: r.sum(), 2, [[1, 2], [3, 4]])
np.apply_along_axis(lambda r: r.sum(), 0, np.ones((3, 0)))
np.apply_along_axis(lambda r: r.sum(), 0, [1, 2, 3])
np.apply_over_axes(np.sum, np.arange(24).reshape(2, 3, 4), [0, 2])
np.apply_over_axes(np.sum, np.arange(24).reshape(2, 3, 4), -1)
np.apply_over_axes(np.cumsum, np.arange(6).reshape(2, 3), [0, 1])
np.apply_over_axes(lambda a, axis: a[0, 0], np.arange(24).reshape(2, 3, 4), [0])
np.vectorize(lambda a: a, signature="()->(),()")(1)
np.vectorize(lambda a: (a, a), signature="()->()")([1, 2])
np.vectorize(lambda a: a * 2, signature="()->()")([1, 2])
np.piecewise([-2.0, -1, 3], [[True, True, False], [False, False, True]], [lambda x: -x, 10])
np.piecewise([1, 2], np.array([True, False]), [5, 6])
np.piecewise([1, 2], np.array([1, 0]), [5])
np.piecewise([1, 2], np.array([[True, False], [False, True]]), [5, 6])
np.piecewise([1, 2], [[False, True]], [1, 2, 3])
np.piecewise(np.array(3), np.array(3) > 3, [4, 0])
np.piecewise(np.array(3), np.array(3) > 2, [lambda x: x + 1, 0])
np.piecewise(5, [True, False], [1, 0])
np.piecewise(5, [False, False, True], [1, 2, 3])
np.piecewise(5, True, [1, 2])
np.piecewise(5, np.array(True), [1, 2])
np.piecewise([-2.0, -1, 3], [[True, False, False]], [lambda x: -x, lambda x: x * 2])
np.piecewise([-2.0, -1, 3], [[True, False, False]], [5])
np.piecewise([-2.0, -1, 3], [True, False, False], [5])
np.piecewise([1, 2, 3], [[True, False, True]], [1, 2, 3])
np.piecewise([1, 2, 3], [[True, False, True]], [1.7, lambda x, k, s=0: x * k + s], 2, s=1)
np.piecewise(3.0, [False, True], [1, 2])
np.piecewise(3.0, True, [4])
np.piecewise([1, 2], [[True, False], [True, True]], [1, 2])
""".strip().splitlines()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_call(expression: str):
    """A call of each kind, right or wrong, gives what NumPy gives, or raises as it does."""
    compare(lambda np: eval(expression, {"np": np}), kind=False)


def test_cache_calls_once_per_element():
    """With ``cache`` the first element is not computed twice."""
    for cache, expected in ((True, 2), (False, 3)):
        calls: list[Any] = []
        numpy_shim.vectorize(lambda x, c=calls: c.append(x) or x, cache=cache)([1, 2])
        assert len(calls) == expected


def test_vectorize_as_decorator():
    """Name and docstring are the function's."""

    @numpy_shim.vectorize
    def doubled(x: float) -> float:
        """Twice as much."""
        return 2 * x

    assert doubled([1, 2]).tolist() == [2, 4]
    assert doubled.__name__ == "doubled"
    assert doubled.__doc__ == "Twice as much."


def test_gradient_through_vectorize():
    """Where there is a gradient the function gets scalars that carry it."""
    t = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    result = numpy_shim.vectorize(lambda x: x * x if x > 1 else x)(numpy_shim.asarray(t))
    result.tensor.sum().backward()
    assert t.grad is not None
    assert t.grad.tolist() == [1, 4]


def test_frompyfunc():
    """A ufunc of a Python function, with numeric results instead of objects."""
    choose = numpy_shim.frompyfunc(math.comb, 2, 1)
    got = choose([[5], [6]], [1, 2, 3])
    want = numpy.frompyfunc(math.comb, 2, 1)([[5], [6]], [1, 2, 3])
    assert got.tolist() == want.tolist()
    assert choose(5, 2) == 10
    assert isinstance(choose, numpy_shim.ufunc)
    assert (choose.nin, choose.nout, choose.nargs, choose.identity) == (2, 1, 3, None)
    assert choose.outer([4, 5], [1, 2]).tolist() == [[4, 6], [5, 10]]
    assert pickle.loads(pickle.dumps(choose))(5, 2) == 10
    add = numpy_shim.frompyfunc(lambda a, b: a + b, 2, 1, identity=0)
    assert add.reduce([1, 2, 3]) == 6
    assert add.reduce([]) == 0
    assert add.accumulate([1, 2, 3]).tolist() == [1, 3, 6]
    assert add != choose
    assert {add: 1}[add] == 1  # they are keys of dictionaries
    both = numpy_shim.frompyfunc(divmod, 2, 2)([7, 8], 3)
    assert [b.tolist() for b in both] == [[2, 2], [1, 2]]
    with pytest.raises(TypeError, match="callable"):
        numpy_shim.frompyfunc(3, 1, 1)
    with pytest.raises(TypeError, match="positional"):
        choose(1)


def test_otypes_can_be_set():
    """After the fact too; asked for, they are dtypes or the codes that were given."""

    def body(np: Any) -> Any:
        made = np.vectorize(lambda x: x, otypes=[float, np.int32])
        twice = np.vectorize(lambda x: 2 * x)
        twice.otypes = "i"
        empty = twice(np.zeros((0, 5), int))
        return made.otypes, twice.otypes, empty, twice([1.5])

    compare(body)
