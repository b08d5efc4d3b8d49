"""The operators of ``ndarray``, built from the tables of their ufuncs.

An operator closes over a spec's tables and plain functions, not over a ufunc object, which
Dynamo could not trace. Those in place are ``ufunc(self, other, out=self)`` with NumPy's
same-kind casting.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from xp_torch._core import box as _box

from .._array.memory import overlaps_itself
from .._array.ndarray import ARRAYS, SCALAR_TYPES, AnyArray, ndarray, new, wrap
from .._array.scalars import generic
from .._core import error_checks, errstate
from .._core.dtypes import CASTABLE, HALVES
from .._core.fast_tables import fast_table
from .._core.promotion import PYTHON_NUMBERS
from .._ufunc import declarations, gufuncs
from .._ufunc.call import EXACT, call, plain
from .._ufunc.gufuncs import gufunc
from .._ufunc.operator_overrides import answer, has_say, is_theirs
from .._ufunc.spec import Spec

_SEQUENCES = (list, tuple, str, bytes, bytearray)


def repeated(x: ndarray, other: Any) -> bool:
    """Whether a product is Python's repetition: of a sequence, by a scalar as its count."""
    return isinstance(x, generic) and isinstance(other, _SEQUENCES)


def _place(spec: Spec, x: ndarray, other: Any) -> str | None:
    """Where NumPy says that errors are met: its scalars have operators of their own.

    Powers by some numbers are other ufuncs. ``None`` while nobody looks for errors.
    """
    if not errstate.active:
        return None
    if not isinstance(x, generic):
        special = spec.name == "power" and type(other) in (int, float)
        return _POWERS.get((type(other), other)) if special else None
    scalars = isinstance(other, generic) or type(other) in PYTHON_NUMBERS
    if not scalars or x._tensor.dtype is torch.bool:
        return None
    return f"{error_checks.SCALAR}{spec.name}"


_POWERS = {(int, 2): "square", (int, -1): "reciprocal", (float, 0.5): "sqrt"}


def _forward(name: str, spec: Spec) -> Any:
    fast, mixed, right_float, right_int = spec.fast, spec.mixed, spec.right_float, spec.right_int
    repeats = spec.name == "multiply"

    def operator(self: ndarray, other: Any, /) -> Any:
        a = self._tensor
        kind = type(other)
        try:
            if kind is ndarray or isinstance(other, AnyArray):
                b = other._tensor
                d = a.dtype
                if not (_box.several_devices and a.device != b.device):
                    result = fast[d](a, b) if d is b.dtype else mixed[d, b.dtype](a, b)
                    out = new(ndarray if result.dim() else SCALAR_TYPES[result.dtype])
                    out._tensor = result
                    return out
            if kind is float:
                result = right_float[a.dtype](a, other)
                out = new(ndarray if result.dim() else SCALAR_TYPES[result.dtype])
                out._tensor = result
                return out
            if kind is int and -EXACT <= other <= EXACT:
                result = right_int[a.dtype](a, other)
                out = new(ndarray if result.dim() else SCALAR_TYPES[result.dtype])
                out._tensor = result
                return out
        except (KeyError, RuntimeError):
            pass  # the general call casts the operands, or says what is wrong with them
        if is_theirs(self, other):
            return answer(spec.name, (self, other), other)
        if repeats and repeated(self, other):
            return NotImplemented
        return plain(spec, (self, other), _place(spec, self, other))

    return _named(operator, name, spec)


def _reflected(name: str, spec: Spec) -> Any:
    left_float, left_int = spec.left_float, spec.left_int
    repeats = spec.name == "multiply"

    def operator(self: ndarray, other: Any, /) -> Any:
        a = self._tensor
        try:
            if type(other) is float:
                result = left_float[a.dtype](a, other)
                out = new(ndarray if result.dim() else SCALAR_TYPES[result.dtype])
                out._tensor = result
                return out
            if type(other) is int and -EXACT <= other <= EXACT:
                result = left_int[a.dtype](a, other)
                out = new(ndarray if result.dim() else SCALAR_TYPES[result.dtype])
                out._tensor = result
                return out
        except (KeyError, RuntimeError):
            pass
        if is_theirs(self, other, True):
            return answer(spec.name, (other, self), other)
        if repeats and repeated(self, other):
            return NotImplemented
        return plain(spec, (other, self), _place(spec, self, other))

    return _named(operator, name, spec)


