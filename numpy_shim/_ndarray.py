"""``ndarray``: one torch tensor with NumPy's face.

This file has the class and the two ways to make one; its methods and operators are hung on
by ``_methods`` and ``_operators``. A plain array has the one slot that ``TensorBox`` has
filled. What is special about an array (a view with reversed axes, a read-only one) is a
subclass in ``_views``, so that ``type(x) is ndarray`` is the fast paths' whole check.
"""

from __future__ import annotations

from typing import Any

import numpy
import torch
from torch import Tensor

from xp_torch._core import box as _box
from xp_torch._core.box import TensorBox

from ._dtypes import NUMPY

new = object.__new__
"""Makes an array without the constructor: ``out = new(ndarray); out._tensor = tensor``."""


class ndarray(TensorBox):
    """A multidimensional array over one torch tensor.

    Made by ``array``, ``zeros`` and their like, and by the constructor as in NumPy.
    ``tensor`` is the tensor it holds, not a copy: what is written to one is seen in the other.
    """

    __slots__ = ("_base",)

    _base: ndarray  # set in views only: the array whose memory this is

    __hash__ = None  # type: ignore[assignment]
    __array_priority__ = 1000.0

    @property
    def tensor(self) -> Tensor:
        """The torch tensor this array holds; no copy."""
        return self._tensor

    @property
    def dtype(self) -> numpy.dtype[Any]:
        """The dtype of the elements, NumPy's own object."""
        return NUMPY[self._tensor.dtype]

    @property
    def device(self) -> torch.device:
        """Where the elements live."""
        return self._tensor.device

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._tensor.dim()

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._tensor.numel()


SCALAR_TYPES: dict[torch.dtype, type[ndarray]] = {}
"""The scalar type of each torch dtype; filled by ``_scalars``."""


def array_of(tensor: Tensor) -> ndarray:
    """``tensor`` as an ``ndarray``, 0-D too, sharing its memory."""
    if tensor.get_device() >= 0:  # folded in a trace
        _box.note_device()
    out = new(ndarray)
    out._tensor = tensor
    return out


def wrap(tensor: Tensor) -> ndarray:
    """A result: an ``ndarray``, or a scalar of the dtype's type where it has no axes."""
    out = new(ndarray) if tensor.dim() else new(SCALAR_TYPES[tensor.dtype])
    out._tensor = tensor
    return out


def view_of(base: ndarray, tensor: Tensor) -> ndarray:
    """A view: an ``ndarray`` on part of the memory of ``base``."""
    out = new(ndarray)
    out._tensor = tensor
    out._base = base
    return out
