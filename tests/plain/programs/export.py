"""``torch.export``, ``make_fx``, fake tensors and ``torch.jit`` beside compiled code."""

from __future__ import annotations

import cmath
import math

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import _pytree

from ..recording import error_of, program

X = torch.arange(6.0).reshape(2, 3)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(6)
        self.linear = torch.nn.Linear(3, 2)

    def forward(self, x, pair, *, scale=1.0):
        return {"y": self.linear(x) * scale, "z": pair[0] + pair[1][:, 1:]}


@program
def exported_module(compiled):
    exported = torch.export.export(Net(), (X, (X[:, :2], X)), {"scale": 2.0})
    compiled.note(exported.graph_module)
    return exported.module()(X, (X[:, :2], X), scale=2.0), str(exported.graph_signature)


@program
def exported_with_dynamic_sizes(compiled):
    shapes = {"x": {0: torch.export.Dim("rows", min=4)}}

    class Rows(torch.nn.Module):
        def forward(self, x):
            return x[1:] * x.shape[0], x[:2]

    exported = torch.export.export(Rows(), (torch.ones(6, 2),), dynamic_shapes=shapes)
    compiled.note(exported.graph_module)
    return exported.module()(torch.ones(8, 2)), str(exported.range_constraints)


@program
def exported_strictly(compiled):
    exported = torch.export.export(Net(), (X, (X[:, :2], X)), strict=True)
    compiled.note(exported.graph_module)
    return exported.module()(X, (X[:, :2], X))


@program
def export_is_refused(compiled):
    class Branch(torch.nn.Module):
        def forward(self, x):
            return x + 1 if x.sum() > 0 else x - 1

    return [error_of(lambda s=s: torch.export.export(Branch(), (X,), strict=s))
            .partition("\n")[0] for s in (False, True)]  # fmt: skip


@program
def graph_by_make_fx(compiled):
    def f(x):
        y = x.clone()
        y[0] = 1
        return y.sin() + x.sum()

    module = make_fx(f, tracing_mode="fake")(X)
    compiled.note(module)
    return module(X), module.code


@program
def graph_by_make_fx_with_symbolic_sizes(compiled):
    module = make_fx(lambda x: x.reshape(-1) * x.shape[0], tracing_mode="symbolic")(X)
    compiled.note(module)
    return module(torch.ones(4, 2)), module.code


@program
def graph_by_make_fx_of_grad(compiled):
    module = make_fx(torch.func.grad(lambda x: (x**3).sum()))(X)
    compiled.note(module)
    return module(X), module.code


@program
def graph_with_complex_constants(compiled):
    numbers = [1 + 2j, complex(0.0, -0.0), cmath.infj, complex(math.nan, 1.0), cmath.nanj]

    def traced(number):
        module = make_fx(lambda x: x * number)(torch.ones(2, dtype=torch.complex128))
        compiled.note(module)
        return module.code, module(torch.ones(2, dtype=torch.complex128))

    return [error_of(lambda n=n: traced(n)) for n in numbers]


@program
def graph_with_constants_that_are_not_finite(compiled):
    module = make_fx(lambda x: x.clamp(max=math.inf) * math.nan + -math.inf)(X)
    compiled.note(module)
    return module(X), module.code


@program
def graph_by_symbolic_trace(compiled):
    module = torch.fx.symbolic_trace(lambda x: torch.relu(x)[:, 1:] + 1)
    compiled.note(module)
    return module(X), module.code, compiled(module)(X)


@program
def fake_tensors(compiled):
    @compiled
    def f(x):
        return x @ x.T, x[0, 1:]

    with FakeTensorMode() as mode:
        fake = mode.from_tensor(X)
        outside = fake @ fake.T, fake.sum(0), torch.empty(3, 4)[1:], fake + torch.ones(3)
        return (
            f(X) if 0 else outside,
            error_of(lambda: f(fake)),
            error_of(lambda: fake.sum().item()),
        )


@program
def fake_values_that_choose(compiled):
    @compiled
    def f(x):
        return x.nonzero().shape, x.sum().item() + 1

    with torch._dynamo.config.patch(
        capture_scalar_outputs=True, capture_dynamic_output_shape_ops=True
    ):
        return error_of(lambda: f(X))


@program
def trees_of_values(compiled):
    @compiled(fullgraph=True)
    def f(tree):
        leaves, spec = _pytree.tree_flatten(tree)
        doubled = _pytree.tree_map(lambda x: x * 2, tree)
        return doubled, len(leaves), spec.num_leaves, _pytree.tree_unflatten(leaves, spec)

    return f({"a": X, "b": [X, (X, 3)]})


@program
def scripted_functions(compiled):
    traced = torch.jit.trace(lambda x: x * 2 + 1, X)

    @compiled
    def f(x):
        return traced(x) - 1

    return error_of(lambda: f(X))


@program
def dynamo_explains(compiled):
    def f(x):
        y = x + 1
        print(end="")
        return y * 2

    explained = torch._dynamo.explain(f)(X)
    for graph in explained.graphs:
        compiled.note(graph)
    return explained.graph_count, explained.graph_break_count, explained.op_count


@program
def aot_function(compiled):
    from functorch.compile import aot_function

    def keep(module, inputs):
        compiled.note(module)
        return module

    x = X.clone().requires_grad_()
    value = aot_function(lambda a: (a.sin() * 2).view(-1), fw_compiler=keep)(x)
    value.sum().backward()
    return value, x.grad
