"""Python scalars: how to recognise them and convert them to a dtype's kind."""

from __future__ import annotations

import operator
from typing import Any

import torch

from .dtypes import BOUNDS, name_of
from .errors import shown

SCALAR_TYPES = frozenset({bool, int, float, complex})

NUMBERS = (int, float, complex)
"""Python's numbers and their subclasses, for ``isinstance``; a bool is an int."""


def plain_number(value: object) -> Any:
    """A Python number as exactly a bool, int, float or complex; anything else as it is.

    A subclass (``numpy.float64``, ``numpy.complex128``, an ``IntEnum``) becomes its base.
    """
    if type(value) in SCALAR_TYPES:
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    return complex(value) if isinstance(value, complex) else value


def python_scalar(name: str, argument: str, value: object) -> Any:
    """``value`` as exactly a bool, int, float or complex; a ``TypeError`` if it is none.

    A subclass becomes its base, as in ``plain_number``.
    """
    number = plain_number(value)
    if type(number) in SCALAR_TYPES:
        return number
    raise TypeError(
        f"{name}: {argument} must be a Python bool, int, float or complex, not "
        f"{type(value).__name__}"
    )


def real_number(name: str, argument: str, value: Any) -> Any:
    """Convert ``value`` to an int or a float. It may have ``__index__``."""
    if type(value) in (int, float):
        return value
    if isinstance(value, float):
        return float(value)
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(
            f"{name}: {argument} must be an int or a float, not {type(value).__name__}"
        ) from None


def truth(name: str, argument: str, value: object) -> bool:
    """Convert an argument to a bool. Raise ``TypeError`` if it has no truth value."""
    try:
        return bool(value)
    except (TypeError, ValueError, RuntimeError):
        raise TypeError(f"{name}: {argument} must be a bool, not {type(value).__name__}") from None


def to_kind(name: str, argument: str, value: object, dtype: torch.dtype) -> Any:
    """Convert a Python scalar to the Python type of a dtype's kind; check the range.

    Floats become integers by truncation toward zero, as in Python. Raises ``TypeError`` for
    a complex value in a real dtype, ``OverflowError`` for a value out of range and
    ``ValueError`` for the integer of a NaN.
    """
    if dtype is torch.bool:
        return bool(value)
    if dtype.is_complex:
        return _converted(name, argument, value, dtype, complex)
    if type(value) is complex:
        raise TypeError(
            f"{name}: {argument} is complex and {name_of(dtype)} is real; take its real part"
        )
    if dtype.is_floating_point:
        return _converted(name, argument, value, dtype, float)
    whole = _converted(name, argument, value, dtype, int)
    low, high = BOUNDS[dtype]
    if not low <= whole <= high:
        raise OverflowError(
            f"{name}: {argument}, {shown(value)}, is out of range for {name_of(dtype)}"
        )
    return whole


def _converted(name: str, argument: str, value: Any, dtype: torch.dtype, kind: Any) -> Any:
    try:
        return kind(value)
    except OverflowError:
        raise OverflowError(f"{name}: {argument} is out of range for {name_of(dtype)}") from None
    except ValueError:
        raise ValueError(f"{name}: {argument}, a NaN, has no {name_of(dtype)} value") from None
