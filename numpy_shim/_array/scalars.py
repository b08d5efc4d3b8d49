"""Scalars whose value stays in a tensor: on a device, in a trace, or with a gradient.

Everywhere else a scalar is NumPy's own (``ndarray.scalar`` decides). A tensor scalar is an
immutable array without axes that behaves like one: ``isinstance(x, numpy.float64)`` holds, and
its value is read only when Python asks for it.
"""

from __future__ import annotations

import numbers
import operator
import sys
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import numpy
import torch

from xp_torch._torch.dynamo_numpys import Numpys, know_numpys
from xp_torch._torch.dynamo_rules import know_scalars

from .._base.dtypes import COMPLEXES, FLOATS, INTEGERS, NUMPY
from .._base.scalar_types import HOST
from .._host import crossings
from .._kernels.backwards import values
from .._kernels.casting import cast
from .asking import Frame, wants_own
from .ndarray import SCALAR_TYPES, AnyArray, array_of, ndarray, wrap

B = TypeVar("B", bound="TensorScalar")  # the same name as in TensorBox: the signatures must agree


class TensorScalar(AnyArray):
    """A scalar over a 0-D tensor."""

    __slots__ = ()

    shape = property(lambda self: (), doc="(): a scalar has no axes.")
    __iter__ = None  # type: ignore[assignment]

    def __init_subclass__(cls, **options: object) -> None:
        """Refuse a program's class: NumPy's scalar types are what it can derive from."""
        super().__init_subclass__(**options)
        if cls.__module__.partition(".")[0] != __name__.partition(".")[0]:
            raise TypeError(
                f"{cls.__name__}: a scalar that stays a tensor has no class to derive from; "
                "derive from its dtype.type, which is NumPy's"
            )

    def __reduce__(self, /) -> tuple[Any, ...]:
        return rebuilt, (array_of(self._tensor),)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(self._tensor.item())

    def __contains__(self, key: object, /) -> NoReturn:
        raise TypeError(f"argument of type 'numpy.{NUMPY[self._tensor.dtype]}' is not iterable")

    def __getitem__(self, key: Any, /) -> ndarray:
        if type(key) is tuple and not key:
            return self
        try:
            return array_of(self._tensor.clone())[key]
        except IndexError:
            raise IndexError("invalid index to scalar variable.") from None

    def __setitem__(self, key: object, value: object, /) -> NoReturn:
        raise TypeError(
            f"'numpy.{NUMPY[self._tensor.dtype]}' object does not support item assignment"
        )

    def __delitem__(self, key: object, /) -> NoReturn:
        raise TypeError(
            f"'numpy.{NUMPY[self._tensor.dtype]}' object does not support item deletion"
        )

    def __copy__(self: B) -> B:
        """The scalar itself, since its value cannot change."""
        return self

    def __deepcopy__(self: B, memo: dict[int, Any], /) -> B:
        """The scalar itself; a copy if it has its own gradient."""
        return super().__deepcopy__({}) if self._tensor.requires_grad else self


def rebuilt(array: Any) -> Any:
    """The scalar of an array without axes; a tensor scalar is pickled as such an array."""
    # joblib stores NumPy's arrays
    return wrap(array._tensor) if isinstance(array, AnyArray) else array[()]


class IntegerScalar(TensorScalar):
    """An integer."""

    __slots__ = ()

    @property
    def numerator(self) -> IntegerScalar:
        """The integer itself."""
        return self

    @property
    def denominator(self) -> int:
        """1."""
        return 1

    def is_integer(self, /) -> bool:
        """True."""
        return True

    def bit_count(self, /) -> int:
        """How many bits of the absolute value are set."""
        return int(self).bit_count()


class FloatScalar(TensorScalar):
    """A real floating-point number."""

    __slots__ = ()

    def __float__(self) -> float:
        """The value. Synchronises with the device."""
        return float(crossings.value(self._tensor, "float()"))

    def as_integer_ratio(self, /) -> tuple[int, int]:
        """The value as a fraction of two integers, exactly."""
        return float(self).as_integer_ratio()

    def is_integer(self, /) -> bool:
        """Whether the value is a whole number."""
        return float(self).is_integer()


class DoubleScalar(FloatScalar):
    """A number of double precision, which in NumPy is a Python float."""

    __slots__ = ()

    def hex(self, /) -> str:
        """The value in hexadecimal."""
        return float(self).hex()

    def __trunc__(self) -> int:
        """The whole number that the value becomes without its fraction."""
        return int(self)


class ComplexScalar(TensorScalar):
    """A complex number."""

    __slots__ = ()


