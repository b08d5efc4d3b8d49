"""Keys of ``x[key]``: convert what NumPy takes as an index to what torch takes.

NumPy's rules (its user guide, *Indexing on ndarrays*): ``parse`` follows them item by item
and says where the axes of index arrays go, which differs from torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy
import torch
from torch import Tensor

from xp_torch._core import box as _box
from xp_torch._kernels import host_reads

from .._array.ndarray import AnyArray
from .._array.scalars import TensorScalar
from .._base.axes import MAX_DIMS, broadcast_shapes, integer_or_none
from .._base.dtypes import INTEGERS
from .._base.slices import plain_slice
from .._convert.arguments import check_device, from_other
from .._convert.foreign import as_index

INVALID = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or "
    "boolean arrays are valid indices"
)
EVERYTHING = slice(None)
_BOUNDS = frozenset({int, type(None)})
"""Types of the bounds of a slice that torch takes."""


class Parsed(NamedTuple):
    """A key in two steps: a basic key, then index tensors along axes of its selection."""

    basic: tuple[Any, ...]
    """Ints within bounds, slices, ``None``: one item per axis of the array, plus new axes."""
    axes: list[int]
    """The axes of the basic selection that the index tensors index."""
    indices: list[Tensor]
    """int64 tensors that broadcast together; none for basic indexing."""
    shape: tuple[int, ...]
    """The shape to which the index tensors broadcast; ``()`` where they are all 0-D."""
    front: bool
    """Whether the axes of the index tensors come first; else they replace the axes they index."""
    scalar: bool
    """Whether the key has an integer for each axis and nothing else."""
    copies: bool
    """Whether a 0-D integer array stands for an integer, so that NumPy copies."""
    by_scalars: bool
    """Whether all index tensors are scalars whose values are not read, so that NumPy views."""


class _Draft:
    """The items of a key, before ``parse`` finds the axis of each."""

    def __init__(self, name: str, t: Tensor, key: tuple[object, ...]) -> None:
        self.name = name
        self.t = t
        self.items: list[Any] = []  # as in Parsed.basic, and _Along for index tensors
        self.used = 0  # axes of the array that the items take
        self.ellipsis = -1
        self.copies = False
        self.only_integers = True
        self.by_scalars = True
        for item in key:
            kind = type(item)
            if kind is int:
                self.items.append(item)
                self.used += 1
                continue
            if kind is slice:
                self.items.append(item)
                self.used += 1
            elif item is Ellipsis:
                if self.ellipsis >= 0:
                    raise IndexError(
                        f"{self.name}: an index can only have a single ellipsis ('...')"
                    )
                self.ellipsis = len(self.items)
                self.items.append(item)
            elif item is None:
                self.items.append(None)
            else:
                if isinstance(item, AnyArray):
                    if _box.several_devices:
                        check_device(name, t.device, item._tensor)
                    self.add_tensor(item._tensor, issubclass(kind, TensorScalar))
                elif isinstance(item, Tensor):
                    check_device(name, t.device, item)
                    self.add_tensor(item, False)
                else:
                    self.add_other(item)
                continue
            self.only_integers = False

    def add_other(self, item: object) -> None:
        """An integer of another type, or an object that becomes an index array."""
        if isinstance(item, numpy.ndarray):
            self.add_tensor(self.converted(item), False)
            return
        if not isinstance(item, bool):
            index = integer_or_none(item)
            if index is not None:
                self.items.append(index)
                self.used += 1
                return
        tensor = self.converted(item)
        if tensor.numel() == 0 and isinstance(item, Sequence):
            tensor = tensor.to(torch.int64)  # an empty list has no dtype of its own
        if tensor.dtype is not torch.bool and (tensor.dtype not in INTEGERS or not tensor.dim()):
            raise IndexError(f"{self.name}: {INVALID}")
        self.add_tensor(tensor, False)

    def converted(self, item: object) -> Tensor:
        try:
            return from_other(self.name, as_index(item), "an index", self.t.device)
        except TypeError:
            raise IndexError(f"{self.name}: {INVALID}, not {type(item).__name__}") from None

    def add_tensor(self, index: Tensor, is_scalar: bool) -> None:
        """An index array or a mask."""
        if index.dtype is torch.bool:
            self.add_mask(index)
            return
        if index.dtype not in INTEGERS:
            raise IndexError(
                f"{self.name}: {INVALID}" if is_scalar
                else f"{self.name}: arrays used as indices must be of integer (or boolean) type"
            )  # fmt: skip
        self.used += 1
        if not index.dim():
            known = value_of(index)
            if known is not None:
                self.items.append(known)
                self.copies = self.copies or not is_scalar
                return
        else:
            self.only_integers = False
        self.by_scalars = self.by_scalars and is_scalar
        self.items.append(_Along(index if index.dtype is torch.int64 else index.to(torch.int64)))

    def add_mask(self, mask: Tensor) -> None:
        """A mask: an index array for each of its axes; without axes, one along a new axis."""
        self.only_integers = self.by_scalars = False
        if not mask.dim():
            chosen = torch.zeros(int(mask.item()), dtype=torch.int64, device=self.t.device)
            self.items.append(_Along(chosen, new=True))
            return
        self.used += mask.dim()
        if self.used > self.t.dim():
            return  # too many axes; the values are not needed
        sizes = mask.shape
        for size, index in zip(sizes, mask.nonzero(as_tuple=True), strict=True):
            self.items.append(_Along(index, size=size))


class _Along(NamedTuple):
    """An index tensor along an axis: of the array, or a ``new`` one of size 1."""

    tensor: Tensor
    new: bool = False
    size: int = 0  # of a mask's axis


def value_of(index: Tensor) -> int | None:
    """The value of a 0-D integer tensor if reading it does not wait; else ``None``."""
    if not host_reads.possible(index):
        return None
    try:
        return int(index.item())
    except RuntimeError:  # under vmap, or of a fake tensor
        return None


def parse(name: str, t: Tensor, key: object) -> Parsed:
    """The key for a tensor (whose values are not read), or NumPy's ``IndexError``."""
    draft = _Draft(name, t, key if isinstance(key, tuple) else (key,))
    if draft.used > t.dim():
        raise IndexError(
            f"{name}: too many indices for array: array is {t.dim()}-dimensional, but "
            f"{draft.used} were indexed"
        )
    return _placed(name, t.shape, draft)


