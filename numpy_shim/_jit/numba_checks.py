"""What Numba compiles otherwise than Python and NumPy compute, found in its typed code.

Numba is an optional dependency: only ``with_numba`` and the modules that it writes import this.
Integers are checked as they run: what would overflow or divides by zero raises, and the caller runs
the function as it is. Kinds of operands for which Numba has other rules of promotion are refused.
"""

from __future__ import annotations

import builtins
import itertools
import operator
from typing import Any

import numba
from llvmlite import ir as llvm
from numba.core import cgutils, ir, ir_utils, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.errors import TypingError
from numba.core.imputils import lower_builtin
from numba.core.typed_passes import InlineOverloads
from numba.core.typing import signature
from numba.core.typing.templates import ConcreteTemplate, infer_global

from xp_torch._core.dtypes import EXACT

from .numba_names import BUILTINS, FUNCTIONS, Known
from .numba_results import refuse_uncertain

_DIVIDING = {operator.floordiv, operator.mod, operator.ifloordiv, operator.imod}
_POWERS = {operator.pow, operator.ipow, operator.lshift, operator.ilshift}
_COMPARING = {operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne}
_INTEGER, _FLOAT = types.int64, types.float64
_TWO = signature(_INTEGER, _INTEGER, _INTEGER)
_WIDE = {_INTEGER: "i", _FLOAT: "f", types.complex128: "c"}
"""The kinds of numbers whose operations with each other have one rule in Numba and NumPy."""
_LETTERS = {**_WIDE, types.boolean: "b"}
_SLICE = Known(3, "*")
_SINGLE = (types.float32, types.complex64)
_OF_BOOLEANS = {
    operator.and_, operator.or_, operator.xor, operator.iand, operator.ior, operator.ixor,
    operator.eq, operator.ne,
}  # fmt: skip


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


