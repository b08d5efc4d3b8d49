"""Copies of a call's arguments, and the comparison of two runs on the arguments and the copies."""

from __future__ import annotations

import copy
import math
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy
import torch
from torch import Tensor

from .._array.host_view import WRITEABLE
from .._array.ndarray import array_of, ndarray, scalar
from .._array.scalars import TensorScalar
from .._base.dtypes import NUMPY

_UNITS = 64  # of the last place, by which sums in another order may differ
_Array = numpy.ndarray[Any, Any]
_SHARED = (
    int, float, complex, bool, str, bytes, type(None), type, slice, range, numpy.generic,
    numpy.dtype, FunctionType, BuiltinFunctionType, MethodType, ModuleType, TensorScalar,
    torch.dtype, torch.device,
)  # fmt: skip


KEPT = "compiled, it stores tensors where it stores scalars of NumPy's"
"""A difference that is to be expected: results are converted, but not what is put into a list."""


class CannotCopyError(Exception):
    """An argument is of a kind that is not copied."""


class Snapshot:
    """Copies of arguments: arrays that shared memory share it in the copies too."""

    def __init__(self, arguments: tuple[object, ...], keywords: dict[str, object]) -> None:
        self._copies: dict[int, tuple[Any, Any]] = {}
        self._storages: dict[int, torch.UntypedStorage] = {}
        self._owners: dict[int, tuple[_Array, _Array]] = {}
        self.arguments: tuple[Any, ...] = tuple(self._copy(v) for v in arguments)
        self.keywords: dict[str, Any] = {k: self._copy(v) for k, v in keywords.items()}

    def _copy(self, x: Any) -> Any:
        if isinstance(x, _SHARED):
            return x
        found = self._copies.get(id(x))
        if found is not None:
            return found[1]
        kind = type(x)
        if kind is ndarray:
            made: Any = array_of(self._tensor(x._tensor))
        elif kind is numpy.ndarray:
            made = self._numpys(x)
        elif kind is list:
            made = self._copies[id(x)] = x, []
            made[1].extend(self._copy(v) for v in x)
            return made[1]
        elif kind is dict:
            made = {k: self._copy(v) for k, v in x.items()}
        elif isinstance(x, tuple):
            items = [self._copy(v) for v in x]
            made = tuple(items) if kind is tuple else kind(*items)
        elif isinstance(x, numpy.random.Generator) and not getattr(x, "_torch", None):
            made = copy.deepcopy(x)
        elif getattr(kind, "__new__", None) is object.__new__ and hasattr(x, "__dict__"):
            made = object.__new__(kind)
            self._copies[id(x)] = x, made
            vars(made).update((k, self._copy(v)) for k, v in vars(x).items())
            return made
        else:
            raise CannotCopyError(f"an argument of the type {kind.__name__} is not copied")
        self._copies[id(x)] = x, made
        return made

    def _tensor(self, tensor: Tensor) -> Tensor:
        if type(tensor) is not Tensor or tensor.requires_grad or tensor.is_conj():
            raise CannotCopyError("an array that is read-only, reversed or has a gradient")
        storage = tensor.untyped_storage()
        key = storage.data_ptr()
        if key not in self._storages:
            self._storages[key] = storage.clone()
        empty = torch.empty(0, dtype=tensor.dtype, device=tensor.device)
        return empty.set_(
            self._storages[key], tensor.storage_offset(), tensor.size(), tensor.stride()
        )

    def _numpys(self, x: _Array) -> _Array:
        """A copy of one of NumPy's arrays: views of one array are views of one copy."""
        if x.dtype.hasobject:
            raise CannotCopyError("an array of objects")
        owner = x
        while type(owner.base) is numpy.ndarray:
            owner = owner.base
        if owner.base is not None or not owner.flags.forc:
            if any(numpy.may_share_memory(x, a) for a, _ in self._owners.values()):
                raise CannotCopyError("arrays that may share memory of no array")
            self._owners[id(x)] = x, x
            made = x.copy(order="K")
            made.flags.writeable = bool(x.flags.num & WRITEABLE)
            return made
        found = self._owners.get(id(owner))
        if found is None:
            if any(numpy.may_share_memory(x, a) for a, _ in self._owners.values()):
                raise CannotCopyError("arrays that may share memory of no array")
            found = self._owners[id(owner)] = owner, owner.copy(order="A")
        if x is owner and x.flags.num & WRITEABLE:
            return found[1]  # no view, for which torch would compile anew
        offset = x.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
        made = numpy.ndarray(x.shape, x.dtype, _memory(found[1]), offset, x.strides)
        made.flags.writeable = bool(x.flags.num & WRITEABLE)
        return made

    def again(self) -> Snapshot:
        """Copies of the copies, which stand for the same arguments."""
        made = Snapshot(self.arguments, self.keywords)
        made._copies = {
            key: (original, made._copies[id(copy)][1])
            for key, (original, copy) in self._copies.items()
        }
        made._storages = {
            key: made._storages[storage.data_ptr()]
            for key, storage in self._storages.items()
            if storage.data_ptr() in made._storages
        }
        return made

    def difference(self, arguments: Any, result: Any, other: Any) -> str:
        """How ``other``, computed from the copies, and the copies differ; empty if they do not.

        ``result`` was computed from the arguments.
        """
        for i, argument in enumerate(arguments):
            copy = argument if isinstance(argument, _SHARED) else self._copies[id(argument)][1]
            text = self._differs(argument, copy, {})
            if text:
                return f"in argument {i + 1}: {text}"
        text = self._differs(result, other, {})
        return text and f"in the result: {text}"

    def _differs(self, a: Any, b: Any, seen: dict[int, object]) -> str:
        if id(a) in seen:
            return "" if seen[id(a)] is b else "two results are no longer one object"
        found = self._copies.get(id(a))
        if found is not None and found[0] is a and found[1] is not b:
            return "an argument is no longer returned as the same object"
        if not isinstance(a, _SHARED):
            seen[id(a)] = b
        if isinstance(a, numpy.generic) and isinstance(b, TensorScalar):
            return KEPT
        if type(a) is not type(b):
            return f"{type(b).__name__} instead of {type(a).__name__}"
        if type(a) is ndarray:
            if not self._is_alias(a._tensor, b._tensor):
                return "a result shares memory with other arguments"
            return _tensors_differ(a._tensor, b._tensor)
        if isinstance(a, numpy.ndarray):
            if a.dtype != b.dtype or a.shape != b.shape:
                return f"{b.dtype} {b.shape} instead of {a.dtype} {a.shape}"
            if a.flags.c_contiguous != b.flags.c_contiguous:
                return "the elements lie in another order"
            if (a.flags.num ^ b.flags.num) & WRITEABLE:
                return "an array that may not be written to instead of one that may, or vice versa"
            if self._shared(a, 0) != self._shared(b, 1):
                return "a result shares memory with other arguments"
            return _arrays_differ(a, b)
        if isinstance(a, numpy.random.Generator):
            states = (a.bit_generator.state, b.bit_generator.state)
            return "" if _are_equal(*states) else "other random numbers are drawn"
        if isinstance(a, (list, tuple)):
            if len(a) != len(b):
                return f"{len(b)} items instead of {len(a)}"
            pairs = list(zip(a, b, strict=True))
            return next(filter(None, (self._differs(x, y, seen) for x, y in pairs)), "")
        if isinstance(a, dict):
            if list(a) != list(b):
                return "other keys"
            return next(filter(None, (self._differs(a[k], b[k], seen) for k in a)), "")
        if isinstance(a, TensorScalar):
            return _tensors_differ(a._tensor, b._tensor)
        if isinstance(a, (float, complex, numpy.inexact)):
            return "" if _is_near(a, b) else f"{b!r} instead of {a!r}"
        if found is not None:
            return self._differs(vars(a), vars(b), seen)
        return "" if a is b or (isinstance(a, _SHARED) and a == b) else "another object"

    def _shared(self, x: _Array, which: int) -> set[int]:
        """The arguments (``which`` 0) or copies (1) that an array shares memory with."""
        return {
            key
            for key, pair in self._copies.items()
            if isinstance(pair[which], numpy.ndarray) and numpy.may_share_memory(x, pair[which])
        }

    def _is_alias(self, a: Tensor, b: Tensor) -> bool:
        """Whether both share memory with an argument and its copy, or neither does."""
        copy = self._storages.get(a.untyped_storage().data_ptr())
        there = b.untyped_storage().data_ptr()
        if copy is not None:
            return copy.data_ptr() == there
        return b.numel() == 0 or all(c.data_ptr() != there for c in self._storages.values())


