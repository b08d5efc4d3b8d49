"""Views of arrays, reversed and read-only ones too.

A reversed view and a read-only array have the class ``ndarray`` like any other array. They hold
a special tensor (``_kernels.backwards``), which every function reads like a plain tensor.
Functions that return views call ``transposed``, ``reshaped`` and the others here, for plain and
special arrays. A fast path that makes a view or writes checks that ``type(t) is Tensor``, which
is false for special tensors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._torch.internals import is_certain

from .._base.slices import plain_slice
from .._kernels import backwards as kernels
from .layout import is_fortran
from .ndarray import array_of, ndarray, new, view_of
from .scalars import TensorScalar


def lies_in_columns(a: ndarray) -> bool:
    """Whether an array lies column by column, not also row by row, and no axis backwards."""
    forward, flips = forward_of(a)
    return not flips and is_fortran(forward)


def is_writeable(a: ndarray) -> bool:
    """Whether ``a`` can be written to: ``flags.writeable``."""
    return not issubclass(type(a), TensorScalar) and not isinstance(a._tensor, kernels.Locked)


def set_writeable(a: ndarray, writeable: bool) -> None:
    """Lock or unlock an array in place."""
    if is_writeable(a) is not writeable and not isinstance(a, TensorScalar):
        forward, flips = forward_of(a)
        plain = writeable and not flips
        a._tensor = forward if plain else kernels.posed(forward, flips, not writeable)  # same dtype


def read_only(a: ndarray) -> ndarray:
    """A view of all of ``a`` that may not be written to."""
    forward, flips = forward_of(a)
    return _view(getattr(a, "_base", a), forward, flips, True)


def _view(base: ndarray, forward: Tensor, flips: tuple[int, ...], is_locked: bool) -> ndarray:
    out = new(ndarray)
    out._tensor = kernels.posed(forward, flips, is_locked)
    out._flat_dtype = forward.dtype if forward.dim() else None
    out._base = base
    return out


def locked(tensor: Tensor) -> ndarray:
    """A read-only array over ``tensor``."""
    out = array_of(tensor)
    out._tensor = kernels.posed(tensor, (), True)
    return out


def forward_of(a: ndarray) -> tuple[Tensor, tuple[int, ...]]:
    """The tensor over an array's memory, and the axes that run backwards over it."""
    t = a._tensor
    return (t, ()) if type(t) is Tensor else kernels.forward_of(t)


def make(base: ndarray, forward: Tensor, flips: Sequence[int] = ()) -> ndarray:
    """A view of ``base`` that reads ``forward`` backwards along ``flips``.

    It is plain if there is nothing to reverse, and read-only if ``base`` is. A scalar has no views:
    for a scalar ``base`` the result is a scalar, or an array with its own memory.
    """
    if issubclass(type(base), TensorScalar):  # isinstance would ask an array for __class__ too
        return view_of(base, forward)
    if flips:
        shape = forward.shape
        flips = tuple([axis for axis in flips if not is_certain(shape[axis] <= 1)])
    if not flips:
        return view_of(base, forward)
    t = base._tensor
    is_locked = type(t) is not Tensor and isinstance(t, kernels.Locked)
    return _view(getattr(base, "_base", base), forward, tuple(flips), is_locked)


def strides_of(a: ndarray) -> tuple[int, ...]:
    """Strides in elements, negative along axes that run backwards."""
    forward, flips = forward_of(a)
    if not flips:
        return forward.stride()
    return tuple([-s if i in flips else s for i, s in enumerate(forward.stride())])


def stepped(a: ndarray, t: Tensor, item: slice) -> ndarray:
    """The view that one slice selects along the first axis of an array over plain ``t``."""
    size = t.shape[0]
    if item.step == -1 and item.start is None and item.stop is None and not is_certain(size <= 1):
        return backwards(a, t, (0,))
    return select(a, (plain_slice("__getitem__", item, size), *[slice(None)] * (t.dim() - 1)))


def backwards(a: ndarray, t: Tensor, axes: tuple[int, ...]) -> ndarray:
    """The view of an array over plain ``t`` with some axes reversed, each longer than one."""
    owner = a if t._base is None else getattr(a, "_base", a)  # as in view_of
    return _view(owner, t, axes, False)


def select(a: ndarray, items: Sequence[Any]) -> ndarray:
    """The view that a basic key selects.

    ``items`` has an int within bounds or a slice of ints for each axis of ``a``, and ``None``
    where a new axis goes.
    """
    t = a._tensor
    if type(t) is Tensor:
        for item in items:
            if type(item) is slice and item.step is not None and item.step < 0:
                break
        else:
            return view_of(a, t[tuple(items)])
    forward, flips = forward_of(a)
    key, backwards = _forward_key(forward.shape, flips, items)
    return make(a, forward[key], backwards)


