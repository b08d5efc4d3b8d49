"""Arithmetic of numbers that raises where Numba's own would differ from Python's and NumPy's.

What would overflow, divide by zero or lose digits raises; the caller runs the function as it is.
``numba_checks`` puts these operations into the place of Numba's.
"""

from __future__ import annotations

import itertools
import operator
from typing import Any

from llvmlite import ir as llvm
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing import signature
from numba.core.typing.templates import ConcreteTemplate, infer_global

from xp_torch._core.dtypes import EXACT

COMPARING = {operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne}
INTEGER, FLOAT = types.int64, types.float64
_TWO = signature(INTEGER, INTEGER, INTEGER)


def add(a: int, b: int) -> int:
    """Stands for a checked ``+``."""
    raise NotImplementedError


def sub(a: int, b: int) -> int:
    """Stands for a checked ``-``."""
    raise NotImplementedError


def mul(a: int, b: int) -> int:
    """Stands for a checked ``*``."""
    raise NotImplementedError


def floordiv(a: int, b: int) -> int:
    """Stands for a checked ``//``."""
    raise NotImplementedError


def truediv(a: float, b: float) -> float:
    """Stands for a checked ``/``."""
    raise NotImplementedError


def mod(a: int, b: int) -> int:
    """Stands for a checked ``%``."""
    raise NotImplementedError


def neg(a: int) -> int:
    """Stands for a checked unary ``-``."""
    raise NotImplementedError


def bounded(a: int) -> int:
    """Stands for a bound of a range whose length is an ``int64``."""
    raise NotImplementedError


def positive(a: int) -> int:
    """Stands for a number of elements, of which there must be one."""
    raise NotImplementedError


def absolute(a: int) -> int:
    """Stands for a checked ``abs``."""
    raise NotImplementedError


def _overflowing(name: str) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        a, b = (context.cast(builder, v, t, INTEGER) for v, t in zip(args, sig.args, strict=True))
        both = getattr(builder, name)(a, b)
        with cgutils.if_unlikely(builder, builder.extract_value(both, 1)):
            context.call_conv.return_user_exc(builder, OverflowError, ("integer overflow",))
        return builder.extract_value(both, 0)

    return lower


def _negated(context: Any, builder: Any, sig: object, args: Any) -> Any:
    zero = context.get_constant(INTEGER, 0)
    return _overflowing("ssub_with_overflow")(context, builder, _TWO, (zero, args[0]))


