"""Arguments of a compiled function as our arrays, and its results in the kind that came in.

Memory is shared: an array of NumPy's or a tensor becomes an array of ours without a copy, and what
the function writes is seen by its caller. So are changes of lists, dictionaries and objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
import torch
from torch import Tensor

from xp_torch._core.devices import default_is_cpu

from .._array.host_view import BEHAVED, WRITEABLE, memory_of, to_numpy
from .._array.ndarray import AnyArray, array_of, ndarray, scalar, view_of
from .._array.scalars import TensorScalar
from .._array.views import forward_of, is_writeable, locked
from .._base.dtypes import TORCH
from .._base.scalar_types import HOST
from .._convert.foreign import is_describable
from .._convert.from_data import asarray
from .._convert.one_storage import has_storage
from .signatures import PLAIN
from .translation import Translation

_NUMPY, _OURS, _TENSOR = range(3)


def take_plainly(arguments: tuple[object, ...]) -> tuple[int, tuple[Any, ...]] | None:
    """The kind of a call's arrays, and its arguments with arrays of ours in the place of NumPy's.

    ``None`` where it takes more than a look at each argument: for containers, and for memory that
    two arrays share or that no array of NumPy's owns.
    """
    kind = _NUMPY
    taken: list[Any] = list(arguments)
    owners: set[int] = set()
    for i, x in enumerate(taken):
        of = type(x)
        if of is ndarray:
            kind = _OURS
        elif of is numpy.ndarray:
            owner = x
            while type(owner.base) is numpy.ndarray:
                owner = owner.base
            if owner.base is not None or id(owner) in owners or has_storage(owner):
                return None
            memory = memory_of(x) if x.flags.num & BEHAVED == BEHAVED else None
            if memory is None:
                return None
            owners.add(id(owner))
            taken[i] = array_of(memory)
        elif of not in PLAIN:
            return None
    if not owners:
        return kind, arguments
    return (kind, tuple(taken)) if default_is_cpu() else None


def give_plainly(
    result: object,
    kind: int,
    arguments: Sequence[object],
    taken: Sequence[object],
    translation: Translation,
) -> Any:
    """The result of a call of what ``take_plainly`` took, in the kind that came in."""
    if type(result) is ndarray and kind == _NUMPY:
        for x in taken:
            if x is result:
                break
        else:
            array = _memory_to_give(result)
            if array is not None:
                return array
    exchange = Exchange(translation, kind)
    for x, ours in zip(arguments, taken, strict=True):
        if x is not ours:
            exchange._remember(x, ours)
    return exchange.give(result)


def _memory_to_give(x: ndarray) -> numpy.ndarray[Any, Any] | None:
    """NumPy's array on the memory of a result, if torch makes it as it is."""
    if type(x._tensor) is not Tensor:
        return None
    try:
        return x._tensor.numpy()
    except (RuntimeError, TypeError):  # with a gradient, conjugated, on a device, of bfloat16
        return None


