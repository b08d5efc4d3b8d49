"""Conversion of tensors from and to other libraries: the buffer protocol and DLPack."""

from __future__ import annotations

import math
import sys
from typing import Any

import torch
import torch.utils.dlpack
from torch import Tensor
from torch.compiler import is_compiling
from torch.utils.dlpack import DLDeviceType

# The struct module's letters; the width of "l" and "n" is the platform's.
_INTEGER_CODES = {**dict.fromkeys("bhilqn", "int"), **dict.fromkeys("BHILQN", "uint")}
_FLOAT_CODES = {
    "?": torch.bool,
    "e": torch.float16,
    "f": torch.float32,
    "d": torch.float64,
    "Zf": torch.complex64,
    "Zd": torch.complex128,
}
_FOREIGN_ORDER = ">!" if sys.byteorder == "little" else "<"


def buffer_dtype(view: memoryview) -> torch.dtype | None:
    """The dtype of a buffer's items, or ``None`` if torch does not have it."""
    code = view.format
    if code[:1] in _FOREIGN_ORDER and view.itemsize > 1:
        return None
    code = code.lstrip("@=<>!")
    if code in _INTEGER_CODES:
        dtype: torch.dtype = getattr(torch, f"{_INTEGER_CODES[code]}{8 * view.itemsize}")
        return dtype
    return _FLOAT_CODES.get(code)


def is_shareable(view: memoryview) -> bool:
    """Whether a tensor can use the memory of a buffer without a copy.

    torch has no read-only tensors and takes contiguous memory only.
    """
    return not view.readonly and view.c_contiguous


def from_buffer(view: memoryview, dtype: torch.dtype, copy: bool) -> Tensor:
    """A tensor of a buffer's items; it shares the memory if possible and ``copy`` is false."""
    shape = tuple(view.shape or ())
    if math.prod(shape) == 0:
        return torch.empty(shape, dtype=dtype, device="cpu")
    # The tensor holds the memoryview, not the object: torch releases the buffer at once,
    # and a resize of the object would then free the memory of the tensor.
    source: Any = bytearray(view) if copy or not is_shareable(view) else view
    return torch.frombuffer(source, dtype=dtype).reshape(shape)


def has_negative_strides(x: object) -> bool:
    """Whether an array of another library reports a negative stride."""
    strides = getattr(x, "strides", None)
    return isinstance(strides, tuple) and any(isinstance(s, int) and s < 0 for s in strides)


def from_dlpack(x: object) -> Tensor:
    """The tensor of another library's array, through its ``__dlpack__``.

    The caller excludes negative strides, which make torch end the process.
    """
    tensor: Tensor = torch.utils.dlpack.from_dlpack(x)
    _note_shared(tensor)
    return tensor


_shared: set[int] = set()
"""Addresses of memory of devices that other libraries know, through DLPack."""


def _note_shared(tensor: Tensor) -> None:
    if not (tensor.is_cpu or is_compiling()):
        _shared.add(tensor.untyped_storage().data_ptr())


def is_shared(tensor: Tensor) -> bool:
    """Whether another library may write to memory of a device; torch hears nothing of that."""
    return bool(_shared) and tensor.untyped_storage().data_ptr() in _shared


def dlpack_device(tensor: Tensor) -> tuple[Any, int]:
    """The DLPack device of a tensor."""
    if is_compiling():  # Dynamo does not support tensor methods that return an enum
        if tensor.is_cpu:
            return DLDeviceType.kDLCPU, 0
        if tensor.is_cuda:
            kind = DLDeviceType.kDLROCM if torch.version.hip else DLDeviceType.kDLCUDA
            return kind, tensor.get_device()
    device: tuple[Any, int] = tensor.__dlpack_device__()
    return device


def to_dlpack(
    tensor: Tensor,
    stream: int | None,
    max_version: tuple[int, int] | None,
    dl_device: tuple[int, int] | None,
    copy: bool | None,
) -> Any:
    """A capsule of a tensor; ``dl_device`` is its own device or the CPU.

    ``RuntimeError`` where torch exports none, and for a fake tensor.
    """
    if hasattr(tensor, "fake_mode"):  # torch would export the address 0
        raise RuntimeError(f"a {type(tensor).__name__} has no memory")
    if not copy:
        _note_shared(tensor)
    if tensor.device.type == "cuda":
        with torch.cuda.device(tensor.device):  # torch can export from the current device only
            return _capsule(tensor, stream, max_version, dl_device, copy)
    return _capsule(tensor, stream, max_version, dl_device, copy)


def _capsule(tensor: Tensor, stream: Any, max_version: Any, dl_device: Any, copy: Any) -> Any:
    return tensor.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)
