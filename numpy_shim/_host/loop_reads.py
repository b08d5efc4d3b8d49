"""Elements of a device's array for loops of a launched program, and of libraries it calls.

An element on the device costs a loop an operator, or three, and so does each computation with it,
and each question about its value waits. So a loop gets NumPy's scalars: ``for x in a`` of copies of
blocks, ``a[i]`` of a copy that is made after some reads. Copies are made anew after a write to the
array, and counted as crossings; those that the program's own loops ask for are never refused.

On the device stay the elements of an array with a gradient, or that another library has through
DLPack, whose writes are not seen; those that code of ours, torch's and SciPy's reads; and one at a
constant index, as in ``a[0] = a[-2]``, of an array of more than a few elements.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import numpy
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._kernels.interchange import is_shared
from xp_torch._mesh.dtensors import is_distributed
from xp_torch._torch.internals import is_transformed

from .._array.host_view import to_numpy, without_view
from .._array.ndarray import ndarray
from .._base.scalar_types import FROM_PYTHON
from .._convert.to_numpy import is_never_copied
from .._kernels.backwards import forward_of, values
from . import crossings
from .program_text import has_varying_index

_WITH_ARRAYS = frozenset({"numpy_shim", "xp_torch", "torch", "numpy", "scipy"})
"""Packages whose code computes with arrays of a device, and with their elements there."""

_FIRST, _LARGEST = 2**12, 2**20
"""The elements of the first block, of which a loop may take one only, and of the largest."""

_MANY = 16
"""Reads between two writes after which all elements are copied, of an array that is not large."""

_SMALL = 64
"""The elements of a vector of parameters or a state: all are copied at once."""


def elements(a: ndarray) -> Iterator[Any] | None:
    """All elements, for the loop that called the caller; ``None`` if they stay on the device."""
    t, mode = a._tensor, crossings.mode()
    if is_compiling() or not mode or _has_none(t) or _is_followed(t):
        return None
    frame = sys._getframe(2)
    if crossings.is_programs(frame):
        return _each(t, "iter()", True)
    package = str(frame.f_globals.get("__name__")).partition(".")[0]
    if package in _WITH_ARRAYS or mode == "error" or is_never_copied():
        return None
    return _each(t, "__iter__", False)


def _has_none(t: Tensor) -> bool:
    """Whether a tensor has no values to copy, or tells of no write."""
    return t.is_cpu or t.is_meta or t.is_inference() or is_distributed(t)


def _is_followed(t: Tensor) -> bool:
    """Whether something must see each operation on a tensor, or others may write to it."""
    return t.requires_grad or is_transformed() or is_shared(t)


def _each(t: Tensor, what: str, of_program: bool) -> Iterator[Any]:
    """The elements: of growing blocks, anew after a write."""
    memory = forward_of(t)[0]
    first, size = 0, _FIRST
    while first < t.numel():
        version = memory._version
        for x in _copied(values(t).reshape(-1)[first : first + size], what, of_program):
            yield x
            first += 1
            if memory._version != version:  # as in NumPy, the loop sees what was written
                break
        size = min(4 * size, _LARGEST)


class _Reads:
    """What was read of an array by single indices since the last write to it."""

    __slots__ = ("copy", "memory", "number", "tensor", "version")

    def __init__(self, tensor: Tensor) -> None:
        self.tensor, self.memory, self.number = tensor, forward_of(tensor)[0], 0
        self.version = self.memory._version
        self.copy: numpy.ndarray[Any, Any] | None = None


def element(a: ndarray, t: Tensor, key: Any) -> Any:
    """``a[key]`` for integers; ``None`` where it is no element, or one that stays on the device."""
    if is_compiling() or not crossings.mode():
        return None
    axes = len(key) if type(key) is tuple else 1
    reads: Any = a._host[4] if hasattr(a, "_host") else None
    if type(reads) is not _Reads or reads.tensor is not t or reads.memory._version != reads.version:
        if type(a) is not ndarray or t.dim() != axes or _has_none(t):
            return None
        reads = _Reads(t)
        a._host = without_view(reads)
    if _is_followed(t):
        return None
    if reads.copy is not None:
        return reads.copy[key] if axes == reads.copy.ndim else None
    frame = _reader(sys._getframe(1))
    if t.dim() != axes or not crossings.is_programs(frame):
        return None
    reads.number += 1
    size = t.numel()
    if size <= _SMALL or reads.number >= max(_MANY, size // _FIRST):
        reads.copy = _copied(values(t), "x[i]", True)
        return reads.copy[key]
    if has_varying_index(frame):
        try:
            return FROM_PYTHON[t.dtype](crossings.value(values(t)[key], "x[i]"))
        except IndexError:  # the common way says what is wrong
            return None
    return None


def _reader(frame: FrameType) -> FrameType:
    """The frame that has asked for an element."""
    while frame.f_back is not None and frame.f_globals["__name__"] == "numpy_shim._indexing.fast":
        frame = frame.f_back
    return frame


def _copied(t: Tensor, what: str, of_program: bool) -> numpy.ndarray[Any, Any]:
    return to_numpy(crossings.copied(t.resolve_conj().resolve_neg(), what, of_program))