def _absolute(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    zero = context.get_constant(INTEGER, 0)
    is_least = builder.icmp_signed("==", args[0], context.get_constant(INTEGER, -(2**63)))
    with cgutils.if_unlikely(builder, is_least):
        context.call_conv.return_user_exc(builder, OverflowError, ("integer overflow",))
    is_negative = builder.icmp_signed("<", args[0], zero)
    return builder.select(is_negative, builder.neg(args[0]), args[0])


def _bounded(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    most = context.get_constant(INTEGER, 2**61)
    shifted = builder.add(args[0], most)
    with cgutils.if_unlikely(builder, builder.icmp_unsigned(">", shifted, builder.add(most, most))):
        context.call_conv.return_user_exc(builder, OverflowError, ("a long range",))
    return args[0]


def _positive(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    with cgutils.if_unlikely(
        builder, builder.icmp_signed("==", args[0], context.get_constant(INTEGER, 0))
    ):
        context.call_conv.return_user_exc(builder, ValueError, ("no elements",))
    return args[0]


def _divided(fn: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        b, kind = args[1], sig.args[1]
        if isinstance(kind, types.Float):
            is_zero = builder.fcmp_unordered("==", b, llvm.Constant(b.type, 0.0))
        else:
            b = context.cast(builder, b, kind, INTEGER)
            is_zero = builder.icmp_signed("==", b, llvm.Constant(b.type, 0))
            if fn is not operator.truediv:
                # Minus one traps for the smallest integer; that it is slow there does no harm.
                is_least = builder.icmp_signed("==", b, llvm.Constant(b.type, -1))
                is_zero = builder.or_(is_zero, is_least)
        with cgutils.if_unlikely(builder, is_zero):
            context.call_conv.return_user_exc(builder, ZeroDivisionError, ("division by zero",))
        if fn is operator.truediv and any(isinstance(t, types.Integer) for t in sig.args):
            args = _floats(context, builder, sig, args)
            sig = signature(FLOAT, FLOAT, FLOAT)
        return context.get_function(fn, sig)(builder, args)

    return lower


def _typed(fn: Any, kinds: Any, operands: int = 2) -> None:
    """Let Numba know which numbers a function takes."""
    cases = [signature(kind, *[kind] * operands) for kind in kinds]
    if fn is truediv:
        cases += [signature(FLOAT, *pair) for pair in itertools.product((INTEGER, FLOAT), repeat=2)]
    infer_global(fn)(type(f"{fn.__name__}_checked", (ConcreteTemplate,), {"cases": cases}))


for _fn in (add, sub, mul):
    _typed(_fn, [INTEGER])
_typed(truediv, [types.float32])
for _fn in (floordiv, mod):
    _typed(_fn, [INTEGER, types.float32, types.float64])
for _fn, _name in ((add, "sadd"), (sub, "ssub"), (mul, "smul")):
    lower_builtin(_fn, types.Integer, types.Integer)(_overflowing(f"{_name}_with_overflow"))
for _unary, _lower in (
    (neg, _negated),
    (absolute, _absolute),
    (bounded, _bounded),
    (positive, _positive),
):
    _typed(_unary, [INTEGER], 1)
    lower_builtin(_unary, types.Integer)(_lower)
for _divide, _op in (
    (floordiv, operator.floordiv),
    (mod, operator.mod),
    (truediv, operator.truediv),
):
    for _kind in (types.Integer, types.Float):
        for _other in (types.Integer, types.Float):
            lower_builtin(_divide, _kind, _other)(_divided(_op))


def _floats(context: Any, builder: Any, sig: Any, args: Any) -> list[Any]:
    """Operands as floats; raises where an integer may be none."""
    floats = []
    for value, kind in zip(args, sig.args, strict=True):
        if isinstance(kind, types.Integer):
            shifted = builder.add(value, context.get_constant(INTEGER, EXACT))
            limit = context.get_constant(INTEGER, 2 * EXACT)
            with cgutils.if_unlikely(builder, builder.icmp_unsigned(">", shifted, limit)):
                context.call_conv.return_user_exc(builder, OverflowError, ("no float",))
        floats.append(context.cast(builder, value, kind, FLOAT))
    return floats


def _compared(op: Any) -> Any:
    """A comparison of integers and floats that raises where the integer is no float."""

    def compare(a: object, b: object) -> bool:
        raise NotImplementedError

    compare.__name__ = f"{op.__name__}_checked"
    globals()[compare.__name__] = compare  # where Numba looks it up

    def lower(context: Any, builder: Any, sig: object, args: object) -> Any:
        floats = _floats(context, builder, sig, args)
        of_floats = signature(types.boolean, FLOAT, FLOAT)
        return context.get_function(op, of_floats)(builder, floats)

    cases = [signature(types.boolean, *kinds) for kinds in ((INTEGER, FLOAT), (FLOAT, INTEGER))]
    infer_global(compare)(type("compared", (ConcreteTemplate,), {"cases": cases}))
    lower_builtin(compare, types.Integer, types.Float)(lower)
    lower_builtin(compare, types.Float, types.Integer)(lower)
    return compare


COMPARED = {op: _compared(op) for op in COMPARING}
CHECKED = {
    operator.add: add, operator.iadd: add, operator.sub: sub, operator.isub: sub,
    operator.mul: mul, operator.imul: mul, operator.floordiv: floordiv,
    operator.ifloordiv: floordiv, operator.mod: mod, operator.imod: mod,
    operator.truediv: truediv, operator.itruediv: truediv,
}  # fmt: skip
