"""Values that belong to a context (``contextvars``): a thread, an asyncio task, a ``Context``.

Most programs never set one, so reading one must cost nothing until somebody does. Each value
therefore knows whether any context that is still alive has set it. Until then readers use a
plain global or a filled table; ``ContextValue`` tells its owner when to switch.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable
from contextvars import ContextVar, Token
from types import ModuleType
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Held(Generic[T]):
    """What a context holds: a value. It lives as long as a context, or a token, refers to it."""

    __slots__ = ("__weakref__", "value")

    def __init__(self, value: T) -> None:
        self.value = value


class ContextValue(Generic[T]):
    """A value per context, and whether any living context has a special one.

    Contexts are counted, not threads: a task inherits the values of the context that made it,
    and may outlive the ``with`` block in which it was made. So what is counted are the objects
    that contexts hold. One goes when the last context that refers to it goes or is given
    another value.

    Parameters
    ----------
    name : str
        The name of the context variable.
    default : T
        The value of a context that was given none. A new thread starts with it.
    switch : callable
        Called with ``True`` before the first special value is set, and with ``False`` when the
        last one is gone. A second call with the same argument must do no harm.
    special : callable, optional
        Whether a value is special. By default, whether it differs from the default.
    """

    __slots__ = ("_default", "_live", "_lock", "_special", "_state", "_switch", "_variable")

    def __init__(
        self,
        name: str,
        default: T,
        switch: Callable[[bool], object],
        special: Callable[[T], bool] | None = None,
    ) -> None:
        self._default = default
        self._switch = switch
        self._special = special
        first = Held(default)
        self._variable: ContextVar[Held[T]] = ContextVar(name, default=first)
        self._live: set[weakref.ref[Held[T]]] = set()
        self._lock = threading.RLock()  # a signal handler or finalizer may set a value too
        self._state: bool | None = False  # what ``switch`` was last called with; None: during it

    def get(self) -> T:
        """The value of this context."""
        return self._variable.get().value

    def set(self, value: T) -> Token[Held[T]]:
        """Give this context a value; what is returned undoes it in ``reset``."""
        held = Held(value)
        special = self._special
        if value != self._default if special is None else special(value):
            self._live.add(weakref.ref(held, self._gone))
            self._settle()
        return self._variable.set(held)

    def reset(self, token: Token[Held[T]]) -> None:
        """Undo ``set``. ``ValueError`` in another context than that of the call."""
        self._variable.reset(token)

    def _gone(
        self,
        reference: weakref.ref[Held[T]],
        ending: Callable[[], bool] = sys.is_finalizing,  # here it outlives the module's globals
    ) -> None:
        if not ending():
            self._live.discard(reference)
            self._settle()

    def _settle(self) -> None:
        """Switch until that is what the living contexts need.

        A signal handler or a finalizer can set a value while ``switch`` runs in this very
        thread. It switches at once, and the loop looks again.
        """
        with self._lock:
            while (wanted := bool(self._live)) is not self._state:
                self._state = None
                self._switch(wanted)
                self._state = wanted


MIXED: Any = ""
"""Stands for a global of a ``ContextModule``: contexts differ, and ``here`` has the value.

It is false, so that a reader can tell it from a dtype by ``or``, and Dynamo takes a string for
a constant.
"""


class ContextModule(ModuleType):
    """A module some of whose globals belong to the context.

    While every context has the default, such a global is the default, and reading it costs what
    reading a global costs. Otherwise it is ``MIXED``, and the attribute ``here_NAME`` of the
    module is the value in this context. Assigning to the global as an attribute of the module
    sets it for this context.

    Dynamo follows all three: it guards the global and the attribute, and assigns to a module's
    attribute after the graph. That is why this is a module, and not an object with methods:
    Dynamo does not follow context variables (https://github.com/pytorch/pytorch/issues/186449).
    """

    def __getattr__(self, name: str) -> Any:
        value = vars(self).get("_context_values", {}).get(name.removeprefix("here_"))
        if value is None or not name.startswith("here_"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return value.get()

    def __setattr__(self, name: str, value: Any) -> None:
        own = vars(self).get("_context_values", {}).get(name)
        if own is None:
            super().__setattr__(name, value)
        else:
            own.set(value)


def make_context_local(module: str, *names: str) -> Any:
    """Make globals of a module, which have their defaults, belong to the context.

    Returns the module, whose attributes are set instead of the globals.
    """
    made = sys.modules[module]
    made.__class__ = ContextModule
    space = vars(made)
    space["_context_values"] = {name: _context_global(space, name) for name in names}
    return made


def _context_global(space: dict[str, Any], name: str) -> ContextValue[Any]:
    default = space[name]

    def switch(differ: bool) -> None:
        space[name] = MIXED if differ else default

    return ContextValue(f"{space['__name__']}.{name}", default, switch)


def here(module: Any, name: str) -> Any:
    """The value in this context of a global of a ``ContextModule``."""
    value = getattr(module, name)
    return getattr(module, f"here_{name}") if value == MIXED else value
