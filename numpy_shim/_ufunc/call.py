"""The general call of an element-wise ufunc: every operand, every option.

The flat fast paths are in ``flat`` and ``elementwise``; other calls come here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import torch
from torch import Tensor

from xp_torch._core import box as _box
from xp_torch._core.dtypes import EXACT
from xp_torch._core.errors import translate
from xp_torch._kernels import searching

from .._array.layout import common_order, order_of
from .._array.ndarray import ARRAYS, AnyArray, ndarray, wrap
from .._base import error_checks
from .._base import error_states as errstate
from .._base.axes import broadcast_shapes
from .._base.dtypes import CASTABLE, COMPLEXES, FLOATS, INTEGERS, NUMPY, check_casting
from .._base.promotion import PYTHON_NUMBERS, WEAK, default_dtype
from .._convert.arguments import (
    array_of,
    as_tensor,
    assign,
    check_cast,
    check_device,
    check_devices,
    device_of,
)
from .._convert.outputs import output_of
from .._convert.sequences import quick_tensor
from .._kernels.casting import cast
from .._kernels.numbers import full_scalar
from .loops import choose
from .spec import Key, Loop, Spec, loop_of


class ForeignOperandError(Exception):
    """An operand whose type overrides ufuncs; only the rare path checks for it."""


def defers(other: object) -> bool:
    """Whether the call is left to ``other``, an object of a foreign array type.

    NumPy's rule: a type with an ``__array_ufunc__`` of its own that is neither ours, NumPy's
    nor torch's.
    """
    kind = type(other)
    if kind in PYTHON_NUMBERS or isinstance(other, ARRAYS):
        return False
    return hasattr(kind, "__array_ufunc__")


def plain(spec: Spec, args: tuple[object, ...], operation: str | None = None) -> Any:
    """``ufunc(*args)`` without options; error messages name ``operation``."""
    tensors, key = operands(spec.name, args)
    loop = loop_of(spec, key)
    results = compute(spec, loop, args, tensors, operation=operation)
    if spec.nout == 1:
        return wrap(results[0])
    return tuple([wrap(r) for r in results])


def call(
    spec: Spec,
    args: tuple[object, ...],
    out: object = None,
    where: object = True,
    casting: str = "same_kind",
    order: str = "K",
    dtype: object = None,
    signature: object = None,
    operation: str | None = None,
) -> Any:
    """``ufunc(*args, ...)`` with the options that NumPy documents for ``ufunc``; see ``plain``."""
    if out is not None:
        for x in args:
            if type(x) is not ndarray and defers(x):
                raise ForeignOperandError  # the override is called before the output is checked
    as_arrays = out is ...
    if as_arrays:  # new arrays, including 0-D ones
        out = None
    outs = outputs(spec, out)
    if order != "K":
        order = order_of(spec.name, order, "K")
    mask = device = None
    if type(where) is ndarray and where._flat_dtype is torch.bool and not _box.several_devices:
        mask = where._tensor
    elif where is not True:
        device = device_of(*args, where, *outs)
    tensors, key = operands(spec.name, args, outs, device)
    if dtype is None and signature is None and casting == "same_kind":
        loop = loop_of(spec, key)
    else:
        loop = choose(spec, key, casting, dtype, signature)
    for target, result in zip(outs, loop.outputs, strict=True):
        if target is not None and (casting != "same_kind" or result is not target._tensor.dtype):
            check_output(spec.name, result, target._tensor.dtype, casting)
    if mask is None and where is not True:
        mask = mask_of(spec.name, where, device)
    if mask is not None:
        for i, t in enumerate(tensors):
            if t is not None and t.requires_grad:
                # The derivative may be infinite where ``where=`` leaves an element out, and 0
                # times infinity is NaN.
                tensors[i] = torch.where(mask, t, t.detach())
    if errstate.active and any(o is not None and not o.size for o in outs):
        with errstate.errstate(all="ignore"):  # operands may have elements, which broadcast
            results = compute(spec, loop, args, tensors, mask, operation)
    else:
        results = compute(spec, loop, args, tensors, mask, operation)
    if order == "A":
        order = common_order([t for t in tensors if t is not None])
    delivered = deliver(spec.name, results, outs, mask, order, array_of if as_arrays else wrap)
    if out is None:
        return delivered[0] if len(delivered) == 1 else delivered
    if type(out) is ndarray or not isinstance(out, tuple):
        return out
    # Return the objects that were given, tensors included.
    delivered = tuple([d if g is None else g for d, g in zip(delivered, out, strict=True)])
    return delivered[0] if len(delivered) == 1 else delivered


def outputs(spec: Spec, out: object) -> tuple[ndarray | None, ...]:
    """``out=`` as a tuple with one entry per result."""
    if out is None:
        return (None,) * spec.nout
    if type(out) is ndarray and spec.nout == 1:
        return (out,)
    if not isinstance(out, tuple):
        if spec.nout != 1:
            raise TypeError(f"{spec.name}: 'out' must be a tuple of {spec.nout} arrays")
        out = (out,)
    if len(out) != spec.nout:
        raise ValueError(
            f"{spec.name}: the 'out' tuple must have exactly {spec.nout} entries, not {len(out)}"
        )
    return tuple([None if o is None else target_of(spec.name, o) for o in out])


def check_output(name: str, result: torch.dtype, target: torch.dtype, casting: str) -> None:
    """Raise ``TypeError``, in NumPy's words, for an output that cannot hold the result."""
    if casting != "same_kind":
        check_casting(name, casting)
    if (result, target) not in CASTABLE[casting]:
        raise TypeError(
            f"Cannot cast ufunc {name!r} output from {NUMPY[result]!r} to {NUMPY[target]!r} with "
            f"casting rule {casting!r}"
        )


