"""What torch says about an operation: the names of its arguments, and which of them it changes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from .._torch.internals import schema_of
from .tensor import MeshTensor


@functools.cache
def parameters(func: object) -> tuple[tuple[str, Any, bool], ...]:
    """The name, default and "is written to" of each argument."""
    return tuple(
        (a.name, a.default_value, a.alias_info is not None and a.alias_info.is_write)
        for a in schema_of(func).arguments
    )


def bound(func: Any, args: Any, kwargs: Any) -> dict[str, Any]:
    """The arguments by name, with defaults."""
    out = {name: default for name, default, _ in parameters(func)}
    out.update(zip((name for name, _, _ in parameters(func)), args, strict=False))
    out.update(kwargs)
    return out


def written(func: object, args: object, kwargs: object) -> list[Tensor]:
    """The tensors that an operation changes."""
    names = [name for name, _, writes in parameters(func) if writes]
    if not names:
        return []
    given = bound(func, args, kwargs)
    out: list[object] = []
    for name in names:
        value = given[name]
        out.extend(value if isinstance(value, (list, tuple)) else [value])
    return [t for t in out if isinstance(t, Tensor)]


def name(func: Any) -> str:
    """The name of an operation without its library and overload, as ``add_``."""
    return str(func.overloadpacket.__name__)


def tensors_in(*groups: object) -> list[Tensor]:
    """The tensors among arguments, also those in lists."""
    out: list[Tensor] = []
    for x in groups:
        if isinstance(x, Tensor):
            out.append(x)
        elif isinstance(x, (list, tuple)):
            out.extend(tensors_in(*x))
        elif isinstance(x, dict):
            out.extend(tensors_in(*x.values()))
    return out


def mesh_tensors(args: Any, kwargs: Any) -> list[MeshTensor]:
    return [t for t in tensors_in(*args, kwargs) if type(t) is MeshTensor]


def replaced(x: object, change: Callable[[Tensor], Any]) -> Any:
    """Arguments with every tensor changed."""
    if isinstance(x, Tensor):
        return change(x)
    if isinstance(x, (list, tuple)):
        return type(x)([replaced(v, change) for v in x])
    if isinstance(x, dict):
        return {k: replaced(v, change) for k, v in x.items()}
    return x


def mesh_of(func: object, tensors: list[MeshTensor]) -> Any:
    """The one mesh of several tensors; ``ValueError`` that names two of them."""
    mesh = tensors[0].mesh
    if len(tensors) == 1:
        return mesh
    for t in tensors[1:]:
        if t.mesh is not mesh and t.mesh != mesh:
            raise ValueError(
                f"{_label(func)}: arrays on two meshes, {mesh} and {t.mesh}; gather one of them, "
                "as with numpy_shim.distributed.gather"
            )
    return mesh


def _label(func: object) -> str:
    return str(getattr(func, "__name__", "operation")).partition(".")[0]


def is_random(func: Any) -> bool:
    return torch.Tag.nondeterministic_seeded in func.tags
