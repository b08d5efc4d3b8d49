"""Scalars that stay tensors behave as NumPy's: methods, immutability, text, protocols."""

from __future__ import annotations

import collections.abc
import copy
import itertools
import math
import operator
import pickle
import statistics
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import numpy_shim
from numpy_shim._array.ndarray import tensor_scalar
from numpy_shim._base.dtypes import TORCH
from tests.numpy_shim.differential import ROUNDING, compare
from tests.strategies import arrays

NAMES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float16", "float32", "float64", "complex64", "complex128"]  # fmt: skip


def made(np: Any, name: str, value: Any = 1) -> Any:
    """A scalar of a dtype: of ours one that stays a tensor."""
    if np is numpy:
        return getattr(np, name)(value)
    return tensor_scalar(torch.tensor(value).to(TORCH[numpy.dtype(name)]))


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
        s = made(np, name)
        return eval(f"s{call}" if call.startswith("[") else f"s.{call}", {"s": s})

    compare(body, rtol=ROUNDING)


@pytest.mark.parametrize("name", NAMES)
def test_immutable(name: str):
    """In place operators give new scalars; nothing else writes."""

    def in_place(np: Any) -> Any:
        s = kept = made(np, name)
        s += True
        s *= made(np, name)
        return s, kept

    def item(np: Any) -> Any:
        made(np, name)[()] = 0

    def view(np: Any) -> Any:
        s = made(np, name)
        for a in (s.reshape(1), s[...], s[None], s.ravel(), np.reshape(s, 1), np.array(s)):
            a[...] = 0
        return s

    def fill(np: Any) -> Any:
        s = made(np, name)
        return s.fill(0), s

    compare(in_place)
    compare(item)
    compare(view)
    compare(fill)
    s = made(numpy_shim, name)
    for write in (lambda: setattr(s, "shape", (1,)), lambda: s.resize(2)):
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
            return f(tensor_scalar(a._tensor) if np is numpy_shim else a[()])

        compare(body, x, allow_numpy=True)


@given(x=st.floats(-1e6, 1e6, width=32), digits=st.integers(-2, 3) | st.none())
def test_round_and_parts(x: float, digits: int | None):
    """``round`` gives an int, or a scalar; ratios and hexadecimals are exact."""
    for name in ("float32", "float64", "int32"):
        compare(
            lambda np, name=name: round(made(np, name, int(x) if name == "int32" else x), digits),
            rtol=ROUNDING,
        )
    compare(lambda np: made(np, "float64", x).as_integer_ratio())
    compare(lambda np: made(np, "float32", x).as_integer_ratio())
    compare(lambda np: made(np, "float64", x).hex())
    compare(
        lambda np: [
            math.floor(made(np, "float64", x)),
            math.ceil(made(np, "float32", x)),
            math.sqrt(x * x),
        ]
    )
    compare(lambda np: made(np, "int32", int(x)).bit_count())


@pytest.mark.parametrize("name", NAMES)
def test_python_protocols(name: str):
    """What scalars are not: sequences. What they are: keys, indices, numbers for ``math``."""
    for function in (len, iter, list, lambda s: 1 in s, round, lambda s: range(3)[s],
                     lambda s: {s: 1}[1], lambda s: s == 1, lambda s: s != "a", lambda s: s < 2,
                     lambda s: s in (1, 2), lambda s: math.cos(s), lambda s: [1, 2][s],
                     lambda s: divmod(s, 1), lambda s: 7 + s, lambda s: s**2,
                     lambda s: operator.ipow(s, 2),
                     lambda s: -s, abs, lambda s: ~s, operator.index, int, bool, float,
                     complex):  # fmt: skip
        compare(lambda np, f=function: f(made(np, name)))
    s = made(numpy_shim, name)
    assert not isinstance(s, collections.abc.Iterable)
    assert not isinstance(s, collections.abc.Sized)
    assert copy.copy(s) is s
    assert copy.deepcopy(s) is s
    loaded = pickle.loads(pickle.dumps(s))
    assert type(loaded) is getattr(numpy, name), "on the CPU the value is at hand"
    assert loaded == s


