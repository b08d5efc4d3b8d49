"""A rule for inductor: the CPU stores comparisons as bytes.

Inductor's vectors hold a comparison as a mask. It stores a mask number by number, which takes ten
times as long as the comparison; a choice of the integers 1 and 0 it stores by vectors. With tensors
alone: ``x < 1`` of a million float32 takes 5 ms compiled and 0.4 ms eager, and
``torch.where(x < 1, one, zero).to(torch.uint8).view(torch.bool)`` 0.7 ms compiled.

The rule writes that for what a graph returns and for what an operator reads that is not compiled.
It is a pass for graphs of our arrays (``inductor_rules``).
"""

from __future__ import annotations

from typing import Any

import torch

from .internals import TORCH_RELEASE

Node = Any
"""A node of a graph: an argument, the call of an operator, or the output."""

_aten = torch.ops.aten
_READERS = {_aten.nonzero.default, _aten.index.Tensor}
"""The operators that read a mask from memory."""
_STORES_BYTES = TORCH_RELEASE >= (2, 13)
"""Whether inductor knows a view of bytes as Booleans: 2.11 does not."""


def store_as_bytes(graph: Any) -> None:
    """Let the masks that are stored be made of the integers 1 and 0."""
    if not _STORES_BYTES:
        return
    for node in list(graph.nodes):
        readers = [user for user in node.users if user.op == "output" or user.target in _READERS]
        if readers and _is_mask(node):
            stored = _as_bytes(graph, node)
            for reader in readers:
                reader.replace_input_with(node, stored)


def _is_mask(node: Node) -> bool:
    """Whether a node computes Booleans of the CPU, element by element."""
    value = node.meta.get("val")
    return (
        node.op == "call_function"
        and isinstance(value, torch.Tensor)
        and value.dtype is torch.bool
        and value.device.type == "cpu"
        and torch.Tag.pointwise in getattr(node.target, "tags", ())
    )


def _as_bytes(graph: Any, mask: Node) -> Node:
    """The Booleans of a mask, as a view of bytes that are chosen by it."""
    value, last = mask.meta["val"], mask

    def call(target: Any, *args: Any, **kwargs: Any) -> Node:
        nonlocal last
        with graph.inserting_after(last):
            last = graph.call_function(target, args, kwargs)
        given = [x.meta["val"] if isinstance(x, torch.fx.Node) else x for x in args]
        with value.fake_mode:
            last.meta.update(mask.meta, val=target(*given, **kwargs))
        return last

    one, zero = (
        call(_aten.full.default, [], number, dtype=torch.int32, device=value.device)
        for number in (1, 0)
    )
    numbers = call(_aten.where.self, mask, one, zero)
    made = call(torch.ops.prims.convert_element_type.default, numbers, torch.uint8)
    return call(_aten.view.dtype, made, torch.bool)
