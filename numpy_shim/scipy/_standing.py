"""The base of our objects that hold SciPy's, and who gets SciPy's own instead."""

from __future__ import annotations

import sys
from types import FrameType, ModuleType
from typing import Any

import torch

from .._host.copies import DeviceCopy, write_back
from .._jit.program import is_installed


class Held:
    """An object of SciPy's, for the program; its class says which class of SciPy's it stands for.

    ``_device`` is where the arrays go that its methods return: ``None`` for the default device.
    ``_scipys_copies`` are the copies on it of attributes that were read, by name. Before the
    object is used again, it gets what the program has written to them.
    """

    __slots__ = ("__weakref__", "_device", "_scipys_copies", "_scipys_object")
    _scipys_object: Any
    _device: torch.device | None
    _scipys_copies: dict[str, DeviceCopy]

    @property
    def _scipys(self) -> Any:
        if self._scipys_copies:
            write_back(self._scipys_copies.values())
        return self._scipys_object


def scipys_class(x: Any) -> Any:
    """SciPy's class for one that stands for it; any other class as it is."""
    return x.__dict__.get("_scipys_class", x) if issubclass(type(x), type) else x


_told: dict[Any, bool] = {}
"""By a module's name, whether it gets SciPy's own."""

_OWN = frozenset({"numpy_shim", "numpy", "copyreg", "copy", "pickle", "abc", "functools"})


def is_librarys(frame: FrameType) -> bool:
    """Whether the code of a frame has SciPy itself: SciPy, and libraries that import it.

    ``isinstance`` and attributes of our objects answer such code as SciPy's object would.
    """
    return is_librarys_code(frame.f_globals)


def is_librarys_code(names: dict[str, Any]) -> bool:
    """Whether the code of these globals has SciPy itself."""
    name = names.get("__name__")
    told = _told.get(name)
    if told is None:
        told = _told[name] = _has_scipy(str(name), names)
    return told


def _has_scipy(name: str, names: dict[str, Any]) -> bool:
    top = name.partition(".")[0]
    if top in _OWN:
        return True
    file = names.get("__file__")
    if top != "scipy" and (not isinstance(file, str) or not is_installed(file)):
        return False
    return not any(  # of SciPy this is true of its tests alone, where they are given our modules
        isinstance(value, ModuleType) and value.__name__.startswith("numpy_shim")
        for value in names.values()
    )


asking = sys._getframe


class OnTheHostError(Exception):
    """A function of ours leaves a call to SciPy, before it has done anything; it says why."""
