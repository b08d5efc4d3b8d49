"""Build public functions and operators from kernels: a flat fast path and its general twin.

A factory runs once, at import. A call of the function that it returns only checks types and dtypes,
calls torch once and wraps the result. The ``_general`` twin handles everything rare (Python
scalars, promotion, the wide unsigned dtypes) and raises the errors.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import cleandoc
from typing import Any, TypeAlias, TypeVar

import torch
from torch import Tensor

from . import _flags
from ._array import Array, Scalar
from ._core import box as _box
from ._core.axes import broadcast_shapes
from ._core.dtypes import (
    BOUNDS,
    COMPLEX_OF,
    EXACT,
    FLOATING,
    PROMOTION,
    REAL_FLOATING,
    Category,
    name_of,
    promote,
)
from ._core.errors import REFUSALS, shown, translate, type_name
from ._core.scalars import SCALAR_TYPES, plain_number
from ._docs import binary_doc, unary_doc
from ._kernels import creation
from ._kernels.kernel import Kernel, quickest

SCALARS = SCALAR_TYPES
"""The Python types of a scalar argument; ``plain_number`` turns a subclass into one."""

_Function = TypeVar("_Function", bound=Any)
UnaryFunction: TypeAlias = Callable[[Array], Array]
BinaryFunction: TypeAlias = Callable[["Array | Scalar", "Array | Scalar"], Array]


def tensor_of(name: str, argument: str, x: object) -> Tensor:
    """The tensor of an array argument. Raise a ``TypeError`` that names any other type."""
    if isinstance(x, Array):
        return x._tensor
    raise TypeError(f"{name}: {argument} must be an xp_torch array, not {type_name(x)}{hint(x)}")


def hint(x: object) -> str:
    """A hint how to convert a foreign array, for the end of an error message."""
    if isinstance(x, torch.Tensor) or hasattr(x, "__array_namespace__"):
        return "; convert it with xp_torch.asarray"
    return ""


def check_category(name: str, argument: str, dtype: torch.dtype, category: Category) -> None:
    """Raise ``TypeError`` unless the function is defined for ``dtype``."""
    if dtype not in category.dtypes:
        raise TypeError(
            f"{name}: {argument} must have a {category.label} dtype, not {name_of(dtype)}"
        )


def check_devices(name: str, *tensors: Tensor) -> None:
    """Raise a ``ValueError`` that names both devices if operands are on two devices."""
    first = tensors[0].device
    for tensor in tensors[1:]:
        if tensor.device != first:
            raise ValueError(
                f"{name}: arrays on two devices, {first} and {tensor.device}; "
                "move one of them with to_device"
            )


def scalar_dtype(name: str, argument: str, scalar: Scalar, dtype: torch.dtype) -> torch.dtype:
    """The dtype a Python scalar takes beside an array of ``dtype``.

    The standard's *Mixing arrays with Python scalars*: the array's own dtype, or the
    complex one of its precision for a complex scalar. Raises ``TypeError`` for a scalar of
    a kind that the array's does not contain and ``OverflowError`` for an int out of range.
    """
    kind = type(scalar)
    if kind is bool:
        if dtype is torch.bool:
            return dtype
    elif kind is int:
        if dtype in BOUNDS:
            low, high = BOUNDS[dtype]
            if not low <= scalar <= high:  # type: ignore[operator]
                raise OverflowError(
                    f"{name}: {argument}, {shown(scalar)}, is out of range for {name_of(dtype)}"
                )
            return dtype
        if dtype is not torch.bool:
            return dtype
    elif kind is float:
        if dtype in FLOATING.dtypes:
            return dtype
    elif dtype in COMPLEX_OF:
        return COMPLEX_OF[dtype]
    raise TypeError(
        f"{name}: {argument}, a Python {kind.__name__}, cannot be combined with an array of "
        f"dtype {name_of(dtype)}"
    )


def scalar_tensor(name: str, argument: str, scalar: Scalar, beside: Tensor) -> Tensor:
    """A Python scalar as a 0-D tensor of the dtype it takes beside another operand."""
    dtype = scalar_dtype(name, argument, scalar, beside.dtype)
    return full_scalar(name, argument, scalar, dtype, beside.device)


def full_scalar(
    name: str, argument: str, scalar: Scalar, dtype: torch.dtype, device: torch.device
) -> Tensor:
    """A 0-D tensor holding ``scalar``: filled on the device, which needs no synchronisation.

    A float beyond the range of float32 becomes an infinity, as in a cast. An int beyond the range
    of the floating dtype raises ``OverflowError``, as ``float(x)`` does.
    """
    if type(scalar) is int and dtype in FLOATING.dtypes:
        if abs(scalar) > torch.finfo(dtype).max:
            raise OverflowError(
                f"{name}: {argument}, {shown(scalar)}, is out of range for {name_of(dtype)}"
            )
        scalar = float(scalar)
    return creation.full((), scalar, dtype, device)


def arrays_of(
    name: str, x1: Any, x2: Any, category: Category, arguments: tuple[str, str] = ("x1", "x2")
) -> tuple[Tensor, Tensor]:
    """Convert two arrays to tensors of one promoted dtype and one device.

    Raises ``TypeError`` for anything but arrays of the category, ``ValueError`` for two devices.
    """
    first, second = arguments
    a, b = tensor_of(name, first, x1), tensor_of(name, second, x2)
    check_category(name, first, a.dtype, category)
    check_category(name, second, b.dtype, category)
    check_devices(name, a, b)
    return promoted(name, a, b)


def arrays_or_scalar(
    name: str, x1: Any, x2: Any, category: Category, arguments: tuple[str, str] = ("x1", "x2")
) -> tuple[Tensor, Tensor]:
    """``arrays_of``, and ``TypeError`` for anything but at most one Python scalar that fits it."""
    first, second = arguments
    if type(x1) not in SCALARS and type(x2) not in SCALARS:
        return arrays_of(name, x1, x2, category, arguments)
    if type(x1) not in SCALARS:
        a = tensor_of(name, first, x1)
        check_category(name, first, a.dtype, category)
        b = scalar_tensor(name, second, x2, a)
    elif type(x2) not in SCALARS:
        b = tensor_of(name, second, x2)
        check_category(name, second, b.dtype, category)
        a = scalar_tensor(name, first, x1, b)
    else:
        raise TypeError(
            f"{name}: {first} and {second} are both Python scalars; one must be an array"
        )
    if _flags.api_version < "2024.12" and not _is_operator(name):
        raise TypeError(
            f"{name}: Python scalars are arguments of this function from version 2024.12 of the "
            f"standard on, and {_flags.api_version} is in force"
        )
    # A complex number beside a real array.
    check_category(name, first, a.dtype, category)
    check_category(name, second, b.dtype, category)
    return promoted(name, a, b)


def operands(
    name: str,
    x1: Array | Scalar,
    x2: Array | Scalar,
    category: Category,
    arguments: tuple[str, str] = ("x1", "x2"),
) -> tuple[Tensor, Tensor]:
    """Convert two operands to broadcastable tensors of one promoted dtype and one device.

    Raises ``TypeError`` for anything but arrays of the category and at most one Python
    scalar that fits it, ``ValueError`` for two devices or shapes that do not broadcast.
    """
    # Check dtypes (TypeError) before shapes (ValueError).
    a, b = arrays_or_scalar(name, x1, x2, category, arguments)
    broadcast_shapes(name, a.shape, b.shape)
    return a, b


def promoted(name: str, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Convert both tensors to their common dtype; one that has it already is unchanged."""
    if a.dtype is b.dtype:
        return a, b
    dtype = PROMOTION.get((a.dtype, b.dtype)) or promote(name, a.dtype, b.dtype)
    return (
        a if a.dtype is dtype else a.to(dtype),
        b if b.dtype is dtype else b.to(dtype),
    )


