"""Rules for inductor: which copies a program needs, and which writes are faster in place.

A graph has no writes. ``a[1:-1] = x`` is a new array with elements of ``x`` in its middle, and the
argument ``a`` gets its elements at the end. Inductor makes writes of that again where it can.

- It leaves out copies, since a copy has the values of the array: also a copy that is taken before
  a write to the array, and one that is returned. The program then gives other values, or an array
  that shares memory with an argument. With tensors alone: ``t = a.clone(); a[:] = b; b[:] = t``,
  and ``a[0] = 1; return a.clone()``. The first rule keeps those copies.
- It joins a write to what reads it, in one loop with a condition for each write. Where a program
  writes an array again and again, each loop repeats the conditions, and often the work, of the
  writes before it. The second rule lets it write in place where that is faster (``in_place``).
  Whether it may, because nobody reads the old array afterwards, inductor decides itself.
- Before a write, it computes all that reads the array and is not computed yet, but not a view of
  such a thing that is what it writes. With tensors alone:
  ``c = a.reshape(-1); c.copy_(c[2] - c)``. The third rule writes a copy of the view, which costs a
  loop only where the view reads the array.

``inductor_masks`` has a fourth: comparisons are stored as bytes.

All are for graphs of our arrays. All but the second are passes of our own that the public options
of inductor take, for such a graph alone; the second is a ``patch`` (``patches`` says what
that promises). Imported when inductor is imported.
"""

from __future__ import annotations

import dataclasses
import importlib
import itertools
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from torch._inductor import config
from torch._inductor.custom_graph_pass import CustomGraphPass, get_hash_for_files

from .inductor_masks import store_as_bytes
from .patches import PACKAGES, PATCHES, RULES, Call, RefusedError, patch

Node = Any
"""A node of a graph: an argument, the call of an operator, or the output."""

_OURS = tuple(f"{Path(__file__).parents[2] / name}{os.sep}" for name in PACKAGES)
"""How the files of our packages begin, in the traces that nodes of a graph keep."""
_aten = torch.ops.aten
_COPIES = {_aten.clone.default: 0, _aten.copy.default: 1}
"""The operators that copy, and which of their arguments they copy."""
_WRITES = {
    _aten.slice_scatter.default, _aten.select_scatter.default, _aten.diagonal_scatter.default,
    _aten.as_strided_scatter.default, _aten.index_put.default, _aten.copy_.default,
}  # fmt: skip
"""The operators whose result may take the memory of their first argument.

The second is what they write, but for ``index_put``.
"""
_IN_PLACE = {torch.float64, torch.float32, torch.int64, torch.int32}
"""The dtypes whose writes may be in place, on the CPU."""
_NEVER_IN_PLACE = {torch.complex128, torch.complex64, torch.float16, torch.bfloat16}
"""The dtypes for which inductor's writes in place are wrong.

Of complex numbers it may read the array after the write. Of half-precision numbers it stores twice
as many bytes as the value has.
"""
_MANY = 4
"""More writes than this to one array are in place: conditions then cost more than loops."""
_MARK = "xp_torch_in_place"


_FILES = tuple(str(Path(__file__).with_name(f"{name}.py"))
               for name in ("inductor_rules", "inductor_order", "inductor_masks"))  # fmt: skip
"""The files of the rules, whose text is a part of the key of inductor's cache."""


class _Pass(CustomGraphPass):
    """A pass of ours, and those that the program has there."""

    def __init__(self, theirs: Any) -> None:
        many = theirs if isinstance(theirs, list | tuple) else [theirs]
        self.theirs = [other for other in many if other is not None]

    def change(self, graph: Any) -> None:
        raise NotImplementedError

    def __call__(self, graph: Any) -> None:
        self.change(graph)
        for other in self.theirs:
            other(graph)

    def uuid(self) -> Any:
        others = [getattr(other, "uuid", lambda: None)() for other in self.theirs]
        return None if None in others else [get_hash_for_files(_FILES), *others]


class HideCopies(_Pass):
    """Put another operator for the copies that are needed, so that no pass leaves them out."""

    def change(self, graph: Any) -> None:
        for node in needed_copies(graph):
            node.target, node.args, node.kwargs = _kept, (_copied(node),), {}


class ShowCopies(_Pass):
    """Put the operator of a copy back."""

    def change(self, graph: Any) -> None:
        for node in graph.find_nodes(op="call_function", target=_kept):
            node.target = _aten.clone.default


