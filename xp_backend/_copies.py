"""Copies between devices and dtypes, items, and storages that cannot grow."""

from __future__ import annotations

from math import prod
from typing import Any

import torch
from torch import Tensor

from ._blobs import COPY, TO_COPY, Blobs
from ._errors import BackendError
from ._operators import aten
from ._tensor import BackendTensor, contiguous_strides

Args = tuple[Any, ...]
Kwargs = dict[str, Any]
ITEM = aten("_local_scalar_dense.default")


class Copies:
    """The copies of one backend."""

    blobs: Blobs

    @property
    def device(self) -> torch.device:
        return BackendTensor.environment.device  # type: ignore[no-any-return]

    def item(self, args: Args, kwargs: Kwargs) -> Any:
        return self.blobs.to_cpu(self.blobs.read(args[0]), str(ITEM)).item()

    def to_copy(self, args: Args, kwargs: Kwargs) -> Tensor:
        """A copy with another dtype, on another device, or both."""
        source: Tensor = args[0]
        device = torch.device(kwargs.get("device") or source.device)
        dtype = kwargs.get("dtype") or source.dtype
        check_placement(self.blobs.name, kwargs)
        if not isinstance(source, BackendTensor):
            return self.blobs.wrap(self.blobs.from_cpu(source.to(dtype), str(TO_COPY)))
        blob = self.blobs.read(source)
        if device.type == self.device.type:
            if dtype is source.dtype:
                return self.blobs.wrap(self.blobs.clone(blob))
            return self.blobs.wrap(self.blobs.cast(blob, dtype), dtype)
        return self.blobs.to_cpu(blob, str(TO_COPY)).to(device=device, dtype=dtype)

    def clone(self, args: Args, kwargs: Kwargs) -> Tensor:
        return self.blobs.wrap(self.blobs.clone(self.blobs.read(args[0])))

    def copy(self, args: Args, kwargs: Kwargs) -> Tensor:
        """Write one tensor to another, whichever of the two is here."""
        target, source = args[0], args[1]
        if not isinstance(target, BackendTensor):
            values = self.blobs.to_cpu(self.blobs.read(source), str(COPY))
            target.copy_(values)
            return target  # type: ignore[no-any-return]
        if target.shape != source.shape:
            source = source.expand(target.shape)
        if isinstance(source, BackendTensor):
            blob = self.blobs.read(source)
            if source.dtype is target.dtype:
                blob = self.blobs.clone(blob)
            else:
                blob = self.blobs.cast(blob, target.dtype)
                if self.blobs.own is not None:
                    blob = self.blobs.own(blob)
        else:
            blob = self.blobs.from_cpu(source.to(target.dtype), str(COPY))
        self.blobs.write(target, blob)
        return target

    def resized(self, op: object, args: Args, kwargs: Kwargs) -> Tensor:
        """``resize_`` to a shape that the storage holds: the same memory in C order."""
        tensor: BackendTensor = args[0]
        shape = tuple(args[1]) if len(args) > 1 and isinstance(args[1], (list, tuple)) else None
        if shape == tuple(tensor.shape):
            return tensor
        offset = int(tensor.storage_offset())
        room = prod(tensor.cell.shape) * tensor.cell.dtype.itemsize // tensor.dtype.itemsize
        if shape is not None and offset + prod(shape) <= room:
            tensor.data = tensor.as_strided(shape, contiguous_strides(shape), offset)
            return tensor
        raise BackendError(
            f"backend {self.blobs.name!r} cannot run {op}: a storage cannot grow or be exchanged; "
            "make a new tensor, or pass out= of the right shape"
        )


def check_placement(name: str, kwargs: Kwargs) -> None:
    """Refuse a layout, pinned memory or a second device, which a backend does not have."""
    device = kwargs.get("device")
    if device is not None:
        device = torch.device(device)
        if device.type == name and device.index:
            raise BackendError(f"backend {name!r} has one device, {name}:0; got {device}")
    if kwargs.get("layout") not in (None, torch.strided):
        raise BackendError(
            f"backend {name!r} has strided tensors only, got layout={kwargs['layout']}"
        )
    if kwargs.get("pin_memory"):
        raise BackendError(f"backend {name!r} cannot pin memory")
