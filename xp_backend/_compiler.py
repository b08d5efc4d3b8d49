"""A compiler's side: whole graphs from Dynamo, and graphs of one node for the eager side."""

from __future__ import annotations

import operator
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import torch
from torch import Tensor

from ._blobs import Blobs
from ._tensor import BackendTensor
from ._torch_internals import Overload, make_fx, schema, tensors_in

Compiled = Callable[..., Any]


class Compiler:
    """A registered compiler, with what it has compiled."""

    def __init__(self, blobs: Blobs, compile: Callable[[torch.fx.GraphModule], Compiled]) -> None:
        self.blobs = blobs
        self.compile = compile
        self._operators: dict[Any, tuple[Compiled, bool]] = {}

    def operator(self, op: object, args: tuple[object, ...], kwargs: dict[str, object]) -> Any:
        """Run an operator as a graph of one node."""
        kwargs = {k: v for k, v in kwargs.items() if k != "device"}
        tensors = list(tensors_in([args, kwargs]))
        key = (op, repr(_described(args)), repr(_described(kwargs)))
        found = self._operators.get(key)
        if found is None:
            found = self._operators[key] = self._one_node(op, args, kwargs)
        function, single = found
        results = function(*[self._blob(t) for t in tensors])
        wrapped = [None if r is None else self.blobs.wrap(r) for r in results]
        return wrapped[0] if single else tuple(wrapped)

    def _blob(self, tensor: Tensor) -> Any:
        if isinstance(tensor, BackendTensor):
            return self.blobs.read(tensor)
        return self.blobs.from_cpu(tensor, "compiler")

    def _one_node(
        self, op: Any, args: tuple[object, ...], kwargs: dict[str, object]
    ) -> tuple[Compiled, bool]:
        """The compiled graph of one call, and whether it returns one tensor."""
        graph = torch.fx.Graph()
        count = 0

        def placed(value: object) -> Any:
            nonlocal count
            if isinstance(value, Tensor):
                node = graph.placeholder(f"x{count}")
                node.meta["val"] = _example(value)
                count += 1
                return node
            if isinstance(value, (list, tuple)):
                return type(value)([placed(v) for v in value])
            return value

        def shown(value: object) -> Any:
            if isinstance(value, Tensor):
                return _example(value)
            if isinstance(value, (list, tuple)):
                return type(value)([shown(v) for v in value])
            return value

        given, named = placed(args), {k: placed(v) for k, v in kwargs.items()}
        node = graph.call_function(op, given, named)
        example = op(*shown(args), **{k: shown(v) for k, v in kwargs.items()})
        node.meta["val"] = example
        single = isinstance(example, Tensor)
        if single:
            graph.output([node])
        else:
            outputs = []
            for i, value in enumerate(example):
                item = graph.call_function(operator.getitem, (node, i))
                item.meta["val"] = value
                outputs.append(item)
            graph.output(outputs)
        return self.compile(torch.fx.GraphModule({}, graph)), single

    def graph(self, module: torch.fx.GraphModule) -> Compiled:
        """A function over tensors that runs a whole graph compiled, with its gradient.

        The graph is traced to ATen once for each set of shapes and dtypes. A graph that writes to
        its inputs runs operator by operator.
        """
        forward: dict[Any, Compiled | None] = {}
        backward: dict[Any, Compiled] = {}

        def run(found: Compiled, tensors: list[object]) -> list[Any]:
            results = found(*[self._blob(t) for t in tensors if isinstance(t, Tensor)])
            return [None if r is None else self.blobs.wrap(r) for r in results]

        def pullback(count: int) -> Callable[..., Any]:
            def pull(*values: object) -> Any:
                inputs, grads = values[:count], values[count:]
                back: Any = torch.func.vjp(lambda *x: tuple(module(*x)), *inputs)[1]
                return back(tuple(grads))

            return pull

        class Function(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, *inputs: Any) -> Any:
                ctx.save_for_backward(*inputs)
                return tuple(run(forward[_key(inputs)], list(inputs)))  # type: ignore[arg-type]

            @staticmethod
            def backward(ctx: Any, *grads: Any) -> Any:
                values = [*ctx.saved_tensors, *grads]
                key = _key(values)
                if key not in backward:
                    traced = self.traced(pullback(len(ctx.saved_tensors)), values)
                    backward[key] = self.compile(traced)
                return tuple(run(backward[key], values))

        def call(*inputs: Any) -> Any:
            key = _key(inputs)
            if key not in forward:
                traced = self.traced(module, inputs)
                writes = any(
                    isinstance(n.target, Overload) and schema(n.target).is_mutable
                    for n in traced.graph.nodes
                )
                forward[key] = None if writes else self.compile(traced)
            found = forward[key]
            if found is None or not all(isinstance(i, Tensor) for i in inputs):
                return module(*inputs)
            if torch.is_grad_enabled() and any(i.requires_grad for i in inputs):
                apply: Any = Function.apply
                return apply(*inputs)
            return tuple(run(found, list(inputs)))

        return call

    def traced(self, function: Callable[..., Any], inputs: Any) -> torch.fx.GraphModule:
        """A function of tensors as a graph of ATen operators, traced on fake CPU tensors."""
        examples = [
            torch.empty(tuple(i.shape), dtype=i.dtype, device="cpu") if isinstance(i, Tensor) else i
            for i in inputs
        ]
        if isinstance(function, torch.fx.GraphModule):
            function = _on_cpu(function, self.blobs.name)
        plain = torch.func.functionalize(function, remove="mutations_and_views")
        graph: torch.fx.GraphModule = make_fx(plain, tracing_mode="fake")(*examples)
        return graph


def _on_cpu(module: torch.fx.GraphModule, device: str) -> torch.fx.GraphModule:
    """A copy of a graph that makes its tensors on the CPU."""
    copy = torch.fx.GraphModule(module, torch.fx.Graph())
    copy.graph = deepcopy(module.graph)
    for node in copy.graph.nodes:
        place = node.kwargs.get("device")
        if place is not None and torch.device(place).type == device:
            node.kwargs = {**node.kwargs, "device": torch.device("cpu")}
    copy.recompile()
    return copy


def _key(inputs: Any) -> Any:
    return repr(_described(list(inputs)))


def _example(tensor: Tensor) -> Tensor:
    """A meta tensor of the same shape and dtype."""
    return torch.empty(tuple(tensor.shape), dtype=tensor.dtype, device="meta")


def _described(value: object) -> Any:
    if isinstance(value, Tensor):
        return (tuple(value.shape), value.dtype)
    if isinstance(value, (list, tuple)):
        return [_described(v) for v in value]
    if isinstance(value, dict):
        return {k: _described(v) for k, v in value.items()}
    return value
