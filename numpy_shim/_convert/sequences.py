"""Make tensors from nested sequences of numbers and arrays, and from single ones."""

from __future__ import annotations

from array import array as machine_values
from collections.abc import Callable, Iterable
from functools import reduce
from itertools import chain
from typing import Any, NoReturn

import numpy
import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._core.box import TensorBox
from xp_torch._core.devices import CPU, default_is_cpu, move
from xp_torch._core.errors import translate
from xp_torch._torch.internals import mode_device, transform_level

from .._array.host_view import of_memory
from .._array.ndarray import ARRAYS, SCALAR_TYPES, ndarray
from .._base import defaults, error_checks
from .._base import error_states as errstate
from .._base.axes import MAX_DIMS
from .._base.dtypes import (
    COMPLEXES,
    FLOATS,
    HALVES,
    INTEGERS,
    NOTHING,
    NUMPY,
    TORCH,
    HostDtypeError,
    promote,
)
from .._base.promotion import PYTHON_NUMBERS, default_dtype, promote_kinds
from .._base.scalar_types import check_elements
from .._kernels.casting import cast, narrowed
from .._kernels.numbers import full_scalar
from .foreign import TEXT, foreign, placed

_CODES = {
    torch.int8: "b", torch.int16: "h", torch.int32: "i", torch.int64: "q",
    torch.uint8: "B", torch.uint16: "H", torch.uint32: "I", torch.uint64: "Q",
    torch.float32: "f", torch.float64: "d",
}  # fmt: skip
"""The letter of ``array.array`` for a dtype: three times as fast as ``torch.tensor``."""
_LISTS = {list, tuple}


def tensor_from(
    name: str, x: object, argument: str, dtype: torch.dtype | None = None, device: object = None
) -> Tensor:
    """The tensor of an array-like that is neither a tensor nor an array of ours.

    It has ``dtype`` if that is given and ``x`` consists of Python numbers; the caller casts
    other data. ``ValueError`` for a ragged sequence, ``TypeError`` for data that is not numeric.
    """
    shared = foreign(name, x, argument, device)
    if shared is None:
        return from_python(name, x, argument, dtype, device)
    found = shared[0]
    return found._tensor if isinstance(found, TensorBox) else found


def from_numbers(values: list[Any], dtype: torch.dtype) -> Tensor:
    """A 1-D tensor on the CPU of Python numbers that are of the dtype's kind or below.

    ``OverflowError`` for an int out of the dtype's range.
    """
    if dtype in HALVES:
        return narrowed(from_numbers(values, torch.float64), dtype)
    code = _CODES.get(dtype)
    if code is not None and values and not is_compiling():
        return torch.frombuffer(machine_values(code, values), dtype=dtype)
    if is_compiling():  # in a trace, device= would add a torch call
        return torch.tensor(values, dtype=dtype)
    return torch.tensor(values, dtype=dtype, device=CPU)


_QUICK: dict[frozenset[type], torch.dtype | None] = {
    frozenset({float}): None,
    frozenset({int}): torch.int64,
    frozenset({float, int}): None,
    frozenset({numpy.float64}): torch.float64,
    frozenset({float, numpy.float64}): torch.float64,
    frozenset({int, numpy.float64}): torch.float64,
    frozenset({float, int, numpy.float64}): torch.float64,
    frozenset({numpy.int64}): torch.int64,
    frozenset({int, numpy.int64}): torch.int64,
    **{
        frozenset({complex, *others}): torch.complex128
        for others in ((), (float,), (int,), (float, int))
    },
}
"""The dtype of the commonest lists of numbers, by their types; ``None`` for that of floats."""

_ROUNDED = frozenset({torch.float32, torch.float64, torch.complex128})
"""Dtypes that take every Python number of ``_QUICK``, rounded as by NumPy."""

_WITHOUT_DOUBLES = frozenset({"mps"})
"""Kinds of devices that do not store all dtypes of ``_QUICK``."""

_RARE: Any = object()
_ARRAY = {ndarray}
_SCALARS = frozenset(SCALAR_TYPES.values())


def quick_tensor(
    values: object, device: torch.device | None = None, wanted: torch.dtype | None = None
) -> Tensor | None:
    """A tensor of what ``quick_memory`` takes; ``None`` for the rest."""
    made = quick_memory(values, device, wanted)
    try:
        return of_memory(made) if isinstance(made, numpy.ndarray) else made
    except RuntimeError:
        return None


