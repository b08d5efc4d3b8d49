"""Whether a function always gives Python's numbers, or always NumPy's scalars, in its results.

Numba has one kind of both. The kind of a result is learnt from one call, so a function whose data
decide (``total = 0.0`` is a float for an empty array, and a ``float64`` otherwise) is refused.
"""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy
from numba.core import ir, types
from numba.core.errors import TypingError

_PYTHON: frozenset[Any] = frozenset()
_NUMPY: frozenset[Any] = frozenset({"numpy"})
_PLAIN = (int, float, bool, complex, len, range)
_SIZES = frozenset({"shape", "size", "ndim", "strides", "itemsize", "nbytes"})
_DIVIDING = (operator.truediv, operator.itruediv)

Origin = tuple[frozenset[Any], Any]
"""What a number comes from, and Numba's type of it.

The first is empty for Python's, ``numpy``, or the arguments and calls that decide.
"""


def refuse_uncertain(state: Any) -> None:
    """Raise if the data decide of which kind a number in the result is."""
    origins = _Origins(state)
    found: dict[int, set[Origin]] = {}
    for block in state.func_ir.blocks.values():
        if isinstance(block.terminator, ir.Return):
            for place, item in enumerate(origins.items(block.terminator.value.name)):
                found.setdefault(place, set()).update(item)
    if any(len(item) > 1 for item in found.values()):
        raise TypingError("the kind of a number in its result depends on the data")


class _Origins:
    def __init__(self, state: Any) -> None:
        self._typemap = state.typemap
        self._assigned: dict[str, list[Any]] = {}
        self._found: dict[str, set[Origin]] = {}
        for block in state.func_ir.blocks.values():
            for statement in block.body:
                if isinstance(statement, ir.Assign):
                    self._assigned.setdefault(statement.target.name, []).append(statement.value)
        while True:
            before = sum(map(len, self._found.values()))
            for name, values in self._assigned.items():
                for value in values:
                    self._found.setdefault(name, set()).update(self._origins(value, name))
            if sum(map(len, self._found.values())) == before:
                break

    def items(self, name: str) -> list[set[Origin]]:
        """The origins of a result, or of each item of a tuple."""
        values = self._assigned.get(name, [])
        if len(values) == 1:
            value = values[0]
            if isinstance(value, ir.Var):
                return self.items(value.name)
            if isinstance(value, ir.Expr) and value.op == "cast":
                return self.items(value.value.name)
            if isinstance(value, ir.Expr) and value.op == "build_tuple":
                return [set().union(*self.items(item.name)) for item in value.items]
        return [self._of(name)]

    def _type(self, name: str) -> Any:
        kind = types.unliteral(self._typemap[name])
        return types.Array if isinstance(kind, types.Array) else kind

    def _of(self, name: str) -> set[Origin]:
        if self._type(name) is types.Array:
            return {(_NUMPY, types.Array)}
        return self._found.get(name, set())

    def _origins(self, value: Any, target: str) -> set[Origin]:
        kind = self._type(target)
        if isinstance(value, ir.Var):
            return self._of(value.name)
        if isinstance(value, ir.Arg):
            return {(frozenset({value.name}), kind)}
        if not isinstance(value, ir.Expr):
            return {(_PYTHON, kind)}
        of = value.op
        if of in ("cast", "iternext", "pair_first", "exhaust_iter"):
            return self._of(value.value.name)
        if of == "phi":
            known = [v for v in value.incoming_values if v is not ir.UNDEFINED]
            return set().union(*(self._of(v.name) for v in known))
        if of == "build_tuple":
            return set().union(*(self._of(v.name) for v in value.items))
        if of in ("binop", "inplace_binop"):
            return self._joined([value.lhs, value.rhs], kind, value.fn)
        if of == "unary":
            if value.fn is operator.not_:
                return {(_PYTHON, kind)}
            return self._joined([value.value], kind, value.fn)
        if of in ("getitem", "static_getitem", "typed_getitem"):
            return {(origin, kind) for origin, _ in self._of(value.value.name)}
        if of == "getattr":
            if value.attr in _SIZES or isinstance(self._typemap[value.value.name], types.Module):
                return {(_PYTHON, kind)}
            return {(origin, kind) for origin, _ in self._of(value.value.name)}
        if of == "getiter":
            if isinstance(self._typemap[value.value.name], types.RangeType):
                return {(_PYTHON, types.int64)}
            if self._type(value.value.name) is types.Array:
                return {(_NUMPY, self._typemap[value.value.name].dtype)}
        if of == "call":
            return self._called(value, kind)
        return {(_PYTHON, kind), (_NUMPY, kind)}

    def _called(self, value: Any, kind: Any) -> set[Origin]:
        function = self._typemap[value.func.name]
        key = getattr(function, "typing_key", None)
        module = getattr(key, "__module__", None) or ""
        if key in _PLAIN or module == "math" or (key is round and len(value.args) == 1):
            return {(_PYTHON, kind)}
        if key in (min, max):
            return set().union(*(self._of(v.name) for v in value.args))
        if key in (abs, round):
            return self._joined(value.args[:1], kind, key)
        if isinstance(key, numpy.ufunc) or isinstance(function, types.NumberClass):
            return {(_NUMPY, kind)}
        if module.startswith("numpy") or isinstance(function, types.BoundFunction):
            return {(frozenset({str(key)}), kind)}
        return {(_PYTHON, kind), (_NUMPY, kind)}

    def _joined(self, operands: list[Any], kind: Any, fn: Any) -> set[Origin]:
        """The origins of what an operator gives."""
        found: set[Origin] = set()
        for origins in itertools.product(*(self._of(v.name) for v in operands)):
            joined = frozenset().union(*(origin for origin, _ in origins))
            are_integers = all(isinstance(k, types.Integer) for _, k in origins)
            is_widened = isinstance(kind, types.Float) and are_integers and fn not in _DIVIDING
            found.add((_NUMPY if joined >= _NUMPY else joined, types.int64 if is_widened else kind))
        return found
