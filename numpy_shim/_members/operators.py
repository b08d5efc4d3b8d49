"""The operators of ``ndarray``, built from the tables of their ufuncs (``_ufunc.flat``).

The in-place operators are ``ufunc(self, other, out=self)`` with NumPy's same-kind casting.
"""

from __future__ import annotations

import operator as python
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_compiling, is_dynamo_compiling

from xp_torch._core import box as _box
from xp_torch._core.dtypes import EXACT, WIDE_UNSIGNED
from xp_torch._kernels.blocks import changed

from .._array.memory import apart_in_trace, overlaps_itself
from .._array.ndarray import ARRAYS, array_of, ndarray, new, scalar, wrap
from .._array.scalars import TensorScalar
from .._base import error_checks
from .._base import error_states as errstate
from .._base.dtypes import CASTABLE, COMPLEXES, FLOATS, HALVES, PROMOTION, HostDtypeError
from .._base.fast_tables import fast_table, fill
from .._base.host_setting import may_hand
from .._base.promotion import PYTHON_NUMBERS
from .._base.scalar_types import STORED
from .._convert.sequences import quick_tensor
from .._host.hand_over import call_ufunc
from .._host.numpy_calls import call_numpy, compare_on_host, is_beside, is_host
from .._indexing.fast import getitem
from .._indexing.fast_writes import delitem, setitem
from .._kernels.backwards import Special
from .._ufunc import declarations as ufuncs
from .._ufunc import flat, gufuncs
from .._ufunc.call import call, plain
from .._ufunc.gufuncs import gufunc
from .._ufunc.operator_overrides import answer, has_say, is_theirs
from .._ufunc.spec import OfNumber, Spec, newly_filled, when_filled

_SEQUENCES = (list, tuple, str, bytes, bytearray)


def repeated(x: ndarray, other: object) -> bool:
    """Whether a product repeats a sequence, with a scalar as the count."""
    return isinstance(x, TensorScalar) and isinstance(other, _SEQUENCES)


def _operation(spec: Spec, x: ndarray, other: object) -> str | None:
    """The operation that NumPy's error messages name: its scalars have their own operators.

    ``None`` while errors are not looked for.
    """
    if not errstate.active or not isinstance(x, TensorScalar):
        return None
    kind = type(other)
    scalars = isinstance(other, TensorScalar) or kind in PYTHON_NUMBERS or kind in STORED
    if not scalars or x._tensor.dtype is torch.bool:
        return None
    return f"{error_checks.SCALAR}{spec.name}"


_POWERS = {
    (int, 2): ufuncs.square._spec,
    (int, -1): ufuncs.reciprocal._spec,
    (float, 0.5): ufuncs.sqrt._spec,
}
"""The ufuncs that NumPy's ``**`` calls in place of ``power``, by the Python number."""


def _instead(spec: Spec, dtype: torch.dtype, number: Any) -> Spec | None:
    """The ufunc of an array of this dtype that NumPy's operator calls in place of this ufunc."""
    if spec.name != "power" or type(number) not in (int, float):
        return None
    found = _POWERS.get((type(number), number))
    of_all = found is ufuncs.square._spec
    return found if of_all or dtype in FLOATS or dtype in COMPLEXES else None


def _with_powers(spec: Spec) -> Spec:
    """The tables of ``**``, where another ufunc has other results or dtypes than ``power``."""

    def by_number(dtype: torch.dtype, kind: type, general: Any) -> Any:
        special = {
            number: found.fast[dtype]
            for k, number in _POWERS
            if k is kind and (found := _instead(spec, dtype, number)) is not None
        }

        def raised(x: Tensor, number: Any) -> Any:
            function = special.get(number)
            return general(x, number) if function is None else function(x)

        return raised

    right_float: OfNumber = fast_table()
    right_int: OfNumber = fast_table()

    def fill_tables() -> None:
        for function in _POWERS.values():
            newly_filled(function)
        for kind, table, known in (
            (float, right_float, spec.right_float), (int, right_int, spec.right_int),
        ):  # fmt: skip
            fill(table, {d: by_number(d, kind, f) if d in _APART else f for d, f in known.items()})

    when_filled(spec, fill_tables)
    return spec._replace(right_float=right_float, right_int=right_int)


_APART = COMPLEXES | {torch.bool}


