"""The state of an ``nditer``: its position, and the elements that it shows there."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor

from .._array.layout import order_of
from .._array.ndarray import ndarray
from .._convert.arguments import check_devices, device_of
from .axes import Axis, arranged, broadcast, coalesced, first_of, make, offset_of, size_of
from .buffers import USUAL_SIZE, Plan, Run
from .flags import Axes, Flags, global_flags, operand_axes, operand_dtypes, operand_flags
from .operand import Operand
from .prepare import (
    check_casts,
    check_flags,
    check_masks,
    check_shapes,
    overlapping,
    provide,
    resolve_dtypes,
)

Show = Callable[[Tensor], ndarray]
_FIRST, _MOST = 4, 1024


class Row:
    """Consecutive elements; each operand makes all their views in one call."""

    __slots__ = ("count", "items", "start", "stop")

    def __init__(self, start: int, stop: int, count: int) -> None:
        self.start = start
        self.stop = stop
        self.count = count  # how many it would have had, had there been more
        self.items: dict[int, tuple[Sequence[Tensor], Show]] = {}


class Walk:
    """A way through operands, and the current position.

    The position counts elements in the order of iteration.
    """

    def __init__(
        self,
        operands: list[Operand],
        axes: list[Axis],
        shape: Sequence[int],
        flags: Flags,
        buffer_size: int,
    ) -> None:
        self.operands = operands
        self.axes = axes
        self.shape = list(shape)  # in the order of the multi-index
        self.flags = flags
        self.buffer_size = buffer_size if buffer_size > 0 else USUAL_SIZE
        self.origins = [op.start for op in operands]
        self.delayed = "delay_bufalloc" in flags and "buffered" in flags
        self.mask = next((i for i, op in enumerate(operands) if "arraymask" in op.flags), None)
        self.index_start = -sum(a.index_step * (a.size - 1) for a in axes if a.flipped)
        self._measure()
        if not self.has("multi_index"):
            self.axes = coalesced(axes)
        self._settle()

    def _measure(self) -> None:
        """Find the offsets of the first elements from those of the arrays."""
        self.shifts = [first_of(self.axes, i) for i in range(len(self.operands))]

    def _settle(self) -> None:
        """Compute the state that follows from the axes, and go to the start."""
        self.size = size_of(self.axes)
        self.first, self.end, self.position = 0, self.size, 0
        self.run: Run | None = None
        self._plan: Plan | None = None
        self._row: Row | None = None

    def has(self, flag: str) -> bool:
        """Whether a flag is set."""
        return flag in self.flags

    @property
    def has_index(self) -> bool:
        """Whether an index in C or Fortran order is tracked."""
        return "c_index" in self.flags or "f_index" in self.flags

    # positions

    def coordinates(self) -> list[int]:
        """The index of the position along each axis."""
        count, found = self.position, []
        for axis in self.axes:
            count, along = divmod(count, axis.size)
            found.append(along)
        return found

    def multi_index(self) -> tuple[int, ...]:
        """The index of the position along each of the original axes."""
        found = [0] * len(self.axes)
        for axis, along in zip(self.axes, self.coordinates(), strict=True):
            found[axis.original] = axis.size - 1 - along if axis.flipped else along
        return tuple(found)

    def position_at(self, multi_index: Sequence[int]) -> int:
        """The position of a multi-index that is within bounds."""
        position, count = 0, 1
        for axis in self.axes:
            along = multi_index[axis.original]
            position += count * (axis.size - 1 - along if axis.flipped else along)
            count *= axis.size
        return position

    def index(self) -> int:
        """The tracked index of the position."""
        steps = [axis.index_step for axis in self.axes]
        return self.index_start + sum(map(int.__mul__, steps, self.coordinates()))

    def position_of_index(self, index: int) -> int:
        """The position of a tracked index that is within bounds."""
        position = 0
        for number in sorted(
            range(len(self.axes)), key=lambda i: abs(self.axes[i].index_step), reverse=True
        ):
            axis = self.axes[number]
            if axis.index_step:
                along, index = divmod(index, abs(axis.index_step))
                along = axis.size - 1 - along if axis.index_step < 0 else along
                position += along * math.prod(a.size for a in self.axes[:number])
        return position

    # moving

    @property
    def stride(self) -> int:
        """How many elements a run has."""
        if self.has("buffered"):
            return self.current_run().length
        return self.axes[0].size if self.axes else 1

    def step(self) -> bool:
        """Advance; return whether elements are left."""
        stride = self.stride if self.has("external_loop") else 1
        self.go(min(self.position + stride, self.end))
        return self.position < self.end

    def go(self, position: int) -> None:
        """Go to a position; copies that are left behind are written back."""
        run = self.run
        if run is not None and not run.position <= position < run.position + run.length:
            self.write_back()
        self.position = position

    def write_back(self) -> None:
        """Write the copies of the current run to the operands, and forget them."""
        if self.run is not None:
            self.run.write_back(self.mask)
            self.run = self._row = None

    def limit(self, first: int, end: int) -> None:
        """Restrict the walk to a range of elements, and go to its first."""
        self.write_back()
        self.first, self.end, self.position = first, end, first

    def reset(self) -> None:
        """Go back to the start."""
        self.write_back()
        self.position = self.first
        self.delayed = False

    def current_run(self) -> Run:
        """The run at the position; made if it does not exist yet."""
        if self.run is None:
            plan = self.plan()
            self.run = Run(plan, self.starts(), self.position, plan.length(self.position, self.end))
        return self.run

    def plan(self) -> Plan:
        """How the axes are divided into runs."""
        if self._plan is None:
            self._plan = Plan(self.operands, self.axes, self.buffer_size, self.has("grow_inner"))
        return self._plan

    # values

    def starts(self) -> list[int]:
        """The offset of each operand's first element in its storage."""
        return [a + b for a, b in zip(self.origins, self.shifts, strict=True)]

    def offsets(self) -> list[int]:
        """The offset of each operand's current element in its storage."""
        return [self._offset(i, self.position) for i in range(len(self.operands))]

    def _offset(self, number: int, position: int) -> int:
        start = self.origins[number] + self.shifts[number]
        return start + offset_of(self.axes, number, position)

    def value(self, number: int) -> ndarray:
        """The values of an operand: an element, or a run of elements."""
        if self.has("external_loop"):
            return self._run_of(number)
        position, row = self.position, self._row
        if row is None or not row.start <= position < row.stop:
            row = self._row = self._next_row()
        found = row.items.get(number)
        if found is None:
            found = row.items[number] = self._elements(number, row)
        elements, show = found
        return show(elements[position - row.start])

    def _run_of(self, number: int) -> ndarray:
        if self.has("buffered"):
            return self.current_run().all_of(number)
        op, offset = self.operands[number], self._offset(number, self.position)
        if not self.axes:
            return op.along(offset, (1,), (0,))
        axis = self.axes[0]
        return op.along(offset, (axis.size,), (axis.strides[number],))

    def _next_row(self) -> Row:
        """Elements from the position on; more of them if the previous row was used up."""
        position, before = self.position, self._row
        if self.has("buffered"):
            run = self.current_run()
            stop = run.position + run.length
        else:
            size = self.axes[0].size if self.axes else 1
            stop = position - position % size + size
        count = _FIRST if before is None else min(2 * before.count, _MOST)
        return Row(position, min(stop, position + count), count)

    def _elements(self, number: int, row: Row) -> tuple[Sequence[Tensor], Show]:
        op = self.operands[number]
        step: int | None = self.axes[0].strides[number] if self.axes else 0
        if self.has("buffered"):
            copies = self.current_run().elements(number, row.start, row.stop)
            if copies is not None:
                return copies, op.show_copy
            step = self.plan().steps[number]
        start = self._offset(number, row.start)
        return op.elements(start, row.stop - row.start, step or 0), op.show

    def view(self, number: int) -> ndarray:
        """An operand with the axes of the iterator, outermost first."""
        axes = self.axes[::-1]
        start = self.origins[number] + self.shifts[number]
        steps = [axis.strides[number] for axis in axes]
        return self.operands[number].along(start, [axis.size for axis in axes], steps)

    # changing

    def copy(self) -> Walk:
        """Another walk at the same position."""
        twin = object.__new__(Walk)
        twin.__dict__.update(self.__dict__)
        twin.axes = [axis.copy() for axis in self.axes]
        twin.origins = list(self.origins)
        twin.shape = list(self.shape)
        twin.run = None
        twin._plan = None
        twin._row = None
        return twin

    def rebase(self, offsets: Sequence[int]) -> None:
        """Start at other offsets in every operand, for the inner of two loops."""
        self.write_back()
        self._row = None
        self.origins = list(offsets)
        self.position = self.first

    def drop_axis(self, number: int) -> None:
        """Remove an axis, staying at its first index."""
        self.axes = [axis for axis in self.axes if axis.original != number]
        del self.shape[number]
        for other in self.axes:
            other.original -= other.original > number
        self._measure()
        self._settle()

    def forget_multi_index(self) -> None:
        """Stop tracking the multi-index, and merge axes where possible."""
        if self.has("multi_index"):
            self.flags -= {"multi_index"}
            self.axes = coalesced(self.axes)
            self._again()

    def show_runs(self) -> None:
        """Show as many elements at once as possible."""
        self.flags |= {"external_loop"}
        self._again()

    def _again(self) -> None:
        """Go to the start after a change of mode."""
        self.write_back()
        self._plan = None
        self._row = None
        self.position = self.first

    def close(self) -> None:
        """Write all copies back."""
        self.write_back()
        for op in self.operands:
            op.put_back()