class CopyWrittenViews(ShowCopies):
    """Write copies of views, too, which inductor computes before the write."""

    def change(self, graph: Any) -> None:
        super().change(graph)
        for node in list(graph.nodes):
            view = node.args[1] if node.target in _WRITES else None
            if isinstance(view, torch.fx.Node) and _may_be_view(view):
                with graph.inserting_before(node):
                    copy = graph.call_function(_aten.clone.default, (view,))
                copy.meta.update(view.meta)
                node.update_arg(1, copy)


class StoreMasks(CopyWrittenViews):
    """Store comparisons as bytes."""

    def change(self, graph: Any) -> None:
        super().change(graph)
        store_as_bytes(graph)


_PASSES = {
    "joint_custom_pre_pass": HideCopies,
    "joint_custom_post_pass": ShowCopies,
    "post_grad_custom_pre_pass": HideCopies,
    "post_grad_custom_post_pass": StoreMasks,
}
"""The options of inductor that take a pass, and ours for each."""


def is_at_work() -> bool:
    """Whether inductor compiles a graph of ours now."""
    return isinstance(config.joint_custom_pre_pass, HideCopies)


@patch(
    "torch._inductor.compile_fx:compile_fx",
    takes="model_ config_patches",
    concerns=lambda call: _is_ours(call["model_"].graph) and not is_at_work(),
    why="A graph of ours is compiled with our passes, by the options of inductor that are made for "
    "them. `x + zeros` and `x * ones` stay, too: x may be an argument, and the sum is not x where "
    "that is -0.0.",
    without="A copy might share memory with an argument, so that graphs of ours are refused.",
    until="an inductor that keeps the copies that a program needs; partly "
    "https://github.com/pytorch/pytorch/issues/174187",
)
def compile_with_passes(call: Call) -> Any:
    for name in RULES:
        if name.startswith("torch._inductor"):
            importlib.import_module(name)
    for other in PATCHES:
        if other.gate and other.state == "not possible":
            raise RefusedError(f"{other.words}: {other.reason}")
    options = dict(call.bound.arguments.get("config_patches") or {})
    for name, kind in _PASSES.items():
        options[name] = kind(options.get(name, getattr(config, name)))
    options["joint_graph_constant_folding"] = False
    if config.realize_opcount_threshold in (None, 30) and _is_long(call["model_"]):
        options.setdefault("realize_opcount_threshold", _EXPRESSION)
    return call.proceed(config_patches=options)


_LONG = 100
"""The nodes of a graph beyond which its expressions are bounded."""
_EXPRESSION = 12
"""The operations of a value that is used more than once and still no loop of its own.

Inductor writes the expression of such a value out at each use, up to 50 operations on the CPU: a
recurrence grows exponentially, and ``special.gamma`` took minutes to compile. The loops are joined
afterwards, so that the code is no slower (``benchmarks.scipy_native --jit``).
"""


def _is_long(model: torch.fx.GraphModule) -> bool:
    """Whether a graph has many nodes, all of the CPU: the bound was not measured elsewhere."""
    parts = [part for part in model.modules() if isinstance(part, torch.fx.GraphModule)]
    nodes = [node for part in parts for node in part.graph.nodes]
    values = (node.meta.get("example_value", node.meta.get("val")) for node in nodes)
    on_cpu = all(x.device.type == "cpu" for x in values if isinstance(x, torch.Tensor))
    return len(nodes) > _LONG and on_cpu


def _kept(x: torch.Tensor) -> torch.Tensor:
    """The operator of a copy while inductor leaves copies out."""
    return x.clone()


def _is_ours(graph: Any) -> bool:
    """Whether code of our packages made the graph, by the lines that its nodes come from."""
    return any(
        place in (node.meta.get("stack_trace") or "") for node in graph.nodes for place in _OURS
    )


# --- copies ---


def needed_copies(graph: Any) -> list[Node]:
    """The copies that inductor must not leave out.

    Those of memory that is written to, since inductor may write before it reads the copy. And those
    that are returned, where the memory is an argument's or is returned otherwise too.
    """
    calls = [node for node in graph.nodes if node.op == "call_function"]
    copies = [node for node in calls if node.target in _COPIES and _is_exact(node)]
    if not copies:
        return []
    written = {memory_of(node.args[0]) for node in calls if node.target in _WRITES}
    ends = {_of_view(node) for node in _returned(graph)}
    returned = Counter(memory_of(node) for node in ends)
    return [
        node
        for node in copies
        if (memory := memory_of(node)) in written
        or (node in ends and (memory.op == "placeholder" or returned[memory] > 1))
    ]


def _is_exact(copy: Node) -> bool:
    """Whether a copy has the dtype and the shape of what it copies, so that it may be left out."""
    source = _copied(copy)
    old = source.meta.get("val") if isinstance(source, torch.fx.Node) else None
    new = copy.meta.get("val")
    if not isinstance(old, torch.Tensor) or not isinstance(new, torch.Tensor):
        return False
    return old.dtype is new.dtype and old.shape == new.shape and old.device == new.device


