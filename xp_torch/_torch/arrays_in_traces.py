"""Which of Dynamo's variables, and which functions, have an array of ours."""

from __future__ import annotations

from types import ModuleType
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


def is_array(variable: Any) -> bool:
    """Whether one of Dynamo's variables stands for an array of ours."""
    return issubclass(kind_of(variable), TensorBox)


def in_sight(frame: Any) -> bool:
    """Whether a function has an array, or a module, of ours among its names."""
    return any(isinstance(value, TensorBox) for value in frame.f_locals.values()) or any(
        isinstance(value := frame.f_globals.get(name), ModuleType) and is_ours(value.__name__)
        for name in frame.f_code.co_names
    )


def is_of_ours(tx: Any) -> bool:
    """Whether a trace is of a function with an array, or a module, of ours in sight."""
    frames = tx, dynamo.root_of_trace(tx)
    return any(is_ours(f.f_globals.get("__name__")) or in_sight(f) for f in frames)
