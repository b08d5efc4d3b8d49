"""Operators of arrays: forward, reflected, in place."""

from __future__ import annotations

import operator
from collections.abc import Iterator

from tests.surface import INTEGER_RESULT, PIECEWISE_CONSTANT, Case

ONE = ([0.3, 0.6, 0.9],)
TWO = ([0.35, 0.6, 0.9], [0.4, 0.5, 0.8])
INTEGERS = ([12, 5, 9], [4, 3, 2])
MATRICES = ([[0.3, 0.6], [0.9, 0.2]], [[0.4, 0.5], [0.8, 0.1]])

ARITHMETIC = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv,
    "pow": operator.pow, "mod": operator.mod, "floordiv": operator.floordiv,
}  # fmt: skip
BITS = {
    "and": operator.and_, "or": operator.or_, "xor": operator.xor, "lshift": operator.lshift,
    "rshift": operator.rshift,
}  # fmt: skip
COMPARISONS = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt,
    "ge": operator.ge,
}  # fmt: skip
IN_PLACE = {
    "iadd": operator.iadd, "isub": operator.isub, "imul": operator.imul,
    "itruediv": operator.itruediv, "ipow": operator.ipow, "imod": operator.imod,
}  # fmt: skip
UNARY = {"neg": operator.neg, "pos": operator.pos, "abs": operator.abs}


def cases() -> Iterator[Case]:
    for name, function in ARITHMETIC.items():
        grad = PIECEWISE_CONSTANT if name == "floordiv" else ""
        nodes = 1 if name != "mod" else None
        yield Case(
            f"ndarray.__{name}__", lambda np, a, b, f=function: f(a, b), TWO, grad=grad, nodes=nodes
        )
        yield Case(f"ndarray.__{name}__", lambda np, a, f=function: f(a, 0.25), ONE, grad=grad)
        yield Case(f"ndarray.__r{name}__", lambda np, a, f=function: f(2.0, a), ONE, grad=grad)
    for name, function in BITS.items():
        yield Case(
            f"ndarray.__{name}__",
            lambda np, a, b, f=function: f(a, b),
            INTEGERS,
            "int64",
            grad=INTEGER_RESULT,
            nodes=1,
        )
        yield Case(
            f"ndarray.__r{name}__",
            lambda np, a, f=function: f(3, a),
            INTEGERS[:1],
            "int64",
            grad=INTEGER_RESULT,
        )
        yield Case(
            f"ndarray.__i{name}__",
            lambda np, a, b, f=function: getattr(a + 0, f"__i{f.__name__.strip('_')}__")(b),
            INTEGERS,
            "int64",
            grad=INTEGER_RESULT,
        )
    for name, function in COMPARISONS.items():
        yield Case(
            f"ndarray.__{name}__",
            lambda np, a, b, f=function: f(a, b),
            TWO,
            grad=INTEGER_RESULT,
            nodes=1,
        )
        yield Case(
            f"ndarray.__{name}__",
            lambda np, a, f=function: f(a, 0.5),
            ONE,
            grad=INTEGER_RESULT,
            nodes=1,
        )
    for name, function in IN_PLACE.items():
        yield Case(f"ndarray.__{name}__", lambda np, a, b, f=function: f(a + 0, b), TWO)
        yield Case(f"ndarray.__{name}__", lambda np, a, f=function: f(a + 0, 0.25), ONE)
    for name, function in UNARY.items():
        yield Case(f"ndarray.__{name}__", lambda np, a, f=function: f(a), ONE, nodes=1)


CASES = [
    *cases(),
    Case(
        "ndarray.__ifloordiv__",
        lambda np, a: operator.ifloordiv(a + 0, 0.25),
        ONE,
        grad=PIECEWISE_CONSTANT,
    ),
    Case(
        "ndarray.__invert__",
        lambda np, a: a.__invert__(),
        INTEGERS[:1],
        "int64",
        grad=INTEGER_RESULT,
        nodes=1,
    ),
    Case(
        "ndarray.__invert__",
        lambda np, a: ~a,
        INTEGERS[:1],
        "int64",
        grad=INTEGER_RESULT,
        nodes=1,
    ),
    Case("ndarray.__divmod__", lambda np, a: divmod(a, 0.25)[1], ONE),
    Case("ndarray.__rdivmod__", lambda np, a: divmod(2.0, a)[1], TWO[:1]),
    Case("ndarray.__matmul__", lambda np, a, b: a.__matmul__(b), MATRICES, nodes=1),
    Case("ndarray.__matmul__", lambda np, a, b: a @ b, MATRICES, nodes=1),
    Case("ndarray.__rmatmul__", lambda np, a: [[1.0, 2.0], [3.0, 4.0]] @ a, MATRICES[:1]),
    Case("ndarray.__rmatmul__", lambda np, a, b: b.__rmatmul__(a), MATRICES, nodes=1),
    Case("ndarray.__imatmul__", lambda np, a, b: (a + 0).__imatmul__(b), MATRICES),
    Case("ndarray.__imatmul__", lambda np, a, b: operator.imatmul(a + 0, b), MATRICES),
    Case("ndarray.__add__", lambda np, a: a + a[0], ONE),
    Case("ndarray.__eq__", lambda np, a: a == None, ONE, grad=INTEGER_RESULT),  # noqa: E711
]
