"""Element-wise functions: arithmetic, comparisons, bits, rounding."""

from __future__ import annotations

from tests.surface import INTEGER_RESULT, PIECEWISE_CONSTANT, Case

A, B = [1.5, -2.25, 0.7], [0.4, 1.3, -3.1]
PAIR = (A, B)
INTEGERS = ([1, -2, 5], [3, 1, 2])
TRUTHS = ([True, False], [True, True])


def _binary(name: str, nodes: int | None = 1, grad: str = "") -> Case:
    return Case(name, lambda xp, a, b: getattr(xp, name)(a, b), PAIR, grad=grad, nodes=nodes)


def _unary(name: str, nodes: int | None = 1, grad: str = "", dtype: str = "float64") -> Case:
    return Case(name, lambda xp, a: getattr(xp, name)(a), (A,), dtype=dtype, grad=grad, nodes=nodes)


def _other(name: str, inputs: tuple[list[int], ...], dtype: str) -> Case:
    return Case(
        name,
        lambda xp, *a: getattr(xp, name)(*a),
        inputs,
        dtype=dtype,
        grad=INTEGER_RESULT,
        nodes=1,
    )


CASES = [
    *[
        _binary(name)
        for name in (
            "add",
            "atan2",
            "copysign",
            "divide",
            "hypot",
            "logaddexp",
            "maximum",
            "minimum",
            "multiply",
            "subtract",
        )
    ],
    Case("add", lambda xp, a: xp.add(a, 2.0), (A,), nodes=1),
    Case("pow", lambda xp, a, b: xp.pow(a, b), ([1.5, 2.0], [0.5, -1.5]), nodes=1),
    Case("nextafter", lambda xp, a, b: xp.nextafter(a, b), PAIR, nodes=1),
    _binary("remainder", nodes=6),
    _binary("floor_divide", nodes=6, grad=PIECEWISE_CONSTANT),
    *[
        _binary(name, grad=INTEGER_RESULT)
        for name in ("equal", "greater", "greater_equal", "less", "less_equal", "not_equal")
    ],
    *[_unary(name) for name in ("abs", "negative", "positive", "reciprocal", "square")],
    *[_unary(name, nodes=1) for name in ("conj", "real")],
    Case("conj", lambda xp, a: xp.conj(a), ([1 + 2j],), dtype="complex128", nodes=1),
    Case("real", lambda xp, a: xp.real(a), ([1 + 2j],), dtype="complex128", nodes=1),
    Case("imag", lambda xp, a: xp.imag(a), ([1 + 2j],), dtype="complex128", nodes=1),
    Case("add", lambda xp, a, b: xp.add(a, b), ([1 + 2j], [3 - 1j]), dtype="complex128", nodes=4),
    _unary("sign", nodes=3, grad=PIECEWISE_CONSTANT),
    *[_unary(name, grad=PIECEWISE_CONSTANT) for name in ("ceil", "floor", "round", "trunc")],
    *[_unary(name, grad=INTEGER_RESULT) for name in ("isfinite", "isinf", "isnan", "signbit")],
    *[
        _other(name, INTEGERS, "int64")
        for name in (
            "bitwise_and",
            "bitwise_left_shift",
            "bitwise_or",
            "bitwise_right_shift",
            "bitwise_xor",
        )
    ],
    _other("bitwise_invert", INTEGERS[:1], "int64"),
    *[_other(name, TRUTHS, "bool") for name in ("logical_and", "logical_or", "logical_xor")],
    _other("logical_not", TRUTHS[:1], "bool"),
    Case("clip", lambda xp, a: xp.clip(a, -1.0, 1.0), (A,), nodes=1),
    Case("clip", lambda xp, a, b: xp.clip(a, b), PAIR, nodes=1),
]
