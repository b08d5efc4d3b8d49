"""``scipy.sparse.linalg`` where the arrays are: SciPy's Python code is executed in this package."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    """What SciPy's text asks of the package: operators are ours, the rest is SciPy's."""
    if name.startswith("_"):
        raise AttributeError(name)
    if name in ("LinearOperator", "aslinearoperator"):
        return getattr(import_module(f"{__name__.rpartition('.')[0]}.operators")._text, name)
    return getattr(import_module("numpy_shim.scipy.sparse.linalg"), name)
