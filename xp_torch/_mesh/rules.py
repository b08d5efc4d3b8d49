"""Which rule an operation has: the one place that every operation on distributed tensors passes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from . import elementwise, joining, lines, picking, products, reductions, sorting, tensor, views
from .schema import is_random, mesh_tensors, name, written
from .tensor import MeshTensor, current, replicated
from .whole import gathering

Rule = Callable[[Any, Any, Any], Any]


@functools.cache
def rules_of(func: Any) -> tuple[Rule, ...]:
    """The rules to try, in order; each but the last may say ``NotImplemented``."""
    if is_random(func):
        return (gathering,)
    if func.is_view or name(func) in {"_unsafe_view", "lift_fresh"}:
        return (views.view,)
    found: list[Rule] = []
    if name(func) == "equal":
        found.append(reductions.equal)
    if name(func) == "allclose":
        found.append(reductions.close)
    if elementwise.applies(func):
        found.append(elementwise.elementwise)
    if reductions.applies(func):
        found.append(reductions.reduction)
    if lines.applies(func):
        found.append(lines.lines)
    if products.applies(func):
        found.append(products.product)
    if joining.applies(func):
        found.append(joining.joining)
    if picking.applies(func):
        found.append(picking.picking)
    if sorting.applies(func):
        found.append(sorting.sorting)
    return (*found, gathering)


def dispatch(func: object, args: object, kwargs: object) -> Any:
    """Run an operation on distributed tensors, and plain ones beside them."""
    spread = mesh_tensors(args, kwargs)
    for t in spread:
        current(t)
    rules = rules_of(func)
    if all(replicated(t) for t in spread) and rules[0] is not views.view:
        rules = (gathering,)  # every process computes the whole, and nothing moves
    for rule in rules:
        result = rule(func, args, kwargs)
        if result is not NotImplemented:
            return result
    raise AssertionError(func)


tensor.dispatch.append(dispatch)
__all__ = ["MeshTensor", "dispatch", "written"]
