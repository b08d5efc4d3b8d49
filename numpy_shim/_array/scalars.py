"""The scalar types: NumPy's hierarchy, each class for 0-D arrays of one dtype.

A scalar is what a reduction or full indexing gives: an immutable array without axes that
stays on its device until Python asks for its value. ``numpy.dtype(float32)`` reads the class
attribute ``dtype``, and so knows these types.

Of what torch has no storage for (text, objects, dates, extended precision) the scalar types
are NumPy's own: good for ``isinstance`` and ``issubdtype``; arrays refuse their dtypes.
"""

from __future__ import annotations

import builtins
import numbers
import warnings
from collections.abc import Callable, Sequence
from types import GenericAlias
from typing import Any, ClassVar, NoReturn, Self, TypeVar

import numpy
import torch
from numpy import bytes_ as bytes_
from numpy import character as character
from numpy import clongdouble as clongdouble
from numpy import datetime64 as datetime64
from numpy import flexible as flexible
from numpy import longdouble as longdouble
from numpy import object_ as object_
from numpy import record as record
from numpy import str_ as str_
from numpy import timedelta64 as timedelta64
from numpy import void as void
from numpy.exceptions import ComplexWarning
from torch import Tensor

from .._core.dtypes import NUMPY, register
from .._kernels.casting import cast
from .._kernels.numbers import full_scalar
from .ndarray import ARRAYS, SCALAR_TYPES, AnyArray, array_of, ndarray, new, wrap

__all__ = [
    "bool", "bool_", "byte", "bytes_", "cdouble", "character", "clongdouble", "complex64",
    "complex128", "complexfloating", "csingle", "datetime64", "double", "flexible", "float16",
    "float32", "float64", "floating", "generic", "half", "inexact", "int8", "int16", "int32",
    "int64", "int_", "intc", "integer", "intp", "long", "longdouble", "longlong", "number",
    "object_", "record", "short", "signedinteger", "single", "str_", "timedelta64", "ubyte",
    "uint", "uint8", "uint16", "uint32", "uint64", "uintc", "uintp", "ulong", "ulonglong",
    "unsignedinteger", "ushort", "void",
]  # fmt: skip

B = TypeVar("B", bound="generic")  # named as in TensorBox: the signatures are one
C = TypeVar("C", bound="type[generic]")


class ScalarMeta(type):
    """The type of the scalar types: each equals NumPy's, which is the ``type`` of a dtype.

    So ``a.dtype.type == np.int8`` and ``issubclass(a.dtype.type, np.integer)`` hold. Dictionaries
    keep them apart, by the hash, as they do a dtype and its equal, the dtype's name.
    """

    def __eq__(cls, other: object) -> builtins.bool:
        if not isinstance(other, type):
            return NotImplemented  # a dtype knows whether it equals a scalar type
        return cls is other or _twin(cls) is other

    __hash__ = type.__hash__

    def __subclasscheck__(cls, subclass: type) -> builtins.bool:
        # Dynamo follows this, but not ``type.__subclasscheck__``.
        return cls in subclass.__mro__ or _twin(cls) in subclass.__mro__


def _twin(cls: type) -> type:
    """NumPy's scalar type; of a class that has none there, the class itself."""
    dtype = cls.__dict__.get("dtype")
    return dtype.type if isinstance(dtype, numpy.dtype) else ABSTRACT.get(cls, cls)


