"""From a call of a function to torch's program of it: the trace, and why there may be none."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock, local
from typing import Any

import torch
from torch import Tensor

from xp_torch._torch.dynamo import changed_by, name_of, root_of, watch_trace
from xp_torch._torch.internals import disable_current_modes, schema_of
from xp_torch._torch.packages import quiet

from .._array.ndarray import array_of, ndarray, tensor_scalar
from .._convert.from_data import asarray
from .._jit.guarded import ARGUMENT, draws
from .._jit.program import is_programs
from .._jit.reasons import Line, caused_by, reason, stopped_at
from .._jit.record import Break
from .call import Call
from .errors import ExportError
from .ports import Axes
from .trees import Slot, mapped
from .weights import Weights

_OPERATOR = type(torch.ops.aten.add.Tensor)
_LOCK = RLock()
_weights: list[tuple[str, ndarray]] = []
"""The arrays of the trace at work, by name. They are global, so that their changes are told."""

_FRAME = re.compile(r'File "([^"]+)", line (\d+)')
_FIXED = (
    re.compile(r"L\['(?P<name>\w+)'\]\.size\(\)\[(?P<axis>\d+)\] as dynamic .* \((?P<size>\d+)\)"),
    re.compile(r"a static shape of (?P<size>\d+) .*\['(?P<name>\w+)'\]\.shape\[(?P<axis>\d+)\]"),
)
"""How torch says that a size is fixed."""

_TO_NUMBER = re.compile(r"builtin operator `(float|int|complex)`")  # torch 2.11
_NUMBER = "the value of an array becomes a Python number"


@dataclass(frozen=True)
class Capture:
    """torch's program of a call."""

    program: torch.export.ExportedProgram
    written: list[int]
    """The inputs that the function writes to."""
    kept: list[int]
    """Those of them that the function does not return, and that are outputs of their own."""


def capture(call: Call, axes: Axes) -> Capture:
    """Trace a call. The program leaves its inputs as they are, and gives what is written to them.

    ``ExportError`` names the line that no program can have.
    """
    program = _trace(call, axes, [], [])
    _check_graph(call, program)
    written = _written(call, program)
    if not written and not call.outputs:
        raise ExportError(f"export: {call.f.__name__} gives no array and no number")
    if not written:
        return Capture(program, [], [])
    returned = set(call.returned_arguments().values())
    kept = [i for i in written if i not in returned]
    return Capture(_trace(call, axes, written, kept), written, kept)


def _trace(
    call: Call, axes: Axes, copied: list[int], kept: list[int]
) -> torch.export.ExportedProgram:
    varying = {
        name: dict.fromkeys(axes.get(name, {}), torch.export.Dim.DYNAMIC) for name in call.names
    }
    problem = None
    with _LOCK, quiet(), disable_current_modes(), _watched():
        weights = Weights()
        function = weights.translation.function(call.f)
        if weights.translation.writes:
            raise refused(call.f, Break(None, _changes("a global name")))
        module = _module(call, function, weights, copied, kept)
        try:
            return torch.export.export(
                module, tuple(call.examples), dynamic_shapes=varying, strict=True
            )
        except Exception as error:  # the function itself has run with these arguments
            problem = _problem(error, axes)
        finally:
            _weights.clear()
    raise refused(call.f, problem)


def refused(f: Callable[..., Any], problem: Break) -> ExportError:
    """The error for a line that no program can have."""
    return ExportError(f"export: {f.__name__} cannot be exported: {problem}")


# --- what is traced ---


def _module(
    call: Call,
    function: Callable[..., Any],
    weights: Weights,
    copied: list[int],
    kept: list[int],
) -> torch.nn.Module:
    """A module that gives the function's results, by name, for tensors of these names."""
    arguments, keywords = call.bound(call.template)
    result, names = call.result, [*call.outputs, *call.written_names(kept)]
    scalars = {s.index for s in _slots(call.template) if s.kind == "scalar"}
    arrays = weights.arrays()
    _weights[:] = arrays.items()

    def forward(self: torch.nn.Module, *tensors: Tensor) -> Any:
        for name, array in _weights:  # the trace reads the weights of the module for the arrays
            array._tensor = getattr(self, name)
        given = [
            (tensor_scalar if i in scalars else array_of)(t.clone() if i in copied else t)
            for i, t in enumerate(tensors)
        ]
        found: list[Tensor] = []
        _collect(result, function(*_filled(arguments, given), **_filled(keywords, given)), found)
        if type(result) is Slot and not kept:
            return found[0]
        found += [given[i]._tensor for i in kept]
        return dict(zip(names, found, strict=True))

    parameters = [
        inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        for n in ("self", *call.names)
    ]  # fmt: skip
    forward.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    module: torch.nn.Module = type("Program", (torch.nn.Module,), {"forward": forward})()
    for name, array in arrays.items():
        module.register_buffer(name, array._tensor)
    return module


