"""The chapter *Searching functions*."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from . import _flags
from ._array import Array, Scalar
from ._core import box as _box
from ._core.axes import broadcast_shapes
from ._core.dtypes import ALL, BOOLEAN, INTEGER, REAL_FLOATING, REAL_NUMERIC, WIDE_UNSIGNED
from ._core.errors import check_choice, translate
from ._core.scalars import plain_number, truth
from ._dispatch import (
    SCALARS,
    check_category,
    check_devices,
    fill,
    native_scalar,
    operands,
    promoted,
    scalar_tensor,
    tensor_of,
    wrap,
)
from ._kernels import reductions
from ._kernels import searching as kernels
from ._kernels.blocks import LARGE
from ._reduce import check_not_empty, read, read_one

__all__ = ["argmax", "argmin", "count_nonzero", "nonzero", "searchsorted", "where"]

_NATIVE = ALL.dtypes - WIDE_UNSIGNED
_NATIVE_REAL = REAL_NUMERIC.dtypes - WIDE_UNSIGNED
_REAL_FLOATING = REAL_FLOATING.dtypes
_SIDES = {"left": False, "right": True}
_SEARCHES = kernels.SEARCHES


class Position(Protocol):
    """The signature of ``argmax`` and ``argmin``."""

    def __call__(
        self, x: Array, /, *, axis: int | None = None, keepdims: bool = False
    ) -> Array: ...


def _position(
    name: str,
    torchs: Callable[..., Tensor],
    kernel: Callable[..., Tensor],
    **words: str,
) -> Position:
    """The function of the place of the largest or the smallest element."""

    def function(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
        """The index of the first {word} element along an axis.

        Parameters
        ----------
        x : Array
            Real numeric dtype, any shape.
        axis : int or None
            The axis to search; by default the flattened array.
        keepdims : bool
            Whether the searched axes stay, with size one.

        Returns
        -------
        Array
            int64 indices along the axis, or into the flattened array.

        Raises
        ------
        TypeError
            For any other dtype, anything but an ``xp_torch`` array, or an axis that is not an
            integer.
        AxisError
            For an axis that ``x`` does not have.
        ValueError
            For an axis, or an array, without elements.

        Notes
        -----
        A NaN counts as the {word}: the index of the first one is returned.

        Source: the array API standard, ``{name}``.

        Examples
        --------
        >>> import xp_torch as xp
        {example}
        """
        if type(x) is Array and type(keepdims) is bool:
            t = x._tensor
            if t.dtype in _NATIVE_REAL and (
                t.numel() if is_dynamo_compiling() else 0 < t.numel() < LARGE
            ):
                if axis is None and not keepdims:
                    out = Array()
                    out._tensor = torchs(t)
                    return out
                if type(axis) is int and -t.ndim <= axis < t.ndim:
                    out = Array()
                    out._tensor = torchs(t, axis, keepdims)
                    return out
        t, one = read_one(name, x, axis, REAL_NUMERIC)
        check_not_empty(name, t, tuple(range(t.ndim)) if one is None else (one,))
        return wrap(kernel(t, one, truth(name, "keepdims", keepdims)))

    return fill(function, name, **words)


argmax = _position(
    "argmax",
    torch.argmax,
    kernels.argmax,
    word="largest",
    example=""">>> xp.argmax(xp.asarray([3, 7, 7]))
Array(1, dtype=int64)""",
)
argmin = _position(
    "argmin",
    torch.argmin,
    kernels.argmin,
    word="smallest",
    example=""">>> xp.argmin(xp.asarray([7, 3, 3]))
