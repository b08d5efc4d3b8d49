"""Operands of other classes in a ufunc: ``__array_ufunc__`` for methods, ``__array_wrap__``."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from .._array.ndarray import ARRAYS, AnyArray
from .._base.promotion import PYTHON_NUMBERS
from .._convert.arguments import as_array
from .call import defers

_KNOWN = (*ARRAYS, list, tuple)


def as_tuple(out: object) -> tuple[Any, ...]:
    """``out=`` in the form that ``__array_ufunc__`` receives."""
    return () if out is None else out if isinstance(out, tuple) else (out,)


def given_of(**options: tuple[object, object]) -> dict[str, Any]:
    """The options that differ from their defaults."""
    return {name: value for name, (value, default) in options.items() if value is not default}


def defers_any(*operands: object) -> bool:
    """Whether any operand or output has a class that overrides ufuncs."""
    for x in operands:
        if x is None or isinstance(x, AnyArray):
            continue
        if any(map(defers, x)) if isinstance(x, tuple) else defers(x):
            return True
    return False


_knowing: WeakKeyDictionary[type, bool] = WeakKeyDictionary()


def knows_ours(kind: type) -> bool:
    """Whether the ``__array_ufunc__`` of a class was written for this namespace, and not NumPy's.

    It compares the ufunc that it receives with those of the module that it has imported:
    ours under the launcher, NumPy's in a library. A module that has both knows NumPy's.
    """
    known = _knowing.get(kind)
    if known is None:
        names = getattr(kind.__array_ufunc__, "__globals__", {})  # type: ignore[attr-defined]
        modules = {_package(value) for value in names.values()}
        known = _knowing[kind] = "numpy_shim" in modules and "numpy" not in modules
    return known


def _package(value: object) -> str:
    """The package of a module, or of a function or class that was imported from one."""
    if isinstance(value, ModuleType):
        return value.__name__.partition(".")[0]
    module = getattr(value, "__module__", None)
    return module.partition(".")[0] if isinstance(module, str) else ""


def wrapper_of(args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """The ``__array_wrap__`` of the operand with the highest priority; the first of equals."""
    chosen, highest = None, 0.0
    for x in args:
        if type(x) in PYTHON_NUMBERS or isinstance(x, _KNOWN):
            continue
        if hasattr(type(x), "__array_wrap__"):
            priority = getattr(x, "__array_priority__", 0.0)
            if chosen is None or priority > highest:
                chosen, highest = x, priority
    return None if chosen is None else chosen.__array_wrap__


def wrapped(wrap: Callable[..., Any], results: object, context: tuple[Any, ...] | None) -> Any:
    """Results passed through ``wrap``, with the ufunc, its operands and the result's number."""
    if isinstance(results, tuple):
        return tuple([_one(wrap, r, context, i) for i, r in enumerate(results)])
    return _one(wrap, results, context, 0)


def _one(wrap: Callable[..., Any], result: Any, context: tuple[Any, ...] | None, i: int) -> Any:
    array = as_array("__array_wrap__", result)
    return wrap(array[...], None if context is None else (*context, i), not array.ndim)
