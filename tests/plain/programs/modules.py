"""Modules, optimizers, hooks and data loaders with compiled code."""

from __future__ import annotations

import io
import pickle

import numpy
import torch
from torch import nn
from torch.utils.data import DataLoader, default_collate

from ..recording import error_of, program

X = torch.tensor([[0.5, 1.0], [1.5, 2.0]])


def network():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.LayerNorm(3), nn.Linear(3, 1))


@program
def module_forward_and_backward(compiled):
    module = network()
    value = compiled(module, fullgraph=True)(X)
    value.sum().backward()
    return value, [p.grad for p in module.parameters()]


@program
def module_that_is_compiled_in_place(compiled):
    module = network()
    module.forward = compiled(module.forward)
    return module(X), module(X[:1])


@program
def module_in_train_and_eval(compiled):
    module = nn.Sequential(nn.BatchNorm1d(2), nn.Dropout(0.5))
    run = compiled(module)
    first = run(X)
    module.eval()
    return first, run(X), [*module.buffers()]


@program
def module_with_hooks(compiled):
    module, seen = network(), []
    module[0].register_forward_hook(lambda m, args, out: out * 2)
    module[3].register_forward_pre_hook(lambda m, args: (args[0] + 1,))
    module[1].register_full_backward_hook(lambda m, gi, go: seen.append(go[0].shape))
    value = compiled(module)(X)
    value.sum().backward()
    return value, seen, module[0].weight.grad


@program
def module_with_state(compiled):
    class Running(nn.Module):
        def __init__(self):
            super().__init__()
            self.count = 0
            self.register_buffer("total", torch.zeros(2))
            self.names = {"a": nn.Identity()}

        def forward(self, x):
            self.count += 1
            self.total += x.sum(0)
            self.last = x
            return self.names["a"](self.total) * self.count

    module = Running()
    run = compiled(module)
    return [run(X).clone() for _ in range(3)], module.count, module.last


@program
def module_lists_and_dicts(compiled):
    class Layers(nn.Module):
        def __init__(self):
            super().__init__()
            torch.manual_seed(2)
            self.many = nn.ModuleList(nn.Linear(2, 2) for _ in range(3))
            self.named = nn.ModuleDict({"a": nn.Tanh(), "b": nn.Identity()})
            self.weights = nn.ParameterList([torch.ones(2)])

        def forward(self, x, key):
            for i, layer in enumerate(self.many[1:]):
                x = layer(x) + i
            return self.named[key](x) * self.weights[0]

    run = compiled(Layers())
    return run(X, "a"), run(X, "b")


@program
def module_with_getattr(compiled):
    class Delegating(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.Identity()
            self.inner.scale = 3.0

        def __getattr__(self, name):
            try:
                return super().__getattr__(name)
            except AttributeError:
                return getattr(super().__getattr__("inner"), name)

        def forward(self, x):
            return x * self.scale

    return error_of(lambda: compiled(Delegating())(X))


@program
def recurrent_and_attention(compiled):
    torch.manual_seed(3)
    attention = nn.MultiheadAttention(2, 1, batch_first=True).eval()
    cell = nn.GRUCell(2, 2)

    @compiled
    def f(x):
        return attention(x[None], x[None], x[None])[0], cell(x)

    return f(X)


def train(step, kind, **options):
    module = network()
    optimizer = kind(module.parameters(), **options)
    return [step(module, optimizer) for _ in range(3)], [*module.parameters()]


@program
def optimizer_around(compiled):
    def step(module, optimizer):
        optimizer.zero_grad()
        loss = forward(module).mean()
        loss.backward()
        optimizer.step()
        return loss.detach()

    @compiled
    def forward(module):
        return (module(X) - 1) ** 2

    return train(step, torch.optim.SGD, lr=0.1, momentum=0.9)


@program
def optimizer_in_a_compiled_step(compiled):
    def step(module, optimizer):
        optimizer.zero_grad()
        module(X).mean().backward()
        run(optimizer)

    @compiled
    def run(optimizer):
        optimizer.step()

    return error_of(lambda: train(step, torch.optim.AdamW, lr=torch.tensor(0.01)))


@program
def whole_training_step(compiled):
    @compiled
    def step(module, optimizer):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(module(X), torch.ones(2, 1))
        loss.backward()
        optimizer.step()
        return loss.detach()

    return error_of(lambda: train(step, torch.optim.SGD, lr=0.1))


@program
def data_loader(compiled):
    class Rows(torch.utils.data.Dataset):
        def __len__(self):
            return 4

        def __getitem__(self, i):
            return {"x": torch.full((2,), float(i)), "a": numpy.float32([i]), "n": i, "s": str(i)}

    @compiled
    def f(batch):
        return batch["x"] * batch["n"][:, None] + batch["a"]

    return [(f(batch), batch) for batch in DataLoader(Rows(), batch_size=2)]


@program
def collate(compiled):
    @compiled
    def f(batch):
        return [part + 1 for part in batch]

    return f(default_collate([(1, numpy.float64(2), torch.ones(1)), (3, 4.0, torch.zeros(1))]))


@program
def pickles(compiled):
    run = compiled(network())
    value = run(X)
    file = io.BytesIO()
    torch.save({"state": run.state_dict(), "value": value.detach()}, file)
    file.seek(0)
    loaded = torch.load(file)
    return loaded, pickle.loads(pickle.dumps((value.detach(), X.dtype, slice(1)))), [*loaded]


@program
def deep_copies(compiled):
    import copy

    run = compiled(network())
    first = run(X)
    return first, copy.deepcopy(run)(X), copy.copy(X)


@program
def parametrized_module(compiled):
    class Symmetric(nn.Module):
        def forward(self, w):
            return w.triu() + w.triu(1).T

    torch.manual_seed(4)
    module = nn.utils.parametrize.register_parametrization(
        nn.Linear(2, 2), "weight", Symmetric()
    )  # fmt: skip
    return error_of(lambda: compiled(module)(X))


@program
def lazy_module(compiled):
    torch.manual_seed(5)
    return error_of(lambda: compiled(nn.LazyLinear(2))(X))


@program
def autocast(compiled):
    module = network()

    @compiled
    def f(x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return module(x), x @ x

    return f(X)
