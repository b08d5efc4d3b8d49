"""``x[key]`` and ``x[key] = value``.

Allowed is what the standard's chapter *Indexing* specifies and nothing else: one index for
each axis or an ellipsis, slices within bounds, a boolean mask as the sole index, integer
arrays among integers only. Assignment through integer arrays, which the standard leaves to
the implementation, is supported.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn, TypeGuard

import torch
from torch import Tensor

from . import _flags
from ._array import Array, Key, Scalar
from ._core import box as _box
from ._core.axes import broadcast_shapes
from ._core.box import new_box
from ._core.dtypes import BOUNDS, INTEGER, PROMOTION, name_of
from ._core.errors import REFUSALS, translate
from ._dispatch import (
    SCALARS,
    check_devices,
    full_scalar,
    hint,
    scalar_dtype,
    tensor_of,
    type_name,
    wrap,
)
from ._kernels import indexing as kernels
from ._kernels.indexing import Item
from ._kernels.manipulation import NATIVE, flip

_GET = "__getitem__"
_SET = "__setitem__"


def getitem(self: Array, key: Key, /) -> Array:
    """The elements that ``key`` selects.

    ``key`` is an integer, a slice of any step, an ellipsis or ``None`` (a new axis), or a
    tuple of these that has an index for each axis, or an ellipsis; integers and integer arrays
    of any integer dtype, which broadcast together, one for each axis; or one boolean mask of
    the shape of the leading axes. Integers and slices of positive step give a view, anything
    else a copy. A mask synchronises with the device.

    Raises ``IndexError`` for any other key, an index or slice out of bounds included,
    ``ValueError`` for arrays on two devices and ``RuntimeError`` for a mask where the flag
    ``boolean_indexing`` is off. Out-of-bounds values in an index array are looked for on the
    CPU only. Source: the array API standard, *Indexing*.
    """
    t = self._tensor
    if type(key) is int:
        if t.ndim == 1:
            try:
                out = new_box(Array)
                out._tensor = t[key]
                return out
            except REFUSALS:
                pass  # the general twin names the index
    elif type(key) is slice:
        if t.ndim == 1:
            if _is_plain(key, t.shape[0]):
                out = new_box(Array)
                out._tensor = t[key]
                return out
            if key.step == -1 and key.start is None and key.stop is None and t.dtype in NATIVE:
                out = new_box(Array)
                out._tensor = torch.flip(t, (0,))
                return out
    elif type(key) is Array:
        k = key._tensor
        if not (_box.several_devices and t.device != k.device):
            if k.dtype is torch.bool:
                if k.shape == t.shape and k.ndim and t.dtype in NATIVE and _flags.boolean_indexing:
                    out = new_box(Array)
                    out._tensor = t[k]
                    return out
            elif k.dtype is torch.int64 and t.ndim == 1 and k.ndim and t.dtype in NATIVE:
                try:
                    out = new_box(Array)
                    out._tensor = t[k]
                    return out
                except REFUSALS:
                    pass  # the general twin says that an index is out of bounds
    elif key is Ellipsis or (type(key) is tuple and _is_plain_tuple(key, t.shape)):
        out = new_box(Array)
        out._tensor = t[key]
        return out
    return _getitem_general(t, key)


def _is_plain_tuple(key: tuple[Any, ...], shape: Sequence[int]) -> bool:
    """Whether a key is of ints, plain slices, ``None`` and an ellipsis, and within bounds."""
    axis = 0
    ndim = len(shape)
    has_ellipsis = False
    for i, item in enumerate(key):
        kind = type(item)
        if kind is int:
            if axis >= ndim or not -shape[axis] <= item < shape[axis]:
                return False
            axis += 1
        elif kind is slice:
            if axis >= ndim or not _is_plain(item, shape[axis]):
                return False
            axis += 1
        elif item is Ellipsis:
            hidden = ndim - axis - len([rest for rest in key[i + 1 :] if rest is not None])
            if has_ellipsis or hidden < 0:
                return False
            has_ellipsis = True
            axis += hidden
        elif item is not None:
            return False
    return axis == ndim


def _is_plain(key: slice, size: int) -> bool:
    """Whether a slice is one that torch takes and the standard specifies: the common ones.

    torch computes strides out of the range of 64 bits for large steps.
    """
    start, stop, step = key.start, key.stop, key.step
    return (
        (start is None or (type(start) is int and -size <= start <= size))
        and (stop is None or (type(stop) is int and -size <= stop <= size))
        and (step is None or (type(step) is int and 0 < step <= size))
    )


def _getitem_general(t: Tensor, key: Any) -> Array:
    """Every ``x[key]`` that the fast paths did not take."""
    parsed = _parse(_GET, t, key)
    if parsed.mask is not None:
        return wrap(_masked(t, parsed.mask))
    if not parsed.has_array:
        return wrap(kernels.select(t, parsed.items))
    return wrap(_gathered(t, parsed.items))


class _Parsed(NamedTuple):
    """A checked key: a mask, or items that are ints, slices, ``None``, ellipsis and tensors."""

    items: list[Any]
    mask: Tensor | None
    has_array: bool


def _parse(name: str, t: Tensor, key: Any) -> _Parsed:
    """Check a key against the standard's rules, as far as its values need not be read."""
    items: list[Any] = []
    has_array = has_slice = has_ellipsis = False
    mask = None
    count = 0
    for item in key if isinstance(key, tuple) else (key,):
        kind = type(item)
        if kind is int:
            count += 1
        elif kind is slice:
            has_slice = True
            count += 1
        elif item is Ellipsis:
            if has_ellipsis:
                raise IndexError(f"{name}: an index may have only one ellipsis")
            has_ellipsis = True
        elif item is None:
            if name == _SET:
                raise IndexError(f"{name}: None is not allowed in the index of an assignment")
        elif isinstance(item, Array):
            item = item._tensor
            if item.dtype is torch.bool:
                mask = item
            elif item.dtype in INTEGER.dtypes:
                has_array = True
                count += 1
            else:
                raise IndexError(
                    f"{name}: an index array must have an integer or boolean dtype, not "
                    f"{name_of(item.dtype)}"
                )
            check_devices(name, t, item)
        else:
            item = _integer_index(name, item)
            count += 1
        items.append(item)
    if mask is not None:
        if len(items) != 1:
            raise IndexError(f"{name}: a boolean mask must be the sole index")
        if not _flags.boolean_indexing:
            raise RuntimeError(
                f"{name}: a boolean mask is the index, and the flag boolean_indexing is off"
            )
        return _Parsed(items, mask, False)
    if has_array and (has_slice or has_ellipsis):
        raise IndexError(
            f"{name}: index arrays can be combined with integers and index arrays only, not "
            "with slices or an ellipsis"
        )
    if count > t.ndim:
        raise IndexError(f"{name}: {count} indices for an array of {t.ndim} dimensions")
    if count < t.ndim and not has_ellipsis:
        raise IndexError(
            f"{name}: {count} indices for an array of {t.ndim} dimensions; index every axis, "
            "or add an ellipsis (...) for the others"
        )
    _check_bounds(name, items, t.shape, t.ndim - count)
    return _Parsed(items, None, has_array)