def quick_memory(
    values: Any, device: torch.device | None = None, wanted: torch.dtype | None = None
) -> Tensor | numpy.ndarray[Any, Any] | None:
    """A list or tuple of numbers, of lists of numbers, or of arrays as memory that is new.

    It has the dtype ``wanted`` if one is given: that of the result without it, or one of
    ``_ROUNDED``. On another device than the CPU it is a tensor. ``None`` where that takes more than
    one look: numbers of rarer types, rows of several lengths, arrays of several dtypes, a trace.
    ``from_python`` takes these.
    """
    if is_compiling():
        return None
    kinds = frozenset(map(type, values))
    dtype = _QUICK.get(kinds, _RARE)
    nested = False
    if dtype is _RARE:
        if kinds == _ARRAY or (len(kinds) == 1 and kinds <= _SCALARS):
            stacked = _stacked_alike(values) if device is None else None
            if wanted is None or stacked is None or stacked.dtype is wanted:
                return stacked
            return None
        if not kinds <= _LISTS:
            return None
        kinds = frozenset(map(type, chain.from_iterable(values)))
        dtype = _QUICK.get(kinds, _RARE)
        if dtype is _RARE:
            return None
        nested = True
    place = device or mode_device()
    if place is None:
        place = CPU if default_is_cpu() else None
    if place is None or place.type in _WITHOUT_DOUBLES:
        return None
    if dtype is torch.complex128 and defaults.float_dtype() is not torch.float64:
        return None
    if wanted is not None:
        if dtype is not wanted and (
            wanted not in _ROUNDED or dtype is torch.complex128 or errstate.active
        ):
            return None
        dtype = wanted
    elif (
        int in kinds
        and dtype is not torch.int64
        and not _in_int64(chain.from_iterable(values) if nested else values)
    ):
        return None  # an int that needs another dtype counts as such, also beside a float
    elif dtype is None:
        dtype = defaults.float_dtype()
    try:
        if dtype is torch.float64 or dtype is torch.int64 or dtype is torch.complex128:
            # NumPy reads the numbers, nested or not: torch.tensor takes three times as long.
            made = numpy.array(values, NUMPY[dtype])
            return made if place.type == "cpu" else move("array", of_memory(made), place)
        return None if nested else move("array", from_numbers(values, dtype), place)
    except (OverflowError, RuntimeError, ValueError):
        return None


def _in_int64(numbers: Iterable[Any]) -> bool:
    return all(-(2**63) <= x < 2**63 for x in numbers if type(x) is int)


def _stacked_alike(arrays: Any) -> Tensor | None:
    """Arrays of one dtype, shape and device, stacked; ``None`` for others."""
    tensors = [x._tensor for x in arrays]
    dtype = tensors[0].dtype
    for t in tensors:
        if t.dtype is not dtype:
            return None
    try:
        return torch.stack(tensors)
    except RuntimeError:
        return None


def quick_number(x: Any, device: torch.device | None = None) -> Tensor | None:
    """A 0-D tensor of a number of the commonest types, in the dtype that it has alone.

    ``None`` for other objects, for numbers that need another dtype, another device, in a trace.
    """
    if is_compiling():
        return None
    kind = type(x)
    if not (
        kind is numpy.float64
        or kind is numpy.int64
        or (kind is float and defaults.float_dtype() is torch.float64)
        or (kind is int and -(2**63) <= x < 2**63)
    ):
        return None
    if not (default_is_cpu() if device is None else device == CPU):
        return None
    return of_memory(numpy.array(x, numpy.int64 if kind is int else None))