def wrap(tensor: Tensor) -> Array:
    """A result as an array."""
    array = Array()
    array._tensor = tensor
    return array


def attempt(name: str, kernel: Callable[..., Tensor], *args: object) -> Array:
    """Call ``kernel(*args)`` with checked arguments, and wrap the result in an array."""
    try:
        return wrap(kernel(*args))
    except REFUSALS as error:
        translate(name, error)


def document(function: _Function, name: str, doc: str) -> _Function:
    """Give a function made by a factory its own name, module and docstring."""
    function.__name__ = name
    function.__qualname__ = name
    function.__module__ = "xp_torch"
    function.__doc__ = doc
    return function


def fill(function: _Function, name: str, **words: str) -> _Function:
    """Document a function made by a factory: the words take their places in its docstring."""
    text = cleandoc(function.__doc__ or "").format(name=name, **words)
    return document(function, name, text + "\n")


SAME = "The same dtype and shape."
PROMOTED = "The promoted dtype and the broadcast shape."
TRUTH = "Boolean, of the broadcast shape."


def unary(
    kernel: Kernel,
    category: Category,
    summary: str,
    *,
    returns: str = SAME,
    notes: str = "",
    example: str,
) -> UnaryFunction:
    """The public function of a kernel of one operand."""
    name, fast, general = kernel.name, quickest(kernel.torch), kernel.general
    native, defined = kernel.native & category.dtypes, category.dtypes

    def function(x: Array, /) -> Array:
        if type(x) is Array:
            t = x._tensor
            d = t.dtype
            if d in native:
                out = Array()
                out._tensor = fast(t)
                return out
            if d in defined:
                try:
                    out = Array()
                    out._tensor = general(t)
                    return out
                except RuntimeError:
                    pass  # the general twin says what is wrong with the operand
        return unary_general(name, general, category, x)

    doc = unary_doc(name, category, summary, returns, notes, example)
    return document(function, name, doc)


def unary_general(
    name: str, general: Callable[..., Tensor], category: Category, x: object
) -> Array:
    """Every call of a unary function that the fast path does not handle."""
    t = tensor_of(name, "x", x)
    check_category(name, "x", t.dtype, category)
    try:
        return wrap(general(t))
    except RuntimeError as error:
        translate(name, error)