def _integer_index(name: str, item: Any) -> int:
    """An object with ``__index__`` as an int; arrays of other libraries are not taken."""
    kind = type(item)
    if kind is not bool and hasattr(kind, "__index__") and not hasattr(kind, "__len__"):
        try:
            return int(item.__index__())
        except TypeError:
            pass  # a NumPy boolean, for one, has the method
    raise IndexError(
        f"{name}: an index must be an integer, a slice, an ellipsis, None or an xp_torch array "
        f"of integers or booleans, not {type_name(item)}{hint(item)}"
    )


def _check_bounds(name: str, items: list[Any], shape: Sequence[int], hidden: int) -> None:
    """``IndexError`` for an integer or a slice that leaves its axis; slices become plain."""
    axis = 0
    for i, item in enumerate(items):
        kind = type(item)
        if kind is int:
            size = shape[axis]
            if not -size <= item < size:
                raise IndexError(
                    f"{name}: index {item} is out of bounds for axis {axis} of size {size}"
                )
        elif kind is slice:
            items[i] = _checked_slice(name, item, axis, shape[axis])
        elif item is Ellipsis:
            axis += hidden
            continue
        elif item is None:
            continue
        axis += 1


def _checked_slice(name: str, item: slice, axis: int, size: int) -> slice:
    """The slice with plain ints, if it is one that the standard specifies."""
    start = _bound(name, "start", item.start)
    stop = _bound(name, "stop", item.stop)
    step = _bound(name, "step", item.step)
    if step == 0:
        raise ValueError(f"{name}: the step of a slice must not be zero")
    lowest_stop = -size
    if step is not None:
        if step < 0:
            lowest_stop -= 1
        # A larger step selects the first element only, too, and is too large for torch.
        step = max(-size - 1, min(step, size + 1))
    if start is not None and not -size <= start <= size:
        raise IndexError(
            f"{name}: the start of the slice, {start}, is out of bounds for axis {axis} of size "
            f"{size}"
        )
    if stop is not None and not lowest_stop <= stop <= size:
        raise IndexError(
            f"{name}: the stop of the slice, {stop}, is out of bounds for axis {axis} of size "
            f"{size}"
        )
    return slice(start, stop, step)


