"""SciPy's own Python text, executed with this library in the place of NumPy and of SciPy.

A chapter (``_fft``, ``_signal``) executes modules of the installed SciPy in a package of its own.
There the text finds our functions for NumPy's, our modules for SciPy's, and kernels in torch for
what SciPy has compiled. ``scipy._lib._array_api`` asks an array for its namespace: it is ours.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable
from functools import cache, partial, wraps
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

from .._array.ndarray import ndarray
from .._convert.from_data import asarray
from .._convert.requirements import asarray_chkfinite
from .._numpys import executed, import_for_text
from .._numpys.names import on_its_device

PACKAGE = __name__.rpartition(".")[0]

_OF_NAMESPACES = "scipy._lib._array_api"
_OF_STACKS = "scipy._lib._util"


def execute(chapter: str, source: str, name: str = "") -> ModuleType:
    """SciPy's module ``source`` as a module of our package ``chapter``, under its last name.

    >>> from numpy_shim.scipy import _text
    >>> _text.execute("numpy_shim.scipy._text", "scipy.fft._fftlog_multimethods").__name__
    'numpy_shim.scipy._text._fftlog_multimethods'
    """
    name = name or source.rpartition(".")[2]
    module = executed(source, f"{chapter}.{name}", chapter, _import)
    setattr(sys.modules[chapter], name, module)
    return module


def public(modules: Iterable[ModuleType], names: Iterable[str]) -> dict[str, Any]:
    """By name, the functions of executed modules that are public in SciPy, each on its device."""
    found: dict[str, Any] = {}
    for module in modules:
        for name in set(names).intersection(vars(module)) - found.keys():
            value = vars(module)[name]
            if isinstance(value, (FunctionType, partial)):
                found[name] = on_its_device(value)
    return found


def _import(
    name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
) -> Any:
    """``__import__`` for SciPy's text."""
    if level or name.partition(".")[0] != "scipy":
        return import_for_text(name, globals, locals, fromlist, level)
    if not fromlist:  # as in ``import scipy.fft as fft_lib``, which reads attributes then
        return _Top()
    rooms = _rooms(name)
    return rooms[0] if len(rooms) == 1 else _Found(name, *rooms)


def _rooms(name: str) -> list[Any]:
    """Where SciPy's text finds the names of a module: ours first."""
    if name == "scipy":
        return [_Top()]
    if name == _OF_NAMESPACES:
        return [_namespaces()]
    if name == f"{_OF_NAMESPACES}_override":
        return [SimpleNamespace(array_namespace=_our_namespace), importlib.import_module(name)]
    if name == "scipy._lib.array_api_compat":
        asked = {"numpy": sys.modules["numpy_shim"], "is_numpy_namespace": _is_ours}
        return [SimpleNamespace(**asked), importlib.import_module(name)]
    if name == _OF_STACKS:
        return [for_stacks(), importlib.import_module(name)]
    if name.startswith("scipy._lib"):
        return [importlib.import_module(name)]
    _, chapter, *rest = name.split(".")
    ours = ".".join([PACKAGE, f"_{chapter}", *rest])
    if ours in sys.modules and rest:
        return [sys.modules[ours]]
    theirs = importlib.import_module(".".join([PACKAGE, chapter, *rest]))
    return [_Private(sys.modules[ours]), theirs] if ours in sys.modules else [theirs]


def _our_namespace(*arrays: Any) -> ModuleType:
    return sys.modules["numpy_shim"]


def _is_ours(xp: Any) -> bool:
    return xp is sys.modules["numpy_shim"]


@cache
def _namespaces() -> ModuleType:
    """``scipy._lib._array_api``, whose arrays are all of our namespace."""
    name = f"{PACKAGE}._array_api"
    return executed(_OF_NAMESPACES, name, PACKAGE, _import)


@cache
def for_stacks() -> Any:
    """What ``scipy._lib._util`` has for stacks of matrices, of our namespace."""
    made = executed(_OF_STACKS, f"{PACKAGE}._util", PACKAGE, _import)
    checked = _checked(made._asarray_validated)
    return SimpleNamespace(
        _apply_over_batch=made._apply_over_batch, _asarray_validated=checked
    )  # fmt: skip


def _checked(text: Callable[..., Any]) -> Callable[..., Any]:
    """``_asarray_validated``, which asks no array of ours whether it is sparse, or masked.

    These questions would end a graph.
    """

    @wraps(text)
    def _asarray_validated(a: Any, check_finite: bool = True, *args: Any, **kwargs: Any) -> Any:
        if type(a) is not ndarray or args or kwargs.keys() - {"as_inexact"}:
            return text(a, check_finite, *args, **kwargs)
        if kwargs.get("as_inexact") and a.dtype.kind not in "fc":
            a = asarray(a, dtype="float64")
        return asarray_chkfinite(a) if check_finite else a

    return _asarray_validated


class _Found:
    """What ``from module import name`` finds: the name in the first room that has it."""

    def __init__(self, name: str, *rooms: Any) -> None:
        self.__name__, self._rooms = name, rooms

    def __getattr__(self, name: str) -> Any:
        for room in self._rooms:
            try:
                return getattr(room, name)
            except AttributeError:
                continue
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


class _Private:
    """The private modules of a chapter of ours, and what it has for the text of the others."""

    def __init__(self, chapter: ModuleType) -> None:
        self._chapter = chapter

    def __getattr__(self, name: str) -> Any:
        inside = vars(self._chapter).get("INSIDE", {})
        if name in inside:
            return inside[name]
        found = vars(self._chapter).get(name)
        if not (name.startswith("_") and isinstance(found, ModuleType)):
            raise AttributeError(name)
        return found


class _Top:
    """What ``import scipy.x`` gives: a module for each of SciPy's, when it is read."""

    def __init__(self, name: str = "scipy") -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # no module
            raise AttributeError(name)
        whole = f"{self._name}.{name}"
        if whole == "scipy._lib":
            return _Top(whole)
        return _import(whole, fromlist=("*",))