def binary(
    kernel: Kernel,
    category: Category,
    summary: str,
    *,
    returns: str = PROMOTED,
    notes: str = "",
    example: str,
) -> BinaryFunction:
    """The public function of a kernel of two operands."""
    name, functions = kernel.name, functions_of(kernel, category)
    by_float, by_int, with_number, _ = flat_numbers(kernel)

    def function(x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        if type(x1) is Array:
            a = x1._tensor
            d = a.dtype
            if type(x2) is Array:
                b = x2._tensor
                if d is b.dtype and not (_box.several_devices and a.device != b.device):
                    try:
                        out = Array()
                        out._tensor = functions[d](a, b)
                        return out
                    except (KeyError, RuntimeError):
                        pass  # the general twin raises the error
            elif (
                (d in by_float)
                if type(x2) is float
                else (type(x2) is int and d in by_int and -EXACT <= x2 <= EXACT)
            ) and _flags.api_version >= "2024.12":
                try:
                    out = Array()
                    out._tensor = with_number(a, x2)
                    return out
                except RuntimeError:
                    pass  # torch refuses numbers out of the float32 range: they become infinities
        return binary_general(name, kernel, category, x1, x2)

    doc = binary_doc(name, category, summary, returns, notes, example)
    return document(function, name, doc)


def functions_of(kernel: Kernel, category: Category) -> dict[torch.dtype, Callable[..., Tensor]]:
    """The function for each dtype: torch's if it is correct, else the general one."""
    return {d: kernel.torch if d in kernel.native else kernel.general for d in category.dtypes}


def flat_numbers(
    kernel: Kernel,
) -> tuple[
    frozenset[torch.dtype],
    frozenset[torch.dtype],
    Callable[..., Tensor],
    Callable[..., Tensor],
]:
    """The Python numbers that a fast path accepts, and the functions for them.

    The dtypes that accept a float, the dtypes that accept every int up to ``EXACT`` without a
    check, and the functions with the number on the right and on the left.
    """
    numbers = kernel.numbers
    if numbers is None:
        return frozenset(), frozenset(), kernel.torch, kernel.torch
    by_float = numbers.dtypes & REAL_FLOATING.dtypes
    by_int = frozenset() if kernel.natural else by_float | (numbers.dtypes & {torch.int64})
    return by_float, by_int, numbers.right, numbers.left or kernel.torch


def binary_general(
    name: str, kernel: Kernel, category: Category, x1: Array | Scalar, x2: Array | Scalar
) -> Array:
    """Every call of a binary function or operator that the fast path does not handle."""
    if type(x1) is not Array:
        x1 = plain_number(x1)
    if type(x2) is not Array:
        x2 = plain_number(x2)
    numbers = kernel.numbers
    if kernel.natural:
        check_natural(name, x1, x2)
    if numbers is not None:
        try:
            if type(x2) in SCALARS:
                if type(x1) is Array and native_scalar(name, numbers.dtypes, x1._tensor, x2):  # type: ignore[arg-type]
                    return wrap(numbers.right(x1._tensor, x2))
            elif (
                type(x1) in SCALARS
                and type(x2) is Array
                and numbers.left is not None
                and native_scalar(name, numbers.dtypes, x2._tensor, x1)  # type: ignore[arg-type]
            ):
                return wrap(numbers.left(x2._tensor, x1))
        except RuntimeError:
            pass  # torch refuses numbers out of the float32 range: they become infinities
    a, b = operands(name, x1, x2, category)
    try:
        return wrap(kernel.general(a, b))
    except RuntimeError as error:
        translate(name, error)


def check_natural(name: str, x1: object, x2: object) -> None:
    """Raise ``ValueError`` for integers with a negative Python int, which have no result.

    It does not check the values of an array: that would synchronise with its device.
    """
    if type(x2) is int and type(x1) is Array and BOUNDS.get(x1.dtype, (0, 0))[0] <= x2 < 0:
        raise ValueError(f"{name}: x2, {x2}, must not be negative beside integers")


def native_scalar(name: str, dtypes: frozenset[torch.dtype], a: Tensor, scalar: Scalar) -> bool:
    """Whether torch may get the scalar itself, beside a tensor of one of ``dtypes``.

    torch then keeps the tensor's dtype, and the trace has one torch call instead of two.
    """
    d = a.dtype
    if d not in dtypes or (_flags.api_version < "2024.12" and not _is_operator(name)):
        return False
    kind = type(scalar)
    if kind is float:
        return d.is_floating_point or d.is_complex
    if kind is int and d in BOUNDS:
        low, high = BOUNDS[d]
        return low <= scalar <= high  # type: ignore[operator]
    if kind is int:
        return d is not torch.bool and -EXACT <= scalar <= EXACT  # type: ignore[operator]
    return d.is_complex if kind is complex else d is torch.bool


def _is_operator(name: str) -> bool:
    return name.startswith("__")
