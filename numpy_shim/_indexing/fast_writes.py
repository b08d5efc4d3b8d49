"""``x[key] = value`` and ``del x[key]``: plain arrays, the everyday keys and values.

``selection`` takes all others.
"""

from __future__ import annotations

from typing import Any

import numpy
import torch
from torch import Tensor
from torch.compiler import is_compiling, is_dynamo_compiling

from xp_torch._core import box as _box
from xp_torch._core.dtypes import EXACT
from xp_torch._core.errors import REFUSALS
from xp_torch._kernels import host_reads
from xp_torch._kernels.blocks import is_large
from xp_torch._kernels.indexing import fill_in_trace
from xp_torch._kernels.large_numbers import rounded
from xp_torch._torch.internals import increment_version

from .._array.host_view import NO_ELEMENT_READ, ROWS, host_view, kept_view, note_row
from .._array.memory import apart_in_trace
from .._array.ndarray import SCALAR_TYPES, AnyArray, ndarray
from .._base.axes import MAX_DIMS
from .._base.fast_tables import fast_table
from .._base.promotion import PYTHON_NUMBERS
from .._base.scalar_types import STORED
from .._convert.sequences import quick_tensor
from .._host.loop_writes import write_element, written_there
from .._kernels.backwards import Special
from .fast import FAR, HOST_INTEGERS, all_integers, of_list, with_python_integers
from .selection import SERIAL, set_general

_SCALARS = frozenset(SCALAR_TYPES.values())
_HOST_NUMBERS = PYTHON_NUMBERS | frozenset(STORED)
"""Types of values that NumPy itself may write to an element, as it does to its own arrays."""
_FLOATS = fast_table({dtype: dtype for dtype in (torch.float32, torch.float64)})


