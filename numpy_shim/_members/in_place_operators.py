"""The in-place operators of ``ndarray``: ``ufunc(self, other, out=self)`` with same-kind casting.

Where torch has a function that changes a tensor, it is called if that is what NumPy would do.
"""

from __future__ import annotations

import operator as python
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._core import box as _box
from xp_torch._core.dtypes import EXACT, WIDE_UNSIGNED
from xp_torch._kernels.blocks import changed

from .._array.memory import apart_in_trace, overlaps_itself
from .._array.ndarray import ndarray
from .._array.scalars import TensorScalar
from .._base.dtypes import CASTABLE, HALVES, PROMOTION, HostDtypeError
from .._base.fast_tables import fast_table, fill
from .._base.scalar_types import STORED
from .._host.hand_over import call_ufunc
from .._host.numpy_calls import is_beside
from .._kernels.backwards import Special
from .._ufunc import declarations as ufuncs
from .._ufunc import flat, gufuncs
from .._ufunc.call import call
from .._ufunc.operator_overrides import answer, is_theirs
from .._ufunc.spec import OfNumber, Spec, when_filled
from .operators import instead, named, with_powers

_STAYING = frozenset({
    pair
    for pair, result in PROMOTION.items()
    if result is pair[0] and not {*pair} & {*WIDE_UNSIGNED, *HALVES}
})  # fmt: skip
"""Pairs of dtypes of which the first is that of the result."""

_SAME_KIND = CASTABLE["same_kind"] - {(torch.float64, d) for d in HALVES}  # torch rounds twice


def _in_place(
    name: str, spec: Spec, function: Any = None, method: Any = None, by_number: Any = None
) -> Any:
    """``method`` is the in-place form of torch's ``function``, for the dtypes that use it.

    ``by_number`` is the form for a Python number, if it differs. Both are used only if both
    operands are contiguous: then torch itself detects whether they overlap in memory, and
    overlapping operands are computed out of place first. So is an array whose elements share
    memory, which torch would change several times.
    """
    fast, right_float, right_int = spec.fast, spec.right_float, spec.right_int
    mixed = flat.of_two_dtypes(spec)
    right = function
    if by_number is None:
        by_number = method
    elif spec.numbers is not None:
        right = spec.numbers.right
    same: OfNumber = fast_table()
    by_float: OfNumber = fast_table()
    by_int: OfNumber = fast_table()
    slow, fills = flat.slow_beside_ints(spec), flat.first_use(spec)

    def fill_tables() -> None:
        fill(same, {d: method for d, f in fast.items() if f is function})
        fill(by_float, {d: by_number for d, f in right_float.items() if f is right})
        fill(by_int, {d: by_number for d, f in right_int.items() if f is right})

    when_filled(spec, fill_tables)

    forward = getattr(python, "__" + name[3:])

    def otherwise(self: ndarray, other: object) -> Any:
        if isinstance(self, TensorScalar):
            return forward(self, other)  # as for NumPy's scalars, which nothing changes
        if is_beside(other):
            return call_ufunc(None, spec.name, (self, other), self)
        if is_theirs(self, other):
            return answer(spec.name, (self, other), other, out=self)
        special = instead(spec, self._tensor.dtype, other)
        if special is not None:
            return call(special, (self,), self)
        try:
            return call(spec, (self, other), self)
        except HostDtypeError as error:
            return call_ufunc(error, spec.name, (self, other), self)

    def operator(self: ndarray, other: Any, /) -> Any:
        if type(self) is ndarray:
            a = self._tensor
            d = self._flat_dtype or a.dtype
            kind = type(other)
            try:
                if kind is ndarray:
                    b = other._tensor
                    if _box.several_devices and a.device != b.device:
                        result = None
                    elif d is not (e := other._flat_dtype or b.dtype):
                        if (
                            d in same
                            and (d, e) in _STAYING
                            and b.dim()
                            and a.is_contiguous()
                            and b.is_contiguous()
                            and not is_dynamo_compiling()
                        ):
                            changed(method, a, b)
                            return self
                        result = mixed(d, e)(a, b)
                    elif (
                        d in same
                        and a.is_contiguous()
                        and b.is_contiguous()
                        and (
                            not is_dynamo_compiling()
                            or self is other
                            or apart_in_trace(self, other)  # a trace does not raise torch's error
                        )
                    ):
                        method(a, b)
                        return self
                    elif (
                        isinstance(a, Special)
                        and d in same
                        and not is_dynamo_compiling()  # memory that they share is seen late
                        and not (a.requires_grad or b.requires_grad or overlaps_itself(self))
                    ):
                        method(a, b)  # changes the memory once, in its own order
                        return self
                    else:
                        result = fast[d](a, b)
                elif kind is float:
                    if d in by_float and (a.is_contiguous() or not overlaps_itself(self)):
                        by_number(a, other)
                        return self
                    result = right_float[d](a, other)
                elif kind is int and -EXACT <= other <= EXACT:
                    if d is torch.float64 and slow and not is_dynamo_compiling():
                        other = float(other)
                    if d in by_int and (a.is_contiguous() or not overlaps_itself(self)):
                        by_number(a, other)
                        return self
                    result = right_int[d](a, other)
                elif kind in STORED and STORED[kind] is d and not is_dynamo_compiling():
                    # A scalar of NumPy's of this dtype does what the number that it is does.
                    number = other.item()
                    exact = type(number) is int and -EXACT <= number <= EXACT
                    if not exact and type(number) is not float:
                        result = None
                    elif d in (by_int if exact else by_float) and (
                        a.is_contiguous() or not overlaps_itself(self)
                    ):
                        by_number(a, number)
                        return self
                    else:
                        result = (right_int if exact else right_float)[d](a, number)
                else:
                    result = None
                if (
                    result is not None
                    and (result.dtype is d or (result.dtype, d) in _SAME_KIND)
                    and result.shape == a.shape
                    and not result.requires_grad  # autograd may have to save ``a``
                ):
                    a.copy_(result)
                    return self
            except (KeyError, RuntimeError):
                pass
            if fills():
                return operator(self, other)
        return otherwise(self, other)

    return named(operator, name, spec)


