"""Puts rules around functions of libraries, in a launched program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from xp_torch._torch.patches import when_imported

Rule = Callable[[Callable[..., Any]], Any]
"""What makes the function that takes the place of a library's."""


def replace(owner: Any, name: str, rule: Rule) -> None:
    """Put a rule around a function; a release that has none of this name stays as it is."""
    theirs = getattr(owner, name, None)
    if callable(theirs):
        setattr(owner, name, rule(theirs))


def replace_in(modules: Mapping[str, Sequence[str]], rule: Rule) -> None:
    """Put a rule around functions, and methods of classes, of each module when it is imported."""

    def change(module: ModuleType) -> None:
        for dotted in modules[module.__name__]:
            owner, _, name = dotted.rpartition(".")
            replace(getattr(module, owner, None) if owner else module, name, rule)

    for module in modules:
        when_imported(module, change)
