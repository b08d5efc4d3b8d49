"""Ufuncs: calls, options and methods, of every ufunc."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.surface import INTEGER_RESULT, PIECEWISE_CONSTANT, Case

ONE = ([0.3, 0.6, 0.9],)
TWO = ([0.3, 0.6, 0.9], [0.4, 0.5, 0.8])
ABOVE_ONE = ([1.3, 1.6, 2.9],)
INTEGERS = ([12, 5, 9],)
INTEGER_PAIR = ([12, 5, 9], [4, 3, 2])
MATRICES = ([[0.3, 0.6], [0.9, 0.2]], [[0.4, 0.5], [0.8, 0.1]])
MATRIX_VECTOR = ([[0.3, 0.6], [0.9, 0.2]], [0.4, 0.5])

SMOOTH = [
    "sin",
    "cos",
    "tan",
    "arcsin",
    "arccos",
    "arctan",
    "sinh",
    "cosh",
    "tanh",
    "arcsinh",
    "arctanh",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sqrt",
    "cbrt",
    "square",
    "reciprocal",
    "negative",
    "positive",
    "absolute",
    "fabs",
    "conjugate",
    "degrees",
    "radians",
    "deg2rad",
    "rad2deg",
]
SMOOTH_PAIRS = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "power",
    "float_power",
    "arctan2",
    "hypot",
    "logaddexp",
    "logaddexp2",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "copysign",
]
STEPS = [
    "floor",
    "ceil",
    "trunc",
    "rint",
    "sign",
]
TRUTHS = [
    "isnan",
    "isinf",
    "isfinite",
    "signbit",
    "logical_not",
]
TRUTHS_OF_PAIRS = [
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
]
BITS = [
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "left_shift",
    "right_shift",
]
INTEGER_ONLY = [
    "gcd",
    "lcm",
]

# Calls of torch in the graph, where there are more than one; 0 stands for any number.
NODES = {
    "cbrt": 0, "sign": 4, "remainder": 0, "fmod": 0, "gcd": 2, "lcm": 0, "bitwise_count": 0,
    "spacing": 0,
}  # fmt: skip


def call(name: str) -> Any:
    return lambda np, *x: getattr(np, name)(*x)


def into(name: str) -> Any:
    """A call with ``out=``, which becomes the result."""

    def body(np: Any, *x: Any) -> Any:
        out = np.zeros_like(getattr(np, name)(*x))
        return getattr(np, name)(*x, out=out)

    return body


def nodes(name: str) -> int | None:
    return NODES.get(name, 1) or None


def calls() -> Iterator[Case]:
    for name in SMOOTH:
        inputs = ONE
        yield Case(name, call(name), inputs, nodes=nodes(name))
        yield Case(name, into(name), inputs)
    for name in SMOOTH_PAIRS:
        yield Case(name, call(name), TWO, nodes=nodes(name))
        yield Case(name, into(name), TWO)
    for name in STEPS:
        yield Case(name, call(name), ONE, grad=PIECEWISE_CONSTANT, nodes=nodes(name))
        yield Case(name, into(name), ONE, grad=PIECEWISE_CONSTANT)
    for name in TRUTHS:
        yield Case(name, call(name), ONE, grad=INTEGER_RESULT, nodes=1)
    for name in TRUTHS_OF_PAIRS:
        yield Case(name, call(name), TWO, grad=INTEGER_RESULT, nodes=1)
        yield Case(name, into(name), TWO, grad=INTEGER_RESULT)
    for name in BITS + INTEGER_ONLY:
        yield Case(name, call(name), INTEGER_PAIR, "int64", grad=INTEGER_RESULT, nodes=nodes(name))
        yield Case(name, into(name), INTEGER_PAIR, "int64", grad=INTEGER_RESULT)
    for name in ("invert", "bitwise_count"):
        yield Case(name, call(name), INTEGERS, "int64", grad=INTEGER_RESULT, nodes=nodes(name))


CASES = [
    *calls(),
    Case("add", lambda np, a: np.add(a, 2), ONE, nodes=1),
    Case("add", lambda np, a: np.add(a, 2.5), ONE, nodes=1),
    Case("multiply", lambda np, a: np.multiply(2.0, a), ONE, nodes=1),
    Case("arccosh", lambda np, a: np.arccosh(a), ABOVE_ONE, nodes=1),
    Case("arccosh", lambda np, a: np.arccosh(a, out=np.zeros(3)), ABOVE_ONE),
    Case("floor_divide", call("floor_divide"), TWO, grad=PIECEWISE_CONSTANT, nodes=1),
    Case("remainder", lambda np, a: np.remainder(a, 0.25), ONE),
    Case("remainder", call("remainder"), ([0.35, 0.6, 0.9], [0.4, 0.5, 0.8])),
    Case("fmod", call("fmod"), ([0.35, 0.6, 0.9], [0.4, 0.5, 0.8])),
    Case("divmod", lambda np, a: np.divmod(a, 0.25)[1], ONE),
    Case("modf", lambda np, a: np.modf(a)[0], ABOVE_ONE),
    Case("frexp", lambda np, a: np.frexp(a)[0], ABOVE_ONE),
    Case("ldexp", lambda np, a: np.ldexp(a, [3, -2, 0]), ABOVE_ONE),
    Case(
        "heaviside", call("heaviside"), ([-0.5, 0.6, 0.9], [0.4, 0.5, 0.8]), grad=PIECEWISE_CONSTANT
    ),
    Case("nextafter", call("nextafter"), TWO, nodes=1),
    Case("spacing", call("spacing"), ONE, grad="torch has no gradient of it"),
    Case("isnat", lambda np, a: a if np.isnat.types == [] else None, ONE),
    Case("add", lambda np, a, b: np.add(a, b, where=[True, False, True], out=np.zeros(3)), TWO),
    Case(
        "add",
        lambda np, a, b: np.add(a, b, dtype=np.float64, casting="no"),
        TWO,
        grad="",
    ),
    Case("multiply", lambda np, a, b: np.multiply(a, b, signature="dd->d"), TWO),
    Case("add", lambda np, a: np.add(a[:-1], 1, out=(a + 0)[1:]), ONE),
    Case("matmul", call("matmul"), MATRICES, nodes=1),
    Case("matmul", lambda np, a, b: np.matmul(a, b, axes=[(1, 0), (0, 1), (1, 0)]), MATRICES),
    Case("matmul", into("matmul"), MATRICES),
    Case("vecdot", call("vecdot"), MATRICES, nodes=1),
    Case("vecdot", lambda np, a, b: np.vecdot(a, b, axis=0, keepdims=True), MATRICES),
    Case("matvec", call("matvec"), MATRIX_VECTOR),
    Case("vecmat", lambda np, a, b: np.vecmat(b, a), MATRIX_VECTOR),
    Case("add.reduce", lambda np, a: np.add.reduce(a, axis=1), MATRICES[:1], nodes=1),
    Case(
        "add.reduce", lambda np, a: np.add.reduce(a, axis=None, where=[True, False]), MATRICES[:1]
    ),
    Case("add.reduce", lambda np, a: np.add.reduce(a, initial=2.0, keepdims=True), MATRICES[:1]),
    Case("add.reduce", lambda np, a: np.add.reduce(a, out=np.zeros(2)), MATRICES[:1]),
    Case("multiply.reduce", lambda np, a: np.multiply.reduce(a, axis=(0, 1)), MATRICES[:1]),
    Case("maximum.reduce", lambda np, a: np.maximum.reduce(a), MATRICES[:1], nodes=1),
    Case("subtract.reduce", lambda np, a: np.subtract.reduce(a, axis=1), MATRICES[:1]),
    Case("hypot.reduce", lambda np, a: np.hypot.reduce(a, axis=1), MATRICES[:1]),
    Case("logaddexp.reduce", lambda np, a: np.logaddexp.reduce(a), MATRICES[:1]),
    Case(
        "logical_and.reduce",
        lambda np, a: np.logical_and.reduce(a),
        MATRICES[:1],
        grad=INTEGER_RESULT,
    ),
    Case("add.accumulate", lambda np, a: np.add.accumulate(a, axis=1), MATRICES[:1], nodes=1),
    Case("maximum.accumulate", lambda np, a: np.maximum.accumulate(a), MATRICES[:1]),
    Case("divide.accumulate", lambda np, a: np.divide.accumulate(a), MATRICES[:1]),
    Case("add.reduceat", lambda np, a: np.add.reduceat(a, [0, 1]), MATRICES[:1]),
    Case("add.outer", lambda np, a, b: np.add.outer(a, b), TWO),
    Case("divmod.outer", lambda np, a: np.divmod.outer(a, [2.0, 3.0])[1], ONE),
    Case("add.at", lambda np, a: add_at(np, a, [0, 0, 1]), ONE),
    Case("sin.at", lambda np, a: sin_at(np, a), ONE),
]


def add_at(np: Any, a: Any, indices: Any) -> Any:
    changed = a + 0
    np.add.at(changed, indices, a)
    return changed


def sin_at(np: Any, a: Any) -> Any:
    changed = a + 0
    np.sin.at(changed, [0, 0, 1])
    return changed
