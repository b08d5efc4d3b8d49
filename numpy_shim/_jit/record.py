"""What has been compiled of a function: graphs, the breaks between them, and what stopped it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from .program import is_programs
from .reasons import Line, last_line


@dataclass(frozen=True)
class Break:
    """A line that no graph can hold, and the reason."""

    line: Line | None
    why: str

    def __str__(self) -> str:
        if self.line is None:
            return self.why
        return f"{self.line.location()}: {self.line.text(60)}: {self.why}"


WHOLE = "compiled whole"


@dataclass
class Explanation:
    """What `jit` has made of a function so far; printed, it is a short text."""

    name: str
    state: str = "not called yet"
    graphs: list[int] = field(default_factory=list)
    """The number of calls in each graph."""
    operators: list[list[str]] = field(default_factory=list)
    """The names of the calls in each graph."""
    breaks: list[Break] = field(default_factory=list)
    recompilations: int = 0
    seconds: float = 0.0
    """The time that the compiler took, without the trace."""
    choices: list[Any] = field(default_factory=list)
    """What was decided for each kind of arguments, where the function itself may be the fastest."""
    why_not: str = ""
    """Why the function always runs as it was."""

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.state}" + (f": {self.why_not}" if self.why_not else "")]
        if self.choices or self.why_not:
            lines += [str(choice) for choice in self.choices]
            if not self.graphs:
                return "\n".join(lines)
        sizes = ", ".join(str(n) for n in self.graphs)
        lines.append(f"graphs: {len(self.graphs)}" + (f", with {sizes} calls" if sizes else ""))
        lines += [f"break at {b}" for b in self.breaks]
        lines.append(f"recompilations: {self.recompilations}")
        return "\n".join(lines)

    __repr__ = __str__


class Recorder:
    """A backend of ``torch.compile`` that notes each graph and hands it to another backend."""

    def __init__(self, compiler: Callable[..., Any], explanation: Explanation) -> None:
        self._compiler = compiler
        self._explanation = explanation
        self.__name__ = "numpy_shim.jit"

    def __call__(self, graph: Any, inputs: Any) -> Any:
        told = self._explanation
        calls = [node for node in graph.graph.nodes if node.op.startswith("call_")]
        told.recompilations += told.state == WHOLE
        told.graphs.append(len(calls))
        told.operators.append([_name(node) for node in calls])
        why = getattr(graph, "compile_subgraph_reason", None)
        if why is not None and why.graph_break:
            self.note(Break(last_line(why.user_stack, is_programs), _explained(why.reason)))
        start = time.perf_counter()
        try:
            return safe(self._compiler, graph, inputs)
        finally:
            told.seconds += time.perf_counter() - start

    def note(self, found: Break) -> None:
        """Add a break to the explanation, once for each line."""
        if all(b.line != found.line or b.line is None for b in self._explanation.breaks):
            self._explanation.breaks.append(found)


def safe(
    compiler: Callable[..., Any], graph: torch.fx.GraphModule, inputs: Sequence[Any]
) -> Callable[..., Any]:
    """The compiled graph, but the graph as it is for inputs to which torch loses writes.

    Inputs that are views of one memory: inductor reads elements before a write through another view
    that should come first. Pure torch shows it, with ``u[0] = u[-2]; inner += u[2:] + u[:-2]`` in
    two dimensions, where ``inner`` is a part of ``u``. And float64 numbers in tensors without axes:
    AOTAutograd takes them for constants. A graph that writes nowhere is always right.
    """
    if not any(map(_may_write, graph.graph.nodes)):
        return compiler(graph, inputs)  # type: ignore[no-any-return]
    if any(map(_is_number, inputs)):
        return graph.forward
    as_it_is = torch.fx.GraphModule(graph, deepcopy(graph.graph))  # the compiler changes its graph
    compiled = compiler(graph, inputs)

    def run(*inputs: object) -> Any:
        return as_it_is(*inputs) if share_memory(inputs) else compiled(*inputs)

    return run


def _is_number(value: object) -> bool:
    return (
        isinstance(value, Tensor)
        and not value.dim()
        and value.dtype is torch.float64
        and value.device.type == "cpu"
    )


def share_memory(inputs: Iterable[object]) -> bool:
    """Whether two tensors are views of one memory; one that is there twice is no such case."""
    tensors: dict[int, Tensor] = {}
    for value in inputs:
        if type(value) is Tensor and value.numel():
            pointer = value.untyped_storage().data_ptr()
            if tensors.setdefault(pointer, value) is not value:
                return True
    return False


def _may_write(node: Any) -> bool:
    """Whether a node of a graph may write to a tensor: ``x.add_``, ``x[i] = y``, ``out=``."""
    if node.op not in ("call_function", "call_method"):
        return bool(node.op == "call_module")
    name = _name(node)
    return (
        (name.endswith("_") and not name.endswith("__"))
        or name.strip("_") in _WRITING
        or "out" in node.kwargs
        or "higher_order" in getattr(node.target, "__module__", "")  # it has a graph of its own
    )


_WRITING = frozenset({
    "setitem", "iadd", "iand", "ifloordiv", "ilshift", "imatmul", "imod", "imul", "ior", "ipow",
    "irshift", "isub", "itruediv", "ixor",
})  # fmt: skip
"""Functions of ``operator`` that write to their first operand."""


def _name(node: Any) -> str:
    return node.target if isinstance(node.target, str) else node.target.__name__


def _explained(reason: str) -> str:
    """The explanation in torch's reason for a break, in one line."""
    lines = [line.strip() for line in reason.splitlines() if line.strip()] or [""]
    told = [line for line in lines if line.startswith("Explanation:")]
    return told[0].removeprefix("Explanation:").strip() if told else lines[0]
