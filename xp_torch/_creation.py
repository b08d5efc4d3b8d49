"""The chapter *Creation functions*: filled, spaced and triangular arrays.

``asarray`` and ``from_dlpack`` are in ``_conversion.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import torch
from torch import Tensor

from . import _flags
from ._array import Array, Scalar
from ._core import defaults
from ._core.axes import integer, normalize_shape
from ._core.box import box, new_box, note_device
from ._core.devices import normalize_device
from ._core.dtypes import BOUNDS, INTEGER, name_of
from ._core.errors import translate
from ._core.scalars import python_scalar, real_number, to_kind
from ._data_types import DTYPES, Device, check_dtype
from ._dispatch import check_devices, tensor_of
from ._kernels import creation as kernels

__all__ = [
    "arange",
    "empty",
    "empty_like",
    "eye",
    "full",
    "full_like",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]

Shape: TypeAlias = "int | tuple[int, ...]"

_INT64_MAX = BOUNDS[torch.int64][1]
_PLAIN_SHAPES = frozenset({int, tuple})


def empty(shape: Shape, *, dtype: torch.dtype | None = None, device: Device | None = None) -> Array:
    """An array with uninitialised values.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    dtype : torch.dtype, optional
        The dtype; by default the default real floating-point dtype.
    device : torch.device or str, optional
        Where to place the array; by default torch's default device.

    Returns
    -------
    Array
        Of that shape and dtype, with any values.

    Raises
    ------
    TypeError
        For a shape that is not made of integers.
    ValueError
        For a negative size, a dtype that is not one of the namespace's, or a device that
        this machine does not have.

    Notes
    -----
    Source: the array API standard, ``empty``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.empty((2, 0), dtype=xp.int8)
    Array([], shape=(2, 0), dtype=int8)
    """
    return _make("empty", torch.empty, shape, dtype, device)


def zeros(shape: Shape, *, dtype: torch.dtype | None = None, device: Device | None = None) -> Array:
    """An array of zeros.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    dtype : torch.dtype, optional
        The dtype; by default the default real floating-point dtype.
    device : torch.device or str, optional
        Where to place the array; by default torch's default device.

    Returns
    -------
    Array
        Zeros (``False`` for bool) of that shape and dtype.

    Raises
    ------
    TypeError
        For a shape that is not made of integers.
    ValueError
        For a negative size, a dtype that is not one of the namespace's, or a device that
        this machine does not have.

    Notes
    -----
    Source: the array API standard, ``zeros``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.zeros((2, 2))
    Array([[0., 0.],
           [0., 0.]], dtype=float64)
    """
    return _make("zeros", torch.zeros, shape, dtype, device)


def ones(shape: Shape, *, dtype: torch.dtype | None = None, device: Device | None = None) -> Array:
    """An array of ones.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    dtype : torch.dtype, optional
        The dtype; by default the default real floating-point dtype.
    device : torch.device or str, optional
        Where to place the array; by default torch's default device.

    Returns
    -------
    Array
        Ones (``True`` for bool, ``1+0j`` for complex) of that shape and dtype.

    Raises
    ------
    TypeError
        For a shape that is not made of integers.
    ValueError
        For a negative size, a dtype that is not one of the namespace's, or a device that
        this machine does not have.

    Notes
    -----
    Source: the array API standard, ``ones``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.ones(3, dtype=xp.int64)
    Array([1, 1, 1], dtype=int64)
    """
    return _make("ones", torch.ones, shape, dtype, device)


def _make(
    name: str,
    function: Callable[..., Tensor],
    shape: Shape,
    dtype: torch.dtype | None,
    device: Device | None,
) -> Array:
    """``empty``, ``zeros`` and ``ones``: one torch call where shape and dtype are plain."""
    if device is None and type(shape) in _PLAIN_SHAPES:
        if dtype is None:
            dtype = defaults.float_dtype()
        if type(dtype) is torch.dtype and dtype in DTYPES and not dtype.is_complex:
            try:
                t = function(shape, dtype=dtype)
            except (RuntimeError, TypeError):
                pass  # the general way says what is wrong with the shape
            else:
                if t.get_device() >= 0:
                    note_device()
                out = new_box(Array)
                out._tensor = t
                return out
    sizes = _sizes(name, shape)
    options = _options(name, dtype, device)
    try:
        return box(Array, function(sizes, **options))
    except RuntimeError as error:
        translate(name, error)


def _sizes(name: str, shape: Any) -> tuple[int, ...]:
    """A shape that torch can take; ``ValueError`` where it is beyond any memory."""
    if isinstance(shape, bool):
        raise TypeError(f"{name}: shape must be an integer or a tuple of integers, not bool")
    sizes = normalize_shape(name, shape)
    if any(size > _INT64_MAX for size in sizes):
        raise ValueError(f"{name}: shape {sizes} is too large")
    return sizes


def _options(name: str, dtype: torch.dtype | None, device: Device | None) -> dict[str, Any]:
    """``dtype=`` and ``device=`` for torch, checked, with the default dtype filled in."""
    return {
        "dtype": defaults.float_dtype() if dtype is None else _checked_dtype(name, dtype),
        "device": None if device is None else normalize_device(name, device),
    }


def _checked_dtype(name: str, dtype: Any) -> torch.dtype:
    # A ValueError, as from array-api-strict: the argument's type is not fixed by the standard.
    return check_dtype(name, dtype, error=ValueError)


def full(
    shape: Shape,
    fill_value: Scalar,
    *,
    dtype: torch.dtype | None = None,
    device: Device | None = None,
) -> Array:
    """An array filled with one value.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    fill_value : bool, int, float or complex
        The value, converted to the dtype as Python converts it: toward zero to an integer.
    dtype : torch.dtype, optional
        The dtype; by default bool, or the default dtype of the value's kind.
    device : torch.device or str, optional
        Where to place the array; by default torch's default device.

    Returns
    -------
    Array
        The value, in that shape and dtype.

    Raises
    ------
    TypeError
        For a value that is no Python scalar, a complex value in a real dtype, or a shape
        that is not made of integers.
    OverflowError
        For a value out of the range of an integer dtype, or an int out of that of a
        floating-point dtype.
    ValueError
        For the integer of a NaN, a negative size, a dtype that is not one of the
        namespace's, or a device that this machine does not have.

    Notes
    -----
    Source: the array API standard, ``full``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.full(3, 7)
    Array([7, 7, 7], dtype=int64)
    """
    sizes = shape if type(shape) is tuple else _sizes("full", shape)
    value = python_scalar("full", "fill_value", fill_value)
    if dtype is None:
        dtype = default_dtype("full", type(value))
    else:
        _checked_dtype("full", dtype)
    place = None if device is None else normalize_device("full", device)
    try:
        value = to_kind("full", "fill_value", value, dtype)
    except (TypeError, ValueError, OverflowError):
        _sizes("full", shape)  # the shape's error comes first
        raise
    return _filled("full", sizes, value, dtype, place)


def _filled(
    name: str, shape: tuple[int, ...], value: Any, dtype: torch.dtype, device: torch.device | None
) -> Array:
    try:
        return box(Array, kernels.full(shape, value, dtype, device))
    except TypeError:
        return box(Array, kernels.full(_sizes(name, shape), value, dtype, device))
    except RuntimeError as error:
        _sizes(name, shape)
        translate(name, error)


def default_dtype(name: str, kind: type) -> torch.dtype:
    """The default dtype of a kind of Python scalar."""
    if kind is float:
        return defaults.float_dtype()
    if kind is int:
        return defaults.INT
    if kind is bool:
        return torch.bool
    return _checked_dtype(name, defaults.complex_dtype())


def empty_like(
    x: Array, /, *, dtype: torch.dtype | None = None, device: Device | None = None
) -> Array:
    """An array of the shape of another, with uninitialised values.

    Parameters
    ----------
    x : Array
        The array whose shape is taken, and dtype and device unless they are given.
    dtype : torch.dtype, optional
        The dtype; by default that of ``x``.
    device : torch.device or str, optional
        Where to place the array; by default where ``x`` is.

    Returns
    -------
    Array
        Of that shape and dtype, with any values.

    Raises
    ------
    TypeError
        For anything but an array.
    ValueError
        For a dtype that is not one of the namespace's, or a device that this machine does
        not have.

    Notes
    -----
    Source: the array API standard, ``empty_like``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.empty_like(xp.zeros((3, 4))).shape
    (3, 4)
    """
    return _make_like("empty_like", torch.empty_like, x, dtype, device)


def zeros_like(
    x: Array, /, *, dtype: torch.dtype | None = None, device: Device | None = None
) -> Array:
    """An array of zeros of the shape of another.

    Parameters
    ----------
    x : Array
        The array whose shape is taken, and dtype and device unless they are given.
    dtype : torch.dtype, optional
        The dtype; by default that of ``x``.
    device : torch.device or str, optional
        Where to place the array; by default where ``x`` is.

    Returns
    -------
    Array
        Zeros of that shape and dtype.

    Raises
    ------
    TypeError
        For anything but an array.
    ValueError
        For a dtype that is not one of the namespace's, or a device that this machine does
        not have.

    Notes
    -----
    Source: the array API standard, ``zeros_like``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.zeros_like(xp.asarray([1, 2]))
    Array([0, 0], dtype=int64)
    """
    return _make_like("zeros_like", torch.zeros_like, x, dtype, device)


def ones_like(
    x: Array, /, *, dtype: torch.dtype | None = None, device: Device | None = None
) -> Array:
    """An array of ones of the shape of another.

    Parameters
    ----------
    x : Array
        The array whose shape is taken, and dtype and device unless they are given.
    dtype : torch.dtype, optional
        The dtype; by default that of ``x``.
    device : torch.device or str, optional
        Where to place the array; by default where ``x`` is.

    Returns
    -------
    Array
        Ones of that shape and dtype.

    Raises
    ------
    TypeError
        For anything but an array.
    ValueError
        For a dtype that is not one of the namespace's, or a device that this machine does
        not have.

    Notes
    -----
    Source: the array API standard, ``ones_like``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.ones_like(xp.asarray([False, True]))
    Array([True, True], dtype=bool)
    """
    return _make_like("ones_like", torch.ones_like, x, dtype, device)


def _make_like(
    name: str,
    function: Callable[..., Tensor],
    x: Array,
    dtype: torch.dtype | None,
    device: Device | None,
) -> Array:
    """``empty_like`` and its kin: torch's function keeps dtype and device by itself."""
    if type(x) is Array and dtype is None and device is None:
        out = new_box(Array)
        out._tensor = function(x._tensor)
        return out
    t = tensor_of(name, "x", x)
    dtype = t.dtype if dtype is None else _checked_dtype(name, dtype)
    place = t.device if device is None else normalize_device(name, device)
    return box(Array, function(t, dtype=dtype, device=place))


