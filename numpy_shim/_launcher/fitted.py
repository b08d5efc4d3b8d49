"""Attributes of scikit-learn's objects: ours for the program, on the device of what was fitted.

``fit`` gets NumPy's arrays and leaves NumPy's in the object. After a call with arrays of ours the
object has a mark, the name of their device, and its class a descriptor for each public attribute
that holds arrays. Where the program reads ``model.coef_``, it gets an array on that device;
scikit-learn, and each other library, gets its own. The mark is text, so that it goes with pickles.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any
from weakref import ref

import numpy
import torch

from .._array.host_view import WRITEABLE
from .._array.ndarray import AnyArray
from .._array.views import read_only
from .._host import crossings, exchange
from .._host.copies import DeviceCopy, keep_copy, write_back

MARK = "_numpy_shim_device"
"""The attribute of a library's object that has the device of the arrays it was made of."""
_PRESENTED = (numpy.ndarray, list, tuple, dict)

Copies = dict[str, DeviceCopy]
_copies: dict[int, tuple[Any, Copies]] = {}
"""By the ``id`` of an object: a weak reference to it, and the copies that the program reads."""


def is_scikit_learns(module: str) -> bool:
    """Whether a module is scikit-learn's."""
    return module == "sklearn" or module.startswith("sklearn.")


def device_of(x: object) -> torch.device | None:
    """The device of the arrays that an object was given; ``None`` for all others."""
    mark = getattr(x, "__dict__", {}).get(MARK)
    return None if mark is None else torch.device(mark)


def remember(x: object, device: torch.device) -> None:
    """Let the program read attributes of an object of scikit-learn's as ours, on ``device``."""
    names = getattr(x, "__dict__", None)
    kind: Any = type(x)
    cls = _scikit_learns_class(kind)
    if type(names) is not dict or cls is None:
        return
    names[MARK] = str(device)
    for name, value in names.items():
        if name.startswith("_") or not (isinstance(value, _PRESENTED) or _is_object(value)):
            continue
        if inspect.getattr_static(cls, name, _ABSENT) is _ABSENT:
            setattr(cls, name, Attribute(name))


def forget(x: object) -> None:
    """Take the mark from an object that was fitted again with other arrays."""
    vars(x).pop(MARK, None)


_ABSENT: Any = object()


@cache
def _scikit_learns_class(cls: Any) -> Any:
    """The first class of scikit-learn's that a class derives from, itself included."""
    for base in cls.__mro__:
        if is_scikit_learns(base.__module__):
            return None if issubclass(base, dict) else base
    return None


def _is_object(x: object) -> bool:
    kind: Any = type(x)
    return _scikit_learns_class(kind) is not None and hasattr(x, "__dict__")


def presented(value: object, device: torch.device, what: str) -> Any:
    """What the program gets of an object: arrays on the device, and objects that do the same."""
    for x in _objects(value):
        if device_of(x) is None:
            remember(x, device)
    return exchange.back(value, device, what)


def _objects(value: object) -> Iterator[Any]:
    """The objects of scikit-learn's in a value."""
    if isinstance(value, dict):
        yield from _objects(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for x in value:
            if type(x) is not float:
                yield from _objects(x)
    elif _is_object(value):
        yield value


def to_object(x: object) -> None:
    """Give an object's own arrays what the program wrote to copies of its attributes."""
    if _copies and id(x) in _copies:
        write_back(_copies[id(x)][1].values())


def _copies_of(x: object) -> Copies:
    number = id(x)
    if number not in _copies:
        _copies[number] = ref(x, lambda _: _copies.pop(number, None)), {}
    return _copies[number][1]


class Attribute:
    """An attribute that instances hold, which is ours for the program where they have the mark."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, x: object, cls: type | None = None) -> Any:
        if x is None:
            raise self._missing(f"type object {cls.__name__!r}", cls)  # type: ignore[union-attr]
        try:
            value = vars(x)[self.name]
        except KeyError:
            raise self._missing(f"{type(x).__name__!r} object", x) from None
        to_object(x)
        device = device_of(x)
        if device is None or not crossings.is_programs(sys._getframe(1)):
            return value
        what = f"{_name(x)}.{self.name}"
        made = presented(value, device, what)
        if made is value or device.type == "cpu":
            return made
        if type(value) is numpy.ndarray and not value.flags.num & WRITEABLE:
            return read_only(made)
        return keep_copy(_copies_of(x), self.name, what, made, value)

    def __set__(self, x: object, value: object) -> None:
        mine = crossings.is_programs(sys._getframe(1))
        if mine and not isinstance(vars(x).get(self.name), AnyArray):  # fitted on the host
            value = exchange.to_host(value, f"{_name(x)}.{self.name}")
        vars(x)[self.name] = value
        if id(x) in _copies:
            _copies[id(x)][1].pop(self.name, None)

    def __delete__(self, x: object) -> None:
        if self.name not in vars(x):
            raise self._missing(f"{type(x).__name__!r} object", x)
        del vars(x)[self.name]

    def _missing(self, whose: str, x: object) -> AttributeError:
        return AttributeError(f"{whose} has no attribute {self.name!r}", name=self.name, obj=x)


def _name(x: object) -> str:
    return crossings.public_name(type(x).__module__, type(x).__qualname__)


def reading(theirs: property) -> property:
    """A property of scikit-learn's, whose value is ours for the program where there is a mark."""

    def get(x: object) -> Any:
        device = device_of(x)
        if device is None:
            return theirs.fget(x)  # type: ignore[misc]
        to_object(x)
        value = theirs.fget(x)  # type: ignore[misc]
        if not crossings.is_programs(sys._getframe(1)):
            return value
        return presented(value, device, f"{_name(x)}.{getattr(theirs.fget, '__name__', '')}")

    get.__wrapped__ = theirs.fget  # type: ignore[attr-defined]
    return property(get, theirs.fset, theirs.fdel, theirs.__doc__)
