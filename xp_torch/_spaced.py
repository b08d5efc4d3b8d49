"""The chapter *Creation functions*: evenly spaced values."""

from __future__ import annotations

import math
from typing import Any

import torch

from ._array import Array
from ._core import defaults
from ._core.axes import integer
from ._core.box import box, note_device
from ._core.devices import normalize_device
from ._core.dtypes import EXACT, INTEGER, name_of
from ._core.errors import shown, translate
from ._core.scalars import real_number, to_kind, truth
from ._creation import INT64_MAX, checked_dtype, default_dtype
from ._data_types import Device
from ._kernels import creation as kernels

__all__ = ["arange", "linspace"]

_REAL = frozenset({int, float})


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
        The device of the array; by default torch's default device.

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
    The length is exact for integers of any size. With floating-point arguments and an integer dtype
    the step is the difference of the first two converted values, as in NumPy.

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
    whole = type(start) is int and type(stop) is int and type(step) is int
    if device is None and (
        whole or (type(start) in _REAL and type(stop) in _REAL and type(step) in _REAL)
    ):
        if dtype is None:
            made = defaults.INT if whole else defaults.float_dtype()
        else:
            made = dtype
        if (
            # torch computes the same length as _count here, from the same doubles.
            (made is torch.float64 or made is torch.float32 or (whole and made is torch.int64))
            and 0 < step <= EXACT
            and -EXACT <= start < stop <= EXACT
            and step <= stop - start
        ):
            try:
                if start == 0 and step == 1 and made is torch.int64:
                    t = torch.arange(stop)  # torch reads one argument faster than four
                else:
                    t = torch.arange(start, stop, step, dtype=made)
                if t.get_device() >= 0:
                    note_device()
                out = Array()
                out._tensor = t
                return out
            except (RuntimeError, TypeError):
                pass  # the rest raises the error, or takes float32 where the device lacks float64
    return _arange_general(start, stop, step, dtype, device)


def _arange_general(start: Any, stop: Any, step: Any, dtype: Any, device: Any) -> Array:
    name = "arange"
    start = real_number(name, "start", start)
    stop = real_number(name, "stop", stop)
    step = real_number(name, "step", step)
    whole = type(start) is int and type(stop) is int and type(step) is int
    if dtype is not None and checked_dtype(name, dtype) is torch.bool:
        raise TypeError(f"{name}: dtype must be a numeric dtype, not bool")
    on_device = None if device is None else normalize_device(name, device)
    if dtype is None:
        dtype = defaults.INT if whole else defaults.float_dtype_on(on_device)
    count = _count(name, start, stop, step)
    if count * dtype.itemsize > INT64_MAX:
        raise ValueError(f"{name}: {shown(count)} values are more than any memory holds")
    try:
        if dtype not in INTEGER.dtypes:
            first = to_kind(name, "start", start, torch.float64)
            end = to_kind(name, "stop", stop, torch.float64)
            distance = to_kind(name, "step", step, torch.float64)
            return box(Array, kernels.arange_float(first, end, distance, count, dtype, on_device))
        if count == 0:
            return box(Array, torch.empty(0, dtype=dtype, device=on_device))
        first = to_kind(name, "start", start, dtype)
        second = to_kind(name, "start + step", start + step, dtype) if count > 1 else first + 1
        return box(Array, kernels.arange_int(first, second - first, count, dtype, on_device))
    except RuntimeError as error:
        translate(name, error)


def _count(name: str, start: Any, stop: Any, step: object) -> int:
    """The number of values of ``arange``: exact for integers, in doubles otherwise."""
    if step == 0:
        raise ZeroDivisionError(f"{name}: step must not be 0")
    if type(start) is int and type(stop) is int and type(step) is int:
        return int(max(-((start - stop) // step), 0))
    try:
        distance = stop - start
        quotient = distance / step
        if quotient == 0 and distance != 0:
            # The quotient underflowed. The sign of the zero is the sign of the quotient.
            return int(math.copysign(1.0, quotient) > 0)
        count: int = math.ceil(quotient)
        return max(count, 0)
    except (OverflowError, ValueError):
        raise ValueError(
            f"{name}: the interval from {shown(start)} to {shown(stop)} in steps of {shown(step)} "
            "has no finite length"
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
        The device of the array; by default torch's default device.
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
        For a ``start`` or ``stop`` that is not a Python scalar, a complex one in a real dtype,
        or a ``num`` that is not an integer.
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
    if (
        dtype is None
        and device is None
        and endpoint is True
        and type(num) is int
        and 0 < num <= INT64_MAX
        and type(start) in _REAL
        and type(stop) in _REAL
        and -EXACT <= start <= EXACT  # type: ignore[operator]
        and -EXACT <= stop <= EXACT  # type: ignore[operator]
        and defaults.float_dtype() is torch.float64
    ):
        try:
            return box(Array, torch.linspace(start, stop, num, dtype=torch.float64))
        except TypeError:
            pass  # the device lacks float64: the rest takes float32
        except RuntimeError as error:
            translate("linspace", error)
    return _linspace_general(start, stop, num, dtype, device, endpoint)


def _linspace_general(
    start: object, stop: object, num: Any, dtype: Any, device: object, endpoint: object
) -> Array:
    name = "linspace"
    first = _number(name, "start", start)
    last = _number(name, "stop", stop)
    num = integer(name, "num", num)
    if num < 0:
        raise ValueError(f"{name}: num must not be negative, not {num}")
    if num > INT64_MAX:
        raise ValueError(f"{name}: {shown(num)} values are more than any memory holds")
    is_complex = complex in (type(first), type(last))
    if dtype is not None:
        checked_dtype(name, dtype)
    on_device = None if device is None else normalize_device(name, device)
    if dtype is None:
        dtype = default_dtype(name, complex if is_complex else float, on_device)
    if is_complex and not dtype.is_complex:
        raise TypeError(
            f"{name}: start or stop is complex and {name_of(dtype)} is real; take its real part"
        )
    wide = torch.complex128 if is_complex else torch.float64
    first = to_kind(name, "start", first, wide)
    last = to_kind(name, "stop", last, wide)
    closed = truth(name, "endpoint", endpoint)
    try:
        return box(Array, kernels.linspace(first, last, num, dtype, on_device, closed))
    except RuntimeError as error:
        translate(name, error)


def _number(name: str, argument: str, value: object) -> Any:
    if isinstance(value, complex):
        return complex(value)
    return real_number(name, argument, value)
