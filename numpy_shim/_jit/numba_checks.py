"""What Numba compiles otherwise than Python and NumPy compute, found in its typed code.

Numba is an optional dependency: only ``with_numba`` and the modules that it writes import this.
Integers are checked as they run: what would overflow or divides by zero raises, and the caller runs
the function as it is. Kinds of operands for which Numba has other rules of promotion are refused.
"""

from __future__ import annotations

import builtins
import operator
from typing import Any

import numba
from numba.core import ir, ir_utils, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.errors import TypingError
from numba.core.typed_passes import InlineOverloads

from .numba_arithmetic import (
    CHECKED,
    COMPARED,
    COMPARING,
    FLOAT,
    INTEGER,
    absolute,
    bounded,
    floordiv,
    mod,
    neg,
    positive,
    truediv,
)
from .numba_kinds import tell_kinds
from .numba_names import BUILTINS, FUNCTIONS, Known
from .numba_results import Origins, note_result, refuse_joined

_DIVIDING = {operator.floordiv, operator.mod, operator.ifloordiv, operator.imod}
_POWERS = {operator.pow, operator.ipow, operator.lshift, operator.ilshift}
_WIDE = {INTEGER: "i", FLOAT: "f", types.complex128: "c"}
"""The kinds of numbers whose operations with each other have one rule in Numba and NumPy."""
_LETTERS = {**_WIDE, types.boolean: "b"}
_SLICE = Known(3, "*")
_SINGLE = (types.float32, types.complex64)
_OF_BOOLEANS = {
    operator.and_, operator.or_, operator.xor, operator.iand, operator.ior, operator.ixor,
    operator.eq, operator.ne,
}  # fmt: skip


@register_pass(mutates_CFG=False, analysis_only=False)
class Checks(FunctionPass):  # type: ignore[misc]
    """Refuses operands, and lets the arithmetic of integers be checked."""

    _name = "numpy_shim_checks"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """See Numba."""
        origins = Origins(state)
        is_entry = state.func_id.func_name == "entry"
        refuse_joined(state, origins, is_entry)
        for block in state.func_ir.blocks.values():
            body = block.body
            block.body = []
            for statement in body:
                block.body += [*_looked_at(statement, state), statement]
        if is_entry:
            tell_kinds(state, origins)
        else:
            note_result(state, origins)
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
        if _bare(state.typemap[operand.name]) is INTEGER:
            bound = ir.Var(operand.scope, ir_utils.mk_unique_var("$bound"), call.loc)
            state.typemap[bound.name] = INTEGER
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
        state.typemap[var.name] = INTEGER
        made.append(ir.Assign(ir.Expr.getattr(array, "size", call.loc), var, call.loc))
    _set_unary(made[1], positive, made[0].target, call.loc, state)
    return made


def _bare(kind: object) -> Any:
    return types.unliteral(kind)


def _element(kind: object) -> Any:
    return kind.dtype if isinstance(kind, types.Array) else kind


def _name_of(called: object) -> str:
    """The name of a function or a method, by Numba's type of it."""
    key = getattr(called, "typing_key", None)
    if isinstance(called, types.BoundFunction):
        return key[-1] if isinstance(key, tuple) else str(key).rpartition(".")[2]
    return str(getattr(key, "__name__", called))


def _is_number(kind: object) -> bool:
    return isinstance(kind, (types.Number, types.Boolean))


def _refuse_binary(value: Any, kinds: list[object], state: Any) -> None:
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
    if fn in COMPARING:
        are_exact = are_integers and types.uint64 not in (a, b)
        if not (a == b or are_exact or {a, b} == {INTEGER, FLOAT}):
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


def _refuse_call(value: Any, kinds: list[object], state: Any) -> None:
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
    elif (kind, number) in ((types.float32, FLOAT), (types.boolean, INTEGER)):
        return
    raise TypingError(f"line {statement.loc.line} puts {number} into an array of {kind}")


def _check_unary(statement: Any, operand: Any, fn: Any, state: Any) -> None:
    """Let a minus or an absolute value of an integer be the checked one."""
    checked = {operator.neg: neg, abs: absolute}.get(fn)
    if checked is None or _bare(state.typemap[operand.name]) is not INTEGER:
        return
    _set_unary(statement, checked, operand, statement.value.loc, state)


def _set_unary(statement: Any, checked: Any, operand: Any, loc: Any, state: Any) -> None:
    statement.value = ir.Expr("unary", loc, fn=checked, value=operand)
    state.calltypes[statement.value] = state.typingctx.resolve_function_type(
        checked, (INTEGER,), {}
    )


def _check(statement: Any, kinds: list[object], state: object) -> None:
    """Let an operation of numbers be the checked one, if it may overflow or divide by zero."""
    value = statement.value
    if {INTEGER, FLOAT} == set(kinds) and value.fn in COMPARED:
        _replace(statement, kinds, COMPARED[value.fn], state)
        return
    checked = CHECKED.get(value.fn)
    if checked is None or any(isinstance(kind, types.Array) for kind in kinds):
        return
    is_division = checked in (floordiv, mod, truediv)
    taken = (types.Integer, types.Float) if is_division else types.Integer
    if not all(isinstance(kind, taken) for kind in kinds):
        return
    _replace(statement, kinds, checked, state)


def _replace(statement: Any, kinds: list[object], checked: Any, state: Any) -> None:
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


def compiled(function: object) -> Any:
    """The decorator of the functions in the modules that ``numba_source`` writes."""
    return numba.njit(
        fastmath=False, error_model="numpy", boundscheck=True, cache=True, pipeline_class=Pipeline
    )(function)


def uncached(function: object) -> Any:
    """``compiled`` where no folder can be written."""
    return numba.njit(
        fastmath=False, error_model="numpy", boundscheck=True, pipeline_class=Pipeline
    )(function)
