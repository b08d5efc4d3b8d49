"""The parts of Dynamo that the rules, the launcher and ``jit`` ask.

Dynamo takes seconds to import and most programs never need it, so only functions import it.

==================================  ===============================================================
name                                what would make it unnecessary
==================================  ===============================================================
``_dynamo``                         a public trace without execution, that can be stopped, and that
                                    says what it changes; no public issue known
``_TorchCompileInductorWrapper``,   a public way to hand a graph to a compiler with its options; no
``_TorchCompileWrapper``            public issue known
==================================  ===============================================================
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import torch

from .internals import TORCH_RELEASE
from .patches import DYNAMO, Call, install, patch

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


# --- what the rules ask while Dynamo traces ---


def current_trace() -> Any:
    """Dynamo's translator, which has the attributes of a frame; None if no function is traced."""
    from torch._dynamo.symbolic_convert import InstructionTranslator

    try:
        return InstructionTranslator.current_tx()
    except AttributeError:
        return None


def root_of_trace(translator: Any) -> Any:
    """The translator of the function that is compiled, in which others are traced."""
    return translator.output.root_tx


def build(translator: Any, value: object, source: Any = None) -> Any:
    """Dynamo's variable for a value of ours."""
    from torch._dynamo.variables.base import VariableTracker

    return VariableTracker.build(translator, value, source)


def build_class(translator: Any, cls: type) -> Any:
    """Dynamo's variable for a class that its module has under its name."""
    return build(
        translator, cls, attribute_of(translator.import_source(cls.__module__), cls.__name__)
    )


def attribute(translator: object, variable: object, name: str) -> Any:
    """Dynamo's variable for an attribute of what another stands for."""
    return build(translator, getattr).call_function(
        translator, [variable, build(translator, name)], {}
    )


def tensor_in(translator: object, array: object) -> Any:
    """Dynamo's variable for the tensor in an array of ours."""
    return attribute(translator, array, "_tensor")


def attribute_of(source: Any, name: str) -> Any:
    """Dynamo's source for an attribute of what another source gives."""
    from torch._dynamo.source import AttrSource

    return AttrSource(source, name)


def is_tensor(variable: object) -> bool:
    """Whether one of Dynamo's variables is a tensor to it; NumPy's arrays and scalars are."""
    from torch._dynamo.variables.tensor import TensorVariable

    return isinstance(variable, TensorVariable)


def is_input_number(variable: object) -> bool:
    """Whether one of Dynamo's variables is a number that is an input of the graph."""
    from torch._dynamo.variables.tensor import SymNodeVariable

    return isinstance(variable, SymNodeVariable)


def knows_matmul() -> bool:
    """Whether Dynamo traces ``@``, ``~`` and ``divmod`` on objects, as from torch 2.14 on."""
    from torch._dynamo.variables.builtin import BuiltinVariable

    return hasattr(BuiltinVariable, "call_matmul")


def guard_builder() -> Any:
    """Dynamo's class with the kinds of guards."""
    from torch._dynamo.guards import GuardBuilder

    return GuardBuilder


def unsupported(name: str, explanation: str) -> None:
    """Break the graph, or refuse where it must be whole."""
    from torch._dynamo.exc import unimplemented

    unimplemented(gb_type=name, context="", explanation=explanation, hints=[])


# --- what jit and the launcher ask ---

_watchers: set[Callable[[Any], None]] = set()


@patch(
    "torch._dynamo.symbolic_convert:InstructionTranslatorBase.step",
    takes="self",
    concerns=lambda call: bool(_watchers),
    why="`jit` stops a trace that grows too long, and compiles the body of a loop instead. `--jit` "
    "stops one that changes what is no argument, since it runs the function twice.",
    without="`jit` traces every function to its end, and `--jit` compiles none.",
    until="a public trace without execution that can be stopped, and that says what it changes; "
    "no public issue",
    gate=False,
)
def _step(call: Call) -> Any:
    for watcher in _watchers:
        watcher(call["self"])
    return call.proceed()


