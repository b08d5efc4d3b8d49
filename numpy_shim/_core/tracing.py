"""What a trace needs to be told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy


class _Absent(type):
    def __repr__(cls) -> str:
        return "<no value>"

    def __eq__(cls, other: object) -> bool:
        return other is cls or other is numpy._NoValue

    def __hash__(cls) -> int:
        return hash(numpy._NoValue)


class _NoValue(metaclass=_Absent):
    """Stands in signatures for ``numpy._NoValue``, and reads like it.

    A class, because Dynamo follows one as the default of a method of an array that is made in
    the trace; of an instance it asks where it comes from.
    """


F = TypeVar("F", bound=Callable[..., object])


def constant(function: F) -> F:
    """Let Dynamo call ``function`` while it traces and take the result as a constant.

    For functions of constants that ask NumPy. This is ``torch.compiler.assume_constant_result``
    without its import of all of Dynamo, which takes two seconds.
    """
    function._dynamo_marked_constant = True  # type: ignore[attr-defined]
    return function
