"""What a buffered ``nditer`` shows: runs of elements, each as one view or one copy.

A run goes through whole inner axes (the *core*) and through as many cores as fit into the buffer.
An operand whose elements have a single stride, and that needs no cast, is shown as a view. Other
operands are shown as a copy, which is written back when the run ends. If several steps write to
the same element, a run ends with the axes on which one stride reaches all elements, so that no
element occurs in it twice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from xp_torch._kernels.manipulation import flip
from xp_torch._kernels.unsigned import as_signed

from .._array.ndarray import ndarray
from .._kernels.casting import cast
from .axes import Axis, offset_of, single_step
from .operand import Operand

USUAL_SIZE = 8192


class Plan:
    """How the axes are divided into runs, and which operands are copied."""

    def __init__(
        self, operands: Sequence[Operand], axes: Sequence[Axis], size: int, grow: bool
    ) -> None:
        self._operands = operands
        self._axes = axes
        self._set(*self._cut(size))
        if grow and axes:
            outer = self._one_stride(range(len(operands))) - 1
            if math.prod(axis.size for axis in axes[: outer + 1]) >= size:
                found = self.outer, self.rows
                self._set(outer, axes[outer].size)
                if None in self.steps:
                    self._set(*found)

    def _set(self, outer: int, rows: int) -> None:
        """Make a run ``rows`` times the axes before ``outer``."""
        self.outer = outer
        self.core = math.prod(axis.size for axis in self._axes[:outer])
        self.rows = rows
        self.spanned = self._axes[: outer + (outer < len(self._axes) and (rows > 1 or not outer))]
        self.steps = [self._step(i) for i in range(len(self._operands))]

    def _step(self, number: int) -> int | None:
        """The stride through a run of an operand that is shown as a view; ``None`` for a copy."""
        op = self._operands[number]
        step = single_step(self.spanned, number)
        return None if op.casts or ("contig" in op.flags and step != 1) else step

    def _one_stride(self, numbers: Sequence[int]) -> int:
        """How many inner axes some operands go through with one stride each."""
        count = min(1, len(self._axes))
        while count < len(self._axes) and all(
            single_step(self._axes[: count + 1], i) is not None for i in numbers
        ):
            count += 1
        return count

    def _cut(self, size: int) -> tuple[int, int]:
        """The number of axes in the core, and of cores in a run.

        The choice gives the longest runs, weighed against the copies that each needs.
        """
        axes = self._axes
        reductions = [i for i, op in enumerate(self._operands) if op.reduces]
        free = self._one_stride(reductions) if reductions else len(axes)
        best, found = 0.0, (0, size)
        outer, core = 0, 1
        while outer < len(axes):
            rows = min(size // core, axes[outer].size) if outer < free else 1
            self._set(outer, rows)
            worth = core * rows / (1 + self.steps.count(None))
            if worth >= best:
                best, found = worth, (outer, rows)
            core *= axes[outer].size
            if outer >= free or core >= size:
                break
            outer += 1
        return found

    def length(self, position: int, end: int) -> int:
        """How many elements the run at ``position`` has."""
        if not self._axes:
            return end - position
        within = position % self.core
        if within:
            return min(self.core - within, end - position)
        size = self._axes[self.outer].size
        rows = min(self.rows, size - position // self.core % size)
        return min(self.core * rows, end - position)


class Run:
    """Consecutive elements of every operand."""

    def __init__(self, plan: Plan, starts: Sequence[int], position: int, length: int) -> None:
        self._operands = plan._operands
        self._axes = plan._axes
        self._plan = plan
        self._starts = starts
        self.position = position
        self.length = length
        self._copies = {
            number: self._copy_of(number) for number, step in enumerate(plan.steps) if step is None
        }

    def _shared(self, number: int) -> bool:
        """Whether all elements of the run are the same element."""
        op = self._operands[number]
        kept = op.reduces or "contig" not in op.flags
        return kept and single_step(self._plan.spanned, number) == 0

    def _count(self, number: int) -> int:
        return 1 if self._shared(number) else self.length

    def _copy_of(self, number: int) -> Tensor:
        op = self._operands[number]
        found = self._read(number)
        if op.dtype is None or not op.casts:
            return found.clone()
        return cast(found, op.dtype).contiguous()

    def _offsets(self, number: int) -> Tensor:
        """The offset in the storage of each element."""
        device = self._operands[number].forward.device
        count = torch.arange(self.position, self.position + self._count(number), device=device)
        offsets = torch.full_like(count, self._starts[number])
        for axis in self._axes:
            offsets += count % axis.size * axis.strides[number]
            count = count // axis.size
        return offsets

    def _storage(self, number: int) -> Tensor:
        """The whole memory of an operand, as one axis."""
        forward = self._operands[number].forward
        size = forward.untyped_storage().nbytes() // forward.itemsize
        flat = forward.as_strided((size,), (1,), 0)
        return as_signed(flat)  # torch can write by index only to signed integers

    def _line(self, number: int) -> tuple[Tensor, bool] | None:
        """The elements as a view of the operand, and whether the view is reversed."""
        step = single_step(self._plan.spanned, number)
        if step is None:
            return None
        count, offset = self._count(number), self.offset_in(number)
        if step < 0:
            offset += step * (count - 1)
        line = self._operands[number].forward.as_strided((count,), (abs(step),), offset)
        return line, step < 0

    def _read(self, number: int) -> Tensor:
        """The elements; perhaps a view of them."""
        found = self._line(number)
        if found is not None:
            return flip(found[0], (0,)) if found[1] else found[0]
        values = self._storage(number)[self._offsets(number)]
        return values.view(self._operands[number].forward.dtype)

    def _write(self, number: int, values: Tensor) -> None:
        found = self._line(number)
        if found is not None:
            found[0].copy_(flip(values, (0,)) if found[1] else values)
            return
        flat = self._storage(number)
        flat[self._offsets(number)] = values.view(flat.dtype)

    def write_back(self, mask: int | None) -> None:
        """Write copies to their operands; of a masked one only what operand ``mask`` selects."""
        for number, copy in self._copies.items():
            op = self._operands[number]
            if op.written:
                values = cast(copy, op.forward.dtype)
                if mask is not None and "writemasked" in op.flags:
                    chosen = self._values(mask).ne(0)[: self._count(number)]
                    values = torch.where(chosen, values, self._read(number))
                self._write(number, values)

    def _values(self, number: int) -> Tensor:
        found = self._copies.get(number)
        return self._read(number) if found is None else found

    def offset_in(self, number: int) -> int:
        """The offset in an operand's storage at which the run starts."""
        return self._starts[number] + offset_of(self._axes, number, self.position)

    def elements(self, number: int, start: int, stop: int) -> Sequence[Tensor] | None:
        """The copies of some elements, each a 0-D view; ``None`` for an operand without copies."""
        copy = self._copies.get(number)
        if copy is None:
            return None
        if self._shared(number):
            return [copy[0]] * (stop - start)
        part = copy[start - self.position : stop - self.position]
        if part.requires_grad:  # torch forbids writes to views that were made together
            return [part[i] for i in range(stop - start)]
        return part.unbind()

    def all_of(self, number: int) -> ndarray:
        """The elements of the run as one axis."""
        op = self._operands[number]
        copy = self._copies.get(number)
        if copy is None:
            step = self._plan.steps[number] or 0
            return op.along(self.offset_in(number), (self.length,), (step,))
        return op.show_copy(copy.as_strided((self.length,), (0,)) if self._shared(number) else copy)