def _bound(name: str, part: str, value: Any) -> int | None:
    if value is None or type(value) is int:
        return value
    try:
        return int(value.__index__())
    except (AttributeError, TypeError):
        raise TypeError(
            f"{name}: the {part} of a slice must be an integer or None, not {type_name(value)}"
        ) from None


def _masked(t: Tensor, mask: Tensor) -> Tensor:
    """``x[mask]``."""
    if _check_mask(_GET, t, mask):
        return t.new_empty((0, *t.shape[mask.ndim :]))
    return kernels.masked(t, mask)


def _check_mask(name: str, t: Tensor, mask: Tensor) -> bool:
    """Check the shape of a mask; true if it is empty where ``t`` is not, and selects nothing."""
    if mask.ndim > t.ndim:
        raise IndexError(
            f"{name}: a mask of {mask.ndim} dimensions for an array of {t.ndim} dimensions"
        )
    leading = t.shape[: mask.ndim]
    if mask.shape == leading:
        return False
    for axis, (m, size) in enumerate(zip(mask.shape, leading, strict=True)):
        if m not in (0, size):
            raise IndexError(
                f"{name}: the mask has size {m} along axis {axis}, and the array {size}"
            )
    return True


def _coordinates(name: str, t: Tensor, items: list[Any]) -> tuple[Tensor, list[Tensor]]:
    """Integers among index arrays: ``t`` at the integers, and int64 indices for what is left.

    Each index tensor has at least one dimension: torch would read the value of a 0-D one,
    which waits for the device.
    """
    tensors = [i for i in items if isinstance(i, Tensor)]
    try:
        broadcast_shapes(name, *[i.shape for i in tensors])
    except ValueError as error:
        raise IndexError(f"{error} as index arrays") from None
    indices = [i if i.dtype is torch.int64 else i.to(torch.int64) for i in tensors]
    if len(tensors) < len(items):
        t = t[tuple([i if type(i) is int else slice(None) for i in items])]
    return t, [i if i.ndim else i.reshape(1) for i in indices]


def _gathered(t: Tensor, items: list[Any]) -> Tensor:
    """``x[items]`` for integers and index arrays, ``None`` among them."""
    indexed = [i for i in items if i is not None]
    view, indices = _coordinates(_GET, t, indexed)
    try:
        result = kernels.gather(view, indices)
    except IndexError:
        _out_of_bounds(_GET, t)
    if all(i.ndim == 0 for i in items if isinstance(i, Tensor)):
        result = result.reshape(())
    if len(indexed) == len(items):
        return result
    return result[_new_axes(items)]


