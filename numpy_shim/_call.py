"""The general call of an element-wise ufunc: every operand, every option.

The flat fast paths stand in ``_ufunc`` and ``_operators``; what they do not take comes here.
"""

from __future__ import annotations

from typing import Any

import numpy
import torch
from torch import Tensor

from xp_torch._core import box as _box
from xp_torch._core.errors import translate

from . import _errors
from ._axes import broadcast_shapes
from ._convert import (
    PYTHON_NUMBERS,
    WEAK,
    array_of,
    as_tensor,
    assign,
    cast,
    check_cast,
    check_devices,
    default_dtype,
    device_of,
    full_scalar,
)
from ._dtypes import FLOATS, INTEGERS, NUMPY, torch_dtype
from ._ndarray import ndarray, wrap
from ._spec import SPECS, Key, Loop, Spec, make_loop, no_loop
from ._trace import constant

EXACT = 2**53
"""Integers up to here are exact in float64; torch rounds those beyond in its own way."""


def call(
    spec: Spec,
    args: tuple[Any, ...],
    out: Any = None,
    where: Any = True,
    casting: str = "same_kind",
    order: str = "K",
    dtype: Any = None,
    signature: Any = None,
) -> Any:
    """``ufunc(*args, ...)`` as NumPy's documentation of ``ufunc`` has it."""
    outs = outputs(spec, out)
    device = device_of(*args, *outs)
    tensors, key = operands(spec.name, args, device)
    loop = choose(spec, key, casting, dtype, signature)
    results = compute(spec, loop, args, tensors)
    if _errors.active:
        _errors.check(spec.name, [t for t in tensors if t is not None], results)
    return deliver(spec.name, results, outs, where, casting, order)


def outputs(spec: Spec, out: Any) -> tuple[Any, ...]:
    """``out=`` as a tuple with one entry per result."""
    if out is None:
        return (None,) * spec.nout
    if not isinstance(out, tuple):
        if spec.nout != 1:
            raise TypeError(f"{spec.name}: 'out' must be a tuple of {spec.nout} arrays")
        out = (out,)
    if len(out) != spec.nout:
        raise ValueError(
            f"{spec.name}: the 'out' tuple must have exactly {spec.nout} entries, not {len(out)}"
        )
    for o in out:
        if o is not None and not isinstance(o, (ndarray, Tensor)):
            raise TypeError(f"{spec.name}: return arrays must be of ArrayType, not {type(o)}")
    return tuple(out)


def operands(name: str, args: tuple[Any, ...], device: Any) -> tuple[list[Tensor | None], Key]:
    """Tensors of the operands, ``None`` for the weak Python numbers, and their kinds."""
    tensors: list[Tensor | None] = []
    kinds: list[Any] = []
    for i, x in enumerate(args):
        if type(x) in WEAK:
            tensors.append(None)
            kinds.append(type(x))
        else:
            tensor = (
                x._tensor if isinstance(x, ndarray) else as_tensor(name, x, f"x{i + 1}", device)
            )
            tensors.append(tensor)
            kinds.append(tensor.dtype)
    if all(t is None for t in tensors):
        # Alone, Python numbers are arrays of the default dtypes.
        tensors = [
            full_scalar(name, f"x{i + 1}", x, default_dtype(name, x), device)
            for i, x in enumerate(args)
        ]
        kinds = [t.dtype for t in tensors if t is not None]
    if _box.several_devices:
        check_devices(name, [t for t in tensors if t is not None])
    return tensors, tuple(kinds)


def choose(spec: Spec, key: Key, casting: str, dtype: Any, signature: Any) -> Loop:
    """The loop for operands of these kinds, or of the dtypes that were asked for."""
    if dtype is None and signature is None:
        loop = spec.loops.get(key)
        if loop is None:
            raise no_loop(spec.name, key)
    else:
        if dtype is not None:
            if signature is not None:
                raise TypeError(f"{spec.name}: cannot specify both 'signature' and 'dtype'")
            signature = (None,) * spec.nin + (torch_dtype(spec.name, dtype),) * spec.nout
        elif not isinstance(signature, str):
            if not isinstance(signature, tuple):
                signature = (signature,)
            signature = tuple(
                None if s is None else torch_dtype(spec.name, s, "signature") for s in signature
            )
        loop = _signature_loop(spec.name, key, signature, casting)
    if casting != "same_kind":
        for kind, wanted in zip(key, loop.inputs, strict=True):
            if isinstance(kind, torch.dtype):
                check_cast(f"{spec.name}: input", kind, wanted, casting)
    return loop


_signature_loops: dict[Any, Loop] = {}


@constant
def _signature_loop(name: str, key: Key, signature: Any, casting: str) -> Loop:
    """The loop for a ``signature=``; NumPy is asked once, and answers a trace as a constant."""
    known = (name, key, signature, casting)
    loop = _signature_loops.get(known)
    if loop is None:
        spec = SPECS[name]
        asked = tuple(NUMPY[k] if isinstance(k, torch.dtype) else k for k in key)
        wanted = signature
        if isinstance(signature, tuple):
            wanted = tuple(None if s is None else NUMPY[s] for s in signature)
            if len(wanted) == 1:
                wanted = (*[None] * spec.nin, *wanted * spec.nout)
        reference = getattr(numpy, name)
        resolved = reference.resolve_dtypes(
            (*asked, *[None] * spec.nout), signature=wanted, casting=casting
        )
        loop = make_loop(spec.functions, resolved, spec.nin)
        if loop is None:
            raise no_loop(name, key)
        _signature_loops[known] = loop
    return loop


