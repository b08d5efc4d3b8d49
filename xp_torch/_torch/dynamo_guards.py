"""Let traces do without guards on what never changes in our own packages.

Dynamo guards all that a trace reads: each function, class, table and constant that our functions
look up on their way to torch, fifty for each function that a program calls. It checks them in each
call, and they are far apart in memory. It guards nothing in Python's own modules, which nobody
changes. The rule here is for our packages: what our functions read, or are made of, is guarded only
if it may change, and then once. A program that puts another function in the place of one of ours is
seen where it calls it by name.

Imported when Dynamo is imported. The rule is a ``patch`` (``patches`` says what that promises).
"""

from __future__ import annotations

import types
from types import FunctionType, ModuleType
from typing import Any

import torch

from .._core.context import state_of_tables
from . import dynamo
from .arrays_in_traces import in_sight
from .patches import PACKAGES, Call, is_ours, patch

_KNOWN = frozenset({*PACKAGES, "torch", "numpy", "builtins", "types", "typing", "collections"})
"""The packages whose functions and classes no program changes."""

_NUMBERS = (type(None), bool, int, float, complex, str, torch.dtype)
_FIXED = (ModuleType, tuple, frozenset, types.CellType, types.CodeType, types.BuiltinFunctionType,
          types.MethodDescriptorType, types.WrapperDescriptorType, types.MemberDescriptorType,
          types.GetSetDescriptorType, property, classmethod, staticmethod)  # fmt: skip
"""What cannot change, except by another object in its place."""


def _place(call: Call) -> tuple[Any, ...] | None:
    """Where the value stands that a guard is about; None if it is not ours."""
    guard = call["guard"]
    check = guard.create_fn
    kind, name = getattr(check, "func", check), guard.name
    builder = dynamo.guard_builder()
    told = {builder.CLOSURE_MATCH, builder.HASATTR}
    if kind not in told and kind is check and "__" not in name and "type(" not in name:
        return None
    values = _values_of_this_trace(name)
    return None if values is None else values.place(guard.originating_source)


@patch(
    "torch._guards:GuardsSet.add",
    takes="self guard",
    concerns=lambda call: _place(call) is not None,
    why="What our functions read, or are made of, is guarded only if it may change.",
    without="A compiled function checks about five times as many guards in each call.",
    until="a public mark for modules that do not change; only the caller of `torch.compile` has "
    "one, `guard_filter_fn`; no public issue",
    gate=False,
)
def guard_what_changes(call: Call) -> None:
    guard, seen = call["guard"], vars(call["self"]).setdefault("_of_arrays", set())
    place, check, builder = _place(call), guard.create_fn, dynamo.guard_builder()
    kind = getattr(check, "func", check)
    if not place:
        values = _values_of_this_trace(guard.name)
        if "tables" not in seen and values is not None:
            seen.add("tables")
            for module, name in state_of_tables:
                state = dynamo.attribute_of(values.import_source(module), name)
                call.proceed(guard=state.make_guard(builder.CONSTANT_MATCH))
    elif (key := (place, kind, repr(getattr(check, "keywords", ())))) not in seen:
        seen.add(key)
        if kind is builder.CLOSURE_MATCH:  # compares the code; np.max and np.min have the same
            guard = guard.originating_source.make_guard(builder.ID_MATCH)
        call.proceed(guard=guard)


def _values_of_this_trace(name: str) -> _Values | None:
    """The values of the trace that adds a guard of this name, if the trace is of our arrays.

    Of other traces nothing is kept: their objects end when the program lets them go.
    """
    tx = dynamo.current_trace()
    if tx is None:
        return None
    space = vars(tx.output)
    if "_values_of_arrays" not in space:
        if not (name.startswith(_READ_BY_US) or in_sight(dynamo.root_of_trace(tx))):
            return None
        space["_values_of_arrays"] = _Values(tx)
    values: _Values = space["_values_of_arrays"]
    return values


class _Values:
    """The values at Dynamo's sources in one trace, and which of them our packages own."""

    def __init__(self, tx: Any) -> None:
        root = tx.output.root_tx
        self.import_source = root.import_source
        self.scope = {"G": root.f_globals, "L": root.f_locals, "torch": torch}
        self.values: dict[Any, Any] = {}

    def place(self, source: Any) -> tuple[Any, ...] | None:
        """Where a value stands: empty if it never changes, None if it is not ours.

        Two sources of one value have equal places.
        """
        chain = [source]
        while (base := getattr(chain[-1], "base", None)) is not None:
            chain.append(base)
        inside, owner, value = False, None, None
        for link in reversed(chain):
            owner = value
            try:
                value = link.get_value(self.scope, {}, self.values)
            except Exception:  # Dynamo has sources whose expression has no value here
                if link is not source:
                    return None
                value = None  # an attribute that is missing, whose absence is guarded
            if inside:
                if not _is_fixed(owner, link, value):
                    return (id(owner), source.name[len(link.base.name) :])
            elif isinstance(value, FunctionType | type):
                inside = is_ours(value.__module__) and link is not source
            elif isinstance(value, ModuleType):
                inside = link.name.startswith(_READ_BY_US)
        if inside:
            return ()
        kinds = [v if isinstance(v, FunctionType | type) else type(v) for v in (value, owner)]
        return (source.name,) if any(is_ours(kind.__module__) for kind in kinds) else None


_READ_BY_US = tuple(f"G['__import_{package}" for package in PACKAGES)
"""How Dynamo names a module whose function it follows."""


def _is_fixed(owner: object, link: object, value: object) -> bool:
    """Whether a value inside our packages never changes: neither it nor what stands there."""
    if isinstance(value, FunctionType | type):
        package = str(value.__module__).partition(".")[0]
        return package in _KNOWN or package.startswith("namedtuple_")
    if isinstance(owner, ModuleType) and not isinstance(value, ModuleType):
        name = getattr(link, "member", "")
        if is_ours(owner.__name__):
            return name.isupper() or isinstance(value, types.BuiltinFunctionType)
        return isinstance(value, (*_FIXED, *_NUMBERS))
    if isinstance(value, dict):
        return isinstance(owner, type) or all(map(_is_dtypes, value))
    return isinstance(value, (*_FIXED, *_NUMBERS))


def _is_dtypes(key: object) -> bool:
    """Whether a key is one of a table by dtype."""
    return isinstance(key, torch.dtype) or (isinstance(key, tuple) and all(map(_is_dtypes, key)))
