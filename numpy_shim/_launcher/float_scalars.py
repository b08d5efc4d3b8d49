"""Lets json and sqlite3 take scalars of a device as floats, as they take NumPy's.

``numpy.float64`` is a subclass of ``float``, and that is what the two ask for in C. A scalar that
stays on its device is none. So in a launched program it is read where they would refuse it, or
hand it to the program's own ``default``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import ModuleType
from typing import Any

import torch

from xp_torch._torch.patches import when_imported

from .._array.ndarray import SCALAR_TYPES
from .._host.exchange import replaced


def install() -> None:
    """Change json and sqlite3 when they are imported."""
    when_imported("json.encoder", _change_json)
    when_imported("sqlite3", _change_sqlite3)


def _change_json(encoder: ModuleType) -> None:
    cls = encoder.JSONEncoder
    init, iterencode = cls.__init__, cls.iterencode

    @wraps(init)
    def made(self: Any, *args: Any, default: Any = None, **kwargs: Any) -> None:
        init(self, *args, default=default and _reading(default), **kwargs)

    @wraps(iterencode)
    def encoded(self: Any, o: object, *args: object, **kwargs: object) -> Any:
        if self.indent is not None:  # in Python, by ``isinstance`` and ``float.__repr__``
            o = replaced(o, _number)
        return iterencode(self, o, *args, **kwargs)

    cls.__init__, cls.iterencode = made, encoded
    cls.default = _reading(cls.default)


def _number(x: object) -> Any:
    return float(x) if type(x) is SCALAR_TYPES[torch.float64] else x


def _reading(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """A function for values that json does not know, which is not asked for our float64."""

    @wraps(theirs)
    def default(*args: object) -> Any:
        number = _number(args[-1]) if args else None
        return number if type(number) is float else replaced(theirs(*args), _number)

    return default


def _change_sqlite3(sqlite3: ModuleType) -> None:
    sqlite3.register_adapter(SCALAR_TYPES[torch.float64], float)
