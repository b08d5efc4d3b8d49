"""Gives ``numpy_shim`` to the user's code where it imports ``numpy``, and to no one else.

``numpy_shim.scipy`` is given in the same way for ``scipy``.

A finder, the usual import hook, gets a name but not the importing code, and it is not called for
a module that is already imported, as NumPy is once torch is. So the two functions by which Python
code imports, ``builtins.__import__`` and ``importlib.import_module``, are replaced while a
redirection is in force. They look at the file of the code that imports, so that it does not matter
how that code was loaded: by a finder, ``runpy``, ``exec``, a test runner that rewrites sources.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from types import CodeType, FrameType, ModuleType, TracebackType
from typing import Any

from xp_torch._torch.dynamo import TRACER

from .._jit.program import OWN, STANDARD, inside, is_installed

# The tracer of torch.compile imports for the function it traces, but in the graph it names a module
# by the name in the statement, and would call NumPy's. Refused, it leaves the statement to Python.
_TRACED = "an import of numpy inside a function is not traced: import it outside the function"


def top_directory(file: str) -> str:
    """The directory of a file, links followed: the tree that is the user's own."""
    return os.path.dirname(os.path.realpath(file))


def _without_us(trace: TracebackType | None) -> TracebackType | None:
    """A traceback that continues from the user's import statement, not through this module."""
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return trace


_SERVED = {"numpy": "", "scipy": ".scipy"}
"""The packages that are replaced, and what the name of the replacement ends with."""


def _is_served(name: str) -> bool:
    """Whether a module's name is one of those packages, or a module in one."""
    return name[:5] in _SERVED and (len(name) == 5 or name[5] == ".")


Compile = Callable[[str | bytes, str], CodeType]
"""What compiles a text, with the name of its file."""


