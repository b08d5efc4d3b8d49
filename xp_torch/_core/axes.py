"""Axes, shapes and broadcasting: one set of rules and error messages.

Every function takes the name of the public function first, for its messages, and returns
plain non-negative integers that torch accepts unchanged.

Source: the standard's chapter *Broadcasting* and the ``axis`` and ``shape`` parameters of
its functions; the exceptions are NumPy's (``AxisError``, ``ValueError``, ``TypeError``).
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, SupportsIndex

from torch.compiler import is_dynamo_compiling

from .._torch.internals import is_certain
from .errors import AxisError, shown


def integer(name: str, argument: str, value: Any) -> int:
    """``value`` as a Python int; a ``TypeError`` that names the argument if it is not one."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(
            f"{name}: {argument} must be an integer, not {type(value).__name__}"
        ) from None


def normalize_axis(name: str, axis: SupportsIndex, ndim: int, argument: str = "axis") -> int:
    """Return one axis as a non-negative number. Raise ``AxisError`` if the array lacks it."""
    if isinstance(axis, bool):
        raise TypeError(f"{name}: {argument} must be an integer, not bool")
    index = integer(name, argument, axis)
    if not -ndim <= index < ndim:
        # NumPy's words, which callers look for.
        which = argument if argument == "axis" else f"{argument}: axis"
        raise AxisError(
            f"{name}: {which} {shown(index)} is out of bounds for array of dimension {ndim}"
        )
    return index + ndim if index < 0 else index


def normalize_axes(
    name: str,
    axis: SupportsIndex | Sequence[SupportsIndex] | None,
    ndim: int,
    argument: str = "axis",
) -> tuple[int, ...]:
    """A tuple of axes from ``None`` (all), an integer or a tuple, without repeated axes."""
    if axis is None:
        return tuple(range(ndim))
    if not isinstance(axis, (tuple, list)):
        return (normalize_axis(name, axis, ndim, argument),)  # type: ignore[arg-type]
    axes = tuple(normalize_axis(name, a, ndim, argument) for a in axis)
    if len(set(axes)) != len(axes):
        raise AxisError(f"{name}: {argument} {tuple(axis)} names an axis twice")
    return axes


def plain_axes(axes: tuple[object, ...], ndim: int) -> bool:
    """Whether torch accepts a tuple of axes unchanged: not empty, all ints, no repeats."""
    seen = set()
    for axis in axes:
        if type(axis) is not int or not -ndim <= axis < ndim:
            return False
        seen.add(axis % ndim)
    return 0 < len(seen) == len(axes)


def normalize_shape(name: str, shape: object, argument: str = "shape") -> tuple[int, ...]:
    """A shape from an integer or a tuple of integers; none may be negative."""
    if isinstance(shape, (tuple, list)):
        sizes = tuple(integer(name, argument, s) for s in shape)
    else:
        sizes = (integer(name, argument, shape),)
    for size in sizes:
        if size < 0:
            raise ValueError(f"{name}: {argument} {shown(sizes)} has a negative dimension")
    return sizes


def broadcast_shapes(name: str, *shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape that ``shapes`` broadcast to; ``ValueError`` when they do not."""
    if len(shapes) == 1:
        return tuple(shapes[0])
    tracing = is_dynamo_compiling()
    result: list[int] = []
    for shape in shapes:
        if len(shape) > len(result):
            result = [1] * (len(shape) - len(result)) + result
        offset = len(result) - len(shape)
        for i, size in enumerate(shape, offset):
            if tracing:  # sizes that depend on data are taken to fit, as torch does
                apart = not is_certain(size == 1) and (
                    is_certain(result[i] == 1) or is_certain(result[i] != size)
                )
            else:
                apart = size != 1 and result[i] != size
            if apart:
                if result[i] != 1:
                    listed = " ".join(shown(tuple(s)) for s in shapes)
                    raise ValueError(
                        f"{name}: shapes {listed} cannot be broadcast together"
                    ) from None  # callers call this after torch has refused the shapes
                result[i] = size
    return tuple(result)
