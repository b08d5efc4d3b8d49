"""Operands of other classes in a ufunc: ``__array_ufunc__`` and ``__array_wrap__``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy

from .._array.ndarray import ARRAYS, AnyArray
from .._base.promotion import PYTHON_NUMBERS
from .._convert.arguments import as_array
from .call import defers

_R = TypeVar("_R")  # what the override returns: the caller knows
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


def call_override(
    ours: Any, method: str, args: tuple[Any, ...], outs: tuple[Any, ...], options: Mapping[str, Any]
) -> _R:  # type: ignore[type-var]
    """Call the ``__array_ufunc__`` of the first operand that has one, with the ufunc it knows."""
    keywords = {"signature" if k == "sig" else k: v for k, v in options.items()}
    if any(o is not None for o in outs):
        if method == "__call__" and len(outs) != ours.nout:
            raise ValueError(
                f"{ours.__name__}: the 'out' tuple must have exactly one entry per ufunc output"
            )
        keywords["out"] = outs
    foreign = _subclasses_first([x for x in (*args, *outs) if defers(x)])
    for x in foreign:
        if type(x).__array_ufunc__ is None:
            raise TypeError(
                f"operand {type(x).__name__!r} does not support ufuncs (__array_ufunc__=None)"
            )
    theirs = ours._numpys if isinstance(ours._numpys, numpy.ufunc) else ours
    for x in foreign:
        ufunc = ours if knows_ours(type(x)) else theirs
        result: _R = type(x).__array_ufunc__(x, ufunc, method, *args, **keywords)
        if result is not NotImplemented:
            return result
    given = ", ".join(
        [repr(ours), repr(method), *map(repr, args)] + [f"{k}={v!r}" for k, v in keywords.items()]
    )
    types = ", ".join(repr(type(x).__name__) for x in (*args, *outs))
    raise TypeError(
        f"operand type(s) all returned NotImplemented from __array_ufunc__({given}): {types}"
    )


def _subclasses_first(xs: list[object]) -> list[Any]:
    """Objects in the order in which NEP 13 asks them: from the left, subclasses before bases."""
    ordered: list[Any] = []
    for x in xs:
        kinds = [type(y) for y in ordered]
        at = next((i for i, k in enumerate(kinds) if type(x) is not k and issubclass(type(x), k)),
                  len(kinds))  # fmt: skip
        ordered.insert(at, x)
    return ordered
