"""Copies of a program's functions in which NumPy is ``numpy_shim``.

A copy has the code of the original and globals of its own, in which NumPy's modules, functions,
classes and arrays are replaced by ours, and the program's functions by their copies. Before each
call the globals that the copies read are compared with the program's, so that they follow it.
"""

from __future__ import annotations

import dis
import importlib
import threading
from collections.abc import Callable, Iterator
from functools import partial
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy

from .._base.dtypes import TORCH
from .._convert.foreign import is_describable
from .._convert.from_data import asarray
from .._interop.numpys_modules import counterpart, numpys_module
from .program import is_programs

_MISSING = object()
_NOT_COPIED = frozenset(
    {"__new__", "__init__", "__del__", "__eq__", "__hash__", "__getattribute__", "__setattr__"}
)
"""Methods that a copied class inherits: they decide what an object is."""


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code object, and those of the functions inside it."""
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from _codes(value)


def _our_module(name: str) -> str | None:
    """The name of our module for one of NumPy's, if there is one to import."""
    own = name.replace("numpy", "numpy_shim", 1)
    try:
        importlib.import_module(own)
    except ImportError:
        return None
    return own


def fresh(code: CodeType) -> CodeType:
    """A copy of a code object, in which ``import numpy`` imports ``numpy_shim``.

    The copy is another object, since torch keeps what it has compiled with the code object and
    checks it against the globals of the function that it was compiled for.
    """
    names, text = list(code.co_names), bytearray(code.co_code)
    for instruction in dis.get_instructions(code):
        name = instruction.argval
        if instruction.opname == "IMPORT_NAME" and (name == "numpy" or name.startswith("numpy.")):
            own = _our_module(name)
            # A larger number would need another instruction. Such a function has 256 names.
            if own is not None and len(names) < 256:
                text[instruction.offset + 1] = len(names)
                names.append(own)
    constants = tuple(fresh(v) if isinstance(v, CodeType) else v for v in code.co_consts)
    return code.replace(co_consts=constants, co_names=tuple(names), co_code=bytes(text))


class _Module(ModuleType):
    """A copy of a module of the program.

    Its globals have no ``__name__``, unless a function reads it: Dynamo would look up what a
    function reads in the module of that name, where NumPy's functions are.
    """

    __name__ = "a copy of a module"


class _Names:
    """The globals of one module of the program, and their copy."""

    def __init__(self, original: dict[str, object]) -> None:
        self.original = original
        # A module, so that code that reaches the names as attributes finds the same copy.
        self.module = _Module(str(original.get("__name__", "__main__")))
        self.copy = vars(self.module)
        self.copy.clear()
        for name in ("__file__", "__package__", "__spec__", "__loader__", "__builtins__"):
            if name in original:
                self.copy[name] = original[name]
        self.seen: dict[str, object] = {}
        self.written: set[str] = set()


