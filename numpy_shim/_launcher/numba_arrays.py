"""Lets functions compiled by Numba take arrays of numpy_shim, and give them back.

Numba takes our class for NumPy's, and then cannot read it. So in a launched program a compiled
function gets NumPy's arrays: on the CPU the same memory, on a device a copy, which goes back to the
array where the function wrote to it.
"""

from __future__ import annotations

from functools import partial, wraps
from typing import Any

from xp_torch._torch.patches import when_imported

from .._host import exchange


def install() -> None:
    """Change Numba when it is imported."""
    when_imported("numba.core.dispatcher", lambda module: _change(module, "Dispatcher"))
    when_imported("numba.np.ufunc.dufunc", lambda module: _change(module, "DUFunc"))


def _change(module: object, name: str) -> None:
    cls = getattr(module, name, None)
    if not isinstance(cls, type):  # a later release of Numba
        return
    theirs: Any = cls.__call__

    @wraps(theirs)
    def called(self: Any, *args: object, **kwargs: object) -> Any:
        device = exchange.device_of((args, kwargs))
        if device is None:
            return theirs(self, *args, **kwargs)
        name = f"numba, {self.__name__}()"
        return exchange.call(partial(theirs, self), args, kwargs, device, name)

    cls.__call__ = called  # type: ignore[method-assign]
