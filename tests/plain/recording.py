"""What a compiled program does, as text that two processes can compare.

Nothing of ours is imported here: one of the processes runs without it.
"""

from __future__ import annotations

import dataclasses
import gc
import re
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy
import torch
import torch._dynamo
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.backends.registry import lookup_backend
from torch._dynamo.eval_frame import _debug_get_cache_entry_list
from torch._inductor.graph import GraphLowering
from torch._subclasses.fake_tensor import FakeTensor

PROGRAMS: dict[str, Callable[[Compiler], object]] = {}
"""The programs, by name. Each gets the function that compiles, and returns what is compared."""

CODED: set[str] = set()
"""The programs that inductor compiles."""


def program(function: Callable[[Compiler], object]) -> Callable[[Compiler], object]:
    """Add a program to the table."""
    assert function.__name__ not in PROGRAMS, function.__name__
    PROGRAMS[function.__name__] = function
    return function


def coded(function: Callable[[Compiler], object]) -> Callable[[Compiler], object]:
    """Add a program that inductor compiles."""
    CODED.add(function.__name__)
    return program(function)


class Compiler:
    """``torch.compile`` with a compiler that keeps each graph, and runs it as it is.

    Used as ``@compiled`` or ``@compiled(fullgraph=True)``. With ``operators=False`` a graph of
    Dynamo's runs as it is, where torch cannot make one of its operators of it.
    """

    def __init__(self, name: str) -> None:
        self.graphs: list[str] = []
        """The graphs that Dynamo hands to the compiler."""
        self.operators: list[str] = []
        """The graphs of torch's operators that come of them, backward ones too."""
        self.code: list[str] = []
        """What inductor writes."""
        self._inductor = name in CODED
        self._codes: list[Any] = []

    def __call__(self, function: Any = None, *, operators: bool = True, **options: Any) -> Any:
        if function is None:
            return lambda given: self(given, operators=operators, **options)
        code = getattr(getattr(function, "forward", function), "__code__", None)
        self._codes += [code] if code is not None else []
        backend = self._backend if operators else self._as_it_is
        return torch.compile(function, backend=backend, **options)

    def guards(self) -> list[list[str]]:
        """The guards of what Dynamo has compiled of each function."""
        return [
            sorted(map(steady, entry.guard_manager.code_parts))
            for code in self._codes
            for entry in _debug_get_cache_entry_list(code)
        ]

    def note(self, module: torch.fx.GraphModule) -> None:
        """Keep a graph that the program has traced itself."""
        self.graphs.append(_text_of(module))

    def _backend(self, module: torch.fx.GraphModule, inputs: list[Any]) -> Any:
        self.graphs.append(_text_of(module))
        if self._inductor:
            return lookup_backend("inductor")(module, inputs)
        return aot_autograd(fw_compiler=self._keep, bw_compiler=self._keep)(module, inputs)

    def _as_it_is(self, module: torch.fx.GraphModule, inputs: list[Any]) -> Any:
        self.graphs.append(_text_of(module))
        return module

    def _keep(self, module: torch.fx.GraphModule, inputs: list[Any]) -> Any:
        self.operators.append(_text_of(module))
        return make_boxed_func(module.forward)


def error_of(call: Callable[[], object]) -> str:
    """The type and the text of the error that a call raises; the value if it raises none."""
    try:
        return describe(call())
    except Exception as error:
        return f"{type(error).__module__}.{type(error).__qualname__}: {steady(str(error))}"


def outcome(name: str) -> dict[str, Any]:
    """Run a program from a fresh start; what it gives and what is compiled for it."""
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    torch.manual_seed(0)
    compiled = Compiler(name)
    GraphLowering.save_output_code = staticmethod(  # type: ignore[assignment]
        lambda text: compiled.code.append(steady(text))
    )
    error = None
    gc.disable()  # what Dynamo has compiled for an object ends when that is collected
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = describe(PROGRAMS[name](compiled))
        except Exception as raised:
            value, error = "", f"{type(raised).__qualname__}: {steady(str(raised))}"
    guards = compiled.guards()
    gc.enable()
    counted = torch._dynamo.utils.counters
    breaks = sorted(f"{count} x {steady(text)}" for text, count in counted["graph_break"].items())
    return {
        "value": value, "error": error, "graphs": compiled.graphs,
        "counts": dict(counted["stats"]), "frames": dict(counted["frames"]), "breaks": breaks,
        "operators": compiled.operators, "guards": guards,
        "code": list(compiled.code),  # later programs are told of, too
    }  # fmt: skip


