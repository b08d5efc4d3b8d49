"""``python -m tests.xp_backend.compiler_only``: a backend that has a compiler and no operator.

Its eager side runs graphs of one node. The compiler is an interpreter over NumPy arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import xp_backend

aten = torch.ops.aten
compiled: list[list[str]] = []
FUNCTIONS: dict[Any, Callable[..., Any]] = {
    aten.add.Tensor: lambda a, b: np.add(a, b),
    aten.mul.Tensor: np.multiply,
    aten.mul.Scalar: np.multiply,
    aten.neg.default: np.negative,
    aten.sin.default: np.sin,
    aten.cos.default: np.cos,
    aten.exp.default: np.exp,
    aten.mm.default: np.matmul,
    aten.t_copy.default: np.transpose,
    aten.sum.default: lambda x: np.asarray(x.sum()),
    aten.sum.dim_IntList: lambda x, dim, keepdim=False: np.sum(x, tuple(dim), keepdims=keepdim),
    aten.expand_copy.default: lambda x, size: np.broadcast_to(x, size),
    aten.view_copy.default: np.reshape,
    aten.unsqueeze_copy.default: np.expand_dims,
    aten.detach_copy.default: np.asarray,
    aten.alias_copy.default: np.asarray,
    aten.detach.default: np.asarray,
    aten.ones_like.default: lambda x, **_: np.ones_like(x),
}


def compiler(graph: torch.fx.GraphModule) -> Callable[..., Any]:
    """From a graph of ATen operators to a function over NumPy arrays."""
    nodes = list(graph.graph.nodes)
    targets = [n.target for n in nodes if n.op == "call_function"]
    missing = [t for t in targets if t not in FUNCTIONS]
    if missing:
        raise xp_backend.MissingOperatorError(f"the compiler has no {missing[0]}")
    compiled.append([str(t) for t in targets])

    def run(*arrays: np.ndarray) -> list[np.ndarray]:
        given, values = iter(arrays), {}
        for node in nodes:
            if node.op == "placeholder":
                values[node] = next(given)
            elif node.op == "call_function":
                args = torch.fx.map_arg(node.args, values.__getitem__)
                kwargs = torch.fx.map_arg(node.kwargs, values.__getitem__)
                values[node] = np.asarray(FUNCTIONS[node.target](*args, **kwargs))
        (outputs,) = nodes[-1].args
        return [values[o] if o is not None else None for o in outputs]

    return run


def main() -> None:
    env = xp_backend.BackendEnvironment(
        "graphs", np.ndarray, lambda t: t.numpy(), lambda b: torch.from_numpy(np.array(b))
    )
    env.register_compiler(compiler)
    # Eager, from graphs of one node.
    x = torch.arange(6.0).reshape(2, 3)
    y = x.to("graphs")
    assert torch.allclose((torch.sin(y) * y + 1).cpu(), torch.sin(x) * x + 1)
    assert compiled == [["aten.sin.default"], ["aten.mul.Tensor"], ["aten.add.Tensor"]], compiled
    torch.sin(y)
    assert len(compiled) == 3, "a graph of the same shapes is not compiled again"

    # Whole graphs, from Dynamo, with a gradient.
    def f(a: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        return torch.sin(a @ w).sum()

    w = torch.ones(3, 2, requires_grad=True)
    v = w.detach().to("graphs").requires_grad_()
    compiled.clear()
    got = torch.compile(f, backend=env.dynamo_backend, fullgraph=True)(y, v)
    assert compiled == [["aten.mm.default", "aten.sin.default", "aten.sum.default"]], compiled
    expected = f(x, w)
    assert torch.allclose(got.detach().cpu(), expected.detach())
    got.backward()
    expected.backward()
    assert len(compiled) >= 2, compiled
    assert v.grad is not None
    assert torch.allclose(v.grad.cpu(), w.grad)
    # What neither side has is named.
    with pytest.raises(NotImplementedError, match="erfinv"):
        torch.erfinv(y)
    print("passed")


if __name__ == "__main__":
    main()
