"""What tells beside a result which kind of number each of its items is, where the data decide.

The entry of a module gets an array ``kinds``, with the kinds of its arguments at its end, and puts
a zero into it for each item before it returns. Here such a zero is replaced by a number that is
kept beside the item as it is computed: ``TOLD``, with ``NUMPYS`` for a number of NumPy's, and
``INTEGER`` for an integer that is a float in Numba.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import ir, ir_utils, types
from numba.core.errors import TypingError

from .numba_results import NUMPY, PYTHON, Origins
from .numba_source import INTEGER, KINDS, NUMPYS, TOLD

_KIND = types.int64
_CERTAIN = {PYTHON: TOLD, NUMPY: TOLD | NUMPYS}
_UNTOLD = "the kind of a number in its result depends on the data"


def tell_kinds(state: Any, origins: Origins) -> None:
    """Let the kinds be told that the data decide; raise where that cannot be followed."""
    kinds = _Kinds(state, origins)
    stores = [
        statement
        for block in state.func_ir.blocks.values()
        for statement in block.body
        if isinstance(statement, ir.StaticSetItem) and _root(statement.target.name) == KINDS
    ]
    found: dict[tuple[int, int], set[Any]] = {}
    for store in stores:
        for place, item in enumerate(origins.items(kinds.item(store))):
            found.setdefault((store.index, place), set()).update(item)
    uncertain = {index for (index, _), item in found.items() if len(item) > 1}
    for index in uncertain:
        kept = {origins.type_of(kinds.item(s)) for s in stores if s.index == index}
        if len(kept - {types.none}) > 1 or types.Array in kept:
            raise TypingError(_UNTOLD)
    for store in stores:
        if store.index in uncertain or origins.is_joined(kinds.item(store)):
            store.value = kinds.of(kinds.item(store))
    kinds.write()


def _root(name: str) -> str:
    return name.partition(".")[0]


class _Kinds:
    """The numbers that are kept beside names."""

    def __init__(self, state: Any, origins: Origins) -> None:
        self._state = state
        self._origins = origins
        self._kept: dict[str, ir.Var] = {}

    def item(self, store: ir.StaticSetItem) -> str:
        """The name of the item of a result whose kind is stored: what was assigned before."""
        name = f"{KINDS}_{store.index}"
        for block in self._state.func_ir.blocks.values():
            if store in block.body:
                before = block.body[: block.body.index(store)]
                targets: list[str] = [s.target.name for s in before if isinstance(s, ir.Assign)]
                return next(t for t in reversed(targets) if _root(t) == name)
        raise AssertionError(name)

    def of(self, name: str) -> ir.Var:
        """The variable that has the kind of a name."""
        if name not in self._kept:
            self._kept[name] = var = self._new(f"$kind_{name}")
            for value in self._origins.assigned[name]:
                for source in self._followed(value, name):
                    self.of(source)
            return var
        return self._kept[name]

    def write(self) -> None:
        """Put the assignments of the variables before those of what they stand for."""
        written = set()
        for block in self._state.func_ir.blocks.values():
            body = block.body
            block.body = []
            for statement in body:
                name = statement.target.name if isinstance(statement, ir.Assign) else ""
                if name in self._kept and not isinstance(statement.value, ir.Arg):
                    self._write(statement, block.body)
                    written.add(name)
                block.body.append(statement)
                argument = _root(name).removeprefix(f"{KINDS}_")
                if argument in self._kept and argument != _root(name):
                    told = ir.Assign(statement.target, self._kept[argument], statement.loc)
                    block.body.append(told)
                    written.add(argument)
        if written != self._kept.keys():
            raise TypingError(_UNTOLD)

    def _new(self, name: str, kind: Any = _KIND) -> ir.Var:
        block = next(iter(self._state.func_ir.blocks.values()))
        var = ir.Var(block.scope, ir_utils.mk_unique_var(name), block.loc)
        self._state.typemap[var.name] = kind
        return var

    def _followed(self, value: Any, name: str) -> list[str]:
        """The names whose kinds decide that of a value; raises where that is not known."""
        if isinstance(value, ir.Arg) or self._certain(value, name) is not None:
            return []
        if isinstance(value, ir.Var) or (isinstance(value, ir.Expr) and value.op == "cast"):
            source = value if isinstance(value, ir.Var) else value.value
            kinds = self._origins.type_of(source.name), self._origins.type_of(name)
            if kinds[0] == kinds[1] or self._is_widened(source.name, name):
                return [source.name]
        elif isinstance(value, ir.Expr):
            if value.op in ("binop", "inplace_binop"):
                return [value.lhs.name, value.rhs.name]
            if value.op == "unary":
                return [value.value.name]
            if value.op == "call" and len(value.args) == 2 and self._key(value) in (min, max):
                return [v.name for v in value.args]
            if value.op == "call" and self._key(value) is abs:
                return [value.args[0].name]
        raise TypingError(_UNTOLD)

    def _key(self, call: ir.Expr) -> Any:
        return getattr(self._state.typemap[call.func.name], "typing_key", None)

    def _certain(self, value: Any, name: str) -> int | None:
        """The kind of a value that is always of one."""
        if isinstance(value, (ir.Const, ir.Global, ir.FreeVar)):
            return TOLD
        if isinstance(value, ir.Var) or (isinstance(value, ir.Expr) and value.op == "cast"):
            source = value if isinstance(value, ir.Var) else value.value
            if self._is_widened(source.name, name) or self._origins.is_joined(source.name):
                return None
        found = {origin for origin, _ in self._origins.origins(value, name)}
        return _CERTAIN.get(found.pop()) if len(found) == 1 else None

    def _is_widened(self, source: str, target: str) -> bool:
        """Whether an integer becomes a float."""
        of = self._origins.type_of
        return of(source) is types.int64 and of(target) is types.float64

    def _write(self, statement: ir.Assign, body: list[Any]) -> None:
        """Append what gives a variable its kind."""
        value, name = statement.value, statement.target.name
        var, loc = self._kept[name], statement.loc
        certain = self._certain(value, name)

        def assign(value: Any, target: ir.Var | None = None) -> ir.Var:
            target = target or self._new("$kind")
            body.append(ir.Assign(value, target, loc))
            return target

        def computed(fn: Any, a: ir.Var, b: ir.Var, target: ir.Var | None = None) -> ir.Var:
            made = ir.Expr.binop(fn, a, b, loc)
            operands = tuple(self._state.typemap[v.name] for v in (a, b))
            signature = self._state.typingctx.resolve_function_type(fn, operands, {})
            self._state.calltypes[made] = signature
            return assign(made, target or self._new("$kind", signature.return_type))

        def number(value: int) -> ir.Var:
            return assign(ir.Const(value, loc))

        if certain is not None:
            assign(ir.Const(certain, loc), var)
            return
        kept = [self._kept[source] for source in self._followed(value, name)]
        if isinstance(value, ir.Var) or value.op == "cast":
            source = value if isinstance(value, ir.Var) else value.value
            if self._is_widened(source.name, name):
                computed(operator.or_, kept[0], number(INTEGER), var)
            else:
                assign(kept[0], var)
        elif value.op == "call" and len(kept) == 2:
            # Python takes the second where that is less, or more.
            a, b = value.args
            second = computed(operator.lt if self._key(value) is min else operator.gt, b, a)
            step = computed(operator.mul, computed(operator.sub, kept[1], kept[0]), second)
            computed(operator.add, kept[0], step, var)
        else:  # an operator: NumPy's number with any makes one of NumPy's
            both = computed(operator.or_, kept[0], kept[-1])
            computed(operator.and_, both, number(TOLD | NUMPYS), var)
