"""What Numba compiles otherwise than Python and NumPy compute, found in its typed code.

Numba is an optional dependency: only ``with_numba`` and the modules that it writes import this.
Integers are checked as they run: what would overflow or divides by zero raises, and the caller runs
the function as it is. Kinds of operands for which Numba has other rules of promotion are refused.
"""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numba
import numpy
from llvmlite import ir as llvm
from numba.core import cgutils, ir, ir_utils, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.errors import TypingError
from numba.core.imputils import lower_builtin
from numba.core.typed_passes import InlineOverloads
from numba.core.typing import signature
from numba.core.typing.templates import ConcreteTemplate, infer_global

from .numba_results import refuse_uncertain

_ARITHMETIC = {
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
    operator.pow, operator.iadd, operator.isub, operator.imul, operator.itruediv,
    operator.ifloordiv, operator.imod, operator.ipow, operator.lshift, operator.ilshift,
}  # fmt: skip
_DIVIDING = {operator.floordiv, operator.mod, operator.ifloordiv, operator.imod}
_POWERS = {operator.pow, operator.ipow}
_COMPARING = {operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne}
_CHOOSING = (min, max)
_OF_INTEGERS = frozenset({
    "floor_divide", "remainder", "mod", "fmod", "divmod", "power", "gcd", "lcm", "left_shift",
    "right_shift",
})  # fmt: skip
_FILLING = frozenset({"full", "full_like", "array", "asarray", "arange", "linspace", "fill"})
_INTEGER, _FLOAT = types.int64, types.float64
_EXACT = 2**53  # up to which integers are floats without a loss
_TWO = signature(_INTEGER, _INTEGER, _INTEGER)
_OUT = {
    "dot": 2, "clip": 3, "round": 2, "around": 2, "round_": 2, "take": 3, "cumsum": 3, "cumprod": 3,
    "sum": 3, "prod": 3, "mean": 3, "max": 2, "min": 2, "amax": 2, "amin": 2, "argmax": 2,
    "argmin": 2, "any": 2, "all": 2, "std": 3, "var": 3, "outer": 2, "choose": 2, "compress": 3,
}  # fmt: skip
"""The functions of NumPy that write to an argument, and its place."""


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


def absolute(a: int) -> int:
    """Stands for a checked ``abs``."""
    raise NotImplementedError


def _overflowing(name: str) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        a, b = (context.cast(builder, v, t, _INTEGER) for v, t in zip(args, sig.args, strict=True))
        both = getattr(builder, name)(a, b)
        with cgutils.if_unlikely(builder, builder.extract_value(both, 1)):
            context.call_conv.return_user_exc(builder, OverflowError, ("integer overflow",))
        return builder.extract_value(both, 0)

    return lower


