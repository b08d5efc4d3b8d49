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
np.vectorize(lambda a: a * 2)(np.array([1, 200], "u1"))
np.vectorize(lambda a: a * 2, otypes="B")([1, 150])
np.vectorize(lambda a: a, otypes="l")([1, np.inf])
np.vectorize(lambda a: a, otypes="l")([1, np.nan])
np.vectorize(lambda a: a, otypes="l")([1, 2.5])
np.vectorize(lambda a: a, otypes="l")([1, 2j])
np.vectorize(lambda a: a, otypes="d")([1, 2j])
np.vectorize(lambda a: 1 if a < 2 else 2j)([1, 2])
np.vectorize(lambda a: 1 if a < 2 else None)([1, 2])
np.vectorize(lambda a: 1.5 if a < 2 else None)([1, 2])
np.vectorize(lambda a: 1 if a < 2 else "7")([1, 2])
np.vectorize(lambda a: 1 if a < 2 else "a")([1, 2])
np.vectorize(lambda a: np.int64(a * 200), otypes="B")([1, 2])
np.vectorize(lambda a: np.float32(a), otypes="d")([1, 2])
np.vectorize(lambda a: np.array(a * 1j), otypes="d")([1, 2])
np.vectorize(lambda a: np.array([a]))([1, 2])
np.vectorize(lambda a: np.ones(a))([1, 2])
np.vectorize(lambda a: [1] * a)([1, 2])
np.vectorize(lambda a: [1] * a, otypes="d")([2, 2])
np.vectorize(lambda a: [1] * a, otypes="?")([0, 2])
np.vectorize(lambda a: (a, a * 200), otypes="BB")([1, 2])
np.vectorize(lambda a: a * 200, otypes="B", signature="()->()")([1, 2])
np.vectorize(lambda a: np.ones(2) * 200 * a, otypes="B", signature="()->(n)")([1, 2])
np.vectorize(lambda a: 1 if a < 2 else 2j, signature="()->()")([1, 2])
np.apply_along_axis(lambda r: r.sum(), 0, np.arange(6).reshape(2, 3))
np.apply_along_axis(lambda r: r * 2, 1, np.arange(6).reshape(2, 3))
np.apply_along_axis(lambda r: np.array([[r[0], r[1]]]), 0, np.arange(12).reshape(2, 3, 2))
np.apply_along_axis(lambda r, k, scale=1: r.sum() * k * scale, -1, [[1, 2], [3, 4]], 2, scale=3)
np.apply_along_axis(lambda r: r[0] / 2, 0, [[1, 2], [3, 4]])
np.apply_along_axis(lambda r: r.sum(), 2, [[1, 2], [3, 4]])
np.apply_along_axis(lambda r: r.sum(), 0, np.ones((3, 0)))
np.apply_along_axis(lambda r: r.sum(), 0, [1, 2, 3])
type(np.apply_along_axis(np.sum, 0, np.arange(3))) is np.ndarray
type(np.apply_along_axis(lambda r: 3, 0, np.arange(3))) is np.ndarray
np.apply_over_axes(np.sum, np.arange(24).reshape(2, 3, 4), [0, 2])
np.apply_over_axes(np.sum, np.arange(24).reshape(2, 3, 4), -1)
np.apply_over_axes(np.sum, np.array(3), 0)
np.apply_over_axes(np.sum, np.array(3), [])
np.apply_over_axes(np.sum, np.array(3), 1)
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


