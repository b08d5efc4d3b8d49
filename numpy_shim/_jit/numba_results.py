"""Where numbers of two kinds have one type in Numba: Python's and NumPy's, integers and floats.

The kind of a result is learnt from one call. Where the data decide whether a function gives
Python's number or NumPy's (``total = 0.0`` is a float for an empty array, and a ``float64``
otherwise), ``numba_kinds`` lets it be told beside the result. And a name that is an integer on one
way and a float on another is a float in Numba, which has no digits for large integers, and another
zero. Such a name may be moved, returned, and computed with where Python makes a float of it, too.
"""

from __future__ import annotations

import inspect
import itertools
import operator
import weakref
from collections.abc import MutableMapping
from typing import Any

import numpy
from numba.core import ir, types
from numba.core.errors import TypingError

from xp_torch._core.dtypes import EXACT

from .numba_arithmetic import COMPARING

PYTHON: frozenset[Any] = frozenset()
NUMPY: frozenset[Any] = frozenset({"numpy"})
_PLAIN = (int, float, bool, complex, len, range)
_SIZES = frozenset({"shape", "size", "ndim", "strides", "itemsize", "nbytes"})
_FOLDING = frozenset({
    "sum", "prod", "mean", "max", "min", "amax", "amin", "argmax", "argmin", "any", "all", "dot",
})  # fmt: skip
"""Functions and methods whose results, if they are numbers, are NumPy's."""
_DIVIDING = (operator.truediv, operator.itruediv)
_TAKING_BOTH = (float, int, bool, complex, abs, min, max)

_UNKNOWN = frozenset({PYTHON, NUMPY})
_RESULTS: MutableMapping[Any, set[frozenset[Any]]] = weakref.WeakKeyDictionary()
"""What the results of compiled functions come from, in all their compiled forms."""

Origin = tuple[frozenset[Any], Any]
"""What a number comes from, and Numba's type of it.

The first is empty for Python's, ``numpy``, or the arguments and calls that decide.
"""


def refuse_joined(state: Any, origins: Origins, is_entry: bool) -> None:
    """Raise if Numba computes with floats where Python may compute with integers."""
    for block in state.func_ir.blocks.values():
        for statement in block.body:
            joined = origins.joined_in(statement)
            is_result = isinstance(statement, ir.Return) and not is_entry
            if is_result and origins.is_joined(statement.value.name):
                joined = "gives an integer or a float"
            if joined:
                raise TypingError(f"line {statement.loc.line} {joined}")


def note_result(state: Any, origins: Origins) -> None:
    """Remember what the result of a function comes from, for the functions that call it."""
    found = _RESULTS.setdefault(state.func_id.func, set())
    for block in state.func_ir.blocks.values():
        if isinstance(block.terminator, ir.Return):
            name = block.terminator.value.name
            is_number = isinstance(origins.type_of(name), (types.Number, types.Boolean))
            found.update((origin for origin, _ in origins.of(name)) if is_number else _UNKNOWN)


