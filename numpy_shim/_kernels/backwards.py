"""Tensors that are special in memory: some run backwards, some may not be written to.

torch has no negative strides (https://github.com/pytorch/pytorch/issues/59786) and no read-only
memory. A special tensor is a plain tensor, which runs *forward* over the memory, with another
class. Every function of torch sees its values in their order, as a copy that is made at each
call; writes reach the memory. An array that holds a special tensor is an ordinary ``ndarray``.

There is one class for each set of axes: Dynamo can trace a ``__torch_function__`` that closes
over the axes, but not attributes of the tensor.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._kernels import host_reads
from xp_torch._kernels.blocks import BLOCK, is_large
from xp_torch._kernels.manipulation import flip
from xp_torch._torch.internals import TENSOR_ATTRIBUTES, as_plain, is_view, without_dispatch

LOCKED = "assignment destination is read-only"


class Special(Tensor):
    """A tensor that shows its memory in another order, or that protects it from writes."""

    _plain: Tensor  # the memory, for modes that refuse subclasses; not set in a trace


class Locked(Special):
    """A tensor that refuses to be written to: ``ValueError``."""


_TURNED = {"T", "mT", "H", "mH", "real", "imag", "data"}  # attributes that are views
_MEMORY: set[Any] = {
    attribute.__get__
    for name, attribute in TENSOR_ATTRIBUTES.items()
    if type(attribute).__name__ == "getset_descriptor" and name not in _TURNED
}
_MEMORY |= {
    Tensor.dim, Tensor.size, Tensor.numel, Tensor.nelement, Tensor.ndimension, Tensor.stride,
    Tensor.storage_offset, Tensor.untyped_storage, Tensor.data_ptr, Tensor.is_contiguous,
    Tensor.is_complex,
    Tensor.is_floating_point, Tensor.is_signed, Tensor.is_conj, Tensor.is_neg,
    Tensor.is_inference, Tensor.get_device, Tensor.element_size, is_view,
    torch.ops.aten.alias, torch.ops.aten.alias.default,  # as a graph calls them, see _aliased
}  # fmt: skip
"""Functions that are answered by the memory and read no values."""

_IN_PLACE = {
    "__iadd__", "__isub__", "__imul__", "__itruediv__", "__ifloordiv__", "__imod__", "__ipow__",
    "__iand__", "__ior__", "__ixor__", "__ilshift__", "__irshift__", "__setitem__",
}  # fmt: skip
_WRITING: set[Any] = {
    getattr(Tensor, name)
    for name in dir(Tensor)
    if (name.endswith("_") and not name.startswith("_")) or name in _IN_PLACE
} - {Tensor.requires_grad_, Tensor.detach_}
"""Functions that change their first argument."""

_ELEMENT_BY_ELEMENT: set[Any] = {
    getattr(Tensor, name)
    for name in (
        "add_", "sub_", "mul_", "div_", "true_divide_", "remainder_", "pow_", "bitwise_and_",
        "bitwise_or_", "bitwise_xor_", "logical_and_", "logical_or_", "logical_xor_",
        "bitwise_left_shift_", "bitwise_right_shift_", "floor_divide_", "fill_", "zero_",
        "neg_", "abs_", "__iadd__", "__isub__", "__imul__", "__itruediv__", "__ifloordiv__",
        "__imod__", "__ipow__", "__iand__", "__ior__", "__ixor__", "__ilshift__", "__irshift__",
    )
}  # fmt: skip
"""Those of them that change each element by itself, so that the order does not matter."""


def runs_backwards(t: Tensor) -> bool:
    """Whether the values of a tensor are not in the order of its strides."""
    return isinstance(t, Special) and bool(_FLIPS[type(t)])


def _memory_of(t: Special) -> Tensor:
    """The plain tensor of a special one; the tensor itself if a trace has made it."""
    if is_dynamo_compiling():
        return t._plain if hasattr(t, "_plain") else t
    try:
        return t._plain
    except AttributeError:  # the tensor came out of a trace
        with as_plain():
            t._plain = t.as_subclass(Tensor)
    return t._plain


def values(t: Tensor) -> Tensor:
    """The values as a plain tensor: ``t`` itself, its memory, or a copy where it runs backwards."""
    if not isinstance(t, Special):
        return t
    flips = _FLIPS[type(t)]
    if not flips:
        return forward_of(t)[0]
    with as_plain():
        return flip(_memory_of(t), flips)


def copy_into(target: Tensor, t: Tensor) -> None:
    """Write the values of a special tensor to a plain one; many of them part by part."""
    if t.shape != target.shape or not is_large(target):
        target.copy_(t)
        return
    memory, flips = forward_of(t)
    size = t.shape[0]
    rows = max(BLOCK // max(t.numel() // size * t.itemsize, 1), 1)
    for first in range(0, size, rows):
        count = min(rows, size - first)
        start = size - first - count if 0 in flips else first
        target.narrow(0, first, count).copy_(flip(memory.narrow(0, start, count), flips))


def copied(t: Tensor) -> Tensor:
    """A copy in row-major order: what turns the axes round is one already."""
    if isinstance(t, Special) and _FLIPS[type(t)]:
        return values(t).contiguous()
    return t.clone(memory_format=torch.contiguous_format)


def forward_of(t: Tensor) -> tuple[Tensor, tuple[int, ...]]:
    """A plain tensor over the memory, and the axes that run backwards over it."""
    if not isinstance(t, Special):
        return t, ()
    return _aliased(_memory_of(t)), _FLIPS[type(t)]


def _aliased(memory: Tensor) -> Tensor:
    """A plain tensor in a trace too, where a tensor that is written to may lose its class."""
    if not isinstance(memory, Special):
        return memory
    with as_plain():
        plain: Tensor = torch.ops.aten.alias(memory)
    return plain


def write(t: Special, value: Tensor) -> None:
    """Write a value that broadcasts to ``t``, in the order of its values.

    ``ValueError`` for a tensor that is locked.
    """
    if isinstance(t, Locked):
        raise ValueError(LOCKED)
    flips = _FLIPS[type(t)]
    value = values(value)
    with as_plain():
        memory = _aliased(_memory_of(t))
        try:
            memory.copy_(_turned(value, flips, memory.dim()))
        except RuntimeError:  # an axis with one element in memory cannot run backwards
            flips = tuple([f for f in flips if memory.stride(f)])
            write_repeated(memory, _turned(value, flips, memory.dim()))


def _turned(value: Tensor, flips: tuple[int, ...], ndim: int) -> Tensor:
    """A value to write, in the order of the memory."""
    missing = ndim - value.dim()
    axes = [f - missing for f in flips if f >= missing]
    axes = [axis for axis in axes if value.shape[axis] > 1]
    return flip(value, axes) if axes else value


def write_repeated(t: Tensor, value: Tensor) -> None:
    """Write as ``t.copy_(value)`` does, and also to elements that share memory.

    torch refuses such elements. They get the value that a loop would write last.
    """
    value = value.expand(t.shape)
    for axis, step in enumerate(t.stride()):
        if step == 0 and t.shape[axis] > 1:
            last = t.shape[axis] - 1
            t, value = t.narrow(axis, last, 1), value.narrow(axis, last, 1)
    t.copy_(value)


def _forwards(x: object) -> Any:
    """Arguments in which no tensor runs backwards."""
    if isinstance(x, Special):
        flips = _FLIPS[type(x)]
        return flip(_memory_of(x), flips) if flips else _memory_of(x)
    if isinstance(x, (tuple, list)):  # type(x) of a constant makes a guard that cannot be checked
        forwards = [_forwards(v) for v in x]
        return tuple(forwards) if isinstance(x, tuple) else forwards
    return x


def _own(func: object, plain: object) -> Any:
    """A method as the class of a plain tensor has it: a backend's tensors, and fake ones, do."""
    kind = type(plain)
    if kind is Tensor or is_dynamo_compiling() or not isinstance(plain, Tensor):
        return func
    name = getattr(func, "__name__", "")
    return getattr(kind, name) if getattr(Tensor, name, None) is func else func


