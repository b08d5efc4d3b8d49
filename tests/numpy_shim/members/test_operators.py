"""The operators of arrays and scalars: results, classes, in-place rules, foreign operands."""

from __future__ import annotations

import operator
from typing import Any

import numpy
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.differential import ROUNDING, compare
from tests.numpy_shim.ufunc.ufunc_inputs import ALL, REAL, operands, pairs
from tests.strategies import scalars

A = "np.array([1, 2, 3])"
EXPRESSIONS = """
A == None
A != None
A == "a"
A != "a"
A == object()
A == [1, 5, 3]
A == (1, 2, 3)
A == {}
A == 2**70
A != 2**70
A < 2**70
2**70 > A
A == 1.5
A == 1j
A < 1j
A < None
A < "a"
divmod(A, 2)
divmod(7, A)
divmod(A, 0)
pow(A, 2)
pow(A, 2, 3)
pow(2, A)
A @ A
A @ 2
[1, 2, 3] @ A
A @ [1, 2, 3]
A + "a"
A + None
A + [1, 2, 3]
[1, 2, 3] + A
A * (1, 2, 3)
A + [[1], [2]]
A + [1, 2]
op.iadd(A, 1.5)
op.iadd(A, 1)
op.iadd(A, True)
op.iadd(A, 2**70)
op.itruediv(A, 2)
op.iadd(A * 1.0, 1)
op.iadd(A * 1.0, 1j)
op.iadd(A * 1.0, A)
op.iadd(A, A * 1.0)
op.iadd(A, [1, 2, 3])
op.iadd(A, [1, 2])
op.iadd(A, [[1, 2, 3], [1, 2, 3]])
op.isub(np.array([1, 2], np.uint8), -1)
op.iadd(np.array([1, 2], np.float32), np.array([1.5, 2.5]))
op.iadd(np.array([1, 2], np.int8), np.array([1, 2]))
op.iadd(np.array([1, 2], np.uint64), np.array([1, 2]))
op.ilshift(A, 1)
op.iand(A, 1.5)
op.ipow(A, 2)
op.ipow(A, -1)
op.ifloordiv(A, 0)
op.imod(A, 2)
op.imatmul(np.array([[1.0, 2], [3, 4]]), np.array([[1.0, 2], [3, 4]]))
op.imatmul(A, np.array([[1, 2, 3]] * 3))
op.imatmul(A, A)
op.imatmul(np.array([[1.0, 2]]), np.array([[1.0, 2], [3, 4]]))
op.imatmul(np.array([[1, 2], [3, 4]]), np.array([[1.0, 2], [3, 4]]))
A**-1
A**-1.0
A ** np.array([1, -1, 2])
A**0.5
np.array([-np.inf, -0.0, 4], "f2") ** 0.5
np.array([-np.inf, -0.0, 4], "f2")[::-1] ** 0.5
np.array(-np.inf, "f2") ** 0.5
np.array([-np.inf, -0.0, 4], "F") ** 0.5
np.array([-np.inf, 2j], "F") ** -1
np.array([-np.inf, -0.0, 4], "F") ** 2
op.ipow(np.array([-np.inf, -0.0, 4], "f2"), 0.5)
op.ipow(np.array([-np.inf, -0.0, 4], "f4"), 0.5)
op.ipow(np.array([-np.inf, -0.0, 4], "f4"), np.float32(0.5))
np.power(np.array([-np.inf, -0.0, 4], "f2"), 0.5)
np.array([True, False]) ** 2
np.array([True, False]) ** 2.0
np.array([True, False]) ** 3
np.array(True) ** 2
op.ipow(np.array([True, False]), 2)
A[:0] ** -1
A[:0] ** np.array(-1)
op.ipow(A[:0], -1)
A ** A[::-1][:0]
A << 70
A >> 70
A << -1
A << np.array([1, 70, -3])
-np.array([True])
np.array([True]) - np.array([True])
np.array([1, 200], np.uint8) + 300
np.array([1, 200], np.uint8) + 100
np.array([1, 200], np.uint8) - (-1)
np.array([True, False]) * 2
np.array([True, False]) * 2.5
np.array([True, False]) + np.array([1, 2], np.int8)
np.array([1 + 2j]) ** 2
np.array([1 + 2j, 3]) ** 3
np.array([1j, 2, 1 + 2j]) ** np.arange(3)
np.array([1j, 2, 1 + 2j]) ** np.arange(1, -2, -1)
2 ** np.array([1.0, 2])
np.float64(1) == None
np.float64(1) != None
np.float64(1) == "a"
np.float64(1) + 1
np.float64(1) + 1j
np.float32(1) + 1.5
np.float32(1) + np.float64(1.5)
np.int8(1) + np.int64(2)
np.int8(100) * 2
np.int8(100) + 100
np.int8(100) + 200
-np.uint8(1)
~np.uint8(1)
abs(np.int8(-3))
np.float64(7) // 2
7 // np.float64(2)
7 % np.int64(4)
divmod(np.int64(7), 2)
divmod(7.5, np.int64(2))
np.int64(7) / 2
np.bool(True) + np.bool(True)
np.bool(True) - np.bool(True)
-np.bool(True)
~np.bool(True)
np.bool(True) + 1
np.bool(True) & True
np.int64(5) ** -1
np.float64(5) ** -1
np.int64(2) ** np.int64(3)
np.array(2) ** 3
np.array(2) + np.array(3)
np.float64(2) + np.array([1.0, 2])
np.int64(2) < 2.5
np.float64(2) @ np.ones(2)
op.iadd(np.float64(2), 1)
op.iadd(np.array(2), 1)
""".strip().splitlines()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expression(expression: str):
    """Values, dtype, whether an array or a scalar comes out, and errors are NumPy's."""
    names: dict[str, Any] = {"op": operator}
    compare(
        lambda np: eval(expression, {"np": np, "A": np.array([1, 2, 3]), **names}), rtol=ROUNDING
    )


