"""Gives arrays of ours to SciPy's sparse factorizations, as NumPy's.

``splu(A).solve(b)`` is compiled and takes NumPy's class alone; there is no protocol by which an
array could become one. A program under the launcher cannot convert it either, for its ``numpy`` is
ours. So the two functions that factorize return their result with a ``solve`` that converts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from .._array.ndarray import AnyArray, wrap
from .._convert.foreign import from_numpy
from .._convert.to_numpy import shared

MODULE = "scipy.sparse.linalg._dsolve.linsolve"
FUNCTIONS = ("splu", "spilu")


class Factorization:
    """SciPy's ``SuperLU``, whose ``solve`` takes arrays of ours and then returns one."""

    def __init__(self, plain: Any) -> None:
        self._plain = plain

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return type(self._plain)

    def solve(self, rhs: Any, trans: str = "N") -> Any:
        """The solution for one or several right-hand sides, on the device of an array of ours."""
        if not isinstance(rhs, AnyArray):
            return self._plain.solve(rhs, trans)
        solution = self._plain.solve(shared("solve", rhs), trans)
        return wrap(from_numpy("solve", solution, "solution").to(rhs._tensor.device))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plain, name)

    def __dir__(self) -> list[str]:
        return dir(self._plain)


def _factorizing(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def factorize(*args: Any, **options: Any) -> Factorization:
        return Factorization(function(*args, **options))

    return factorize


def adapt(module: ModuleType) -> None:
    """Replace the functions of SciPy's module."""
    for name in FUNCTIONS:
        setattr(module, name, _factorizing(getattr(module, name)))


class Finder:
    """Finds SciPy's module as Python does, and adapts it once it has been executed."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module's spec; ``None``, which leaves the search to Python, for all others."""
        if name != MODULE:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return None
        loader: Any = spec.loader
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            adapt(module)

        loader.exec_module = exec_module
        return spec


def install() -> None:
    """Adapt SciPy's module when it is imported."""
    if Finder not in sys.meta_path:
        sys.meta_path.insert(0, Finder)
