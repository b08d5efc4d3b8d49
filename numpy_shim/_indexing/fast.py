"""``x[key]`` of ``ndarray``: plain arrays and the everyday keys; ``selection`` takes all others."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_compiling, is_dynamo_compiling

from xp_torch._core import box as _box
from xp_torch._core.errors import REFUSALS
from xp_torch._kernels import host_reads

from .._array import views
from .._array.host_view import NO_ELEMENT_READ, ROWS, host_view, note_row, row_of
from .._array.ndarray import SCALAR_TYPES, ndarray, new, scalar, tensor_scalar
from .._base.axes import MAX_DIMS
from .._base.dtypes import INTEGERS
from .._base.scalar_types import STORED
from .._convert.sequences import quick_tensor
from .._host.loop_reads import element
from .._kernels import elements
from .selection import get_general

_INTEGER_SCALARS = frozenset(SCALAR_TYPES[d] for d in INTEGERS)
_NUMPYS_INTEGERS = frozenset(kind for kind, d in STORED.items() if d in INTEGERS)
HOST_INTEGERS = _NUMPYS_INTEGERS | {int}
FAR = 2**15
"""Larger steps are cut to the size of the axis: torch would multiply them into strides."""


def getitem(self: ndarray, key: Any, /) -> Any:
    """The elements that ``key`` selects.

    ``key`` is what NumPy takes: integers, slices of any step, ``None``, an ellipsis, integer
    arrays of any integer dtype, masks, lists, tensors and real NumPy arrays, mixed in a tuple in
    any way. Basic keys give views, also with negative steps; arrays and masks give copies.
    An integer for every axis gives a scalar, a copy on the array's device.

    Masks synchronise with the device. A scalar as an index does not: on another device than the
    CPU, and in a trace, the row that it selects is a copy. Values of index arrays are checked on
    the CPU only; another device itself reports an index out of bounds.

    Raises ``IndexError`` for an index out of bounds or of another type, ``TypeError`` for a slice
    of other objects than integers and ``ValueError`` for an index on another device. Source:
    NumPy's user guide, *Indexing on ndarrays*.
    """
    kind = type(key)
    if kind is not tuple:
        integers = kind is int or kind in HOST_INTEGERS
    elif len(key) == 2:  # a call of all_integers would cost a third of reading an element
        integers = type(key[0]) in HOST_INTEGERS and type(key[1]) in HOST_INTEGERS
    else:
        integers = all_integers(key)
    if integers and not is_dynamo_compiling():
        try:
            t, memory, pointer, address, view, ndim, _ = self._host
            if (
                (ndim == (len(key) if kind is tuple else 1) or ndim == ROWS)
                and t is self._tensor
                and pointer() == address
                and not memory.requires_grad
            ):
                if ndim > 0 or (kind is tuple and len(key) == 2):
                    return view[key]
                if kind is int:
                    return row_of(self, view, key)
        except AttributeError:
            if type(self) is ndarray:  # the next key finds that no element has been read
                self._host = NO_ELEMENT_READ
    t = self._tensor
    if integers and _box.several_devices and not t.is_cpu:
        read = element(self, t, key)
        if read is not None:
            return read
    if type(t) is Tensor and type(self) is ndarray:
        try:
            if kind is int:
                if t.dim() == 1:
                    view = host_view(self)
                    if view is None:
                        return tensor_scalar(t[key].clone())
                    note_row(self)
                    return view[key]
                out = new(ndarray)
                out._tensor = t[key]
                out._flat_dtype = self._flat_dtype
                out._base = self if t._base is None else getattr(self, "_base", self)
                return out
            if kind is slice:
                step = key.step
                if step is None or (type(step) is int and 0 < step < FAR):
                    out = new(ndarray)
                    out._tensor = t[key]
                    out._flat_dtype = self._flat_dtype
                    out._base = self if t._base is None else getattr(self, "_base", self)
                    return out
                if t.dim():
                    return views.stepped(self, t, key)
            elif kind is tuple or key is None:
                if key is None:
                    key = (None,)
                elif integers and len(key) == t.dim():
                    view = host_view(self)
                    if view is not None:
                        return view[key]
                ellipses = 0
                for item in key:
                    if type(item) is slice:
                        step = item.step
                        if step is not None and (type(step) is not int or not 0 < step < FAR):
                            return get_general(self, key)
                    elif item is Ellipsis:
                        ellipses += 1
                    elif type(item) is not int and item is not None:
                        ellipses = -1
                        break
                if 0 <= ellipses < 2:
                    found = t[key]
                    ndim = found.dim()
                    if ndim > MAX_DIMS:
                        return get_general(self, key)
                    if ndim or ellipses:
                        out = new(ndarray)
                        out._tensor = found
                        out._flat_dtype = (self._flat_dtype or t.dtype) if ndim else None
                        out._base = self if t._base is None else getattr(self, "_base", self)
                        return out
                    return scalar(found.clone())
                if ellipses < 0 and t.numel():
                    if has_host_integers(key) and not is_compiling():
                        return getitem(self, with_python_integers(key))
                    ready = _torch_key(t, key)
                    if ready is not None:
                        large = not is_dynamo_compiling() and t.numel() >= elements.LARGE
                        found = elements.picked(t, *ready) if large else t[ready]
                        # If nothing is selected, torch has not checked the indices.
                        if is_compiling() or found.numel():
                            out = new(ndarray)
                            out._tensor = found
                            out._flat_dtype = found.dtype if found.dim() else None
                            return out
            elif kind is ndarray:
                k = key._tensor
                d = k.dtype
                if (
                    (d is torch.int64 or d is torch.bool)
                    and k.dim()
                    and t.numel()
                    and not (_box.several_devices and t.device != k.device)
                ):
                    large = not is_dynamo_compiling() and k.numel() >= elements.LARGE
                    out = new(ndarray)
                    out._tensor = elements.selected(t, k) if large else t[k]
                    out._flat_dtype = self._flat_dtype
                    return out
            elif kind is list:
                if key and type(key[0]) is int and t.numel():
                    k = of_list(key, t.device)
                    if k.dtype is torch.int64:
                        out = new(ndarray)
                        out._tensor = t[k]
                        out._flat_dtype = self._flat_dtype
                        return out
            elif kind in STORED and STORED[kind] in INTEGERS:
                return getitem(self, key.item())
            elif kind in _INTEGER_SCALARS and host_reads.possible(key._tensor):
                return getitem(self, key._tensor.item())
        except REFUSALS:
            pass  # the general twin takes it, or says what is wrong with it
    return get_general(self, key)


def all_integers(key: tuple[object, ...]) -> bool:
    """Whether a tuple holds integers only, Python's or NumPy's."""
    for item in key:
        if type(item) is not int and type(item) not in HOST_INTEGERS:
            return False
    return bool(key)


def of_list(key: list[object], device: torch.device) -> Tensor:
    """A list that begins with an int, as a tensor."""
    made = quick_tensor(key, device)
    return torch.tensor(key, device=device) if made is None else made


def _torch_key(t: Tensor, key: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """A key with index arrays for which torch gives what NumPy gives; ``None`` for the others.

    torch removes integers before it places the axes of index arrays, while NumPy counts integers
    as index arrays. So integers must not stand beside other axes.
    """
    ready: list[Any] = []
    integers = others = ellipses = False
    if len(key) >= MAX_DIMS:
        return None
    for item in key:
        kind = type(item)
        if kind is ndarray:
            k = item._tensor
            if (
                type(k) is not Tensor  # Dynamo would not see in the tuple that it runs backwards
                or not k.dim()
                or not (k.dtype is torch.int64 or k.dtype is torch.bool)
                or (_box.several_devices and t.device != k.device)
            ):
                return None
            ready.append(k)
            continue
        if kind is list and item and type(item[0]) is int:
            k = of_list(item, t.device)
            if k.dtype is not torch.int64:
                return None
            ready.append(k)
            continue
        if kind is int:
            integers = True
        elif item is Ellipsis:
            if ellipses:
                return None
            ellipses = others = True
        elif item is None or (kind is slice and item.step is None):
            others = True
        else:
            return None
        ready.append(item)
    return None if integers and others else tuple(ready)


def has_host_integers(key: tuple[object, ...]) -> bool:
    """Whether an item is one of NumPy's integer scalars, which torch would take for an array."""
    for item in key:  # noqa: SIM110 - a generator would be called for each item
        if type(item) in _NUMPYS_INTEGERS:
            return True
    return False


def with_python_integers(key: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple([int(item) if type(item) in HOST_INTEGERS else item for item in key])
