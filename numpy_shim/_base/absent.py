"""NumPy's names that are missing on purpose, each with the reason that the error message gives."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy

_MATRIX = "the matrix class is deprecated in NumPy; use 2-D arrays and @"
_C = "it serves code in C or Fortran that is compiled against NumPy; import numpy for it"

ABSENT: dict[str, str] = {
    **dict.fromkeys(("matlib",), _MATRIX),
    "get_include": _C,
    "test": "NumPy's tests run by `python -m conformance numpy --module numpy_shim`",
}  # fmt: skip
"""Each absent name and why."""


def missing(name: str) -> NoReturn:
    """Raise the ``AttributeError`` for a name that the namespace does not have.

    For a name that NumPy itself has removed, the message is NumPy's own.
    """
    if name in ABSENT:
        raise AttributeError(f"numpy_shim has no {name!r}: {ABSENT[name]}", name=name)
    if not name.startswith("_") and not hasattr(numpy, name):
        attribute: Any = getattr(numpy, name)  # NumPy's message names the replacement
        raise AssertionError(attribute)
    raise AttributeError(f"module 'numpy_shim' has no attribute {name!r}", name=name)
