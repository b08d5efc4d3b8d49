"""``ndarray(shape, dtype, buffer, offset, strides, order)``: NumPy's low-level constructor."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy
import torch
from torch import Tensor

from xp_torch._core.errors import translate

from .._array import views
from .._array.layout import order_of, reversed_axes
from .._array.ndarray import AnyArray, array_of, ndarray
from .._base.axes import normalize_shape
from .._base.dtypes import torch_dtype
from .._base.host_setting import may_hand, unless_host
from .._base.typing import ArrayLike, DTypeLike, ShapeLike
from .one_storage import on_one_storage
from .to_numpy import shared

NAME = "ndarray"


def new_array(
    cls: type[ndarray],
    shape: ShapeLike,
    dtype: DTypeLike = float,
    buffer: ArrayLike | None = None,
    offset: int = 0,
    strides: ShapeLike | None = None,
    order: str | None = None,
) -> ndarray:
    """``ndarray.__new__``."""
    if cls is ndarray:
        made = unless_host(construct, shape, dtype, buffer, offset, strides, order)
        if made is not None:
            return made
        cls = numpy.ndarray  # type: ignore[assignment]
    elif not may_hand():
        raise TypeError(
            f"ndarray: a subclass such as {cls.__name__} is NumPy's, and "
            "set_host_dtypes('error') is in force; hold an array instead"
        )
    memory = shared(NAME, buffer) if isinstance(buffer, AnyArray) else buffer
    return numpy.ndarray.__new__(cls, shape, dtype, memory, offset, strides, order)  # type: ignore[arg-type, type-var]


def construct(
    shape: object, dtype: object, buffer: object, offset: Any, strides: object, order: str | None
) -> ndarray:
    """See ``ndarray``."""
    sizes = normalize_shape(NAME, shape)
    kind = torch_dtype(NAME, float if dtype is None else dtype)
    if math.prod([n or 1 for n in sizes]) * kind.itemsize > 2**63 - 1:
        raise ValueError(
            f"{NAME}: array is too big; arr.size * arr.dtype.itemsize is larger than the maximum "
            "possible size"
        )
    fortran = order_of(NAME, order, "C") == "F"
    steps = _steps(sizes, kind.itemsize, strides, fortran)
    reaches = [(n - 1) * s for n, s in zip(sizes, steps, strict=True)] if all(sizes) else []
    before = -sum(r for r in reaches if r < 0)
    needed = before + sum(r for r in reaches if r > 0) + 1 if all(sizes) else 0
    forward = tuple([abs(s) for s in steps])
    flips = [axis for axis, step in enumerate(steps) if step < 0]
    if buffer is None:
        if before or needed > math.prod(sizes):
            raise ValueError(f"{NAME}: strides is incompatible with shape of requested array")
        try:
            return array_of(torch.empty(needed, dtype=kind).as_strided(sizes, forward))
        except RuntimeError as error:  # it is too large
            translate(NAME, error)
    start = operator.index(offset) - before * kind.itemsize
    stop = start + needed * kind.itemsize
    memory, locked = _memory(buffer)
    if start < 0 or stop > memory.numel():
        if strides is None:
            raise TypeError(f"{NAME}: buffer is too small for requested array")
        raise ValueError(f"{NAME}: strides is incompatible with shape and size of buffer")
    part = memory[start:stop]
    if (part.storage_offset() if needed else 0) % kind.itemsize:
        part, locked = part.clone(), True  # torch reads only aligned elements
    tensor = part.view(kind).as_strided(sizes, forward)
    owner = buffer if isinstance(buffer, AnyArray) else array_of(memory)
    made = views.make(owner, tensor, flips)
    return views.read_only(made) if locked else made


def _steps(sizes: tuple[int, ...], itemsize: int, strides: Any, fortran: bool) -> tuple[int, ...]:
    """Strides in elements."""
    if strides is None:
        try:
            laid = torch.empty(sizes[::-1] if fortran else sizes, device="meta")
        except RuntimeError as error:  # it is too large
            translate(NAME, error)
        return tuple((reversed_axes(laid) if fortran else laid).stride())
    try:
        steps: tuple[int, ...] = (operator.index(strides),)
    except TypeError:
        steps = tuple([operator.index(s) for s in strides])
    if len(steps) != len(sizes):
        raise ValueError(f"{NAME}: strides {strides} do not fit the shape {sizes}")
    if any(s % itemsize for s in steps):
        raise ValueError(f"{NAME}: strides {strides} are no multiples of the item size {itemsize}")
    return tuple([s // itemsize for s in steps])


def _memory(buffer: Any) -> tuple[Tensor, bool]:
    """The bytes of a buffer, and whether they are read-only."""
    if isinstance(buffer, AnyArray):
        forward = views.forward_of(buffer)[0]
        if not forward.is_contiguous():
            raise ValueError(f"{NAME}: the buffer is not contiguous")
        return forward.reshape(-1).view(torch.uint8), not views.is_writeable(buffer)
    view = memoryview(buffer).cast("B")
    if not len(view):
        return torch.empty(0, dtype=torch.uint8), view.readonly
    if view.readonly:
        return torch.frombuffer(bytearray(view), dtype=torch.uint8), True
    memory = torch.frombuffer(view, dtype=torch.uint8)
    return on_one_storage(memory, buffer) if isinstance(buffer, numpy.ndarray) else memory, False
