"""Element-wise operators. The operands have one dtype: the backend has promoted them."""

from __future__ import annotations

from typing import Any

import torch

from ._library import Blob, Library, Table

SAME_NAME = (
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "exp", "expm1",
    "floor", "log", "log1p", "log2", "log10", "reciprocal", "round", "sin", "sinh", "square",
    "sqrt", "tan", "tanh", "trunc",
)  # fmt: skip
"""Operators that the standard has under the same name, for one array."""

BINARY = {
    "atan2.default": "atan2",
    "copysign.Tensor": "copysign",
    "div.Tensor": "divide",
    "eq.Tensor": "equal", "eq.Scalar": "equal",
    "ne.Tensor": "not_equal", "ne.Scalar": "not_equal",
    "hypot.default": "hypot",
    "logaddexp.default": "logaddexp",
    "nextafter.default": "nextafter",
    "bitwise_and.Tensor": "bitwise_and", "bitwise_and.Scalar": "bitwise_and",
    "bitwise_or.Tensor": "bitwise_or", "bitwise_or.Scalar": "bitwise_or",
    "bitwise_xor.Tensor": "bitwise_xor", "bitwise_xor.Scalar": "bitwise_xor",
    "bitwise_left_shift.Tensor": "bitwise_left_shift",
    "bitwise_left_shift.Tensor_Scalar": "bitwise_left_shift",
    "__lshift__.Tensor": "bitwise_left_shift", "__lshift__.Scalar": "bitwise_left_shift",
    "__rshift__.Tensor": "bitwise_right_shift", "__rshift__.Scalar": "bitwise_right_shift",
    "bitwise_right_shift.Tensor": "bitwise_right_shift",
    "bitwise_right_shift.Tensor_Scalar": "bitwise_right_shift",
}  # fmt: skip
ORDERED = {
    "ge": "greater_equal", "gt": "greater", "le": "less_equal", "lt": "less",
}  # fmt: skip