def _base(dtype: torch.dtype) -> type[TensorScalar]:
    if dtype in INTEGERS:
        return IntegerScalar
    if dtype is torch.float64:
        return DoubleScalar
    if dtype in FLOATS:
        return FloatScalar
    return ComplexScalar if dtype in COMPLEXES else TensorScalar


class _Typed(type):
    """The class of the scalars' classes, which NumPy asks for a dtype: ``dtype=type(x)``."""

    _numpys: type

    @property
    def dtype(cls) -> numpy.dtype[Any]:
        return numpy.dtype(cls._numpys)


def _scalar_type(dtype: torch.dtype) -> type[TensorScalar]:
    """The class of the scalars of a dtype.

    Its ``__class__`` is NumPy's scalar type, for ``isinstance``; ``type(x)`` tells them apart, and
    ``type(x)(2)`` is NumPy's scalar. torch sees the class itself, because Dynamo looks up
    attributes in it.
    """
    numpys = HOST[dtype]

    def seen_as(self: TensorScalar) -> type:
        asking = sys._getframe(1).f_globals.get("__name__", "")
        return own if asking.startswith("torch.") else numpys

    def made(cls: type, *args: object) -> Any:
        return numpys(*args)

    members = {
        "__slots__": (), "__module__": "numpy_shim", "__class__": property(seen_as),
        "__new__": made, "_numpys": numpys,
    }  # fmt: skip
    own: type = _Typed(NUMPY[dtype].name, (_base(dtype),), members)
    return own


for _dtype in NUMPY:
    SCALAR_TYPES[_dtype] = _scalar_type(_dtype)

numbers.Integral.register(IntegerScalar)
numbers.Real.register(FloatScalar)
numbers.Complex.register(ComplexScalar)


def _conversion(dtype: torch.dtype) -> Callable[[Any], Any]:
    """A trace calls this for ``numpy.float64(x)`` of our arrays and of numbers.

    An array stays a tensor, and a number becomes a scalar of ours, which Dynamo knows how to trace.
    """

    def convert(x: Any) -> Any:
        if not isinstance(x, AnyArray):
            return wrap(torch.full((), x, dtype=dtype))
        made = cast(x._tensor, dtype)
        return wrap(made.clone() if made is x._tensor else made)

    return convert


def _always(numpys: type) -> Callable[[Frame], type]:
    return lambda frame: numpys


def _first_or_second(first: object, second: object, replaces: Callable[[Any, Any], Any]) -> Any:
    """The second scalar if it replaces the first, chosen in the graph; ``None`` for others."""
    scalars = [x for x in (first, second) if isinstance(x, TensorScalar)]
    if not scalars:
        return None
    like = scalars[0]._tensor
    tensors = []
    for x in (first, second):
        if isinstance(x, TensorScalar) and x._tensor.dtype is like.dtype:
            tensors.append(x._tensor)
        elif type(x) is int or (type(x) is float and like.dtype in FLOATS):
            tensors.append(like.new_full((), x))
        else:
            return None
    return wrap(torch.where(replaces(second, first)._tensor, tensors[1], tensors[0]))


def _lesser(first: object, second: object) -> Any:
    """A trace calls this for ``min(first, second)``: Python compares the second with the first."""
    return _first_or_second(first, second, operator.lt)


def _greater(first: object, second: object) -> Any:
    """A trace calls this for ``max(first, second)``."""
    return _first_or_second(first, second, operator.gt)


know_scalars(
    {
        ndarray: lambda frame: ndarray if wants_own(frame) else numpy.ndarray,
        **{kind: _always(HOST[dtype]) for dtype, kind in SCALAR_TYPES.items()},
    },
    {HOST[dtype]: _conversion(dtype) for dtype in NUMPY},
    {min: _lesser, max: _greater},
)


def _read(a: Any, key: Any) -> Any:
    """A trace calls this for ``a[key]``, where ``a`` is NumPy's array and the key has ours."""
    found = array_of(torch.as_tensor(a))[key]
    return found if isinstance(found, TensorScalar) else found.tensor.numpy()


def _write(a: Any, key: Any, value: Any) -> None:
    """A trace calls this for ``a[key] = value``, where the key has an array without axes."""
    array_of(torch.as_tensor(a))[key] = value


def _numpy_dtype(dtype: torch.dtype) -> numpy.dtype[Any]:
    return NUMPY[dtype]


def _values(a: AnyArray) -> torch.Tensor:
    return values(a.tensor)


know_numpys(Numpys(AnyArray, _read, _write, _numpy_dtype, _values))
