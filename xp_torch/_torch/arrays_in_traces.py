"""Which of Dynamo's variables, and which functions, have an array of ours."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any

from .._core.box import TensorBox
from . import dynamo
from .patches import is_ours


def kind_of(variable: Any) -> type:
    """The class of the object that one of Dynamo's variables stands for, if it is an object.

    A variable that Dynamo has not looked at yet stays so: looking adds guards.
    """
    if not variable.is_realized():
        kind: type = variable.peek_type()
        return kind
    return getattr(variable, "value_type", object)


def is_array(variable: object) -> bool:
    """Whether one of Dynamo's variables stands for an array of ours."""
    return issubclass(kind_of(variable), TensorBox)


def in_sight(frame: Any) -> bool:
    """Whether a function has an array, or a module, of ours among its arguments and names."""
    code, values = frame.f_code, frame.f_locals
    variable = [
        values.get(name)
        for name in code.co_varnames[code.co_argcount + code.co_kwonlyargcount :][:2]
        if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    ]
    found = [x for x in variable if isinstance(x, tuple)] + [
        tuple(x.values()) for x in variable if isinstance(x, dict)
    ]
    if any(isinstance(x, TensorBox) for many in (values.values(), *found) for x in many):
        return True
    called = values.get("fn") if frame.f_globals.get("__name__") == _WRAPPERS else None
    return _names_ours(code, frame.f_globals) or (
        isinstance(called, FunctionType) and _names_ours(called.__code__, called.__globals__)
    )


_WRAPPERS = "torch._dynamo.external_utils"
"""The module of the functions in which Dynamo calls a program's function ``fn``."""


def _names_ours(code: CodeType, space: Mapping[str, object]) -> bool:
    """Whether a function names a module of ours."""
    return any(
        isinstance(value := space.get(name), ModuleType) and is_ours(value.__name__)
        for name in code.co_names
    )


def is_of_ours(tx: Any) -> bool:
    """Whether a trace is of a function with an array, or a module, of ours in sight."""
    frames = tx, dynamo.root_of_trace(tx)
    return any(is_ours(f.f_globals.get("__name__")) or in_sight(f) for f in frames)