def _in_place(
    name: str, spec: Spec, function: Any = None, method: Any = None, by_number: Any = None
) -> Any:
    """``method`` is the in-place twin of torch's ``function``, for the dtypes that use that.

    ``by_number`` is that of the function by a Python number, where it is not the same. They
    are used where both operands are contiguous: torch itself then sees whether they overlap
    in memory, and operands that do are computed aside first. So is an array with elements that
    are one in memory, which torch would change several times.
    """
    fast, mixed, right_float, right_int = spec.fast, spec.mixed, spec.right_float, spec.right_int
    same = fast_table({d: method for d, f in fast.items() if f is function})
    right = function
    if by_number is None:
        by_number = method
    elif spec.numbers is not None:
        right = spec.numbers.right
    by_float = fast_table({d: by_number for d, f in right_float.items() if f is right})
    by_int = fast_table({d: by_number for d, f in right_int.items() if f is right})

    def operator(self: ndarray, other: Any, /) -> Any:
        if type(self) is ndarray:
            a = self._tensor
            d = a.dtype
            kind = type(other)
            try:
                if kind is ndarray:
                    b = other._tensor
                    if _box.several_devices and a.device != b.device:
                        result = None
                    elif d is not b.dtype:
                        result = mixed[d, b.dtype](a, b)
                    elif d in same and a.is_contiguous() and b.is_contiguous():
                        method(a, b)
                        return self
                    else:
                        result = fast[d](a, b)
                elif kind is float:
                    if d in by_float and (a.is_contiguous() or not overlaps_itself(self)):
                        by_number(a, other)
                        return self
                    result = right_float[d](a, other)
                elif kind is int and -EXACT <= other <= EXACT:
                    if d in by_int and (a.is_contiguous() or not overlaps_itself(self)):
                        by_number(a, other)
                        return self
                    result = right_int[d](a, other)
                else:
                    result = None
                if (
                    result is not None
                    and (result.dtype is d or (result.dtype, d) in SAME_KIND)
                    and result.shape == a.shape
                    and not result.requires_grad  # it may have to remember what was in ``a``
                ):
                    a.copy_(result)
                    return self
            except (KeyError, RuntimeError):
                pass
        if is_theirs(self, other):
            options = {} if isinstance(self, generic) else {"out": self}
            return answer(spec.name, (self, other), other, **options)
        if isinstance(self, generic):
            return plain(spec, (self, other), _place(spec, self, other))
        return call(spec, (self, other), self, place=_place(spec, self, other))

    return _named(operator, name, spec)


def _divide_by_number(a: Tensor, number: float) -> None:
    # On CUDA torch multiplies by the reciprocal of a number, which rounds twice.
    a.div_(number if a.get_device() < 0 else a.new_full((), number))


def _unary(name: str, spec: Spec) -> Any:
    fast = spec.fast

    def operator(self: ndarray, /) -> Any:
        t = self._tensor
        function = fast.get(t.dtype)
        if function is None:
            return plain(spec, (self,), _place(spec, self, self))
        result = function(t)
        out = new(ndarray if result.dim() else SCALAR_TYPES[result.dtype])
        out._tensor = result
        return out

    return _named(operator, name, spec)


def _divmod(name: str, spec: Spec, reflected: bool) -> Any:
    def operator(self: ndarray, other: Any, /) -> Any:
        operands = (other, self) if reflected else (self, other)
        if is_theirs(self, other, reflected):
            return answer(spec.name, operands, other)
        return plain(spec, operands, _place(spec, self, other))

    return _named(operator, name, spec)


def _equality(name: str, spec: Spec, same: bool) -> Any:
    """``==`` and ``!=``, which compare with everything."""
    forward = _forward(name, spec)

    def operator(self: ndarray, other: Any, /) -> Any:
        if type(other) is ndarray:
            return forward(self, other)
        if other is None and isinstance(self, generic):
            return not same
        try:
            if other is None:
                return _compared(self._tensor, other, same)
            result = forward(self, other)
        except (TypeError, OverflowError):
            if hasattr(type(other), "__array__") and not isinstance(other, ARRAYS):
                raise  # the object's own error
            return _compared(self._tensor, other, same)
        if result is NotImplemented and not has_say(self, other):
            return _compared(self._tensor, other, same)
        return result

    return _named(operator, name, spec)