def _forward_key(
    shape: Sequence[int], flips: tuple[int, ...], items: Sequence[Any]
) -> tuple[tuple[Any, ...], list[int]]:
    """A key over memory whose slices all run forward, and the result's axes that run backwards."""
    key: list[Any] = []
    backwards: list[int] = []
    axis = result_axis = 0
    for item in items:
        if item is None:
            key.append(None)
            result_axis += 1
            continue
        flipped = axis in flips
        if type(item) is int:
            key.append(-1 - item if flipped else item)
        else:
            if flipped or (item.step is not None and item.step < 0):
                size = shape[axis]
                chosen = (range(size - 1, -1, -1) if flipped else range(size))[item]
                if chosen.step < 0:
                    chosen = chosen[::-1]
                    backwards.append(result_axis)
                item = slice(chosen.start, chosen.stop, chosen.step) if chosen else slice(0, 0)
            key.append(item)
            result_axis += 1
        axis += 1
    return tuple(key), backwards


def transposed(a: ndarray, axes: Sequence[int]) -> ndarray:
    """The view with its axes in the order of ``axes``, which are not negative."""
    forward, flips = forward_of(a)
    return make(a, forward.permute(tuple(axes)), [i for i, x in enumerate(axes) if x in flips])


def exchanged(t: Tensor) -> Tensor:
    """A tensor with its last two axes exchanged."""
    # In a trace Dynamo cannot make a reversed view of an attribute of an input, as t.mT is.
    return t.transpose(-1, -2) if is_dynamo_compiling() else t.mT


def reshaped(a: ndarray, shape: Sequence[int]) -> ndarray | None:
    """The view of another shape (no -1 in it), or ``None`` where NumPy would copy."""
    forward, flips = forward_of(a)
    if not flips:
        if is_dynamo_compiling() and (
            _reshaped_strides(forward.shape, forward.stride(), shape) is None
        ):
            return None  # a trace cannot catch torch's error
        try:
            return make(a, forward.view(tuple(shape)))
        except RuntimeError:
            return None
    strides = _reshaped_strides(forward.shape, strides_of(a), shape)
    if strides is None:
        return None
    return make(a, forward.view(tuple(shape)), [i for i, s in enumerate(strides) if s < 0])


def _reshaped_strides(
    shape: Sequence[int], strides: Sequence[int], wanted: Sequence[int]
) -> list[int] | None:
    """The strides of the same elements in another shape, or ``None`` if no strides give them."""
    old = [(n, s) for n, s in zip(shape, strides, strict=True) if n != 1]
    if any(n == 0 for n in shape):
        return [1] * len(wanted)
    result = [1] * len(wanted)
    axes = [i for i, n in enumerate(wanted) if n != 1]
    o = w = 0
    while o < len(old) and w < len(axes):
        # The smallest groups of old and new axes with equally many elements.
        first_old, first_new = o, w
        have, want = old[o][0], wanted[axes[w]]
        while have != want:
            if have < want:
                o += 1
                have *= old[o][0]
            else:
                w += 1
                want *= wanted[axes[w]]
        for i in range(first_old, o):
            if old[i][1] != old[i + 1][0] * old[i + 1][1]:
                return None
        stride = old[o][1]
        for i in range(w, first_new - 1, -1):
            result[axes[i]] = stride
            stride *= wanted[axes[i]]
        o += 1
        w += 1
    return result


def expanded(a: ndarray, axes: Sequence[int]) -> ndarray:
    """The view with new axes of size 1 at ``axes`` of the result, which are not negative."""
    ndim = len(axes) + forward_of(a)[0].dim()
    return select(a, [None if i in axes else slice(None) for i in range(ndim)])


def squeezed(a: ndarray, axes: Sequence[int]) -> ndarray:
    """The view without the given axes of size 1."""
    ndim = forward_of(a)[0].dim()
    return select(a, [0 if i in axes else slice(None) for i in range(ndim)])


def broadcast(a: ndarray, shape: Sequence[int]) -> ndarray:
    """The view that broadcasts ``a`` to ``shape``; it is not locked."""
    forward, flips = forward_of(a)
    missing = len(shape) - forward.dim()
    return make(a, forward.expand(tuple(shape)), [f + missing for f in flips])


def strided(a: ndarray, shape: Sequence[int], strides: Sequence[int], first: int) -> ndarray:
    """The view with these strides (in elements), its first element ``first`` after that of ``a``.

    ``first`` is relative to the first element of ``a`` in the order of ``a``.
    """
    forward, flips = forward_of(a)
    offset: Any = first  # a trace may have a symbolic integer
    for axis in flips:
        offset += forward.stride(axis) * (forward.shape[axis] - 1)
    backwards = [i for i, s in enumerate(strides) if s < 0]
    if all(shape):
        for axis in backwards:
            offset += strides[axis] * (shape[axis] - 1)
    sizes = tuple(shape)
    steps = tuple([abs(s) if n > 1 else 1 for s, n in zip(strides, shape, strict=True)])
    if is_dynamo_compiling():  # it does not know where the memory of a view begins
        first_element = torch.as_strided(forward, (offset + 1,), (1,))[offset]
        return make(a, torch.as_strided(first_element, sizes, steps), backwards)
    offset += forward.storage_offset()
    return make(a, torch.as_strided(forward, sizes, steps, offset), backwards)