def _placed(name: str, shape: Sequence[int], draft: _Draft) -> Parsed:
    """Each item at its axis."""
    hidden = len(shape) - draft.used
    items = draft.items
    if draft.ellipsis < 0:
        items.append(Ellipsis)
        scalar = draft.only_integers and not hidden
    else:
        scalar = False
    basic: list[Any] = []
    axes: list[int] = []
    indices: list[Tensor] = []
    axis = basic_axis = widest = 0
    state = 0  # 0: no index yet, 1: among indices, 2: after them, 3: indices again
    for item in items:
        kind = type(item)
        if kind is int:
            basic.append(item)
        elif kind is _Along:
            if item.new:
                basic.append(None)
            else:
                if item.size and item.size != shape[axis]:
                    raise IndexError(
                        f"{name}: boolean index did not match indexed array along axis {axis}; "
                        f"size of axis is {shape[axis]} but size of corresponding boolean axis is "
                        f"{item.size}"
                    )
                basic.append(EVERYTHING)
            axes.append(basic_axis)
            indices.append(item.tensor)
            widest = max(widest, item.tensor.dim())
            basic_axis += 1
        elif item is Ellipsis:
            basic += [EVERYTHING] * hidden
            axis += hidden
            basic_axis += hidden
        else:
            basic.append(item)
            basic_axis += 1
        if kind is int or kind is _Along:
            state = 1 if state == 0 else 3 if state == 2 else state
        elif state == 1:
            state = 2
        if item is not None and item is not Ellipsis and not (kind is _Along and item.new):
            axis += 1
    ndim = basic_axis - len(indices) + widest
    if ndim > MAX_DIMS:
        raise IndexError(
            f"{name}: number of dimensions must be within [0, {MAX_DIMS}], indexing result would "
            f"have {ndim}"
        )
    if len(indices) >= MAX_DIMS:
        raise IndexError(f"{name}: too many indices: {len(indices)} index arrays")
    axis = 0
    for i, item in enumerate(basic):
        if item is None:
            continue
        size = shape[axis]
        if type(item) is slice:
            plain = item.step is None and type(item.start) in _BOUNDS and type(item.stop) in _BOUNDS
            if not plain:
                basic[i] = plain_slice(name, item, size)
        elif not -size <= item < size:
            raise out_of_bounds(name, item, axis, size) from None
        axis += 1
    together = tuple(indices[0].shape) if indices else ()
    if len(indices) > 1:
        together = broadcast_indices(name, indices)
    copies, by_scalars = draft.copies and not scalar, draft.by_scalars and not scalar
    return Parsed(tuple(basic), axes, indices, together, state == 3, scalar, copies, by_scalars)


def shape_text(shape: Sequence[int]) -> str:
    """A shape as in NumPy's messages, without spaces."""
    return f"({shape[0]},)" if len(shape) == 1 else f"({','.join(map(str, shape))})"


def broadcast_indices(name: str, indices: list[Tensor]) -> tuple[int, ...]:
    """The shape to which index arrays broadcast; ``IndexError`` where they do not."""
    try:
        return broadcast_shapes(name, *[i.shape for i in indices])
    except ValueError:
        listed = " ".join(shape_text(i.shape) for i in indices)
        raise IndexError(
            f"{name}: shape mismatch: indexing arrays could not be broadcast together with shapes "
            f"{listed}"
        ) from None


def out_of_bounds(name: str, index: int, axis: int, size: int) -> IndexError:
    """NumPy's error for an integer out of the bounds of its axis."""
    return IndexError(f"{name}: index {index} is out of bounds for axis {axis} with size {size}")


def check_bounds(name: str, t: Tensor, axes: list[int], indices: list[Tensor]) -> None:
    """``IndexError`` for the first index array that is out of the bounds of its axis.

    Checked on the CPU only: on another device reading the values would wait.
    """
    for axis, index in zip(axes, indices, strict=True):
        size = t.shape[axis]
        for value in reversed(extremes(index)):
            if not -size <= value < size:
                raise out_of_bounds(name, value, axis, size) from None


def extremes(index: Tensor) -> tuple[int, ...]:
    """The least and the greatest index, if reading them does not wait; else nothing."""
    values = host_reads.few_values(index)
    if values is not None:
        return (min(values), max(values)) if values else ()
    if not host_reads.possible(index):
        return ()
    try:
        low, high = torch.aminmax(index)
        return int(low), int(high)
    except RuntimeError:  # under vmap, or of a fake tensor
        return ()