def _are_equal(a: Any, b: Any) -> bool:
    """Whether two states of a bit generator are the same."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_are_equal(a[k], b[k]) for k in a)
    return bool(numpy.array_equal(a, b))


def _is_near(a: Any, b: Any) -> bool:
    eps = float(numpy.finfo(type(a)).eps)
    return bool(numpy.isclose(b, a, rtol=_UNITS * eps, atol=0.0, equal_nan=True))


def _memory(owner: _Array) -> _Array:
    """The memory of an array without gaps as a vector of bytes."""
    return owner.reshape(-1, order="A").view(numpy.uint8)


def _arrays_differ(a: _Array, b: _Array) -> str:
    if a.dtype.hasobject or not numpy.issubdtype(a.dtype, numpy.inexact):
        return "" if numpy.array_equal(a, b) else "other values"
    if a.size == 0:
        return ""
    with numpy.errstate(all="ignore"):
        eps = float(numpy.finfo(a.dtype).eps)
        finite = numpy.abs(a[numpy.isfinite(a)])
        scale = float(finite.max()) if finite.size else 0.0
        bound = _UNITS * eps
        if numpy.isclose(b, a, rtol=bound, atol=bound * scale, equal_nan=True).all():
            return ""
        return f"values differ by up to {float(numpy.nanmax(numpy.abs(a - b))):.2g}"


def _tensors_differ(a: Tensor, b: Tensor) -> str:
    if a.dtype is not b.dtype or a.shape != b.shape:
        return f"{NUMPY[b.dtype]} {tuple(b.shape)} instead of {NUMPY[a.dtype]} {tuple(a.shape)}"
    if not (a.is_floating_point() or a.is_complex()):
        return "" if torch.equal(a, b) else "other values"
    if a.numel() == 0:
        return ""
    eps = torch.finfo(a.dtype).eps
    finite = a[torch.isfinite(a)].abs()
    scale = float(finite.max()) if finite.numel() else 0.0
    near = torch.isclose(b, a, rtol=_UNITS * eps, atol=_UNITS * eps * scale, equal_nan=True)
    if bool(near.all()):
        return ""
    return f"values differ by up to {float((a - b).abs().nan_to_num(math.inf).max()):.2g}"


def as_eager(x: Any) -> Any:
    """A compiled result with NumPy's scalars where an eager function has them."""
    if isinstance(x, TensorScalar):
        return scalar(x._tensor)
    kind = type(x)
    if kind is ndarray or isinstance(x, _SHARED):
        return x
    if kind in (list, tuple) or (isinstance(x, tuple) and hasattr(x, "_fields")):
        items = [as_eager(v) for v in x]
        if all(p is q for p, q in zip(items, x, strict=True)):
            return x
        return kind(items) if kind in (list, tuple) else kind(*items)
    if kind is dict:
        made = {k: as_eager(v) for k, v in x.items()}
        return x if all(made[k] is v for k, v in x.items()) else made
    return x
