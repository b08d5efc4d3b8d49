"""The flat paths: a call without options on arrays and numbers, one lookup and one torch call.

A ufunc object and the operators of ``ndarray`` call the same functions, built here from the
tables of a spec; a ufunc's ``__call__`` takes the commonest operands itself. For other operands
they return ``NotImplemented`` or call ``otherwise``.
The result of an array with axes has axes, so only what has none may become a scalar (``wrap``).
They close over tables and plain functions. A ufunc object is nothing that Dynamo could trace. A
spec has hundreds of entries, and Dynamo looks through all that a function closes over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._core import box as _box
from xp_torch._core.dtypes import EXACT

from .._array.host_view import borrow_memory
from .._array.ndarray import AnyArray, ndarray, new, wrap
from .._base import error_states as errstate
from .._base.dtypes import FLOATS, INTEGERS
from .._base.promotion import is_double
from .._base.scalar_types import STORED
from .spec import Spec, newly_filled


def slow_beside_ints(spec: Spec) -> bool:
    """Whether torch takes a microsecond longer over an int beside float64 than over a float.

    Then an int is given as a float, but not in a trace, where it may be the symbol of a size.
    torch reads an exponent without making a tensor of it.
    """
    return spec.name != "power"


_DOUBLES = (torch.float64, torch.complex128)
"""Beside them a complex number of Python's is complex128."""

Flat = Callable[..., Any]
_OfScalar = Callable[[Tensor, Any], Tensor]
"""A function of a tensor and a scalar of NumPy's."""


def of_two_dtypes(spec: Spec) -> Callable[[torch.dtype, torch.dtype], Callable[..., Any]]:
    """The function of two dtypes, by a call: the biggest table, which few operators need."""
    table = spec.mixed

    def mixed(d: torch.dtype, e: torch.dtype) -> Callable[..., Any]:
        return table[d, e]

    return mixed


def first_use(spec: Spec) -> Callable[[], bool]:
    """``newly_filled`` of a spec, by a call, as in ``of_two_dtypes``."""

    def fills() -> bool:
        return newly_filled(spec)

    return fills


def unary(spec: Spec, otherwise: Callable[[Any], Any] | None = None) -> Flat:
    """A function of one of our arrays."""
    fast, made, fills = spec.fast, spec.made, first_use(spec)

    def function(self: Any, /) -> Any:
        t = self._tensor
        d = self._flat_dtype
        try:
            if d is None:
                return wrap(fast[t.dtype](t))
            result = fast[d](t)
        except (KeyError, RuntimeError):
            if fills():
                return function(self)
            return NotImplemented if otherwise is None else otherwise(self)
        out = new(ndarray)
        out._tensor = result
        out._flat_dtype = made[d]
        return out

    return function


def binary(spec: Spec, otherwise: Callable[[Any, Any], Any] | None = None) -> Flat:
    """A function of one of our arrays, and an array, a number or NumPy's array on its right."""
    fast, right_float, right_int = spec.fast, spec.right_float, spec.right_int
    made, mixed, slow = spec.made, of_two_dtypes(spec), slow_beside_ints(spec)
    by_scalar, fills = _by_scalar(spec, False), first_use(spec)

    def function(self: Any, other: Any, /) -> Any:
        a = self._tensor
        d = self._flat_dtype
        kind = type(other)
        try:
            if kind is ndarray or isinstance(other, AnyArray):
                b = other._tensor
                if _box.several_devices and a.device != b.device:
                    raise KeyError
                if d is not None and d is other._flat_dtype:
                    result = fast[d](a, b)
                    out = new(ndarray)
                    out._tensor = result
                    out._flat_dtype = made[d]
                    return out
                d, e = d or a.dtype, other._flat_dtype or b.dtype
                return wrap(fast[d](a, b) if d is e else mixed(d, e)(a, b))
            if kind is float:
                result = right_float[d or a.dtype](a, other)
            elif kind is int and -EXACT <= other <= EXACT:
                if d is torch.float64 and slow and not is_dynamo_compiling():
                    result = right_float[d](a, float(other))
                else:
                    result = right_int[d or a.dtype](a, other)
            elif kind in STORED:
                result = by_scalar(d or a.dtype, kind)(a, other)
            elif kind is complex and d in _DOUBLES and slow and not is_dynamo_compiling():
                result = by_scalar(d, numpy.complex128)(a, numpy.complex128(other))
            elif kind is numpy.ndarray:
                b = borrow_memory(other, a)
                if b is None:
                    raise KeyError
                dtype = d or a.dtype
                e = b.dtype
                return wrap(fast[dtype](a, b) if dtype is e else mixed(dtype, e)(a, b))
            else:
                raise KeyError
        except (KeyError, RuntimeError):
            if fills():
                return function(self, other)
            if slow and (found := _beside_complex(by_scalar, d, a, other)) is not None:
                return found
            # The general call casts the operands, or says what is wrong with them.
            return NotImplemented if otherwise is None else otherwise(self, other)
        if d is None:
            return wrap(result)
        out = new(ndarray)
        out._tensor = result
        out._flat_dtype = result.dtype
        return out

    return function


