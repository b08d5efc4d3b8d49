"""The axes that ``nditer`` goes along: broadcast, ordered, reversed and merged.

The innermost axis comes first. A stride counts elements of its operand; it is 0 where the operand
is broadcast.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .._array.layout import innermost_first
from .._core.axes import MAX_SIZE
from .flags import Axes, Flags
from .operand import Operand


class Axis:
    """One axis of the iterator."""

    __slots__ = ("flipped", "index_step", "original", "size", "strides")

    def __init__(self, size: int, strides: list[int], index_step: int, original: int) -> None:
        self.size = size
        self.strides = strides
        self.index_step = index_step  # how far a step moves the tracked index
        self.original = original  # which axis of the multi-index, counted from the first
        self.flipped = False  # whether the iterator runs against that axis

    def copy(self) -> Axis:
        """A copy of the axis for another iterator, which may merge it."""
        twin = Axis(self.size, list(self.strides), self.index_step, self.original)
        twin.flipped = self.flipped
        return twin

    def turn(self) -> None:
        """Reverse the axis."""
        self.flipped = not self.flipped
        self.strides = [-s for s in self.strides]
        self.index_step = -self.index_step


def broadcast(
    operands: Sequence[Operand], op_axes: Axes, itershape: Sequence[int] | None
) -> tuple[int, ...]:
    """The shape of the iteration; also maps each of its axes to an axis of each operand."""
    ndim = max((len(op.shape) for op in operands), default=0)
    if op_axes is not None:
        ndim = next(len(axes) for axes in op_axes if axes is not None)
        if itershape is not None and len(itershape) != ndim:
            raise ValueError(
                "nditer: 'op_axes' and 'itershape' must have the same number of entries equal to "
                "the iterator ndim"
            )
    elif itershape is not None:
        ndim = len(itershape)
    for number, op in enumerate(operands):
        axes = None if op_axes is None else op_axes[number]
        op.axes = _default_axes(op, ndim) if axes is None else _checked(number, op, axes)
    shape = [1] * ndim if itershape is None else [1 if n < 0 else n for n in itershape]
    fixed = [itershape is not None and itershape[i] >= 0 for i in range(ndim)]
    for op in operands:
        if op.missing:
            continue
        for loop_axis, axis in enumerate(op.axes):
            size = 1 if axis < 0 else op.shape[axis]
            if size == 1 or size == shape[loop_axis]:
                continue
            if shape[loop_axis] != 1 or fixed[loop_axis]:
                raise ValueError(_not_broadcastable(operands, op_axes is not None, itershape))
            shape[loop_axis] = size
    return tuple(shape)


def _default_axes(op: Operand, ndim: int) -> list[int]:
    if op.missing:
        return list(range(ndim))
    own = len(op.shape)
    if own > ndim:
        raise ValueError(
            "nditer: input operand has more dimensions than allowed by the axis remapping"
        )
    return [-1] * (ndim - own) + list(range(own))


def _checked(number: int, op: Operand, axes: list[int]) -> list[int]:
    used: set[int] = set()
    for loop_axis, axis in enumerate(axes):
        if axis < 0:
            continue
        if op.missing and axis >= len(axes):
            raise ValueError(
                "nditer: automatically allocated output array specified with an inconsistent axis "
                f"mapping; the axis mapping cannot include dimension {axis} which is too large "
                f"for the iterator dimension of {len(axes)}."
            )
        if not op.missing and axis >= len(op.shape):
            raise ValueError(
                f"nditer: Iterator input op_axes[{number}][{loop_axis}] (=={axis}) is not a valid "
                f"axis of op[{number}], which has {len(op.shape)} dimensions"
            )
        if axis in used:
            raise ValueError(
                "nditer: The 'op_axes' provided to the iterator constructor for operand "
                f"{number} contained duplicate value {axis}"
            )
        used.add(axis)
    return axes


def _listed(shape: Sequence[Any]) -> str:
    """A shape as NumPy writes it in messages."""
    return f"({','.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


def _not_broadcastable(operands: Sequence[Operand], remapped: bool, itershape: Any) -> str:
    shapes = []
    for op in operands:
        if not op.missing:
            text = _listed(op.shape)
            if remapped:
                text += "->" + _listed(["newaxis" if a < 0 else op.shape[a] for a in op.axes])
            shapes.append(text)
    kind = "remapped shapes [original->remapped]:" if remapped else "shapes"
    wanted = "" if itershape is None else f" and requested shape {_listed(itershape)}"
    return (
        f"nditer: operands could not be broadcast together with {kind} {' '.join(shapes)}{wanted}"
    )


def check_broadcast(shape: Sequence[int], op: Operand, custom: bool, reduce_ok: bool) -> None:
    """Find out whether an operand is a reduction; ``ValueError`` where its flags forbid it.

    ``custom`` says that the user gave its axes, so that a new axis does not broadcast.
    """
    for loop_axis, size in enumerate(shape):
        axis = op.axes[loop_axis]
        fits = axis >= 0 and (op.missing or op.shape[axis] == size)
        if not fits and "no_broadcast" in op.flags and not op.missing and not (custom and axis < 0):
            raise ValueError(
                f"nditer: non-broadcastable operand with shape {_listed(op.shape)} doesn't match "
                f"the broadcast shape {_listed(shape)}"
            )
        if fits or size == 1 or not op.written:
            continue
        if not reduce_ok:
            raise ValueError(
                f"nditer: output operand requires a reduction along dimension {loop_axis}, but the "
                "reduction is not enabled. The dimension size of 1 does not match the expected "
                "output shape."
            )
        if not op.read:
            raise ValueError(
                "nditer: output operand requires a reduction, but is flagged as write-only, not "
                "read-write"
            )
        if "arraymask" in op.flags:
            raise ValueError(
                "nditer: output operand requires a reduction, but is flagged as the ARRAYMASK "
                "operand which is not permitted to be the result of a reduction"
            )
        op.reduces = True


def make(shape: Sequence[int], operands: Sequence[Operand], flags: Flags) -> list[Axis]:
    """The axes in C order, innermost first, with the steps of the index if one is tracked."""
    ndim = len(shape)
    steps = [0] * ndim
    if "c_index" in flags or "f_index" in flags:
        count = 1
        for loop_axis in range(ndim) if "f_index" in flags else range(ndim - 1, -1, -1):
            steps[loop_axis] = count if shape[loop_axis] != 1 else 0
            count *= shape[loop_axis]
    rows = [op.strides_along() for op in operands]
    return [Axis(shape[i], [row[i] for row in rows], steps[i], i) for i in range(ndim - 1, -1, -1)]


def retrace(axes: Sequence[Axis], number: int, op: Operand) -> None:
    """Update the strides of an operand whose array has changed."""
    strides = op.strides_along()
    for axis in axes:
        stride = strides[axis.original]
        axis.strides[number] = -stride if axis.flipped else stride


def first_of(axes: Sequence[Axis], number: int) -> int:
    """The offset of the iterator's first element of an operand from the array's first."""
    return -sum(axis.strides[number] * max(axis.size - 1, 0) for axis in axes if axis.flipped)


def layout(axes: Sequence[Axis], op: Operand, shape: Sequence[int]) -> list[int]:
    """Strides for a new array of ``shape`` whose elements lie in the order of iteration."""
    strides = [0] * len(shape)
    count = 1
    inside = [op.axes[axis.original] for axis in axes]
    missing = [i for i in range(len(shape) - 1, -1, -1) if i not in inside]
    for loop_axis in [i for i in inside if i >= 0] + missing:
        strides[loop_axis] = count
        count *= max(shape[loop_axis], 1)
    return strides


def arranged(axes: list[Axis], order: str, operands: Sequence[Operand]) -> list[Axis]:
    """The axes in the order of iteration.

    'K' puts the axis with the smallest strides innermost and, unless an array is to be made,
    reverses axes along which no operand runs forward. Other orders are followed exactly.
    """
    if order == "A":
        arrays = [op.array for op in operands if not op.missing]
        order = "F" if all(a.flags.f_contiguous for a in arrays) else "C"
    if order == "C":
        return axes
    if order == "F":
        return axes[::-1]
    result = [axes[i] for i in innermost_first([axis.strides for axis in axes])]
    for axis in [] if any(op.missing for op in operands) else result:
        if any(axis.strides) and all(s <= 0 for s in axis.strides):
            axis.turn()
    return result


def coalesced(axes: list[Axis]) -> list[Axis]:
    """Merge neighbouring axes that every operand goes through with a single stride.

    The merged axes no longer match those of the multi-index.
    """
    result: list[Axis] = []
    for axis in axes:
        last = result[-1] if result else None
        if last is None or not _mergeable(last, axis):
            result.append(axis.copy())
            result[-1].flipped = False
            continue
        last.strides = [a or b for a, b in zip(last.strides, axis.strides, strict=True)]
        last.index_step = last.index_step or axis.index_step
        last.size *= axis.size
    return result


def _mergeable(inner: Axis, outer: Axis) -> bool:
    if inner.size == 1 and not any(inner.strides) and not inner.index_step:
        return True
    if outer.size == 1 and not any(outer.strides) and not outer.index_step:
        return True
    n = inner.size
    return inner.index_step * n == outer.index_step and all(
        a * n == b for a, b in zip(inner.strides, outer.strides, strict=True)
    )


def single_step(axes: Sequence[Axis], number: int) -> int | None:
    """The single stride with which an operand goes through several axes, if there is one."""
    step, count = 0, 1
    for axis in axes:
        if axis.size == 1:
            continue
        if count == 1:
            step = axis.strides[number]
        elif axis.strides[number] != step * count:
            return None
        count *= axis.size
    return step


def offset_of(axes: Sequence[Axis], number: int, position: int) -> int:
    """The offset in an operand's storage of a position from the first."""
    offset = 0
    for axis in axes:
        position, along = divmod(position, axis.size)
        offset += along * axis.strides[number]
    return offset


def size_of(axes: Sequence[Axis]) -> int:
    """The number of elements of the iteration; ``ValueError`` if an index cannot count them."""
    size = math.prod(axis.size for axis in axes)
    if size > MAX_SIZE:
        raise ValueError("nditer: iterator is too large")
    return size
