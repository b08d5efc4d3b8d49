"""Operations element by element: each process computes its own elements."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from . import collectives
from .layout import Layout, chunk, local_shape
from .schema import mesh_of, mesh_tensors, name, replaced, tensors_in, written
from .tensor import MeshTensor, current
from .views import pushed

NAMES = {
    "addcmul", "addcdiv", "lerp", "floor_divide",
    "clone", "_to_copy", "copy_", "copy", "fill_", "fill", "zero_", "empty_like", "zeros_like",
    "ones_like", "full_like", "masked_fill", "masked_fill_", "where", "nan_to_num", "nan_to_num_",
    "isnan", "isinf", "isposinf", "isneginf", "signbit", "polar", "complex", "angle", "frexp",
    "view_as_real_copy", "view_as_complex_copy", "bitwise_not", "logical_not", "contiguous",
    "conj_physical", "_conj_physical", "clamp", "clip", "abs", "sgn", "sign", "round", "exp2",
    "logaddexp", "logaddexp2", "special_i0", "i0", "sinc", "heaviside", "hypot", "nextafter",
    "gcd", "lcm", "ldexp", "float_power", "copysign", "xlogy", "fmod", "remainder", "real", "imag",
}  # fmt: skip
"""Operations that torch does not tag, or not in all their forms, as element by element."""


_BY_ZERO = {"div", "divide", "floor_divide", "remainder", "fmod"}
"""Operations that torch refuses on the CPU if an integer is divided by zero."""


def applies(func: Any) -> bool:
    """Whether an operation is element by element; ``equal`` has that tag, and one result."""
    return name(func).rstrip("_") in NAMES or (
        torch.Tag.pointwise in func.tags and torch.Tag.data_dependent_output not in func.tags
    )


def elementwise(func: Any, args: Any, kwargs: Any) -> Any:
    """The rule; ``NotImplemented`` if the operands do not broadcast as they should."""
    every = tensors_in(*args, kwargs)
    spread = mesh_tensors(args, kwargs)
    mesh = mesh_of(func, spread)
    targets = written(func, args, kwargs)
    if any(type(t) is not MeshTensor for t in targets) or len({t.shape for t in targets}) > 1:
        return NotImplemented
    try:
        shape = torch.broadcast_shapes(*[t.shape for t in every])
    except RuntimeError:
        return NotImplemented  # torch says what is wrong, with the shapes of the whole
    if targets:
        if targets[0].shape != shape:
            return NotImplemented
        axes: Layout = targets[0].axes  # type: ignore[attr-defined]
        if any(t.axes != axes for t in targets):  # type: ignore[attr-defined]
            return NotImplemented
    else:
        axes = common_axes(spread, shape)
    # What is written to may be the memory of another operand: then each needs its own.
    parts = {id(t): operand(t, shape, mesh, axes, reading=not targets) for t in every}

    def part_of(t: Tensor) -> Tensor:
        return parts[id(t)]

    def compute() -> Any:
        return func(*replaced(args, part_of), **replaced(kwargs, part_of))

    may_fail = name(func).rstrip("_") in _BY_ZERO and not any(
        t.dtype.is_floating_point or t.dtype.is_complex for t in every
    )
    result = collectives.together(mesh, compute) if may_fail else compute()
    for t in targets:
        pushed(t)  # type: ignore[arg-type]
    originals = {id(parts[id(t)]): t for t in targets}
    like = next((t for t in every if t.shape == shape), None)
    if kwargs.get("memory_format") is torch.contiguous_format:
        like = None

    def wrapped(r: Tensor) -> Tensor:
        if id(r) in originals:
            return originals[id(r)]
        return MeshTensor(r, mesh, axes, shape, like=like)

    return replaced(result, wrapped)


def common_axes(spread: list[MeshTensor], shape: Any) -> Layout:
    """The layout of the result: for each dimension of the mesh that of the largest operand."""
    ordered = sorted(spread, key=lambda t: -t.numel())
    out: list[int | None] = []
    for m in range(len(spread[0].axes)):
        found: int | None = None
        for t in ordered:
            axis = t.axes[m]
            if axis is None:
                continue
            new = axis + len(shape) - t.dim()
            if t.shape[axis] == shape[new] and new not in out:
                found = new
                break
        out.append(found)
    return tuple(out)


def operand(t: Tensor, shape: Any, mesh: Any, axes: Layout, reading: bool = False) -> Tensor:
    """This process's part of an operand that broadcasts to ``shape``, split as ``axes`` says."""
    lead = len(shape) - t.dim()
    want = tuple(
        None if a is None or a < lead or t.shape[a - lead] != shape[a] else a - lead for a in axes
    )
    if reading and type(t) is MeshTensor and t.axes == want:
        lent = current(t).lent
        if lent is not None:
            return lent
    return laid(t, mesh, want)


def laid(t: Tensor, mesh: object, want: Layout) -> Tensor:
    """This process's part of a tensor in another layout; a plain tensor counts as replicated."""
    if type(t) is not MeshTensor:
        part: Tensor = t
        have: Layout = (None,) * len(want)
    else:
        part, have = current(t).part, t.axes
    if have == want:
        return part
    for m in range(len(want) - 1, -1, -1):
        old, new = have[m], want[m]
        if old is None or old == new:
            continue
        if new is not None and len(want) == 1:
            return collectives.turned(part, old, new, t.shape[old], mesh, m)
        part = collectives.gathered(part, old, t.shape[old], mesh, m)
    for m, (old, new) in enumerate(zip(have, want, strict=True)):
        if new is not None and old != new:
            part = chunk(part, new, mesh, m)
    assert list(part.shape) == local_shape(t.shape, mesh, want)
    return part