def reflected(spec: Spec, otherwise: Callable[[Any, Any], Any] | None = None) -> Flat:
    """A function of one of our arrays and what stands on its left: ``function(array, left)``.

    That is a number or an array of NumPy's.
    """
    fast, left_float, left_int = spec.fast, spec.left_float, spec.left_int
    mixed, slow = of_two_dtypes(spec), slow_beside_ints(spec)
    by_scalar, fills = _by_scalar(spec, True), first_use(spec)

    def function(self: Any, other: Any, /) -> Any:
        t = self._tensor
        d = self._flat_dtype
        kind = type(other)
        try:
            if kind is float:
                result = left_float[d or t.dtype](t, other)
            elif kind is int and -EXACT <= other <= EXACT:
                if d is torch.float64 and slow and not is_dynamo_compiling():
                    result = left_float[d](t, float(other))
                else:
                    result = left_int[d or t.dtype](t, other)
            elif kind in STORED:
                result = by_scalar(d or t.dtype, kind)(t, other)
            elif kind is complex and d in _DOUBLES and slow and not is_dynamo_compiling():
                result = by_scalar(d, numpy.complex128)(t, numpy.complex128(other))
            elif kind is numpy.ndarray:
                b = borrow_memory(other, t)
                if b is None:
                    raise KeyError
                dtype = d or t.dtype
                e = b.dtype
                return wrap(fast[dtype](b, t) if dtype is e else mixed(e, dtype)(b, t))
            else:
                raise KeyError
        except (KeyError, RuntimeError):
            if fills():
                return function(self, other)
            if slow and (found := _beside_complex(by_scalar, d, t, other)) is not None:
                return found
            return NotImplemented if otherwise is None else otherwise(self, other)
        if d is None:
            return wrap(result)
        out = new(ndarray)
        out._tensor = result
        out._flat_dtype = result.dtype
        return out

    return function


def _beside_complex(by_scalar: Any, dtype: Any, t: Tensor, number: object) -> Any:
    """What a real number beside complex128 gives, of ufuncs without a table for it, or ``None``."""
    if dtype is not torch.complex128 or not is_double(number) or is_dynamo_compiling():
        return None
    try:
        return wrap(by_scalar(dtype, numpy.complex128)(t, numpy.complex128(number)))
    except (KeyError, RuntimeError):
        return None


