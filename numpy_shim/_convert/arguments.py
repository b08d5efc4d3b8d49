"""From arguments to tensors, and from tensors to results.

``as_tensor`` takes what NumPy takes as an array; ``operands`` brings several to one device;
``finish`` gives a result to ``out`` or makes it an array. Python numbers stay weak where a
function asks ``operand`` for them (NEP 50).
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy
import torch
from torch import Tensor

from xp_torch._kernels import creation

from . import _defaults as defaults
from . import _error_looks, _errors
from ._dtypes import (
    CASTABLE,
    COMPLEXES,
    FLOATS,
    HALVES,
    INTEGERS,
    NUMPY,
    TORCH,
    check_casting,
    promote,
)
from ._kernels.backwards import Special, write, write_repeated
from ._kernels.casting import half_of, narrowed
from ._ndarray import AnyArray, ndarray, wrap
from ._ndarray import array_of as array_of
from ._trace import constant

ArrayLike: TypeAlias = Any
"""What is taken as an array: arrays, tensors, numbers, nested sequences, buffers."""

PYTHON_NUMBERS = frozenset({bool, int, float, complex})
WEAK = frozenset({int, float, complex})
"""The Python types that NEP 50 makes weak; a Python bool is as strong as an array."""


def as_tensor(name: str, x: ArrayLike, argument: str = "a", device: Any = None) -> Tensor:
    """The tensor of an array-like; of an array or a tensor its own, not a copy."""
    if type(x) is ndarray or isinstance(x, AnyArray):
        return x._tensor
    if isinstance(x, Tensor):
        return _checked(name, x, argument)
    return from_other(name, x, argument, device)


def as_array(name: str, x: ArrayLike, argument: str = "a", device: Any = None) -> ndarray:
    """An array-like as an array: itself if it is one, else one over its tensor."""
    return x if isinstance(x, AnyArray) else array_of(as_tensor(name, x, argument, device))


def _checked(name: str, tensor: Tensor, argument: str) -> Tensor:
    if tensor.dtype not in NUMPY:
        raise TypeError(f"{name}: {argument} has dtype {tensor.dtype}, which NumPy has not")
    if tensor.layout is not torch.strided:
        raise TypeError(f"{name}: {argument} is a {tensor.layout} tensor; give a dense one")
    return tensor


def from_other(name: str, x: Any, argument: str, device: Any = None) -> Tensor:
    """A tensor from anything that is neither an array of ours nor a tensor."""
    kind = type(x)
    if kind in PYTHON_NUMBERS:
        return full_scalar(name, argument, x, default_dtype(name, x), device)
    from ._nested import tensor_from  # it needs this module

    return tensor_from(name, x, argument, device=device)


def default_dtype(name: str, number: Any) -> torch.dtype:
    """The dtype of a Python number that stands alone."""
    kind = type(number)
    if kind is bool:
        return torch.bool
    if kind is int:
        if -(2**63) <= number < 2**63:
            return defaults.INT
        if 0 <= number < 2**64:
            return torch.uint64
        raise OverflowError(f"{name}: the Python integer {number} fits in no 64-bit dtype")
    return defaults.float_dtype() if kind is float else defaults.complex_dtype()


def promote_kinds(name: str, numbers: list[Any], kinds: set[type]) -> torch.dtype:
    """The dtype of Python numbers in one sequence: the default of the widest kind among them."""
    if complex in kinds:
        return defaults.complex_dtype()
    if float in kinds or not kinds:
        return defaults.float_dtype()
    if int not in kinds:
        return torch.bool
    low, high = int(min(numbers)), int(max(numbers))  # of True and 1 the first would stay
    if high < 2**63 or low >= 2**63:
        return promote(name, default_dtype(name, low), default_dtype(name, high))
    default_dtype(name, high)
    return torch.float64  # one fits in int64 only, another in uint64 only


def full_scalar(
    name: str,
    argument: str,
    number: Any,
    dtype: torch.dtype,
    device: Any = None,
    shape: tuple[int, ...] = (),
) -> Tensor:
    """A tensor of a Python number, in a dtype of its kind or above (NEP 50); 0-D by default.

    Raises ``OverflowError`` for an int out of the dtype's range, as NumPy does.
    """
    if dtype in INTEGERS:
        number = int(number)
        bounds = torch.iinfo(dtype)
        if not bounds.min <= number <= bounds.max:
            raise OverflowError(f"{name}: Python integer {number} out of bounds for {NUMPY[dtype]}")
    elif dtype in FLOATS:
        number = float(number)
    elif dtype in COMPLEXES:
        number = complex(number)
    else:
        number = bool(number)
    make = _full_half if dtype in HALVES else creation.full
    full = make(shape, number, dtype, device)
    if _errors.active:
        _error_looks.check_numbers([number], full)
    return full


_half = constant(half_of)  # a trace does not follow ``struct``


def _full_half(shape: tuple[int, ...], number: float, dtype: torch.dtype, device: Any) -> Tensor:
    """A tensor of a number in a 16-bit dtype, rounded once."""
    if dtype is torch.bfloat16:
        return narrowed(creation.full(shape, number, torch.float64, device), dtype)
    return creation.full(shape, _half(number), torch.float32, device).to(dtype)


def device_of(*xs: Any) -> Any:
    """The device of the first array or tensor among ``xs``; ``None`` (the default) without one."""
    for x in xs:
        if isinstance(x, AnyArray):
            return x._tensor.device
        if isinstance(x, Tensor):
            return x.device
    return None


def operands(name: str, *xs: ArrayLike, arguments: tuple[str, ...] = ()) -> list[Tensor]:
    """The tensors of several array-likes, on one device; Python numbers become arrays.

    Numbers and sequences go to the device of the arrays beside them. ``ValueError``, naming
    both devices, for arrays on two.
    """
    device = device_of(*xs)
    names = arguments or tuple(f"x{i}" for i in range(1, len(xs) + 1))
    tensors = [as_tensor(name, x, names[i], device) for i, x in enumerate(xs)]
    check_devices(name, tensors)
    return tensors


def check_devices(name: str, tensors: list[Tensor]) -> None:
    """Raise ``ValueError`` when tensors live on two devices."""
    first = tensors[0].device if tensors else None
    for tensor in tensors:
        if tensor.device != first:
            raise ValueError(
                f"{name}: arrays on two devices, {first} and {tensor.device}; move one of them, "
                "as with array(x, device=...)"
            )


def promoted(name: str, tensors: list[Tensor]) -> list[Tensor]:
    """All tensors in their common dtype; one that has it already is not touched."""
    dtype = promote(name, *[t.dtype for t in tensors])
    return [cast(t, dtype) for t in tensors]


def common(name: str, *xs: ArrayLike, arguments: tuple[str, ...] = ()) -> list[Tensor]:
    """The tensors of array-likes in their common dtype (NEP 50: Python numbers are weak)."""
    if not any(type(x) in WEAK for x in xs):
        return promoted(name, operands(name, *xs, arguments=arguments))
    names = arguments or tuple(f"x{i}" for i in range(1, len(xs) + 1))
    device = device_of(*xs)
    strong = [
        None if type(x) in WEAK else as_tensor(name, x, names[i], device) for i, x in enumerate(xs)
    ]
    tensors = [t for t in strong if t is not None]
    if not tensors:
        return promoted(name, operands(name, *xs, arguments=arguments))
    check_devices(name, tensors)
    dtype = promote(name, *[t.dtype for t in tensors])
    for x in xs:
        if type(x) in WEAK:
            dtype = beside_number(dtype, type(x))
    device = tensors[0].device
    return [
        full_scalar(name, names[i], xs[i], dtype, device) if t is None else cast(t, dtype)
        for i, t in enumerate(strong)
    ]


def beside_number(dtype: torch.dtype, kind: type) -> torch.dtype:
    """The dtype of an array of ``dtype`` beside a weak Python number of type ``kind``."""
    return _BESIDE[dtype, kind]


def _beside() -> dict[tuple[torch.dtype, type], torch.dtype]:
    table = {}
    for numpy_dtype, dtype in TORCH.items():
        for kind in WEAK:
            if numpy_dtype.name == "bfloat16":
                table[dtype, kind] = torch.complex64 if kind is complex else dtype
                continue
            one = numpy.ones(1, numpy_dtype)
            table[dtype, kind] = TORCH[numpy.result_type(one, kind(1))]
    return table


_BESIDE = _beside()


def cast(tensor: Tensor, dtype: torch.dtype, place: str = "cast") -> Tensor:
    """``tensor`` in ``dtype``: itself if it has it, as C casts otherwise.

    ``place`` is where ``errstate`` says that errors were met.
    """
    if tensor.dtype is dtype:
        return tensor
    if tensor.dtype.is_complex and not dtype.is_complex:
        if dtype is torch.bool:
            return torch.ne(tensor, 0)
        tensor = tensor.real  # torch warns of the imaginary part that is lost
    twice = tensor.dtype is torch.float64 and dtype in HALVES
    result = narrowed(tensor, dtype) if twice else tensor.to(dtype)
    if _errors.active:
        _error_looks.check_cast(tensor, result, place)
    return result


def check_cast(name: str, source: torch.dtype, target: torch.dtype, casting: str) -> None:
    """Raise ``TypeError`` unless ``casting`` allows the cast, as NumPy's ufuncs do."""
    if source is target:
        return
    if casting not in CASTABLE:
        check_casting(name, casting)
    if (source, target) not in CASTABLE[casting]:
        raise TypeError(
            f"{name}: Cannot cast from {NUMPY[source]} to {NUMPY[target]} with casting rule "
            f"{casting!r}"
        )


