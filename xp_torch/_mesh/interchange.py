"""DTensors in, DTensors out, and moves between layouts; the gradient passes through all of them."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.distributed.tensor import DTensor, Replicate, Shard

from . import rules
from .elementwise import laid
from .layout import Layout
from .tensor import MeshTensor, current, whole


def _layout(placements: Any) -> Layout | None:
    """Placements as a layout; ``None`` for those it cannot say (``Partial`` and strided shards)."""
    out: list[int | None] = []
    for placement in placements:
        if type(placement) is Shard and placement.dim not in out:
            out.append(placement.dim)
        elif placement.is_replicate():
            out.append(None)
        else:
            return None
    return tuple(out)


class _In(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, given: DTensor) -> Tensor:
        ctx.mesh, ctx.placements = given.device_mesh, given.placements
        placements = [p if p.is_shard() else Replicate() for p in given.placements]
        axes = _layout(placements)
        if axes is None:
            placements, axes = [Replicate()] * len(placements), (None,) * len(placements)
        if list(given.placements) != placements:
            given = given.redistribute(placements=placements)
        made = MeshTensor(given.to_local(), given.device_mesh, axes, given.shape, given.stride())
        ctx.axes = axes
        return made

    @staticmethod
    def backward(ctx: object, gradient: Tensor) -> Any:
        return outward(gradient.detach())


class _Out(torch.autograd.Function):
    @staticmethod
    def forward(ctx: object, given: MeshTensor) -> Tensor:
        return outward(given)

    @staticmethod
    def backward(ctx: object, gradient: object) -> Any:
        return inward(gradient.detach()) if isinstance(gradient, DTensor) else gradient


def inward(given: Tensor) -> Tensor:
    """A DTensor as a ``MeshTensor`` that shares its memory; anything else as it is.

    A ``Partial`` one is added up, so that all that follows sees the values.
    """
    if not isinstance(given, DTensor):
        return given
    return _In.apply(given)  # type: ignore[no-any-return, no-untyped-call]


def outward(given: Tensor) -> Tensor:
    """A ``MeshTensor`` as a DTensor that shares its memory."""
    if type(given) is not MeshTensor:
        return given
    t = current(given)
    return DTensor.from_local(
        t.part,
        t.mesh,
        [Replicate() if a is None else Shard(a) for a in t.axes],
        run_check=False,
        shape=t.shape,
        stride=t.stride(),
    )


def to_dtensor(given: Tensor) -> Tensor:
    """``outward``, through which the gradient flows."""
    if type(given) is not MeshTensor:
        return given
    return _Out.apply(given)  # type: ignore[no-any-return, no-untyped-call]


class _Relaid(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, given: Tensor, mesh: object, axes: Layout) -> Tensor:
        ctx.spread = type(given) is MeshTensor
        ctx.axes = given.axes if ctx.spread else None  # type: ignore[attr-defined]
        part = laid(given, mesh, axes)
        if part is given or part is getattr(given, "part", None) or part._base is not None:
            part = part.clone()
        return MeshTensor(part, mesh, axes, given.shape, like=given)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:
        if ctx.spread or type(gradient) is not MeshTensor:
            return gradient, None, None
        return whole(gradient), None, None


def relaid(given: Tensor, mesh: object, axes: Layout) -> Tensor:
    """A copy in another layout; a plain tensor must be the same on every process."""
    return _Relaid.apply(given, mesh, axes)  # type: ignore[no-any-return, no-untyped-call]


class _Gathered(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, given: MeshTensor) -> Tensor:
        ctx.mesh, ctx.axes = given.mesh, given.axes
        full = whole(given)
        return full.clone() if full is given.part else full

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:
        part = laid(gradient, ctx.mesh, ctx.axes)
        return MeshTensor(part.clone(), ctx.mesh, ctx.axes, gradient.shape)


def gathered(given: Tensor) -> Tensor:
    """All values as a plain tensor on every process."""
    if type(given) is not MeshTensor:
        return given
    return _Gathered.apply(given)  # type: ignore[no-any-return, no-untyped-call]


__all__ = ["gathered", "inward", "outward", "relaid", "rules", "to_dtensor"]
