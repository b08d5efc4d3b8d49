"""The operators of ``ndarray``, built from the tables of their ufuncs (``_ufunc.flat``).

``in_place_operators`` has those that change their first operand.
"""

from __future__ import annotations

import operator as python
from typing import Any

import numpy
import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._core import box as _box

from .._array.host_view import borrow_memory
from .._array.ndarray import ARRAYS, array_of, ndarray, new, scalar, wrap
from .._array.scalars import TensorScalar
from .._base import error_checks
from .._base import error_states as errstate
from .._base.dtypes import COMPLEXES, FLOATS, INTEGERS, HostDtypeError
from .._base.fast_tables import fast_table, fill
from .._base.host_setting import may_hand
from .._base.promotion import PYTHON_NUMBERS
from .._base.scalar_types import STORED
from .._convert.sequences import quick_tensor
from .._host.hand_over import call_ufunc
from .._host.numpy_calls import call_numpy, compare_on_host, is_beside, is_host
from .._indexing.fast import getitem
from .._indexing.fast_writes import delitem, setitem
from .._ufunc import declarations as ufuncs
from .._ufunc import flat, gufuncs
from .._ufunc.call import plain
from .._ufunc.operator_overrides import answer, has_say, is_theirs
from .._ufunc.spec import OfNumber, Spec, newly_filled, when_filled

_SEQUENCES = (list, tuple, str, bytes, bytearray)


def _repeated(x: ndarray, other: object) -> bool:
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


def instead(spec: Spec, dtype: torch.dtype, number: Any) -> Spec | None:
    """The ufunc of an array of this dtype that NumPy's operator calls in place of this ufunc."""
    if spec.name != "power" or type(number) not in (int, float):
        return None
    found = _POWERS.get((type(number), number))
    of_all = found is ufuncs.square._spec
    return found if of_all or dtype in FLOATS or dtype in COMPLEXES else None