def walk(
    op: Any, flags: Any, op_flags: Any, op_dtypes: Any, order: Any, casting: Any, op_axes: Any,
    itershape: Any, buffersize: Any,
) -> Walk:  # fmt: skip
    """The walk that the arguments of ``nditer`` describe."""
    given = list(op) if isinstance(op, (list, tuple)) else [op]
    if not given:
        raise ValueError("nditer: Must provide at least one operand")
    wanted = global_flags(flags)
    axes_given: Axes = operand_axes(op_axes, len(given))
    shape_given = None if itershape is None else [operator.index(n) for n in itershape]
    order = order_of("nditer", order, "K")
    device = device_of(*given)
    operands = [
        Operand(x, f, device) for x, f in zip(given, operand_flags(op_flags, given), strict=True)
    ]
    check_devices("nditer", [o.forward for o in operands if not o.missing])
    check_flags(operands, wanted)
    shape = broadcast(operands, axes_given, shape_given)
    custom = [axes_given is not None and axes_given[i] is not None for i in range(len(operands))]
    check_shapes(operands, shape, custom, "reduce_ok" in wanted)
    if not math.prod(shape) and "zerosize_ok" not in wanted:
        raise ValueError("nditer: Iteration of zero-sized operands is not enabled")
    axes = arranged(make(shape, operands, wanted), order, operands)
    size_of(axes)
    buffered = "buffered" in wanted
    resolve_dtypes(operands, operand_dtypes(op_dtypes, len(operands)), "common_dtype" in wanted)
    check_casts(operands, casting, buffered)
    check_masks(operands, axes, buffered)
    provide(operands, axes, shape, overlapping(operands) if "copy_if_overlap" in wanted else set())
    if not buffered:
        _check_contiguous(operands, axes)
    return Walk(operands, axes, shape, wanted, operator.index(buffersize))


def _check_contiguous(operands: Sequence[Operand], axes: Sequence[Axis]) -> None:
    for number, op in enumerate(operands):
        if "contig" in op.flags and (not axes or axes[0].strides[number] != 1):
            raise TypeError(
                "nditer: Iterator operand required buffering, to be contiguous as requested, but "
                "buffering is not enabled"
            )