def from_python(
    name: str, x: Any, argument: str, dtype: torch.dtype | None, device: Any = None
) -> Tensor:
    """A number, or sequences of numbers and arrays nested to any depth, as a tensor."""
    if type(x) is range and x and dtype in (None, torch.int64) and not is_compiling():
        is_on_host = default_is_cpu() if device is None else device == CPU
        if is_on_host and _in_int64((x[0], x[-1])):
            return of_memory(numpy.arange(x.start, x.stop, x.step, dtype=numpy.int64))
    if type(x) in _LISTS:
        made = quick_tensor(x, device, dtype)
        if made is not None:
            return made
    shape, leaves = _flattened(x)
    kinds = set(map(type, leaves))
    if any(_is_subclass(kind) for kind in kinds):
        leaves = [_plain_number(v) for v in leaves]
        kinds = set(map(type, leaves))
    if kinds <= PYTHON_NUMBERS:
        if not shape:
            return _number(name, argument, leaves[0], dtype, device)
        return _plain(name, leaves, kinds, dtype, shape, device)
    if dtype is not None and not is_compiling():
        check_elements(dtype, leaves)
    if not any(is_array(kind) or is_sequence(kind) for kind in kinds):
        return _others(name, argument, leaves, kinds, dtype, shape, device)
    if any(map(is_sequence, kinds)) and not all(is_array(k) or is_sequence(k) for k in kinds):
        _ragged([(len(v),) if is_sequence(type(v)) else () for v in leaves], shape)
    if not shape:
        raise TypeError(f"{name}: {argument} must be array-like, not {type(x).__name__}")
    if (
        len(kinds) == 1
        and issubclass(next(iter(kinds)), numpy.generic)
        and not is_compiling()
        and transform_level() is None
    ):
        # A list of NumPy's scalars of one type is as fast as Python's numbers. Scalars of ours are
        # not of that type: they are stacked, with their gradients, where they are.
        strong = TORCH.get(leaves[0].dtype)
        if strong is not None:
            made = _plain(name, [v.item() for v in leaves], set(), strong, shape, device)
            return made if dtype is None else cast(made, dtype)
    return _stacked(name, argument, leaves, dtype, shape, device)


def _is_subclass(kind: type) -> bool:
    """Whether objects of a class are numbers of types other than Python's, as in an ``IntEnum``."""
    return (
        kind not in PYTHON_NUMBERS
        and issubclass(kind, (int, float, complex))
        and not is_array(kind)
    )


def _plain_number(v: Any) -> Any:
    """A number of a subclass converted to Python's own type; other objects unchanged."""
    if not _is_subclass(type(v)):
        return v
    return int(v) if isinstance(v, int) else float(v) if isinstance(v, float) else complex(v)


def _number(name: str, argument: str, x: Any, dtype: torch.dtype | None, device: Any) -> Tensor:
    if dtype is None:
        return full_scalar(name, argument, x, default_dtype(name, x), device)
    return full_scalar(name, argument, _converter(dtype)(x), dtype, device)


def _converter(dtype: torch.dtype) -> Callable[[Any], Any]:
    """Python's own conversion to the kind of a dtype, with its errors, as NumPy uses it."""
    if dtype in INTEGERS:
        return int
    if dtype in FLOATS:
        return float
    return complex if dtype in COMPLEXES else bool


def _plain(
    name: str,
    leaves: list[Any],
    kinds: set[type],
    dtype: torch.dtype | None,
    shape: list[int],
    device: object,
) -> Tensor:
    """Python numbers as a tensor of ``shape``."""
    if dtype is None:
        if kinds == {int}:
            try:
                return placed(name, from_numbers(leaves, torch.int64).reshape(shape), device)
            except (OverflowError, RuntimeError):
                pass  # above int64
        dtype = promote_kinds(name, leaves, kinds)
    if dtype in INTEGERS:
        if not kinds <= {int, bool}:
            leaves = [int(v) for v in leaves]
    elif dtype in FLOATS:
        if not kinds <= {float}:
            leaves = [float(v) for v in leaves]
    elif kinds != {_converter(dtype)}:
        leaves = [_converter(dtype)(v) for v in leaves]
    try:
        tensor = from_numbers(leaves, dtype)
        if errstate.active:
            error_checks.check_numbers(leaves, tensor)
    except (OverflowError, RuntimeError):
        bounds = torch.iinfo(dtype)
        worst = next(v for v in leaves if not bounds.min <= v <= bounds.max)
        raise OverflowError(
            f"{name}: Python integer {worst} out of bounds for {NUMPY[dtype]}"
        ) from None
    if len(shape) != 1:
        tensor = tensor.reshape(shape)
    return placed(name, tensor, device)


def _others(
    name: str,
    argument: str,
    leaves: list[Any],
    kinds: set[type],
    dtype: torch.dtype | None,
    shape: list[int],
    device: object,
) -> Tensor:
    """Text and other objects, which become numbers only if a dtype is given."""
    if dtype is None:
        strange = sorted(k.__name__ for k in kinds - PYTHON_NUMBERS)
        text = all(k in TEXT or k in PYTHON_NUMBERS for k in kinds)
        found = ("bytes" if kinds == {bytes} else "str") if text else "object"
        raise HostDtypeError(
            f"{name}: {argument} holds {', '.join(strange)}: dtype {found} has no storage in "
            "torch; give numbers, or a numeric dtype to convert to"
        )
    convert = _converter(dtype)
    if type(None) in kinds and dtype in NOTHING:
        leaves = [NOTHING[dtype] if v is None else v for v in leaves]
    if bytes in kinds:
        leaves = [v.decode("latin-1") if isinstance(v, bytes) else v for v in leaves]
    values = [convert(v) for v in leaves]
    if not shape:
        return _number(name, argument, values[0], dtype, device)
    return _plain(name, values, set(map(type, values)), dtype, shape, device)


