"""The operators of the array: forward, reflected and in place."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from tests.surface import INTEGER_RESULT, PIECEWISE_CONSTANT, Case

FLOATS = ([1.5, 2.25, 0.7], [0.4, 1.3, 3.1])
INTEGERS = ([1, -2, 5], [3, 1, 2])
MATRICES = ([[1.0, 2.0], [3.0, 4.5]], [[0.5, 1.0], [2.0, -1.0]])

ARITHMETIC = ("add", "sub", "mul", "truediv", "pow")
BITS = ("and", "or", "xor", "lshift", "rshift")


def _method(name: str) -> Callable[..., Any]:
    return lambda xp, *a: getattr(a[0], name)(*a[1:])


def _written(name: str, *first: Any) -> Callable[..., Any]:
    """The operator as a program has it, which Dynamo has rules of its own for."""
    function = getattr(operator, name)
    return lambda xp, *a: function(*first, *a)


def _in_place(name: str) -> Callable[..., Any]:
    function = getattr(operator, name)
    return lambda xp, a, b: function(xp.positive(a), b)


def _three(
    name: str,
    inputs: tuple[Any, ...],
    dtype: str,
    grad: str = "",
    nodes: int | None = None,
    number: float | None = 2.0,
) -> list[Case]:
    """The forward, the reflected (of a ``number``, if any) and the in-place operator."""
    word = f"{name}_" if name in ("and", "or") else name
    reflected = f"Array.__r{name}__"
    return [
        Case(f"Array.__{name}__", _written(word), inputs, dtype, "", grad, nodes),
        Case(reflected, _method(f"__r{name}__"), inputs, dtype, "", grad)
        if number is None
        else Case(reflected, _written(word, number), inputs[:1], dtype, "", grad),
        Case(f"Array.__i{name}__", _in_place(f"i{name}"), inputs, dtype, "", grad),
    ]


CASES = [
    *[case for name in ARITHMETIC for case in _three(name, FLOATS, "float64", nodes=1)],
    *_three("mod", FLOATS, "float64", nodes=6),
    *_three("floordiv", FLOATS, "float64", grad=PIECEWISE_CONSTANT, nodes=6),
    *_three("matmul", MATRICES, "float64", nodes=1, number=None),
    *[case for n in BITS for case in _three(n, INTEGERS, "int64", INTEGER_RESULT, number=2)],
    *[
        Case(f"Array.__{n}__", _written(n), FLOATS, grad=INTEGER_RESULT, nodes=1)
        for n in ("lt", "le", "gt", "ge", "eq", "ne")
    ],
    *[Case(f"Array.__{n}__", _written(n), FLOATS[:1], nodes=1) for n in ("abs", "neg", "pos")],
    Case("Array.__add__", lambda xp, a: (a + 2.0) * 3, FLOATS[:1], nodes=2),
    Case("Array.__rsub__", lambda xp, a: 1.0 - a, FLOATS[:1], nodes=1),
    Case(
        "Array.__invert__",
        _written("invert"),
        INTEGERS[:1],
        dtype="int64",
        grad=INTEGER_RESULT,
        nodes=1,
    ),
]
