"""Installs the members of the array class and the scalars; no other module does so.

The classes below list the names, each in its own module. This module is imported last.
"""

from __future__ import annotations

import _abc  # type: ignore[import-not-found]
from typing import Any

from .._array.ndarray import AnyArray, add_members, ndarray
from .._array.scalars import FloatScalar, IntegerScalar, TensorScalar
from .._convert.constructor import new_array
from .attributes import Attributes
from .conversion_methods import Conversions
from .function_methods import Thin
from .in_place_operators import InPlace
from .memory_methods import OnMemory
from .operators import Operators, ScalarPower
from .protocols import Protocols, Sized
from .scalar_members import Printed, RoundedFloat, RoundedInteger


def _match_as_sequence(cls: Any) -> None:
    """Let ``case [x, y]`` match an array, as with NumPy 2.5.

    CPython has a type flag for it. Only C classes and the function behind ``abc.ABCMeta`` can set
    it. Registering would also make an array a ``Sequence``, which it is not.
    """
    cls.__abc_tpflags__ = 1 << 5  # Py_TPFLAGS_SEQUENCE
    _abc._abc_init(cls)
    del cls._abc_impl, cls.__abstractmethods__


for _source in (Attributes, Protocols, Conversions, OnMemory, Thin, Operators, InPlace):
    add_members(AnyArray, _source)
add_members(ndarray, Sized)
add_members(TensorScalar, Printed)
add_members(TensorScalar, ScalarPower)
add_members(IntegerScalar, RoundedInteger)
add_members(FloatScalar, RoundedFloat)
ndarray.__new__ = new_array  # type: ignore[method-assign]
_match_as_sequence(ndarray)