def full_like(
    x: Array,
    /,
    fill_value: Scalar,
    *,
    dtype: torch.dtype | None = None,
    device: Device | None = None,
) -> Array:
    """An array of the shape of another, filled with one value.

    Parameters
    ----------
    x : Array
        The array whose shape is taken, and dtype and device unless they are given.
    fill_value : bool, int, float or complex
        The value, converted to the dtype as Python converts it: toward zero to an integer.
    dtype : torch.dtype, optional
        The dtype; by default that of ``x``.
    device : torch.device or str, optional
        Where to place the array; by default where ``x`` is.

    Returns
    -------
    Array
        The value, in that shape and dtype.

    Raises
    ------
    TypeError
        For anything but an array, a value that is no Python scalar, or a complex value in a
        real dtype.
    OverflowError
        For a value out of the range of an integer dtype, or an int out of that of a
        floating-point dtype.
    ValueError
        For the integer of a NaN, a dtype that is not one of the namespace's, or a device
        that this machine does not have.

    Notes
    -----
    Source: the array API standard, ``full_like``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.full_like(xp.asarray([1.0, 2.0]), 5)
    Array([5., 5.], dtype=float64)
    """
    t = tensor_of("full_like", "x", x)
    dtype = t.dtype if dtype is None else _checked_dtype("full_like", dtype)
    place = t.device if device is None else normalize_device("full_like", device)
    value = python_scalar("full_like", "fill_value", fill_value)
    value = to_kind("full_like", "fill_value", value, dtype)
    return _filled("full_like", tuple(t.shape), value, dtype, place)


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: torch.dtype | None = None,
    device: Device | None = None,
) -> Array:
    """Evenly spaced values in the half-open interval ``[start, stop)``.

    Parameters
    ----------
    start : int or float
        The first value; the end of the interval, which then starts at 0, if ``stop`` is not
        given.
    stop : int or float, optional
        The end of the interval, not included.
    step : int or float, default 1
        The distance between two values; not 0, and negative to count down.
    dtype : torch.dtype, optional
        The dtype; by default the default integer dtype if all arguments are integers, else
        the default real floating-point dtype.
    device : torch.device or str, optional
        Where to place the array; by default torch's default device.

    Returns
    -------
    Array
        ``ceil((stop - start) / step)`` values, none where that is negative.

    Raises
    ------
    TypeError
        For an argument that is not a real number, or the bool dtype.
    ZeroDivisionError
        For a step of 0.
    OverflowError
        For a first or second value out of the range of an integer dtype; later ones wrap
        around.
    ValueError
        For a length that is not finite or beyond any memory, a dtype that is not one of the
        namespace's, or a device that this machine does not have.

    Notes
    -----
    The length is exact for integers of any size. With floating-point arguments and an
    integer dtype the distance is that of the first two values once converted, as in NumPy.

    Source: the array API standard, ``arange``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.arange(5, 0, -2)
    Array([5, 3, 1], dtype=int64)
    >>> xp.arange(0, 1, 0.25)
    Array([0.  , 0.25, 0.5 , 0.75], dtype=float64)
    """
    if stop is None:
        start, stop = 0, start
    if (
        type(start) is int
        and type(stop) is int
        and type(step) is int
        and dtype is None
        and device is None
        and -kernels.EXACT <= start <= stop <= kernels.EXACT
        and 0 < step <= kernels.EXACT
    ):
        try:
            return box(Array, torch.arange(start, stop, step))
        except RuntimeError as error:
            translate("arange", error)
    return _arange_general(start, stop, step, dtype, device)