def _changed(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call that writes: it changes copies of special tensors, which are then written back."""
    into = kwargs.get("out", args[0] if args else None)
    targets = [t for t in (into if isinstance(into, tuple) else (into,)) if isinstance(t, Special)]
    if any(isinstance(t, Locked) for t in targets):
        raise ValueError(LOCKED)
    if func is Tensor.copy_ and targets:
        write(args[0], args[1])
        return args[0]
    if func in _ELEMENT_BY_ELEMENT and len(targets) == 1 and not kwargs:
        operands = _beside(targets[0], args[1:])
        if operands is not None:
            with as_plain():
                func(_aliased(_memory_of(targets[0])), *operands)
            return targets[0]
    copies = {id(t): values(t) for t in targets}

    def given(x: object) -> Any:
        if type(x) is tuple:
            return tuple([given(v) for v in x])
        return copies[id(x)] if id(x) in copies else _forwards(x)

    with as_plain():
        result = func(*[given(x) for x in args], **{k: given(x) for k, x in kwargs.items()})
    for t in targets:
        write(t, copies[id(t)])
        result = t if result is copies[id(t)] else result
    return result


def _beside(target: Special, others: tuple[object, ...]) -> list[Any] | None:
    """The operands of an element-wise function in the order of the memory of ``target``.

    They are numbers, 0-D tensors, ``target`` itself, or copies; ``None`` where the memory
    cannot be changed element by element, because several elements share memory.
    """
    memory, flips = _memory_of(target), _FLIPS[type(target)]
    if not memory.is_contiguous() and 0 in memory.stride():
        return None
    operands: list[Any] = []
    for x in others:
        if x is target:
            operands.append(memory)
        elif not isinstance(x, Tensor):
            if isinstance(x, (tuple, list)):
                return None
            operands.append(x)
        elif not x.dim():
            operands.append(values(x).clone())
        else:
            turned = _turned(values(x), flips, memory.dim())
            operands.append(turned if turned is not x and type(x) is Tensor else turned.clone())
    return operands


def as_guarded(t: Tensor, like: Tensor) -> Tensor:
    """``t``, locked if ``like`` is."""
    return posed(*forward_of(t), True) if isinstance(like, Locked) else t


_KINDS: dict[tuple[tuple[int, ...], bool], type[Special]] = {}
_FLIPS: dict[type, tuple[int, ...]] = {}


def _kind(flips: tuple[int, ...], locked: bool) -> type[Special]:
    """The class of tensors with these axes backwards."""

    def torch_function(cls: type, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if flips and func is Tensor.is_contiguous:
            return False
        if func in _MEMORY:
            memory = _memory_of(args[0])
            with as_plain():
                return _own(func, memory)(memory, *args[1:], **kwargs)
        if func in _WRITING or kwargs.get("out") is not None:
            return _changed(func, args, kwargs)
        with as_plain():  # without it, torch 2.11 traces this function in itself
            args = [_forwards(x) for x in args]
            return _own(func, args[0] if args else None)(
                *args, **{k: _forwards(x) for k, x in kwargs.items()}
            )

    base = Locked if locked else Special
    kind = type(
        f"{base.__name__}{flips}", (base,), {"__torch_function__": classmethod(torch_function)}
    )
    _FLIPS[kind] = flips
    host_reads.memory_of[kind] = _memory_of
    return kind


def posed(forward: Tensor, flips: tuple[int, ...], locked: bool = False) -> Tensor:
    """A plain tensor over memory as one with axes that run backwards, or that is locked."""
    kind = _KINDS.get((flips, locked))
    if kind is None:
        kind = _KINDS[flips, locked] = _kind(flips, locked)
    if is_dynamo_compiling():
        return forward.as_subclass(kind)
    if type(forward) is Tensor:
        t = forward.as_subclass(kind)
    else:  # a fake tensor, for example, is already another Python object
        with without_dispatch():
            t = torch.empty(0).as_subclass(kind)
    t._plain = forward
    return t


for _bits in range(1 << 5):  # Dynamo cannot make classes, so they are made before any trace
    for _locked in (False, True):
        _key = (tuple([axis for axis in range(5) if _bits >> axis & 1]), _locked)
        if _bits or _locked:
            _KINDS[_key] = _kind(*_key)
