"""Modules with SciPy's layout: each name is SciPy's, seen through the bridge when it is first read.

``numpy_shim.scipy.stats.qmc`` is made from ``scipy.stats.qmc`` when it is imported, and nothing of
SciPy that the program does not use. Of private modules what has a public name is ours, and the rest
is SciPy's.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ._objects import present

PACKAGE = __name__.rpartition(".")[0]


def scipys_name(name: str) -> str:
    """SciPy's name of a module of ours.

    >>> from numpy_shim.scipy._modules import scipys_name
    >>> scipys_name("numpy_shim.scipy.stats.qmc")
    'scipy.stats.qmc'
    """
    return "scipy" + name.removeprefix(PACKAGE)


def attribute(module: ModuleType, name: str) -> Any:
    """A name of SciPy's for a module of ours; SciPy's error where SciPy lacks it."""
    if name in _OF_IMPORTS:
        raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}", name=name)
    theirs = scipys_name(module.__name__)
    value = getattr(importlib.import_module(theirs), name)
    if name.startswith("__"):
        return value
    if isinstance(value, ModuleType):
        found = value.__name__
        if found == "scipy" or found.startswith("scipy."):
            value = importlib.import_module(PACKAGE + found.removeprefix("scipy"))
    else:
        value = _named(value, module.__name__, name)
    if sys.modules.get(module.__name__) is module:
        _names(module)[name] = value
    return value


_OF_IMPORTS = frozenset({"__path__", "__loader__", "__spec__", "__package__", "__cached__"})
"""What Python sets in a module, and must not find in SciPy's."""

_made: dict[int, tuple[Any, Any]] = {}
"""By the ``id`` of an object of SciPy's: that object, and ours."""


def _named(value: Any, module: str, name: str) -> Any:
    """The one object of ours for SciPy's of this name."""
    if id(value) in _made and _made[id(value)][0] is value:
        return _made[id(value)][1]
    if isinstance(value, (int, float, complex, str, list, tuple, dict, frozenset, set)):
        return value
    short = f"{module}.{name}".removeprefix(f"{PACKAGE}.")
    made = present(value, None, short)
    if made is not value:
        _made[id(value)] = value, made
        if not isinstance(made, type) and hasattr(made, "__wrapped__") and _is_plain(made):
            made.__module__ = module
            made.__qualname__ = name
    return made


def _is_plain(made: Any) -> bool:
    return type(made) is type(_is_plain)


class Module(ModuleType):
    """A module of SciPy's, as the program sees it."""

    def __getattr__(self, name: str) -> Any:
        return attribute(self, name)

    def __dir__(self) -> list[str]:
        return dir(sys.modules[scipys_name(self.__name__)])

    if not TYPE_CHECKING:

        @property
        def __dict__(self) -> dict[str, Any]:
            """All names, as ``vars(scipy.special)`` has them; those read so far for Dynamo."""
            if sys._getframe(1).f_globals.get("__name__", "").partition(".")[0] != "torch":
                for name in dir(self):
                    getattr(self, name, None)
            return _names(self)


_names: Callable[[ModuleType], dict[str, Any]] = vars(ModuleType)["__dict__"].__get__


class _Finder(MetaPathFinder, Loader):
    """Finds the modules below ``numpy_shim.scipy`` that SciPy has."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(f"{PACKAGE}."):
            return None
        try:
            found = importlib.util.find_spec(scipys_name(fullname))
        except ModuleNotFoundError:
            return None
        if found is None:
            return None
        is_package = found.submodule_search_locations is not None
        return ModuleSpec(fullname, self, origin=found.origin, is_package=is_package)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        theirs = importlib.import_module(scipys_name(spec.name))
        made = Module(spec.name, theirs.__doc__)
        made.__file__ = getattr(theirs, "__file__", None)
        return made

    def exec_module(self, module: ModuleType) -> None:
        """The names are made when they are read."""


def install() -> None:
    """Let Python find the modules."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())