def _of_sequence(x: ndarray, other: object) -> ndarray | None:
    """A list or tuple of numbers beside an array, as an array of its own; ``None`` for others."""
    if type(x) is not ndarray or (type(other) is not list and type(other) is not tuple):
        return None
    made = None if is_compiling() else quick_tensor(other, x._tensor.device)
    return None if made is None else array_of(made)


def _of_subclass(function: Any, operands: tuple[Any, Any]) -> Any:
    """An operator beside a subclass of NumPy's arrays, whose own comes first: that of a matrix."""
    return call_numpy(function.__name__, function, operands, {})


def _forward(name: str, spec: Spec) -> Any:
    repeats = spec.name == "multiply"

    def otherwise(self: ndarray, other: object, /) -> Any:
        if is_beside(other):
            return _of_subclass(getattr(python, name), (self, other))
        made = _of_sequence(self, other)
        if made is not None:
            return operator(self, made)
        if is_theirs(self, other):
            return answer(spec.name, (self, other), other)
        if repeats and repeated(self, other):
            return NotImplemented
        instead = (
            None if isinstance(self, TensorScalar) else _instead(spec, self._tensor.dtype, other)
        )
        if instead is not None:
            return plain(instead, (self,))
        try:
            return plain(spec, (self, other), _operation(spec, self, other))
        except HostDtypeError as error:
            return call_ufunc(error, spec.name, (self, other))

    operator = flat.binary(spec, otherwise)
    return _named(operator, name, spec)


def _reflected(name: str, spec: Spec) -> Any:
    repeats = spec.name == "multiply"

    forward = flat.binary(spec)

    def otherwise(self: ndarray, other: object, /) -> Any:
        if is_beside(other):
            return _of_subclass(getattr(python, "__" + name[3:]), (other, self))
        made = _of_sequence(self, other)
        if made is not None:
            result = forward(made, self)
            if result is not NotImplemented:
                return result
        if is_theirs(self, other, True):
            return answer(spec.name, (other, self), other)
        if repeats and repeated(self, other):
            return NotImplemented
        try:
            return plain(spec, (other, self), _operation(spec, self, other))
        except HostDtypeError as error:
            return call_ufunc(error, spec.name, (other, self))

    return _named(flat.reflected(spec, otherwise), name, spec)


_STAYING = frozenset({
    pair
    for pair, result in PROMOTION.items()
    if result is pair[0] and not {*pair} & {*WIDE_UNSIGNED, *HALVES}
})  # fmt: skip
"""Pairs of dtypes of which the first is that of the result."""


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

    def otherwise(self: ndarray, other: object) -> Any:
        if type(self) is ndarray and is_beside(other):
            return call_ufunc(None, spec.name, (self, other), self)
        if is_theirs(self, other):
            options = {} if isinstance(self, TensorScalar) else {"out": self}
            return answer(spec.name, (self, other), other, **options)
        if isinstance(self, TensorScalar):
            try:
                return plain(spec, (self, other), _operation(spec, self, other))
            except HostDtypeError as error:
                return call_ufunc(error, spec.name, (self, other))
        instead = _instead(spec, self._tensor.dtype, other)
        if instead is not None:
            return call(instead, (self,), self)
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
                    and (result.dtype is d or (result.dtype, d) in SAME_KIND)
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

    return _named(operator, name, spec)


def _divide_by_number(a: Tensor, number: float) -> None:
    # On CUDA torch multiplies by the reciprocal of a number, which rounds twice.
    a.div_(number if a.get_device() < 0 else a.new_full((), number))


def _unary(name: str, spec: Spec) -> Any:
    def otherwise(self: ndarray) -> Any:
        return plain(spec, (self,), _operation(spec, self, self))

    return _named(flat.unary(spec, otherwise), name, spec)


def _divmod(name: str, spec: Spec, reflected: bool) -> Any:
    def operator(self: ndarray, other: object, /) -> Any:
        operands = (other, self) if reflected else (self, other)
        if is_beside(other):
            return _of_subclass(divmod, operands)
        if is_theirs(self, other, reflected):
            return answer(spec.name, operands, other)
        try:
            return plain(spec, operands, _operation(spec, self, other))
        except HostDtypeError as error:
            return call_ufunc(error, spec.name, operands)

    return _named(operator, name, spec)


