"""Convert arguments to tensors, and tensors to results.

``as_tensor`` takes whatever NumPy takes as an array. ``operands`` brings several to one device.
``finish`` writes a result to ``out`` or makes it an array. Python numbers stay weak in functions
that call ``operand`` (NEP 50).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._core.errors import translate
from xp_torch._mesh.dtensors import from_dtensor
from xp_torch._torch.internals import is_zero_tensor, transform_level

from .._array.ndarray import AnyArray, ndarray, wrap
from .._array.ndarray import array_of as array_of
from .._base import error_states as errstate
from .._base.dtypes import (
    CASTABLE,
    COMPLEXES,
    HALVES,
    NUMPY,
    HostDtypeError,
    check_casting,
    promote,
)
from .._base.promotion import PYTHON_NUMBERS, WEAK, beside_number, default_dtype
from .._base.scalar_types import STORED
from .._base.typing import ArrayLike as ArrayLike
from .._kernels.backwards import Special, copy_into, write, write_repeated
from .._kernels.casting import cast
from .._kernels.numbers import full_scalar
from .one_storage import is_kept_in_place, on_memory_of
from .outputs import output_of
from .sequences import quick_number, tensor_from


def as_tensor(name: str, x: ArrayLike, argument: str = "a", device: object = None) -> Tensor:
    """The tensor of an array-like; for an array or a tensor its own tensor, not a copy."""
    if type(x) is ndarray or isinstance(x, AnyArray):
        return x._tensor
    if isinstance(x, Tensor):
        return _checked(name, x, argument)
    return from_other(name, x, argument, device)


def as_array(
    name: str, x: ArrayLike, argument: str = "a", device: object = None, beside: Iterable[Any] = ()
) -> ndarray:
    """An array-like as an array that is on its memory: itself if it is one.

    For functions that give views. ``HostDtypeError`` where the views are to be NumPy's; it is a
    copy if an array that NumPy cannot have is ``beside`` it, on a device or with a gradient.
    """
    if isinstance(x, AnyArray):
        return x
    if is_kept_in_place(x, device):
        try:
            made = on_memory_of(name, x, argument)  # type: ignore[arg-type]
        except HostDtypeError:
            if not any(map(_is_beyond_numpy, beside)):
                raise
            made = None
        if made is not None:
            return made
    return array_of(as_tensor(name, x, argument, device))


def _is_beyond_numpy(x: object) -> bool:
    if isinstance(x, AnyArray):
        x = x._tensor
    return isinstance(x, Tensor) and (x.requires_grad or not x.is_cpu)


def as_own_array(
    name: str, x: ArrayLike, argument: str = "a", beside: Iterable[object] = ()
) -> ndarray:
    """``as_array``, and a scalar as an array without axes that has its own memory."""
    array = as_array(name, x, argument, beside=beside)
    return array if type(array) is ndarray else array_of(array._tensor.clone())


def _checked(name: str, tensor: Tensor, argument: str) -> Tensor:
    if type(tensor) is not Tensor:
        tensor = from_dtensor(tensor)
    if tensor.is_nested:
        raise TypeError(f"{name}: {argument} is a nested tensor; give a dense one")
    if tensor.dtype not in NUMPY:
        raise TypeError(f"{name}: dtype {tensor.dtype} of {argument} is not supported by NumPy")
    if tensor.layout is not torch.strided:
        raise TypeError(f"{name}: {argument} is a {tensor.layout} tensor; give a dense one")
    if not is_compiling() and is_zero_tensor(tensor):
        return torch.zeros_like(tensor)  # autograd's zero tensors have no memory
    return tensor


def from_other(name: str, x: Any, argument: str, device: Any = None) -> Tensor:
    """A tensor from anything that is neither an array of ours nor a tensor."""
    kind = type(x)
    made = quick_number(x, device)
    if made is not None:
        return made
    if kind in PYTHON_NUMBERS:
        return full_scalar(name, argument, x, default_dtype(name, x), device)
    if kind in STORED:
        return full_scalar(name, argument, x.item(), STORED[kind], device)
    return tensor_from(name, x, argument, device=device)


def device_of(*xs: object) -> Any:
    """The device of the first array or tensor among ``xs``; ``None`` (the default) without one."""
    for x in xs:
        if isinstance(x, AnyArray):
            return x._tensor.device
        if isinstance(x, Tensor):
            return x.device
    return None


def operands(name: str, *xs: ArrayLike, arguments: tuple[str, ...] = ()) -> list[Tensor]:
    """The tensors of several array-likes, on one device; Python numbers become arrays.

    Numbers and sequences go to the device of the other arrays. ``ValueError``, naming both
    devices, for arrays on two devices.
    """
    device = device_of(*xs)
    names = arguments or tuple(f"x{i}" for i in range(1, len(xs) + 1))
    tensors = [
        x._tensor if type(x) is ndarray else as_tensor(name, x, names[i], device)
        for i, x in enumerate(xs)
    ]
    check_devices(name, tensors)
    return tensors


def check_devices(name: str, tensors: list[Tensor]) -> None:
    """Raise ``ValueError`` when tensors live on two devices."""
    for tensor in tensors[1:]:
        if tensor.device != tensors[0].device:
            check_device(name, tensors[0].device, tensor)


def check_device(name: str, device: torch.device, tensor: Tensor) -> None:
    """Raise ``ValueError`` for a tensor that is not on the device of the others."""
    if tensor.device != device:
        raise ValueError(
            f"{name}: arrays on two devices, {device} and {tensor.device}; move one of them, as "
            "with array(x, device=...)"
        )


def promoted(name: str, tensors: list[Tensor]) -> list[Tensor]:
    """All tensors in their common dtype; a tensor that has it already is returned as it is."""
    for t in tensors:
        if t.dtype is not tensors[0].dtype:
            dtype = promote(name, *[t.dtype for t in tensors])
            return [cast(t, dtype) for t in tensors]
    return tensors


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
"""Pairs (from, to) that torch casts in its own way, or with a warning."""


def assign(target: ndarray, value: Tensor, operation: str = "cast") -> None:
    """Write a tensor that broadcasts to ``target`` into it, cast to its dtype.

    ``ValueError`` for a read-only array. ``value`` must not share memory with the target
    unless the same elements do. Messages of ``errstate`` name ``operation``.
    """
    t = target._tensor
    if type(target) is not ndarray:
        raise TypeError(f"'numpy_shim.{type(target).__name__}' object cannot be written to")
    if errstate.active or (value.dtype, t.dtype) in _WITH_CARE:
        value = cast(value, t.dtype, operation)
    if type(t) is not Tensor and isinstance(t, Special):
        write(t, cast(value, t.dtype))
        return
    try:
        if isinstance(value, Special):
            copy_into(t, value)
        else:
            t.copy_(value)
    except RuntimeError as error:
        if (t.requires_grad and t.is_leaf) or transform_level() is not None:
            translate("assignment", error)
        write_repeated(t, value)


def finish(name: str, result: Tensor, out: Any = None, casting: str = "same_kind") -> ndarray:
    """A result as an array or scalar; if ``out`` is given, the result is written to it.

    ``out`` is never resized: ``ValueError`` for another shape, ``TypeError`` for an object
    that is not an array, or for a cast that ``casting`` does not allow.
    """
    if out is None:
        return wrap(result)
    if isinstance(out, tuple) and len(out) == 1:
        out = out[0]
        if out is None:
            return wrap(result)
    target = check_out(name, out, result.shape)
    check_cast(f"{name}: out", result.dtype, target._tensor.dtype, casting)
    assign(target, result)
    return out  # type: ignore[no-any-return]


def check_out(name: str, out: object, shape: Any) -> ndarray:
    """The array of ``out``; an error unless it is one, of ``shape``."""
    target = output_of(name, out)
    if target._tensor.shape != shape:
        raise ValueError(
            f"{name}: output array has shape {tuple(target._tensor.shape)}, the result has "
            f"{tuple(shape)}"
        )
    return target