def _compared(tensor: Tensor, other: Any, same: bool) -> Any:
    """What comparing with an object that is no number gives: element by element, on the host."""
    if other is None or isinstance(other, (str, bytes)):
        return wrap(torch.full(tensor.shape, not same, dtype=torch.bool, device=tensor.device))
    truths = [bool(x == other if same else x != other) for x in tensor.reshape(-1).tolist()]
    result = torch.tensor(truths, dtype=torch.bool, device=tensor.device)
    return wrap(result.reshape(tensor.shape))


def _matmul(name: str, function: gufunc, reflected: bool) -> Any:
    fast, general = function._spec.fast, function._with_options

    def operator(self: ndarray, other: Any, /) -> Any:
        if type(other) is ndarray:
            a, b = self._tensor, other._tensor
            d = a.dtype
            if d is b.dtype and not (_box.several_devices and a.device != b.device):
                try:
                    result = fast[d](b, a) if reflected else fast[d](a, b)
                    out = new(ndarray if result.dim() else SCALAR_TYPES[result.dtype])
                    out._tensor = result
                    return out
                except (KeyError, RuntimeError):
                    pass  # the general call says what is wrong with the operands
        operands = (other, self) if reflected else (self, other)
        if is_theirs(self, other, reflected):
            return answer("matmul", operands, other)
        return general(operands, None)

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
_BINARY = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide",
    "floordiv": "floor_divide", "mod": "remainder", "pow": "power", "and": "bitwise_and",
    "or": "bitwise_or", "xor": "bitwise_xor", "lshift": "left_shift", "rshift": "right_shift",
}  # fmt: skip
_METHODS = {
    "add": (torch.add, Tensor.add_), "subtract": (torch.sub, Tensor.sub_),
    "multiply": (torch.mul, Tensor.mul_), "divide": (torch.div, Tensor.div_, _divide_by_number),
    "power": (torch.pow, Tensor.pow_), "bitwise_and": (torch.bitwise_and, Tensor.bitwise_and_),
    "bitwise_or": (torch.bitwise_or, Tensor.bitwise_or_),
    "bitwise_xor": (torch.bitwise_xor, Tensor.bitwise_xor_),
}  # fmt: skip
_COMPARISONS = {
    "lt": "less", "le": "less_equal", "gt": "greater",
    "ge": "greater_equal",
}  # fmt: skip
_UNARY = {"neg": "negative", "pos": "positive", "abs": "absolute", "invert": "invert"}

for _name, _ufunc in _BINARY.items():
    _spec = getattr(declarations, _ufunc)._spec
    setattr(AnyArray, f"__{_name}__", _forward(f"__{_name}__", _spec))
    setattr(AnyArray, f"__r{_name}__", _reflected(f"__r{_name}__", _spec))
    setattr(AnyArray, f"__i{_name}__", _in_place(f"__i{_name}__", _spec, *_METHODS.get(_ufunc, ())))
for _name, _ufunc in _COMPARISONS.items():
    setattr(AnyArray, f"__{_name}__", _forward(f"__{_name}__", getattr(declarations, _ufunc)._spec))
for _name, _ufunc in _UNARY.items():
    setattr(AnyArray, f"__{_name}__", _unary(f"__{_name}__", getattr(declarations, _ufunc)._spec))
AnyArray.__eq__ = _equality("__eq__", declarations.equal._spec, True)  # type: ignore[method-assign]
AnyArray.__ne__ = _equality("__ne__", declarations.not_equal._spec, False)  # type: ignore[method-assign]
for _name, _reflects in (("__divmod__", False), ("__rdivmod__", True)):
    setattr(AnyArray, _name, _divmod(_name, declarations.divmod._spec, _reflects))
for _name, _reflects in (("__matmul__", False), ("__rmatmul__", True)):
    setattr(AnyArray, _name, _matmul(_name, gufuncs.matmul, _reflects))
AnyArray.__imatmul__ = _named(_imatmul, "__imatmul__", gufuncs.matmul._spec)  # type: ignore[attr-defined]
AnyArray.__hash__ = None  # type: ignore[assignment]
