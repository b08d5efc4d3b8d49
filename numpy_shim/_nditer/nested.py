"""``nested_iters``: iterators for loops within loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex

from .._core.typing import ArrayLike, Casting, DTypeLike, Order
from .flags import global_flags
from .iterator import nditer

__all__ = ["nested_iters"]


def nested_iters(
    op: ArrayLike | Sequence[ArrayLike | None],
    axes: Sequence[Sequence[SupportsIndex]],
    flags: Sequence[str] | None = None,
    op_flags: Sequence[str] | Sequence[Sequence[str]] | None = None,
    op_dtypes: DTypeLike | Sequence[DTypeLike] = None,
    order: Order = "K",
    casting: Casting = "safe",
    buffersize: SupportsIndex = 0,
) -> tuple[nditer, ...]:
    """Iterators for nested loops, each over some of the axes.

    A step of an iterator moves all iterators inside it to its new element.

    Parameters
    ----------
    op : array_like or sequence of array_like
        The operands.
    axes : sequence of sequences of int
        The axes of each loop, from the outermost in; at least two.
    flags, op_flags, op_dtypes, order, casting, buffersize
        As for ``nditer``; only the innermost loop is buffered or gives 1-D arrays.

    Returns
    -------
    tuple of nditer
        One for each item of ``axes``.

    Raises
    ------
    ValueError
        For an axis that is out of bounds or in two loops, and what ``nditer`` refuses.

    Examples
    --------
    >>> import numpy_shim as np
    >>> i, j = np.nested_iters(np.arange(6).reshape(2, 3), [[1], [0]])
    >>> [[int(y) for y in j] for x in i]
    [[0, 3], [1, 4], [2, 5]]
    """
    loops = _loops(axes)
    wanted = global_flags(flags)
    operands = list(op) if isinstance(op, (list, tuple)) else [op]
    buffered = "buffered" in wanted
    found: list[nditer] = []
    for number, loop_axes in enumerate(loops):
        last = number == len(loops) - 1
        its_flags = wanted if last else wanted - {"external_loop", "buffered", "delay_bufalloc"}
        iterator = nditer(
            operands,  # type: ignore[arg-type]
            sorted(its_flags if last or not buffered else its_flags - {"common_dtype"}),
            op_flags,
            op_dtypes if last or not buffered else None,
            order,
            casting,
            [loop_axes] * len(operands),
            None,
            buffersize if last else 0,
        )
        operands = list(iterator.operands)
        if found:
            found[-1]._inner = iterator
        found.append(iterator)
    for iterator in found:
        iterator._restart()
    return tuple(found)


def _loops(axes: Any) -> list[list[int]]:
    if not isinstance(axes, (list, tuple)):
        raise ValueError("nested_iters: axes must be a tuple of axis arrays")
    if len(axes) < 2:
        raise ValueError("nested_iters: axes must have at least 2 entries for nested iteration")
    used: set[int] = set()
    loops = []
    for item in axes:
        if not isinstance(item, (list, tuple)):
            raise ValueError("nested_iters: Each item in axes must be an integer tuple")
        loop = [a if isinstance(a, int) else -1 for a in item]
        for axis in loop:
            if axis < 0:
                raise ValueError("nested_iters: An axis is out of bounds")
            if axis in used:
                raise ValueError("nested_iters: An axis is used more than once")
            used.add(axis)
        loops.append(loop)
    return loops
