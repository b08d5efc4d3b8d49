"""Helpers that let Dynamo trace NumPy's signatures and queries."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING, Any

import numpy
from torch.compiler import is_dynamo_compiling

from xp_torch._torch.internals import constant as constant


class _Absent(type):
    def __repr__(cls) -> str:
        return "<no value>"

    def __eq__(cls, other: object) -> bool:
        return other is cls or other is numpy._NoValue

    def __hash__(cls) -> int:
        return hash(numpy._NoValue)


if TYPE_CHECKING:
    _NoValue: Any  # the default of parameters of any type
else:

    class _NoValue(metaclass=_Absent):
        """Stands in signatures for ``numpy._NoValue``, and reads like it.

        It is a class because Dynamo can trace a class as a parameter's default, for an array that
        is made in the trace. For an instance, Dynamo would need a source.
        """


@constant
def _warn_of_trace(message: str, category: type[Warning]) -> bool:
    warnings.warn(message, category, stacklevel=1)
    return True


def caller() -> int:
    """The ``stacklevel`` of the first caller outside of this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith(
        ("numpy_shim.", "xp_torch.")
    ):
        level, frame = level + 1, frame.f_back
    return level


def warn(message: str, category: type[Warning]) -> None:
    """``warnings.warn``, which would break a graph: a function that is traced warns that once."""
    if is_dynamo_compiling():
        _warn_of_trace(message, category)
    else:
        warnings.warn(message, category, stacklevel=caller())