class generic(AnyArray, metaclass=ScalarMeta):
    """Any scalar: an immutable 0-D array. Abstract."""

    __slots__ = ()

    _parameters = 0  # of an annotation, number[int] and its like
    _torch: ClassVar[torch.dtype]
    _number: ClassVar[Callable[..., Any]]

    shape = property(lambda self: (), doc="(): a scalar has no axes.")
    __iter__ = None  # type: ignore[assignment]

    def __new__(cls, value: Any = 0, /) -> Self:
        try:
            dtype = cls._torch
        except AttributeError:
            raise TypeError(f"cannot create 'numpy_shim.{cls.__name__}' instances") from None
        if type(value) not in _PYTHON and _is_array_like(value):
            return _from_array(cls, value)  # type: ignore[return-value]
        out = new(cls)
        out._tensor = full_scalar(cls.__name__, "value", cls._number(value), dtype)
        return out

    def __class_getitem__(cls, item: Any, /) -> GenericAlias:
        count = len(item) if isinstance(item, tuple) else 1
        if not 1 <= count <= cls._parameters:
            raise TypeError(
                f"Too {'many' if count else 'few'} arguments for numpy_shim.{cls.__name__}"
            )
        return GenericAlias(cls, item)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(self._tensor.item())

    def __len__(self) -> NoReturn:
        raise TypeError(f"object of type 'numpy_shim.{type(self).__name__}' has no len()")

    def __contains__(self, key: Any, /) -> NoReturn:
        raise TypeError(f"argument of type 'numpy_shim.{type(self).__name__}' is not iterable")

    def __getitem__(self, key: Any, /) -> ndarray:
        if type(key) is tuple and not key:
            return self
        try:
            return array_of(self._tensor.clone())[key]
        except IndexError:
            raise IndexError("invalid index to scalar variable.") from None

    def __setitem__(self, key: Any, value: Any, /) -> NoReturn:
        raise TypeError(
            f"'numpy_shim.{type(self).__name__}' object does not support item assignment"
        )

    def __delitem__(self, key: Any, /) -> NoReturn:
        raise TypeError(f"'numpy_shim.{type(self).__name__}' object does not support item deletion")

    def __deepcopy__(self: B, memo: dict[int, Any], /) -> B:
        """Itself, as of any value that cannot change; a copy where it has a gradient of its own."""
        return super().__deepcopy__({}) if self._tensor.requires_grad else self


def _rounded(x: generic, ndigits: int) -> Any:
    from .._functions.rounding import round  # it needs this module

    return round(x, ndigits)


class number(generic):
    """Any number. Abstract."""

    __slots__ = ()

    _parameters = 1


class integer(number):
    """Any integer. Abstract."""

    __slots__ = ()

    _number = int

    @property
    def numerator(self) -> integer:
        """The integer itself."""
        return self

    @property
    def denominator(self) -> int:
        """1."""
        return 1

    def is_integer(self, /) -> builtins.bool:
        """True."""
        return True

    def bit_count(self, /) -> int:
        """How many bits of the absolute value are set."""
        return int(self).bit_count()

    def __round__(self, ndigits: int | None = None, /) -> Any:
        return int(self) if ndigits is None else _rounded(self, ndigits)


class signedinteger(integer):
    """Any signed integer. Abstract."""

    __slots__ = ()


class unsignedinteger(integer):
    """Any unsigned integer. Abstract."""

    __slots__ = ()


class inexact(number):
    """Any floating-point number, real or complex. Abstract."""

    __slots__ = ()


def _float(value: Any) -> float:
    return float("nan") if value is None else float(value)


class floating(inexact):
    """Any real floating-point number. Abstract."""

    __slots__ = ()

    _number = _float

    def __float__(self) -> builtins.float:
        """The value. Synchronises with the device."""
        return self._tensor.item()

    def as_integer_ratio(self, /) -> tuple[int, int]:
        """The value as a fraction of two integers, exactly."""
        return float(self).as_integer_ratio()

    def is_integer(self, /) -> builtins.bool:
        """Whether the value is a whole number."""
        return float(self).is_integer()

    def __round__(self, ndigits: int | None = None, /) -> Any:
        return round(float(self)) if ndigits is None else _rounded(self, ndigits)


def _complex(value: Any) -> complex:
    if isinstance(value, bytes):
        return complex(value.decode())
    return complex("nan+nanj") if value is None else complex(value)


class complexfloating(inexact):
    """Any complex number. Abstract."""

    __slots__ = ()

    _parameters = 2
    _number = _complex

    def __new__(cls, real: Any = 0, imag: Any = None, /) -> Any:
        return super().__new__(cls, real if imag is None else complex(real, imag))


_PYTHON = frozenset({builtins.bool, int, float, complex, str, bytes, type(None)})


def _is_array_like(value: Any) -> builtins.bool:
    return (
        isinstance(value, ARRAYS)
        or (isinstance(value, (Sequence, memoryview)) and not isinstance(value, (str, bytes)))
        or hasattr(value, "__array__")
        or hasattr(value, "__dlpack__")
    )