def test_the_power_of_one_half():
    """It is the root, as for arrays; that of NumPy's scalars is the power."""
    assert made(numpy, "float64", -math.inf) ** 0.5 == math.inf
    assert math.isnan(made(numpy_shim, "float64", -math.inf) ** 0.5)
    assert math.copysign(1, made(numpy_shim, "float64", -0.0) ** 0.5) == -1


def test_arithmetic_gives_scalars():
    """Of scalars and numbers; arrays stay arrays."""
    for operate in (operator.add, operator.mul, operator.truediv, operator.pow, operator.lt):
        for left, right in itertools.product(["int8", "float32", "float64", "bool"], repeat=2):

            def body(np: Any, f: Any = operate, names: Any = (left, right)) -> Any:
                a, b = (made(np, n) for n in names)
                return f(a, b), f(a, 1), f(2.5, b), f(np.array([1, 0], names[0]), b)

            compare(body, rtol=ROUNDING)


@pytest.mark.parametrize("sequence", [[0, 1], (1,), "ab", b"ab", range(2)])
@pytest.mark.parametrize("name", NAMES)
def test_sequences_are_repeated(name: str, sequence: Any):
    """By an integer scalar; added to it, and multiplied with an array, they are arrays."""
    compare(lambda np: sequence * made(np, name, 2))
    compare(lambda np: made(np, name, 2) * sequence)
    compare(lambda np: operator.imul(made(np, name, 2), sequence))
    if not isinstance(sequence, (str, bytes)):
        compare(lambda np: [made(np, name, 2) + sequence, sequence * np.array(2, name)])


def test_lists_grow_in_place():
    """``list *= scalar`` is Python's."""

    def body(np: Any) -> Any:
        values = [1, 2]
        values *= made(np, "int64", 2)
        return values

    compare(body)


@pytest.mark.parametrize("name", NAMES)
def test_the_class_of_a_scalar_can_be_called(name: str):
    """``statistics.mean`` calls it for its result."""
    compare(lambda np: (type(made(np, name))(1), type(made(np, name))()))
    compare(lambda np: type(made(np, name))(made(np, name, 0)))
    if "int" in name or name == "float64":
        compare(lambda np: statistics.mean([made(np, name, 1), made(np, name, 4)]))


class Answering:
    """An object that answers what a scalar asks, with more than truths."""

    __hash__ = None  # type: ignore[assignment]

    def __gt__(self, other: object) -> Any:
        return "gt", float(other)  # type: ignore[arg-type]

    def __eq__(self, other: object) -> Any:
        return "eq", other

    def __rdivmod__(self, other: object) -> Any:
        return "rdivmod", other

    def __rmod__(self, other: object) -> Any:
        return "rmod", other


@pytest.mark.parametrize("name", ["bool", "int64", "float32", "float64"])
@pytest.mark.parametrize(
    "expression", ["s < o", "s == o", "s != o", "s.__lt__(o)", "divmod(s, o)", "s % o", "s < None"]
)
def test_objects_answer_scalars(name: str, expression: str) -> None:
    def body(np: Any) -> Any:
        try:
            return eval(expression, {"s": made(np, name), "o": Answering()})
        except TypeError as error:
            return str(error)

    found, expected = body(numpy_shim), body(numpy)
    assert (found, type(found)) == (expected, type(expected))


def test_objects_answer_arrays_with_truths() -> None:
    found = numpy_shim.asarray(2.0) < Answering()
    assert found is numpy.True_


@pytest.mark.parametrize("name", NAMES)
def test_the_type_of_a_scalar_is_a_dtype(name: str) -> None:
    scalar = made(numpy_shim, name)
    assert numpy.dtype(type(scalar)) == name
    assert numpy_shim.zeros(2, dtype=type(scalar)).dtype == name
    assert numpy_shim.issubdtype(type(scalar), getattr(numpy, name))
    assert scalar.dtype == name
