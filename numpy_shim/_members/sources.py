"""Name NumPy's function of the same name as the source in each docstring that names no other.

A function of NumPy's surface follows NumPy's function of its name, so this is written once here.
Functions that NumPy does not have name their source in their own docstring; a test finds those
that do not.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import partial
from types import FunctionType
from typing import Any

from .. import linalg
from .._array.ndarray import AnyArray
from .._base.docs import with_source
from .._base.late import when_loaded
from ..lib import array_utils, format, scimath, stride_tricks

_MODULES = {
    "linalg.": linalg, "lib.scimath.": scimath, "lib.array_utils.": array_utils,
    "lib.stride_tricks.": stride_tricks, "lib.format.": format,
}  # fmt: skip
_CLASSES = ("ufunc", "flatiter", "broadcast", "__array_namespace_info__")


def name_sources(top: Mapping[str, Any], names: Iterable[str]) -> None:
    """Add the line to the functions and classes of the package and its modules, and to members."""
    public = {name: top[name] for name in names if name in top}
    _add("", public)
    _add_to_classes("", public)
    for prefix, module in _MODULES.items():
        _add_to_module(prefix, module)
    for chapter in ("fft", "random"):
        when_loaded(f"numpy_shim.{chapter}", partial(_add_to_late, chapter))
    _add("ndarray.", vars(AnyArray))
    for name in _CLASSES:
        for owner in top[name].__mro__[:-1]:
            _add(f"{name}.", vars(owner))


def _add_to_late(chapter: str) -> None:
    _add_to_module(f"{chapter}.", sys.modules[f"numpy_shim.{chapter}"])


def _add_to_module(prefix: str, module: Any) -> None:
    public = {name: getattr(module, name) for name in module.__all__}
    _add(prefix, public)
    _add_to_classes(prefix, public)


def _add(prefix: str, members: Mapping[str, object]) -> None:
    for name, member in members.items():
        function = getattr(member, "_function", member)  # of a method that counts references
        if name[0] == "_" or not function.__doc__:
            continue
        ours = type(function) is FunctionType and function.__module__.startswith("numpy_shim")
        if ours or type(function) is property:
            own = getattr(function, "__name__", name)
            if members.get(own) is member:  # of a function with two names, that of its definition
                name = own
            function.__doc__ = with_source(function.__doc__, f"NumPy's ``{prefix}{name}``")


def _add_to_classes(prefix: str, members: Mapping[str, object]) -> None:
    """Add it to classes written here, and to the classes of objects such as ``r_``."""
    for name, member in members.items():
        if not isinstance(member, type) and (callable(member) or isinstance(member, AnyArray)):
            continue
        kind = member if isinstance(member, type) else type(member)
        if kind.__module__.startswith("numpy_shim") and kind.__doc__:
            kind.__doc__ = with_source(kind.__doc__, f"NumPy's ``{prefix}{name}``")