class Exchange:
    """The arguments and the results of one call."""

    def __init__(self, translation: Translation, kind: int = _NUMPY) -> None:
        self._translation = translation
        self._kind = kind
        self._taken: dict[int, tuple[Any, Any]] = {}  # by the id of the original
        self._back: dict[int, Any] = {}  # by the id of what stands for it
        self._open: list[tuple[Any, Any]] = []  # what can be changed: the original, and ours
        self._owners: dict[int, ndarray] = {}
        self._kept: list[Any] = []

    # --- in ---

    def take(self, x: Any) -> Any:
        """An argument with our arrays in it."""
        kind = type(x)
        if kind in PLAIN:
            return x
        if kind is ndarray or isinstance(x, TensorScalar):
            self._kind = max(self._kind, _OURS)
            return x
        found = self._taken.get(id(x))
        if found is not None:
            return found[1]
        if kind is numpy.ndarray:
            return self._remember(
                x, self._array(x) if x.dtype in TORCH and is_describable(x) else x
            )
        if isinstance(x, Tensor):
            self._kind = _TENSOR
            return self._remember(x, array_of(x))
        if kind is list:
            ours: Any = self._remember(x, [])
            ours.extend(self.take(v) for v in x)
        elif kind is dict:
            ours = self._remember(x, {})
            ours.update((k, self.take(v)) for k, v in x.items())
        elif isinstance(x, tuple):
            items = [self.take(v) for v in x]
            if all(a is b for a, b in zip(items, x, strict=True)):
                return x
            return self._remember(x, tuple(items) if kind is tuple else kind(*items))
        else:
            return self._object(x)
        self._open.append((x, ours))
        return ours

    def _remember(self, original: object, ours: object) -> Any:
        self._taken[id(original)] = original, ours
        self._back[id(ours)] = original
        return ours

    def _array(self, x: numpy.ndarray[Any, Any]) -> Any:
        """An array on the memory of one of NumPy's.

        Views of one array are views of one tensor: torch must know what overlaps.
        """
        if not x.flags.num & WRITEABLE:  # torch has no such tensors, and a copy is as good
            return locked(asarray(x)._tensor)
        owner = x if x.base is None else x.base
        if type(owner) is not numpy.ndarray or owner.dtype != x.dtype:
            return asarray(x)
        size = x.itemsize
        if not x.dtype.isnative or any(s < 0 or s % size for s in (*x.strides, *owner.strides)):
            return asarray(x)
        whole = self._owners.get(id(owner))
        if whole is None:
            if not owner.flags.num & WRITEABLE:
                return asarray(x)
            is_alone = owner.base is None and default_is_cpu() and not has_storage(owner)
            memory = memory_of(owner) if is_alone else None
            whole = asarray(owner) if memory is None else array_of(memory)
            self._owners[id(owner)] = whole
        if owner is x:
            return whole
        offset = x.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
        steps = [s // size for s in x.strides]
        return view_of(whole, whole._tensor.as_strided(x.shape, steps, offset // size))

    def _object(self, x: object) -> Any:
        """An object of a class of the program, whose methods are copies; others as they are."""
        if not hasattr(x, "__dict__") or isinstance(x, (type, torch.nn.Module)) or callable(x):
            return x
        kind = self._translation.subclass(type(x))
        if kind is None:
            return x
        ours = self._remember(x, object.__new__(kind))
        vars(ours).update((k, self.take(v)) for k, v in vars(x).items())
        self._open.append((x, ours))
        return ours

    # --- out ---

    def give(self, x: object) -> Any:
        """A result in the kind that came in; an argument as the object that it was."""
        kind = type(x)
        if kind in PLAIN:
            return x
        if id(x) in self._back:
            return self._back[id(x)]
        if kind is ndarray and self._kind == _OURS:
            return x
        if isinstance(x, AnyArray):
            made = self._back[id(x)] = self._given_array(x)
            self._kept.append(x)  # so that no other object gets its id
            return made
        if isinstance(x, (numpy.generic, numpy.ndarray)):
            if self._kind == _TENSOR and x.dtype in TORCH:
                return asarray(x)._tensor
            return x
        if kind in (list, dict) or isinstance(x, tuple):
            return self._given_container(x, kind)
        original = self._translation.originals.get(kind)
        if original is not None:  # an object that the function has made from one of its own
            made = self._back[id(x)] = object.__new__(original)
            self._kept.append(x)
            made.__dict__.update((k, self.give(v)) for k, v in vars(x).items())
            return made
        return x

    def _given_array(self, x: ndarray) -> Any:
        array = _memory_to_give(x) if type(x) is ndarray and self._kind == _NUMPY else None
        if array is not None:
            return array
        tensor, flips = forward_of(x)
        if self._kind == _TENSOR:
            return tensor.flip(flips) if flips else x.tensor
        if self._kind == _OURS or tensor.requires_grad:
            return scalar(x._tensor) if isinstance(x, TensorScalar) else x
        if not tensor.is_cpu or tensor.is_conj() or tensor.is_neg():
            tensor = tensor.cpu().resolve_conj().resolve_neg()
        if isinstance(x, TensorScalar):
            return HOST[tensor.dtype](tensor.item())
        array = to_numpy(tensor)
        if flips:
            array = numpy.flip(array, flips)
        if not is_writeable(x):
            array.flags.writeable = False
        return array

    def _given_container(self, x: Any, kind: type) -> Any:
        if kind is dict:
            values = {k: self.give(v) for k, v in x.items()}
            return x if all(values[k] is v for k, v in x.items()) else values
        items = [self.give(v) for v in x]
        if all(a is b for a, b in zip(items, x, strict=True)):
            return x
        if kind is list:
            return items
        is_plain = kind is tuple or hasattr(x, "n_fields")  # torch's own tuples
        return kind(items) if is_plain else kind(*items)

    def settle(self) -> None:
        """Change the lists, dictionaries and objects of the caller as the function did ours."""
        for original, ours in self._open:
            if type(ours) is list:
                items = [self.give(v) for v in ours]
                if len(items) != len(original) or any(
                    a is not b for a, b in zip(items, original, strict=True)
                ):
                    original[:] = items
                continue
            old = original if type(ours) is dict else vars(original)
            new = ours if type(ours) is dict else vars(ours)
            for key in [key for key in old if key not in new]:
                del old[key]
            for key, value in new.items():
                given = self.give(value)
                if key not in old or old[key] is not given:
                    old[key] = given
