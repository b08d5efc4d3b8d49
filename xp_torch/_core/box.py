"""TensorBox: the base class of arrays, which holds one torch tensor.

``Array`` (xp_torch) and ``ndarray`` (numpy_shim) are subclasses of it. It has one slot, because
every call constructs an array and a second slot adds half of that cost.
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
"""Whether this process has had an array on another device than the CPU.

Operands on two devices are refused. torch refuses them too, except a 0-D CPU tensor beside
a tensor on an accelerator, so the namespace must check for that case. While everything is on the
CPU the fast paths skip the check, which would cost a tenth of a call.
"""


def box(cls: type[B], tensor: Tensor) -> B:
    """Wrap ``tensor`` in an array of class ``cls`` that shares its memory.

    Every new or imported tensor passes here, so that ``several_devices`` is correct. The CPU and
    the meta device both have the index -1: ``devices.normalize_device`` records a use of the meta
    device.
    """
    if tensor.get_device() >= 0:  # a trace folds this test, but not is_cpu
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
    """An object that holds one tensor. Only its subclasses are arrays."""

    __slots__ = ("__weakref__", "_tensor")

    _tensor: Tensor

    @classmethod
    def _boxed(cls: type[B], tensor: Tensor) -> B:
        """``box``; a class with more slots than the tensor fills them."""
        return box(cls, tensor)

    def __copy__(self: B) -> B:
        """Copy to an array with its own memory. The gradient flows through the copy."""
        return self._boxed(self._tensor.clone())

    def __deepcopy__(self: B, memo: dict[int, object], /) -> B:
        """Copy to an array with its own memory and gradient, as torch copies a leaf.

        ``RuntimeError`` for a result of operations that are differentiated, as in torch.
        """
        if not self._tensor.is_leaf:
            raise RuntimeError(
                "deepcopy: the array is the result of operations that are differentiated, and its "
                "history cannot be copied; use copy() to stay in the graph or detach its tensor"
            )
        copied = self._boxed(_independent(self._tensor))
        memo[id(self)] = copied
        return copied

    def __reduce__(self, /) -> tuple[Any, ...]:
        tensor = self._tensor
        whole = tensor.untyped_storage().nbytes() == tensor.numel() * tensor.itemsize
        if not whole or 0 in tensor.stride():
            # torch pickles the whole memory under a view, and it pickles repeated elements as one
            # element that cannot be written to.
            tensor = _independent(tensor)
        elif not tensor.is_leaf:
            tensor = tensor.detach().requires_grad_(tensor.requires_grad)
        if tensor.dtype in WIDE_UNSIGNED:
            # torch cannot pickle storage of these dtypes, but it can pickle the same bits.
            return _box_bits, (type(self), tensor.view(SIGNED_TWIN[tensor.dtype]), tensor.dtype)
        return boxed, (type(self), tensor)


def boxed(cls: type[B], tensor: Tensor) -> B:
    """The array of a pickle."""
    return cls._boxed(tensor)


def _box_bits(cls: type[B], bits: Tensor, dtype: torch.dtype) -> B:
    return cls._boxed(bits.view(dtype))


def _independent(tensor: Tensor) -> Tensor:
    """Copy the values without their autograd history; keep ``requires_grad``."""
    return tensor.detach().clone().requires_grad_(tensor.requires_grad)


def send_by_value(cls: type[TensorBox]) -> None:
    """Let ``multiprocessing`` send arrays of a class as copies, as NumPy's arrays.

    torch sends its tensors as shared memory. The receiver shares that memory with the sender, and
    cannot open it after the sender has exited.
    """
    ForkingPickler.register(cls, sent_by_value)


def sent_by_value(array: TensorBox) -> tuple[Any, ...]:
    """What a pickle has for an array that another process gets as a copy."""
    return pickle.loads, (pickle.dumps(array, protocol=5),)