def _from_array(cls: type[generic], value: Any) -> ndarray:
    """A scalar of an array without axes, cast as C does; of another an array."""
    from .._convert.from_data import array  # it needs this module

    if isinstance(value, (AnyArray, Tensor)):
        tensor = value._tensor if isinstance(value, AnyArray) else value
        if tensor.is_complex() and not cls._torch.is_complex and cls._torch is not torch.bool:
            warnings.warn(
                f"{cls.__name__}: casting complex values to real discards the imaginary part",
                ComplexWarning,
                stacklevel=3,
            )
        made = cast(tensor, cls._torch)
        return wrap(made.clone() if made is tensor else made)
    return wrap(array(value, dtype=cls._torch)._tensor)


def _of(dtype: torch.dtype, name: str = "") -> Callable[[C], C]:
    """Make a class the scalar type of a dtype."""

    def named(cls: C) -> C:
        cls.__name__ = cls.__qualname__ = name or cls.__name__
        cls.__module__ = "numpy_shim"
        cls._torch = dtype
        cls.dtype = NUMPY[dtype]  # type: ignore[method-assign, assignment]
        cls._parameters = 1 if dtype is torch.bool else 0
        SCALAR_TYPES[dtype] = cls
        register(cls, dtype)
        return cls

    return named


@_of(torch.bool, "bool")
class bool_(generic):
    """A boolean."""

    __slots__ = ()

    _number = builtins.bool


@_of(torch.int8)
class int8(signedinteger):
    """An integer of 8 bits, from -128 to 127."""

    __slots__ = ()


@_of(torch.int16)
class int16(signedinteger):
    """An integer of 16 bits, from -2**15 to 2**15 - 1."""

    __slots__ = ()


@_of(torch.int32)
class int32(signedinteger):
    """An integer of 32 bits, from -2**31 to 2**31 - 1."""

    __slots__ = ()


@_of(torch.int64)
class int64(signedinteger):
    """An integer of 64 bits (int64), from -2**63 to 2**63 - 1; the dtype of Python ints."""

    __slots__ = ()


@_of(torch.uint8)
class uint8(unsignedinteger):
    """An integer from 0 to 255."""

    __slots__ = ()


@_of(torch.uint16)
class uint16(unsignedinteger):
    """An integer from 0 to 2**16 - 1."""

    __slots__ = ()


@_of(torch.uint32)
class uint32(unsignedinteger):
    """An integer from 0 to 2**32 - 1."""

    __slots__ = ()


@_of(torch.uint64)
class uint64(unsignedinteger):
    """An integer from 0 to 2**64 - 1."""

    __slots__ = ()


@_of(torch.float16)
class float16(floating):
    """A number of half precision: 5 bits of exponent, 10 of mantissa."""

    __slots__ = ()


@_of(torch.float32)
class float32(floating):
    """A number of single precision."""

    __slots__ = ()


@_of(torch.float64)
class float64(floating):
    """A number of double precision; the dtype of Python floats unless changed.

    It is no subclass of ``float``, as NumPy's is: its value may be on a device.
    """

    __slots__ = ()

    def hex(self, /) -> str:
        """The value in hexadecimal."""
        return float(self).hex()

    @classmethod
    def fromhex(cls, string: str, /) -> Any:
        """The number that ``float.hex`` wrote."""
        return cls(float.fromhex(string))


@_of(torch.complex64)
class complex64(complexfloating):
    """A complex number of two float32."""

    __slots__ = ()


@_of(torch.complex128)
class complex128(complexfloating):
    """A complex number of two float64."""

    __slots__ = ()


if torch.bfloat16 in NUMPY:

    @_of(torch.bfloat16)
    class bfloat16(floating):
        """A number with the exponent of float32 and 7 bits of mantissa."""

        __slots__ = ()

    __all__ += ["bfloat16"]


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

for _kind in ABSTRACT:
    _kind.__module__ = "numpy_shim"

numbers.Number.register(number)
numbers.Complex.register(inexact)
numbers.Real.register(floating)
numbers.Integral.register(integer)
