"""Operators of ATen by name, and what their schemas tell."""

from __future__ import annotations

import functools
from typing import Any

import torch

from ._torch_internals import operator_names
from ._torch_internals import schema as schema

PLACEMENT = ("dtype", "layout", "device", "pin_memory", "memory_format")
"""Arguments that say where and how a result is stored."""


def aten(name: str) -> Any:
    """The operator "name.overload" of ATen ("prims::name" of prims), or None if torch has none.

    >>> aten("add.Tensor")
    <OpOverload(op='aten.add', overload='Tensor')>
    """
    namespace, _, rest = name.rpartition("::")
    packet_name, _, overload = rest.partition(".")
    packet = getattr(getattr(torch.ops, namespace or "aten"), packet_name, None)
    return getattr(packet, overload or "default", None)


def short_name(op: object) -> str:
    """The name of an operator without namespace and overload: "add_" of ``aten::add_.Tensor``."""
    name: str = schema(op).name
    return name.partition("::")[2]


def is_pointwise(op: Any) -> bool:
    """Whether the results' elements depend on the arguments' elements of the same index only."""
    return torch.Tag.pointwise in op.tags


def is_view(op: object) -> bool:
    """Whether the results share the memory of the first argument."""
    found = schema(op)
    first = found.arguments[0] if found.arguments else None
    return (
        not found.is_mutable
        and first is not None
        and first.alias_info is not None
        and not first.alias_info.is_write
    )


def written(op: object) -> list[Any]:
    """The arguments that an operator writes to."""
    return [a for a in schema(op).arguments if a.alias_info is not None and a.alias_info.is_write]


@functools.cache
def functional(op: object) -> Any:
    """The operator that returns what ``op`` would write, or None.

    ``add_.Tensor`` and ``add.out`` both have ``add.Tensor``.
    """
    found = schema(op)
    targets = written(op)
    name = short_name(op)
    in_place = targets and targets[0].name == "self" and name.endswith("_")
    kept = [(a.name, str(a.type)) for a in found.arguments if in_place or a not in targets]
    namespace = found.name.partition("::")[0]
    names = [name.rstrip("_")] if in_place else [name]
    names.append(f"{names[0]}_functional")
    for candidate in names:
        packet = getattr(getattr(torch.ops, namespace), candidate, None)
        for overload in packet.overloads() if packet is not None else ():
            other = getattr(packet, overload)
            if schema(other).is_mutable or not schema(other).returns:
                continue
            arguments = [(a.name, str(a.type)) for a in schema(other).arguments]
            if arguments == kept:
                return other
            if [a for a in arguments if a[0] not in PLACEMENT] == kept:
                return other
            if [a for a in arguments if a[0] not in PLACEMENT[1:]] == kept:
                return other
    return None


@functools.cache
def factories() -> list[Any]:
    """The operators that make a tensor on a device out of no tensor."""
    found = []
    for name in sorted(set(operator_names())):
        namespace, _, rest = name.partition("::")
        if namespace != "aten" or any(w in rest for w in ("quantized", "affine", "sparse")):
            continue
        try:
            op = aten(rest)
        except (AttributeError, RuntimeError):
            continue
        if op is None:
            continue
        arguments = schema(op).arguments
        returns = schema(op).returns
        if (
            any(a.name == "device" for a in arguments)
            and not any("Tensor" in str(a.type) for a in arguments)
            and len(returns) == 1
            and str(returns[0].type) == "Tensor"
        ):
            found.append(op)
    return found