def _arange_general(start: Any, stop: Any, step: Any, dtype: Any, device: Any) -> Array:
    name = "arange"
    start = real_number(name, "start", start)
    stop = real_number(name, "stop", stop)
    step = real_number(name, "step", step)
    whole = type(start) is int and type(stop) is int and type(step) is int
    if dtype is None:
        dtype = defaults.INT if whole else defaults.float_dtype()
    elif _checked_dtype(name, dtype) is torch.bool:
        raise TypeError(f"{name}: dtype must be a numeric dtype, not bool")
    place = None if device is None else normalize_device(name, device)
    count = _count(name, start, stop, step)
    if count * dtype.itemsize > _INT64_MAX:
        raise ValueError(f"{name}: {count} values are more than any memory holds")
    try:
        if dtype not in INTEGER.dtypes:
            first = to_kind(name, "start", start, torch.float64)
            end = to_kind(name, "stop", stop, torch.float64)
            distance = to_kind(name, "step", step, torch.float64)
            return box(Array, kernels.arange_float(first, end, distance, count, dtype, place))
        if count == 0:
            return box(Array, torch.empty(0, dtype=dtype, device=place))
        first = to_kind(name, "start", start, dtype)
        second = to_kind(name, "start + step", start + step, dtype) if count > 1 else first + 1
        return box(Array, kernels.arange_int(first, second - first, count, dtype, place))
    except RuntimeError as error:
        translate(name, error)


