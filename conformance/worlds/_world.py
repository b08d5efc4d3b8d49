"""What a world is, and the error of a function that does not run in it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from ._frames import TestCode

Check = Callable[..., Any]
"""`check(function, args, kwargs, xp, **options)` calls a function as its world requires."""


class Unportable(AssertionError):  # noqa: N818
    """A function ran in a world, and what it returned or raised is not what it must be."""

    def __init__(self, text: str, function: Callable[..., Any]) -> None:
        super().__init__(text)
        self.function = function


@dataclass(frozen=True)
class World:
    """One description: a namespace that forbids or changes something.

    Attributes
    ----------
    name : str
        The name that options and marks use.
    sentence : str
        What it is.
    remedy : str
        What to write in place of what it refuses.
    make : callable
        Takes a `TestCode`, returns a context manager that gives the namespace. It sets up what the
        world needs, such as flags and a default device, and undoes it.
    check : callable, optional
        How the world calls a function under test; by default with its arguments, once.
    needs : str
        The package that the namespace comes from, where it is not ours.
    needs_function : bool
        Whether it can refuse nothing but through `portable(function)`.
    """

    name: str
    sentence: str
    remedy: str
    make: Callable[[TestCode], AbstractContextManager[Any]]
    check: Check | None = None
    needs: str = ""
    needs_function: bool = False

    @property
    def installed(self) -> bool:
        """Whether the package that it needs is installed."""
        return not self.needs or importlib.util.find_spec(self.needs) is not None
