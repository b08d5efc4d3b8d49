"""What has no rule of its own: gather, compute on every process, and split the result again.

Right for every operation. A random one is drawn by the first process and sent to the others.
"""

from __future__ import annotations

from typing import Any

from torch import Tensor

from .collectives import from_first
from .layout import Layout
from .schema import is_random, mesh_of, mesh_tensors, name, parameters, replaced, written
from .tensor import MeshTensor, current, replicated, shared_out
from .tensor import whole as whole_of
from .views import pushed

_MEMORY = {"resize_", "set_", "as_strided_", "t_", "transpose_", "squeeze_", "unsqueeze_",
           "swapaxes_", "swapdims_"}  # fmt: skip


def gathering(func: Any, args: Any, kwargs: Any) -> Any:
    """Run an operation on the gathered values, on every process alike."""
    kind = name(func)
    if kind in _MEMORY:
        raise TypeError(
            f"{kind}: a distributed array cannot change its shape or memory in place; gather it "
            "first, as with numpy_shim.distributed.gather"
        )
    spread = mesh_tensors(args, kwargs)
    mesh = mesh_of(func, spread)
    changed = [t for t in written(func, args, kwargs) if type(t) is MeshTensor]
    fulls: dict[int, Tensor] = {}
    for t in spread:
        if id(t) not in fulls:
            held = whole_of(t)
            copy = any(t is c for c in changed) and held is current(t).part and not replicated(t)
            fulls[id(t)] = held.clone() if copy else held
    args, kwargs = replaced((args, kwargs), lambda t: fulls.get(id(t), t))
    result = func(*args, **kwargs)
    random = is_random(func)
    for t in changed:
        full = fulls[id(t)]
        if full.shape != t.shape:
            raise ValueError(f"{kind}: out has shape {tuple(t.shape)}, not {tuple(full.shape)}")
        if random:
            full.copy_(from_first(full, mesh))
        if not replicated(t):
            t.part.copy_(shared_out(full, mesh, t.axes))
        pushed(t)
    originals = {id(fulls[id(t)]): t for t in changed}
    inputs = {id(t): t for t in written(func, args, kwargs)}

    def wrapped(r: Tensor) -> Tensor:
        if id(r) in originals:
            return originals[id(r)]
        if id(r) in inputs:  # a plain tensor that was written to
            return r
        if random:
            r = from_first(r, mesh)
        axes = layout_of(spread, r)
        part = shared_out(r, mesh, axes)
        return MeshTensor(part.clone() if part is not r else r, mesh, axes, r.shape)

    return replaced(result, wrapped)


def layout_of(spread: list[MeshTensor], result: Tensor) -> Layout:
    """The layout of a result: that of an operand of its shape, else replicated."""
    for t in spread:
        if t.shape == result.shape and result.dim() and not replicated(t):
            return t.axes
    return (None,) * len(spread[0].axes)


__all__ = ["gathering", "layout_of", "parameters"]