def _positive(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    with cgutils.if_unlikely(
        builder, builder.icmp_signed("==", args[0], context.get_constant(_INTEGER, 0))
    ):
        context.call_conv.return_user_exc(builder, ValueError, ("no elements",))
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
        if fn is operator.truediv and any(isinstance(t, types.Integer) for t in sig.args):
            args = _floats(context, builder, sig, args)
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
for _unary, _lower in (
    (neg, _negated),
    (absolute, _absolute),
    (bounded, _bounded),
    (positive, _positive),
):
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


def _floats(context: Any, builder: Any, sig: Any, args: Any) -> list[Any]:
    """Operands as floats; raises where an integer may be none."""
    floats = []
    for value, kind in zip(args, sig.args, strict=True):
        if isinstance(kind, types.Integer):
            shifted = builder.add(value, context.get_constant(_INTEGER, EXACT))
            limit = context.get_constant(_INTEGER, 2 * EXACT)
            with cgutils.if_unlikely(builder, builder.icmp_unsigned(">", shifted, limit)):
                context.call_conv.return_user_exc(builder, OverflowError, ("no float",))
        floats.append(context.cast(builder, value, kind, _FLOAT))
    return floats


def _compared(op: Any) -> Any:
    """A comparison of integers and floats that raises where the integer is no float."""

    def compare(a: Any, b: Any) -> bool:
        raise NotImplementedError

    compare.__name__ = f"{op.__name__}_checked"
    globals()[compare.__name__] = compare  # where Numba looks it up

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        floats = _floats(context, builder, sig, args)
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
    kinds = _kinds(value, state)
    if value.op in ("binop", "inplace_binop"):
        _refuse_binary(value, kinds, state)
        _check(statement, kinds, state)
    elif value.op == "unary":
        _refuse_unary(value, kinds[0])
        _check_unary(statement, value.value, value.fn, state)
    elif value.op == "call":
        _refuse_call(value, kinds, state)
        key = getattr(state.typemap[value.func.name], "typing_key", None)
        if key is abs:
            _check_unary(statement, value.args[0], abs, state)
        if key is range and len(value.args) > 1:
            return _bounds(statement, state)
        if _name_of(state.typemap[value.func.name]) == "mean":
            return _size(value, state)
    elif value.op == "build_list" and not set(map(_element, kinds)) <= _WIDE.keys():
        raise TypingError(f"line {value.loc.line} has a list of other things than numbers")
    return []


def _kinds(value: Any, state: Any) -> list[Any]:
    """Numba's types of the operands of an expression."""
    if value.op in ("binop", "inplace_binop"):
        operands = [value.lhs, value.rhs]
    elif value.op == "unary":
        operands = [value.value]
    elif value.op == "call":
        operands = value.args
    else:
        operands = value.items if value.op == "build_list" else []
    return [_bare(state.typemap[v.name]) for v in operands]


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


def _size(call: ir.Expr, state: Any) -> list[Any]:
    """Let a mean raise where there is no element: Numba divides by zero before it runs."""
    array = call.args[0] if call.args else state.func_ir.get_definition(call.func).value
    made = []
    for name in ("$size", "$checked"):
        var = ir.Var(array.scope, ir_utils.mk_unique_var(name), call.loc)
        state.typemap[var.name] = _INTEGER
        made.append(ir.Assign(ir.Expr.getattr(array, "size", call.loc), var, call.loc))
    _set_unary(made[1], positive, made[0].target, call.loc, state)
    return made


def _bare(kind: Any) -> Any:
    return types.unliteral(kind)


def _element(kind: Any) -> Any:
    return kind.dtype if isinstance(kind, types.Array) else kind


def _name_of(called: Any) -> str:
    """The name of a function or a method, by Numba's type of it."""
    key = getattr(called, "typing_key", None)
    if isinstance(called, types.BoundFunction):
        return key[-1] if isinstance(key, tuple) else str(key).rpartition(".")[2]
    return str(getattr(key, "__name__", called))


def _is_number(kind: Any) -> bool:
    return isinstance(kind, (types.Number, types.Boolean))


def _refuse_binary(value: Any, kinds: list[Any], state: Any) -> None:
    """Refuse operands of kinds for which Numba has other rules, and what may read what it wrote."""
    where, fn = f"line {value.loc.line}", value.fn
    are_arrays = [isinstance(kind, types.Array) for kind in kinds]
    if value.op == "inplace_binop" and all(are_arrays) and not _is_new(value.rhs, state):
        raise TypingError(f"{where} updates an array by another, which may overlap it")
    if any(isinstance(kind, types.BaseTuple) for kind in kinds) and fn is operator.add:
        raise TypingError(f"{where} joins tuples")
    a, b = map(_element, kinds)
    if not (_is_number(a) and _is_number(b)):
        return  # tuples, strings
    made = _element(_bare(state.calltypes[value].return_type))
    are_integers = all(isinstance(kind, types.Integer) for kind in (a, b))
    are_wide = a in _WIDE and b in _WIDE
    if fn in _COMPARING:
        are_exact = are_integers and types.uint64 not in (a, b)
        if not (a == b or are_exact or {a, b} == {_INTEGER, _FLOAT}):
            raise TypingError(f"{where} compares {a} and {b}")
    elif not (are_wide or (a == b == made and a in (*_SINGLE, types.boolean))):
        raise TypingError(f"{where} computes with {a} and {b}, for which Numba has other rules")
    elif a is types.boolean and fn not in _OF_BOOLEANS:
        raise TypingError(f"{where} computes with booleans")
    elif are_integers and fn in _POWERS:
        raise TypingError(f"{where} has a power or a shift of integers, which may overflow")
    elif fn in _DIVIDING and any(are_arrays):
        raise TypingError(f"{where} has // or % of arrays, where Numba does not tell of zeros")
    elif value.op == "inplace_binop" and are_arrays[0] and made != a:
        raise TypingError(f"{where} updates an array of {a} by {b}")
    by = state.typemap[value.rhs.name]
    if fn in (operator.rshift, operator.irshift) and not (
        isinstance(by, types.IntegerLiteral) and 0 <= by.literal_value < 64
    ):
        raise TypingError(f"{where} shifts by a number that may be negative")


def _is_new(operand: Any, state: Any) -> bool:
    """Whether an array is what an operator gave: it has memory of its own."""
    try:
        found = state.func_ir.get_definition(operand)
    except KeyError:
        return False
    return isinstance(found, ir.Expr) and found.op in ("binop", "unary")


def _refuse_unary(value: Any, kind: Any) -> None:
    """Refuse what gives another kind of number."""
    element = _element(kind)
    is_mask = isinstance(kind, types.Array) and value.fn is operator.invert
    if (
        value.fn is not operator.not_
        and element not in _WIDE
        and element not in _SINGLE
        and not (is_mask and element is types.boolean)
    ):
        raise TypingError(f"line {value.loc.line} computes with {element}, which Numba would widen")


def _refuse_call(value: Any, kinds: list[Any], state: Any) -> None:
    """Refuse functions and operands but those that ``numba_names`` lists."""
    called = state.typemap[value.func.name]
    if isinstance(called, (types.Dispatcher, types.ExceptionClass)):
        return
    key = getattr(called, "typing_key", None)
    where = f"line {value.loc.line}"
    name = _name_of(called)
    if isinstance(called, types.BoundFunction):
        known, kinds = FUNCTIONS.get(name), [called.this, *kinds]
    elif isinstance(called, types.NumberClass):
        known = Known(1, "ifb")
    else:
        of_builtins = key is slice or getattr(builtins, name, None) is key
        known = BUILTINS.get(name, _SLICE) if of_builtins else FUNCTIONS.get(name)
    if known is None:
        raise TypingError(f"{where} calls {name}, which Numba is not given")
    given = [element for element in map(_element, kinds) if _is_number(element)]
    made = _element(_bare(state.calltypes[value].return_type))
    if key in (min, max):
        if len({*given, made}) > 1:
            raise TypingError(f"{where} gives one of several kinds of numbers")
    elif known.kinds != "*":
        for kind in given:
            if _LETTERS.get(kind, "") not in tuple(known.kinds):
                raise TypingError(f"{where} calls {name} with {kind}")
        if _is_number(made) and made not in _LETTERS:
            raise TypingError(f"{where} makes {made}, for which a number may be too large")


def _refuse_store(statement: Any, typemap: Any) -> None:
    """Refuse what puts a number into an array whose elements may not hold it."""
    target, value = typemap[statement.target.name], typemap[statement.value.name]
    kind, number = _element(target), _element(_bare(value))
    if kind == number or (kind in _WIDE and number in _LETTERS):
        return
    if isinstance(value, types.IntegerLiteral) and isinstance(kind, types.Integer):
        if kind.minval <= value.literal_value <= kind.maxval:
            return
    elif (kind, number) in ((types.float32, _FLOAT), (types.boolean, _INTEGER)):
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