def _copied(copy: Node) -> Any:
    return copy.args[_COPIES[copy.target]]


def memory_of(node: Node) -> Node:
    """The node whose memory this one has if copies are left out and writes are in place."""
    while isinstance(node, torch.fx.Node) and node.op == "call_function" and node.args:
        if node.target in _COPIES:
            node = _copied(node)
        elif node.target in _WRITES or _is_view(node):
            node = node.args[0]
        else:
            break
    return node


def _of_view(node: Node) -> Node:
    """What a view, or a view of a view, is a view of."""
    while _is_view(node):
        node = node.args[0]
    return node


def _is_view(node: Node) -> bool:
    """Whether the node of a graph is a view of its first argument."""
    from torch.fx.passes.reinplace import _is_view_op

    return node.op == "call_function" and bool(_is_view_op(node.target))


def _may_be_view(node: Node) -> bool:
    """Whether inductor makes a view of a node: it does of some that are none to PyTorch."""
    return _is_view(node) or node.target is _aten._unsafe_view.default


def _returned(graph: Any) -> Iterable[Node]:
    """What the graph returns."""
    (output,) = graph.find_nodes(op="output")
    values = output.args[0]
    many = values if isinstance(values, list | tuple) else (values,)
    return [value for value in many if isinstance(value, torch.fx.Node)]


# --- writes ---


def _share_check(module: Any, function: Any, wrapper: Any) -> None:
    """Let the table of operators have the rule."""
    table, scatter = module.inplaceable_ops, module._generalized_scatter
    if table[scatter].extra_check is not function:
        raise LookupError("inplaceable_ops has another check")
    table[scatter] = dataclasses.replace(table[scatter], extra_check=wrapper)


@patch(
    "torch._inductor.fx_passes.reinplace:should_reinplace_scatter",
    takes="node",
    concerns=lambda call: is_at_work(),
    also=_share_check,
    why="Writes that are faster in place are in place, and those of complex and half-precision "
    "numbers are not, where inductor's are wrong.",
    without="Such writes might be wrong, so that graphs of ours are refused.",
    until="a public option of inductor for writes in place; no public issue",
)
def choose_writes_in_place(call: Call) -> Any:
    node = call["node"]
    if _MARK not in node.meta:
        _mark(node.graph.find_nodes(op="call_function", target=node.target))
    chosen = node.meta[_MARK]
    return call.proceed() if chosen is None else chosen


def _mark(found: list[Node]) -> None:
    """Mark the writes of a graph that are faster in place, and those that must not be.

    None leaves the choice to inductor.
    """
    for write in found:
        write.meta.setdefault(_MARK, None)
    ends: dict[Node, list[Node]] = {}
    for write in found:
        writes = ends.pop(write.args[0], [])
        writes.append(write)
        ends[write] = writes
    for writes in ends.values():
        if in_place(writes):
            for write in writes:
                write.meta[_MARK] = True
    for write in found:
        if _writes_nothing(write) or write.meta["val"].dtype in _NEVER_IN_PLACE:
            write.meta[_MARK] = False


def in_place(writes: list[Node]) -> bool:
    """Whether writes to one array, each to the result of the one before, are faster in place.

    One write never is: it is one loop with a condition, instead of two or three. Of two to four,
    those are that cut the last axis, where a condition keeps the loop from using vectors, and those
    where the program reads between them.
    """
    array = writes[0].meta["val"]
    if len(writes) < 2 or array.device.type != "cpu" or array.dtype not in _IN_PLACE:
        return False
    return (
        len(writes) > _MANY
        or any(_cuts_last_axis(write) for write in writes)
        or any(_is_read(write, after) for write, after in itertools.pairwise(writes))
    )


def _is_read(write: Node, after: Node) -> bool:
    """Whether the program reads the array before the write that comes after."""
    return any(user is not after and (user.users or user.op == "output") for user in write.users)


def _writes_nothing(write: Node) -> bool:
    """Whether no element is written. Inductor loses the order of what comes before and after."""
    return any(isinstance(n, int) and n == 0 for n in write.args[1].meta["val"].shape)


def _cuts_last_axis(write: Node) -> bool:
    """Whether a view selects from, or slices, the last axis of the array."""
    array, _, views = write.args
    last = array.meta["val"].ndim - 1
    axes = list(range(last + 1))  # of the view: the axis of the array
    for view in views:
        axis = view.args[0] if view.args else view.kwargs.get("dim", 0)
        if not isinstance(axis, int) or axes[axis] == last:
            return True
        if "select" in str(view.target):
            del axes[axis]
    return False
