"""The parts of Dynamo that the launcher and ``jit`` ask: traces, breaks, sources, the compiler.

Private names of torch stand here, in ``torch_internals`` and in ``dynamo_rules`` only. Dynamo takes
seconds to import and most programs never need it, so only ``dynamo()`` imports it.

==================================  ===============================================================
name                                what would make it unnecessary
==================================  ===============================================================
``_dynamo`` in ``dynamo()``         a public trace without execution, that can be stopped, and that
                                    says what it changes; no public issue known
``_TorchCompileInductorWrapper``,   a public way to hand a graph to a compiler with its options; no
``_TorchCompileWrapper``            public issue known
==================================  ===============================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import torch

TRACER = "torch._dynamo.symbolic_convert"
"""Dynamo's module that handles the imports of a traced function."""


class Dynamo(NamedTuple):
    """The parts of Dynamo that trace a function, and its errors."""

    fullgraph_capture: Callable[..., Any]
    get_metrics_context: Callable[..., Any]
    Unsupported: tuple[type[Exception], ...]
    """What is raised where a graph would break, if it might."""
    errors: tuple[type[Exception], ...]
    """What is raised by the compiler, and not by the program that is compiled."""
    InstructionTranslatorBase: Any
    SideEffects: Any
    config: Any


def dynamo() -> Dynamo:
    """Import Dynamo, which takes seconds, and return the parts that are used."""
    from torch._dynamo import config
    from torch._dynamo.convert_frame import fullgraph_capture
    from torch._dynamo.exc import FailOnRecompileLimitHit, TorchDynamoException, Unsupported
    from torch._dynamo.side_effects import SideEffects
    from torch._dynamo.symbolic_convert import InstructionTranslatorBase
    from torch._dynamo.utils import get_metrics_context
    from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode

    return Dynamo(
        fullgraph_capture, get_metrics_context, (Unsupported, GuardOnDataDependentSymNode),
        (TorchDynamoException, FailOnRecompileLimitHit, GuardOnDataDependentSymNode),
        InstructionTranslatorBase, SideEffects, config,
    )  # fmt: skip


_watchers: list[Callable[[Any], None]] = []


def watch_trace(watcher: Callable[[Any], None]) -> None:
    """Call ``watcher`` before each instruction that Dynamo traces, from now on.

    Its argument is Dynamo's translator, which has the attributes of a frame. It stops a trace by
    raising.
    """
    if watcher in _watchers:
        return
    _watchers.append(watcher)
    translator = dynamo().InstructionTranslatorBase
    plain = translator.step

    def step(self: Any) -> bool:
        watcher(self)
        return bool(plain(self))

    translator.step = step


def graph_size(translator: Any) -> int:
    """The number of nodes in the graph that Dynamo has traced so far."""
    size: int = len(translator.output.graph.nodes)
    return size


def loop_at(translator: Any) -> int:
    """The line of the loop whose end Dynamo is about to trace; 0 elsewhere."""
    pointer = translator.instruction_pointer
    jump = None if pointer is None else translator.instructions[pointer]
    if jump is None or not jump.opname.startswith("JUMP_BACKWARD"):
        return 0
    positions = jump.target.positions
    return int((positions and positions.lineno) or translator.lineno)


LOGGERS = ("torch._dynamo.convert_frame", "torch._dynamo.symbolic_convert")
"""The loggers by which Dynamo tells of breaks and recompilations."""


_followers: list[Callable[[Any], None]] = []


def watch_changes(watcher: Callable[[Any], None]) -> None:
    """Call ``watcher`` with what a traced function changes outside of its graph, from now on.

    Its argument is where each changed object comes from, as Dynamo's ``Source``.
    """
    if watcher in _followers:
        return
    _followers.append(watcher)
    effects = dynamo().SideEffects
    plain = effects.codegen_update_mutated

    def codegen_update_mutated(self: Any, *args: Any, **kwargs: Any) -> Any:
        for variable in self._get_modified_vars():
            watcher(variable.source)
        return plain(self, *args, **kwargs)

    effects.codegen_update_mutated = codegen_update_mutated


def source_of(node: Any) -> Any:
    """Where an input of a graph comes from, as Dynamo's ``Source``; None if it is not told."""
    return getattr(node, "_dynamo_source", None)


def root_of(source: Any) -> tuple[str, str] | None:
    """The kind of Dynamo's source at the root of another, and its name; None for a new object.

    The kinds are Dynamo's: an argument has the kind ``LocalSource``.
    """
    while getattr(source, "base", None) is not None:
        source = source.base
    kind = type(source).__name__
    if source is None or kind.startswith("Temp"):
        return None
    name = getattr(source, "local_name", None) or getattr(source, "global_name", "")
    return kind, str(name)


def compiler(
    backend: str | Callable[..., Any],
    mode: str | None,
    options: Mapping[str, Any] | None,
    dynamic: bool | None,
) -> Callable[..., Any]:
    """What ``torch.compile`` calls with a graph for these arguments.

    inductor gets ``ON_CPU`` for a graph of tensors on the CPU, unless ``options`` say otherwise.
    """
    if backend != "inductor":
        return torch._TorchCompileWrapper(backend, mode, options, dynamic)  # type: ignore[no-untyped-call]
    of_cpu, other = (
        torch._TorchCompileInductorWrapper(mode, {**more, **(options or {})}, dynamic)  # type: ignore[no-untyped-call]
        for more in (ON_CPU, {})
    )

    def compile_graph(graph: Any, inputs: Sequence[Any]) -> Callable[..., Any]:
        on_cpu = all(x.is_cpu for x in inputs if isinstance(x, torch.Tensor))
        compiled: Callable[..., Any] = (of_cpu if on_cpu else other)(graph, inputs)
        return compiled

    return compile_graph


ON_CPU = {"unroll_reductions_threshold": 33}
"""Options of inductor for the CPU, where it reduces a short last axis one result at a time.

Up to 32 elements it is 2 to 20 times as fast to write the additions one by one.
"""