class Translation:
    """Makes the copies, and keeps their globals like the program's.

    ``special`` may give the copy of a value, or ``None`` for the usual one. Where a function closes
    over such a value that is no function, module or array of NumPy's, ``replaces`` says so.
    """

    def __init__(
        self,
        special: Callable[[object], object | None],
        replaces: Callable[[object], bool] = lambda value: False,
    ) -> None:
        self._special = special
        self._replaces = replaces
        self._copies: dict[int, tuple[object, Any]] = {}
        self._names: dict[int, _Names] = {}
        self._cells: list[tuple[CellType, CellType, object]] = []
        self._bound: list[tuple[Callable[..., object], str, object]] = []
        """How to read each global that a copy reads, and what it was; empty if there are others."""
        self._classes: dict[type, type | None] = {}
        self.originals: dict[type, type] = {}  # of the copied classes
        self.writes = False
        """Whether a function binds globals."""
        self._lock = threading.RLock()

    def function(self, function: FunctionType) -> FunctionType:
        """The copy of a function of the program."""
        with self._lock:
            found = self._copies.get(id(function))
            return self._copied(function) if found is None else found[1]

    def _copied(self, function: FunctionType) -> FunctionType:
        names = self._names_of(function.__globals__)
        cells, open_cells = [], []
        for cell in function.__closure__ or ():
            found = self._copies.get(id(cell))
            if found is None and self._is_replaced(_contents(cell)):
                found = self._copies[id(cell)] = cell, CellType()
                open_cells.append(cell)
            cells.append(cell if found is None else found[1])
        copy = FunctionType(
            fresh(function.__code__), names.copy, function.__name__, None, tuple(cells)
        )
        self._copies[id(function)] = function, copy  # before what it refers to, maybe itself
        copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
        copy.__doc__, copy.__annotations__ = function.__doc__, function.__annotations__
        if function.__defaults__ is not None:
            copy.__defaults__ = tuple(self.value(v) for v in function.__defaults__)
        if function.__kwdefaults__ is not None:
            copy.__kwdefaults__ = {k: self.value(v) for k, v in function.__kwdefaults__.items()}
        vars(copy).update((k, v) for k, v in vars(function).items() if k != "__wrapped__")
        for cell in open_cells:
            contents = _contents(cell)
            self._copies[id(cell)][1].cell_contents = self.value(contents)
            self._cells.append((cell, self._copies[id(cell)][1], contents))
        self._watch(names, function.__code__)
        return copy

    def _names_of(self, original: dict[str, object]) -> _Names:
        return self._names.setdefault(id(original), _Names(original))

    def _watch(self, names: _Names, code: CodeType) -> None:
        """Let the copied globals have what a function reads, now and later."""
        self._bound = []
        read = {name for inner in _codes(code) for name in inner.co_names}
        for inner in _codes(code):
            for instruction in dis.get_instructions(inner):
                if instruction.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
                    names.written.add(instruction.argval)
                    self.writes = True
        for name in read - names.seen.keys():
            names.seen[name] = _MISSING
            self._update(names, name)
        # Attributes of the program's modules have names that the function mentions.
        for name in read:
            value = names.original.get(name)
            if isinstance(value, ModuleType) and self._is_programs_module(value):
                self._watch_module(value, read)

    def _watch_module(self, module: ModuleType, read: set[str]) -> None:
        names = self._names_of(vars(module))
        for name in read - names.seen.keys():
            names.seen[name] = _MISSING
            self._update(names, name)
            value = names.original.get(name)
            if isinstance(value, ModuleType) and self._is_programs_module(value):
                self._watch_module(value, read)

    def _update(self, names: _Names, name: str) -> None:
        value = names.original.get(name, _MISSING)
        if value is names.seen[name]:
            return
        names.seen[name] = value
        if value is _MISSING:
            names.copy.pop(name, None)
        else:
            names.copy[name] = self.value(value)

    def refresh(self) -> None:
        """Let the copies see what the program has bound since the last call."""
        if self._bound and not self._cells:
            for now, name, seen in self._bound:
                if now(name, _MISSING) is not seen:
                    break
            else:
                return
        with self._lock:
            for names in list(self._names.values()):
                for name in list(names.seen):
                    self._update(names, name)
            self._bound = [
                (names.original.get, name, seen)
                for names in self._names.values()
                for name, seen in names.seen.items()
            ]
            for i, (cell, copy, seen_contents) in enumerate(self._cells):
                contents = _contents(cell)
                if contents is not seen_contents:
                    copy.cell_contents = self.value(contents)
                    self._cells[i] = cell, copy, contents

    def write_back(self, give: Callable[[Any], Any]) -> None:
        """Give the program the globals that its functions have bound; ``give`` converts them."""
        with self._lock:
            for names in list(self._names.values()):
                for name in names.written:
                    value = names.copy.get(name, _MISSING)
                    seen = names.seen[name]
                    if value is _MISSING:
                        names.original.pop(name, None)
                        names.seen[name] = _MISSING
                    elif seen is _MISSING or value is not self.value(seen):
                        names.seen[name] = names.original[name] = give(value)
                        self._copies[id(names.seen[name])] = names.seen[name], value

    def is_the_same(self) -> bool:
        """Whether the copies run as the functions do: they refer to nothing of NumPy's."""
        return not any(
            self._is_replaced(value) and not self._is_copied(value) for _, value in self.named()
        )

    def _is_copied(self, value: object) -> bool:
        """Whether a value is a function or a module of the program."""
        if isinstance(value, FunctionType):
            return is_programs(value.__code__.co_filename)
        return isinstance(value, ModuleType) and self._is_programs_module(value)

    def named(self) -> Iterator[tuple[str, object]]:
        """The values that the program's functions refer to: closed over, defaults and globals."""
        for original, _ in list(self._copies.values()):
            if isinstance(original, FunctionType):
                code, defaults = original.__code__, original.__defaults__ or ()
                cells = original.__closure__ or ()
                yield from zip(code.co_freevars, map(_contents, cells), strict=True)
                last = code.co_argcount
                positional = code.co_varnames[last - len(defaults) : last]
                yield from zip(positional, defaults, strict=True)
                yield from (original.__kwdefaults__ or {}).items()
        for names in list(self._names.values()):
            yield from names.seen.items()

    # --- values ---

    def _is_programs_module(self, module: ModuleType) -> bool:
        file = getattr(module, "__file__", None)
        return isinstance(file, str) and is_programs(file)

    def _is_replaced(self, value: object) -> bool:
        """Whether `value` gives another object; asked before the copies are made."""
        if isinstance(value, ModuleType):
            name = value.__name__
            return name == "numpy" or name.startswith("numpy.") or self._is_programs_module(value)
        if isinstance(value, FunctionType):
            return is_programs(value.__code__.co_filename) or counterpart(value) is not None
        if type(value) is numpy.ndarray:
            return value.dtype in TORCH
        if self._replaces(value):
            return True
        return (
            isinstance(value, (numpy.ufunc, partial, type, BuiltinFunctionType))
            and self._replacement(value) is not value
        )

    def value(self, value: object) -> Any:
        """What stands for a value of the program in the copies: often the value itself."""
        found = self._copies.get(id(value))
        if found is not None and found[0] is value:
            return found[1]
        made = self._replacement(value)
        if made is not value:
            self._copies[id(value)] = value, made
        return made

    def _replacement(self, value: object) -> Any:
        special = self._special(value)
        if special is not None:
            return special
        if isinstance(value, ModuleType):
            name = value.__name__
            if name == "numpy" or name.startswith("numpy."):
                own = _our_module(name)
                return numpys_module(name) if own is None else importlib.import_module(own)
            return self._names_of(vars(value)).module if self._is_programs_module(value) else value
        if type(value) is numpy.ndarray:
            return asarray(value) if value.dtype in TORCH and is_describable(value) else value
        if type(value) is partial:
            arguments = [self.value(v) for v in value.args]
            return partial(
                self.value(value.func),
                *arguments,
                **{k: self.value(v) for k, v in value.keywords.items()},
            )
        if isinstance(value, BuiltinFunctionType) and isinstance(value.__self__, numpy.ufunc):
            return getattr(counterpart(value.__self__) or value.__self__, value.__name__)
        if callable(value):
            ours = counterpart(value)
            if ours is not None:
                return ours
            if isinstance(value, FunctionType) and is_programs(value.__code__.co_filename):
                return self.function(value)
        return value

    # --- classes ---

    def subclass(self, kind: type) -> type | None:
        """A subclass of a class of the program whose methods are copies; ``None`` if impossible."""
        if kind not in self._classes:
            with self._lock:
                made = self._classes[kind] = self._subclass(kind)
                if made is not None:
                    self.originals[made] = kind
        return self._classes[kind]

    def _subclass(self, kind: type) -> type | None:
        bases = kind.__mro__[:-1]
        members: dict[str, Any] = {}
        for base in reversed(bases):
            file = getattr(importlib.import_module(base.__module__), "__file__", None)
            if (file is not None and not is_programs(file)) or type(base) is not type:
                return None
            if "__slots__" in vars(base) or "__init_subclass__" in vars(base):
                return None
            for name, value in vars(base).items():
                if name not in _NOT_COPIED:
                    members.pop(name, None)
                    copied = self._member(value)
                    if copied is not None:
                        members[name] = copied
        if not members:
            return None
        members |= {"__module__": kind.__module__, "__qualname__": kind.__qualname__}
        return type(kind.__name__, (kind,), members | {"__doc__": kind.__doc__})

    def _member(self, value: object) -> Any:
        """The copy of a method or property of a class; None for what a subclass inherits."""
        if isinstance(value, FunctionType):
            return self.value(value)
        if isinstance(value, (staticmethod, classmethod)) and isinstance(
            value.__func__, FunctionType
        ):
            return type(value)(self.value(value.__func__))
        if type(value) is property:
            return property(*(self.value(f) for f in (value.fget, value.fset, value.fdel)))
        return None


def _contents(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # not bound yet
        return _MISSING
