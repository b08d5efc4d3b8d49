"""What ``x.__class__`` answers, which ``isinstance`` asks: it depends on who asks.

Libraries tell arrays from lists by ``isinstance(x, numpy.ndarray)``, and get the answer yes.
Others look a class up in a table by type: ``_Kind.__eq__`` answers by the same rule.
Who needs the class itself gets that: torch, which looks there for methods; this package;
NumPy's own functions, which convert what is not an array of theirs; code that writes
``__class__``; the modules that choose an array API namespace, which keep their answers by class;
and the few places in libraries that convert what is not NumPy's and give what is to compiled code.
"""

from __future__ import annotations

import sys
from opcode import opmap
from types import CodeType
from typing import Any, Final, Protocol

from torch.compiler import is_dynamo_compiling

_OWN: Final = ("numpy_shim", "xp_torch", "torch", "numpy")
"""Packages that get the class itself."""

_NUMPYS_TESTS: Final = "numpy.testing"
"""``assert_almost_equal`` compares arrays with operators, and anything else by its truth."""

_CONVERTING: Final[dict[str, frozenset[str] | None]] = {
    # What these give becomes columns and indices; ``None`` stands for every function.
    "pandas.core.construction": None,
    "pandas.core.internals.construction": None,
    # The hash table takes NumPy's arrays only.
    "pandas.core.algorithms": frozenset({"isin"}),
    # What is found by class for NumPy's arrays is given their memory, to hash it.
    "dask.utils": None,
    # Times and time differences are computed by compiled code.
    "pandas.core.arrays.datetimelike": frozenset({"ensure_arraylike_for_datetimelike"}),
    # ``jax.numpy.array`` and ``asarray`` look NumPy's arrays up by their class.
    "jax._src.numpy.array_constructors": None,
    # ``x.to_backend("numpy")`` leaves chunks of NumPy's as they are.
    "dask.array.backends": frozenset({"to_backend"}),
}
"""Modules and functions that convert what is not an array of NumPy's, and keep what is one."""

_CHOOSING: Final = ("array_api_compat", "_array_api", "_array_api_override")
"""Modules of libraries, by a part of their name, that choose a namespace by the class of an array.

They keep their answers in a cache by class: it must not give the answer for one class to arrays
of the other.
"""

EVERY: Final[frozenset[str]] = frozenset({"<every function>"})
NONE: Final[frozenset[str]] = frozenset()
functions_told: dict[Any, frozenset[str]] = {}
"""By a module's name, the functions that get the class itself. Filled on first use."""


class Frame(Protocol):
    """A frame of Python's, or Dynamo's stand-in for one."""

    @property
    def f_globals(self) -> dict[str, Any]: ...
    @property
    def f_code(self) -> CodeType: ...


def wants_own(frame: Frame) -> bool:
    """Whether the code of a frame gets the class itself, and not NumPy's."""
    name = frame.f_globals.get("__name__")
    told = functions_told.get(name)
    if told is None:
        told = functions_told[name] = _decided(str(name))
    if told is EVERY:
        return True
    code = frame.f_code
    return code.co_name in told or ("__class__" in code.co_names and is_at_attribute(frame))


_ATTRIBUTES: Final = frozenset(opmap.get(name) for name in ("LOAD_ATTR", "LOAD_METHOD"))
"""The instructions that read an attribute; ``LOAD_METHOD`` is of Python 3.11."""


def is_at_attribute(frame: Frame) -> bool:
    """Whether a frame that has ``__class__`` in its code reads an attribute now.

    A method may say ``isinstance(x, numpy.ndarray)`` in one line and ``self.__class__(y)`` in
    another. Python calls a property for both.
    """
    if is_dynamo_compiling():  # its stand-in for a frame does not know the instruction
        return True
    at = getattr(frame, "f_lasti", -1)
    return at < 0 or frame.f_code.co_code[at] in _ATTRIBUTES


def _decided(name: str) -> frozenset[str]:
    if name == _NUMPYS_TESTS or name.startswith(f"{_NUMPYS_TESTS}."):
        return NONE
    parts = name.split(".")
    if parts[0] in _OWN or any(part in _CHOOSING for part in parts):
        return EVERY
    functions = _CONVERTING.get(name, NONE)
    return EVERY if functions is None else functions


asking = sys._getframe
"""``asking(1)``: the frame of the code that asks. ``isinstance`` itself has none."""