Array(1, dtype=int64)""",
)


def count_nonzero(
    x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Array:
    """The number of nonzero elements along axes.

    Parameters
    ----------
    x : Array
        Any dtype, any shape. NaN is not zero; a complex number is zero if both parts are.
    axis : int, tuple of ints or None
        The axis or axes to count along: all by default, none for an empty tuple.
    keepdims : bool
        Whether the reduced axes stay, with size one.

    Returns
    -------
    Array
        int64 counts.

    Raises
    ------
    TypeError
        For anything but an ``xp_torch`` array, or an axis that is not an integer.
    AxisError
        For an axis that ``x`` does not have, or one given twice.

    Notes
    -----
    Source: the array API standard, ``count_nonzero``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.count_nonzero(xp.asarray([[0, 2], [3, 4]]), axis=1)
    Array([1, 2], dtype=int64)
    """
    if type(x) is Array and keepdims is False:
        t = x._tensor
        if t.dtype in _NATIVE and (is_dynamo_compiling() or t.numel() < LARGE):
            if axis is None:
                out = Array()
                out._tensor = torch.count_nonzero(t)
                return out
            if type(axis) is int and -t.ndim <= axis < t.ndim:
                out = Array()
                out._tensor = torch.count_nonzero(t, axis)
                return out
    t, axes = read("count_nonzero", x, axis, ALL)
    return wrap(reductions.count_nonzero(t, axes, truth("count_nonzero", "keepdims", keepdims)))


def nonzero(x: Array, /) -> tuple[Array, ...]:
    """The indices of the elements that are not zero.

    Parameters
    ----------
    x : Array
        Any dtype, at least one dimension. NaN is not zero.

    Returns
    -------
    tuple of Array
        One 1-D int64 array per axis of ``x``, in row-major order.

    Raises
    ------
    TypeError
        For anything but an ``xp_torch`` array.
    ValueError
        For a 0-D array.
    RuntimeError
        Where the flag ``data_dependent_shapes`` is off.

    Notes
    -----
    The shape of the result depends on the values: the call synchronises with the device.

    Source: the array API standard, ``nonzero``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.nonzero(xp.asarray([[0, 2], [3, 0]]))
    (Array([0, 1], dtype=int64), Array([1, 0], dtype=int64))
    """
    _flags.require_data_dependent_shapes("nonzero")
    t = tensor_of("nonzero", "x", x)
    if t.ndim == 0:
        raise ValueError("nonzero: x must have at least one dimension, not 0")
    try:
        return tuple([wrap(i) for i in kernels.nonzero(t)])
    except RuntimeError as error:  # meta arrays have no values
        translate("nonzero", error)


def searchsorted(
    x1: Array,
    x2: Array | int | float,
    /,
    *,
    side: Literal["left", "right"] = "left",
    sorter: Array | None = None,
) -> Array:
    """The indices at which to insert values into a sorted array so that it stays sorted.

    Parameters
    ----------
    x1 : Array
        Real numeric dtype, 1-D, in ascending order (or sorted by ``sorter``).
    x2 : Array, int or float
        The values, of any shape and a dtype that promotes with that of ``x1``. A Python
        scalar takes the dtype of ``x1``.
    side : {"left", "right"}
        Whether a value goes before or after its equals.
    sorter : Array or None
        Integer indices that sort ``x1``, of its shape.

    Returns
    -------
    Array
        int64 indices, of the shape of ``x2``.

    Raises
    ------
    TypeError
        For any other dtype, dtypes that do not promote to a common one, a scalar of a kind
        that the dtype does not hold, or an argument of another type.
    OverflowError
        For a Python int out of the range of the dtype.
    ValueError
        For ``x1`` that is not 1-D, another ``side``, a ``sorter`` of another shape, or arrays
        on two devices.

    Notes
    -----
    NaN counts as greater than any number, as in ``sort``. The values of ``sorter`` are not checked:
    that would synchronise with the device.

    Source: the array API standard, ``searchsorted``; scalars since version 2025.12.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.searchsorted(xp.asarray([1, 2, 2, 5]), xp.asarray([2, 3]), side="right")
    Array([3, 3], dtype=int64)
    """
    if type(x1) is Array and type(x2) is Array and sorter is None:
        a = x1._tensor
        b = x2._tensor
        d = a.dtype
        if d is b.dtype:
            try:
                out = Array()
                out._tensor = _SEARCHES[d](a, b, _SIDES[side])
                return out
            except (KeyError, TypeError, RuntimeError):
                pass  # the general twin raises the error
    return _searchsorted_general(x1, x2, side, sorter)


def _searchsorted_general(
    x1: Array, x2: Array | int | float, side: str, sorter: Array | None
) -> Array:
    """Every call of ``searchsorted`` that the fast path does not handle."""
    a = tensor_of("searchsorted", "x1", x1)
    check_category("searchsorted", "x1", a.dtype, REAL_NUMERIC)
    x2 = plain_number(x2)
    if type(x2) in SCALARS and _flags.api_version >= "2025.12":
        b = scalar_tensor("searchsorted", "x2", x2, a)  # type: ignore[arg-type]
    else:
        b = tensor_of("searchsorted", "x2", x2)
    check_category("searchsorted", "x2", b.dtype, REAL_NUMERIC)
    check_devices("searchsorted", a, b)
    if a.ndim != 1:
        raise ValueError(f"searchsorted: x1 must have 1 dimension, not {a.ndim}")
    check_choice("searchsorted", "side", side, tuple(_SIDES))
    order = None if sorter is None else _sorter(a, sorter)
    a, b = promoted("searchsorted", a, b)
    try:
        return wrap(kernels.searchsorted(a, b, _SIDES[side], order))
    except RuntimeError as error:
        translate("searchsorted", error)


def _sorter(a: Tensor, sorter: Array) -> Tensor:
    """The tensor of the ``sorter`` of ``searchsorted``, in torch's index dtype."""
    order = tensor_of("searchsorted", "sorter", sorter)
    check_category("searchsorted", "sorter", order.dtype, INTEGER)
    check_devices("searchsorted", a, order)
    if order.shape != a.shape:
        raise ValueError(
            f"searchsorted: sorter of shape {tuple(order.shape)} does not have the shape "
            f"{tuple(a.shape)} of x1"
        )
    return order if order.dtype is torch.int64 else order.to(torch.int64)


