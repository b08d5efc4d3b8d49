"""What Numba compiles otherwise than Python and NumPy compute, found in its typed code.

Numba is an optional dependency: only ``with_numba`` and the modules that it writes import this.
Integers are checked as they run: what would overflow or divides by zero raises, and the caller runs
the function as it is. Kinds of operands for which Numba has other rules of promotion are refused.
"""

from __future__ import annotations

import operator
from typing import Any

import numba
from llvmlite import ir as llvm
from numba.core import cgutils, ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.errors import TypingError
from numba.core.imputils import lower_builtin
from numba.core.typed_passes import InlineOverloads
from numba.core.typing import signature
from numba.core.typing.templates import ConcreteTemplate, infer_global

_ARITHMETIC = {
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
    operator.pow, operator.iadd, operator.isub, operator.imul, operator.itruediv,
    operator.ifloordiv, operator.imod, operator.ipow, operator.lshift, operator.ilshift,
}  # fmt: skip
_DIVIDING = {operator.floordiv, operator.mod, operator.ifloordiv, operator.imod}
_POWERS = {operator.pow, operator.ipow}
_COMPARING = {operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne}
_INTEGER, _FLOAT, _COMPLEX = types.int64, types.float64, types.complex128


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


def mod(a: int, b: int) -> int:
    """Stands for a checked ``%``."""
    raise NotImplementedError


def _overflowing(name: str) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        a, b = (context.cast(builder, v, t, _INTEGER) for v, t in zip(args, sig.args, strict=True))
        both = getattr(builder, name)(a, b)
        with cgutils.if_unlikely(builder, builder.extract_value(both, 1)):
            context.call_conv.return_user_exc(builder, OverflowError, ("integer overflow",))
        return builder.extract_value(both, 0)

    return lower


def _divided(fn: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        b, kind = args[1], sig.args[1]
        if isinstance(kind, types.Float):
            is_zero = builder.fcmp_unordered("==", b, llvm.Constant(b.type, 0.0))
        else:
            b = context.cast(builder, b, kind, _INTEGER)
            # Minus one traps for the smallest integer; that it is slow there does no harm.
            is_zero = builder.or_(
                builder.icmp_signed("==", b, llvm.Constant(b.type, 0)),
                builder.icmp_signed("==", b, llvm.Constant(b.type, -1)),
            )
        with cgutils.if_unlikely(builder, is_zero):
            context.call_conv.return_user_exc(builder, ZeroDivisionError, ("division by zero",))
        return context.get_function(fn, sig)(builder, args)

    return lower


def _typed(fn: Any, kinds: Any) -> None:
    """Let Numba know which numbers a function takes."""
    cases = [signature(kind, kind, kind) for kind in kinds]
    infer_global(fn)(type(f"{fn.__name__}_checked", (ConcreteTemplate,), {"cases": cases}))


for _fn in (add, sub, mul):
    _typed(_fn, [_INTEGER])
for _fn in (floordiv, mod):
    _typed(_fn, [_INTEGER, types.float32, types.float64])
for _fn, _name in ((add, "sadd"), (sub, "ssub"), (mul, "smul")):
    lower_builtin(_fn, types.Integer, types.Integer)(_overflowing(f"{_name}_with_overflow"))
for _fn, _op in ((floordiv, operator.floordiv), (mod, operator.mod)):
    for _kind in (types.Integer, types.Float):
        for _other in (types.Integer, types.Float):
            lower_builtin(_fn, _kind, _other)(_divided(_op))

_CHECKED = {
    operator.add: add, operator.iadd: add, operator.sub: sub, operator.isub: sub,
    operator.mul: mul, operator.imul: mul, operator.floordiv: floordiv,
    operator.ifloordiv: floordiv, operator.mod: mod, operator.imod: mod,
}  # fmt: skip


@register_pass(mutates_CFG=False, analysis_only=False)
class Checks(FunctionPass):  # type: ignore[misc]
    """Refuses operands, and lets the arithmetic of integers be checked."""

    _name = "numpy_shim_checks"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """See Numba."""
        carried = _carried(state.func_ir)
        for block in state.func_ir.blocks.values():
            for statement in block.body:
                value = getattr(statement, "value", None)
                if not (isinstance(statement, ir.Assign) and isinstance(value, ir.Expr)):
                    continue
                if value.op in ("binop", "inplace_binop"):
                    kinds = [_bare(state.typemap[v.name]) for v in (value.lhs, value.rhs)]
                    _refuse_aliases(value, kinds)
                    _refuse(value.fn, kinds, value.loc)
                    _check(statement, kinds, _plain(statement.target.name) in carried, state)
        return True


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


def _check(statement: Any, kinds: list[Any], is_carried: bool, state: Any) -> None:
    """Let an operation of numbers be the checked one, if it may overflow or divide by zero."""
    value = statement.value
    checked = _CHECKED.get(value.fn)
    if checked is None or any(isinstance(kind, types.Array) for kind in kinds):
        return
    taken = (types.Integer, types.Float) if value.fn in _DIVIDING else types.Integer
    if not all(isinstance(kind, taken) for kind in kinds):
        return
    if checked in (add, sub) and not is_carried:
        return
    # ``Expr.binop`` takes builtin functions only.
    statement.value = ir.Expr(
        "binop", value.loc, fn=checked, lhs=value.lhs, rhs=value.rhs,
        static_lhs=ir.UNDEFINED, static_rhs=ir.UNDEFINED,
    )  # fmt: skip
    state.calltypes[statement.value] = state.typingctx.resolve_function_type(
        checked, tuple(kinds), {}
    )


def _plain(name: str) -> str:
    """A variable's name without the version that static single assignment has given it."""
    return name.partition(".")[0]


def _carried(func_ir: Any) -> set[str]:
    """The variables whose value a loop computes from the value that they had a step before."""
    after: dict[str, set[str]] = {}
    for block in func_ir.blocks.values():
        for statement in block.body:
            if not isinstance(statement, ir.Assign):
                continue
            value, target = statement.value, _plain(statement.target.name)
            if isinstance(value, ir.Var):
                after.setdefault(_plain(value.name), set()).add(target)
            elif isinstance(value, ir.Expr) and value.op in (
                "binop", "inplace_binop", "unary", "cast", "phi", "build_tuple", "exhaust_iter",
                "static_getitem", "call",
            ):  # fmt: skip
                for variable in value.list_vars():
                    after.setdefault(_plain(variable.name), set()).add(target)
    return {name for name in after if name in _reached(name, after)}


def _reached(name: str, after: dict[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    ahead = list(after.get(name, ()))
    while ahead:
        found = ahead.pop()
        if found not in seen:
            seen.add(found)
            ahead += after.get(found, ())
    return seen


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