def _equality(name: str, spec: Spec, same: bool) -> Any:
    """``==`` and ``!=``, which accept every object."""
    forward = _forward(name, spec)

    def operator(self: ndarray, other: object, /) -> Any:
        if type(other) is ndarray:
            return forward(self, other)
        if other is None and isinstance(self, TensorScalar):
            return not same
        try:
            if other is None:
                return _compared(self._tensor, other, same)
            result = forward(self, other)
        except (TypeError, OverflowError):
            if hasattr(type(other), "__array__") and not isinstance(other, ARRAYS):
                raise  # the object's own error
            if is_host(other) and may_hand():
                return compare_on_host(self, other, same)
            return _compared(self._tensor, other, same)
        if result is NotImplemented and not has_say(self, other):
            return _compared(self._tensor, other, same)
        return result

    return _named(operator, name, spec)


def _compared(tensor: Tensor, other: object, same: bool) -> Any:
    """Compare with an object that is not a number, element by element, on the host."""
    if other is None or isinstance(other, (str, bytes)):
        return wrap(torch.full(tensor.shape, not same, dtype=torch.bool, device=tensor.device))
    truths = [bool(x == other if same else x != other) for x in tensor.reshape(-1).tolist()]
    result = torch.tensor(truths, dtype=torch.bool, device=tensor.device)
    return wrap(result.reshape(tensor.shape))


def _matmul(name: str, function: gufunc, reflected: bool) -> Any:
    fast, fills = function._spec.fast, flat.first_use(function._spec)

    def operator(self: ndarray, other: object, /) -> Any:
        if type(other) is ndarray:
            a, b = self._tensor, other._tensor
            d = self._flat_dtype
            if (
                d is not None
                and d is other._flat_dtype
                and not (_box.several_devices and a.device != b.device)
            ):
                try:
                    result = fast[d](b, a) if reflected else fast[d](a, b)
                    if result.ndim:
                        out = new(ndarray)
                        out._tensor = result
                        out._flat_dtype = result.dtype  # autocast may have chosen another
                        return out
                    return scalar(result, d)
                except (KeyError, RuntimeError):
                    pass  # the general call says what is wrong with the operands
            if fills():
                return operator(self, other)
        operands = (other, self) if reflected else (self, other)
        if is_beside(other):
            return _of_subclass(python.matmul, operands)
        if is_theirs(self, other, reflected):
            return answer("matmul", operands, other)
        try:
            # Dynamo finds this method by its module; it cannot trace one in a closure.
            return gufuncs.matmul._of_cores(operands, None)
        except HostDtypeError as error:
            return call_ufunc(error, "matmul", operands)

    return _named(operator, name, function._spec)


def _imatmul(self: ndarray, other: Any, /) -> Any:
    axes = [(-2, -1), (-2, -1), (-2, -1)] if self._tensor.dim() > 1 else [(-1,), (-2, -1), (-1,)]
    if is_theirs(self, other):
        return answer("matmul", (self, other), other, out=self, axes=axes)
    if self._tensor.dim() == 0:
        return gufuncs.matmul(self, other)
    return gufuncs.matmul(self, other, out=self, axes=axes)


def _named(operator: Any, name: str, spec: Spec) -> Any:
    operator.__name__ = name
    operator.__qualname__ = f"ndarray.{name}"
    operator.__module__ = "numpy_shim"
    operator.__doc__ = f"See ``numpy_shim.{spec.name}``."
    return operator


SAME_KIND = CASTABLE["same_kind"] - {(torch.float64, d) for d in HALVES}  # torch rounds twice