def unary_call(spec: Spec, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """A call of an array, without options; ``otherwise`` takes every other call."""
    fast, made = spec.fast, spec.made

    def call(self: object, x: object, /, out: object = None, **options: object) -> Any:
        if type(x) is ndarray and out is None and not options:
            d = x._flat_dtype
            try:
                if d is None:
                    t = x._tensor
                    return wrap(fast[t.dtype](t))
                result = fast[d](x._tensor)
                array = new(ndarray)
                array._tensor = result
                array._flat_dtype = made[d]
                return array
            except (KeyError, RuntimeError):
                pass  # the general call casts the operand, or says what is wrong with it
        return otherwise(self, x, out, **options) if options else otherwise(self, x, out)

    return call


def binary_call(
    spec: Spec,
    plain: Callable[..., Any],
    into: Callable[..., Any],
    otherwise: Callable[..., Any],
) -> Callable[..., Any]:
    """A call of an array and anything else, without options.

    ``plain`` makes it unless both are arrays of one dtype. ``into`` takes two operands and what
    ``out=`` names, ``otherwise`` every other call.
    """
    fast, made = spec.fast, spec.made

    def call(self: Any, x1: Any, x2: Any, /, *outs: Any, **options: Any) -> Any:
        if type(x1) is ndarray and not outs and not options:
            if type(x2) is ndarray and not _box.several_devices:
                d = x1._flat_dtype
                if d is not None and d is x2._flat_dtype:
                    try:
                        result = fast[d](x1._tensor, x2._tensor)
                        array = new(ndarray)
                        array._tensor = result
                        array._flat_dtype = made[d]
                        return array
                    except (KeyError, RuntimeError):
                        return self._general((x1, x2))  # it says what is wrong with the operands
            result = plain(x1, x2)
            return self._general((x1, x2)) if result is NotImplemented else result
        if options and not outs:
            out = options.pop("out", None)
            return self._general((x1, x2), out, options) if options else into(self, x1, x2, out)
        return otherwise(self, x1, x2, *outs, **options)

    return call


def _by_scalar(spec: Spec, on_the_left: bool) -> Callable[[torch.dtype, type], _OfScalar]:
    """A function of a dtype and a type of NumPy's scalars, which are as strong as arrays.

    It gives the function of a tensor and such a scalar; ``KeyError`` where the ufunc has no loop
    for the two, and while errors are looked for. The entries are kept as they are asked for, which
    a fast table does not take: an entry that came after the table was emptied would be used.
    """
    made: dict[tuple[torch.dtype, type], _OfScalar] = {}

    def by_scalar(dtype: torch.dtype, kind: type) -> _OfScalar:
        if errstate.active:
            raise KeyError
        try:
            return made[dtype, kind]
        except KeyError:
            found = made[dtype, kind] = _of_scalar(spec, dtype, kind, on_the_left)
            return found

    return by_scalar


def _of_scalar(spec: Spec, dtype: torch.dtype, kind: type, on_the_left: bool) -> _OfScalar:
    """Combine a scalar of type ``kind`` with a tensor: as a Python number if torch takes it."""
    own = STORED[kind]
    first, second = spec.loops[(own, dtype) if on_the_left else (dtype, own)].inputs
    numbers = spec.numbers
    if numbers is not None and first is second and first in numbers.dtypes:
        function = numbers.left if on_the_left else numbers.right
        exact = first in FLOATS or (first is torch.int64 and own in INTEGERS)
        if function is not None and (exact or (function is torch.mul and first.is_complex)):
            if dtype is first and kind is numpy.float64:
                return lambda t, x: function(t, float(x))  # torch takes longer over NumPy's class
            if dtype is first is torch.float64 and own in INTEGERS:
                return lambda t, x: function(t, float(x))  # and an int than a float
            if dtype is first or (dtype in FLOATS and dtype.to_complex() is first):
                return lambda t, x: function(t, x.item())
            return lambda t, x: function(t.to(first), x.item())
    f = spec.fast[dtype] if own is dtype else spec.mixed[
        (own, dtype) if on_the_left else (dtype, own)
    ]  # fmt: skip

    def as_tensor(t: Tensor, x: Any) -> Tensor:
        return torch.full((), x.item(), dtype=own, device=t.device)

    if on_the_left:
        return lambda t, x: f(as_tensor(t, x), t)
    return lambda t, x: f(t, as_tensor(t, x))