def _stacked(
    name: str,
    argument: str,
    leaves: list[Any],
    dtype: torch.dtype | None,
    shape: list[int],
    device: object,
) -> Tensor:
    """Join arrays and numbers of one shape without reading their values."""
    if device is None:
        for v in leaves:
            if isinstance(v, (TensorBox, Tensor)):
                device = (v._tensor if isinstance(v, TensorBox) else v).device
                break
    parts = [_part(name, argument, v, dtype, device) for v in leaves]
    first = parts[0].shape
    if any(p.shape != first for p in parts):
        _ragged([tuple(p.shape) for p in parts], shape)
    if dtype is None:  # promoted one after another, unlike result_type
        dtype = reduce(lambda a, b: promote(name, a, b), [p.dtype for p in parts])
    try:
        stacked = torch.stack(
            [
                cast(p if p.device == parts[0].device else p.to(parts[0].device), dtype)
                for p in parts
            ]
        )
    except RuntimeError as error:  # no memory for it
        translate(name, error)
    if len(shape) != 1:
        stacked = stacked.reshape(*shape, *first)
    return stacked


def _part(name: str, argument: str, v: object, dtype: torch.dtype | None, device: object) -> Tensor:
    if isinstance(v, TensorBox):
        return v._tensor
    if isinstance(v, Tensor):
        return v
    if type(v) in PYTHON_NUMBERS:
        return _number(name, argument, v, dtype, device)
    return tensor_from(name, v, argument, dtype, device)


def _ragged(shapes: list[tuple[int, ...]], outer: list[int]) -> NoReturn:
    """Raise NumPy's error for elements of different shapes."""
    same = 0
    while all(len(s) > same for s in shapes) and len({s[same] for s in shapes}) == 1:
        same += 1
    detected = (*outer, *shapes[0][:same])
    raise ValueError(
        "setting an array element with a sequence. The requested array has an inhomogeneous shape "
        f"after {len(detected)} dimensions. The detected shape was {detected} + inhomogeneous part."
    )


def _flattened(x: Any) -> tuple[list[int], list[Any]]:
    """The shape of nested sequences and what they hold, level by level.

    Stops at the first level on which not everything is a sequence.
    """
    shape: list[int] = []
    level = [x]
    while level:
        kinds = set(map(type, level))
        if not kinds <= _LISTS and not all(is_sequence(kind) for kind in kinds):
            break
        try:
            lengths = set(map(len, level))
        except (MemoryError, RecursionError):
            raise
        except Exception as error:  # as NumPy, which then takes it for an object
            raise HostDtypeError(
                "an object without a length is no sequence, and torch has no storage for objects"
            ) from error
        if len(lengths) > 1:
            _ragged([(len(v),) for v in level], shape)
        shape.append(lengths.pop())
        if len(shape) > MAX_DIMS:
            raise ValueError(
                "setting an array element with a sequence. The requested array would exceed the "
                f"maximum number of dimension of {MAX_DIMS}."
            )
        try:
            level = list(level[0]) if len(level) == 1 else list(chain.from_iterable(level))
        except KeyError as error:
            raise HostDtypeError(
                "a mapping is an object, for which torch has no storage"
            ) from error
    return shape, level


_ARRAY_MARKS = ("__array__", "__dlpack__", "__array_interface__", "__array_struct__")


def is_array(kind: type) -> bool:
    """Whether objects of a class are arrays, which have a shape."""
    if issubclass(kind, (*ARRAYS, bytearray, memoryview)):
        return True
    return kind is machine_values or any(hasattr(kind, mark) for mark in _ARRAY_MARKS)


def is_sequence(kind: type) -> bool:
    """Whether objects of a class are sequences of elements, as NumPy sees them."""
    if kind is list or kind is tuple:
        return True
    if issubclass(kind, (int, float, complex, str, bytes, dict)) or is_array(kind):
        return False
    return hasattr(kind, "__len__") and hasattr(kind, "__getitem__")
