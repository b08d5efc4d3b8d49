"""The scalar types: constructors, hierarchy, immutability, methods and text, against NumPy."""

from __future__ import annotations

import collections.abc
import copy
import fractions
import itertools
import json
import math
import numbers
import operator
import pickle
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import numpy_shim
from tests.numpy_shim.differential import ROUNDING, compare
from tests.strategies import arrays

NAMES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float16", "float32", "float64", "complex64", "complex128"]  # fmt: skip
ABSTRACT = ["generic", "number", "integer", "signedinteger", "unsignedinteger", "inexact",
            "floating", "complexfloating"]  # fmt: skip
ALIASES = ["bool_", "byte", "short", "intc", "int_", "intp", "long", "ubyte",
           "ushort", "uintc", "uint", "uintp", "ulong", "half", "single", "double",
           "csingle", "cdouble"]  # fmt: skip
VALUES = [
    0, 1, -1, 300, 2**31, -(2**63), 2**63, 2**64, 10**400, True, 0.5, -2.7, 1e20, 1e300,
    float("inf"), float("nan"), 1 + 2j, "3", "3.5", "1e400", "1+2j", "", "abc", b"12", b"1.5",
    None, [1, 0], (1, 2), [], [300], [[1.5]], range(3), {}, set(), fractions.Fraction(7, 2),
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_constructor(name: str, value: Any):
    """From numbers, text, ``None`` and sequences; with NumPy's errors."""
    compare(lambda np: getattr(np, name)(value))


@pytest.mark.parametrize(("name", "source"), itertools.product(NAMES, repeat=2))
def test_constructor_from_scalars_and_arrays(name: str, source: str):
    """Scalars and arrays are cast as C casts; one with axes stays an array."""
    compare(lambda np: getattr(np, name)(getattr(np, source)(1)))
    compare(lambda np: getattr(np, name)(np.array(1, source)))
    compare(lambda np: getattr(np, name)(np.array([[1, 0]], source)))


def test_constructor_casts():
    """Integers wrap around; an array's scalar is a copy."""
    compare(lambda np: [np.int8(np.int64(300)), np.uint8(np.int64(-1)), np.uint8(np.array(-1))])
    compare(lambda np: [getattr(np, name)() for name in NAMES])
    compare(lambda np: [np.complex128(1, 2), np.complex64(1.5, 2), np.complex64()])
    compare(lambda np: np.float64(1, 2))
    compare(lambda np: np.float64(x=3))
    for name in ABSTRACT:
        compare(lambda np, name=name: getattr(np, name)(1))
    a = numpy_shim.array(1.0)
    s = numpy_shim.float64(a)
    a[...] = 2
    assert s == 1
    t = torch.tensor(2.0, requires_grad=True)
    assert numpy_shim.float64(t).tensor.requires_grad
    assert numpy_shim.float32(numpy.float64(1.5)).dtype == "f4"
    with pytest.warns(numpy.exceptions.ComplexWarning):
        numpy_shim.float64(numpy_shim.complex64(1))
    torch.set_default_device("meta")
    try:
        assert numpy_shim.float64(2).device.type == "meta"
    finally:
        torch.set_default_device(None)


@pytest.mark.parametrize(("lower", "upper"), itertools.product(NAMES + ABSTRACT, repeat=2))
def test_hierarchy(lower: str, upper: str):
    """Subclasses as in NumPy."""
    compare(lambda np: issubclass(getattr(np, lower), getattr(np, upper)))


@pytest.mark.parametrize("name", NAMES + ABSTRACT)
@pytest.mark.parametrize("abc", ["Number", "Complex", "Real", "Rational", "Integral"])
def test_number_classes(name: str, abc: str):
    """Registered with Python's abstract classes of numbers."""
    compare(lambda np: issubclass(getattr(np, name), getattr(numbers, abc)))


def test_a_scalar_is_no_array():
    def body(np: Any) -> Any:
        a = np.arange(3.0)
        found = [
            a,
            a[:1],
            a[0],
            a.sum(),
            np.float32(1),
            np.array(1.0),
            np.True_,
            a.max(keepdims=True),
        ]
        return [(isinstance(x, np.ndarray), isinstance(x, np.generic)) for x in found]

    compare(body)
    assert not issubclass(numpy_shim.float64, numpy_shim.ndarray)
    assert not issubclass(numpy_shim.ndarray, numpy_shim.generic)


def test_names_and_dtypes():
    """Each type's name, its dtype, the types' second names."""
    for name in NAMES:
        compare(lambda np, name=name: (getattr(np, name).__name__, np.dtype(getattr(np, name))))
        compare(lambda np, name=name: np.zeros(2, getattr(np, name)))
        assert getattr(numpy_shim, name).__module__ == "numpy_shim"
    for name in ALIASES:
        compare(lambda np, name=name: np.dtype(getattr(np, name)))
    for name in ["character", "str_", "bytes_", "void", "object_", "datetime64", "timedelta64",
                 "flexible", "longdouble", "clongdouble", "record"]:  # fmt: skip
        assert getattr(numpy_shim, name) is getattr(numpy, name)
    with pytest.raises(TypeError, match="no storage"):
        numpy_shim.zeros(2, numpy_shim.longdouble)
    assert numpy_shim.number[Any].__origin__ is numpy_shim.number


METHODS = [
    "T", "all()", "any()", "argmax()", "argmin()", "argsort()", "astype(int)", "astype('c8')",
    "base", "byteswap()", "choose([1, 2])", "clip(0, 1)", "compress([1])", "conj()",
    "conjugate()", "copy()", "cumprod()", "cumsum()", "diagonal()", "dtype", "flatten()",
    "getfield(s.dtype)", "imag", "item()", "item(0)", "item(1)", "itemsize", "max()", "mean()",
    "min()", "nbytes", "ndim", "nonzero()", "prod()", "ravel()", "real", "repeat(2)",
    "reshape(1)", "reshape(())", "reshape(2)", "round()", "searchsorted(1)", "shape", "size",
    "sort()", "squeeze()", "std()", "strides", "sum()", "swapaxes(0, 1)", "take(0)", "tobytes()",
    "tolist()", "trace()", "transpose()", "var()", "view()", "flags.owndata", "flags.writeable",
    "flags.num", "is_integer()", "as_integer_ratio()", "bit_count()", "hex()", "numerator",
    "denominator", "__index__()", "[()]", "[...]", "[None]", "[0]", "[None, ...]", "[:]", "[True]",
]  # fmt: skip


# The index of other dtypes raises where it is called.
INDEX = "__index__()"
METHOD_CALLS = [(name, call) for name in NAMES for call in METHODS
                if call != INDEX or name.startswith(("int", "uint"))]  # fmt: skip


@pytest.mark.parametrize(("name", "call"), METHOD_CALLS)
def test_method(name: str, call: str):
    """What a scalar's method gives, a scalar or an array; and its errors."""

    def body(np: Any) -> Any:
        s = getattr(np, name)(1)
        return eval(f"s{call}" if call.startswith("[") else f"s.{call}", {"s": s})

    compare(body, rtol=ROUNDING)


@pytest.mark.parametrize("name", NAMES)
def test_immutable(name: str):
    """In place operators give new scalars; nothing else writes."""

    def in_place(np: Any) -> Any:
        s = kept = getattr(np, name)(1)
        s += True
        s *= getattr(np, name)(1)
        return s, kept

    def item(np: Any) -> Any:
        getattr(np, name)(1)[()] = 0

    def view(np: Any) -> Any:
        s = getattr(np, name)(1)
        for a in (s.reshape(1), s[...], s[None], s.ravel(), np.reshape(s, 1), np.array(s)):
            a[...] = 0
        return s

    compare(in_place)
    compare(item)
    compare(view)
    s = getattr(numpy_shim, name)(1)
    for write in (lambda: s.fill(0), lambda: setattr(s, "shape", (1,)), lambda: s.resize(2)):
        with pytest.raises((TypeError, AttributeError, ValueError)):
            write()
    with pytest.raises(TypeError, match="ArrayType"):
        numpy_shim.add([1], [2], out=s)


@given(x=arrays(shape=()))
def test_text(x: Any):
    """``repr`` and ``str`` character for character, formats and hashes of every value."""
    functions = [repr, str, hash, lambda s: f"{s}", lambda s: f"{s:>12}", lambda s: f"{s!r}",
                 lambda s: repr(s.item()), lambda s: repr([s]),
                 lambda s: "{}".format(s)]  # noqa: UP032  # fmt: skip
    for function in functions:
        if function is hash and x.values != x.values:
            continue  # a NaN's hash is its identity's

        def body(np: Any, a: Any, f: Any = function) -> Any:
            return f(a[()])

        compare(body, x, allow_numpy=True)


@given(x=st.floats(-1e6, 1e6, width=32), digits=st.integers(-2, 3) | st.none())
def test_round_and_parts(x: float, digits: int | None):
    """``round`` gives an int, or a scalar; ratios and hexadecimals are exact."""
    for name in ("float32", "float64", "int32"):
        compare(lambda np, name=name: round(getattr(np, name)(x), digits), rtol=ROUNDING)
    compare(lambda np: np.float64(x).as_integer_ratio())
    compare(lambda np: np.float32(x).as_integer_ratio())
    compare(lambda np: (np.float64(x).hex(), np.float64.fromhex(x.hex())))
    compare(lambda np: [math.floor(np.float64(x)), math.ceil(np.float32(x)), math.sqrt(x * x)])
    compare(lambda np: np.int32(int(x)).bit_count())


@pytest.mark.parametrize("name", NAMES)
def test_python_protocols(name: str):
    """What scalars are not: sequences. What they are: keys, indices, numbers for ``math``."""
    for function in (len, iter, list, lambda s: 1 in s, round, lambda s: range(3)[s],
                     lambda s: {s: 1}[1], lambda s: s == 1, lambda s: s != "a", lambda s: s < 2,
                     lambda s: s in (1, 2), lambda s: math.cos(s), lambda s: [1, 2][s],
                     lambda s: divmod(s, 1), lambda s: 7 + s, lambda s: s**2,
                     lambda s: -s, abs, lambda s: ~s, operator.index, int, bool, float,
                     complex):  # fmt: skip
        compare(lambda np, f=function: f(getattr(np, name)(1)))
    s = getattr(numpy_shim, name)(1)
    assert not isinstance(s, collections.abc.Iterable)
    for made in (copy.copy(s), copy.deepcopy(s), pickle.loads(pickle.dumps(s))):
        assert type(made) is type(s)
        assert made == s
    with pytest.raises(TypeError):
        json.dumps(s)  # no subclass of float


def test_arithmetic_gives_scalars():
    """Of scalars and numbers; arrays stay arrays."""
    for operate in (operator.add, operator.mul, operator.truediv, operator.pow, operator.lt):
        for left, right in itertools.product(["int8", "float32", "float64", "bool"], repeat=2):

            def body(np: Any, f: Any = operate, names: Any = (left, right)) -> Any:
                a, b = (getattr(np, n)(1) for n in names)
                return f(a, b), f(a, 1), f(2.5, b), f(np.array([1, 0], names[0]), b)

            compare(body, rtol=ROUNDING)


@pytest.mark.parametrize("sequence", [[0, 1], (1,), "ab", b"ab", range(2)])
@pytest.mark.parametrize("name", NAMES)
def test_sequences_are_repeated(name: str, sequence: Any):
    """By an integer scalar; added to it, and multiplied with an array, they are arrays."""
    compare(lambda np: sequence * getattr(np, name)(2))
    compare(lambda np: getattr(np, name)(2) * sequence)
    if not isinstance(sequence, (str, bytes)):
        compare(lambda np: [getattr(np, name)(2) + sequence, sequence * np.array(2, name)])


def test_lists_grow_in_place():
    """``list *= scalar`` is Python's."""

    def body(np: Any) -> Any:
        values = [1, 2]
        values *= np.int64(2)
        return values

    compare(body)


@pytest.mark.parametrize("name", NAMES)
def test_scalar_type_equals_its_dtype(name):
    """From either side; and other dtypes, names and Python's types are no scalar type."""
    compare(lambda np: [getattr(np, name) == np.dtype(other) for other in NAMES])
    compare(lambda np: [np.dtype(other) == getattr(np, name) for other in NAMES])
    compare(lambda np: [getattr(np, name) != np.dtype(other) for other in NAMES])
    compare(lambda np: [getattr(np, name) == other for other in (name, int, float, 1, None)])