def target_of(name: str, out: object) -> ndarray:
    """An array to write a result into; a tensor becomes an array on its memory."""
    if out is ...:
        raise TypeError("must use `...` as `out=...` and not per-operand/in a tuple")
    if type(out) is not ndarray and defers(out):
        raise ForeignOperandError
    return output_of(name, out)


def operands(
    name: str, args: tuple[Any, ...], outs: tuple[Any, ...] = (), device: Any = None
) -> tuple[list[Tensor | None], Key]:
    """Tensors of the operands, ``None`` for the weak Python numbers, and their kinds.

    ``device`` is where sequences and NumPy's arrays go; by default that of the other arrays.
    """
    tensors: list[Tensor | None] = []
    kinds: list[Any] = []
    strong = follows = False
    lent: list[int] = []
    for i, x in enumerate(args):
        kind = type(x)
        if kind in WEAK:
            tensors.append(None)
            kinds.append(kind)
            continue
        strong = True
        if kind is ndarray or isinstance(x, AnyArray):
            tensor = x._tensor
        elif (kind is list or kind is tuple) and (
            made := quick_tensor(x, device or device_of(*args, *outs))
        ) is not None:
            tensor = made
        else:
            if defers(x):
                raise ForeignOperandError
            tensor = as_tensor(name, x, f"x{i + 1}", device or device_of(*args, *outs))
            if isinstance(x, numpy.ndarray):
                lent.append(i)
        tensors.append(tensor)
        kinds.append(tensor.dtype)
        follows |= tensor.requires_grad
    if not strong:
        # Without arrays, Python numbers become arrays of the default dtypes.
        device = device or device_of(*outs)
        tensors = [
            full_scalar(name, f"x{i + 1}", x, default_dtype(name, x), device)
            for i, x in enumerate(args)
        ]
        kinds = [t.dtype for t in tensors if t is not None]
    if _box.several_devices:
        check_devices(name, [t for t in tensors if t is not None])
    if follows:
        # A gradient may need the operands' values from before the result is written, and from
        # before the program writes to NumPy's array, of which autograd hears nothing.
        writes = any(out is not None for out in outs)
        for i, t in enumerate(tensors):
            if t is not None and (writes or i in lent):
                tensors[i] = t.clone()
    return tensors, tuple(kinds)


def compute(
    spec: Spec,
    loop: Loop,
    args: tuple[object, ...],
    tensors: list[Tensor | None],
    mask: Tensor | None = None,
    operation: str | None = None,
) -> tuple[Tensor, ...]:
    """The results of a loop, as a tuple of tensors in its output dtypes.

    Errors are looked for where ``mask`` is true; messages name ``operation``.
    """
    looks = errstate.active  # read once: another thread may change it
    if spec.compares:
        known = _out_of_range(spec, loop, args, tensors)
        if known is not None:
            return (known,)
    if looks:
        inputs = full_operands(spec, loop, args, tensors)
        tensors = [None if t is None else x for t, x in zip(tensors, inputs, strict=True)]
    result = _with_number(spec, loop, args, tensors)
    if result is None:
        if not looks:
            inputs = full_operands(spec, loop, args, tensors)
        try:
            result = loop.function(*inputs)
        except RuntimeError as error:
            broadcast_shapes(spec.name, *[t.shape for t in inputs])
            translate(spec.name, error)
    results = result if isinstance(result, tuple) else (result,)
    if looks:
        error_checks.check(spec.name, inputs, results, mask, operation)
    for r, dtype in zip(results, loop.outputs, strict=True):
        if r.dtype is not dtype:
            return tuple([cast(r, d) for r, d in zip(results, loop.outputs, strict=True)])
    return results


def full_operands(
    spec: Spec, loop: Loop, args: tuple[object, ...], tensors: list[Tensor | None]
) -> list[Tensor]:
    """The operands in the dtypes of a loop, Python numbers as 0-D tensors."""
    full = []
    for i, t in enumerate(tensors):
        dtype = loop.inputs[i]
        if t is None:
            t = full_scalar(spec.name, f"x{i + 1}", args[i], dtype, _device(tensors))
        full.append(t if t.dtype is dtype else cast(t, dtype))
    return full


