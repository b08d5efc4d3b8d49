"""Arrays on their way between the workers of ``dask.distributed``.

An array on the CPU takes NumPy's own way on the same memory, so it is copied where NumPy's array
would be: if it is not contiguous, and if it arrives in memory that is read-only. An array on a CUDA
device takes the way of the family ``cuda`` between workers that can pass device memory on, and else
goes through the host to a device of the same name. An array that needs a gradient is pickled.

The way of CUDA devices has not been run by the tests, which have no such device.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy
import torch
from distributed.protocol.numpy import deserialize_numpy_ndarray, serialize_numpy_ndarray
from distributed.protocol.serialize import dask_deserialize, dask_serialize
from torch import Tensor

from .._array import views
from .._array.ndarray import array_of, ndarray
from .._base.dtypes import NUMPY, torch_dtype
from .._convert.arguments import as_array
from .._convert.foreign import is_describable
from .._convert.to_numpy import shared


def serialize(x: ndarray, context: object = None) -> tuple[dict[str, Any], list[Any]]:
    """The header and the memory of an array; ``NotImplementedError`` sends it to pickle."""
    t = x._tensor
    if t.requires_grad:
        raise NotImplementedError("numpy_shim.ndarray with a gradient")
    device = str(t.device)
    host = shared("dask_serialize", x if t.is_cpu else x.to_device("cpu"))
    header, frames = serialize_numpy_ndarray(host, context)
    return {"numpy": header, "device": device}, frames


def deserialize(header: dict[str, Any], frames: list[Any]) -> ndarray:
    """The array on the memory that arrived."""
    plain = dict(header["numpy"])
    (writeable,) = plain.get("writeable", (True,))
    # Only the elements behind axes of stride 0 travel.
    whole = plain.pop("broadcast_to", None)
    if whole is not None:  # they are one element long now; torch shares no axis of stride 0
        step = numpy.dtype(plain["dtype"][1]).itemsize
        plain["strides"] = tuple(s or step for s in plain["strides"])
    # torch has no read-only memory: NumPy's array is made writeable, and ours is locked.
    host = deserialize_numpy_ndarray({**plain, "writeable": [True]}, frames)
    if not is_describable(host):  # it may arrive at any byte
        host = host.copy()
    made = as_array("dask_deserialize", host, device=torch.device("cpu"))
    if header["device"] != "cpu":
        made = made.to_device(header["device"])
    if whole is not None:
        made = views.broadcast(made, tuple(whole))
    return made if writeable else views.read_only(made)


dask_serialize.register(ndarray, serialize)
dask_deserialize.register(ndarray, deserialize)


def _serialize_cuda(x: ndarray) -> tuple[dict[str, Any], list[Any]]:
    """The header, and the memory on the device as bytes."""
    t = views.forward_of(x)[0]
    steps = t.stride()
    axes = tuple(sorted(range(t.dim()), key=lambda i: -steps[i]))
    dense = t is x._tensor and t.permute(axes).is_contiguous()
    if not dense:
        axes, t = tuple(range(t.dim())), x._tensor.resolve_conj().contiguous()
    memory = t.detach().permute(axes)
    header = {"dtype": NUMPY[t.dtype].name, "shape": tuple(memory.shape), "axes": axes}
    return header, [memory.reshape(-1).view(torch.uint8)]


def _deserialize_cuda(header: dict[str, object], frames: list[object]) -> ndarray:
    """The array on device memory of any library that has ``__cuda_array_interface__``."""
    (frame,) = frames
    return _restored(header, torch.as_tensor(frame, device="cuda"))


def _restored(header: dict[str, Any], memory: Tensor) -> ndarray:
    """The array whose elements are these bytes, in the order of its memory."""
    kind = torch_dtype("dask_deserialize", header["dtype"])
    axes = tuple(header["axes"])
    t = memory.view(kind).view(tuple(header["shape"]))
    return array_of(t.permute(tuple([axes.index(i) for i in range(len(axes))])))


def register_cuda(module: ModuleType) -> None:
    """Add the two functions to the family ``cuda``; other devices take the family ``dask``."""

    def serialize_cuda(x: ndarray) -> tuple[dict[str, Any], list[Any]]:
        if not x._tensor.is_cuda or x._tensor.requires_grad:
            raise NotImplementedError("numpy_shim.ndarray that is not on a CUDA device")
        return _serialize_cuda(x)

    module.cuda_serialize.register(ndarray, serialize_cuda)
    module.cuda_deserialize.register(ndarray, _deserialize_cuda)
