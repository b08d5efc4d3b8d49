"""Exceptions that have no exact counterpart among Python's own.

torch's exceptions never reach a user of the namespace: whatever can be known before the
call is checked there, and what cannot is translated here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, NoReturn, TypeVar

import torch


class AxisError(ValueError, IndexError):
    """An axis that the array does not have, or one given twice.

    Both a ``ValueError`` and an ``IndexError``, as ``numpy.exceptions.AxisError`` is, so
    that code written for either kind of library catches it.
    """


class LinAlgError(ValueError):
    """A matrix for which the requested decomposition or solution does not exist.

    A ``ValueError``, as ``numpy.linalg.LinAlgError`` is.
    """


REFUSALS = (RuntimeError, IndexError, TypeError, ValueError, OverflowError)
"""What torch raises for arguments that it refuses; integers beyond 64 bits give each of them."""


class CopyError(BufferError, ValueError):
    """A copy that ``copy=False`` forbids, in an interchange.

    The standard's ``from_dlpack`` asks for a ``BufferError`` under *copy* and for a
    ``ValueError`` under *Raises*.
    """


def shown(value: object) -> str:
    """A wrong value in a message. Python spells no integer of thousands of digits."""
    try:
        return str(value)
    except ValueError:
        return "of thousands of digits"


def translate(name: str, error: Exception) -> NoReturn:
    """Replace an error of torch's by the error that a caller of ``name`` should see.

    The last resort: reached only by what no check foresaw. Running out of a device's memory
    stays what it is, because callers handle it by that type; on the CPU it is a ``MemoryError``.
    The traceback shows this error alone.
    """
    if isinstance(error, torch.OutOfMemoryError):
        raise error
    refuse_size(name, error)
    if "leaf Variable" in str(error):
        raise ValueError(
            f"{name}: an array that needs a gradient and was not computed cannot be written to; "
            "write to a copy, or under torch.no_grad()"
        ) from None
    if isinstance(error, torch.linalg.LinAlgError):  # type: ignore[attr-defined]
        raise LinAlgError(f"{name}: {_first_line(error)}") from None
    raise ValueError(f"{name}: {_first_line(error)}") from None


def refuse_size(name: str, error: Exception) -> None:
    """Raise NumPy's error where torch says that a result fits into no memory.

    ``MemoryError`` where the CPU has too little, ``ValueError`` where the number of bytes
    overflows: torch has a ``RuntimeError`` for both. Returns for every other error.
    """
    text = str(error)
    if "DefaultCPUAllocator" in text or "not enough memory" in text:
        wanted = re.search(r"allocate (\d+) bytes", text)
        amount = f"{wanted[1]} bytes" if wanted else "the result"
        raise MemoryError(f"{name}: unable to allocate {amount}") from None
    if any(said in text for said in _TOO_BIG):
        raise ValueError(
            f"{name}: array is too big; its size in bytes is larger than the maximum possible size"
        ) from None


_TOO_BIG = (
    "Storage size calculation overflowed",
    "integer multiplication overflow",
    "Overflow when unpacking long",
    "Trying to create tensor with negative dimension",
    "int too big to convert",
    "possible overflow",
    "plus negative padding",
)
"""What torch says of sizes beyond 64 bits."""

_F = TypeVar("_F", bound=Callable[..., Any])


def sized(function: _F) -> _F:
    """Let ``function`` raise NumPy's errors for results that fit into no memory.

    A decorator for functions that make results larger than their arguments; those whose calls
    are counted in nanoseconds catch the error themselves.
    """

    @wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except (RuntimeError, TypeError, ValueError, OverflowError) as error:
            refuse_size(function.__name__.strip("_"), error)
            raise

    return checked  # type: ignore[return-value]


def _first_line(error: Exception) -> str:
    """The first line of a message, without the torch function that says it."""
    line = str(error).split("\n", 1)[0]
    head, _, rest = line.partition(": ")
    return rest if rest and " " not in head else line


def type_name(x: object) -> str:
    """The type of a wrong argument, as its user knows it."""
    kind = type(x)
    module = kind.__module__
    return kind.__name__ if module == "builtins" else f"{module}.{kind.__name__}"