def _divide_by_number(a: Tensor, number: float) -> None:
    # On CUDA torch multiplies by the reciprocal of a number, which rounds twice.
    a.div_(number if a.get_device() < 0 else a.new_full((), number))


def _imatmul(self: ndarray, other: Any, /) -> Any:
    axes = [(-2, -1), (-2, -1), (-2, -1)] if self._tensor.dim() > 1 else [(-1,), (-2, -1), (-1,)]
    if is_theirs(self, other):
        return answer("matmul", (self, other), other, out=self, axes=axes)
    if self._tensor.dim() == 0:
        return gufuncs.matmul(self, other)
    return gufuncs.matmul(self, other, out=self, axes=axes)


class InPlace:
    """The in-place operators, each by its name; see ``ndarray``."""

    __slots__ = ()

    __iadd__ = _in_place("__iadd__", ufuncs.add._spec, torch.add, Tensor.add_)
    __isub__ = _in_place("__isub__", ufuncs.subtract._spec, torch.sub, Tensor.sub_)
    __imul__ = _in_place("__imul__", ufuncs.multiply._spec, torch.mul, Tensor.mul_)
    __itruediv__ = _in_place(
        "__itruediv__", ufuncs.divide._spec, torch.div, Tensor.div_, _divide_by_number
    )
    __ifloordiv__ = _in_place("__ifloordiv__", ufuncs.floor_divide._spec)
    __imod__ = _in_place("__imod__", ufuncs.remainder._spec)
    __ipow__ = _in_place("__ipow__", with_powers(ufuncs.power._spec), torch.pow, Tensor.pow_)
    __iand__ = _in_place(
        "__iand__", ufuncs.bitwise_and._spec, torch.bitwise_and, Tensor.bitwise_and_
    )
    __ior__ = _in_place("__ior__", ufuncs.bitwise_or._spec, torch.bitwise_or, Tensor.bitwise_or_)
    __ixor__ = _in_place(
        "__ixor__", ufuncs.bitwise_xor._spec, torch.bitwise_xor, Tensor.bitwise_xor_
    )
    __ilshift__ = _in_place("__ilshift__", ufuncs.left_shift._spec)
    __irshift__ = _in_place("__irshift__", ufuncs.right_shift._spec)
    __imatmul__ = named(_imatmul, "__imatmul__", gufuncs.matmul._spec)
