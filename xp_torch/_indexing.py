"""``x[key]`` and ``x[key] = value``.

``_keys.py`` lists the supported keys. Assignment through integer arrays is supported, which the
standard leaves to the implementation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn, TypeGuard

import torch
from torch import Tensor

from . import _flags
from ._array import Array, Key, Scalar
from ._core import box as _box
from ._core.axes import broadcast_shapes
from ._core.dtypes import BOUNDS, EXACT, PROMOTION, name_of
from ._core.errors import REFUSALS, translate
from ._core.scalars import plain_number
from ._dispatch import SCALARS, check_devices, full_scalar, scalar_dtype, tensor_of, wrap
from ._kernels import indexing as kernels
from ._kernels.indexing import Item
from ._kernels.manipulation import NATIVE, flip
from ._keys import GET, SET, check_mask, coordinates, is_plain, is_plain_tuple, parse
from ._torch.internals import is_empty


def getitem(self: Array, key: Key, /) -> Array:
    """The elements that ``key`` selects.

    ``key`` is an integer, a slice of any step, an ellipsis or ``None`` (a new axis), or a
    tuple of these that has an index for each axis, or an ellipsis; integers and integer arrays
    of any integer dtype, which broadcast together, one for each axis; or one boolean mask of
    the shape of the leading axes. Integers and slices of positive step give a view, anything
    else a copy. A mask synchronises with the device.

    Raises ``IndexError`` for any other key, an index or slice out of bounds included,
    ``ValueError`` for arrays on two devices and ``RuntimeError`` for a mask where the flag
    ``boolean_indexing`` is off. Index arrays are checked for out-of-bounds values on the CPU only.
    Source: the array API standard, *Indexing*.
    """
    t = self._tensor
    if type(key) is int:
        if t.ndim == 1:
            try:
                out = Array()
                out._tensor = t[key]
                return out
            except REFUSALS:
                pass  # the general twin raises an error that names the index
    elif type(key) is slice:
        if t.ndim == 1:
            if is_plain(key, t.numel()):
                out = Array()
                out._tensor = t[key]
                return out
            if key.step == -1 and key.start is None and key.stop is None and t.dtype in NATIVE:
                out = Array()
                out._tensor = torch.flip(t, (0,))
                return out
    elif type(key) is Array:
        k = key._tensor
        if not (_box.several_devices and t.device != k.device):
            if k.dtype is torch.bool:
                if k.shape == t.shape and k.ndim and t.dtype in NATIVE and _flags.boolean_indexing:
                    out = Array()
                    out._tensor = t[k]
                    return out
            elif k.dtype is torch.int64 and t.ndim == 1 and k.ndim and t.dtype in NATIVE:
                try:
                    out = Array()
                    out._tensor = t[k]
                    return out
                except REFUSALS:
                    pass  # the general twin raises the error
    elif key is Ellipsis or (type(key) is tuple and is_plain_tuple(key, t.shape)):
        out = Array()
        out._tensor = t[key]
        return out
    return _getitem_general(t, key)


def _getitem_general(t: Tensor, key: object) -> Array:
    """Every ``x[key]`` that the fast paths do not handle."""
    parsed = parse(GET, t, key)
    if parsed.mask is not None:
        return wrap(_masked(t, parsed.mask))
    if not parsed.has_array:
        return wrap(kernels.select(t, parsed.items))
    return wrap(_gathered(t, parsed.items))


def _masked(t: Tensor, mask: Tensor) -> Tensor:
    """``x[mask]``."""
    if check_mask(GET, t, mask):
        return t.new_empty((0, *t.shape[mask.ndim :]))
    return kernels.masked(t, mask)


def _gathered(t: Tensor, items: list[object]) -> Tensor:
    """``x[items]`` for integers and index arrays, ``None`` among them."""
    indexed = [i for i in items if i is not None]
    view, indices = coordinates(GET, t, indexed)
    try:
        result = kernels.gather(view, indices)
    except IndexError:
        _out_of_bounds(GET, t)
    if result.numel() == 0 and kernels.out_of_bounds(view, indices):
        _out_of_bounds(GET, t)
    if all(i.ndim == 0 for i in items if isinstance(i, Tensor)):
        result = result.reshape(())
    if len(indexed) == len(items):
        return result
    return result[_new_axes(items)]


def _new_axes(items: list[object]) -> tuple[Any, ...]:
    """The key that adds the axes of ``None``, all of them last if one is between two indices."""
    positions = [i for i, item in enumerate(items) if item is not None]
    before, after = positions[0], len(items) - 1 - positions[-1]
    between = positions[-1] - positions[0] + 1 - len(positions)
    if between:
        return (..., *[None] * (before + between + after))
    return (*[None] * before, ..., *[None] * after)


def _out_of_bounds(name: str, t: Tensor) -> NoReturn:
    raise IndexError(
        f"{name}: an index array has a value that is out of bounds for an array of shape "
        f"{tuple(t.shape)}"
    ) from None


def setitem(self: Array, key: Key, value: Array | Scalar, /) -> None:
    """Replace the elements that ``key`` selects by ``value``.

    ``key`` is as in ``x[key]``, without ``None``. ``value`` is an array that broadcasts to the
    shape of ``x[key]`` and whose dtype promotes to that of ``x``, or a Python scalar. Where
    both share memory the result is as if ``value`` had been copied first. If an index array
    assigns several values to one element, it is not specified which value stays. A mask
    synchronises with the device if ``value`` has one value for each selected element.

    Raises ``IndexError`` as ``x[key]`` does, ``TypeError`` for a value that does not promote to
    the dtype of ``x``, ``OverflowError`` for a Python int out of its range, and ``ValueError``
    for a value that does not broadcast, arrays on two devices, or an ``x`` that cannot be
    written: one that is broadcast, or a leaf that requires a gradient. Source: the array API
    standard, *Indexing*.
    """
    t = self._tensor
    # Elements of a contiguous array do not share memory, unlike those of a broadcast array.
    if t.is_contiguous() and t.dtype in NATIVE:
        selection: Any = None
        if type(key) is Array:
            selection = _plain_mask(t, key._tensor)
        elif (
            (type(key) is int and t.ndim == 1)
            or (type(key) is slice and t.ndim == 1 and is_plain(key, t.shape[0]))
            or (type(key) is tuple and is_plain_tuple(key, t.shape) and None not in key)
        ):
            selection = key
        if selection is not None:
            try:
                # t[selection] = value waits for the device if one is a scalar or a mask. So does
                # masked_fill_ with a tensor, whose value CUDA reads into Python.
                if type(value) is Array:
                    v = value._tensor
                    if selection is key and _is_plain_value(t, v, type(key) is slice):
                        t[selection] = v
                        return
                elif _is_plain_scalar(value, t.dtype):
                    if selection is key:
                        t[selection].fill_(value)
                    else:
                        t.masked_fill_(selection, value)
                    return
            except REFUSALS:
                pass  # the general twin raises the error
    _setitem_general(t, key, value)


def _plain_mask(t: Tensor, mask: Tensor) -> Tensor | None:
    """The mask, if torch can assign a scalar through it."""
    if (
        mask.dtype is torch.bool
        and mask.shape == t.shape
        and mask.ndim
        and _flags.boolean_indexing
        and not (_box.several_devices and t.device != mask.device)
    ):
        return mask
    return None


def _is_plain_value(t: Tensor, value: Tensor, is_slice: bool) -> bool:
    """Whether torch assigns an array correctly through a key of integers and slices."""
    return (
        value.dtype is t.dtype
        and (value.ndim == 0 or (is_slice and value.ndim == 1))
        and not kernels.shares_memory(t, value)
        and not (_box.several_devices and t.device != value.device)
    )


def _is_plain_scalar(value: Any, dtype: torch.dtype) -> TypeGuard[Scalar]:
    """Whether torch fills with a scalar as the standard requires."""
    kind = type(value)
    if kind is float:
        return dtype.is_floating_point
    if kind is int:
        if dtype.is_floating_point:
            return -EXACT <= value <= EXACT  # type: ignore[no-any-return]
        if dtype in BOUNDS:
            low, high = BOUNDS[dtype]
            return low <= value <= high  # type: ignore[no-any-return]
        return False
    return kind is bool and dtype is torch.bool


def _setitem_general(t: Tensor, key: object, value: object) -> None:
    parsed = parse(SET, t, key)
    replacement = _replacement(t, value)
    _check_writable(t)
    try:
        if parsed.mask is not None:
            _set_masked(t, parsed.mask, replacement)
        elif parsed.has_array:
            _set_gathered(t, parsed.items, replacement)
        else:
            _set_selected(t, parsed.items, replacement)
    except RuntimeError as error:
        translate(SET, error)


def _replacement(t: Tensor, value: Any) -> Tensor:
    """Convert the value to a tensor of the dtype of ``t`` that shares no memory with ``t``."""
    value = plain_number(value)
    if type(value) in SCALARS:
        dtype = scalar_dtype(SET, "the value", value, t.dtype)
        _check_kept(dtype, t.dtype)
        return full_scalar(SET, "the value", value, dtype, t.device)
    v = tensor_of(SET, "the value", value)
    if v.dtype is not t.dtype:
        _check_kept(PROMOTION.get((t.dtype, v.dtype)), t.dtype, v.dtype)
        check_devices(SET, t, v)
        return v.to(t.dtype)
    check_devices(SET, t, v)
    return v.clone() if kernels.shares_memory(t, v) else v


def _check_kept(
    promoted: torch.dtype | None, dtype: torch.dtype, given: torch.dtype | None = None
) -> None:
    if promoted is not dtype:
        name = name_of(given or promoted)
        raise TypeError(
            f"{SET}: the value of dtype {name} cannot be stored in an array of dtype "
            f"{name_of(dtype)}"
        )


def _check_writable(t: Tensor) -> None:
    if t.requires_grad and t.is_leaf and torch.is_grad_enabled():
        raise ValueError(f"{SET}: a leaf array that requires a gradient cannot be changed in place")
    if kernels.overlaps_itself(t):
        raise ValueError(
            f"{SET}: the array is broadcast, and its elements share memory; assign to a copy"
        )


def _fitted(value: Tensor, shape: Sequence[int]) -> Tensor:
    """The value without leading axes of size one that the selection lacks.

    Raises ``ValueError`` when it does not broadcast to the selection.
    """
    extra = value.ndim - len(shape)
    fits = extra <= 0 or all(size == 1 for size in value.shape[:extra])
    if fits:
        sizes = value.shape[max(extra, 0) :]
        offset = len(shape) - len(sizes)
        fits = all(size in (1, shape[offset + i]) for i, size in enumerate(sizes))
    if not fits:
        raise ValueError(
            f"{SET}: a value of shape {tuple(value.shape)} does not broadcast to the selected "
            f"shape {tuple(shape)}"
        )
    return value.reshape(sizes) if extra > 0 else value


def _set_selected(t: Tensor, items: Sequence[Item], value: Tensor) -> None:
    forward, reverse = kernels.forward(items, t.shape)
    target = t[forward]
    if value.ndim and all(type(item) is int for item in items):
        raise ValueError(
            f"{SET}: a value of shape {tuple(value.shape)} cannot be stored in one element"
        )
    value = _fitted(value, target.shape)
    if reverse and value.ndim:
        offset = target.ndim - value.ndim
        value = flip(value, [axis - offset for axis in reverse if axis >= offset])
    target.copy_(value)


def _set_gathered(t: Tensor, items: list[object], value: Tensor) -> None:
    view, indices = coordinates(SET, t, items)
    indices = [i.clone() if kernels.shares_memory(t, i) else i for i in indices]
    scalar = all(i.ndim == 0 for i in items if isinstance(i, Tensor))
    shape = () if scalar else broadcast_shapes(SET, *[i.shape for i in indices])
    try:
        kernels.put(view, indices, _fitted(value, shape))
    except IndexError:
        _out_of_bounds(SET, t)
    if is_empty(shape) and kernels.out_of_bounds(view, indices):
        _out_of_bounds(SET, t)


def _set_masked(t: Tensor, mask: Tensor, value: Tensor) -> None:
    empty = check_mask(SET, t, mask)
    rest = t.shape[mask.ndim :]
    if value.ndim > 1 and not rest:
        raise TypeError(
            f"{SET}: the value for a mask of the array's shape must be 0-D or 1-D, not of shape "
            f"{tuple(value.shape)}"
        )
    if empty:
        _fitted(value, (0, *rest))
        return
    if mask.ndim == 0:
        # Give both a new first axis of size one; the selection is the same.
        t, mask = t.unsqueeze(0), mask.reshape(1)
    values_axis = value.ndim - 1 - len(rest)
    if values_axis < 0 or value.shape[values_axis] == 1:
        # One value for all selected elements: torch.where needs no count of the mask.
        value = _fitted(value, (1, *rest))
        if values_axis >= 0:
            value = value.reshape(value.shape[1:])
        kernels.put_where(t, mask.reshape(*mask.shape, *[1] * len(rest)), value)
        return
    indices = mask.nonzero(as_tuple=True)
    kernels.put(t, indices, _fitted(value, (indices[0].shape[0], *rest)))
