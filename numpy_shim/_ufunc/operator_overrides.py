"""Decide which operand's class handles an operator (NEP 13).

Only the rare path calls this, after the fast paths have handled arrays and numbers.
"""

from __future__ import annotations

from typing import Any

from .._array.ndarray import ARRAYS, ndarray
from .._array.scalars import TensorScalar
from .._base.host_setting import may_hand
from .._base.promotion import PYTHON_NUMBERS
from .._convert.sequences import is_array, is_sequence
from . import declarations, gufuncs

_KNOWN = (*ARRAYS, int, float, complex, str, bytes, list, tuple)
_PRIORITY_OF_SCALARS = -1_000_000.0  # NumPy's; arrays have 0


def is_theirs(x: ndarray, other: object, reflected: bool = False) -> bool:
    """Whether an operator of ``x`` is left to ``other``.

    It is left to a class that overrides ufuncs, and, if such dtypes are switched off, to an
    object that only an array of objects could hold. A ``reflected`` operator is called after
    ``other`` has refused, so its priority no longer counts.
    """
    kind = type(other)
    if kind in PYTHON_NUMBERS or isinstance(other, _KNOWN):
        return False
    if reflected:
        return hasattr(kind, "__array_ufunc__") or (not may_hand() and _is_opaque(other))
    return has_say(x, other) or (not may_hand() and _is_opaque(other))


def has_say(x: ndarray, other: object) -> bool:
    """Whether a class overrides ufuncs, or has an ``__array_priority__`` above that of ``x``."""
    if hasattr(type(other), "__array_ufunc__"):
        return True
    priority = getattr(other, "__array_priority__", None)
    least = _PRIORITY_OF_SCALARS if isinstance(x, TensorScalar) else 0.0
    return isinstance(priority, (int, float)) and priority > least


def _is_opaque(other: Any) -> bool:
    """Whether an object is not array-like: not an array, sequence or buffer."""
    if is_array(type(other)) or is_sequence(type(other)):
        return False
    try:
        memoryview(other)
    except TypeError:
        return True
    return False


def answer(name: str, args: tuple[object, object], other: object, **options: object) -> Any:
    """The result of an operator that is left to ``other``: its ufunc's, or ``NotImplemented``.

    The ufunc is ``name``. If ``other`` has an ``__array_ufunc__``, it is called. If that is
    ``None``, Python calls the operator of ``other``, except for an in-place operator.
    """
    override = getattr(type(other), "__array_ufunc__", NotImplemented)
    if override is NotImplemented or (override is None and not options):
        return NotImplemented
    ufunc = getattr(gufuncs if name == "matmul" else declarations, name)
    return ufunc(*args, **options)
