"""Objects of SciPy's for the program: splines, distributions, trees, sparse arrays, ufuncs.

An object of ours holds SciPy's. Its methods take and return arrays of ours, and its attributes are
ours when they are read. For each class of SciPy's there is one class of ours, made when it is first
needed: to call it makes SciPy's object, and ``isinstance`` and ``issubclass`` answer for SciPy's
class. SciPy and libraries that import it get SciPy's answers, attributes and results from our
objects (``_standing.is_librarys``). A class that a program derives is a class of SciPy's whose
methods are called with arrays of ours.
"""

from __future__ import annotations

import copy
import inspect
from abc import ABCMeta
from collections.abc import Iterator
from enum import Enum
from functools import cache, partial, update_wrapper, wraps
from importlib import import_module
from types import FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy
import torch

from xp_torch._torch.patches import DYNAMO

from .._array.asking import is_at_attribute
from .._host import copies
from . import _values
from ._bridge import bridged, refuse
from ._standing import Held, asking, is_librarys, scipys_class
from ._values import PLAIN, Call, HostCall, ResultCall, to_program, to_scipy

# --- classes ---


class Kind(ABCMeta):
    """The class of a class that stands for one of SciPy's, ``_scipys_class``."""

    _scipys_class: type

    def __new__(mcs, name: str, bases: Any, names: dict[str, Any], **options: Any) -> Any:
        if Held in bases:
            return super().__new__(mcs, name, bases, names)
        # A class statement of the program: its class derives from SciPy's.
        real = tuple(scipys_class(base) for base in bases)
        kinds: list[Any] = [type(base) for base in real]
        meta = next(m for m in kinds if all(issubclass(m, other) for other in kinds))
        return derived_kind(meta)(name, real, names, **options)

    def __init__(cls, name: str, bases: tuple[type, ...], names: Any, **options: Any) -> None:
        super().__init__(name, bases, names)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if is_librarys(asking(1)):
            return cls._scipys_class(*args, **kwargs)
        return cls._scipys_maker(*args, **kwargs)

    def __instancecheck__(cls, x: Any) -> bool:
        if issubclass(type(x), Held):
            return isinstance(x._scipys, cls._scipys_class)
        stood = getattr(type(x), "_stands_for", None)  # an object of ours that computes on a device
        return isinstance(x, cls._scipys_class) or (
            stood is not None and issubclass(stood, cls._scipys_class)
        )

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(scipys_class(other), cls._scipys_class)

    def __getattr__(cls, name: str) -> Any:
        real = cls.__dict__.get("_scipys_class")
        if real is None or name == "__abstractmethods__":
            raise AttributeError(name)
        return _of_class(cls, real, name)

    def __dir__(cls) -> list[str]:
        return dir(cls._scipys_class)

    def __repr__(cls) -> str:
        return repr(cls._scipys_class)

    def __eq__(cls, other: object) -> bool:
        return cls is other or scipys_class(other) is cls._scipys_class

    def __hash__(cls) -> int:
        return hash(cls._scipys_class)

    @property
    def __signature__(cls) -> inspect.Signature:
        try:
            return inspect.signature(cls._scipys_class)
        except ValueError as error:
            raise AttributeError(str(error)) from None


