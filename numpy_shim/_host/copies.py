"""Copies on a device of a library's arrays, which the program may write.

``matrix.data *= 2`` and ``d = matrix.data; d[:] = 1`` change a library's object, as they do where
the program has its memory. A copy is kept with the library's array, and is written back before the
library uses the object again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy

from .._array.host_view import WRITEABLE
from .._array.ndarray import ndarray
from .._convert.arguments import assign
from .._convert.to_numpy import shared


class DeviceCopy:
    """A copy on the device of one array of a library; ``what`` is its full name, for reports."""

    def __init__(self, what: str, array: ndarray, host: numpy.ndarray[Any, Any]) -> None:
        self.what, self.array, self.host = what, array, host
        self.version = array._tensor._version

    def write_back(self) -> None:
        """Give the library's array what was written to the copy."""
        version = self.array._tensor._version
        if version != self.version:
            self.host[...] = shared(self.what, self.array)
            self.version = version

    def refreshed(self, values: ndarray) -> ndarray:
        """The same copy with the values that the library's array has now."""
        assign(self.array, values._tensor, self.what)
        self.version = self.array._tensor._version
        return self.array


def write_back(copies: Iterable[DeviceCopy]) -> None:
    """Write to a library's arrays what their copies have."""
    for copy in copies:
        copy.write_back()


def keep_copy(copies: dict[str, DeviceCopy], name: str, what: str, made: Any, host: Any) -> Any:
    """The copy of an attribute: the one in ``copies``, or ``made``, which is kept there.

    What needs no writing back stays ``made``: memory that is the library's own, read-only arrays.
    """
    if type(made) is not ndarray or type(host) is not numpy.ndarray or made._tensor.is_cpu:
        return made
    if not host.flags.num & WRITEABLE or made._tensor.is_inference():
        return made
    known = copies.get(name)
    if known is not None and known.host is host:
        return known.refreshed(made)
    copies[name] = DeviceCopy(what, made, host)
    return made