_WITH_CARE = {(c, d) for c in COMPLEXES for d in NUMPY if d not in COMPLEXES}
_WITH_CARE |= {(torch.float64, d) for d in HALVES}
"""From what to what torch casts in its own way, or warns."""


def assign(target: ndarray, value: Tensor, place: str = "cast") -> None:
    """Write a tensor that broadcasts to ``target`` into it, cast to its dtype.

    ``ValueError`` for a read-only array. ``value`` must not share memory with the target
    unless element for element. ``place`` is where ``errstate`` says that errors were met.
    """
    t = target._tensor
    if type(target) is not ndarray:
        raise TypeError(f"'numpy_shim.{type(target).__name__}' object cannot be written to")
    if _errors.active or (value.dtype, t.dtype) in _WITH_CARE:
        value = cast(value, t.dtype, place)
    if type(t) is not Tensor and isinstance(t, Special):
        write(t, cast(value, t.dtype))
        return
    try:
        t.copy_(value)
    except RuntimeError:
        write_repeated(t, value)


def finish(name: str, result: Tensor, out: Any = None, casting: str = "same_kind") -> ndarray:
    """A result as an array or scalar; or written to ``out``, which is then returned.

    ``out`` is never resized: ``ValueError`` for another shape, ``TypeError`` for what is no
    array or for a cast that ``casting`` does not allow.
    """
    if out is None:
        return wrap(result)
    if isinstance(out, tuple) and len(out) == 1:
        out = out[0]
        if out is None:
            return wrap(result)
    check_out(name, out, result.shape)
    check_cast(f"{name}: out", result.dtype, out._tensor.dtype, casting)
    assign(out, result)
    return out  # type: ignore[no-any-return]


def check_out(name: str, out: Any, shape: Any) -> None:
    """Raise unless ``out`` is an array of ``shape``."""
    if not isinstance(out, ndarray):
        raise TypeError(f"{name}: return arrays must be of ArrayType, not {type(out).__name__}")
    if out._tensor.shape != shape:
        raise ValueError(
            f"{name}: output array has shape {tuple(out._tensor.shape)}, the result has "
            f"{tuple(shape)}"
        )
