"""Prepare the operands of ``nditer``: dtypes, copies, new arrays, shared memory."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from .._array.memory import may_overlap, overlaps_itself
from .._convert.arguments import array_of
from .._core.dtypes import CASTABLE, NUMPY, check_casting, promote
from .axes import Axis, check_broadcast, layout, retrace
from .flags import Flags
from .operand import Operand


def resolve_dtypes(
    operands: Sequence[Operand], asked: Sequence[torch.dtype | None], common: bool
) -> None:
    """Give each operand the dtype of its values.

    A missing array gets the common dtype of the operands that are read. With ``common`` every
    operand gets the common dtype of all.
    """
    for op, dtype in zip(operands, asked, strict=True):
        op.dtype = dtype
        if dtype is None and not op.missing:
            op.dtype = op.forward.dtype
    if not common and all(op.dtype is not None for op in operands):
        return
    known = [op.dtype for op in operands if op.dtype is not None and (common or op.read)]
    if not known:
        raise TypeError("nditer: no arrays or types available to calculate result type")
    found = promote("nditer", known[0], *known[1:])
    for op in operands:
        if common or op.dtype is None:
            op.dtype = found


def check_casts(operands: Sequence[Operand], casting: str, buffered: bool) -> None:
    """Raise ``TypeError`` for a cast that ``casting`` forbids, or that no flag allows to make."""
    check_casting("nditer", casting)
    for number, op in enumerate(operands):
        if op.missing or not op.casts or op.dtype is None:
            continue
        there, here = op.forward.dtype, op.dtype
        if op.read and (there, here) not in CASTABLE[casting]:
            raise TypeError(
                f"nditer: Iterator operand {number} dtype could not be cast from "
                f"{NUMPY[there]!r} to {NUMPY[here]!r} according to the rule '{casting}'"
            )
        if op.written and (here, there) not in CASTABLE[casting]:
            raise TypeError(
                f"nditer: Iterator requested dtype could not be cast from {NUMPY[here]!r} to "
                f"{NUMPY[there]!r}, the operand {number} dtype, according to the rule '{casting}'"
            )
        if not buffered and not _copied(op):
            raise TypeError(
                "nditer: Iterator operand required copying or buffering, but neither copying nor "
                "buffering was enabled"
            )


def _copied(op: Operand) -> bool:
    """Whether a cast copies the whole array."""
    alone = not op.written and not op.shape
    return alone or not op.flags.isdisjoint({"copy", "updateifcopy"})


def check_flags(operands: Sequence[Operand], flags: Flags) -> None:
    """Raise ``ValueError`` where an operand is to be made and a buffer read before it is filled."""
    if "buffered" in flags and "delay_bufalloc" not in flags:
        for op in operands:
            if op.missing and op.read:
                raise ValueError(
                    "nditer: Automatic allocation was requested for an iterator operand, and it "
                    "was flagged as readable, but buffering without delayed allocation was enabled"
                )


def check_shapes(
    operands: Sequence[Operand], shape: Sequence[int], custom: Sequence[bool], reduce_ok: bool
) -> None:
    """Find the reductions; ``ValueError`` where flags forbid what broadcasting needs."""
    for op, own in zip(operands, custom, strict=True):
        check_broadcast(shape, op, own, reduce_ok)


def check_masks(operands: Sequence[Operand], axes: Sequence[Axis], buffered: bool) -> None:
    """Raise unless each masked element has one mask, of a dtype that can be one."""
    mask = next((i for i, op in enumerate(operands) if "arraymask" in op.flags), None)
    if mask is None:
        return
    casts = any("writemasked" in op.flags and not op.missing and op.casts for op in operands)
    if buffered and casts and operands[mask].dtype not in (torch.bool, torch.uint8):
        raise TypeError("nditer: Only bool and uint8 masks are supported.")
    for number, op in enumerate(operands):
        if "writemasked" in op.flags and op.reduces:
            for axis in axes:
                if axis.size > 1 and not axis.strides[number] and axis.strides[mask]:
                    raise ValueError(
                        "nditer: Iterator reduction operand is WRITEMASKED, but also broadcasts "
                        "to multiple mask values. There can be only one mask value per "
                        "WRITEMASKED element."
                    )


def overlapping(operands: Sequence[Operand]) -> set[int]:
    """The written operands that must be copied because another that is read shares memory."""
    copied: set[int] = set()
    for number, op in enumerate(operands):
        if op.missing or not op.written:
            continue
        for other, source in enumerate(operands):
            if other == number or other in copied or source.missing or not source.read:
                continue
            if not _in_step(op, source) and may_overlap(op.array, source.array):
                copied.add(number)
                break
    return copied


def _in_step(a: Operand, b: Operand) -> bool:
    """Whether two operands have the same elements, each read before it is written."""
    return (
        "overlap_assume_elementwise" in a.flags
        and "overlap_assume_elementwise" in b.flags
        and a.forward.data_ptr() == b.forward.data_ptr()
        and a.shape == b.shape
        and a.steps == b.steps
        and a.forward.dtype is b.forward.dtype
        and not overlaps_itself(a.array)
    )


def provide(
    operands: Sequence[Operand], axes: Sequence[Axis], shape: Sequence[int], forced: set[int]
) -> None:
    """Make the arrays that are missing, and copy those that must be cast or overlap.

    New memory is laid out in the order of iteration.
    """
    device = next((op.forward.device for op in operands if not op.missing), None)
    for number, op in enumerate(operands):
        if op.missing:
            own = _shape_of(op, shape)
            strides = layout(axes, op, own)
            tensor = torch.empty_strided(own, strides, dtype=op.dtype, device=device)
            op.hold(array_of(tensor))
        elif number in forced or (op.casts and _copied(op)):
            op.replace(layout(axes, op, op.shape))
        else:
            continue
        retrace(axes, number, op)


def _shape_of(op: Operand, shape: Sequence[int]) -> tuple[int, ...]:
    """The shape of an array that is to be made."""
    sizes = {axis: shape[loop_axis] for loop_axis, axis in enumerate(op.axes) if axis >= 0}
    for axis in range(len(sizes)):
        if axis not in sizes:
            raise ValueError(
                "nditer: automatically allocated output array specified with an inconsistent axis "
                f"mapping; the axis mapping is missing an entry for dimension {axis}."
            )
    return tuple([sizes[axis] for axis in range(len(sizes))])