def _negated(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    zero = context.get_constant(_INTEGER, 0)
    return _overflowing("ssub_with_overflow")(context, builder, _TWO, (zero, args[0]))


def _absolute(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    zero = context.get_constant(_INTEGER, 0)
    is_least = builder.icmp_signed("==", args[0], context.get_constant(_INTEGER, -(2**63)))
    with cgutils.if_unlikely(builder, is_least):
        context.call_conv.return_user_exc(builder, OverflowError, ("integer overflow",))
    is_negative = builder.icmp_signed("<", args[0], zero)
    return builder.select(is_negative, builder.neg(args[0]), args[0])


def _bounded(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    most = context.get_constant(_INTEGER, 2**61)
    shifted = builder.add(args[0], most)
    with cgutils.if_unlikely(builder, builder.icmp_unsigned(">", shifted, builder.add(most, most))):
        context.call_conv.return_user_exc(builder, OverflowError, ("a long range",))
    return args[0]


def _divided(fn: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        b, kind = args[1], sig.args[1]
        if isinstance(kind, types.Float):
            is_zero = builder.fcmp_unordered("==", b, llvm.Constant(b.type, 0.0))
        else:
            b = context.cast(builder, b, kind, _INTEGER)
            is_zero = builder.icmp_signed("==", b, llvm.Constant(b.type, 0))
            if fn is not operator.truediv:
                # Minus one traps for the smallest integer; that it is slow there does no harm.
                is_least = builder.icmp_signed("==", b, llvm.Constant(b.type, -1))
                is_zero = builder.or_(is_zero, is_least)
        with cgutils.if_unlikely(builder, is_zero):
            context.call_conv.return_user_exc(builder, ZeroDivisionError, ("division by zero",))
        if fn is operator.truediv and sig.args[0] != kind:
            pairs = zip(args, sig.args, strict=True)
            args = [context.cast(builder, v, t, _FLOAT) for v, t in pairs]
            sig = signature(_FLOAT, _FLOAT, _FLOAT)
        return context.get_function(fn, sig)(builder, args)

    return lower


def _typed(fn: Any, kinds: Any, operands: int = 2) -> None:
    """Let Numba know which numbers a function takes."""
    cases = [signature(kind, *[kind] * operands) for kind in kinds]
    if fn is truediv:
        cases += [
            signature(_FLOAT, *pair) for pair in itertools.product((_INTEGER, _FLOAT), repeat=2)
        ]
    infer_global(fn)(type(f"{fn.__name__}_checked", (ConcreteTemplate,), {"cases": cases}))


for _fn in (add, sub, mul):
    _typed(_fn, [_INTEGER])
_typed(truediv, [types.float32])
for _fn in (floordiv, mod):
    _typed(_fn, [_INTEGER, types.float32, types.float64])
for _fn, _name in ((add, "sadd"), (sub, "ssub"), (mul, "smul")):
    lower_builtin(_fn, types.Integer, types.Integer)(_overflowing(f"{_name}_with_overflow"))
for _unary, _lower in ((neg, _negated), (absolute, _absolute), (bounded, _bounded)):
    _typed(_unary, [_INTEGER], 1)
    lower_builtin(_unary, types.Integer)(_lower)
for _divide, _op in (
    (floordiv, operator.floordiv),
    (mod, operator.mod),
    (truediv, operator.truediv),
):
    for _kind in (types.Integer, types.Float):
        for _other in (types.Integer, types.Float):
            lower_builtin(_divide, _kind, _other)(_divided(_op))


def _compared(op: Any) -> Any:
    """A comparison of integers and floats that raises where the integer is no float."""

    def compare(a: Any, b: Any) -> bool:
        raise NotImplementedError

    compare.__name__ = f"{op.__name__}_checked"
    globals()[compare.__name__] = compare  # where Numba looks it up

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        floats = []
        for value, kind in zip(args, sig.args, strict=True):
            if isinstance(kind, types.Integer):
                shifted = builder.add(value, context.get_constant(_INTEGER, _EXACT))
                limit = context.get_constant(_INTEGER, 2 * _EXACT)
                with cgutils.if_unlikely(builder, builder.icmp_unsigned(">", shifted, limit)):
                    context.call_conv.return_user_exc(builder, OverflowError, ("no float",))
            floats.append(context.cast(builder, value, kind, _FLOAT))
        of_floats = signature(types.boolean, _FLOAT, _FLOAT)
        return context.get_function(op, of_floats)(builder, floats)

    cases = [signature(types.boolean, *kinds) for kinds in ((_INTEGER, _FLOAT), (_FLOAT, _INTEGER))]
    infer_global(compare)(type("compared", (ConcreteTemplate,), {"cases": cases}))
    lower_builtin(compare, types.Integer, types.Float)(lower)
    lower_builtin(compare, types.Float, types.Integer)(lower)
    return compare


_COMPARED = {op: _compared(op) for op in _COMPARING}
_CHECKED = {
    operator.add: add, operator.iadd: add, operator.sub: sub, operator.isub: sub,
    operator.mul: mul, operator.imul: mul, operator.floordiv: floordiv,
    operator.ifloordiv: floordiv, operator.mod: mod, operator.imod: mod,
    operator.truediv: truediv, operator.itruediv: truediv,
}  # fmt: skip


@register_pass(mutates_CFG=False, analysis_only=False)
class Checks(FunctionPass):  # type: ignore[misc]
    """Refuses operands, and lets the arithmetic of integers be checked."""

    _name = "numpy_shim_checks"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """See Numba."""
        if state.func_id.func_name == "entry":
            refuse_uncertain(state)
        for block in state.func_ir.blocks.values():
            body = block.body
            block.body = []
            for statement in body:
                block.body += [*_looked_at(statement, state), statement]
        return True


def _looked_at(statement: Any, state: Any) -> list[Any]:
    """Refuse a statement, or let it be checked; what is to run before it."""
    if isinstance(statement, (ir.SetItem, ir.StaticSetItem)):
        _refuse_store(statement, state.typemap)
    value = getattr(statement, "value", None)
    if not (isinstance(statement, ir.Assign) and isinstance(value, ir.Expr)):
        return []
    if value.op in ("binop", "inplace_binop"):
        kinds = [_bare(state.typemap[v.name]) for v in (value.lhs, value.rhs)]
        _refuse_aliases(value, kinds)
        _refuse(value.fn, kinds, value.loc)
        _refuse_shift(value, kinds, state.typemap[value.rhs.name])
        _check(statement, kinds, state)
    elif value.op == "unary":
        _refuse_unary(value, _bare(state.typemap[value.value.name]))
        _check_unary(statement, value.value, value.fn, state)
    elif value.op == "call":
        _refuse_call(value, state)
        key = getattr(state.typemap[value.func.name], "typing_key", None)
        if key is abs:
            _check_unary(statement, value.args[0], abs, state)
        if key is range and len(value.args) > 1:
            return _bounds(statement, state)
    return []


def _bounds(statement: Any, state: Any) -> list[Any]:
    """Let the bounds of a range be checked: the length of a longer one overflows."""
    call, made, bounds = statement.value, [], []
    for operand in call.args:
        bound = operand
        if _bare(state.typemap[operand.name]) is _INTEGER:
            bound = ir.Var(operand.scope, ir_utils.mk_unique_var("$bound"), call.loc)
            state.typemap[bound.name] = _INTEGER
            made.append(ir.Assign(operand, bound, call.loc))
            _set_unary(made[-1], bounded, operand, call.loc, state)
        bounds.append(bound)
    types_of_call = state.calltypes.pop(call)
    call.args = bounds
    state.calltypes[call] = types_of_call
    return made


def _bare(kind: Any) -> Any:
    return types.unliteral(kind)


def _element(kind: Any) -> Any:
    return kind.dtype if isinstance(kind, types.Array) else kind


def _refuse_aliases(value: Any, kinds: list[Any]) -> None:
    """Refuse what may read elements after writing them, or hides which arrays are written."""
    where = f"line {value.loc.line}"
    if value.op == "inplace_binop" and all(isinstance(kind, types.Array) for kind in kinds):
        raise TypingError(f"{where} updates an array by another, which may overlap it")
    if any(isinstance(kind, types.BaseTuple) for kind in kinds) and value.fn is operator.add:
        raise TypingError(f"{where} joins tuples")


def _refuse(fn: Any, kinds: list[Any], loc: Any) -> None:
    a, b = (_element(kind) for kind in kinds)
    if not all(isinstance(kind, (types.Number, types.Boolean)) for kind in (a, b)):
        return  # tuples, strings
    where = f"line {loc.line}"
    if fn in _COMPARING:
        if all(isinstance(kind, types.Integer) for kind in (a, b)) and a.signed != b.signed:
            raise TypingError(f"{where} compares {a} and {b}")
        if a != b and any(kind in (types.float32, types.complex64) for kind in (a, b)):
            raise TypingError(f"{where} compares {a} and {b}, which Numba would widen")
        return
    if fn not in _ARITHMETIC:
        if a != b and any(isinstance(k, types.Integer) and k is not _INTEGER for k in (a, b)):
            raise TypingError(f"{where} mixes {a} and {b}")
        return
    if all(isinstance(kind, types.Boolean) for kind in (a, b)):
        raise TypingError(f"{where} computes with booleans")
    for kind in (a, b):
        if isinstance(kind, types.Integer) and kind is not _INTEGER:
            raise TypingError(f"{where} computes with {kind}, which Numba would widen")
        if kind in (types.float32, types.complex64) and a != b:
            raise TypingError(f"{where} computes with {a} and {b}, which Numba would widen")
    integers = all(isinstance(kind, (types.Integer, types.Boolean)) for kind in (a, b))
    if integers and (fn in _POWERS or fn in (operator.lshift, operator.ilshift)):
        raise TypingError(f"{where} has a power or a shift of integers, which may overflow")
    if fn in _DIVIDING and any(isinstance(kind, types.Array) for kind in kinds):
        raise TypingError(f"{where} has // or % of arrays, where Numba does not tell of zeros")


def _is_narrow(kind: Any) -> bool:
    return isinstance(kind, types.Integer) and kind is not _INTEGER


def _refuse_unary(value: Any, kind: Any) -> None:
    """Refuse what gives another kind of integer, or an integer of a boolean."""
    element = _element(kind)
    is_mask = isinstance(kind, types.Array) and value.fn is operator.invert
    if value.fn is not operator.not_ and (
        _is_narrow(element) or (isinstance(element, types.Boolean) and not is_mask)
    ):
        raise TypingError(f"line {value.loc.line} computes with {element}, which Numba would widen")


def _refuse_call(value: Any, state: Any) -> None:
    """Refuse calls that write to an operand, and those with other rules for their operands."""
    called = state.typemap[value.func.name]
    key = getattr(called, "typing_key", None)
    where = f"line {value.loc.line}"
    count = len(value.args)
    is_method = isinstance(called, types.BoundFunction)
    name = str(key).rpartition(".")[2] if is_method else getattr(key, "__name__", "")
    is_ufunc = isinstance(key, numpy.ufunc)
    if (isinstance(key, numpy.ufunc) and count > key.nin) or count + is_method > _OUT.get(
        name, count + is_method
    ):
        raise TypingError(f"{where} writes to out, which may overlap an operand")
    made = _element(_bare(state.calltypes[value].return_type))
    if _is_narrow(made) and (isinstance(called, types.NumberClass) or name in _FILLING):
        raise TypingError(f"{where} makes {made}, for which a number may be too large")
    kinds = [_element(_bare(state.typemap[v.name])) for v in value.args]
    if is_ufunc or key in _CHOOSING or key is abs:
        for kind in kinds:
            if _is_narrow(kind) or (isinstance(kind, types.Boolean) and "logical" not in name):
                raise TypingError(f"{where} computes with {kind}, which Numba would widen")
        if any(kind in (types.float32, types.complex64) for kind in kinds) and len(set(kinds)) > 1:
            raise TypingError(f"{where} computes with other numbers than {kinds[0]}")
    if is_ufunc and name in _OF_INTEGERS and all(isinstance(kind, types.Integer) for kind in kinds):
        raise TypingError(f"{where} calls {name} of integers, where Numba does not tell of errors")
    if key in _CHOOSING and len(set(kinds)) > 1:
        raise TypingError(f"{where} gives one of several kinds of numbers")
    if key is sum:
        raise TypingError(f"{where} calls sum, where Numba does not tell of overflow")


def _refuse_shift(value: Any, kinds: list[Any], by: Any) -> None:
    """Refuse shifts but by a constant: by a negative number Python raises."""
    is_shift = value.fn in (operator.rshift, operator.irshift)
    if is_shift and not (isinstance(by, types.IntegerLiteral) and 0 <= by.literal_value < 64):
        raise TypingError(f"line {value.loc.line} shifts by a number that may be negative")


def _refuse_store(statement: Any, typemap: Any) -> None:
    """Refuse what puts a number into an array of narrow integers that may be too large for it."""
    target, value = typemap[statement.target.name], typemap[statement.value.name]
    kind, number = _element(target), _element(_bare(value))
    if not _is_narrow(kind) or kind == number or isinstance(number, types.Boolean):
        return
    if (
        isinstance(value, types.IntegerLiteral)
        and kind.minval <= value.literal_value <= kind.maxval
    ):
        return
    raise TypingError(f"line {statement.loc.line} puts {number} into an array of {kind}")


def _check_unary(statement: Any, operand: Any, fn: Any, state: Any) -> None:
    """Let a minus or an absolute value of an integer be the checked one."""
    checked = {operator.neg: neg, abs: absolute}.get(fn)
    if checked is None or _bare(state.typemap[operand.name]) is not _INTEGER:
        return
    _set_unary(statement, checked, operand, statement.value.loc, state)


def _set_unary(statement: Any, checked: Any, operand: Any, loc: Any, state: Any) -> None:
    statement.value = ir.Expr("unary", loc, fn=checked, value=operand)
    state.calltypes[statement.value] = state.typingctx.resolve_function_type(
        checked, (_INTEGER,), {}
    )


def _check(statement: Any, kinds: list[Any], state: Any) -> None:
    """Let an operation of numbers be the checked one, if it may overflow or divide by zero."""
    value = statement.value
    if {_INTEGER, _FLOAT} == set(kinds) and value.fn in _COMPARED:
        _replace(statement, kinds, _COMPARED[value.fn], state)
        return
    checked = _CHECKED.get(value.fn)
    if checked is None or any(isinstance(kind, types.Array) for kind in kinds):
        return
    is_division = checked in (floordiv, mod, truediv)
    taken = (types.Integer, types.Float) if is_division else types.Integer
    if not all(isinstance(kind, taken) for kind in kinds):
        return
    _replace(statement, kinds, checked, state)


def _replace(statement: Any, kinds: list[Any], checked: Any, state: Any) -> None:
    value = statement.value
    # ``Expr.binop`` takes builtin functions only.
    statement.value = ir.Expr(
        "binop", value.loc, fn=checked, lhs=value.lhs, rhs=value.rhs,
        static_lhs=ir.UNDEFINED, static_rhs=ir.UNDEFINED,
    )  # fmt: skip
    state.calltypes[statement.value] = state.typingctx.resolve_function_type(
        checked, tuple(kinds), {}
    )


class Pipeline(CompilerBase):  # type: ignore[misc]
    """Numba's pipeline in nopython mode, with our checks."""

    def define_pipelines(self) -> list[Any]:
        """See Numba."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(Checks, InlineOverloads)
        passes.finalize()
        return [passes]


def compiled(function: Any) -> Any:
    """The decorator of the functions in the modules that ``numba_source`` writes."""
    return numba.njit(
        fastmath=False, error_model="numpy", boundscheck=True, cache=True, pipeline_class=Pipeline
    )(function)


def uncached(function: Any) -> Any:
    """``compiled`` where no folder can be written."""
    return numba.njit(
        fastmath=False, error_model="numpy", boundscheck=True, pipeline_class=Pipeline
    )(function)