def _count(name: str, start: Any, stop: Any, step: Any) -> int:
    """How many values ``arange`` has: exactly for integers, in doubles for the rest."""
    if step == 0:
        raise ZeroDivisionError(f"{name}: step must not be 0")
    if type(start) is int and type(stop) is int and type(step) is int:
        return max(-((start - stop) // step), 0)
    try:
        distance = stop - start
        quotient = distance / step
        if quotient == 0 and distance != 0:
            # The quotient underflowed: the sign of the zero says on which side.
            return int(math.copysign(1.0, quotient) > 0)
        return max(math.ceil(quotient), 0)
    except (OverflowError, ValueError):
        raise ValueError(
            f"{name}: the interval from {start} to {stop} in steps of {step} has no finite length"
        ) from None


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: torch.dtype | None = None,
    device: Device | None = None,
    endpoint: bool = True,
) -> Array:
    """Evenly spaced values over an interval.

    Parameters
    ----------
    start : int, float or complex
        The first value.
    stop : int, float or complex
        The end of the interval: the last value if ``endpoint``.
    num : int
        The number of values.
    dtype : torch.dtype, optional
        The dtype; by default the default complex dtype if ``start`` or ``stop`` is complex,
        else the default real floating-point dtype.
    device : torch.device or str, optional
        Where to place the array; by default torch's default device.
    endpoint : bool, default True
        Whether ``stop`` is among the values; if not, they are the first ``num`` of
        ``num + 1``.

    Returns
    -------
    Array
        ``num`` values in one dimension; in an integer dtype, the floor of each.

    Raises
    ------
    TypeError
        For a ``start`` or ``stop`` that is no Python scalar, a complex one in a real dtype,
        or a ``num`` that is no integer.
    ValueError
        For a negative ``num``, a dtype that is not one of the namespace's, or a device that
        this machine does not have.
    OverflowError
        For an int out of the range of float64.

    Notes
    -----
    The values are computed in double precision, whatever the dtype.

    Source: the array API standard, ``linspace``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.linspace(0, 1, 3)
    Array([0. , 0.5, 1. ], dtype=float64)
    >>> xp.linspace(0, 1, 4, endpoint=False)
    Array([0.  , 0.25, 0.5 , 0.75], dtype=float64)
    """
    name = "linspace"
    first = _number(name, "start", start)
    last = _number(name, "stop", stop)
    num = integer(name, "num", num)
    if num < 0:
        raise ValueError(f"{name}: num must not be negative, not {num}")
    kind = complex if complex in (type(first), type(last)) else float
    if dtype is None:
        dtype = default_dtype(name, kind)
    else:
        _checked_dtype(name, dtype)
        kind = complex if dtype.is_complex else float
    wide = torch.complex128 if kind is complex else torch.float64
    first = to_kind(name, "start", first, wide)
    last = to_kind(name, "stop", last, wide)
    place = None if device is None else normalize_device(name, device)
    try:
        return box(Array, kernels.linspace(first, last, num, dtype, place, bool(endpoint)))
    except RuntimeError as error:
        translate(name, error)


def _number(name: str, argument: str, value: Any) -> Any:
    if isinstance(value, complex):
        return complex(value)
    return real_number(name, argument, value)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: torch.dtype | None = None,
    device: Device | None = None,
) -> Array:
    """A matrix with ones on one diagonal and zeros elsewhere.

    Parameters
    ----------
    n_rows : int
        The number of rows.
    n_cols : int, optional
        The number of columns; by default as many as rows.
    k : int, default 0
        The diagonal: positive above the main one, negative below; any integer.
    dtype : torch.dtype, optional
        The dtype; by default the default real floating-point dtype.
    device : torch.device or str, optional
        Where to place the array; by default torch's default device.

    Returns
    -------
    Array
        Of shape ``(n_rows, n_cols)``.

    Raises
    ------
    TypeError
        For a size or a diagonal that is no integer.
    ValueError
        For a negative size, a dtype that is not one of the namespace's, or a device that
        this machine does not have.

    Notes
    -----
    Source: the array API standard, ``eye``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.eye(2, 3, k=1)
    Array([[0., 1., 0.],
           [0., 0., 1.]], dtype=float64)
    """
    rows = integer("eye", "n_rows", n_rows)
    columns = rows if n_cols is None else integer("eye", "n_cols", n_cols)
    if isinstance(n_rows, bool) or isinstance(n_cols, bool):
        raise TypeError("eye: n_rows and n_cols must be integers, not bool")
    if not (0 <= rows <= _INT64_MAX and 0 <= columns <= _INT64_MAX):
        raise ValueError(f"eye: no matrix has {rows} rows and {columns} columns")
    options = _options("eye", dtype, device)
    try:
        return box(Array, kernels.eye(rows, columns, integer("eye", "k", k), **options))
    except RuntimeError as error:
        translate("eye", error)


