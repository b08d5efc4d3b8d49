"""What a trace needs to be told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])


def constant(function: F) -> F:
    """Let Dynamo call ``function`` while it traces and take the result as a constant.

    For functions of constants that ask NumPy. This is ``torch.compiler.assume_constant_result``
    without its import of all of Dynamo, which takes two seconds.
    """
    function._dynamo_marked_constant = True  # type: ignore[attr-defined]
    return function
