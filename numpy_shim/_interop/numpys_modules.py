"""Modules that NumPy has and we do not: its private ones, and those for C and Fortran.

Programs import helpers from ``numpy._core.numeric``, ``numpy.core``, ``numpy.linalg._linalg``.
Such a module is NumPy's own with the public functions and classes replaced by ours; what has no
public name stays NumPy's.
"""

from __future__ import annotations

import importlib
import sys
from functools import partial
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy

from .._base.late import LATE, when_loaded
from .._functions.unique import UniqueAllResult, UniqueCountsResult, UniqueInverseResult
from ..linalg._decompositions import EighResult, EigResult, QRResult, SVDResult
from ..linalg._determinants import SlogdetResult

PUBLIC = frozenset({"core", "ctypeslib", "f2py", "matrixlib", "version"})
"""The modules without an underscore that are NumPy's."""

_NAMESPACES = (
    "", ".linalg", ".fft", ".random", ".polynomial", ".lib.stride_tricks", ".lib.array_utils",
    ".lib.scimath", ".lib.format", ".lib.npyio", ".exceptions", ".testing",
)  # fmt: skip

_RESULTS = {
    "numpy.linalg._linalg": (EigResult, EighResult, QRResult, SVDResult, SlogdetResult),
    "numpy.lib._arraysetops_impl": (UniqueAllResult, UniqueCountsResult, UniqueInverseResult),
}
"""The tuples of results, which have names in private modules alone."""

_modules: dict[str, ModuleType] = {}
_counterparts: dict[int, tuple[object, object]] = {}
"""By the ``id`` of a function or class of NumPy's, that object and ours of the same public name."""


def _fill() -> None:
    for suffix in _NAMESPACES:
        theirs = importlib.import_module(f"numpy{suffix}")
        own = importlib.import_module(f"numpy_shim{suffix}")
        for name in getattr(own, "__all__", ()):
            value = getattr(theirs, name, None)
            if callable(value):
                _counterparts.setdefault(id(value), (value, getattr(own, name)))
    for module, classes in _RESULTS.items():
        for ours in classes:
            result = getattr(importlib.import_module(module), ours.__name__)
            _counterparts[id(result)] = result, ours


def counterpart(value: object) -> object | None:
    """Our function or class for one that is public in NumPy; ``None`` if there is none.

    >>> import numpy
    >>> from numpy_shim._interop.numpys_modules import counterpart
    >>> counterpart(numpy.fft.rfft)
    <function rfft at ...>
    """
    if not _counterparts:
        _fill()
    found = _counterparts.get(id(value))
    return None if found is None else found[1]


class _Module(ModuleType):
    """A module of NumPy's in which public names are ours."""

    def __getattr__(self, name: str) -> Any:
        full = self.__name__
        value = getattr(sys.modules[full], name)
        if isinstance(value, ModuleType):
            if value.__name__.startswith("numpy."):
                return numpys_module(value.__name__)
            return sys.modules["numpy_shim"] if value is numpy else value
        found = counterpart(value)
        return value if found is None else found

    def __dir__(self) -> list[str]:
        return dir(sys.modules[self.__name__])


def numpys_module(name: str) -> ModuleType:
    """NumPy's module of this full name, with our functions and classes under public names.

    >>> from numpy_shim._interop.numpys_modules import numpys_module
    >>> import numpy_shim as np
    >>> numpys_module("numpy._core.numeric").zeros_like is np.zeros_like
    True
    """
    if (chapter := name.partition(".")[2].partition(".")[0]) in LATE:
        importlib.import_module(f"numpy_shim.{chapter}")
    own = sys.modules.get(name.replace("numpy", "numpy_shim", 1))
    if own is not None and not name.startswith("numpy._"):
        return own
    module = _modules.get(name)
    if module is None:
        theirs = importlib.import_module(name)
        module = _modules[name] = _Module(name, theirs.__doc__)
    return module


def module_attribute(package: str, name: str) -> ModuleType | None:
    """The module ``name`` in NumPy's ``package`` if it is one that stays NumPy's."""
    private = name.startswith("_") and not name.startswith("__")
    if not private and name not in PUBLIC and not package.startswith(("numpy._", "numpy.core")):
        return None
    full = f"{package}.{name}"
    if callable(getattr(sys.modules.get(package), name, None)):
        return None  # a function that hides a module of its name: ``numpy._core.printoptions``
    try:
        found = find_spec(full)
    except (ImportError, ValueError):
        return None
    return None if found is None else numpys_module(full)


def _attribute_of(package: str, own: Any) -> Any:
    def __getattr__(name: str) -> Any:  # noqa: N807
        module = module_attribute(f"numpy.{package}", name)
        if module is None and own is not None:
            return own(name)
        if module is None:
            raise AttributeError(
                f"module 'numpy_shim.{package}' has no attribute {name!r}", name=name
            )
        return module

    return __getattr__


def install() -> None:
    """Let the packages that bear a name of NumPy's find its private modules."""
    for package in ("fft", "lib", "linalg", "random", "testing"):
        when_loaded(f"numpy_shim.{package}", partial(_install, package))


def _install(package: str) -> None:
    names = vars(sys.modules[f"numpy_shim.{package}"])
    names["__getattr__"] = _attribute_of(package, names.get("__getattr__"))