class Origins:
    """What the numbers of a function come from."""

    def __init__(self, state: Any) -> None:
        self._typemap = state.typemap
        self.assigned: dict[str, list[Any]] = {}
        """What each name is given."""
        self._found: dict[str, set[Origin]] = {}
        for block in state.func_ir.blocks.values():
            for statement in block.body:
                if isinstance(statement, ir.Assign):
                    self.assigned.setdefault(statement.target.name, []).append(statement.value)
        while True:
            before = sum(map(len, self._found.values()))
            for name, values in self.assigned.items():
                for value in values:
                    self._found.setdefault(name, set()).update(self.origins(value, name))
            if sum(map(len, self._found.values())) == before:
                break

    def joined_in(self, statement: object) -> str:
        """What a statement does with a name that is an integer or a float; empty if it may."""
        if not isinstance(statement, ir.Assign):
            return ""
        value = statement.value
        if isinstance(self.type_of(statement.target.name), types.Float):
            sources = self._sources(value)
            if not all(self._is_kept(name) for name in sources):
                return "joins an integer, which may be large, with floats"
        if not isinstance(value, ir.Expr):
            return ""
        taken = {v.name for v in value.list_vars() if self.is_joined(v.name)}
        if not taken or self._may_take(value, taken):
            return ""
        return "computes with what is an integer or a float"

    def _may_take(self, value: ir.Expr, joined: set[str]) -> bool:
        """Whether an expression gives the same for an integer and for the float of its value."""
        if value.op in ("binop", "inplace_binop"):
            others = {value.lhs.name, value.rhs.name} - joined
            # Division is checked: each integer is one that a float has.
            is_checked = value.fn in (*COMPARING, *_DIVIDING)
            return is_checked or any(map(self._is_inexact, others))
        if value.op == "unary":
            return value.fn is operator.not_
        if value.op == "call":
            key = getattr(self._typemap[value.func.name], "typing_key", None)
            return key in _TAKING_BOTH or getattr(key, "__module__", None) == "math"
        return value.op in ("cast", "phi", "build_tuple")

    def is_joined(self, name: str) -> bool:
        """Whether a float may be an integer in Python."""
        return isinstance(self.type_of(name), types.Float) and any(
            isinstance(kind, types.Integer) for _, kind in self._found.get(name, ())
        )

    def _is_inexact(self, name: str) -> bool:
        kind = self._typemap[name]
        element = types.unliteral(kind.dtype if isinstance(kind, types.Array) else kind)
        return isinstance(element, (types.Float, types.Complex))

    @staticmethod
    def _sources(value: object) -> list[str]:
        """The names whose values a statement moves."""
        if isinstance(value, ir.Var):
            return [value.name]
        if isinstance(value, ir.Expr) and value.op == "cast":
            return [value.value.name]
        if isinstance(value, ir.Expr) and value.op == "phi":
            return [v.name for v in value.incoming_values if v is not ir.UNDEFINED]
        return []

    def _is_kept(self, name: str) -> bool:
        """Whether a float has all digits of a number: a float, a small constant, a size."""
        if not isinstance(self.type_of(name), types.Integer):
            return True
        for value in self.assigned.get(name, [None]):
            if isinstance(value, (ir.Const, ir.Global, ir.FreeVar)):
                if abs(value.value) > EXACT:
                    return False
            elif isinstance(value, ir.Expr) and value.op in ("static_getitem", "getitem"):
                if not self._is_size(value.value.name):
                    return False
            elif isinstance(value, ir.Expr) and value.op == "getattr":
                if not self._is_size(name):
                    return False
            elif not (isinstance(value, ir.Var) and self._is_kept(value.name)):
                return False
        return True

    def _is_size(self, name: str) -> bool:
        """Whether a name is an attribute of an array such as its shape."""
        return all(
            (isinstance(v, ir.Var) and self._is_size(v.name))
            or (isinstance(v, ir.Expr) and v.op == "getattr" and v.attr in _SIZES)
            for v in self.assigned.get(name, [None])
        )

    def items(self, name: str) -> list[set[Origin]]:
        """The origins of each item of a tuple, or of what is none."""
        values = self.assigned.get(name, [])
        if len(values) == 1:
            value = values[0]
            if isinstance(value, ir.Var):
                return self.items(value.name)
            if isinstance(value, ir.Expr) and value.op == "cast":
                return self.items(value.value.name)
            if isinstance(value, ir.Expr) and value.op == "build_tuple":
                return [set().union(*self.items(item.name)) for item in value.items]
        return [self.of(name)]

    def type_of(self, name: str) -> Any:
        """Numba's type of a name, which for arrays is one."""
        kind = types.unliteral(self._typemap[name])
        return types.Array if isinstance(kind, types.Array) else kind

    def of(self, name: str) -> set[Origin]:
        """What a name comes from."""
        if self.type_of(name) is types.Array:
            return {(NUMPY, types.Array)}
        return self._found.get(name, set())

    def origins(self, value: object, target: str) -> set[Origin]:
        """What a value comes from that a name is given."""
        kind = self.type_of(target)
        if isinstance(value, ir.Var):
            return self.of(value.name)
        if isinstance(value, ir.Arg):
            return {(frozenset({value.name}), kind)}
        if not isinstance(value, ir.Expr):
            return {(PYTHON, kind)}
        of = value.op
        if of in ("cast", "iternext", "pair_first", "exhaust_iter"):
            return self.of(value.value.name)
        if of == "phi":
            known = [v for v in value.incoming_values if v is not ir.UNDEFINED]
            return set().union(*(self.of(v.name) for v in known))
        if of == "build_tuple":
            return set().union(*(self.of(v.name) for v in value.items))
        if of in ("binop", "inplace_binop"):
            return self._joined([value.lhs, value.rhs], kind, value.fn)
        if of == "unary":
            if value.fn is operator.not_:
                return {(PYTHON, kind)}
            return self._joined([value.value], kind, value.fn)
        if of in ("getitem", "static_getitem", "typed_getitem"):
            return {(origin, kind) for origin, _ in self.of(value.value.name)}
        if of == "getattr":
            if value.attr in _SIZES or isinstance(self._typemap[value.value.name], types.Module):
                return {(PYTHON, kind)}
            return {(origin, kind) for origin, _ in self.of(value.value.name)}
        if of == "getiter":
            if isinstance(self._typemap[value.value.name], types.RangeType):
                return {(PYTHON, types.int64)}
            if self.type_of(value.value.name) is types.Array:
                return {(NUMPY, self._typemap[value.value.name].dtype)}
        if of == "call":
            return self._called(value, kind)
        return {(PYTHON, kind), (NUMPY, kind)}

    def _called(self, value: Any, kind: Any) -> set[Origin]:
        function = self._typemap[value.func.name]
        key: Any = getattr(function, "typing_key", None)
        module = getattr(key, "__module__", None) or ""
        if key in _PLAIN or module == "math" or (key is round and len(value.args) == 1):
            return {(PYTHON, kind)}
        if isinstance(function, types.Dispatcher):
            return self._given_by(function.dispatcher.py_func, value, kind)
        if isinstance(getattr(function, "this", None), types.NumPyRandomGeneratorType):
            return {(NUMPY if key[-1] == "integers" else PYTHON, kind)}
        name = key[-1] if isinstance(key, tuple) else getattr(key, "__name__", str(key))
        if name.rpartition(".")[2] in _FOLDING and key not in (min, max):
            return {(NUMPY, kind)}
        if key in (min, max):
            return set().union(*(self.of(v.name) for v in value.args))
        if key in (abs, round):
            return self._joined(value.args[:1], kind, key)
        if isinstance(key, numpy.ufunc) or isinstance(function, types.NumberClass):
            return {(NUMPY, kind)}
        if module.startswith("numpy") or isinstance(function, types.BoundFunction):
            return {(frozenset({str(key)}), kind)}
        return {(PYTHON, kind), (NUMPY, kind)}

    def _given_by(self, function: Any, call: ir.Expr, kind: Any) -> set[Origin]:
        """The origins of what a function of the program gives."""
        (origin, *others) = _RESULTS.get(function, _UNKNOWN)
        if others or call.kws or call.vararg:
            return {(PYTHON, kind), (NUMPY, kind)}
        if origin >= NUMPY or not origin:
            return {(origin, kind)}
        parameters = list(inspect.signature(function).parameters)
        operands = [v for name, v in zip(parameters, call.args, strict=False) if name in origin]
        if len(operands) < len(origin):
            return {(PYTHON, kind), (NUMPY, kind)}
        return self._joined(operands, kind, None)

    def _joined(self, operands: list[Any], kind: object, fn: object) -> set[Origin]:
        """The origins of what an operator gives."""
        found: set[Origin] = set()
        for origins in itertools.product(*(self.of(v.name) for v in operands)):
            joined = frozenset().union(*(origin for origin, _ in origins))
            are_integers = all(isinstance(k, types.Integer) for _, k in origins)
            is_widened = isinstance(kind, types.Float) and are_integers and fn not in _DIVIDING
            found.add((NUMPY if joined >= NUMPY else joined, types.int64 if is_widened else kind))
        return found