def setitem(self: ndarray, key: Any, value: Any, /) -> None:
    """Replace the elements that ``key`` selects by ``value``, cast to the array's dtype.

    ``key`` is as in ``x[key]``. ``value`` broadcasts to the selection; extra leading
    axes of size 1 are dropped. ``value`` may share memory with the array: the result is as if
    it had been copied first. If an index is repeated, the last of its values stays (on the CPU;
    on another device any of them). On the CPU nothing is written if an index is
    out of bounds. A mask with more than one value synchronises with the device.

    Raises ``ValueError`` for a value that does not broadcast and an array that is read-only,
    ``OverflowError`` for a Python int out of the dtype's range, and what ``x[key]`` does.
    """
    kind = type(key)
    if kind is not tuple:
        integers = kind is int or kind in HOST_INTEGERS
    elif len(key) == 2:
        integers = type(key[0]) in HOST_INTEGERS and type(key[1]) in HOST_INTEGERS
    else:
        integers = all_integers(key)
    # An array as the value is nothing that NumPy's view could be given.
    if integers and type(value) is not ndarray and not is_dynamo_compiling():
        try:
            t, memory, pointer, address, view, ndim, written = self._host
            number: Any = type(value)
            if (
                (number is float or number in _HOST_NUMBERS)
                and (
                    ndim == (len(key) if kind is tuple else 1)
                    or (ndim == ROWS and kind is tuple and len(key) == 2)
                )
                and t is self._tensor
                and pointer() == address
                and not memory.requires_grad
            ):
                view[key] = value
                increment_version(written)  # autograd must not use the values that it saved
                return
            first = t is not self._tensor
        except AttributeError:
            first = True
            if type(self) is ndarray:
                self._host = NO_ELEMENT_READ
        if first and type(value) in _HOST_NUMBERS:
            if _box.several_devices and not self._tensor.is_cpu:
                if write_element(self, key, value) or _fill_element(self, key, value):
                    return
            elif _write_first(self, key, value):
                return
    t = self._tensor
    if type(t) is Tensor and type(self) is ndarray:
        try:
            if kind is ndarray or (kind is list and _is_of_ints(key)):
                if not is_compiling() and 0 in t.stride():  # shared memory, of which torch warns
                    raise RuntimeError
                k = key._tensor if kind is ndarray else of_list(key, t.device)
                d = k.dtype
                number = value.item() if type(value) in STORED else value
                if d is torch.int64:
                    # In a trace the general twin copies the value, which may share memory.
                    if not is_compiling() and _within(k, t.shape[0]):
                        if isinstance(value, AnyArray):
                            v = value._tensor
                            # Of values for one place only the last has a gradient.
                            if v.dtype is t.dtype and not v.requires_grad and _is_apart(t, k, v):
                                t.index_put_((k,), v)
                                return
                        elif (
                            k.dim() == 1
                            and _is_plain(number, t.dtype)
                            and not (_box.several_devices and t.device != k.device)
                        ):
                            t.index_fill_(0, k, number)
                            return
                elif (
                    d is torch.bool
                    and k.shape == t.shape
                    and k.dim()
                    and not (_box.several_devices and t.device != k.device)
                ):
                    if _is_plain(number, t.dtype):
                        if is_dynamo_compiling():
                            fill_in_trace(t, k, rounded(number, t.dtype))
                        else:
                            t.masked_fill_(k, number)
                        return
                    if type(value) is ndarray and _scattered(t, k, value._tensor):
                        return
            elif (
                kind is int or (kind is slice and key.step is None) or (way := _way(t, key)) is True
            ):
                if isinstance(value, AnyArray):
                    v = value._tensor
                    if (
                        v.dtype is t.dtype
                        and (type(v) is Tensor or not is_large(t))  # many run backwards
                        and not (_box.several_devices and t.device != v.device)
                    ):
                        # A trace cannot ask a special tensor for its base.
                        owner = v._base if type(v) is Tensor else None
                        if (
                            owner is not None
                            and (owner is t or owner is t._base)
                            and not is_compiling()
                            and t[key].is_set_to(v)
                        ):
                            return  # the last step of x[key] += 1
                        if not v.dim() or kind is slice or not _is_full(t, key):
                            if type(value) in _SCALARS or not _shares_memory(self, value):
                                t[key] = v
                                return
                            if type(v) is Tensor:
                                if (
                                    kind is slice
                                    and not is_compiling()
                                    and (key.step is None or key.step == 1)
                                    and t.is_contiguous()
                                    and v.is_contiguous()
                                    and v.shape[1:] == t.shape[1:]
                                    and v.shape[0] > 1
                                ):
                                    # torch refuses a copy between dense tensors that overlap;
                                    # one that it broadcasts is not dense.
                                    try:
                                        t[key] = v
                                        return
                                    except RuntimeError:
                                        pass
                                t[key] = v.clone()
                                return
                else:
                    number = value.item() if type(value) in STORED else value
                    if _is_plain(number, t.dtype):
                        if is_dynamo_compiling():
                            number = rounded(number, t.dtype)
                        t[key].fill_(number)
                        return
                    if issubclass(type(value), numpy.ndarray):  # its class counts for nothing here
                        view = None if is_dynamo_compiling() else kept_view(self)
                        if (
                            view is not None
                            and value.dtype == view.dtype
                            and value.ndim <= view.ndim
                            and not _is_full(t, key)
                        ):
                            view[key] = value  # NumPy moves it, also within the same memory
                            increment_version(self._host[6])
                            return
                    elif type(value) is list or type(value) is tuple:
                        made = quick_tensor(value, t.device, t.dtype)
                        if made is not None:
                            target = t[key]
                            if made.dim() <= target.dim():
                                target.copy_(made)
                                return
            elif way is None:
                setitem(self, with_python_integers(key), value)
                return
        except REFUSALS:
            pass  # the general twin takes it, or says what is wrong with it
    set_general(self, key, value)


def _write_first(self: ndarray, key: Any, value: Any) -> bool:
    """Write a number to an element of an array that has no view yet, by one that is kept.

    ``False`` where NumPy's view cannot do it, as in ``setitem``; nothing is written then.
    """
    if type(self) is not ndarray or self._tensor.dim() != (len(key) if type(key) is tuple else 1):
        return False
    view = host_view(self)
    if view is None:
        return False
    view[key] = value
    increment_version(self._host[6])
    note_row(self)
    return True


