"""Exceptions that have no exact counterpart among Python's own.

torch's exceptions never reach a user of the namespace. Functions check their arguments before the
call, and this module translates the remaining errors.
"""

from __future__ import annotations

import re
from typing import NoReturn

import torch


class AxisError(ValueError, IndexError):
    """An axis that the array does not have, or one given twice.

    Both a ``ValueError`` and an ``IndexError``, as ``numpy.exceptions.AxisError`` is, so
    that code written for either kind of library catches it.
    """


TorchLinAlgError: type[RuntimeError] = torch.linalg.LinAlgError  # type: ignore[attr-defined]
"""torch's error, which its annotations do not have."""


class LinAlgError(ValueError):
    """A matrix for which the requested decomposition or solution does not exist.

    A ``ValueError``, as ``numpy.linalg.LinAlgError`` is.
    """


REFUSALS = (RuntimeError, IndexError, TypeError, ValueError, OverflowError)
"""The exceptions that torch raises for refused arguments (and ints beyond 64 bits)."""


class CopyError(BufferError, ValueError):
    """A copy that ``copy=False`` forbids, in an interchange.

    The standard's ``from_dlpack`` asks for a ``BufferError`` under *copy* and for a
    ``ValueError`` under *Raises*.
    """


def shown(value: object) -> str:
    """Format a wrong value for a message. Python cannot print very long integers."""
    try:
        return str(value)
    except ValueError:
        return "of thousands of digits"


def check_choice(name: str, argument: str, value: object, choices: tuple[str, ...]) -> None:
    """Raise ``ValueError`` unless an argument is one of a few words."""
    if not (isinstance(value, str) and value in choices):
        *others, last = map(repr, choices)
        raise ValueError(f"{name}: {argument} must be {', '.join(others)} or {last}, not {value!r}")


def translate(name: str, error: Exception) -> NoReturn:
    """Replace an error of torch's by the error that a caller of ``name`` should see.

    The last resort, for errors that no check foresaw. Out-of-memory errors of a device keep their
    type, because callers catch that type; on the CPU they become ``MemoryError``.
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
    if "not being vmapped" in str(error):
        raise ValueError(
            f"{name}: under vmap, an array that does not depend on what is mapped cannot be "
            "written to with values that do; make it of a mapped array (zeros_like(x) instead of "
            "zeros(n)), or join the parts (stack, where)"
        ) from None
    if isinstance(error, TorchLinAlgError):
        raise LinAlgError(f"{name}: {_first_line(error)}") from None
    outside = isinstance(error, IndexError) and "out of bounds" in str(error)
    raise (IndexError if outside else ValueError)(f"{name}: {_first_line(error)}") from None


def refuse_size(name: str, error: Exception) -> None:
    """Raise NumPy's error when torch says that a result does not fit into memory.

    ``MemoryError`` where the CPU has too little, ``ValueError`` where the number of bytes
    overflows: torch has a ``RuntimeError`` for both. Other errors are ignored.
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
    "to type int64_t without overflow",
)
"""torch's messages about sizes beyond 64 bits."""


def _first_line(error: Exception) -> str:
    """The first line of a message, without the name of the torch function."""
    line = str(error).split("\n", 1)[0]
    head, _, rest = line.partition(": ")
    return rest if rest and " " not in head else line


def type_name(x: object) -> str:
    """The name of the type of a wrong argument, for a message."""
    kind = type(x)
    module = kind.__module__
    return kind.__name__ if module == "builtins" else f"{module}.{kind.__name__}"