def _text_of(module: torch.fx.GraphModule) -> str:
    """The nodes of a graph, and of the graphs inside it."""
    lines = []
    for name, part in module.named_modules():
        if isinstance(part, torch.fx.GraphModule):
            lines.append(f"graph {name}")
            lines += [f"{n.op} {n.name} {n.target} {n.args} {n.kwargs}" for n in part.graph.nodes]
    return steady("\n".join(lines))


_UNSTEADY = [
    (re.compile(r"0x[0-9a-f]+"), "0x"),
    (re.compile(r"AOT ID: \['\d+"), "AOT ID: ['"),
    (re.compile(r"(__builtins_dict__|__compiled_fn|__resume_at_\w+?|_guards_fn)_\d+"), r"\1"),
    (re.compile(r"\d{12,}(_c\d+)?"), ""),  # numbers of objects
    (re.compile(r"(_dict_version\(.*\) == )\d+"), r"\1"),
    (re.compile(r"/tmp/[\w/.]+"), "/tmp"),
]
_SET = re.compile(r"(?<=frozenset\()\{([^{}]*)\}")
"""The elements of a set, which are in the order of their addresses."""


def steady(text: str) -> str:
    """A text without addresses and the numbers that a process gives its compiled functions."""
    for pattern, put in _UNSTEADY:
        text = pattern.sub(put, text)
    return _SET.sub(lambda found: f"{{{', '.join(sorted(found[1].split(', ')))}}}", text)


def describe(value: object) -> str:
    """All that a value is: types, dtypes, layout, exact elements, and the parts of it."""
    if isinstance(value, torch.Tensor):
        return _of_tensor(value)
    if isinstance(value, numpy.ndarray | numpy.generic):
        strides = value.strides if isinstance(value, numpy.ndarray) else ()
        return f"{_name(value)} {value.dtype} {value.shape} {strides} {value.tolist()!r}"
    if isinstance(value, dict):
        inside = ", ".join(f"{describe(k)}: {describe(v)}" for k, v in value.items())
        return f"{_name(value)}({inside})"
    if isinstance(value, list | tuple | set | frozenset):
        parts = [describe(part) for part in value]
        inside = ", ".join(parts if isinstance(value, list | tuple) else sorted(parts))
        return f"{_name(value)}({inside})"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return f"{_name(value)}({describe(vars(value))})"
    if isinstance(value, type):
        return f"class {value.__module__}.{value.__qualname__}"
    if isinstance(value, types.SimpleNamespace):
        return f"{_name(value)}({describe(vars(value))})"
    if type(value).__module__.startswith("torch._numpy"):
        return f"{_name(value)} {describe(value.tensor)}"  # type: ignore[attr-defined]
    return f"{_name(value)} {steady(repr(value))}"


def _of_tensor(value: torch.Tensor) -> str:
    text = (
        f"{_name(value)} {value.dtype} {tuple(value.shape)} {value.device} "
        f"requires_grad={value.requires_grad} "
    )
    if value.layout is torch.strided:
        text += f"{value.stride()} "
    if isinstance(value, FakeTensor):
        return text
    plain = value.detach().as_subclass(torch.Tensor)
    return f"{text}{plain.to_dense().resolve_conj().resolve_neg().tolist()!r}"


def _name(value: object) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"


class Kept:
    """Functions that are compiled once and kept: a later import must not compile them again.

    None uses torch's pytrees, as ``torch.func`` does: Dynamo compiles such a function again when a
    library registers a class as a node, by the public ``register_pytree_node``.
    """

    def __init__(self) -> None:
        torch._dynamo.reset()
        self.compiler = Compiler("kept")
        module = torch.nn.Linear(2, 2)
        texts = numpy.arange(3.0)
        self.functions = [
            (self.compiler(lambda x: x[1:] + x.shape[0]), torch.arange(3.0)),
            (self.compiler(lambda x: (f"{x.shape}", isinstance(x, torch.Tensor), -x)), texts),
            (self.compiler(lambda x: sum(x[i] * i for i in range(2))), torch.tensor([0.5, 1.0])),
            (self.compiler(lambda x: module(x)), torch.ones(2)),
        ]
        self.first = self.calls()

    def calls(self) -> dict[str, Any]:
        """What the functions give, and how many graphs there are by now."""
        values = [describe(function(x)) for function, x in self.functions]
        return {"values": values, "graphs": len(self.compiler.graphs)}
