"""Lets SymPy take arrays and scalars of ours as it takes NumPy's.

SymPy asks for the module of an object's class. What is not of ``numpy`` it reads by ``float``, so
that an integer becomes a float, and ``symbol + array`` an error. So in a launched program arrays
of ours are NumPy's for it, and it is given the value of a scalar.
"""

from __future__ import annotations

from functools import wraps
from types import ModuleType
from typing import Any

from xp_torch._torch.patches import when_imported

from .._array.ndarray import AnyArray
from .pandas_scalars import number


def install() -> None:
    """Change SymPy's conversion when it is imported."""
    when_imported("sympy.core.sympify", _change)


def _change(sympify: ModuleType) -> None:
    is_theirs: Any = getattr(sympify, "_is_numpy_instance", None)
    convert: Any = getattr(sympify, "_convert_numpy_types", None)
    if is_theirs is None or convert is None:  # another release
        return

    @wraps(is_theirs)
    def is_numpy_instance(a: object) -> Any:
        return isinstance(a, AnyArray) or is_theirs(a)

    @wraps(convert)
    def convert_numpy_types(a: object, **options: Any) -> Any:
        return convert(number(a), **options)

    sympify._is_numpy_instance = is_numpy_instance  # type: ignore[attr-defined]
    sympify._convert_numpy_types = convert_numpy_types  # type: ignore[attr-defined]
