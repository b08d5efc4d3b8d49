"""Values that belong to a context (``contextvars``): a thread, an asyncio task, a ``Context``.

Most programs never set one, so reading one must cost nothing until somebody does. Each value
therefore knows whether a living context has set it. Until then readers use a
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
    """A value held by a context. It lives as long as a context or a token refers to it."""

    __slots__ = ("__weakref__", "value")

    def __init__(self, value: T) -> None:
        self.value = value


class ContextValue(Generic[T]):
    """A value per context, and whether any living context has a special one.

    Contexts are counted, not threads: a task inherits the values of the context that made it,
    and may outlive the ``with`` block in which it was made. So the class counts the objects that
    contexts hold. Such an object is freed when no context refers to it any more.

    Parameters
    ----------
    name : str
        The name of the context variable.
    default : T
        The value of a context that did not set one. A new thread starts with it.
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
        self._state: bool | None = False  # the last argument of ``switch``; None while it runs

    def get(self) -> T:
        """The value of this context."""
        return self._variable.get().value

    def set(self, value: T) -> Token[Held[T]]:
        """Set the value of this context; return a token for ``reset``."""
        held = Held(value)
        special = self._special
        if value != self._default if special is None else special(value):
            self._live.add(weakref.ref(held, self._gone))
            self._settle()
        return self._variable.set(held)

    def reset(self, token: Token[Held[T]]) -> None:
        """Undo ``set``. Raise ``ValueError`` unless the same context called ``set``."""
        self._variable.reset(token)

    def _gone(
        self,
        reference: weakref.ref[Held[T]],
        ending: Callable[[], bool] = sys.is_finalizing,  # a default outlives globals
    ) -> None:
        if not ending():
            self._live.discard(reference)
            self._settle()

    def _settle(self) -> None:
        """Call ``switch`` until its state is what the living contexts need.

        A signal handler or a finalizer can set a value while ``switch`` runs in this thread. It
        calls ``switch`` at once, and the loop checks again.
        """
        with self._lock:
            while (wanted := bool(self._live)) is not self._state:
                self._state = None
                self._switch(wanted)
                self._state = wanted


MIXED: Any = ""
"""The value of a ``ContextModule`` global while contexts differ; ``here`` has the real value.

It is a false value, so that ``or`` tells it from a dtype. It is a string, because Dynamo takes
strings as constants.
"""


state_of_tables: list[tuple[str, str]] = []
"""The globals, by module and name, that say whether tables by dtype are in force.

A compiled function is guarded by them, and not by each table.
"""


class ContextModule(ModuleType):
    """A module with some globals that belong to the context.

    While every context has the default, such a global is the default, and reading it costs no more
    than reading any global. Otherwise it is ``MIXED``, and the attribute ``here_NAME`` of the
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

    def __setattr__(self, name: str, value: object) -> None:
        own = vars(self).get("_context_values", {}).get(name)
        if own is None:
            super().__setattr__(name, value)
        else:
            own.set(value)


def make_context_local(module: str, *names: str) -> Any:
    """Make globals of a module belong to the context. Their values are the defaults.

    Returns the module, whose attributes are set instead of the globals.
    """
    made = sys.modules[module]
    made.__class__ = ContextModule
    space = vars(made)
    space["_context_values"] = {name: _context_global(space, name) for name in names}
    return made


def _context_global(space: dict[str, object], name: str) -> ContextValue[Any]:
    default = space[name]

    def switch(differ: bool) -> None:
        space[name] = MIXED if differ else default

    return ContextValue(f"{space['__name__']}.{name}", default, switch)


def here(module: object, name: str) -> Any:
    """The value in this context of a global of a ``ContextModule``."""
    value = getattr(module, name)
    return getattr(module, f"here_{name}") if value == MIXED else value