def _filled(template: object, given: list[ndarray]) -> Any:
    return mapped(template, lambda x: given[x.index] if type(x) is Slot else x)


def _collect(template: Any, result: Any, found: list[Tensor]) -> None:
    """Add the tensors of a result that has the parts of a template."""
    if type(template) is Slot:
        found.append(asarray(result).tensor)
    elif type(template) is dict:
        for key, part in template.items():
            _collect(part, result[key], found)
    elif isinstance(template, (tuple, list)):
        for i, part in enumerate(template):
            _collect(part, result[i], found)


def _slots(tree: object) -> list[Slot]:
    found: list[Slot] = []
    mapped(tree, lambda x: found.append(x) if type(x) is Slot else None)
    return found


# --- what no program can have ---


class _Watching(local):
    is_active = False


_watching = _Watching()
_INPUTS = "flat_args"  # Dynamo's name for the inputs of an export
_OWN = "_export_dot_capture"  # the end of Dynamo's name for this module, in which `_weights` is


class ChangedError(Exception):
    """A trace changes what is no argument; the text is its name."""


@contextmanager
def _watched() -> Iterator[None]:
    """Refuse a trace in this thread that changes what is no argument."""
    watch_trace(_look_at_changes)
    _watching.is_active = True
    try:
        yield
    finally:
        _watching.is_active = False


def _look_at_changes(frame: object) -> None:
    if not _watching.is_active:
        return
    for source in changed_by(frame):
        root = root_of(source)
        is_input = root == (ARGUMENT, _INPUTS)  # what is written to them is found in the graph
        if root is not None and not is_input and not root[1].endswith(_OWN):
            raise ChangedError(name_of(source))


def _changes(what: str) -> str:
    return f"it changes {what}, and a file keeps nothing from one call to the next"


def _problem(error: Exception, axes: Axes) -> Break:
    """The line that stopped a trace, and the reason."""
    text = str(error)
    changed = caused_by(error, ChangedError)
    if changed is not None:
        name = str(changed).partition("\n")[0]  # torch appends where it was
        return Break(None, _changes(name))
    for pattern in _FIXED:
        if (fixed := pattern.search(text)) is not None:
            name, axis = fixed["name"], int(fixed["axis"])
            varies = axes.get(name, {}).get(axis, "")
            return Break(
                _last_line(text),
                f"the size of axis {axis} of {name} is used as the number {fixed['size']}, so that "
                f"it cannot vary as {varies!r}",
            )
    if "RandomState" in text or "Generator" in text:
        why = "random numbers are drawn; draw them outside and give them as an argument"
        return Break(stopped_at(error, is_programs), why)
    if _TO_NUMBER.search(text):
        return Break(stopped_at(error, is_programs), _NUMBER)
    return Break(stopped_at(error, is_programs), reason(error))


def _last_line(text: str) -> Line | None:
    """The last line of the program in a printed stack."""
    frames = [Line(file, int(number)) for file, number in _FRAME.findall(text)]
    owned = [line for line in frames if is_programs(line.file)]
    return owned[-1] if owned else None


def last_line_of(node: Any) -> Line | None:
    """The line of the program that an operator of a graph comes from."""
    return _last_line(node.meta.get("stack_trace") or "")


def _check_graph(call: Call, program: torch.export.ExportedProgram) -> None:
    """Refuse a program whose sizes depend on values, or that draws random numbers."""
    for node in program.graph.nodes:
        why = ""
        if node.meta.get("unbacked_bindings"):
            is_number = "item" in str(node.target)
            why = _NUMBER if is_number else "the size of an array depends on the values of another"
        elif draws(node):
            why = "random numbers are drawn; draw them outside and give them as an argument"
        if why:
            raise refused(call.f, Break(last_line_of(node), why))


def _written(call: Call, program: torch.export.ExportedProgram) -> list[int]:
    """The numbers of the inputs that a program writes to."""
    calls = [n.target for n in program.graph.nodes if n.op == "call_function"]
    if not any(schema_of(t).is_mutable for t in calls if isinstance(t, _OPERATOR)):
        return []
    with quiet():
        signature = program.run_decompositions({}).graph_signature
    if signature.buffers_to_mutate:
        names = ", ".join(sorted(signature.buffers_to_mutate.values()))
        raise ExportError(
            f"export: {call.f.__name__} writes to {names}, which it closes over; a file keeps no "
            "values from one call to the next, so give the array as an argument"
        )
    return sorted(call.names.index(name) for name in signature.user_inputs_to_mutate.values())
