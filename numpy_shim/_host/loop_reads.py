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

SMALL = 64
"""The elements of a vector of parameters or a state: all are copied at once."""


def elements(a: ndarray) -> Iterator[Any] | None:
    """All elements, for the loop that called the caller; ``None`` if they stay on the device."""
    t, mode = a._tensor, crossings.mode()
    if is_compiling() or not mode or _has_none(t) or _is_followed(t):
        return None
    frame = sys._getframe(2)
    if crossings.is_programs(frame):
        return _each(a, t, "iter()", True)
    package = str(frame.f_globals.get("__name__")).partition(".")[0]
    if package in _WITH_ARRAYS or mode == "error" or is_never_copied():
        return None
    return _each(a, t, "__iter__", False)


def _has_none(t: Tensor) -> bool:
    """Whether a tensor has no values to copy, or tells of no write."""
    return t.is_cpu or t.is_meta or t.is_inference() or is_distributed(t)


def _is_followed(t: Tensor) -> bool:
    """Whether something must see each operation on a tensor, or others may write to it."""
    return t.requires_grad or is_transformed() or is_shared(t)


def _each(a: ndarray, t: Tensor, what: str, of_program: bool) -> Iterator[Any]:
    """The elements: of growing blocks, anew after a write."""
    memory = forward_of(t)[0]
    first, size = 0, _FIRST
    while first < t.numel():
        reads = reads_of(a)
        if reads is not None and reads.copy is not None and reads.is_right():
            yield reads.copy.reshape(-1)[first]  # the loop writes to it
            first += 1
            continue
        version = memory._version
        if t.numel() <= _FIRST:
            block = _copied(values(t), what, of_program).reshape(-1)[first:]
        else:
            block = _copied(values(t).reshape(-1)[first : first + size], what, of_program)
        for x in block:
            yield x
            first += 1
            if memory._version != version:  # as in NumPy, the loop sees what was written
                break
        size = min(4 * size, _LARGEST)


class Reads:
    """What was read and written of an array by single indices since any other write to it."""

    __slots__ = ("copy", "host", "memory", "number", "tensor", "version", "waits", "written")

    def __init__(self, tensor: Tensor) -> None:
        self.tensor, self.memory, self.number = tensor, forward_of(tensor)[0], 0
        self.version = self.memory._version
        self.copy: numpy.ndarray[Any, Any] | None = None
        self.host: Tensor | None = None
        """The tensor of the copy."""
        self.waits = False
        """Whether the copy has what is not on the device yet, see ``loop_writes``."""
        self.written = 0

    def is_right(self) -> bool:
        """Whether nothing else has written to the array."""
        return self.waits or self.memory._version == self.version

    def make_copy(self) -> numpy.ndarray[Any, Any]:
        """Copy all elements to the host."""
        self.host = _on_host(values(self.tensor), "x[i]", True)
        self.version = self.memory._version  # what waited is on the device now
        self.copy = to_numpy(self.host)
        return self.copy


def reads_of(a: ndarray) -> Reads | None:
    """What is kept of an array, right or not; ``None`` where there is nothing."""
    reads: Any = a._host[4] if hasattr(a, "_host") else None
    return reads if type(reads) is Reads and reads.tensor is a._tensor else None


def reads_for(a: ndarray, t: Tensor, key: Any) -> Reads | None:
    """What is kept of an array, begun anew where it is not right.

    ``None`` where a key is of no element, or the elements stay on the device.
    """
    axes = count_axes(key)
    reads = reads_of(a)
    if reads is None or not reads.is_right():
        if type(a) is not ndarray or t.dim() != axes or _has_none(t):
            return None
        reads = Reads(t)
        a._host = without_view(reads)
    if _is_followed(t) or (axes != t.dim() if reads.copy is None else axes != reads.copy.ndim):
        return None
    return reads


def element(a: ndarray, t: Tensor, key: Any) -> Any:
    """``a[key]`` for integers; ``None`` where it is no element, or one that stays on the device."""
    reads = reads_of(a)
    if reads is not None and reads.waits and reads.copy is not None:
        return reads.copy[key] if reads.copy.ndim == count_axes(key) else None
    if is_compiling() or not crossings.mode():
        return None
    reads = reads_for(a, t, key)
    if reads is None:
        return None
    if reads.copy is not None:
        return reads.copy[key]
    frame = program_frame(sys._getframe(1))
    if frame is None:
        return None
    reads.number += 1
    if is_often(reads):
        return reads.make_copy()[key]
    if has_varying_index(frame):
        try:
            return FROM_PYTHON[t.dtype](crossings.value(values(t)[key], "x[i]"))
        except IndexError:  # the common way says what is wrong
            return None
    return None


def count_axes(key: Any) -> int:
    """How many axes integers select from."""
    return len(key) if type(key) is tuple else 1


def is_often(reads: Reads, small: int = 1) -> bool:
    """Whether all elements are to be copied; of a small array after so many accesses."""
    size = reads.tensor.numel()
    if size <= SMALL:
        return reads.number >= small
    return reads.number >= max(_MANY, size // _FIRST)


def program_frame(frame: FrameType | None) -> FrameType | None:
    """The frame that has asked for an element, or writes one, if it is the program's."""
    while frame is not None and str(frame.f_globals["__name__"]).startswith("numpy_shim._"):
        if frame.f_globals["__name__"] not in _OF_INDEXING:
            return None
        frame = frame.f_back
    return frame if frame is not None and crossings.is_programs(frame) else None


_OF_INDEXING = frozenset({
    "numpy_shim._indexing.fast", "numpy_shim._indexing.fast_writes", "numpy_shim._host.loop_writes",
})  # fmt: skip


def _on_host(t: Tensor, what: str, of_program: bool) -> Tensor:
    return crossings.copied(t.resolve_conj().resolve_neg(), what, of_program)


def _copied(t: Tensor, what: str, of_program: bool) -> numpy.ndarray[Any, Any]:
    return to_numpy(_on_host(t, what, of_program))