FORWARD = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift, "==": operator.eq,
    "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
IN_PLACE = {
    "+=": operator.iadd, "-=": operator.isub, "*=": operator.imul, "/=": operator.itruediv,
    "//=": operator.ifloordiv, "%=": operator.imod, "&=": operator.iand, "|=": operator.ior,
    "^=": operator.ixor, "<<=": operator.ilshift, ">>=": operator.irshift,
}  # fmt: skip
COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}
LOOSE = {**ROUNDING, "complex64": 1e-5, "complex128": 1e-13}


def beyond_int64(number: Any) -> bool:
    return type(number) is int and not -(2**63) <= number < 2**63


@pytest.mark.parametrize("symbol", FORWARD)
@given(pair=pairs(REAL))
def test_arrays(symbol: str, pair: Any):
    """Two arrays of any real dtypes, shapes and layouts."""
    compare(lambda np, a, b: FORWARD[symbol](a, b), *pair, rtol=ROUNDING)


@pytest.mark.parametrize("symbol", FORWARD)
@given(x=operands(ALL, finite=True), number=scalars())
def test_python_numbers(symbol: str, x: Any, number: Any):
    """A Python number on either side: NEP 50's dtypes, and OverflowError out of range."""
    # How complex infinities and NaN come about differs.
    assume(x.values.dtype.kind != "c" or (symbol != "/" and number == number))
    if isinstance(number, int) and abs(number) > 2**53 and x.values.dtype.kind == "f":
        number = float(number)
    function = FORWARD[symbol]
    raises = x.values.dtype == "bool" and symbol in COMPARISONS and beyond_int64(number)

    def operand(np: Any, a: Any) -> Any:
        # NumPy compares integers with any int, but turns the int to int64 beside booleans.
        return a.astype("int8") if raises and np is numpy else a

    for body in (
        lambda np, a: function(operand(np, a), number),
        lambda np, a: function(number, operand(np, a)),
    ):
        compare(body, x, rtol=LOOSE, atol=1e-30, signed_zeros=False)


