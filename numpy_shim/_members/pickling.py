"""Pickles of protocol 5: an array's memory as a buffer, which can be passed on without a copy."""

from __future__ import annotations

import ctypes
import pickle
from typing import Any

import torch
from torch import Tensor

from xp_torch._core.box import send_by_value
from xp_torch._kernels import interchange
from xp_torch._mesh.dtensors import gathered

from .._array import views
from .._array.ndarray import SCALAR_TYPES, ndarray
from .._array.scalars import TensorScalar
from .._base.dtypes import NUMPY, torch_dtype
from .._convert.arguments import array_of


def reduced(a: ndarray) -> tuple[Any, ...] | None:
    """The pickle of an array whose memory is contiguous on the CPU; ``None`` for others.

    torch pickles the others, and arrays that need a gradient.
    """
    t, flips = views.forward_of(a)
    if t.requires_grad:
        return None
    t = gathered(t).detach()
    steps = t.stride()
    axes = tuple(sorted(range(t.dim()), key=lambda i: -steps[i]))
    memory = t.permute(axes)
    if (
        flips
        or type(t) is not Tensor  # a fake tensor has no memory
        or isinstance(a, TensorScalar)
        or not (t.is_cpu and t.numel() and memory.is_contiguous())
        or t.is_conj()
        or t.is_neg()
    ):
        return None
    size = t.numel() * t.itemsize
    block: Any = (ctypes.c_ubyte * size).from_address(t.data_ptr())
    block.tensor = t  # it stays alive as long as the buffer does
    view = memoryview(block)
    buffer = pickle.PickleBuffer(view if views.is_writeable(a) else view.toreadonly())
    return rebuilt, (buffer, NUMPY[t.dtype].name, tuple(memory.shape), axes)


def reduced_to_bytes(a: ndarray) -> tuple[Any, ...] | None:
    """What the protocols before buffers keep: equal arrays give equal bytes, as joblib's hash asks.

    torch writes down where a tensor's memory was, which differs from array to array.
    """
    made = reduced(a)
    if made is None:
        return None
    buffer, *layout = made[1]
    return from_bytes, (bytes(buffer), *layout)


def from_bytes(data: bytes, dtype: str, shape: tuple[int, ...], axes: tuple[int, ...]) -> ndarray:
    """An array with memory of its own that holds ``data``."""
    return rebuilt(bytearray(data), dtype, shape, axes)


def rebuilt(buffer: Any, dtype: str, shape: tuple[int, ...], axes: tuple[int, ...]) -> ndarray:
    """The array on a pickled buffer; a read-only copy if the buffer is read-only."""
    view = memoryview(buffer).cast("B")
    kind = torch_dtype("pickle", dtype)
    tensor = interchange.from_buffer(view, torch.uint8, view.readonly).view(kind).view(shape)
    tensor = tensor.permute(tuple([axes.index(i) for i in range(len(axes))]))
    return views.locked(tensor) if view.readonly else array_of(tensor)


send_by_value(ndarray)
for _class in SCALAR_TYPES.values():
    send_by_value(_class)