@cache
def watch_trace(watcher: Callable[[Any], None]) -> bool:
    """Call ``watcher`` before each instruction that Dynamo traces, from now on.

    Its argument is Dynamo's translator, which has the attributes of a frame. It stops a trace by
    raising. False if this torch does not allow it.
    """
    _watchers.add(watcher)
    return install("torch._dynamo.symbolic_convert")


def changed_by(translator: object) -> list[Any]:
    """Where the objects come from that a traced function has changed, as Dynamo's ``Source``.

    That is known where the function is about to return, and empty elsewhere.
    """
    instruction = _next_instruction(translator)
    returns = instruction is not None and instruction.opname.startswith("RETURN")
    if not returns or translator is not root_of_trace(translator):
        return []
    return [variable.source for variable in translator.output.side_effects._get_modified_vars()]


def graph_size(translator: Any) -> int:
    """The number of nodes in the graph that Dynamo has traced so far."""
    size: int = len(translator.output.graph.nodes)
    return size


def loop_at(translator: Any) -> int:
    """The line of the loop whose end Dynamo is about to trace; 0 elsewhere."""
    jump = _next_instruction(translator)
    if jump is None or not jump.opname.startswith("JUMP_BACKWARD"):
        return 0
    positions = jump.target.positions
    return int((positions and positions.lineno) or translator.lineno)


def _next_instruction(translator: Any) -> Any:
    """The instruction that Dynamo is about to trace; None at the end."""
    pointer = translator.instruction_pointer
    return None if pointer is None else translator.instructions[pointer]


LOGGERS = ("torch._dynamo.convert_frame", "torch._dynamo.symbolic_convert")
"""The loggers by which Dynamo tells of breaks and recompilations."""


def source_of(node: object) -> Any:
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


def name_of(source: object) -> str:
    """What a program calls that to which Dynamo's source leads: a global, an attribute, a key."""
    while source is not None:
        name = getattr(source, "member", None) or getattr(source, "index", None)
        if name == "cell_contents":
            return "a variable of an outer function"
        if isinstance(name, str):
            return name
        source = getattr(source, "base", None)
    return "what is no argument"


def compiler(
    backend: str | Callable[..., Any],
    mode: str | None,
    options: Mapping[str, object] | None,
    dynamic: bool | None,
) -> Callable[..., Any]:
    """What ``torch.compile`` calls with a graph for these arguments.

    inductor gets ``ON_CPU`` for a graph of tensors on the CPU, unless ``options`` say otherwise.
    """
    if backend != "inductor":
        return torch._TorchCompileWrapper(backend, mode, options, dynamic)
    of_cpu, other = (
        torch._TorchCompileInductorWrapper(mode, {**more, **(options or {})}, dynamic)
        for more in (ON_CPU, {})
    )

    def compile_graph(graph: object, inputs: Sequence[Any]) -> Callable[..., Any]:
        on_cpu = all(x.is_cpu for x in inputs if isinstance(x, torch.Tensor))
        compiled: Callable[..., Any] = (of_cpu if on_cpu else other)(graph, inputs)
        return compiled

    return compile_graph


ON_CPU: dict[str, Any] = {"unroll_reductions_threshold": 33}
"""Options of inductor for the CPU, where it reduces a short last axis one result at a time.

Up to 32 elements it is 2 to 20 times as fast to write the additions one by one.
"""
if sys.platform == "linux" and platform.machine() == "x86_64":
    # To learn whether the compiler knows the processor's vectors, inductor compiles torch's headers
    # for each kind of vectors, which takes ten seconds of the first call of all. The compilers that
    # torch's headers need (GCC 9) know them.
    ON_CPU["cpp.vec_isa_ok"] = True


_COMPILES_CASTS = TORCH_RELEASE < (2, 12)


def beside_graphs(transformed: Callable[..., Any]) -> Callable[..., Any]:
    """A transform of ``torch.func``, which Dynamo leaves alone where it runs after a graph break.

    Only with torch 2.11. There Dynamo compiles ``typing.cast``, which the transform calls, and
    raises "AssertionError: False != True", for functions of plain tensors, too.
    """
    if not _COMPILES_CASTS or torch.compiler.is_dynamo_compiling() or DYNAMO not in sys.modules:
        return transformed
    disabled: Callable[..., Any] = torch.compiler.disable(transformed)
    return disabled
