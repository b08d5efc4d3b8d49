"""Where ``Array`` sends its tensor: to another device, to DLPack and to NumPy."""

from __future__ import annotations

from enum import Enum
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_compiling

from ._core.devices import move, normalize_device
from ._core.dtypes import name_of
from ._core.errors import type_name
from ._kernels import interchange

_DL_CPU = 1


def to_device(tensor: Tensor, device: object, stream: object) -> Tensor | None:
    """See ``Array.to_device``; ``None`` for a tensor that is there already."""
    target = normalize_device("to_device", device)
    if stream is not None and "cuda" not in (target.type, tensor.device.type):
        raise ValueError(f"to_device: stream must be None between {tensor.device} and {target}")
    if target == tensor.device:
        return None
    if stream is None:
        return move("to_device", tensor, target)
    with torch.cuda.stream(_stream(stream, target if target.type == "cuda" else tensor.device)):
        return move("to_device", tensor, target)


def _stream(stream: object, device: torch.device) -> Any:
    if isinstance(stream, torch.cuda.Stream):
        return stream
    if type(stream) is int and stream >= 0:
        # torch takes the legacy default stream's own handle, 0; DLPack calls it 1.
        return torch.cuda.ExternalStream(0 if stream == 1 else stream, device=device)
    raise ValueError(f"to_device: stream must be a torch.cuda.Stream or its handle, not {stream!r}")


def to_dlpack(
    tensor: Tensor,
    stream: Any,
    max_version: Any,
    dl_device: Any,
    copy: bool | None,
) -> Any:
    """See ``Array.__dlpack__``."""
    name = "__dlpack__"
    own = dlpack_device(tensor)
    if tensor.requires_grad:
        raise BufferError(
            f"{name}: DLPack does not carry gradients; export the detached tensor, "
            "xp_torch.to_torch(x).detach()"
        )
    if max_version is not None and not _is_pair(max_version):
        raise TypeError(f"{name}: max_version must be a tuple of two integers, not {max_version!r}")
    target = own if dl_device is None else _dl_device(name, dl_device)
    if target not in (own, (_DL_CPU, 0)):
        raise BufferError(f"{name}: an array on {tensor.device} is not exported to {dl_device}")
    if target != own and copy is False:
        raise BufferError(f"{name}: copy=False, but data on {tensor.device} must be copied")
    _check_stream(name, stream, target)
    if target[0] == _DL_CPU and target != own:
        tensor, copy = tensor.cpu(), None
    if tensor.is_conj() or tensor.is_neg():
        if copy is False:
            raise BufferError(f"{name}: copy=False, but a lazily conjugated tensor must be copied")
        tensor = tensor.resolve_conj().resolve_neg()
    try:
        return interchange.to_dlpack(tensor, stream, max_version, target, copy)
    except RuntimeError as error:
        raise BufferError(f"{name}: {str(error).splitlines()[0]}") from None


def dlpack_device(tensor: Tensor) -> tuple[Any, int]:
    """See ``Array.__dlpack_device__``."""
    if tensor.is_meta:
        raise BufferError("__dlpack_device__: an array on the meta device has no data to export")
    return interchange.dlpack_device(tensor)


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(v, int) for v in value)


def _dl_device(name: str, dl_device: object) -> tuple[int, int]:
    if isinstance(dl_device, tuple) and len(dl_device) == 2:
        kind, index = dl_device
        pair = (kind.value if isinstance(kind, Enum) else kind, index)
        if _is_pair(pair):
            return int(pair[0]), int(pair[1])
    raise TypeError(f"{name}: dl_device must be a device type and an index, not {dl_device!r}")


def _check_stream(name: str, stream: object, target: tuple[object, int]) -> None:
    if stream is None:
        return
    if target[0] == _DL_CPU:
        raise ValueError(f"{name}: stream must be None on the CPU, not {stream!r}")
    if not isinstance(stream, int):
        raise TypeError(f"{name}: stream must be an int or None, not {type_name(stream)}")
    if stream < -1 or (stream == 0 and torch.version.hip is None):
        raise ValueError(f"{name}: stream {stream} is not a stream's handle")


def to_numpy(tensor: Tensor, dtype: Any, copy: bool | None) -> Any:
    """See ``Array.__array__``."""
    if not tensor.is_cpu:
        raise TypeError(
            f"numpy.asarray: the array is on {tensor.device}; move it first, with "
            "x.to_device('cpu')"
        )
    if tensor.requires_grad:
        raise TypeError(
            "numpy.asarray: the array needs a gradient, which NumPy would lose; detach it, with "
            "xp_torch.to_torch(x).detach()"
        )
    # Dynamo does not trace these questions.
    lazy = not is_compiling() and (tensor.is_conj() or tensor.is_neg())
    if lazy and copy is False:
        raise ValueError("numpy.asarray: copy=False, but a lazily conjugated tensor must be copied")
    shared = (tensor.resolve_conj().resolve_neg() if lazy else tensor).numpy()
    if dtype is None or shared.dtype == dtype:
        return shared.copy() if copy else shared
    if copy is False:
        raise ValueError(
            f"numpy.asarray: copy=False, but {name_of(tensor.dtype)} data must be copied to {dtype}"
        )
    return shared.astype(dtype)
