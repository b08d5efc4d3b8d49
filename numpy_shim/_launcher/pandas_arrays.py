"""Arrays that a program reads from pandas objects made of its arrays: ours, on the same device.

A frame or a series made from arrays of ours has a mark, the name of their device. What pandas
derives from it has the mark, too: ``__finalize__`` passes it on, as it does ``attrs``. ``values``,
``to_numpy()`` and ``unique()`` then give arrays on the device to the program, and NumPy's to
libraries. Functions such as ``pandas.factorize`` give ours for arrays of ours.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial, wraps
from types import ModuleType
from typing import Any

import numpy
import torch

from xp_torch._torch.patches import when_imported

from .._array.ndarray import AnyArray, ndarray
from .._array.views import read_only
from .._host import crossings, exchange
from .._host.frames import pass_over
from .fitted import MARK

_FUNCTIONS = ("factorize", "isna", "isnull", "notna", "notnull", "unique")


def install() -> None:
    """Change pandas when it is imported."""
    when_imported("pandas.core.generic", _change_generic)
    when_imported("pandas.core.frame", partial(_change_member, "DataFrame"))
    when_imported("pandas.core.series", partial(_change_member, "Series"))
    when_imported("pandas", _change_functions)


def _change_generic(module: ModuleType) -> None:
    theirs = getattr(getattr(module, "NDFrame", None), "__finalize__", None)
    if theirs is None:  # of another pandas, whose results stay NumPy's
        return

    @wraps(theirs)
    def finalize(self: object, other: object, *args: object, **kwargs: object) -> Any:
        made = theirs(self, other, *args, **kwargs)
        for x in (other, *(getattr(other, "input_objs", None) or ())):  # of concat and merge
            if mark := _mark(x):
                object.__setattr__(made, MARK, mark)
                break
        return made

    module.NDFrame.__finalize__ = pass_over(finalize)


def _change_member(name: str, module: ModuleType) -> None:
    _change_class(getattr(module, name, None))


def _change_class(cls: Any) -> None:
    name = f"pandas.{cls.__name__}"
    try:
        values = vars(cls)["values"]
        getter = _giving(values.fget, f"{name}.values")
        changes = {
            "__init__": _taking(cls.__init__, 0),
            "__setitem__": _taking(cls.__setitem__, 1),
            "to_numpy": _giving(cls.to_numpy, f"{name}.to_numpy"),
            "values": property(getter, values.fset, values.fdel, values.__doc__),
        }
    except (AttributeError, KeyError):  # another pandas, whose results stay NumPy's
        return
    if "insert" in vars(cls):
        changes["insert"] = _taking(cls.insert, 2)
    if hasattr(cls, "unique"):
        changes["unique"] = _giving(cls.unique, f"{name}.unique")
    for attribute, change in changes.items():
        setattr(cls, attribute, change)


def _mark(x: object) -> str:
    """The device of the arrays that an object of pandas was made of; empty for anything else."""
    try:
        return str(x.__dict__.get(MARK, ""))
    except AttributeError:
        return ""


def _device_in(x: object) -> str:
    """The device of an array of ours, of a frame with a mark, or of the first in a container."""
    if isinstance(x, AnyArray):
        return str(x._tensor.device)
    if isinstance(x, dict):
        return next(filter(None, map(_device_in, x.values())), "")
    if isinstance(x, (list, tuple)):
        return _device_in(x[0]) if x else ""
    return _mark(x)


_PLAIN = frozenset({type(None), bool, int, float, str, numpy.ndarray})


def _taking(theirs: Callable[..., Any], place: int) -> Any:
    """A method that takes data as its argument at a place after ``self``, or the last one."""

    what = crossings.public_name(theirs.__module__, theirs.__qualname__)

    @wraps(theirs)
    def take(self: object, *args: object, **kwargs: object) -> Any:
        data = args[place] if len(args) > place else kwargs.get("data", kwargs.get("value"))
        device = "" if type(data) in _PLAIN else _device_in(data)
        if not device:
            return theirs(self, *args, **kwargs)
        args = tuple([_on_the_host(x, what) for x in args])
        result = theirs(self, *args, **{k: _on_the_host(x, what) for k, x in kwargs.items()})
        object.__setattr__(self, MARK, device)
        return result

    return pass_over(take)


def _on_the_host(x: object, what: str) -> Any:
    """An argument that is copied once: pandas asks for a frame's data row by row."""
    if isinstance(x, AnyArray) or type(x) is dict:
        return exchange.to_host(x, what)
    return x


def _giving(theirs: Callable[..., Any], what: str) -> Any:
    """A method that gives an array: ours for the program, where the object has a mark."""

    @wraps(theirs)
    def give(self: object, *args: object, **kwargs: object) -> Any:
        values = theirs(self, *args, **kwargs)
        mark = _mark(self)
        if not mark or type(values) is not numpy.ndarray:
            return values
        if not crossings.is_programs(sys._getframe(1)):
            return values
        made = exchange.back(values, torch.device(mark), what)
        if type(made) is ndarray and not values.flags.writeable:
            return read_only(made)
        return made

    return pass_over(give)


def _change_functions(pandas: ModuleType) -> None:
    for name in _FUNCTIONS:
        theirs = getattr(pandas, name, None)
        if callable(theirs):
            setattr(pandas, name, _function(theirs, f"pandas.{name}"))


def _function(theirs: Callable[..., Any], what: str) -> Any:
    """A function of an array: it gives arrays of ours for one of ours."""

    @wraps(theirs)
    def call(*args: object, **kwargs: object) -> Any:
        device = exchange.device_of((args[:1], kwargs)) if _holds_array(args, kwargs) else None
        if device is None:
            return theirs(*args, **kwargs)
        args, kwargs = exchange.to_host(args, what), exchange.to_host(kwargs, what)
        return exchange.back(theirs(*args, **kwargs), device, what)

    return pass_over(call)


def _holds_array(args: tuple[object, ...], kwargs: dict[str, object]) -> bool:
    return any(isinstance(x, AnyArray) for x in (*args, *kwargs.values()))
