"""The scalar types: NumPy's own classes, so that every library knows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy
import torch

from .dtypes import NUMPY, TORCH

from numpy import (  # isort: skip
    bool, bool_, byte, bytes_, cdouble, character, clongdouble, complex64, complex128,
    complexfloating, csingle, datetime64, double, flexible, float16, float32, float64, floating,
    generic, half, inexact, int8, int16, int32, int64, int_, intc, integer, intp, long, longdouble,
    longlong, number, object_, record, short, signedinteger, single, str_, timedelta64, ubyte, uint,
    uint8, uint16, uint32, uint64, uintc, uintp, ulong, ulonglong, unsignedinteger, ushort, void,
)  # fmt: skip

__all__ = [
    "bool", "bool_", "byte", "bytes_", "cdouble", "character", "clongdouble", "complex64",
    "complex128", "complexfloating", "csingle", "datetime64", "double", "flexible", "float16",
    "float32", "float64", "floating", "generic", "half", "inexact", "int8", "int16", "int32",
    "int64", "int_", "intc", "integer", "intp", "long", "longdouble", "longlong", "number",
    "object_", "record", "short", "signedinteger", "single", "str_", "timedelta64", "ubyte",
    "uint", "uint8", "uint16", "uint32", "uint64", "uintc", "uintp", "ulong", "ulonglong",
    "unsignedinteger", "ushort", "void",
]  # fmt: skip

HOST: dict[torch.dtype, type[numpy.generic]] = {t: n.type for t, n in NUMPY.items()}
"""NumPy's scalar type of each torch dtype."""


def _of_python(kind: type[numpy.generic]) -> Callable[[Any], numpy.generic]:
    """A function from the Python number of an element to a scalar; the fastest one there is.

    The types of integers and of float32 make an array of their argument first. A sum with zero
    keeps every value of theirs, if the zero of floats is negative, and takes a third of the time.
    """
    if kind is numpy.bool:
        return (numpy.False_, numpy.True_).__getitem__
    if issubclass(kind, numpy.integer):
        return kind(0).__add__
    return kind(-0.0).__add__ if kind is numpy.float32 else kind


FROM_PYTHON: dict[torch.dtype, Callable[[Any], numpy.generic]] = {
    dtype: _of_python(kind) for dtype, kind in HOST.items()
}
"""NumPy's scalar of a Python number, which is a value of the torch dtype."""

STORED: dict[type, torch.dtype] = {
    kind: TORCH[numpy.dtype(kind)]
    for kind in {*numpy.sctypeDict.values(), *HOST.values()}
    if kind in HOST.values() or numpy.dtype(kind) in TORCH
}
"""The torch dtype of each of NumPy's scalar types whose values torch can store."""

_SIGNED = frozenset(t for t, n in NUMPY.items() if n.kind == "i")
_REAL = frozenset(k for k in STORED if issubclass(k, (numpy.integer, numpy.floating)))


def check_elements(dtype: torch.dtype, values: Iterable[object]) -> None:
    """Raise NumPy's error for a scalar of NumPy's that an element of ``dtype`` cannot hold.

    NumPy converts a scalar to a Python int before it writes it to an element of a signed integer
    dtype: a number out of range is an ``OverflowError``, NaN a ``ValueError``. It casts scalars to
    other dtypes, and so wraps them to unsigned integers. NumPy itself is asked.
    """
    if dtype in _SIGNED:
        cell = numpy.empty((), NUMPY[dtype])
        for value in values:
            kind = type(value)
            if kind in _REAL and STORED[kind] is not dtype:
                cell[()] = value


if torch.bfloat16 in HOST:
    bfloat16 = HOST[torch.bfloat16]
    __all__ += ["bfloat16"]
