"""``ndarray(shape, dtype, buffer, offset, strides, order)``: NumPy's low-level constructor."""

from __future__ import annotations

import math
import operator
from typing import Any

import torch

from . import _views as views
from ._axes import normalize_shape
from ._dtypes import torch_dtype
from ._layout import reversed_axes
from ._ndarray import array_of, ndarray, view_of

NAME = "ndarray"


def construct(
    shape: Any, dtype: Any, buffer: Any, offset: Any, strides: Any, order: str | None
) -> ndarray:
    """See ``ndarray``."""
    sizes = normalize_shape(NAME, shape)
    kind = torch_dtype(NAME, float if dtype is None else dtype)
    if order not in (None, "C", "F", "A", "K"):
        raise ValueError(f"{NAME}: order must be 'C' or 'F', not {order!r}")
    steps = _steps(sizes, kind.itemsize, strides, order == "F")
    needed = 1 + sum((n - 1) * s for n, s in zip(sizes, steps, strict=True))
    needed = needed if all(sizes) else 0
    if buffer is None:
        if strides is not None and needed > math.prod(sizes):
            raise ValueError(f"{NAME}: strides is incompatible with shape of requested array")
        memory, locked, owner = torch.empty(needed, dtype=kind), False, None
    else:
        memory, locked = _memory(buffer, kind, operator.index(offset), needed)
        owner = buffer if isinstance(buffer, ndarray) else None
    tensor = memory.as_strided(sizes, steps)
    made = array_of(tensor) if owner is None else view_of(owner, tensor)
    return views.read_only(made) if locked else made


def _steps(sizes: tuple[int, ...], itemsize: int, strides: Any, fortran: bool) -> tuple[int, ...]:
    """Strides in elements."""
    if strides is None:
        laid = torch.empty(sizes[::-1] if fortran else sizes, device="meta")
        return tuple((reversed_axes(laid) if fortran else laid).stride())
    steps = normalize_shape(NAME, tuple([abs(operator.index(s)) for s in strides]), "strides")
    if len(steps) != len(sizes):
        raise ValueError(f"{NAME}: strides {strides} do not fit the shape {sizes}")
    if any(operator.index(s) < 0 or s % itemsize for s in strides):
        raise ValueError(
            f"{NAME}: strides {strides} must be multiples of the item size {itemsize}, and not "
            "negative; reverse an axis by indexing with [::-1]"
        )
    return tuple([s // itemsize for s in steps])


def _memory(buffer: Any, kind: torch.dtype, offset: int, needed: int) -> tuple[torch.Tensor, bool]:
    """A 1-D tensor of at least ``needed`` elements on a buffer, and whether it is read-only."""
    if isinstance(buffer, ndarray):
        forward = views.forward_of(buffer)[0]
        if not forward.is_contiguous():
            raise ValueError(f"{NAME}: the buffer is not contiguous")
        data, locked = forward.reshape(-1).view(torch.uint8), not views.is_writeable(buffer)
    else:
        view = memoryview(buffer).cast("B")
        locked = view.readonly
        source = bytearray(view) if locked else view
        data = torch.frombuffer(source, dtype=torch.uint8) if len(view) else torch.empty(0).byte()
    if offset < 0 or offset + needed * kind.itemsize > data.numel():
        raise TypeError(f"{NAME}: buffer is too small for requested array")
    part = data[offset : offset + needed * kind.itemsize]
    if offset % kind.itemsize:
        part, locked = part.clone(), True  # torch reads aligned elements only
    return part.view(kind), locked