def _fill_element(self: ndarray, key: Any, value: Any) -> bool:
    """Write a number to an element of a device, without a tensor of it; ``False`` otherwise."""
    t, number = self._tensor, value.item() if type(value) in STORED else value
    if (
        type(self) is not ndarray
        or isinstance(t, Special)
        or is_compiling()
        or t.dim() != (len(key) if type(key) is tuple else 1)
        or not _is_plain(number, t.dtype)
    ):
        return False
    try:
        t[key].fill_(number)
    except REFUSALS:  # the common way says what is wrong
        return False
    written_there(self)
    return True


def _is_of_ints(key: list[object]) -> bool:
    """Whether a list may hold indices, and their values are known."""
    return bool(key) and type(key[0]) is int and not is_compiling()


def _shares_memory(a: ndarray, b: AnyArray) -> bool:
    """Whether two arrays may share elements."""
    if is_compiling():
        return not apart_in_trace(a, b)
    return a._tensor.untyped_storage().data_ptr() == b._tensor.untyped_storage().data_ptr()


def _is_full(t: Tensor, key: Any) -> bool:
    """Whether a key of ints and slices has an int for every axis and nothing else."""
    if type(key) is int:
        return t.dim() == 1
    if type(key) is slice:
        return False
    for item in key:
        if type(item) is not int:
            return False
    return len(key) == t.dim()


def _is_apart(t: Tensor, k: Tensor, v: Tensor) -> bool:
    """Whether torch puts values as NumPy does: few, so in order, and without shared memory."""
    if k.numel() * (1 if t.dim() == 1 else t.numel() // t.shape[0]) >= SERIAL or (
        _box.several_devices and not t.device == k.device == v.device
    ):
        return False
    memory = t.untyped_storage().data_ptr()
    return memory != v.untyped_storage().data_ptr() and (
        t.dtype is not torch.int64 or memory != k.untyped_storage().data_ptr()
    )


def _scattered(t: Tensor, mask: Tensor, v: Tensor) -> bool:
    """Put values where a mask is true, if there is one for each of them and memory is apart.

    ``False`` where the general twin has to find out more; nothing is written then.
    """
    if (
        v.dtype is not t.dtype
        or v.dim() != 1
        or v.requires_grad
        or t.requires_grad
        or is_compiling()
        or not (t.is_cpu and v.is_cpu)
    ):
        return False
    memory = t.untyped_storage().data_ptr()
    if memory == v.untyped_storage().data_ptr() or memory == mask.untyped_storage().data_ptr():
        return False
    if int(torch.count_nonzero(mask)) != v.shape[0]:
        return False
    t.masked_scatter_(mask, v)
    return True


def _within(index: Tensor, size: int) -> bool:
    """Whether indices are known to be within bounds, or checking them would wait for a device."""
    if not index.is_cpu:
        return True
    if not size:
        return False
    if index.numel() > host_reads.FEW:
        low, high = torch.aminmax(index)
        return bool(low >= -size) and bool(high < size)
    values = index.tolist() if index.dim() == 1 else index.reshape(-1).tolist()
    return not values or (-size <= min(values) and max(values) < size)


def _way(t: Tensor, key: object) -> bool | None:
    """Whether a key is a slice, or a tuple of items that torch accepts: no negative steps.

    ``None`` for a tuple with one of NumPy's integers, which torch would take for an array.
    """
    if type(key) is slice:
        return key.step is None or (type(key.step) is int and 0 < key.step < FAR)
    if type(key) is not tuple or len(key) + t.dim() > MAX_DIMS:
        return False
    ellipses = 0
    for item in key:
        if type(item) is slice:
            step = item.step
            if step is not None and (type(step) is not int or not 0 < step < FAR):
                ellipses = 2
        elif item is Ellipsis:
            ellipses += 1
        elif type(item) is not int and item is not None:
            if type(item) in HOST_INTEGERS:
                return None
            ellipses = 2
    return ellipses < 2


def _is_plain(value: Any, dtype: torch.dtype) -> bool:
    """Whether torch fills with a Python number as NumPy does."""
    kind = type(value)
    if kind is float:
        return dtype in _FLOATS
    if kind is int:
        return (dtype is torch.int64 or dtype in _FLOATS) and -EXACT <= value <= EXACT
    return kind is bool and dtype is torch.bool


def delitem(self: ndarray, key: object, /) -> None:
    """Raise ``ValueError``: the size of an array is fixed."""
    raise ValueError("cannot delete array elements")