def _device(tensors: list[Tensor | None]) -> Any:
    for tensor in tensors:
        if tensor is not None:
            return tensor.device
    return None


def _with_number(
    spec: Spec, loop: Loop, args: tuple[object, ...], tensors: list[Tensor | None]
) -> Tensor | None:
    """The result with a Python number that torch takes directly: no 0-D tensor in a trace."""
    numbers = spec.numbers
    if numbers is None or spec.nin != 2 or (tensors[0] is None) is (tensors[1] is None):
        return None
    slot = 0 if tensors[0] is None else 1
    function, number, tensor = (numbers.left, numbers.right)[slot], args[slot], tensors[1 - slot]
    assert tensor is not None
    dtype = loop.inputs[1 - slot]
    if function is None or dtype not in numbers.dtypes or loop.inputs[slot] is not dtype:
        return None
    if dtype in INTEGERS:
        bounds = torch.iinfo(dtype)
        if type(number) is not int or not bounds.min <= number <= bounds.max:
            return None
    elif (
        (dtype not in FLOATS and dtype not in COMPLEXES)
        or type(number) is complex
        or (type(number) is int and not -EXACT <= number <= EXACT)
    ):
        return None
    try:
        return function(cast(tensor, dtype), number)
    except RuntimeError:
        return None  # torch refuses numbers beyond the range of float32


def _out_of_range(
    spec: Spec, loop: Loop, args: tuple[object, ...], tensors: list[Tensor | None]
) -> Tensor | None:
    """A comparison with a Python int out of the dtype's range: it does not depend on the values."""
    for slot, x in enumerate(args):
        dtype = loop.inputs[slot]
        if tensors[slot] is not None or type(x) is not int or dtype not in INTEGERS:
            continue
        bounds = torch.iinfo(dtype)
        if bounds.min <= x <= bounds.max:
            continue
        other = tensors[1 - slot]
        assert other is not None
        number_is_larger = x > bounds.max
        if slot == 1:
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
    outs: tuple[ndarray | None, ...],
    mask: Tensor | None = None,
    order: str = "K",
    made: Callable[[Tensor], ndarray] = wrap,
) -> tuple[ndarray, ...]:
    """Results converted by ``made``, or written to ``outs`` where ``mask`` holds; all or none."""
    values = []
    for result, out in zip(results, outs, strict=True):
        values.append(
            _new(name, result, mask, order) if out is None else _fitting(name, result, out, mask)
        )
    delivered: list[ndarray] = []
    for value, out in zip(values, outs, strict=True):
        if out is None:
            delivered.append(made(value))
        else:
            assign(out, value, name)
            delivered.append(out)
    return tuple(delivered)


def mask_of(name: str, where: Any, device: Any) -> Tensor:
    """``where=`` as a boolean tensor; ``TypeError`` for an array of another dtype.

    ``ValueError`` for one that is not on the ``device`` of the operands, if there is one.
    """
    if where is None:
        where = False  # Python's bool
    mask = as_tensor(name, where, "where", device)
    if device is not None:
        check_device(name, device, mask)
    if isinstance(where, (list, tuple)) or type(where) in PYTHON_NUMBERS:
        return cast(mask, torch.bool)
    check_cast(f"{name}: where", mask.dtype, torch.bool, "safe")
    return mask


def _new(name: str, result: Tensor, mask: Tensor | None, order: str) -> Tensor:
    if mask is not None:
        # NumPy leaves the rest uninitialized; zeros do not leak other memory.
        shape = broadcast_shapes(name, result.shape, mask.shape)
        result = searching.where(mask, result.expand(shape), torch.zeros_like(result))
    return in_order(result, order)


def in_order(tensor: Tensor, order: str) -> Tensor:
    """``tensor`` laid out in memory as ``order`` asks: ``C`` row by row, ``F`` by columns."""
    if order == "C":
        return tensor.contiguous()
    if order == "F":
        axes = tuple(range(tensor.dim()))[::-1]
        return tensor.permute(axes).contiguous().permute(axes)
    return tensor


def _fitting(name: str, result: Tensor, out: ndarray, mask: Tensor | None) -> Tensor:
    """The values to write into ``out``, which may be larger than the result but not smaller."""
    tensor = out._tensor
    shape = tensor.shape
    shapes = [result.shape, shape] if mask is None else [result.shape, shape, mask.shape]
    if not result.shape == shape == shapes[-1] and broadcast_shapes(name, *shapes) != tuple(shape):
        raise ValueError(
            f"{name}: non-broadcastable output operand with shape {tuple(shape)} doesn't "
            f"match the broadcast shape {broadcast_shapes(name, *shapes)}"
        )
    if mask is None:
        return result
    if result.dtype is not tensor.dtype:
        result = cast(result, tensor.dtype)
    return searching.where(mask, result, tensor.to(result.device))