class Redirection:
    """While installed, code below ``roots`` that imports ``numpy`` gets ``namespace``.

    ``namespace`` is the name of an importable module; its module ``scipy``, if it has one, is what
    the code gets for ``scipy``. A file below a root is the user's unless
    it is installed (``site-packages``), belongs to the standard library or to numpy_shim.

    >>> from numpy_shim._launcher.imports import Redirection
    >>> mine = Redirection("numpy_shim", ["/home/ada/project"])
    >>> mine.owns("/home/ada/project/src/model.py")
    True
    >>> mine.owns("/home/ada/project/.venv/lib/python3.12/site-packages/sklearn/base.py")
    False
    """

    def __init__(self, namespace: str, roots: Sequence[str]) -> None:
        self.namespace = namespace
        self.roots = tuple(dict.fromkeys(os.path.realpath(root) for root in roots))
        self._interactive: list[Mapping[str, Any]] = []
        self._originals: tuple[Any, Any] | None = None
        self.during_import: Callable[[], AbstractContextManager[object]] | None = None
        """A context for the first import of a library, whose code is nothing to watch."""
        self.compile_program: Compile | None = None
        """What compiles the text of the program, if it is to be watched."""
        self._of_file = lru_cache(maxsize=None)(self._look_at_file)

    def adopt(self, names: Mapping[str, object]) -> None:
        """Count code that runs in this dictionary, which has no file, as the user's."""
        self._interactive.append(names)

    def owns(self, file: str) -> bool:
        """Whether a file is the user's own."""
        return self._of_file(file) is True

    def runs(self, frame: FrameType) -> bool:
        """Whether a frame executes the user's own code."""
        return self._of_globals(frame.f_globals) is True

    def install(self) -> None:
        """Replace the two functions that import, until `remove`."""
        if self._originals is not None:
            return
        plain_import, plain_import_module = builtins.__import__, importlib.import_module
        self._originals = plain_import, plain_import_module

        def __import__(  # noqa: N807
            name: str,
            globals: Mapping[str, object] | None = None,
            locals: Mapping[str, object] | None = None,
            fromlist: Sequence[str] | None = (),
            level: int = 0,
        ) -> ModuleType:
            try:
                if (
                    name[:5] in _SERVED  # the only test that other imports pay for
                    and (len(name) == 5 or name[5] == ".")
                    and level == 0
                    # The C function PyImport_Import calls with an empty list, which no import
                    # statement does, and looks up the result in sys.modules whatever we return.
                    and not (type(fromlist) is list and not fromlist)
                    and self._serves(globals, frame := sys._getframe(1))
                ):
                    if frame.f_globals.get("__name__") == TRACER:
                        raise ImportError(_TRACED)
                    top = self._own(name[:5])
                    if top is not None:
                        if name[:5] == "scipy":  # its errors for what it lacks
                            plain_import(name, globals, locals, fromlist or (), 0)
                        module = self._module(name, fromlist)
                        return module if fromlist else sys.modules[top]
                if self.during_import is not None and level == 0 and self._is_new(name):
                    with self.during_import():
                        return plain_import(name, globals, locals, fromlist or (), level)
                return plain_import(name, globals, locals, fromlist or (), level)
            except BaseException as error:
                error.__traceback__ = _without_us(error.__traceback__)
                raise

        def import_module(name: str, package: str | None = None) -> ModuleType:
            """Import a module; code started by numpy_shim gets numpy_shim for numpy."""
            try:
                if (
                    _is_served(name)
                    and self._own(name[:5]) is not None
                    and self._serves(None, sys._getframe(1))
                ):
                    if name[:5] == "scipy":
                        plain_import_module(name)
                    return self._module(name, None)
                return plain_import_module(name, package)
            except BaseException as error:
                error.__traceback__ = _without_us(error.__traceback__)
                raise

        builtins.__import__ = __import__
        importlib.import_module = import_module

    def remove(self) -> None:
        """Restore the functions that `install` replaced."""
        if self._originals is not None:
            builtins.__import__, importlib.import_module = self._originals
            self._originals = None

    def _is_new(self, name: str) -> bool:
        """Whether a module is none of the user's, and not yet imported."""
        if name in sys.modules:
            return False
        top = name.partition(".")[0]
        if top in sys.modules:
            file = getattr(sys.modules[top], "__file__", None)
        else:
            spec = importlib.util.find_spec(top)
            file = spec and spec.origin
        return file is not None and not self.owns(file)

    def _own(self, name: str) -> str | None:
        """The name of what is given for a package; ``None`` where the namespace has nothing."""
        own = self.namespace + _SERVED[name]
        if name == "numpy" or own in sys.modules:
            return own
        try:
            return own if importlib.util.find_spec(own) is not None else None
        except ModuleNotFoundError:  # the namespace is no package
            return None

    def _module(self, name: str, fromlist: Sequence[str] | None) -> ModuleType:
        """The replacement for a module of NumPy's or SciPy's, with the names imported from it."""
        assert self._originals is not None
        own = self.namespace + _SERVED[name[:5]] + name[5:]
        try:
            module: ModuleType = self._originals[1](own)
        except ModuleNotFoundError as error:
            if error.name is None or not own.startswith(error.name):
                raise  # a module that it needs is missing
            found = self._attribute(own)
            if isinstance(found, ModuleType):
                return found
            message = f"No module named {name!r} on torch: {self._reason(own)}"
            raise ModuleNotFoundError(message, name=name) from None
        for item in fromlist or ():
            if item != "*" and not hasattr(module, item) and not self._submodule(f"{own}.{item}"):
                message = f"cannot import name {item!r} from {name!r}"
                if name[:5] == "scipy":
                    file = getattr(sys.modules.get(name), "__file__", None)
                    raise ImportError(f"{message} ({file})", name=name, path=file)
                message += " on torch: "
                raise ImportError(message + self._reason(f"{own}.{item}"), name=name)
        return module

    def _submodule(self, name: str) -> bool:
        """Import a submodule that a ``from`` statement may mean, and say whether there is one."""
        assert self._originals is not None
        try:
            self._originals[1](name)
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
            return False
        return True

    def _reason(self, own: str) -> str:
        """Why the namespace lacks a name; the namespace's own message if there is one."""
        found = self._attribute(own)
        return str(found) if isinstance(found, AttributeError) else f"{own!r} is no module"

    def _attribute(self, own: str) -> Any:
        """What attributes lead to from the namespace; the ``AttributeError`` if they do not."""
        value: Any = sys.modules[self.namespace]
        try:
            for name in own.removeprefix(f"{self.namespace}.").split("."):
                value = getattr(value, name)
        except AttributeError as error:
            return error
        return value

    def _serves(self, names: Mapping[str, object] | None, frame: FrameType | None) -> bool:
        """Whether the import is the user's.

        ``names`` are the globals of the code that imports. If they do not decide (code in a
        string, a doctest, ``timeit``, a call through the standard library), the first
        caller that has a file decides.
        """
        verdict = None if names is None else self._of_globals(names)
        while verdict is None and frame is not None:
            verdict = self._of_globals(frame.f_globals)
            frame = frame.f_back
        return verdict is True

    def _of_globals(self, names: Mapping[str, object]) -> bool | None:
        if any(names is own for own in self._interactive):
            return True
        file = names.get("__file__")
        return self._of_file(file) if isinstance(file, str) else None

    def _look_at_file(self, file: str) -> bool | None:
        """True for the user's file, False for a library's, None for one that imports for others."""
        if file == __file__ or file.startswith("<"):
            return None
        path = os.path.realpath(file)
        if any(inside(path, own) for own in OWN):
            return False
        for root in self.roots:
            if inside(path, root):
                standard = inside(path, STANDARD) and not inside(root, STANDARD)
                if not is_installed(os.path.relpath(path, root)) and not standard:
                    return True
        if inside(path, STANDARD) and not is_installed(path):
            return None
        return False
