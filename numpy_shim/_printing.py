"""Printing: NumPy's own, on a copy of the values on the host."""

from __future__ import annotations

from typing import Any

import numpy

from ._ndarray import ndarray


def host(a: ndarray) -> numpy.ndarray[Any, Any]:
    """The values as a real NumPy array, without a gradient; a copy from a device."""
    tensor = a._tensor.detach().resolve_conj().resolve_neg().cpu()
    return tensor.numpy()


def array_repr(a: ndarray) -> str:
    """``repr`` as NumPy prints it."""
    return numpy.array_repr(host(a))


def array_str(a: ndarray) -> str:
    """``str`` as NumPy prints it."""
    return numpy.array_str(host(a))


ndarray.__repr__ = array_repr  # type: ignore[method-assign, assignment]
ndarray.__str__ = array_str  # type: ignore[method-assign, assignment]
