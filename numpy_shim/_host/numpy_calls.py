"""Arguments and results of a call that NumPy computes: our arrays as its own, and back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import wraps
from typing import Any, TypeVar

import numpy
import torch
from torch import Tensor

from .._array import views
from .._array.host_view import WRITEABLE, kept_view, of_memory
from .._array.ndarray import AnyArray, array_of, ndarray
from .._array.scalars import TensorScalar
from .._base.dtypes import NUMPY, TORCH, HostDtypeError
from .._base.host_setting import may_hand
from .._base.promotion import PYTHON_NUMBERS
from .._base.tracing import _NoValue
from .._convert.arguments import as_tensor, assign
from .._convert.foreign import from_numpy, is_common, is_describable, is_subclass
from .._convert.one_storage import is_kept_in_place, on_memory_of
from .._convert.to_numpy import shared

_R = TypeVar("_R")  # what the function returns whose call is handed over: its caller knows


def cast_on_host(error: HostDtypeError, name: str, value: Any, target: Tensor) -> Tensor:
    """Values that torch cannot store, cast to the dtype of a tensor, as an assignment casts.

    Nothing is cast for a tensor without elements.
    """
    if not may_hand():
        raise error
    made = numpy.zeros(numpy.shape(value), NUMPY[target.dtype])
    if target.numel():
        made[...] = value
    return from_numpy(name, made, "value")


def compare_on_host(a: ndarray, other: object, same: bool) -> Any:
    """``a == other`` or ``a != other`` with an array of a dtype that torch cannot store."""
    values = HostArguments("equal").one(a)
    return as_ours(values == other if same else values != other)


def is_beside(other: object) -> bool:
    """Whether an operator of an array of ours is NumPy's because of the class of ``other``.

    Found out before ``other`` is converted, which takes longer than NumPy's call.
    """
    return is_subclass(other) and may_hand()


def call_numpy(
    name: str,
    theirs: object,
    args: tuple[object, ...],
    kwargs: Mapping[str, object],
    written: tuple[object, ...] = (),
) -> _R:  # type: ignore[type-var]
    """``theirs(*args, **kwargs)`` with our arrays as NumPy's, and numbers that come back as ours.

    What is written to arrays of ours, those of ``out=`` and ``written``, is written to copies and
    then assigned, so that devices, read-only arrays and autograd are asked as ever. Other arrays of
    ours are given read-only.
    """
    out = kwargs.get("out")
    copies = _copies(name, written, out) if written or out is not None else {}
    given = HostArguments(name, copies)
    result = _call(theirs, given.all(args), {k: given.one(v) for k, v in kwargs.items()})
    if type(result) is numpy.ndarray and result.dtype == object:
        _put_ours_back(result, given)
    for target, copy in copies.values():
        if not views.is_writeable(target):
            raise ValueError(f"{name}: output array is read-only")
        assign(target, from_numpy(name, copy, "out", target._tensor.device))
    kept = [(copy, target) for target, copy in copies.values()]
    found: _R = as_ours(result, kept + [m for m in given.made.values() if type(m[1]) is ndarray])
    return found


def _copies(name: str, written: tuple[object, ...], out: object) -> dict[int, tuple[ndarray, Any]]:
    """The arrays of ours that a call writes to and a copy of each, by the ``id`` of the tensor."""
    made: dict[int, tuple[ndarray, Any]] = {}
    for x in (*written, *(out if isinstance(out, tuple) else (out,))):
        target = array_of(x) if isinstance(x, Tensor) else x
        if type(target) is not ndarray:
            continue
        if target._tensor.requires_grad:
            raise TypeError(
                f"{name}: an array that requires grad cannot be written to by NumPy, which "
                "computes with dtypes that torch has no storage for; detach it first"
            )
        made[id(target._tensor)] = target, numpy.array(shared(name, target))
    return made


def call_method(error: HostDtypeError | None, name: str, a: Any, *args: Any, **kwargs: Any) -> _R:  # type: ignore[type-var]
    """What the method ``name`` of NumPy's array on the memory of ``a`` gives."""
    if not may_hand():
        raise error or TypeError(f"{name}: {_OFF}")
    values = shared(name, a)
    method = getattr(values[()] if isinstance(a, TensorScalar) else values, name)
    result: _R = as_ours(method(*HostArguments(name).all(args), **kwargs))
    return result


def _put_ours_back(result: numpy.ndarray[Any, Any], given: HostArguments) -> None:
    """Put the arrays of ours back that are elements of a result of objects."""
    if given.made:
        for index, x in numpy.ndenumerate(result):
            if id(x) in given.made:
                result[index] = given.made[id(x)][1]


_COMPARISONS = frozenset({
    "equal", "greater", "greater_equal", "less", "less_equal", "not_equal",
})  # fmt: skip
_ACCUMULATING = frozenset({
    "accumulate", "cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "nancumprod",
    "nancumsum",
})  # fmt: skip