def where(condition: Array, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
    """Elements of ``x1`` where the condition holds, of ``x2`` elsewhere.

    Parameters
    ----------
    condition : Array
        Boolean, broadcastable against ``x1`` and ``x2``.
    x1, x2 : Array or Python scalar
        Any dtype, broadcastable against each other and promoted to a common dtype; at most
        one of them is a Python scalar, which takes the array's dtype.

    Returns
    -------
    Array
        The promoted dtype of ``x1`` and ``x2`` and the broadcast shape of all three.

    Raises
    ------
    TypeError
        For a condition that is not boolean, dtypes that do not promote to a common one, a
        scalar of a kind that the array's dtype does not hold, or an operand that is neither.
    OverflowError
        For a Python int out of the range of the array's dtype.
    ValueError
        For shapes that do not broadcast, or arrays on two devices.

    Notes
    -----
    Source: the array API standard, ``where``; scalars since version 2024.12.

    Examples
    --------
    >>> import xp_torch as xp
    >>> x = xp.asarray([-1, 2, -3])
    >>> xp.where(x < 0, 0, x)
    Array([0, 2, 0], dtype=int64)
    """
    if type(condition) is Array and type(x1) is Array and type(x2) is Array:
        c = condition._tensor
        a = x1._tensor
        b = x2._tensor
        d = a.dtype
        if (
            c.dtype is torch.bool
            and d is b.dtype
            and d in _NATIVE
            and not (_box.several_devices and not c.device == a.device == b.device)
        ):
            try:
                out = Array()
                out._tensor = torch.where(c, a, b)
                return out
            except RuntimeError:
                pass  # the general twin raises the error
    return _where_general(condition, x1, x2)


def _where_general(condition: Array, x1: Array | Scalar, x2: Array | Scalar) -> Array:
    """Every call of ``where`` that the fast path does not handle."""
    if type(x1) is not Array:
        x1 = plain_number(x1)
    if type(x2) is not Array:
        x2 = plain_number(x2)
    if (
        type(condition) is Array
        and condition._tensor.dtype is torch.bool
        and not _box.several_devices
        and _flags.api_version >= "2024.12"
    ):
        try:
            out = Array()
            if type(x2) is float and type(x1) is Array and x1._tensor.dtype in _REAL_FLOATING:
                out._tensor = torch.where(condition._tensor, x1._tensor, x2)
                return out
            if type(x1) is float and type(x2) is Array and x2._tensor.dtype in _REAL_FLOATING:
                out._tensor = torch.where(condition._tensor, x1, x2._tensor)
                return out
        except RuntimeError:
            pass  # shapes, or a number beyond the range of float32
    c = tensor_of("where", "condition", condition)
    check_category("where", "condition", c.dtype, BOOLEAN)
    a, b = _where_operands(x1, x2)
    tensors = [t for t in (c, a, b) if isinstance(t, Tensor)]
    check_devices("where", *tensors)
    broadcast_shapes("where", *[t.shape for t in tensors])
    try:
        return wrap(kernels.where(c, a, b))
    except RuntimeError as error:
        if len(tensors) == 3:
            translate("where", error)
    # torch refuses numbers out of the float32 range: they become infinities.
    return wrap(kernels.where(c, *operands("where", x1, x2, ALL)))


def _where_operands(
    x1: Array | Scalar, x2: Array | Scalar
) -> tuple[Tensor | Scalar, Tensor | Scalar]:
    """Convert the two operands; a Python scalar that torch accepts stays a scalar."""
    if (
        type(x1) is Array
        and type(x2) in SCALARS
        and native_scalar("where", _NATIVE, x1._tensor, x2)  # type: ignore[arg-type]
    ):
        return x1._tensor, x2  # type: ignore[return-value]
    if (
        type(x2) is Array
        and type(x1) in SCALARS
        and native_scalar("where", _NATIVE, x2._tensor, x1)  # type: ignore[arg-type]
    ):
        return x1, x2._tensor  # type: ignore[return-value]
    return operands("where", x1, x2, ALL)