def tril(x: Array, /, *, k: int = 0) -> Array:
    """The lower triangle of a matrix, or of each in a stack.

    Parameters
    ----------
    x : Array
        Any dtype, shape ``(..., M, N)``.
    k : int, default 0
        The diagonal above which elements are zero: positive above the main one, negative
        below; any integer.

    Returns
    -------
    Array
        A copy of ``x`` with zeros above the diagonal.

    Raises
    ------
    TypeError
        For anything but an array, or a diagonal that is no integer.
    ValueError
        For fewer than two dimensions.

    Notes
    -----
    Source: the array API standard, ``tril``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.tril(xp.asarray([[1, 2], [3, 4]]))
    Array([[1, 0],
           [3, 4]], dtype=int64)
    """
    t = _matrices("tril", x)
    return box(Array, kernels.tril(t, k if type(k) is int else integer("tril", "k", k)))


def triu(x: Array, /, *, k: int = 0) -> Array:
    """The upper triangle of a matrix, or of each in a stack.

    Parameters
    ----------
    x : Array
        Any dtype, shape ``(..., M, N)``.
    k : int, default 0
        The diagonal below which elements are zero: positive above the main one, negative
        below; any integer.

    Returns
    -------
    Array
        A copy of ``x`` with zeros below the diagonal.

    Raises
    ------
    TypeError
        For anything but an array, or a diagonal that is no integer.
    ValueError
        For fewer than two dimensions.

    Notes
    -----
    Source: the array API standard, ``triu``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.triu(xp.asarray([[1, 2], [3, 4]]), k=1)
    Array([[0, 2],
           [0, 0]], dtype=int64)
    """
    t = _matrices("triu", x)
    return box(Array, kernels.triu(t, k if type(k) is int else integer("triu", "k", k)))