def with_powers(spec: Spec) -> Spec:
    """The tables of ``**``, where another ufunc has other results or dtypes than ``power``."""

    def by_number(dtype: torch.dtype, kind: type, general: Any) -> Any:
        special = {
            number: found.fast[dtype]
            for k, number in _POWERS
            if k is kind and (found := instead(spec, dtype, number)) is not None
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


_APART = COMPLEXES | INTEGERS | {torch.bool}


def _of_sequence(x: ndarray, other: object) -> ndarray | None:
    """A list or tuple of numbers beside an array, as an array of its own; ``None`` for others."""
    if type(x) is not ndarray or (type(other) is not list and type(other) is not tuple):
        return None
    made = None if is_compiling() else quick_tensor(other, x._tensor.device)
    return None if made is None else array_of(made)


def _general(
    spec: Spec, function: Any, self: ndarray, other: object, reflected: bool = False
) -> Any:
    """The call that no flat path makes of an operator, Python's ``function``."""
    operands = (other, self) if reflected else (self, other)
    if is_beside(other):  # the operators of a matrix are its own
        return call_numpy(function.__name__, function, operands, {})
    if is_theirs(self, other, reflected):
        return answer(spec.name, operands, other)
    if spec.name == "multiply" and _repeated(self, other):
        return NotImplemented
    try:
        if spec.name == "matmul":
            # Dynamo finds this method by its module; it cannot trace one in a closure.
            return gufuncs.matmul._of_cores(operands, None)
        return plain(spec, operands, _operation(spec, self, other))
    except HostDtypeError as error:
        # Beside an object a scalar lets the object answer, with whatever it gives.
        of_scalar = function if isinstance(operands[0], TensorScalar) else None
        return call_ufunc(error, spec.name, operands, operator=of_scalar)


def _forward(name: str, spec: Spec) -> Any:
    function = getattr(python, name)

    def otherwise(self: ndarray, other: object, /) -> Any:
        made = _of_sequence(self, other)
        if made is not None:
            return operator(self, made)
        if not isinstance(self, TensorScalar):
            special = instead(spec, self._tensor.dtype, other)
            if special is not None:
                return plain(special, (self,))
        return _general(spec, function, self, other)

    operator = flat.binary(spec, otherwise)
    return named(operator, name, spec)


def _reflected(name: str, spec: Spec) -> Any:
    forward, function = flat.binary(spec), getattr(python, "__" + name[3:])

    def otherwise(self: ndarray, other: object, /) -> Any:
        made = _of_sequence(self, other)
        if made is not None:
            result = forward(made, self)
            if result is not NotImplemented:
                return result
        return _general(spec, function, self, other, True)

    return named(flat.reflected(spec, otherwise), name, spec)


def _unary(name: str, spec: Spec) -> Any:
    def otherwise(self: ndarray) -> Any:
        return plain(spec, (self,), _operation(spec, self, self))

    return named(flat.unary(spec, otherwise), name, spec)


def _divmod(name: str, spec: Spec, reflected: bool) -> Any:
    def operator(self: ndarray, other: object, /) -> Any:
        return _general(spec, divmod, self, other, reflected)

    return named(operator, name, spec)


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

    return named(operator, name, spec)


def _compared(tensor: Tensor, other: object, same: bool) -> Any:
    """Compare with an object that is not a number, element by element, on the host."""
    if other is None or isinstance(other, (str, bytes)):
        return wrap(torch.full(tensor.shape, not same, dtype=torch.bool, device=tensor.device))
    truths = [bool(x == other if same else x != other) for x in tensor.reshape(-1).tolist()]
    result = torch.tensor(truths, dtype=torch.bool, device=tensor.device)
    return wrap(result.reshape(tensor.shape))


def _matmul(name: str, spec: Spec, reflected: bool) -> Any:
    fast, mixed, fills = spec.fast, flat.of_two_dtypes(spec), flat.first_use(spec)

    def operator(self: ndarray, other: Any, /) -> Any:
        kind = type(other)
        b: Tensor | None = None
        if kind is ndarray:
            b, e = other._tensor, other._flat_dtype
        elif kind is numpy.ndarray and other.ndim:
            b = borrow_memory(other, self._tensor)
            e = None if b is None else b.dtype
        if b is not None:
            a, d = self._tensor, self._flat_dtype
            if (
                d is not None
                and e is not None
                and not (_box.several_devices and a.device != b.device)
            ):
                try:
                    if reflected:
                        a, b, d, e = b, a, e, d
                    result = fast[d](a, b) if d is e else mixed(d, e)(a, b)
                    if result.ndim:
                        out = new(ndarray)
                        out._tensor = result
                        out._flat_dtype = result.dtype  # autocast may have chosen another
                        return out
                    return scalar(result, result.dtype)
                except (KeyError, RuntimeError):
                    pass  # the general call says what is wrong with the operands
            if fills():
                return operator(self, other)
        # No specification is closed over: Dynamo would look through all of it.
        return _general(gufuncs.matmul._spec, python.matmul, self, other, reflected)

    return named(operator, name, spec)


def named(operator: Any, name: str, spec: Spec) -> Any:
    """The operator, as a method of ``ndarray`` that computes a ufunc."""
    operator.__name__ = name
    operator.__qualname__ = f"ndarray.{name}"
    operator.__module__ = "numpy_shim"
    operator.__doc__ = f"See ``numpy_shim.{spec.name}``."
    return operator


class Operators:
    """The operators, each by its name; see ``ndarray``."""

    __slots__ = ()

    __add__ = _forward("__add__", ufuncs.add._spec)
    __radd__ = _reflected("__radd__", ufuncs.add._spec)
    __sub__ = _forward("__sub__", ufuncs.subtract._spec)
    __rsub__ = _reflected("__rsub__", ufuncs.subtract._spec)
    __mul__ = _forward("__mul__", ufuncs.multiply._spec)
    __rmul__ = _reflected("__rmul__", ufuncs.multiply._spec)
    __truediv__ = _forward("__truediv__", ufuncs.divide._spec)
    __rtruediv__ = _reflected("__rtruediv__", ufuncs.divide._spec)
    __floordiv__ = _forward("__floordiv__", ufuncs.floor_divide._spec)
    __rfloordiv__ = _reflected("__rfloordiv__", ufuncs.floor_divide._spec)
    __mod__ = _forward("__mod__", ufuncs.remainder._spec)
    __rmod__ = _reflected("__rmod__", ufuncs.remainder._spec)
    __pow__ = _forward("__pow__", with_powers(ufuncs.power._spec))
    __rpow__ = _reflected("__rpow__", ufuncs.power._spec)
    __and__ = _forward("__and__", ufuncs.bitwise_and._spec)
    __rand__ = _reflected("__rand__", ufuncs.bitwise_and._spec)
    __or__ = _forward("__or__", ufuncs.bitwise_or._spec)
    __ror__ = _reflected("__ror__", ufuncs.bitwise_or._spec)
    __xor__ = _forward("__xor__", ufuncs.bitwise_xor._spec)
    __rxor__ = _reflected("__rxor__", ufuncs.bitwise_xor._spec)
    __lshift__ = _forward("__lshift__", ufuncs.left_shift._spec)
    __rlshift__ = _reflected("__rlshift__", ufuncs.left_shift._spec)
    __rshift__ = _forward("__rshift__", ufuncs.right_shift._spec)
    __rrshift__ = _reflected("__rrshift__", ufuncs.right_shift._spec)
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
    __matmul__ = _matmul("__matmul__", gufuncs.matmul._spec, False)
    __rmatmul__ = _matmul("__rmatmul__", gufuncs.matmul._spec, True)
    __getitem__ = getitem
    __setitem__ = setitem
    __delitem__ = delitem


class ScalarPower:
    """``**`` of tensor scalars, which is ``power`` for every number; see ``TensorScalar``."""

    __slots__ = ()

    __pow__ = _forward("__pow__", ufuncs.power._spec)