def _new_axes(items: list[Any]) -> tuple[Any, ...]:
    """Where ``None`` goes among integer arrays: as in NumPy, after them if it divides them."""
    places = [i for i, item in enumerate(items) if item is not None]
    before, after = places[0], len(items) - 1 - places[-1]
    between = places[-1] - places[0] + 1 - len(places)
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
    both share memory the result is as if ``value`` had been copied first. Which of the values
    stays that an index array assigns to one place is not specified. A mask with an array that
    has a value for each element it selects synchronises with the device.

    Raises ``IndexError`` as ``x[key]`` does, ``TypeError`` for a value that does not promote to
    the dtype of ``x``, ``OverflowError`` for a Python int out of its range, and ``ValueError``
    for a value that does not broadcast, arrays on two devices, or an ``x`` that cannot be
    written: one that is broadcast, or a leaf that requires a gradient. Source: the array API
    standard, *Indexing*.
    """
    t = self._tensor
    # Contiguous: no two elements share memory, as those of a broadcast array do.
    if t.is_contiguous() and t.dtype in NATIVE:
        place: Any = None
        if type(key) is Array:
            place = _plain_mask(t, key._tensor)
        elif (
            (type(key) is int and t.ndim == 1)
            or (type(key) is slice and t.ndim == 1 and _is_plain(key, t.shape[0]))
            or (type(key) is tuple and _is_plain_tuple(key, t.shape) and None not in key)
        ):
            place = key
        if place is not None:
            try:
                # Not t[place] = value with a scalar or a mask, which waits for the device, and
                # neither masked_fill_ with a tensor, whose value CUDA reads into Python.
                if type(value) is Array:
                    v = value._tensor
                    if place is key and _is_plain_value(t, v, type(key) is slice):
                        t[place] = v
                        return
                elif _is_plain_scalar(value, t.dtype):
                    if place is key:
                        t[place].fill_(value)
                    else:
                        t.masked_fill_(place, value)
                    return
            except REFUSALS:
                pass  # the general twin says what is wrong
    _setitem_general(t, key, value)


def _plain_mask(t: Tensor, mask: Tensor) -> Tensor | None:
    """The mask, if it is one that torch assigns a scalar through."""
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
    """Whether torch assigns an array through a key of integers and slices as it should."""
    return (
        value.dtype is t.dtype
        and (value.ndim == 0 or (is_slice and value.ndim == 1))
        and not kernels.shares_memory(t, value)
        and not (_box.several_devices and t.device != value.device)
    )


def _is_plain_scalar(value: Any, dtype: torch.dtype) -> TypeGuard[Scalar]:
    """Whether torch fills with a scalar as the standard wants it."""
    kind = type(value)
    if kind is float:
        return dtype.is_floating_point
    if kind is int:
        if dtype.is_floating_point:
            return -(2**53) <= value <= 2**53  # type: ignore[no-any-return]
        if dtype in BOUNDS:
            low, high = BOUNDS[dtype]
            return low <= value <= high  # type: ignore[no-any-return]
        return False
    return kind is bool and dtype is torch.bool


def _setitem_general(t: Tensor, key: Any, value: Any) -> None:
    parsed = _parse(_SET, t, key)
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
        translate(_SET, error)


def _replacement(t: Tensor, value: Any) -> Tensor:
    """The value as a tensor of the dtype of ``t`` that shares no memory with it."""
    kind = type(value)
    if kind in SCALARS:
        dtype = scalar_dtype(_SET, "the value", value, t.dtype)
        _check_kept(dtype, t.dtype)
        return full_scalar(_SET, "the value", value, dtype, t.device)
    v = tensor_of(_SET, "the value", value)
    if v.dtype is not t.dtype:
        _check_kept(PROMOTION.get((t.dtype, v.dtype)), t.dtype, v.dtype)
        check_devices(_SET, t, v)
        return v.to(t.dtype)
    check_devices(_SET, t, v)
    return v.clone() if kernels.shares_memory(t, v) else v


def _check_kept(
    promoted: torch.dtype | None, dtype: torch.dtype, given: torch.dtype | None = None
) -> None:
    if promoted is not dtype:
        name = name_of(given or promoted)
        raise TypeError(
            f"{_SET}: the value of dtype {name} cannot be stored in an array of dtype "
            f"{name_of(dtype)}"
        )


def _check_writable(t: Tensor) -> None:
    if t.requires_grad and t.is_leaf and torch.is_grad_enabled():
        raise ValueError(
            f"{_SET}: a leaf array that requires a gradient cannot be changed in place"
        )
    if kernels.overlaps_itself(t):
        raise ValueError(
            f"{_SET}: the array is broadcast, and its elements share memory; assign to a copy"
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
            f"{_SET}: a value of shape {tuple(value.shape)} does not broadcast to the selected "
            f"shape {tuple(shape)}"
        )
    return value.reshape(sizes) if extra > 0 else value


def _set_selected(t: Tensor, items: Sequence[Item], value: Tensor) -> None:
    forward, reverse = kernels.forward(items, t.shape)
    target = t[forward]
    if value.ndim and all(type(item) is int for item in items):
        raise ValueError(
            f"{_SET}: a value of shape {tuple(value.shape)} cannot be stored in one element"
        )
    value = _fitted(value, target.shape)
    if reverse and value.ndim:
        offset = target.ndim - value.ndim
        value = flip(value, [axis - offset for axis in reverse if axis >= offset])
    target.copy_(value)


def _set_gathered(t: Tensor, items: list[Any], value: Tensor) -> None:
    view, indices = _coordinates(_SET, t, items)
    indices = [i.clone() if kernels.shares_memory(t, i) else i for i in indices]
    scalar = all(i.ndim == 0 for i in items if isinstance(i, Tensor))
    shape = () if scalar else broadcast_shapes(_SET, *[i.shape for i in indices])
    try:
        kernels.put(view, indices, _fitted(value, shape))
    except IndexError:
        _out_of_bounds(_SET, t)


def _set_masked(t: Tensor, mask: Tensor, value: Tensor) -> None:
    empty = _check_mask(_SET, t, mask)
    rest = t.shape[mask.ndim :]
    if value.ndim > 1 and not rest:
        raise TypeError(
            f"{_SET}: the value for a mask of the array's shape must be 0-D or 1-D, not of shape "
            f"{tuple(value.shape)}"
        )
    if empty:
        _fitted(value, (0, *rest))
        return
    if mask.ndim == 0:
        # A mask of one element along a new first axis selects the same.
        t, mask = t.unsqueeze(0), mask.reshape(1)
    place = value.ndim - 1 - len(rest)
    if place < 0 or value.shape[place] == 1:
        # The same value for everything selected: where it goes needs no counting.
        value = _fitted(value, (1, *rest))
        if place >= 0:
            value = value.reshape(value.shape[1:])
        kernels.put_where(t, mask.reshape(*mask.shape, *[1] * len(rest)), value)
        return
    indices = mask.nonzero(as_tuple=True)
    kernels.put(t, indices, _fitted(value, (indices[0].shape[0], *rest)))
