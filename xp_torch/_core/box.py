"""TensorBox: one torch tensor behind an array's face.

``Array`` (xp_torch) and ``ndarray`` (numpy_shim) are siblings over it. It has one slot:
constructing an array is on every call's path, and a second slot costs half as much again.
"""

from __future__ import annotations

import pickle
from multiprocessing.reduction import ForkingPickler
from typing import Any, TypeVar

import torch
from torch import Tensor

from .dtypes import SIGNED_TWIN, WIDE_UNSIGNED

B = TypeVar("B", bound="TensorBox")

several_devices = False
"""Whether any array has lived elsewhere than on the CPU in this process.

Operands on two devices are refused. torch refuses them too, except a 0-D CPU tensor beside
a tensor on an accelerator, so that case has to be looked for; while everything is on the
CPU the fast paths skip the look (it would cost a tenth of a call).
"""


def box(cls: type[B], tensor: Tensor) -> B:
    """``tensor`` as an array of class ``cls``, sharing its memory.

    Every tensor that comes from outside or is created passes here, which is how
    ``several_devices`` stays true to the process. The CPU and the meta device both have the
    index -1: who names the meta device is noted in ``devices.normalize_device``.
    """
    if tensor.get_device() >= 0:  # folded in a trace, where is_cpu would stay
        note_device()
    array = object.__new__(cls)
    array._tensor = tensor
    return array


def note_device() -> None:
    """Record that an array lives on another device than the CPU."""
    global several_devices
    if not several_devices:
        several_devices = True


class TensorBox:
    """An object that holds one tensor. Not an array yet: its subclasses are."""

    __slots__ = ("__weakref__", "_tensor")

    _tensor: Tensor

    def __copy__(self: B) -> B:
        """An array with memory of its own, through which the gradient flows."""
        return box(type(self), self._tensor.clone())

    def __deepcopy__(self: B, memo: dict[int, Any], /) -> B:
        """An array with memory and a gradient of its own, as of a leaf that torch copies."""
        copied = box(type(self), _independent(self._tensor))
        memo[id(self)] = copied
        return copied

    def __reduce__(self, /) -> tuple[Any, ...]:
        tensor = self._tensor
        whole = tensor.untyped_storage().nbytes() == tensor.numel() * tensor.itemsize
        if not whole or 0 in tensor.stride():
            # torch pickles all the memory that a view is a part of, and repeated elements
            # as one that cannot be written to.
            tensor = _independent(tensor)
        elif not tensor.is_leaf:
            tensor = tensor.detach().requires_grad_(tensor.requires_grad)
        if tensor.dtype in WIDE_UNSIGNED:
            # torch's storage of these dtypes cannot be pickled; that of the same bits can.
            return _box_bits, (type(self), tensor.view(SIGNED_TWIN[tensor.dtype]), tensor.dtype)
        return box, (type(self), tensor)


def _box_bits(cls: type[B], bits: Tensor, dtype: torch.dtype) -> B:
    return box(cls, bits.view(dtype))


def _independent(tensor: Tensor) -> Tensor:
    """A copy without the history of its values, which needs a gradient if they did."""
    return tensor.detach().clone().requires_grad_(tensor.requires_grad)


def same_device(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors live on the same device."""
    return a.device == b.device


def send_by_value(cls: type[TensorBox]) -> None:
    """Let ``multiprocessing`` send arrays of a class as copies, as it sends NumPy's.

    torch registers its tensors to be sent as shared memory: what arrives shares it with the
    sender, and cannot be opened any more when the sender has exited.
    """
    ForkingPickler.register(cls, _pickled)


def _pickled(array: TensorBox) -> tuple[Any, ...]:
    return pickle.loads, (pickle.dumps(array, protocol=5),)
