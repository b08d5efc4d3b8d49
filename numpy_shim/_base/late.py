"""Chapters that are loaded when they are first used, and what waits for them."""

from __future__ import annotations

import sys
from collections.abc import Callable

from xp_torch._torch.patches import mark_functions

LATE = frozenset({"fft", "polynomial", "random", "special", "testing"})
"""Modules of the package that the first use of their name loads."""

_waiting: dict[str, list[Callable[[], object]]] = {}


def when_loaded(module: str, function: Callable[[], object]) -> None:
    """Call a function as soon as a module of this full name is loaded, which may be now."""
    if module in sys.modules:
        function()
    else:
        _waiting.setdefault(module, []).append(function)


def loaded(module: str) -> None:
    """The last line of a late module: call what waits for it."""
    for function in _waiting.pop(module, ()):
        function()
    mark_functions()