def _call(theirs: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """The one place where NumPy computes."""
    name = getattr(theirs, "__name__", "")
    if name in _ACCUMULATING:
        out = kwargs.get("out", args[3] if len(args) > 3 else None)
        out = out[0] if type(out) is tuple else out
        if getattr(out, "ndim", 1) == 0 < numpy.ndim(args[0]):  # NumPy 2.4 ends the process
            raise ValueError(f"{name}: out has no axes, the result has {numpy.ndim(args[0])}")
    elif name in _COMPARISONS and "where" in kwargs:  # 2.4 too, for an int beyond the dtype
        args = [numpy.asarray(x) if type(x) is int else x for x in args]
    return theirs(*args, **kwargs)


class HostArguments:
    """Arguments of a call as NumPy takes them."""

    __slots__ = ("_copies", "_name", "made")

    def __init__(self, name: str, copies: dict[int, tuple[ndarray, object]] | None = None) -> None:
        self._name = name
        self._copies = copies or {}
        self.made: dict[int, tuple[Any, Any]] = {}
        """By the ``id`` of an array that was made, that array and the one it was made from."""

    def all(self, xs: Any) -> list[Any]:
        """Several arguments."""
        return [self.one(x) for x in xs]

    def one(self, x: Any) -> Any:
        """An argument: our arrays and tensors as NumPy's arrays, also within sequences."""
        kind = type(x)
        if kind is ndarray and not self._copies and type(x._tensor) is Tensor:
            view = kept_view(x)
            if view is not None:
                view = view[...]
                view.flags.writeable = False
                self.made[id(view)] = view, x
                return view
        elif kind in PYTHON_NUMBERS or issubclass(kind, numpy.ndarray):
            return x
        if isinstance(x, (AnyArray, Tensor)):
            tensor = x._tensor if isinstance(x, AnyArray) else as_tensor(self._name, x)
            if id(tensor) in self._copies:
                return self._copies[id(tensor)][1]
            made = shared(self._name, x if isinstance(x, AnyArray) else array_of(tensor))[...]
            made.flags.writeable = False
            if isinstance(x, TensorScalar):
                return made[()]
            self.made[id(made)] = made, x
            return made
        if kind is list or kind is tuple:
            return kind(self.all(x))
        if kind is dict:
            return {k: self.one(v) for k, v in x.items()}
        if kind is slice:
            return slice(self.one(x.start), self.one(x.stop), self.one(x.step))
        if isinstance(x, torch.dtype) and x in NUMPY:
            return NUMPY[x]
        if isinstance(x, type) and issubclass(x, ndarray):
            return numpy.ndarray
        return numpy._NoValue if x is _NoValue else x


def as_ours(result: Any, kept: list[tuple[object, ndarray]] | None = None) -> Any:
    """A result of NumPy's: arrays of numbers as ours, on the default device; the rest as it is.

    ``kept`` are arrays that stand for arrays of ours, which come back themselves. NumPy's scalars
    and its subclasses of ``ndarray`` stay.
    """
    kind = type(result)
    if kind is numpy.ndarray:
        for copy, ours in kept or ():
            if result is copy:
                return ours
        if is_common(result):
            try:
                return array_of(of_memory(result))
            except ValueError:  # an axis of one element or none, whose stride torch does not take
                return result
        if result.dtype not in TORCH or not is_describable(result) or _is_locked(result):
            return result
        if result.base is not None and is_kept_in_place(result):  # a view
            made = on_memory_of("result", result, "values")
            if made is not None:
                return made
        return array_of(from_numpy("result", result, "values"))
    if kind is list:
        return [as_ours(r, kept) for r in result]
    if isinstance(result, tuple):
        parts = [as_ours(r, kept) for r in result]
        return kind(*parts) if hasattr(result, "_fields") else kind(parts)
    return result


def _is_locked(x: numpy.ndarray[Any, Any]) -> bool:
    """Whether memory is read-only that is not of an array of ours, which is given read-only."""
    if x.flags.num & WRITEABLE:
        return False
    owner: Any = x
    while isinstance(owner, numpy.ndarray):
        owner = owner.base
    return not isinstance(owner, Tensor)


def expose(name: str) -> Any:
    """NumPy's function ``name``, about dtypes of its own; numbers come back as arrays of ours."""
    theirs = getattr(numpy, name)

    @wraps(theirs)
    def function(*args: object, **kwargs: object) -> Any:
        if not may_hand():
            raise TypeError(f"{name}: {_OFF}")
        return call_numpy(name, theirs, args, kwargs)

    function.__module__ = "numpy_shim"
    function.__doc__ = f"NumPy's ``{name}``; arrays of numbers that it gives come back as ours."
    return function


_OFF = "its dtypes have no storage in torch, and set_host_dtypes('error') is in force"


def is_host(x: object) -> bool:
    """Whether ``x`` is a NumPy array or scalar that torch cannot store: by dtype or class.

    One in the other byte order is not: its values are numbers.
    """
    if not isinstance(x, (numpy.ndarray, numpy.generic)):
        return False
    dtype = x.dtype
    if dtype not in TORCH and (dtype.kind not in "biufc" or dtype.newbyteorder("=") not in TORCH):
        return True
    return is_subclass(x)


def is_host_target(x: object) -> bool:
    """Whether ``x``, which is written to, is NumPy's, in the other byte order too."""
    return isinstance(x, numpy.ndarray) and (x.dtype not in TORCH or is_subclass(x))
