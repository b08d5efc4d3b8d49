"""Which process holds which part of a tensor: the arithmetic of torch's ``Shard``.

A layout is one entry for each dimension of the mesh: the axis of the tensor that is split over it,
or ``None`` where every process holds the whole. The chunks are those of ``torch.chunk``: all of
``ceil(n / p)`` rows but the last ones, which may be shorter or empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import Tensor

Layout = tuple[int | None, ...]


def bounds(n: int, processes: int) -> list[int]:
    """Where the chunks of ``n`` rows begin, and ``n``: ``processes + 1`` positions."""
    step = -(-n // processes)
    return [min(r * step, n) for r in range(processes + 1)]


def processes(mesh: Any, m: int) -> int:
    """The number of processes along dimension ``m`` of a mesh."""
    return int(mesh.size(m))


def position(mesh: Any, m: int) -> int:
    """Where this process stands along dimension ``m`` of a mesh."""
    return int(mesh.get_local_rank(m))


def own(n: int, mesh: object, m: int) -> tuple[int, int]:
    """The rows of ``n`` that this process holds if they are split over dimension ``m``."""
    step = -(-n // processes(mesh, m))
    start = min(position(mesh, m) * step, n)
    return start, min(start + step, n)


def local_shape(shape: Sequence[int], mesh: object, axes: Layout) -> list[int]:
    """The shape of this process's part."""
    out = list(shape)
    for m, axis in enumerate(axes):
        if axis is not None:
            start, stop = own(out[axis], mesh, m)
            out[axis] = stop - start
    return out


def leaves_empty(shape: Sequence[int], mesh: object, axes: Layout) -> bool:
    """Whether some process would have an empty part of a shape that is split so."""
    for m, axis in enumerate(axes):
        if axis is not None:
            limits = bounds(shape[axis], processes(mesh, m))
            if limits[-1] == limits[-2]:
                return True
    return False


def chunk(part: Tensor, axis: int, mesh: object, m: int) -> Tensor:
    """This process's rows of a tensor that is whole along ``axis``."""
    start, stop = own(part.shape[axis], mesh, m)
    return part.narrow(axis, start, stop - start)


def axis_order(strides: Sequence[int]) -> list[int]:
    """The axes from the largest stride to the smallest."""
    return sorted(range(len(strides)), key=lambda i: (-strides[i], i))


def dense_strides(shape: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    """Strides of a dense tensor whose axes lie in this order."""
    strides, step = [0] * len(shape), 1
    for i in reversed(order):
        strides[i] = step
        step *= max(shape[i], 1)
    return tuple(strides)


def in_order(part: Tensor, order: Sequence[int]) -> Tensor:
    """A part that is dense, its axes in this order; a copy only where it is not."""
    back = [0] * len(order)
    for i, axis in enumerate(order):
        back[axis] = i
    return part.permute(tuple(order)).contiguous().permute(back)
