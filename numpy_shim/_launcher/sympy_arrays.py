"""Lets SymPy take arrays and scalars of ours as it takes NumPy's.

SymPy asks for the module of an object's class. What is not of ``numpy`` it reads by ``float``, so
that an integer becomes a float, and ``symbol + array`` an error. So in a launched program arrays
of ours are NumPy's for it, and it is given the value of a scalar.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import ModuleType
from typing import Any

from xp_torch._torch.patches import when_imported

from .._array.ndarray import AnyArray
from .pandas_scalars import number
from .replacing import Rule, replace


def install() -> None:
    """Change SymPy's conversion when it is imported."""
    when_imported("sympy.core.sympify", _change)


def _change(sympify: ModuleType) -> None:
    if not all(hasattr(sympify, name) for name in _RULES):  # another release
        return
    for name, rule in _RULES.items():
        replace(sympify, name, rule)


def _with_ours(is_theirs: Callable[[object], Any]) -> Callable[[object], Any]:
    @wraps(is_theirs)
    def is_numpy_instance(a: object) -> Any:
        return isinstance(a, AnyArray) or is_theirs(a)

    return is_numpy_instance


def _of_numbers(convert: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(convert)
    def convert_numpy_types(a: object, **options: Any) -> Any:
        return convert(number(a), **options)

    return convert_numpy_types


_RULES: dict[str, Rule] = {
    "_is_numpy_instance": _with_ours,
    "_convert_numpy_types": _of_numbers,
}
"""What is put around SymPy's functions."""