def _matrices(name: str, x: Array) -> Tensor:
    t = tensor_of(name, "x", x)
    if t.ndim < 2:
        raise ValueError(f"{name}: x must have at least 2 dimensions, not {t.ndim}")
    return t


def meshgrid(*arrays: Array, indexing: Literal["xy", "ij"] = "xy") -> tuple[Array, ...]:
    """Coordinate arrays of a grid, from the coordinates along its axes.

    Parameters
    ----------
    *arrays : Array
        One-dimensional, of one dtype and on one device.
    indexing : {"xy", "ij"}, default "xy"
        Whether the first array runs along the second axis (Cartesian) or the first (matrix).

    Returns
    -------
    tuple of Array
        As many as there are arrays, each of as many dimensions. Of arrays of length ``N1,
        N2, N3, ...`` the shape is ``(N2, N1, N3, ...)`` for ``"xy"`` and ``(N1, N2, N3,
        ...)`` for ``"ij"``. A list before version 2025.12 of the standard.

    Raises
    ------
    TypeError
        For anything but arrays.
    ValueError
        For arrays that are not one-dimensional or differ in dtype or device, or any other
        ``indexing``.

    Notes
    -----
    The arrays have memory of their own.

    Source: the array API standard, ``meshgrid``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.meshgrid(xp.asarray([1, 2, 3]), xp.asarray([4, 5]))
    (Array([[1, 2, 3],
           [1, 2, 3]], dtype=int64), Array([[4, 4, 4],
           [5, 5, 5]], dtype=int64))
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing must be 'xy' or 'ij', not {indexing!r}")
    vectors = [tensor_of("meshgrid", "each argument", a) for a in arrays]
    if vectors:
        first = vectors[0]
        for t in vectors:
            if t.ndim != 1:
                raise ValueError(
                    f"meshgrid: each array must be one-dimensional, not of shape {tuple(t.shape)}"
                )
            if t.dtype is not first.dtype:
                raise ValueError(
                    f"meshgrid: the arrays must have one dtype, not {name_of(first.dtype)} and "
                    f"{name_of(t.dtype)}"
                )
        check_devices("meshgrid", *vectors)
        vectors = kernels.meshgrid(vectors, indexing)
    grids = [box(Array, t) for t in vectors]
    return grids if _flags.api_version < "2025.12" else tuple(grids)  # type: ignore[return-value]