@pytest.mark.parametrize("symbol", IN_PLACE)
@given(pair=pairs(REAL))
def test_in_place(symbol: str, pair: Any):
    """The left array keeps its dtype and shape and is the result, or nothing changes."""
    if pair[0].layout == "broadcast":
        pair = (Spec(pair[0].values), pair[1])

    def body(np: Any, a: Any, b: Any) -> Any:
        result = IN_PLACE[symbol](a, b)
        assert result is a or not a.shape
        return result

    compare(body, *pair, rtol={**ROUNDING, "float16": 4e-3})


@pytest.mark.parametrize("symbol", IN_PLACE)
@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "u1", "?", "c16"])
@pytest.mark.parametrize("other", ["f8", "f4", "f2", "i8", "i1", "u1", "u8", "?", "c8", "c16"])
def test_in_place_with_scalars_of_numpys(symbol: str, dtype: str, other: str):
    """A scalar is as strong as an array of its dtype; a view of any layout takes it."""

    def body(np: Any, a: Any, number: Any) -> Any:
        results = []
        for view in (lambda a: a, lambda a: a.T, lambda a: a[::2], lambda a: a[:, ::-1]):
            fresh = a.copy()
            result = IN_PLACE[symbol](view(fresh), number)
            results += [fresh, result]
        return results

    a = Spec(numpy.array([[1, 2, 3], [4, 5, 6]]).astype(dtype))
    for value in (3, 1, 0) if symbol in ("+=", "-=", "*=") else (3, 1):
        number = numpy.array(value).astype(other)[()]
        compare(lambda np, x, n=number: body(np, x, n), a, rtol={**ROUNDING, "float16": 4e-3})


def test_in_place_with_scalars_reports_errors():
    """``errstate`` sees an overflow, and a gradient is kept."""
    a = numpy_shim.array([1e300, 2.0])
    with numpy_shim.errstate(over="raise"), pytest.raises(FloatingPointError):
        a *= numpy.float64(1e300)
    t = torch.ones(2, dtype=torch.float64, requires_grad=True)
    b = numpy_shim.asarray(t) * 1.0
    b *= numpy.float64(3)
    b.tensor.sum().backward()
    assert t.grad is not None
    assert t.grad.tolist() == [3.0, 3.0]


VIEWS = {
    "a[1:] += a[:-1]": (5,),
    "a[:-1] *= a[1:]": (5,),
    "a += a.T": (3, 3),
    "a += a[0]": (3, 3),
    "a *= a": (4,),
    "a -= a[::-1]": (5,),
    "a[::-1] += a": (5,),
    "a.T[...] += a": (3, 3),
    "a[0] += a[1]": (3, 3),
}


@pytest.mark.parametrize("statement", VIEWS)
def test_overlapping_views(statement: str):
    """A view that overlaps the other operand gives NumPy's result, and reaches the base."""

    def body(np: Any, a: Any) -> Any:
        exec(statement, {"a": a})
        return a

    shape = VIEWS[statement]
    compare(body, Spec(numpy.arange(numpy.prod(shape), dtype=float).reshape(shape)))


def test_failed_in_place_operator_changes_nothing():
    """A cast or a shape that does not fit leaves the array as it was."""
    a = numpy_shim.array([1, 2, 3])
    for other in (1.5, [1, 2], numpy_shim.ones((2, 3), numpy_shim.int64), 1j):
        with pytest.raises((TypeError, ValueError)):
            a += other
    assert a.tolist() == [1, 2, 3]


@given(data=st.data())
def test_scalars(data: Any):
    """Scalars promote as arrays do, and give scalars."""
    symbol = data.draw(st.sampled_from(sorted(FORWARD)))
    a, b = (data.draw(operands(REAL, ())) for _ in range(2))
    compare(lambda np, a, b: FORWARD[symbol](a[()], b[()]), a, b, rtol=ROUNDING)


def test_operator_keeps_the_gradient():
    """In-place operators on what needs a gradient are part of its history."""
    t = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    a = numpy_shim.asarray(t) * 1.0
    a **= 2
    a %= 10.0
    a @= numpy_shim.asarray([[1.0, 0.0], [0.0, 3.0]])
    a.tensor.sum().backward()
    assert t.grad is not None
    assert t.grad.tolist() == [2, 12]
