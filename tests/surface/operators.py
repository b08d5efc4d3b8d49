"""The operators of the array: forward, reflected and in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.surface import INTEGER_RESULT, PIECEWISE_CONSTANT, Case

FLOATS = ([1.5, 2.25, 0.7], [0.4, 1.3, 3.1])
INTEGERS = ([1, -2, 5], [3, 1, 2])
MATRICES = ([[1.0, 2.0], [3.0, 4.5]], [[0.5, 1.0], [2.0, -1.0]])

ARITHMETIC = ("add", "sub", "mul", "truediv", "pow")
BITS = ("and", "or", "xor", "lshift", "rshift")


def _call(name: str) -> Callable[..., Any]:
    return lambda xp, *a: getattr(a[0], name)(*a[1:])


def _in_place(name: str) -> Callable[..., Any]:
    def body(xp: Any, a: Any, b: Any) -> Any:
        a = xp.positive(a)
        return getattr(a, name)(b)

    return body


def _three(
    operation: str, inputs: tuple[Any, ...], dtype: str, grad: str = "", nodes: int | None = None
) -> list[Case]:
    """The forward, the reflected and the in-place operator."""
    return [
        Case(f"Array.__{operation}__", _call(f"__{operation}__"), inputs, dtype, "", grad, nodes),
        Case(f"Array.__r{operation}__", _call(f"__r{operation}__"), inputs, dtype, "", grad),
        Case(f"Array.__i{operation}__", _in_place(f"__i{operation}__"), inputs, dtype, "", grad),
    ]


CASES = [
    *[case for name in ARITHMETIC for case in _three(name, FLOATS, "float64", nodes=1)],
    *_three("mod", FLOATS, "float64", nodes=6),
    *_three("floordiv", FLOATS, "float64", grad=PIECEWISE_CONSTANT, nodes=6),
    *_three("matmul", MATRICES, "float64", nodes=1),
    *[case for n in BITS for case in _three(n, INTEGERS, "int64", grad=INTEGER_RESULT)],
    *[
        Case(f"Array.__{n}__", _call(f"__{n}__"), FLOATS, grad=INTEGER_RESULT, nodes=1)
        for n in ("lt", "le", "gt", "ge", "eq", "ne")
    ],
    *[
        Case(f"Array.__{n}__", _call(f"__{n}__"), FLOATS[:1], nodes=1)
        for n in ("abs", "neg", "pos")
    ],
    Case("Array.__add__", lambda xp, a: (a + 2.0) * 3, FLOATS[:1], nodes=2),
    Case("Array.__rsub__", lambda xp, a: 1.0 - a, FLOATS[:1], nodes=1),
    Case(
        "Array.__invert__",
        _call("__invert__"),
        INTEGERS[:1],
        dtype="int64",
        grad=INTEGER_RESULT,
        nodes=1,
    ),
]