def diagonal(a: ndarray, offset: int, axis1: int, axis2: int) -> ndarray:
    """The view of the diagonals, along a last axis; axes are not negative."""
    forward, flips = forward_of(a)
    if not flips:
        return make(a, forward.diagonal(offset, axis1, axis2))
    shape, strides = list(forward.shape), list(strides_of(a))
    rows, columns = shape[axis1], shape[axis2]
    down, right = max(-offset, 0), max(offset, 0)
    length = max(min(rows - down, columns - right), 0)
    first = down * strides[axis1] + right * strides[axis2] if length else 0
    step = strides[axis1] + strides[axis2]
    kept = [i for i in range(len(shape)) if i not in (axis1, axis2)]
    sizes = [shape[i] for i in kept]
    return strided(a, [*sizes, length], [*[strides[i] for i in kept], step], first)


def real_part(a: ndarray) -> ndarray:
    """The view of the real parts; ``a`` itself if it is real."""
    forward, flips = forward_of(a)
    return make(a, torch.real(forward), flips) if forward.is_complex() else a


def imaginary_part(a: ndarray) -> ndarray:
    """The view of the imaginary parts of a complex array."""
    forward, flips = forward_of(a)
    return make(a, torch.view_as_real(forward)[..., 1], flips)


def viewed(a: ndarray, dtype: torch.dtype) -> ndarray:
    """The view of the same bytes as another dtype.

    ``ValueError`` where the size of the elements differs and the last axis is not contiguous,
    or where torch cannot read elements of the new size from where they would be.
    """
    forward, flips = forward_of(a)
    if dtype is forward.dtype:
        return make(a, forward.view(forward.shape), flips)
    if dtype.itemsize != forward.dtype.itemsize:
        return _resized(a, forward, flips, dtype)
    return make(a, forward.view(dtype), flips)


def _resized(a: ndarray, forward: Tensor, flips: tuple[int, ...], dtype: torch.dtype) -> ndarray:
    """The view of the same bytes as a dtype of another size: the last axis changes."""
    old, size = forward.itemsize, dtype.itemsize
    if not forward.dim():
        raise ValueError(
            "view: Changing the dtype of a 0d array is only supported if the itemsize is unchanged"
        )
    *rows, columns = forward.shape
    if forward.numel() and columns > 1 and (len(rows) in flips or forward.stride(-1) != 1):
        raise ValueError(
            "view: To change to a dtype of a different size, the last axis must be contiguous"
        )
    if columns * old % size:
        raise ValueError(
            "view: When changing to a larger dtype, its size must be a divisor of the total size "
            "in bytes of the last axis of the array."
        )
    if not forward.numel():
        shape = (*rows, columns * old // size)
        return make(a, torch.empty(shape, dtype=dtype, device=forward.device), flips)
    if columns == 1 and forward.stride(-1) != 1:
        forward = forward.as_strided(forward.shape, (*forward.stride()[:-1], 1))
    if forward.is_complex() and dtype is forward.real.dtype:
        return make(a, torch.view_as_real(forward).flatten(-2), flips)  # with a gradient
    start = forward.storage_offset() * old
    if start % size:
        raise ValueError(
            f"view: the elements would begin at byte {start} of the memory, and torch reads "
            f"elements of {size} bytes at multiples of {size} only; copy the array first"
        )
    steps = [s * old for s, n in zip(forward.stride()[:-1], rows, strict=True) if n > 1]
    if any(step % size for step in steps):
        raise ValueError(
            f"view: rows are {steps} bytes apart, and torch reads elements of {size} bytes at "
            f"multiples of {size} only; copy the array first"
        )
    if size > old:  # torch checks the strides of axes of size 1 too
        fitting = [s if n > 1 else size for s, n in zip(forward.stride()[:-1], rows, strict=True)]
        forward = forward.as_strided(forward.shape, (*fitting, 1))
    return make(a, forward.view(dtype), flips)


def viewed_part(a: ndarray, dtype: torch.dtype, offset: int) -> ndarray:
    """The view of the bytes of each element from ``offset`` on, as another dtype."""
    forward, flips = forward_of(a)
    size = dtype.itemsize
    if offset < 0 or offset + size > forward.itemsize or offset % size or forward.itemsize % size:
        raise ValueError(
            f"getfield: {size} bytes at offset {offset} are no aligned part of the "
            f"{forward.itemsize} bytes of an element"
        )
    if dtype is forward.dtype:
        return make(a, forward.view(forward.shape), flips)
    return make(a, forward.unsqueeze(-1).view(dtype)[..., offset // size], flips)