@cache
def derived_kind(meta: Any) -> Any:
    """The class of a class that a program derives from one of SciPy's, whose class is ``meta``."""
    if "_makes_held" in vars(meta):
        return meta

    class Derived(meta):  # type: ignore[misc]
        _makes_held = True

        def __new__(mcs, name: str, bases: Any, names: dict[str, Any], **options: Any) -> Any:
            real = tuple(scipys_class(base) for base in bases)
            body = {key: _own_method(value) for key, value in names.items()}
            return super().__new__(mcs, name, real, body, **options)

        def __call__(cls, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
            if is_librarys(asking(1)):
                return super().__call__(*args, **kwargs)
            return standing_for(cls)._scipys_maker(*args, **kwargs)

        def __instancecheck__(cls, x: Any) -> bool:  # noqa: N805
            real = x._scipys if issubclass(type(x), Held) else x
            return bool(super().__instancecheck__(real))

    return Derived


def _own_method(value: Any) -> Any:
    """A function of a program's class: SciPy calls it with arrays of ours."""
    if isinstance(value, staticmethod):
        return staticmethod(_own_method(value.__func__))
    if isinstance(value, classmethod):
        return classmethod(_own_method(value.__func__))
    if not isinstance(value, FunctionType):
        return value

    def called(*args: Any, **kwargs: Any) -> Any:
        if not is_librarys(asking(1)):
            return value(*args, **kwargs)
        one = HostCall(value.__qualname__)
        made = value(
            *args[:1],
            *[to_program(v, one) for v in args[1:]],
            **{key: to_program(v, one) for key, v in kwargs.items()},
        )
        return made if type(made) in PLAIN else to_scipy(made, ResultCall(one.name))

    return update_wrapper(called, value)


@cache
def standing_for(real: Any) -> Any:
    """Our class for one of SciPy's; its bases are our classes for the bases of SciPy's."""
    name = _public_name(real)
    short = _short_name(real)
    names: dict[str, Any] = {
        "__slots__": (),
        "__doc__": _Documentation(),
        "__module__": name.rpartition(".")[0],
        "__qualname__": name.rpartition(".")[2],
        "_scipys_class": real,
        "_scipys_maker": staticmethod(_maker(real, short)),
    }
    for key, static in vars(real).items():
        if key.startswith("__"):
            continue
        if isinstance(static, (classmethod, staticmethod)):
            names[key] = _OfClass(key)
        elif inspect.isroutine(static) and callable(static):
            names[key] = bridged(static, f"{short}.{key}", method=True)
    for special in _SPECIAL:
        static = _static(real, special)
        if static is _ABSENT or (static is None and special not in _NONE_MEANS):
            continue
        if special in ("__getitem__", "__setitem__") and static is not None:
            static = _with_own_keys(static)
        full = f"{short}.{special}"
        names[special] = None if static is None else bridged(static, full, method=True)
    if any(key in names for key in ("__add__", "__mul__", "__matmul__", "__radd__", "__rmul__")):
        names["__array_priority__"] = 2000.0  # the operators of arrays leave the call to ours
    if "__iter__" in names:
        names["__iter__"] = _iterating(_static(real, "__iter__"))
    if "__eq__" not in names:
        names["__eq__"] = _same
    if names.get("__hash__", 0) is not None:
        names["__hash__"] = _hash
    bases = [standing_for(base) for base in real.__bases__ if _is_scipys(base)]
    return Kind(real.__name__, (*bases, Held), {**_COMMON, **names})


def _maker(real: Any, short: str) -> Any:
    """What makes an object; a linear operator asks its function for no more than a dtype then."""
    made = bridged(real, short)
    return torch.no_grad()(made) if short == "sparse.linalg.LinearOperator" else made


def _with_own_keys(function: Any) -> Any:
    """A method with index arrays of NumPy's own memory: SciPy makes broadcast keys writable.

    NumPy allows that for arrays on the memory of a tensor in no case.
    """

    def own(key: Any) -> Any:
        if type(key) is tuple:
            return tuple(map(own, key))
        return key.copy() if type(key) is numpy.ndarray and key.base is not None else key

    @wraps(function)
    def indexed(self: Any, key: Any, *value: Any) -> Any:
        return function(self, own(key), *value)

    return indexed


class _OfClass:
    """A class method or static method of SciPy's, bound to the class that it is looked up in."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, cls: Any) -> Any:
        real = scipys_class(cls)
        return bridged(getattr(real, self.name), f"{_short_name(real)}.{self.name}")


class _Documentation:
    """SciPy's documentation of a class, or of its object: ``stats.norm`` has its own."""

    def __get__(self, instance: Any, cls: Any) -> Any:
        return (scipys_class(cls) if instance is None else instance._scipys).__doc__


_ABSENT: Any = object()
_NONE_MEANS = frozenset({"__hash__", "__array_ufunc__", "__iter__"})


def _static(real: type, name: str) -> Any:
    """What a class other than ``object`` has under a special name."""
    for base in real.__mro__[:-1]:
        if name in base.__dict__:
            return base.__dict__[name]
    return _ABSENT


_SPECIAL = [
    f"__{name}__"
    for name in [
        "init",
        "call",
        "len",
        "getitem",
        "setitem",
        "delitem",
        "iter",
        "next",
        "contains",
        "enter",
        "exit",
        "bool",
        "int",
        "float",
        "complex",
        "index",
        "abs",
        "neg",
        "pos",
        "invert",
        "round",
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "hash",
        "array",
        "array_ufunc",
        "reversed",
        "copy",
        "deepcopy",
        "trunc",
        "floor",
        "ceil",
    ]
] + [
    f"__{side}{name}__"
    for name in [
        "add",
        "sub",
        "mul",
        "matmul",
        "truediv",
        "floordiv",
        "mod",
        "divmod",
        "pow",
        "and",
        "or",
        "xor",
        "lshift",
        "rshift",
    ]
    for side in ("", "r", "i")
]


def _public_name(real: type) -> str:
    """The name of our class: that of SciPy's public module that has it, where there is one."""
    module = real.__module__
    if module.partition(".")[0] != "scipy":
        return f"{module}.{real.__qualname__}"
    parts = module.split(".")
    for end in range(len(parts), 0, -1):
        if any(part.startswith("_") for part in parts[1:end]):
            continue
        found = import_module(".".join(parts[:end]))
        if getattr(found, real.__name__, None) is real:
            return ".".join(["numpy_shim", *parts[:end], real.__name__])
    return f"numpy_shim.{module}.{real.__qualname__}"


@cache
def _short_name(real: Any) -> str:
    """A class's name as in ``interpolate.CubicSpline``."""
    return _public_name(real).removeprefix("numpy_shim.scipy.")


# --- their members ---


def _of_class(cls: Any, real: Any, name: str) -> Any:
    """What a class has beside methods."""
    value = getattr(real, name)
    return value if is_librarys(asking(2)) else to_program(value, Call(name, is_read=True))


def _attribute(self: Held, name: str) -> Any:
    """What an object has beside the methods of its class."""
    real = self._scipys
    if name == "__dict__" and _is_dynamos(asking(1)):
        raise AttributeError(name)  # it would guard a dictionary that the object itself lacks
    value = getattr(real, name)
    if type(value) in PLAIN or is_librarys(asking(1)):
        return value
    one = Call(name, self._device, is_read=True)
    one.known[id(real)] = self
    made = to_program(value, one)
    return copies.keep_copy(self._scipys_copies, name, f"scipy.{name}", made, value)


def _is_dynamos(frame: Any) -> bool:
    return frame is not None and str(frame.f_globals.get("__name__")).startswith(DYNAMO)


def _set_attribute(self: Held, name: str, value: Any) -> None:
    refuse(type(self._scipys), name, [value])
    setattr(self._scipys, name, to_scipy(value, HostCall(name)))


def _delete_attribute(self: Held, name: str) -> None:
    delattr(self._scipys, name)


def _iterating(function: Any) -> Any:
    """``__iter__`` of a class: its items are ours."""

    @wraps(function)
    def iterate(self: Held) -> Iterator[Any]:
        values: Iterator[Any] = iter(self._scipys)
        if is_librarys(asking(1)):
            return values
        one = Call("iteration", self._device, is_read=True)
        return (to_program(value, one) for value in values)

    return iterate


def _same(self: Held, other: Any) -> Any:
    return self._scipys is (other._scipys if issubclass(type(other), Held) else other)


def _hash(self: Held) -> int:
    return hash(self._scipys)


def _class_of(self: Held) -> type:
    """SciPy's class for ``isinstance`` and for libraries; ours for a program that reads it."""
    frame = asking(1)
    is_own = not is_librarys(frame) and is_at_attribute(frame)
    return type(self) if is_own else type(self._scipys)


def _repr(self: Held) -> str:
    return repr(self._scipys)


def _text(self: Held) -> str:
    return str(self._scipys)


def _format(self: Held, spec: str) -> str:
    return format(self._scipys, spec)


def _names(self: Held) -> list[str]:
    return dir(self._scipys)


def _reduce(self: Held, protocol: Any) -> Any:
    return restored, (self._scipys, self._device)


def _copy(self: Held) -> Any:
    return restored(copy.copy(self._scipys), self._device)


def _deepcopy(self: Held, memo: Any) -> Any:
    return restored(copy.deepcopy(self._scipys, memo), self._device)


def _new(cls: Any, *args: Any, **kwargs: Any) -> Any:
    """Dynamo passes over ``Kind.__call__``: here the graph ends, and the call is made again."""
    return cls._scipys_maker(*args, **kwargs)


_COMMON: dict[str, Any] = {
    "__new__": _new,
    "__getattr__": _attribute,
    "__setattr__": _set_attribute,
    "__delattr__": _delete_attribute,
    "__class__": property(_class_of),
    "__repr__": _repr,
    "__str__": _text,
    "__format__": _format,
    "__dir__": _names,
    "__reduce_ex__": _reduce,
    "__copy__": _copy,
    "__deepcopy__": _deepcopy,
}

# --- objects ---


def restored(real: Any, device: torch.device | None) -> Any:
    """Our object for one of SciPy's: the same one as long as the program holds it."""
    found = _held.get(id(real))
    if found is not None and found._scipys is real:
        return found
    kind: Any = type(real)
    out = object.__new__(standing_for(kind))
    object.__setattr__(out, "_scipys_object", real)
    object.__setattr__(out, "_scipys_copies", {})
    object.__setattr__(out, "_device", device)
    _held[id(real)] = out
    return out


_held: WeakValueDictionary[int, Held] = WeakValueDictionary()
"""Our objects, by the ``id`` of SciPy's."""


_ROUTINES: tuple[Any, ...] = (FunctionType, MethodType, type(len), type([].append), partial)


def present(x: Any, device: torch.device | None, name: str = "") -> Any:
    """SciPy's object, class or function for the program; what is not SciPy's is as it is."""
    kind: Any = type(x)
    if _is_held(kind):
        return restored(x, device)
    if isinstance(x, type):
        cls: Any = x
        return standing_for(cls) if _is_scipys(x) and not _stays(x) else x
    if kind.__name__ in _FUNCTION_KINDS or isinstance(x, _ROUTINES):
        return (
            bridged(x, name or getattr(x, "__qualname__", kind.__name__))
            if _is_scipys(x.func if kind is partial else x, kind)
            else x
        )
    return Ufunc(x, name) if name and isinstance(x, numpy.ufunc) else x


@cache
def _is_held(kind: Any) -> bool:
    """Whether the program gets an object of ours for one of this class."""
    return not (
        issubclass(kind, (type, ModuleType, numpy.ufunc, *_ROUTINES))
        or kind.__name__ in _FUNCTION_KINDS
        or _stays(kind)
    ) and _is_scipys(kind)


_FUNCTION_KINDS = frozenset(
    {"cython_function_or_method", "builtin_function_or_method"}
    | {"_Function", "_lru_cache_wrapper", "fortran", "MultiUFunc", "_ArrayFunctionDispatcher"}
)
"""Kinds of functions that are no functions of Python's."""

_LEFT = (BaseException, Enum, tuple, numpy.ndarray, numpy.generic)


def _stays(kind: type) -> bool:
    """Whether objects of one of SciPy's classes stay as they are: their values become ours."""
    return issubclass(kind, _LEFT) or _values.is_dictionary(kind)


_WITHOUT_MODULE = frozenset({"SuperLU", "fortran"})
"""The names of compiled classes that do not say whose they are."""


def _is_scipys(x: Any, kind: Any = None) -> bool:
    """Whether an object, or its class, is SciPy's, or derived from SciPy's by the program."""
    if isinstance(x, type):
        return x.__name__ in _WITHOUT_MODULE or any(
            base.__module__.partition(".")[0] == "scipy" for base in x.__mro__
        )
    if kind is not None and kind.__name__ in _WITHOUT_MODULE:
        return True
    owner = getattr(x, "__self__", None)
    if owner is not None and not isinstance(owner, ModuleType):
        return _is_scipys(owner if isinstance(owner, type) else type(owner))
    return str(getattr(x, "__module__", "")).partition(".")[0] == "scipy"


class Ufunc(Held):
    # A ufunc of SciPy's: its call and its methods take and return arrays of ours. The slot for the
    # documentation of each leaves no place for that of the class.
    __slots__ = ("__dict__", "__doc__", "_call", "_name")

    def __init__(self, real: numpy.ufunc, name: str) -> None:
        self._scipys_object, self._device, self._scipys_copies, self._name = real, None, {}, name
        self.__doc__ = real.__doc__
        self._call = bridged(real, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._scipys, name)
        return bridged(value, f"{self._name}.{name}") if inspect.isbuiltin(value) else value

    def __repr__(self) -> str:
        return repr(self._scipys)

    def __reduce__(self) -> Any:
        return named, (self._name,)

    def __dir__(self) -> list[str]:
        return dir(self._scipys)

    if not TYPE_CHECKING:

        @property
        def __class__(self) -> Any:
            return numpy.ufunc

    @property
    def __wrapped__(self) -> Any:
        return self._scipys

    __eq__ = _same
    __hash__ = _hash


def named(name: str) -> Any:
    """The object of a public name of SciPy's, as ``special.erf``."""
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(f"numpy_shim.scipy.{module}"), attribute)


_values.present = present
