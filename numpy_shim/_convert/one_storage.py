"""One storage for all tensors on the memory of one NumPy array, so that torch sees them overlap.

``torch.from_numpy`` makes a storage of each array that it is given, which begins at the array's
first element. Two views of one array are unrelated to torch then, and what is written to one of
them is read through the other: ``a += b`` for ``a, b = np.asarray(x[1:]), np.asarray(x[:-1])``.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy
import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._core.devices import default_is_cpu
from xp_torch._torch.internals import (
    count_modes,
    end_reference,
    has_ended,
    storage_of,
    transform_level,
    weak_storage,
)

from .._array import views
from .._array.host_view import WRITEABLE, memory_of
from .._array.ndarray import array_of, ndarray
from .._base.dtypes import HostDtypeError
from .._base.host_setting import may_hand
from .foreign import from_numpy, is_describable, is_subclass


class StorageTable:
    """Storages by a number, as long as a tensor uses them."""

    def __init__(self) -> None:
        self._references: dict[int, int] = {}
        self._room = 256  # until those are dropped that no tensor uses
        self._lock = threading.RLock()  # a reference must not end while it is followed
        self._busy = False

    def get(self, key: int, storage: object = None) -> Any:
        """The storage of a number; if there is none, or no tensor uses it any more, ``storage``.

        That is the number's then. A finalizer that runs within a call, and calls in its turn, gets
        ``storage`` and changes nothing.
        """
        with self._lock:
            if self._busy:
                return storage
            self._busy = True
            try:
                return self._found(key, storage)
            finally:
                self._busy = False

    def holds(self, key: int) -> bool:
        """Whether a tensor may use the storage of a number."""
        if key not in self._references:
            return False
        with self._lock:
            reference = self._references.get(key)
            return self._busy or (reference is not None and not has_ended(reference))

    def _found(self, key: int, storage: object) -> Any:
        reference = self._references.get(key)
        if reference is not None:
            found = storage_of(reference)
            if found is not None or storage is None:
                return found
            end_reference(reference)
        elif storage is None:
            return None
        elif len(self._references) >= self._room:
            self._drop()
        self._references[key] = weak_storage(storage)
        return storage

    def _drop(self) -> None:
        for key, reference in list(self._references.items()):
            if has_ended(reference):
                del self._references[key]
                end_reference(reference)
        self._room = max(256, 2 * len(self._references))


_storages = StorageTable()
"""By the ``id`` of the object that owns the memory, which the storage keeps alive."""


def has_storage(x: numpy.ndarray[Any, Any]) -> bool:
    """Whether a tensor may be on the memory of an array that owns it."""
    return _storages.holds(id(x))


def on_one_storage(tensor: Tensor, x: numpy.ndarray[Any, Any]) -> Tensor:
    """The tensor of a NumPy array's memory, on the storage that all tensors of that memory have.

    ``tensor`` is torch's own for it, and is changed. One that has been moved to another device
    stays as it is, and one that is made in a trace or in a transform.
    """
    if not tensor.is_cpu or count_modes() or transform_level() is not None:
        return tensor
    base: Any
    owner: Any = x
    while isinstance(base := owner.base, numpy.ndarray):
        owner = base
    if isinstance(base, Tensor):
        storage = base.untyped_storage() if base.is_cpu else None
    else:
        owner = owner if base is None else _exporter(base)
        made = tensor.untyped_storage() if owner is x else None
        storage = _storages.get(id(owner), made)
        if storage is None:
            whole = _whole(owner)
            storage = None if whole is None else _storages.get(id(owner), whole)
        elif storage is made:
            return tensor
    if storage is None or not tensor.numel():
        return tensor
    start, size = tensor.data_ptr() - storage.data_ptr(), tensor.itemsize
    end = start + tensor.untyped_storage().nbytes()
    if start % size == 0 and start >= 0 and end <= storage.nbytes():
        tensor.set_(storage, start // size, tensor.shape, tensor.stride())
    return tensor


def is_kept_in_place(x: object, device: Any = None) -> bool:
    """Whether ``x`` is an array of NumPy's that is not moved to another device, nor traced."""
    if not isinstance(x, numpy.ndarray) or is_compiling() or is_subclass(x):
        return False
    return default_is_cpu() if device is None else device.type == "cpu"


def on_memory_of(name: str, x: numpy.ndarray[Any, Any], argument: str) -> ndarray | None:
    """An array of ours on the memory of one of NumPy's, of a dtype of torch's.

    It runs backwards where ``x`` does. ``HostDtypeError`` for memory that torch cannot describe,
    as that of a field in a packed record: the array stays NumPy's, so that writes reach it.
    ``None`` where it has to be copied: it is read-only, or what is NumPy's is switched off.
    """
    if not is_describable(x):
        if may_hand():
            raise HostDtypeError(
                f"{name}: torch cannot describe the memory of {argument}, whose dtype is {x.dtype} "
                f"and whose strides are {x.strides} bytes"
            )
        return None
    if not x.flags.num & WRITEABLE:
        return None
    flips = [axis for axis, step in enumerate(x.strides) if step < 0]
    if flips:
        x = x[tuple([slice(None, None, -1 if step < 0 else 1) for step in x.strides])]
    tensor = from_numpy(name, x, argument, _CPU)
    if tensor._base is not None:
        tensor = tensor.detach()  # not a view of torch's, whose base would be searched for
    made = array_of(on_one_storage(tensor, x))
    return views.make(made, made._tensor, flips) if flips else made


_CPU = torch.device("cpu")


def _exporter(base: Any) -> Any:
    """The object whose buffer an array has its memory from; the base itself for a capsule."""
    try:
        return memoryview(base).obj
    except TypeError:
        return base


def _whole(owner: Any) -> torch.UntypedStorage | None:
    """The storage of an object's memory; ``None`` where torch cannot take it as it is."""
    if isinstance(owner, numpy.ndarray):
        if not owner.flags.num & WRITEABLE or owner.dtype.hasobject or not owner.size:
            return None
        made = memory_of(owner)
        if made is not None:
            return made.untyped_storage()
        owner = owner if owner.flags.c_contiguous else owner.T  # torch has no such dtype
        owner = owner.reshape(-1).view(numpy.uint8) if owner.flags.c_contiguous else None
    try:
        view = memoryview(owner)
    except TypeError:
        return None
    if view.readonly or not view.c_contiguous or not view.nbytes:
        return None
    return torch.frombuffer(view.cast("B"), dtype=torch.uint8).untyped_storage()
