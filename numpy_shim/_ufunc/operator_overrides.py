"""Whose an operator is: the arrays', or that of an operand of a class NumPy does not know.

Asked in the rare path only, after the fast paths have taken arrays and numbers.
"""

from __future__ import annotations

from typing import Any

from .._array.ndarray import ARRAYS, ndarray
from .._array.scalars import TensorScalar
from .._convert.sequences import is_array, is_sequence
from .._core.promotion import PYTHON_NUMBERS
from . import declarations, gufuncs

_KNOWN = (*ARRAYS, int, float, complex, str, bytes, list, tuple)
_PRIORITY_OF_SCALARS = -1_000_000.0  # NumPy's; arrays have 0


def is_theirs(x: ndarray, other: Any, reflected: bool = False) -> bool:
    """Whether an operator of ``x`` is left to ``other``.

    To one that has a say, and to one that only an array of objects would hold: NumPy asks such
    an object for each element, here it is asked once. A ``reflected`` operator is called after
    ``other`` has been asked: its priority no longer counts.
    """
    kind = type(other)
    if kind in PYTHON_NUMBERS or isinstance(other, _KNOWN):
        return False
    if reflected:
        return hasattr(kind, "__array_ufunc__") or _is_opaque(other)
    return has_say(x, other) or _is_opaque(other)


def has_say(x: ndarray, other: Any) -> bool:
    """Whether a class has a say on ufuncs, or an ``__array_priority__`` above that of ``x``."""
    if hasattr(type(other), "__array_ufunc__"):
        return True
    priority = getattr(other, "__array_priority__", None)
    least = _PRIORITY_OF_SCALARS if isinstance(x, TensorScalar) else 0.0
    return isinstance(priority, (int, float)) and priority > least


def _is_opaque(other: Any) -> bool:
    """Whether an object is no array-like: no array, sequence or buffer."""
    if is_array(type(other)) or is_sequence(type(other)):
        return False
    try:
        memoryview(other)
    except TypeError:
        return True
    return False


def answer(name: str, args: tuple[Any, Any], other: Any, **options: Any) -> Any:
    """What an operator returns that is left to ``other``: its ufunc's result, or nothing.

    The ufunc is the one called ``name``. Its ``__array_ufunc__`` is asked where ``other`` has
    one; where that is ``None``, Python asks ``other`` for its own operator, unless in place.
    """
    override = getattr(type(other), "__array_ufunc__", NotImplemented)
    if override is NotImplemented or (override is None and not options):
        return NotImplemented
    ufunc = getattr(gufuncs if name == "matmul" else declarations, name)
    return ufunc(*args, **options)
