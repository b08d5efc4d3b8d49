"""Exceptions that have no exact counterpart among Python's own.

torch's exceptions never reach a user of the namespace: whatever can be known before the
call is checked there, and what cannot is translated here.
"""

from __future__ import annotations

from typing import NoReturn

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
    """Raise what a caller of ``name`` should see in place of an error of torch's.

    The last resort: reached only by what no check foresaw. Running out of memory stays
    what it is, because callers handle it by that type.
    """
    if isinstance(error, torch.OutOfMemoryError):
        raise error
    if "DefaultCPUAllocator" in str(error):  # torch has no exception of its own for the CPU
        raise MemoryError(f"{name}: {_first_line(error)}") from error
    if isinstance(error, torch.linalg.LinAlgError):  # type: ignore[attr-defined]
        raise LinAlgError(f"{name}: {_first_line(error)}") from error
    raise ValueError(f"{name}: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    """The first line of a message, without the torch function that says it."""
    line = str(error).split("\n", 1)[0]
    head, _, rest = line.partition(": ")
    return rest if rest and " " not in head else line