class Operators:
    """The operators, each by its name; see ``ndarray``."""

    __slots__ = ()

    __add__ = _forward("__add__", ufuncs.add._spec)
    __radd__ = _reflected("__radd__", ufuncs.add._spec)
    __iadd__ = _in_place("__iadd__", ufuncs.add._spec, torch.add, Tensor.add_)
    __sub__ = _forward("__sub__", ufuncs.subtract._spec)
    __rsub__ = _reflected("__rsub__", ufuncs.subtract._spec)
    __isub__ = _in_place("__isub__", ufuncs.subtract._spec, torch.sub, Tensor.sub_)
    __mul__ = _forward("__mul__", ufuncs.multiply._spec)
    __rmul__ = _reflected("__rmul__", ufuncs.multiply._spec)
    __imul__ = _in_place("__imul__", ufuncs.multiply._spec, torch.mul, Tensor.mul_)
    __truediv__ = _forward("__truediv__", ufuncs.divide._spec)
    __rtruediv__ = _reflected("__rtruediv__", ufuncs.divide._spec)
    __itruediv__ = _in_place(
        "__itruediv__", ufuncs.divide._spec, torch.div, Tensor.div_, _divide_by_number
    )
    __floordiv__ = _forward("__floordiv__", ufuncs.floor_divide._spec)
    __rfloordiv__ = _reflected("__rfloordiv__", ufuncs.floor_divide._spec)
    __ifloordiv__ = _in_place("__ifloordiv__", ufuncs.floor_divide._spec)
    __mod__ = _forward("__mod__", ufuncs.remainder._spec)
    __rmod__ = _reflected("__rmod__", ufuncs.remainder._spec)
    __imod__ = _in_place("__imod__", ufuncs.remainder._spec)
    __pow__ = _forward("__pow__", _with_powers(ufuncs.power._spec))
    __rpow__ = _reflected("__rpow__", ufuncs.power._spec)
    __ipow__ = _in_place("__ipow__", _with_powers(ufuncs.power._spec), torch.pow, Tensor.pow_)
    __and__ = _forward("__and__", ufuncs.bitwise_and._spec)
    __rand__ = _reflected("__rand__", ufuncs.bitwise_and._spec)
    __iand__ = _in_place(
        "__iand__", ufuncs.bitwise_and._spec, torch.bitwise_and, Tensor.bitwise_and_
    )
    __or__ = _forward("__or__", ufuncs.bitwise_or._spec)
    __ror__ = _reflected("__ror__", ufuncs.bitwise_or._spec)
    __ior__ = _in_place("__ior__", ufuncs.bitwise_or._spec, torch.bitwise_or, Tensor.bitwise_or_)
    __xor__ = _forward("__xor__", ufuncs.bitwise_xor._spec)
    __rxor__ = _reflected("__rxor__", ufuncs.bitwise_xor._spec)
    __ixor__ = _in_place(
        "__ixor__", ufuncs.bitwise_xor._spec, torch.bitwise_xor, Tensor.bitwise_xor_
    )
    __lshift__ = _forward("__lshift__", ufuncs.left_shift._spec)
    __rlshift__ = _reflected("__rlshift__", ufuncs.left_shift._spec)
    __ilshift__ = _in_place("__ilshift__", ufuncs.left_shift._spec)
    __rshift__ = _forward("__rshift__", ufuncs.right_shift._spec)
    __rrshift__ = _reflected("__rrshift__", ufuncs.right_shift._spec)
    __irshift__ = _in_place("__irshift__", ufuncs.right_shift._spec)
    __lt__ = _forward("__lt__", ufuncs.less._spec)
    __le__ = _forward("__le__", ufuncs.less_equal._spec)
    __gt__ = _forward("__gt__", ufuncs.greater._spec)
    __ge__ = _forward("__ge__", ufuncs.greater_equal._spec)
    __eq__ = _equality("__eq__", ufuncs.equal._spec, True)
    __ne__ = _equality("__ne__", ufuncs.not_equal._spec, False)
    __hash__ = None  # type: ignore[assignment]
    __neg__ = _unary("__neg__", ufuncs.negative._spec)
    __pos__ = _unary("__pos__", ufuncs.positive._spec)
    __abs__ = _unary("__abs__", ufuncs.absolute._spec)
    __invert__ = _unary("__invert__", ufuncs.invert._spec)
    __divmod__ = _divmod("__divmod__", ufuncs.divmod._spec, False)
    __rdivmod__ = _divmod("__rdivmod__", ufuncs.divmod._spec, True)
    __matmul__ = _matmul("__matmul__", gufuncs.matmul, False)
    __rmatmul__ = _matmul("__rmatmul__", gufuncs.matmul, True)
    __imatmul__ = _named(_imatmul, "__imatmul__", gufuncs.matmul._spec)
    __getitem__ = getitem
    __setitem__ = setitem
    __delitem__ = delitem


class ScalarPower:
    """``**`` of tensor scalars, which is ``power`` for every number; see ``TensorScalar``."""

    __slots__ = ()

    __pow__ = _forward("__pow__", ufuncs.power._spec)
    __ipow__ = _forward("__ipow__", ufuncs.power._spec)
