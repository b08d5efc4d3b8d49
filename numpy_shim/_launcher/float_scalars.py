"""Lets the standard library take scalars of a device as floats, as it takes NumPy's.

``numpy.float64`` is a subclass of ``float``, and that is what json, sqlite3, times and timeouts ask
for in C. A scalar that stays on its device is none. So in a launched program it is read where they
would refuse it, or hand it to the program's own ``default``. Classes in C (``decimal.Decimal``,
``datetime.timedelta``) cannot be changed: they want ``float(x)``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import ModuleType
from typing import Any

import torch

from xp_torch._torch.patches import when_imported

from .._array.ndarray import SCALAR_TYPES, ndarray
from .replacing import replace, replace_in

_GIVEN = {
    "os": ("utime",),
    "select": ("select",),
    "signal": ("setitimer",),
    "socket": ("create_connection", "setdefaulttimeout", "socket.settimeout"),
    "threading": ("Condition.wait", "Thread.join"),
    "time": ("ctime", "gmtime", "localtime", "sleep"),
}
"""What is given floats, by module: functions, and methods of classes."""


def install() -> None:
    """Change each module when it is imported."""
    when_imported("json.encoder", _change_json)
    when_imported("sqlite3", _change_sqlite3)
    when_imported("statistics", lambda statistics: replace(statistics, "_coerce", _coercing))
    replace_in(_GIVEN, _taking_floats)


def _taking_floats(theirs: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(theirs)
    def call(*args: object, **kwargs: object) -> Any:
        return theirs(*map(_numbers, args), **{key: _number(x) for key, x in kwargs.items()})

    return call


def _change_json(encoder: ModuleType) -> None:
    cls = encoder.JSONEncoder
    init, iterencode = cls.__init__, cls.iterencode

    @wraps(init)
    def made(self: Any, *args: Any, default: Any = None, **kwargs: Any) -> None:
        init(self, *args, default=default and _reading(default), **kwargs)

    @wraps(iterencode)
    def encoded(self: Any, o: object, _one_shot: bool = False) -> Any:
        is_in_python = self.indent is not None or not _one_shot  # by ``float.__repr__``
        if is_in_python or self.skipkeys:
            return iterencode(self, _all_numbers(o), _one_shot)
        try:
            return iterencode(self, o, _one_shot)
        except TypeError as error:
            if not str(error).startswith("keys must be"):
                raise
        return iterencode(self, _all_numbers(o), _one_shot)

    cls.__init__, cls.iterencode = made, encoded
    cls.default = _reading(cls.default)


def _number(x: object) -> Any:
    return float(x) if type(x) is SCALAR_TYPES[torch.float64] else x


def _numbers(x: object) -> Any:
    return tuple(map(_number, x)) if type(x) is tuple else _number(x)


def _all_numbers(o: object) -> Any:
    """What json writes in the same way, with floats for our scalars, keys too."""
    try:
        return _replaced(o)
    except RecursionError:  # json has its own words for a list in itself
        return o


def _replaced(o: object) -> Any:
    if isinstance(o, dict):
        return {_number(key): _replaced(x) for key, x in o.items()}
    return [_replaced(x) for x in o] if isinstance(o, (list, tuple)) else _number(o)


def _reading(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """A function for values that json does not know, which is not asked for our float64."""

    @wraps(theirs)
    def default(*args: object) -> Any:
        number = _number(args[-1]) if args else None
        return number if type(number) is float else _all_numbers(theirs(*args))

    return default


def _change_sqlite3(sqlite3: ModuleType) -> None:
    """A float64 is a number, and what else has memory in NumPy is its bytes."""
    for cls in (ndarray, *SCALAR_TYPES.values()):
        sqlite3.register_adapter(cls, ndarray.tobytes)
    sqlite3.register_adapter(SCALAR_TYPES[torch.float64], float)


def _coercing(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """The function that chooses the class of a mean: NumPy's scalar for one of ours."""

    @wraps(theirs)
    def coerce(*types: type) -> Any:
        return theirs(*[getattr(cls, "_numpys", cls) for cls in types])

    return coerce
