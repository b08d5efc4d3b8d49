"""The operators of ``Array``: the only module that adds methods to the class, imported last.

Each is built from the kernel of the function it stands for, so that an operator and its
function cannot differ. A foreign operand gets ``NotImplemented``, so that Python raises its
``TypeError`` or lets the other type have its say; ``==`` and ``!=`` raise at once, because
Python would turn ``NotImplemented`` into identity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from . import _indexing as indexing
from ._array import Array
from ._core import box as _box
from ._core.dtypes import (
    ALL,
    EXACT,
    FLOATING,
    INTEGER,
    INTEGER_OR_BOOLEAN,
    NUMERIC,
    REAL_NUMERIC,
    Category,
    name_of,
    promote,
)
from ._core.errors import translate, type_name
from ._core.scalars import NUMBERS, plain_number
from ._dispatch import (
    binary_general,
    check_natural,
    document,
    flat_numbers,
    functions_of,
    hint,
    operands,
    unary_general,
    wrap,
)
from ._kernels import arithmetic, bitwise, comparison, division
from ._kernels.kernel import Kernel
from ._linear_algebra import matmul_general


def _foreign(name: str, other: object) -> Any:
    """``NotImplemented``, or the error that says what to do with a tensor or a NumPy array.

    NumPy's operators leave the word to these methods: see ``Array.__array_priority__``.

    torch's own operators turn every refusal into "unsupported operand type(s)", and NumPy's
    ``+`` goes on to speak of concatenation.
    """
    if isinstance(other, Tensor):
        raise TypeError(f"{name}: the operand is a torch tensor{hint(other)}")
    if type(other).__module__ == "numpy":
        raise TypeError(
            f"{name}: the operand is a {type_name(other)}; convert it with xp_torch.asarray"
        )
    if isinstance(other, Sequence):
        # Python would go on to repeat or join the sequence.
        raise TypeError(f"{name}: the operand must be an array or a scalar, not {type_name(other)}")
    return NotImplemented


def _forward(name: str, kernel: Kernel, category: Category) -> Any:
    """``__add__`` and its like, and the comparisons."""
    functions = functions_of(kernel, category)
    by_float, by_int, with_number, _ = flat_numbers(kernel)
    is_equality = name in ("__eq__", "__ne__")

    def operator(self: Array, other: Any, /) -> Any:
        a = self._tensor
        d = a.dtype
        if type(other) is Array:
            b = other._tensor
            if d is b.dtype and not (_box.several_devices and a.device != b.device):
                try:
                    out = Array()
                    out._tensor = functions[d](a, b)
                    return out
                except (KeyError, RuntimeError):
                    pass  # the general twin says what is wrong with the operands
        elif (
            (d in by_float)
            if type(other) is float
            else (type(other) is int and d in by_int and -EXACT <= other <= EXACT)
        ):
            try:
                out = Array()
                out._tensor = with_number(a, other)
                return out
            except RuntimeError:
                pass  # torch takes no number beyond the range of float32 as an infinity
        elif not (is_equality or isinstance(other, NUMBERS)):
            return _foreign(name, other)
        return binary_general(name, kernel, category, self, other)

    return document(operator, name, f"See ``xp_torch.{kernel.name}``.")


def _reflected(name: str, kernel: Kernel, category: Category) -> Any:
    """``__radd__`` and its like: ``other`` is the left operand, a Python scalar as a rule."""
    by_float, by_int, _, with_number = flat_numbers(kernel)
    if kernel.numbers is None or kernel.numbers.left is None:
        by_float = by_int = frozenset()

    def operator(self: Array, other: Any, /) -> Any:
        a = self._tensor
        d = a.dtype
        if (
            (d in by_float)
            if type(other) is float
            else (type(other) is int and d in by_int and -EXACT <= other <= EXACT)
        ):
            try:
                out = Array()
                out._tensor = with_number(a, other)
                return out
            except RuntimeError:
                pass  # torch takes no number beyond the range of float32 as an infinity
        elif not isinstance(other, NUMBERS) and type(other) is not Array:
            return _foreign(name, other)
        return binary_general(name, kernel, category, other, self)

    return document(operator, name, f"See ``xp_torch.{kernel.name}``.")


def _in_place(name: str, kernel: Kernel, category: Category, method: Any = None) -> Any:
    """``__iadd__`` and its like: the result must have this array's dtype and shape.

    ``method`` is torch's in-place method. It is used where both operands are contiguous:
    torch itself then sees whether they overlap in memory, and operands that do give the
    result of operands that do not.
    """
    native = kernel.native & category.dtypes if method is not None else frozenset()
    by_float, by_int, with_number, _ = flat_numbers(kernel)
    if method is None or with_number is not kernel.torch:
        by_float = by_int = frozenset()

    def operator(self: Array, other: Any, /) -> Any:
        a = self._tensor
        d = a.dtype
        if type(other) is Array:
            b = other._tensor
            if (
                d is b.dtype
                and d in native
                and not (_box.several_devices and a.device != b.device)
                and not (a.requires_grad or b.requires_grad)
                and a.is_contiguous()
                and b.is_contiguous()
            ):
                try:
                    method(a, b)
                    return self
                except RuntimeError:
                    pass  # the general twin says what is wrong with the operands
        elif (
            (d in by_float)
            if type(other) is float
            else (type(other) is int and d in by_int and -EXACT <= other <= EXACT)
        ):
            if not a.requires_grad:
                try:
                    method(a, other)
                    return self
                except RuntimeError:
                    pass  # the general twin says what is wrong with the operands
        elif isinstance(other, NUMBERS):
            other = plain_number(other)
        else:
            return _foreign(name, other)
        _assign(name, kernel, category, self, other)
        return self

    return document(operator, name, f"See ``xp_torch.{kernel.name}``.")


def _assign(name: str, kernel: Kernel, category: Category, array: Array, other: Any) -> None:
    """Compute out of place and copy into ``array``, after checking that the result fits."""
    if kernel.natural:
        check_natural(name, array, other)
    a, b = operands(name, array, other, category, ("the array", "the operand"))
    into = array._tensor
    check_result(name, into, a.dtype)
    try:
        result = kernel.general(unshared(a, b), b)
        store(name, into, result)
    except RuntimeError as error:
        translate(name, error)


def unshared(a: Tensor, b: Tensor) -> Tensor:
    """The left operand as autograd may keep it: a copy, if its memory is about to change."""
    keeps = torch.is_grad_enabled() and (a.requires_grad or b.requires_grad)
    return a.clone() if keeps else a


def check_result(name: str, into: Tensor, dtype: torch.dtype) -> None:
    """Raise ``TypeError`` unless a result of ``dtype`` keeps the dtype of the left operand."""
    if dtype is not into.dtype:
        raise TypeError(
            f"{name}: the result of dtype {name_of(dtype)} cannot be stored in an array of "
            f"dtype {name_of(into.dtype)}"
        )


def store(name: str, into: Tensor, result: Tensor) -> None:
    """Copy ``result`` into ``into``, whose shape must not change by broadcasting."""
    if result.shape != into.shape:
        raise ValueError(
            f"{name}: the result of shape {tuple(result.shape)} does not fit into the array of "
            f"shape {tuple(into.shape)}"
        )
    if into.requires_grad and into.is_leaf and torch.is_grad_enabled():
        raise ValueError(
            f"{name}: a leaf array that requires a gradient cannot be changed in place"
        )
    for stride, side in zip(into.stride(), into.shape, strict=True):
        if stride == 0 and side > 1 and into.numel():
            raise ValueError(
                f"{name}: the array was broadcast, and has one place in memory for several "
                "elements; copy it before it is changed in place"
            )
    into.copy_(result)


def _unary(name: str, kernel: Kernel, category: Category) -> Any:
    fast, general = kernel.torch, kernel.general
    native = kernel.native & category.dtypes

    def operator(self: Array, /) -> Array:
        t = self._tensor
        if t.dtype in native:
            out = Array()
            out._tensor = fast(t)
            return out
        return unary_general(name, general, category, self)

    return document(operator, name, f"See ``xp_torch.{kernel.name}``.")


def _matmul(self: Array, other: object, /) -> Any:
    if type(other) is Array:
        a = self._tensor
        b = other._tensor
        d = a.dtype
        if (
            d is b.dtype
            and d in FLOATING.dtypes
            and not (_box.several_devices and a.device != b.device)
        ):
            try:
                out = Array()
                out._tensor = torch.matmul(a, b)
                return out
            except RuntimeError:
                pass  # the general twin says what is wrong with the operands
        return matmul_general("__matmul__", self, other)
    return _foreign("__matmul__", other)


def _rmatmul(self: Array, other: object, /) -> Any:
    if type(other) is Array:
        return matmul_general("__rmatmul__", other, self)
    return _foreign("__rmatmul__", other)


def _imatmul(self: Array, other: object, /) -> Any:
    if type(other) is not Array:
        return _foreign("__imatmul__", other)
    dtype = promote("__imatmul__", self._tensor.dtype, other._tensor.dtype)
    check_result("__imatmul__", self._tensor, dtype)
    operand = wrap(unshared(self._tensor, other._tensor))
    result = matmul_general("__imatmul__", operand, other)._tensor
    store("__imatmul__", self._tensor, result)
    return self


def _install(cls: Any) -> None:
    """Set every operator on the class. Each is written out, so that a search finds it."""
    t = torch.Tensor
    cls.__getitem__ = indexing.getitem
    cls.__setitem__ = indexing.setitem
    cls.__add__ = _forward("__add__", arithmetic.add, NUMERIC)
    cls.__radd__ = _reflected("__radd__", arithmetic.add, NUMERIC)
    cls.__iadd__ = _in_place("__iadd__", arithmetic.add, NUMERIC, t.add_)
    cls.__sub__ = _forward("__sub__", arithmetic.subtract, NUMERIC)
    cls.__rsub__ = _reflected("__rsub__", arithmetic.subtract, NUMERIC)
    cls.__isub__ = _in_place("__isub__", arithmetic.subtract, NUMERIC, t.sub_)
    cls.__mul__ = _forward("__mul__", arithmetic.multiply, NUMERIC)
    cls.__rmul__ = _reflected("__rmul__", arithmetic.multiply, NUMERIC)
    cls.__imul__ = _in_place("__imul__", arithmetic.multiply, NUMERIC, t.mul_)
    cls.__truediv__ = _forward("__truediv__", arithmetic.divide, FLOATING)
    cls.__rtruediv__ = _reflected("__rtruediv__", arithmetic.divide, FLOATING)
    cls.__itruediv__ = _in_place("__itruediv__", arithmetic.divide, FLOATING, t.div_)
    cls.__floordiv__ = _forward("__floordiv__", division.floor_divide, REAL_NUMERIC)
    cls.__rfloordiv__ = _reflected("__rfloordiv__", division.floor_divide, REAL_NUMERIC)
    cls.__ifloordiv__ = _in_place("__ifloordiv__", division.floor_divide, REAL_NUMERIC)
    cls.__mod__ = _forward("__mod__", division.remainder, REAL_NUMERIC)
    cls.__rmod__ = _reflected("__rmod__", division.remainder, REAL_NUMERIC)
    cls.__imod__ = _in_place("__imod__", division.remainder, REAL_NUMERIC)
    cls.__pow__ = _forward("__pow__", division.pow, NUMERIC)
    cls.__rpow__ = _reflected("__rpow__", division.pow, NUMERIC)
    cls.__ipow__ = _in_place("__ipow__", division.pow, NUMERIC)
    doc = "See ``xp_torch.matmul``."
    cls.__matmul__ = document(_matmul, "__matmul__", doc)
    cls.__rmatmul__ = document(_rmatmul, "__rmatmul__", doc)
    cls.__imatmul__ = document(_imatmul, "__imatmul__", doc)
    cls.__and__ = _forward("__and__", bitwise.bitwise_and, INTEGER_OR_BOOLEAN)
    cls.__rand__ = _reflected("__rand__", bitwise.bitwise_and, INTEGER_OR_BOOLEAN)
    cls.__iand__ = _in_place("__iand__", bitwise.bitwise_and, INTEGER_OR_BOOLEAN, t.bitwise_and_)
    cls.__or__ = _forward("__or__", bitwise.bitwise_or, INTEGER_OR_BOOLEAN)
    cls.__ror__ = _reflected("__ror__", bitwise.bitwise_or, INTEGER_OR_BOOLEAN)
    cls.__ior__ = _in_place("__ior__", bitwise.bitwise_or, INTEGER_OR_BOOLEAN, t.bitwise_or_)
    cls.__xor__ = _forward("__xor__", bitwise.bitwise_xor, INTEGER_OR_BOOLEAN)
    cls.__rxor__ = _reflected("__rxor__", bitwise.bitwise_xor, INTEGER_OR_BOOLEAN)
    cls.__ixor__ = _in_place("__ixor__", bitwise.bitwise_xor, INTEGER_OR_BOOLEAN, t.bitwise_xor_)
    cls.__lshift__ = _forward("__lshift__", bitwise.bitwise_left_shift, INTEGER)
    cls.__rlshift__ = _reflected("__rlshift__", bitwise.bitwise_left_shift, INTEGER)
    cls.__ilshift__ = _in_place("__ilshift__", bitwise.bitwise_left_shift, INTEGER)
    cls.__rshift__ = _forward("__rshift__", bitwise.bitwise_right_shift, INTEGER)
    cls.__rrshift__ = _reflected("__rrshift__", bitwise.bitwise_right_shift, INTEGER)
    cls.__irshift__ = _in_place("__irshift__", bitwise.bitwise_right_shift, INTEGER)
    cls.__lt__ = _forward("__lt__", comparison.less, REAL_NUMERIC)
    cls.__le__ = _forward("__le__", comparison.less_equal, REAL_NUMERIC)
    cls.__gt__ = _forward("__gt__", comparison.greater, REAL_NUMERIC)
    cls.__ge__ = _forward("__ge__", comparison.greater_equal, REAL_NUMERIC)
    cls.__eq__ = _forward("__eq__", comparison.equal, ALL)
    cls.__ne__ = _forward("__ne__", comparison.not_equal, ALL)
    cls.__abs__ = _unary("__abs__", arithmetic.abs, NUMERIC)
    cls.__neg__ = _unary("__neg__", arithmetic.negative, NUMERIC)
    cls.__pos__ = _unary("__pos__", arithmetic.positive, NUMERIC)
    cls.__invert__ = _unary("__invert__", bitwise.bitwise_invert, INTEGER_OR_BOOLEAN)


_install(Array)