def table(lib: Library) -> Table:
    """The operators of this chapter."""
    xp = lib.xp
    of_ints = {"ceil", "floor", "round", "trunc"}

    one = xp.ones((1,), dtype=lib.dtype(torch.float32))
    # JAX's floor_divide(-0.0, 1.0) is 0.0.
    zeros_signed = bool(xp.all(xp.signbit(xp.floor_divide(-0.0 * one, one))))

    def unary(name: str) -> Any:
        function = getattr(xp, name)
        if name in of_ints:
            return lambda x: function(x) if lib.of(x).is_floating_point else x
        if name in ("abs", "square"):
            return lambda x: x if lib.of(x) is torch.bool else function(x)
        return function

    found: Table = {f"{name}.default": unary(name) for name in SAME_NAME}
    found |= {name: getattr(xp, theirs) for name, theirs in BINARY.items()}

    def ordered(name: str) -> Any:
        function = getattr(xp, name)

        def compare(a: Blob, b: Any) -> Blob:
            if lib.is_blob(a) and lib.of(a) is torch.bool:
                a = lib.astype(a, torch.uint8)
                b = lib.astype(b, torch.uint8) if lib.is_blob(b) else int(b)
            return function(a, b)

        return compare

    for name, theirs in ORDERED.items():
        found[f"{name}.Tensor"] = found[f"{name}.Scalar"] = ordered(theirs)

    def is_bool(a: object, b: object) -> bool:
        return lib.of(a if lib.is_blob(a) else b) is torch.bool

    def scaled(b: Any, alpha: Any) -> Any:
        return b if alpha == 1 else xp.multiply(b, alpha) if lib.is_blob(b) else b * alpha

    def sign(x: Blob) -> Blob:
        """0 for NaN and for both zeros of real numbers, as torch has it."""
        kind = lib.of(x)
        if kind is torch.bool:
            return x
        if kind.is_complex:
            return xp.where(x == 0, xp.zeros_like(x), xp.sign(x))
        if not kind.is_floating_point:
            return xp.sign(x)
        return xp.subtract(lib.astype(x > 0, kind), lib.astype(x < 0, kind))

    def floor_divide(a: Any, b: Any) -> Blob:
        """The standard's, with a zero of the sign that torch and NumPy give it."""
        found = xp.floor_divide(a, b)
        if zeros_signed or not lib.of(found).is_floating_point:
            return found
        return xp.where(found == 0, xp.copysign(found, xp.divide(a, b)), found)

    def add(a: Any, b: Any, *, alpha: Any = 1) -> Blob:
        if is_bool(a, b):
            return xp.logical_or(a, b)
        return xp.add(a, scaled(b, alpha))

    def sub(a: Any, b: Any, *, alpha: Any = 1) -> Blob:
        return xp.subtract(a, scaled(b, alpha))

    def rsub(a: Any, b: Any, alpha: Any = 1) -> Blob:
        return xp.subtract(b, scaled(a, alpha))

    def mul(a: Any, b: Any) -> Blob:
        return xp.logical_and(a, b) if is_bool(a, b) else xp.multiply(a, b)

    def maximum(a: Blob, b: Blob) -> Blob:
        return xp.logical_or(a, b) if is_bool(a, b) else xp.maximum(a, b)

    def minimum(a: Blob, b: Blob) -> Blob:
        return xp.logical_and(a, b) if is_bool(a, b) else xp.minimum(a, b)

    def clamp(x: Blob, min: Any = None, max: Any = None) -> Blob:
        if min is not None:
            x = xp.maximum(x, min)
        return x if max is None else xp.minimum(x, max)

    def neg(x: Blob) -> Blob:
        if not lib.of(x).is_signed:  # the standard has negative() for signed numbers
            return xp.subtract(xp.zeros_like(x), x)
        return xp.negative(x)

    def power(a: Any, b: Any) -> Blob:
        """Integers to a negative integer: 1 and -1 have a power, all others give 0."""
        whole = lib.is_blob(b) and not (lib.of(b).is_floating_point or lib.of(b).is_complex)
        if not whole or not lib.of(b).is_signed:
            if (
                not lib.is_blob(b)
                and isinstance(b, int)
                and b < 0
                and lib.of(a).is_signed
                and not (lib.of(a).is_floating_point or lib.of(a).is_complex)
            ):
                raise RuntimeError("Integers to negative integer powers are not allowed.")
            return xp.pow(a, b)
        negative = b < 0
        result = xp.pow(a, xp.where(negative, xp.zeros_like(b), b))
        if not lib.is_blob(a):
            a = xp.full_like(b, a)
        odd = xp.where(xp.bitwise_and(b, 1) == 1, a, xp.ones_like(a))
        of_units = xp.where(xp.abs(a) == 1, odd, xp.zeros_like(a))
        return xp.where(negative, of_units, result)

    def fmod(a: Any, b: Any) -> Blob:
        """The remainder with the sign of the first operand, exact as C's."""
        theirs = lib.beyond("fmod")
        if theirs is not None:
            return theirs(a, b)
        size = xp.abs(b) if lib.is_blob(b) else abs(b)
        rest = xp.remainder(xp.abs(a), size)
        return xp.where(a < 0, neg(rest), rest)

    def divided(a: Any, b: Any, *, rounding_mode: str | None = None) -> Blob:
        if rounding_mode is None:
            return xp.divide(a, b)
        if rounding_mode == "floor":
            return floor_divide(a, b)
        if lib.of(a if lib.is_blob(a) else b).is_floating_point:
            return xp.trunc(xp.divide(a, b))
        quotient = xp.floor_divide(a, b)
        inexact = xp.multiply(quotient, b) != a
        return xp.where(xp.logical_and(quotient < 0, inexact), quotient + 1, quotient)

    def round_to(x: Blob, *, decimals: int = 0) -> Blob:
        if not lib.of(x).is_floating_point:
            return x
        if decimals < 0:
            return xp.multiply(xp.round(xp.divide(x, 10.0**-decimals)), 10.0**-decimals)
        return xp.divide(xp.round(xp.multiply(x, 10.0**decimals)), 10.0**decimals)

    def truth(x: object) -> Any:
        return lib.astype(x, torch.bool) if lib.is_blob(x) else bool(x)

    def logical(name: str) -> Any:
        function = getattr(xp, name)
        return lambda *operands: function(*[truth(o) for o in operands])

    def known(name: str, otherwise: bool) -> Any:
        function = getattr(xp, name)

        def ask(x: Blob) -> Blob:
            if lib.of(x).is_floating_point or lib.of(x).is_complex:
                return function(x)
            return xp.full(x.shape, otherwise, dtype=lib.dtype(torch.bool))

        return ask

    def signbit(x: Blob) -> Blob:
        if lib.of(x).is_floating_point:
            return xp.signbit(x)
        return x < 0 if lib.of(x).is_signed else xp.zeros(x.shape, dtype=lib.dtype(torch.bool))

    def where(condition: Blob, a: Any, b: Any) -> Blob:
        return xp.where(lib.astype(condition, torch.bool), a, b)

    def relu(x: Blob) -> Blob:
        return xp.maximum(x, 0)

    def sigmoid(x: Blob) -> Blob:
        """1 / (1 + exp(-x)), from the side on which exp does not overflow."""
        if lib.of(x).is_complex:
            return xp.divide(1.0, xp.add(xp.exp(xp.negative(x)), 1.0))
        small = xp.exp(xp.negative(xp.abs(x)))
        share = xp.divide(1.0, xp.add(small, 1.0))
        return xp.where(x < 0, xp.multiply(small, share), share)

    def rsqrt(x: Blob) -> Blob:
        return xp.divide(1.0, xp.sqrt(x))

    def angle(x: Blob) -> Blob:
        if lib.of(x).is_complex:
            return xp.atan2(xp.imag(x), xp.real(x))
        turned = xp.where(x < 0, xp.full_like(x, torch.pi), xp.zeros_like(x))
        return xp.where(xp.isnan(x), x, turned)

    def conj(x: Blob) -> Blob:
        return xp.conj(x) if lib.of(x).is_complex else x

    def bitwise_not(x: Blob) -> Blob:
        return xp.bitwise_invert(x)

    found |= {
        "add.Tensor": add, "sub.Tensor": sub, "rsub.Tensor": rsub, "rsub.Scalar": rsub,
        "mul.Tensor": mul, "maximum.default": maximum, "minimum.default": minimum,
        "clamp.default": clamp, "clamp.Tensor": clamp, "neg.default": neg,
        "clamp_min.default": clamp, "clamp_min.Tensor": clamp,
        "clamp_max.default": lambda x, max: clamp(x, None, max),
        "clamp_max.Tensor": lambda x, max: clamp(x, None, max),
        "pow.Tensor_Tensor": power, "pow.Tensor_Scalar": power, "pow.Scalar": power,
        "fmod.Tensor": fmod, "fmod.Scalar": fmod,
        "remainder.Tensor": xp.remainder, "remainder.Scalar": xp.remainder,
        "remainder.Scalar_Tensor": xp.remainder,
        "floor_divide.default": floor_divide,
        "div.Tensor_mode": divided,
        "round.decimals": round_to,
        "logical_and.default": logical("logical_and"), "logical_or.default": logical("logical_or"),
        "logical_xor.default": logical("logical_xor"),
        "logical_not.default": logical("logical_not"),
        "isnan.default": known("isnan", False), "isinf.default": known("isinf", False),
        "isfinite.default": known("isfinite", True),
        "signbit.default": signbit, "where.self": where, "relu.default": relu,
        "sigmoid.default": sigmoid, "rsqrt.default": rsqrt, "angle.default": angle,
        "sign.default": sign, "sgn.default": sign, "conj_physical.default": conj,
        "bitwise_not.default": bitwise_not, "complex.default": lib.complex_of,
    }  # fmt: skip
    return found
