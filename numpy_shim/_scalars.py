"""The scalar types: NumPy's hierarchy, each class for 0-D arrays of one dtype.

A scalar is what a reduction or full indexing gives: an immutable array without axes that
stays on its device until Python asks for its value. ``numpy.dtype(float32)`` reads the class
attribute ``dtype``, and so knows these types.
"""

from __future__ import annotations

from typing import Any

import numpy
import torch

from ._dtypes import NUMPY, register
from ._ndarray import SCALAR_TYPES, ndarray

__all__ = [
    "bool",
    "bool_",
    "byte",
    "cdouble",
    "complex64",
    "complex128",
    "complexfloating",
    "csingle",
    "double",
    "float16",
    "float32",
    "float64",
    "floating",
    "generic",
    "half",
    "inexact",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "intc",
    "integer",
    "intp",
    "long",
    "longlong",
    "number",
    "short",
    "signedinteger",
    "single",
    "ubyte",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintc",
    "uintp",
    "ulong",
    "ulonglong",
    "unsignedinteger",
    "ushort",
]  # fmt: skip


class generic(ndarray):
    """Any scalar."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(self._tensor.item())


class number(generic):
    """Any number."""

    __slots__ = ()


class integer(number):
    """Any integer."""

    __slots__ = ()


class signedinteger(integer):
    """Any signed integer."""

    __slots__ = ()


class unsignedinteger(integer):
    """Any unsigned integer."""

    __slots__ = ()


class inexact(number):
    """Any floating-point number, real or complex."""

    __slots__ = ()


class floating(inexact):
    """Any real floating-point number."""

    __slots__ = ()


class complexfloating(inexact):
    """Any complex number."""

    __slots__ = ()


def _scalar(name: str, parent: type[generic], dtype: torch.dtype) -> Any:
    numpy_dtype = NUMPY[dtype]
    made = type(
        name,
        (parent,),
        {
            "__slots__": (),
            "__module__": "numpy_shim",
            "__doc__": f"A scalar of dtype {numpy_dtype}: a 0-D array on its device.",
            "dtype": numpy_dtype,
        },
    )
    SCALAR_TYPES[dtype] = made
    register(made, dtype)
    return made


bool_ = _scalar("bool", generic, torch.bool)
int8 = _scalar("int8", signedinteger, torch.int8)
int16 = _scalar("int16", signedinteger, torch.int16)
int32 = _scalar("int32", signedinteger, torch.int32)
int64 = _scalar("int64", signedinteger, torch.int64)
uint8 = _scalar("uint8", unsignedinteger, torch.uint8)
uint16 = _scalar("uint16", unsignedinteger, torch.uint16)
uint32 = _scalar("uint32", unsignedinteger, torch.uint32)
uint64 = _scalar("uint64", unsignedinteger, torch.uint64)
float16 = _scalar("float16", floating, torch.float16)
float32 = _scalar("float32", floating, torch.float32)
float64 = _scalar("float64", floating, torch.float64)
complex64 = _scalar("complex64", complexfloating, torch.complex64)
complex128 = _scalar("complex128", complexfloating, torch.complex128)
if torch.bfloat16 in NUMPY:
    bfloat16 = _scalar("bfloat16", floating, torch.bfloat16)

bool = bool_
byte, short, intc, intp, int_, long, longlong = int8, int16, int32, int64, int64, int64, int64
ubyte, ushort, uintc, uintp, uint, ulong, ulonglong = (
    uint8, uint16, uint32, uint64, uint64, uint64, uint64,
)  # fmt: skip
half, single, double, csingle, cdouble = float16, float32, float64, complex64, complex128

ABSTRACT: dict[type, type] = {
    generic: numpy.generic,
    number: numpy.number,
    integer: numpy.integer,
    signedinteger: numpy.signedinteger,
    unsignedinteger: numpy.unsignedinteger,
    inexact: numpy.inexact,
    floating: numpy.floating,
    complexfloating: numpy.complexfloating,
}
"""NumPy's abstract scalar type of each of ours."""
