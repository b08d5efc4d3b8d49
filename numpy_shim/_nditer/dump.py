"""What ``nditer.debug_print`` prints, line by line as NumPy does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .._core.dtypes import NUMPY
from .axes import Axis, single_step
from .operand import Operand
from .walk import Walk


def dump(at: Walk) -> str:
    """The state of an iterator as text; sizes of C structures are those of Python's objects."""
    lines = [
        "",
        "------ BEGIN ITERATOR DUMP ------",
        f"| Iterator Address: {id(at):#x}",
        f"| ItFlags: {' '.join(_words(at))}",
        f"| NDim: {len(at.axes)}",
        f"| NOp: {len(at.operands)}",
        f"| IterSize: {at.size}",
        f"| IterStart: {at.first}",
        f"| IterEnd: {at.end}",
        f"| IterIndex: {at.position}",
        f"| Iterator SizeOf: {at.__sizeof__()}",
        f"| BufferData SizeOf: {at.run.__sizeof__() if at.run is not None else 0}",
        f"| AxisData SizeOf: {Axis.__basicsize__}",
        "|",
        f"| Perm: {_joined(_perm(at))}",
        f"| DTypes: {_joined(hex(id(op.dtype)) for op in at.operands)}",
        f"| DTypes: {_joined(repr(NUMPY[op.dtype]) for op in at.operands if op.dtype)}",
        f"| InitDataPtrs: {_addresses(at, at.starts())}",
        f"| BaseOffsets: {_joined(_bytes(at, at.shifts))}",
        f"| Ptrs: {_addresses(at, at.offsets())}",
    ]
    if at.has("buffered"):
        lines.append(f"| User/buffer ptrs: {_addresses(at, at.offsets())}")
    if at.has_index:
        lines.append(f"| InitIndex: {at.index_start}")
    lines += [
        f"| Operands: {_joined(hex(id(op.array)) for op in at.operands)}",
        f"| Operand DTypes: {_joined(repr(NUMPY[op.forward.dtype]) for op in at.operands)}",
        "| OpItFlags:",
        *[f"|   Flags[{i}]: {' '.join(_flags(op))}" for i, op in enumerate(at.operands)],
        "|",
    ]
    if at.has("buffered"):
        lines += _buffers(at)
    along = at.coordinates()
    for i, axis in enumerate(at.axes):
        lines += [
            f"| AxisData[{i}]:",
            f"|   Shape: {axis.size}",
            f"|   Index: {along[i]}",
            f"|   Strides: {_joined(_bytes(at, axis.strides))}",
        ]
        if at.has_index:
            lines += [f"|   Index Stride: {axis.index_step}", f"|   Index Value: {at.index()}"]
    return "\n".join([*lines, "------- END ITERATOR DUMP -------", ""])


def _words(at: Walk) -> list[str]:
    words = {
        "HASINDEX": at.has_index,
        "HASMULTIINDEX": at.has("multi_index"),
        "NEGPERM": any(axis.flipped for axis in at.axes),
        "EXLOOP": at.has("external_loop"),
        "RANGE": at.has("ranged"),
        "BUFFER": at.has("buffered"),
        "GROWINNER": at.has("grow_inner"),
        "DELAYBUF": at.delayed,
        "REDUCE": any(op.reduces for op in at.operands),
    }
    return [word for word, holds in words.items() if holds]


def _flags(op: Operand) -> list[str]:
    words = {"READ": op.read, "WRITE": op.written, "CAST": op.casts, "REDUCE": op.reduces}
    return [word for word, holds in words.items() if holds]


def _perm(at: Walk) -> list[int]:
    """The number of each axis, counted from the last; axes that run backwards are negative."""
    last = len(at.shape) - 1
    if len(at.axes) < len(at.shape):
        return list(range(len(at.axes)))
    return [-1 - (last - a.original) if a.flipped else last - a.original for a in at.axes]


def _joined(items: Iterable[Any]) -> str:
    return " ".join(map(str, items))


def _bytes(at: Walk, counts: Iterable[int]) -> list[int]:
    return [n * op.forward.itemsize for n, op in zip(counts, at.operands, strict=True)]


def _addresses(at: Walk, offsets: Iterable[int]) -> str:
    found = zip(_bytes(at, offsets), at.operands, strict=True)
    return _joined(hex(op.forward.untyped_storage().data_ptr() + n) for n, op in found)


def _buffers(at: Walk) -> list[str]:
    plan = at.plan()
    size = min(plan.core * plan.rows, plan.length(at.position, at.end)) if at.size else 0
    lines = [
        "| BufferData:",
        f"|   BufferSize: {min(at.buffer_size, at.size)}",
        f"|   Size: {size}",
        f"|   BufIterEnd: {at.position + size}",
        f"|   BUFFER CoreSize: {plan.core}",
    ]
    reduces = any(op.reduces for op in at.operands)
    outer = [a.strides for a in at.axes[plan.outer : plan.outer + 1]]
    if reduces and outer:
        lines += [
            "|   REDUCE Pos: 0",
            f"|   REDUCE OuterSize: {at.axes[plan.outer].size}",
            f"|   REDUCE OuterDim: {plan.outer}",
        ]
    steps = [_buffer_step(at, i, plan.spanned) for i in range(len(at.operands))]
    lines.append(f"|   Strides: {_joined(steps)}")
    if reduces and outer:
        rows = [s and step * plan.core for s, step in zip(outer[0], steps, strict=True)]
        lines += [f"|   REDUCE Outer Strides: {_joined(rows)}", "|   REDUCE Outer Ptrs:"]
    return [
        *lines,
        "|   ReadTransferFn:",
        "|   ReadTransferData:",
        "|   WriteTransferFn:",
        "|   WriteTransferData:",
        "|   Buffers:",
        "|",
    ]


def _buffer_step(at: Walk, number: int, spanned: Sequence[Axis]) -> int:
    """The stride through a run in bytes."""
    op, step = at.operands[number], at.plan().steps[number]
    if step is not None:
        return step * op.forward.itemsize
    shared = single_step(spanned, number) == 0 and (op.reduces or "contig" not in op.flags)
    return 0 if shared or op.dtype is None else op.dtype.itemsize
