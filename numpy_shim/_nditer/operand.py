"""One operand of ``nditer``: an array, its flags and how the iterator goes through it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
import torch
from torch import Tensor

from .._array import views
from .._array.ndarray import array_of, ndarray
from .._convert.arguments import as_tensor, assign
from .._convert.host_dtypes import is_host_target
from .._core.dtypes import HostDtypeError
from .._kernels.casting import cast
from .flags import Flags


class Operand:
    """An array with its flags; an operand that is not allocated yet has no array.

    Strides and offsets count elements of the storage.
    """

    __slots__ = ("array", "axes", "dtype", "flags", "forward", "own", "owner", "read", "reduces",
                 "replaced", "shape", "shown", "start", "steps", "written")  # fmt: skip

    array: ndarray
    forward: Tensor  # the array's memory as a tensor that runs forward
    shape: Sequence[int]
    steps: Sequence[int]
    start: int  # the offset of the first element

    def __init__(self, given: Any, flags: Flags, device: Any) -> None:
        self.flags = flags
        self.read = "writeonly" not in flags
        self.written = "readonly" not in flags
        self.axes: list[int] = []  # its axis for each axis of the iterator in C order, or -1
        self.dtype: torch.dtype | None = None  # of the values that the loop sees
        self.reduces = False
        self.replaced: ndarray | None = None  # the array that a copy is written back to
        self.own = given is None
        if given is None:
            self.shape = self.steps = ()
            self._check_missing()
        else:
            self.hold(self._array_of(given, device))

    def _check_missing(self) -> None:
        if "allocate" not in self.flags:
            raise ValueError(
                "nditer: Iterator operand was NULL, but neither the ALLOCATE nor the VIRTUAL flag "
                "was specified"
            )
        if not self.written:
            raise ValueError(
                "nditer: Automatic allocation was requested for an iterator operand, but it "
                "wasn't flagged for writing"
            )

    def _array_of(self, given: Any, device: Any) -> ndarray:
        if type(given) is ndarray:
            if self.written and not views.is_writeable(given):
                raise ValueError("nditer: operand array with iterator write flag set is read-only")
            return given
        if self.written:
            if isinstance(given, numpy.ndarray) or is_host_target(given):
                raise HostDtypeError("nditer: an operand is NumPy's")
            raise TypeError(
                "nditer: Iterator operand is flagged as writeable, but is an object which cannot "
                "be written back to via WRITEBACKIFCOPY"
            )
        return array_of(as_tensor("nditer", given, "op", device))

    def hold(self, array: ndarray) -> None:
        """Go through ``array``."""
        self.array = array
        self.forward, flips = views.forward_of(array)
        self.shape = self.forward.shape
        self.start = int(self.forward.storage_offset())
        steps = self.forward.stride()
        if flips:
            self.start += sum(steps[i] * (self.shape[i] - 1) for i in flips)
            steps = tuple([-s if i in flips else s for i, s in enumerate(steps)])
        self.steps = steps
        self.shown = array if self.written else views.read_only(array)
        """The array that the values are views of."""
        self.owner = getattr(array, "_base", array)

    @property
    def missing(self) -> bool:
        """Whether the array is still to be made."""
        return self.own and not hasattr(self, "array")

    @property
    def casts(self) -> bool:
        """Whether the values have another dtype than the array."""
        return self.forward.dtype is not self.dtype

    def strides_along(self) -> list[int]:
        """The stride along each of the iterator's axes in C order, 0 where it is broadcast."""
        sizes, steps = self.shape, self.steps
        if self.missing:
            return [0] * len(self.axes)
        return [0 if axis < 0 or sizes[axis] == 1 else steps[axis] for axis in self.axes]

    def replace(self, strides: Sequence[int]) -> None:
        """Go through a copy in the dtype of the values, laid out with ``strides``.

        Writes to the copy reach the array when the copy is written back. The array is locked until
        then.
        """
        before = self.array
        made = torch.empty_strided(
            tuple(self.shape), tuple(strides), dtype=self.dtype, device=self.forward.device
        )
        made.copy_(cast(before._tensor, made.dtype))
        if self.written:
            self.replaced = before
            views.set_writeable(before, False)
        self.hold(array_of(made))

    def put_back(self) -> None:
        """Write a copy to the array it was made of."""
        if self.replaced is not None:
            views.set_writeable(self.replaced, True)
            assign(self.replaced, self.array._tensor)
            self.replaced = None

    def elements(self, offset: int, count: int, step: int) -> Sequence[Tensor]:
        """The elements from ``offset`` on, each a 0-D view."""
        t = self.forward
        if t.requires_grad:  # torch forbids writes to views that were made together
            return [t.as_strided((), (), offset + i * step) for i in range(count)]
        if step < 0:
            return t.as_strided((count,), (-step,), offset + step * (count - 1)).unbind()[::-1]
        return t.as_strided((count,), (step,), offset).unbind()

    def show(self, element: Tensor) -> ndarray:
        """A view of one element as an array."""
        out = array_of(element) if self.written else views.locked(element)
        out._base = self.owner
        return out

    def show_copy(self, values: Tensor) -> ndarray:
        """Values outside the array as an array, locked if the operand is only read."""
        return array_of(values) if self.written else views.locked(values)

    def along(self, offset: int, shape: Sequence[int], steps: Sequence[int]) -> ndarray:
        """The view with this shape and these strides whose first element is at ``offset``."""
        flips = [i for i, s in enumerate(steps) if s < 0]
        offset += sum(steps[i] * (shape[i] - 1) for i in flips) if all(shape) else 0
        view = self.forward.as_strided(tuple(shape), tuple([abs(s) for s in steps]), offset)
        return views.make(self.shown, view, flips)