OBJECTS = """
f(lambda a: a / 2 if a > 3 else a, 1, 1)(np.array([10, 2]))
f(lambda a: a > 3, 1, 1)(np.array([10, 2]))
f(lambda a: a**99, 1, 1)(np.array([10, 2]))
f(lambda a: a + 1, 1, 1)(np.int64(3))
f(lambda a: a + 1, 1, 1)(np.array(3))
f(lambda a, b: a + b, 2, 1)(np.array([1, 2]), 3.0)
f(lambda a: (a, -a), 1, 2)(np.array([10, 2]))
f(lambda a: a + 1, 1, 1)(np.array([1, 2])[::-1])
f(lambda a: a + 1, 1, 1)(np.array([1, 2])).astype(float)
np.sum(f(lambda a: a + 1, 1, 1)(np.array([1, 2])))
f(lambda a: a + 1, 1, 1)(np.array([1, 2]), where=[True, False])[0]
f(lambda a: a + 1, 1, 1)(np.array([1, 2]), dtype=object)
f(lambda a: a + 1, 1, 1)(np.array([1, 2]), out=np.zeros(2))
f(lambda a: a + 1, 1, 1)(np.array([1, 2]), out=np.zeros(2), casting="unsafe")
f(lambda a: a + 1, 1, 1)(np.array([1, 2]), np.zeros(2, object))
f(lambda a: a + 1, 1, 1)(1, 2, 3)
f(lambda a: a / 2 if a > 2 else a, 1, 1)(A)
f(divmod, 2, 2)([7, 8], 3)
f(math.comb, 2, 1)([[5], [6]], [1, 2, 3])
f(math.comb, 2, 1)(1)
f(math.comb, 2, 1).outer([4, 5], [1, 2])
f(lambda a, b: a + b, 2, 1).reduce(np.array([1, 2, 3]))
f(lambda a, b: a + b, 2, 1).reduce(np.ones((2, 3)), axis=1, keepdims=True)
f(lambda a, b: a + b, 2, 1).reduce(np.array([1, 2, 3]), initial=5)
f(lambda a, b: a + b, 2, 1).reduce([])
f(lambda a, b: a + b, 2, 1, identity=0).reduce([])
f(lambda a, b: a + b, 2, 1).accumulate(np.array([1, 2, 3]))
f(lambda a, b: a + b, 2, 1).reduceat(np.array([1, 2, 3]), [0, 2])
f(lambda a, b: a + b, 2, 1).at(A, [0, 2], 1)
f(lambda a: a + 1, 1, 1).at(A, [0, 2])
"""


@pytest.mark.parametrize("expression", OBJECTS.strip().splitlines())
def test_frompyfunc_gives_objects(expression: str):
    """Results are NumPy's arrays of objects, in every method."""

    def body(np: Any) -> Any:
        a = np.array([1, 2, 3])
        result = eval(expression, {"np": np, "f": np.frompyfunc, "math": math, "A": a})
        return [_told(r) for r in (result if isinstance(result, tuple) else (result, a))]

    compare(body, allow_numpy=True)


def _told(x: Any) -> Any:
    """An object, or an array of objects with the class of each."""
    if not hasattr(x, "tolist"):
        return x, type(x).__name__
    values = x.ravel().tolist() if x.ndim else [x.item()]
    return str(x.dtype), x.shape, values, [type(v).__name__ for v in values]


def test_frompyfunc():
    """A ufunc of a Python function."""
    choose = numpy_shim.frompyfunc(math.comb, 2, 1)
    assert isinstance(choose, numpy_shim.ufunc)
    assert (choose.nin, choose.nout, choose.nargs, choose.identity) == (2, 1, 3, None)
    assert pickle.loads(pickle.dumps(choose))(5, 2) == 10
    add = numpy_shim.frompyfunc(lambda a, b: a + b, 2, 1, identity=0)
    assert add != choose
    assert {add: 1}[add] == 1  # they are keys of dictionaries
    with pytest.raises(TypeError, match="callable"):
        numpy_shim.frompyfunc(3, 1, 1)


def test_frompyfunc_of_numbers():
    """Where arrays of objects are refused, and with a gradient, results have a dtype of torch."""
    half = numpy_shim.frompyfunc(lambda a, b: a / b, 2, 1)
    with numpy_shim.set_host_dtypes("error"):
        assert half([4, 5], 2).dtype == numpy.float64
        assert half.outer([4, 5], [1, 2]).tolist() == [[4, 2], [5, 2.5]]
        assert half.reduce([8, 2, 2]) == 2
        assert half.accumulate([8, 2, 2]).tolist() == [8, 4, 2]
        assert half.reduce([8], initial=16) == 2
        with pytest.raises(TypeError, match="where"):
            half([4, 5], 2, where=True)
        with pytest.raises(TypeError, match="positional"):
            half(1)
    t = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    half(numpy_shim.asarray(t), 2).sum().tensor.backward()
    assert t.grad is not None
    assert t.grad.tolist() == [0.5, 0.5]


def test_otypes_can_be_set():
    """After the fact too; asked for, they are dtypes or the codes that were given."""

    def body(np: Any) -> Any:
        made = np.vectorize(lambda x: x, otypes=[float, np.int32])
        twice = np.vectorize(lambda x: 2 * x)
        twice.otypes = "i"
        empty = twice(np.zeros((0, 5), int))
        return made.otypes, twice.otypes, empty, twice([1.5])

    compare(body)
