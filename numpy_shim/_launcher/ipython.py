"""``%load_ext numpy_shim``: does for an IPython session what the launcher does for a script."""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import Any, Protocol

from .imports import Redirection

_NAMESPACE = __name__.partition(".")[0]


class Shell(Protocol):
    """The parts of IPython's ``InteractiveShell`` that are used."""

    user_ns: dict[str, Any]


class _Session:
    """The redirection of one shell, and the names that it bound to another module."""

    def __init__(self, shell: Shell) -> None:
        self._names = shell.user_ns
        self._redirection = Redirection(_NAMESPACE, [os.getcwd()])
        self._redirection.adopt(self._names)

    def start(self) -> None:
        """Redirect imports from now on, and the modules of NumPy imported so far."""
        self._redirection.install()
        self._rename("scipy", f"{_NAMESPACE}.scipy")
        self._rename("numpy", _NAMESPACE)

    def stop(self) -> None:
        """Undo what `start` did."""
        self._redirection.remove()
        self._rename(f"{_NAMESPACE}.scipy", "scipy")
        self._rename(_NAMESPACE, "numpy")

    def _rename(self, old: str, new: str) -> None:
        """Bind the names of the session that stand for modules of ``old`` to those of ``new``."""
        for name, value in list(self._names.items()):
            if isinstance(value, ModuleType) and name not in ("In", "Out"):
                full = value.__name__
                if full == old or full.startswith(f"{old}."):
                    other = sys.modules.get(new + full.removeprefix(old))
                    if other is not None and name != _NAMESPACE:
                        self._names[name] = other


_sessions: dict[int, _Session] = {}


def load_ipython_extension(shell: Shell) -> None:
    """Give the session, and the modules in its directory, ``numpy_shim`` for ``numpy``.

    Names that are bound to a module of NumPy, as ``np``, are bound to ours; existing arrays
    are not converted. ``%unload_ext numpy_shim`` undoes it.
    """
    if id(shell) not in _sessions:
        session = _sessions[id(shell)] = _Session(shell)
        session.start()


def unload_ipython_extension(shell: Shell) -> None:
    """Give the session NumPy again."""
    session = _sessions.pop(id(shell), None)
    if session is not None:
        session.stop()