def compute(spec: Spec, loop: Loop, args: tuple[Any, ...], tensors: list[Tensor | None]) -> Any:
    """The results of a loop, as a tuple of tensors in its output dtypes."""
    result = _with_number(spec, loop, args, tensors)
    if result is None:
        if spec.compares:
            known = _out_of_range(spec, loop, args, tensors)
            if known is not None:
                return (known,)
        operands = [
            full_scalar(spec.name, f"x{i + 1}", args[i], loop.inputs[i], _device(tensors))
            if t is None
            else cast(t, loop.inputs[i])
            for i, t in enumerate(tensors)
        ]
        try:
            result = loop.function(*operands)
        except RuntimeError as error:
            broadcast_shapes(spec.name, *[t.shape for t in operands])
            translate(spec.name, error)
    results = result if isinstance(result, tuple) else (result,)
    return tuple([cast(r, d) for r, d in zip(results, loop.outputs, strict=True)])


def _device(tensors: list[Tensor | None]) -> Any:
    for tensor in tensors:
        if tensor is not None:
            return tensor.device
    return None


def _with_number(
    spec: Spec, loop: Loop, args: tuple[Any, ...], tensors: list[Tensor | None]
) -> Tensor | None:
    """The result with a Python number that torch takes as it is: no 0-D tensor in a trace."""
    numbers = spec.numbers
    if numbers is None or spec.nin != 2 or (tensors[0] is None) is (tensors[1] is None):
        return None
    place = 0 if tensors[0] is None else 1
    function, number, tensor = (numbers.left, numbers.right)[place], args[place], tensors[1 - place]
    assert tensor is not None
    dtype = loop.inputs[1 - place]
    if function is None or dtype not in numbers.dtypes or loop.inputs[place] is not dtype:
        return None
    if dtype in INTEGERS:
        bounds = torch.iinfo(dtype)
        if type(number) is not int or not bounds.min <= number <= bounds.max:
            return None
    elif (
        dtype not in FLOATS
        or type(number) is complex
        or (type(number) is int and not -EXACT <= number <= EXACT)
    ):
        return None
    try:
        return function(cast(tensor, dtype), number)
    except RuntimeError:
        return None  # torch takes no number beyond the range of float32 as an infinity


def _out_of_range(
    spec: Spec, loop: Loop, args: tuple[Any, ...], tensors: list[Tensor | None]
) -> Tensor | None:
    """A comparison with a Python int beyond the array's dtype: known without its values."""
    for place, x in enumerate(args):
        dtype = loop.inputs[place]
        if tensors[place] is not None or type(x) is not int or dtype not in INTEGERS:
            continue
        bounds = torch.iinfo(dtype)
        if bounds.min <= x <= bounds.max:
            continue
        other = tensors[1 - place]
        assert other is not None
        number_is_larger = x > bounds.max
        if place == 1:
            less = number_is_larger
        else:
            less = not number_is_larger
        truth = {
            "equal": False, "not_equal": True, "less": less, "less_equal": less,
            "greater": not less, "greater_equal": not less,
        }[spec.name]  # fmt: skip
        return torch.full(other.shape, truth, dtype=torch.bool, device=other.device)
    return None


def deliver(
    name: str,
    results: tuple[Tensor, ...],
    outs: tuple[Any, ...],
    where: Any = True,
    casting: str = "same_kind",
    order: str = "K",
) -> Any:
    """Results as arrays, or written to ``outs`` where ``where`` is true."""
    mask = None if where is True else mask_of(name, where, results[0].device)
    delivered = tuple(
        [
            _new(name, result, mask, order)
            if out is None
            else _into(name, result, out, mask, casting)
            for result, out in zip(results, outs, strict=True)
        ]
    )
    return delivered[0] if len(delivered) == 1 else delivered


def mask_of(name: str, where: Any, device: Any) -> Tensor:
    """``where=`` as a boolean tensor; ``TypeError`` for any other dtype."""
    mask = as_tensor(name, where, "where", device)
    check_cast(f"{name}: where", mask.dtype, torch.bool, "safe")
    return mask


def _new(name: str, result: Tensor, mask: Tensor | None, order: str) -> ndarray:
    if mask is not None:
        # NumPy leaves the rest uninitialized; zeros are as good and do not leak memory.
        shape = broadcast_shapes(name, result.shape, mask.shape)
        result = torch.where(mask, result.expand(shape), torch.zeros_like(result))
    if order != "K" and order != "A":
        result = in_order(name, result, order)
    return wrap(result)


def in_order(name: str, tensor: Tensor, order: str) -> Tensor:
    """``tensor`` laid out in memory as ``order`` asks: ``C`` row by row, ``F`` by columns."""
    if order == "C":
        return tensor.contiguous()
    if order == "F":
        axes = tuple(range(tensor.dim()))[::-1]
        return tensor.permute(axes).contiguous().permute(axes)
    if order not in ("K", "A"):
        raise ValueError(f"{name}: order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    return tensor


def _into(name: str, result: Tensor, out: Any, mask: Tensor | None, casting: str) -> Any:
    target = array_of(out) if isinstance(out, Tensor) else out
    tensor = target._tensor
    check_cast(f"{name}: output", result.dtype, tensor.dtype, casting)
    shapes = [result.shape, tensor.shape] + ([] if mask is None else [mask.shape])
    if broadcast_shapes(name, *shapes) != tuple(tensor.shape):
        raise ValueError(
            f"{name}: non-broadcastable output operand with shape {tuple(tensor.shape)} doesn't "
            f"match the broadcast shape {broadcast_shapes(name, *shapes)}"
        )
    if mask is not None:
        result = torch.where(mask, cast(result, tensor.dtype), tensor)
    assign(target, result)
    return out


def is_number(x: Any) -> bool:
    """Whether ``x`` is exactly a Python bool, int, float or complex."""
    return type(x) in PYTHON_NUMBERS
