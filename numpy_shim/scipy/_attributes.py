"""Array attributes of SciPy's objects, for a program on a device: copies that may be written.

``matrix.data *= 2`` and ``d = matrix.data; d[:] = 1`` change the matrix, as they do where it shares
its memory. A copy goes back to SciPy's array when the object is used again, if it was written.
"""

from __future__ import annotations

from typing import Any

import numpy

from .._array.host_view import WRITEABLE
from .._array.ndarray import ndarray
from .._convert.arguments import assign
from .._convert.to_numpy import shared
from ._standing import Held
from ._values import Call, given


class _Copy:
    """A copy on the device of one of SciPy's arrays."""

    def __init__(self, name: str, array: ndarray, host: numpy.ndarray[Any, Any]) -> None:
        self.name, self.array, self.host = name, array, host
        self.version = array._tensor._version

    def write_back(self) -> None:
        """Give SciPy's array what was written to the copy."""
        version = self.array._tensor._version
        if version != self.version:
            self.host[...] = shared(f"scipy.{self.name}", self.array)
            self.version = version

    def refreshed(self, values: ndarray) -> ndarray:
        """The same copy with the values that SciPy's array has now."""
        assign(self.array, values._tensor, self.name)
        self.version = self.array._tensor._version
        return self.array


def given_attribute(held: Held, name: str, value: Any, call: Call) -> Any:
    """What an object of SciPy's has under a name, for the program."""
    made = given(value, call)
    if type(made) is not ndarray or type(value) is not numpy.ndarray or made._tensor.is_cpu:
        return made
    if not value.flags.num & WRITEABLE or made._tensor.is_inference():
        return made
    known = held._scipys_copies.get(name)
    if known is not None and known.host is value:
        return known.refreshed(made)
    held._scipys_copies[name] = _Copy(name, made, value)
    return made
